"""What a viewer sees of a table: redacted here, rendered once per viewer and revision, and given a version."""

from __future__ import annotations

import json
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from muniment.core.dice import commitment_to
from muniment.core.game import Chance, Over
from muniment.tables.errors import NotFound
from muniment.tables.house import House
from muniment.tables.live import LiveTable, SeatData, TableData
from muniment.tables.models import HOST
from muniment.tables.play import Play
from muniment.tables.tokens import decision_token, link_kind, link_table, link_token, same, version_of
from muniment.tables.values import Caller, Choice, ClockFace, Ending, LogLine, SeatInfo, Seen, TableInfo

__all__ = ["choice", "ending_of", "log_lines", "seen", "table_info", "viewer"]

LOG_SHOWN = 60
MOST_OUTCOMES = 500


def viewer(live: LiveTable, caller: Caller) -> tuple[int | None, bool]:
    """The caller's seat, and whether it is the host. Raises NotFound if it may not see the table."""
    seats = live.seats_of(caller.secret)
    seat = min((one for one in seats if one != HOST), default=None)
    host = HOST in seats
    if seat is not None or host or live.data.spectators == "public":
        return seat, host
    if live.data.spectators == "link" and caller.watch and is_watch(live, caller.watch):
        return None, False
    raise NotFound("there is no such table")


def is_watch(live: LiveTable, token: str) -> bool:
    """Whether the token is of this table's watching link."""
    return (
        link_kind(token) == "watch"
        and link_table(token) == live.data.id
        and same(token, link_token(live.data.key, "watch", live.data.id))
    )


def seat_info(house: House, seat: SeatData, seen_at: float = 0.0) -> SeatInfo:
    """A seat as everybody sees it."""
    present = seat.kind == "person" and house.now() - max(seat.seen, seen_at) < house.config.away_seconds
    return SeatInfo(
        seat.seat, seat.kind, seat.name, seat.bot if seat.automatic else "", seat.stand_in, present, seat.resigned
    )


def table_info(house: House, data: TableData, seats: tuple[SeatData, ...], live: LiveTable | None = None) -> TableInfo:
    """A table as everybody sees it who may know of it.

    While a game runs, neither the number of moves nor the moment of the last one is told: either could betray a move
    that was made in secret.
    """
    seen_at = {} if live is None else live.seen
    options: Any = data.options if live is None else live.game.option_values
    game = house.game(data.game, "", {}) if live is None else live.game
    running = data.status == "running"
    changed = data.changed // 60 * 60 if running else data.changed
    return TableInfo(
        id=data.id, game=data.game, title=game.facts.title, status=data.status,
        seats=tuple(seat_info(house, seat, seen_at.get(seat.seat, 0.0)) for seat in seats), options=options,
        edition=data.edition, clock=data.clock, spectators=data.spectators, typed=data.typed,
        commitment=None if data.typed else commitment_to(data.seed), created=data.created, changed=changed,
        moves=0 if running else data.entries, ending=data.ending, next=data.next_id,
    )  # fmt: skip


def choice(play: Play, action: Any) -> Choice:
    """A legal action for people and programs."""
    return Choice(action, action.notation, play.game.sentence(action), action.rule)


def log_lines(play: Play, viewer: int | None, since: int, last: int | None = None) -> tuple[LogLine, ...]:
    """What the viewer may know, from line ``since`` on; ``last``: only so many of the newest."""
    lines = play.log(viewer)
    return tuple(lines[since if last is None else max(since, len(lines) - last) :])


def ending_of(play: Play) -> Ending | None:
    """How the match ended by its rules, None while it goes on."""
    over = play.match.over
    if over is None:
        return None
    lines = play.log(None)
    sentence = lines[-1].text if lines else over.reason
    return _ending(over, sentence)


def _ending(over: Over, sentence: str) -> Ending:
    return Ending(tuple(str(Fraction(value)) for value in over.returns), over.reason, over.rule, sentence)


def seen(house: House, live: LiveTable, seat: int | None, host: bool) -> Seen:
    """All that this viewer sees now."""
    found = live.rendered.get((seat, host))
    if found is None:
        found = live.rendered[seat, host] = _render(house, live, seat, host)
    return found


def _render(house: House, live: LiveTable, seat: int | None, host: bool) -> Seen:
    data, play = live.data, live.play
    info = table_info(house, data, live.seats, live)
    view: Any = None
    decision: str | None = None
    actions: tuple[Choice, ...] = ()
    outcomes: tuple[str, ...] | None = None
    undo = False
    log: tuple[LogLine, ...] = ()
    if play is not None:
        view = play.match.view(seat)
        log = log_lines(play, seat, 0, LOG_SHOWN)
        if seat is not None and data.status == "running" and not live.seats[seat].automatic:
            undo = play.undo_refusal(seat) is None
            if play.asked[seat]:
                decision = decision_token(data.key, seat, play.asked[seat])
                if isinstance(play.match.pending, Chance):
                    node = play.game.chance(play.match.state())
                    outcomes = tuple(outcome.notation for outcome in node.outcomes[:MOST_OUTCOMES])
                else:
                    actions = tuple(choice(play, action) for action in play.match.legal_actions(seat))
    clocks = _clocks(live)
    own = host or seat is not None
    seen = Seen(
        info=info, seat=seat, host=host, version="", game=live.game, view=view, decision=decision, actions=actions,
        outcomes=outcomes, undo=undo, log=log, talk=live.talk if seat is not None else (), clocks=clocks,
        invite=link_token(data.key, "invite", data.id) if own and data.status == "open" else None,
        watch=link_token(data.key, "watch", data.id) if own and data.spectators == "link" else None,
    )  # fmt: skip
    object.__setattr__(seen, "version", _version(seen))
    return seen


def _clocks(live: LiveTable) -> tuple[ClockFace, ...]:
    times = live.data.times
    if times is None or live.data.status != "running":
        return ()
    return tuple(
        ClockFace(one.seat, round(times.left[one.seat], 3), one.seat in times.running, times.since)
        for one in live.seats
        if not one.automatic
    )


def _version(seen: Seen) -> str:
    """A digest of all that the viewer can make out; what is not shown to it cannot change it."""
    info = seen.info
    content = {
        "status": info.status,
        "seats": [(s.seat, s.kind, s.name, s.bot, s.stand_in, s.resigned) for s in info.seats],
        "ending": None if info.ending is None else asdict(info.ending),
        "next": info.next,
        "view": None if seen.view is None else seen.view.to_json(),
        "decision": seen.decision,
        "actions": [one.notation for one in seen.actions],
        "outcomes": seen.outcomes,
        "undo": seen.undo,
        "log": [(line.number, line.text) for line in seen.log[-20:]],
        "talk": [message.id for message in seen.talk],
        "clocks": [(face.seat, face.left, face.running) for face in seen.clocks],
    }
    return version_of(json.dumps(content, default=str))
