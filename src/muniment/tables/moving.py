"""Moves: of people, of bots, and of clocks. All of them are worked out, stored and answered here."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import IntegrityError

from muniment.core.refusal import Refusal
from muniment.tables.clocks import ClockState
from muniment.tables.errors import Conflict, Forbidden, Invalid, Stale, TooMany
from muniment.tables.house import House, Raced
from muniment.tables.live import LiveTable, move_columns, nonces_of
from muniment.tables.models import MOVES, SNAPSHOTS
from muniment.tables.play import UNDO, Command, Play, Stored
from muniment.tables.showing import choice, ending_of, log_lines, seen, viewer
from muniment.tables.tokens import clean_key, decision_token, same
from muniment.tables.values import Answer, Caller, Choice, Ending, LogLine

__all__ = ["Order", "apply_move", "begin", "finish_columns", "move", "timed_columns"]

Order = Callable[[Any, Sequence[str]], Sequence[str]]
"""Puts actions into the order in which the game asks for them, by the view of who takes them."""
MOST_ACTIONS = 200
SNAPSHOT_EVERY = 64


async def move(house: House, table: str, caller: Caller, kind: str, texts: Sequence[str | Mapping[str, Any]],
               decision: str | None, key: str | None, order: Order | None = None) -> Answer:  # fmt: skip
    """A person's move. See ``Service.act``."""
    clean_key(key)
    if len(texts) > MOST_ACTIONS:
        raise Invalid(f"at most {MOST_ACTIONS} actions at once", "actions")

    async def operation(live: LiveTable) -> Answer:
        seat, _ = viewer(live, caller)
        if seat is None:
            raise Forbidden("only a player of this table can move", "not-a-player")
        command = Command(kind, seat, tuple(_notation(live, text) for text in texts))
        if key is not None and (seat, key) in live.move_keys:
            return await _first_answer(house, live, command, key)
        if live.data.status != "running" or live.play is None:
            raise Conflict("the game is not running", "not-running")
        if live.seats[seat].automatic:
            raise Conflict("a bot plays for this seat now: take it back first", "stand-in")
        if kind != UNDO:
            asked = live.play.asked[seat]
            if not asked or not same(decision or "", decision_token(live.data.key, seat, asked)):
                raise Stale
        if order is None or len(command.texts) < 2:
            return await apply_move(house, live, command, "person", key)
        ordered = tuple(order(live.play.match.view(seat), command.texts))
        return await apply_move(house, live, replace(command, texts=ordered), "person", key, command.texts)

    return await house.change(table, operation)


def _notation(live: LiveTable, text: str | Mapping[str, Any]) -> str:
    if isinstance(text, str):
        if len(text) > 2_000:
            raise Invalid("that is not an action of the game", "notation")
        return text
    if live.play is None:
        raise Conflict("the game is not running", "not-running")
    return str(live.play.read_action(text).notation)


async def _first_answer(house: House, live: LiveTable, command: Command, key: str) -> Answer:
    rows = MOVES
    wanted = select(rows.c.kind, rows.c.body, rows.c.answer).where(
        rows.c.table_id == live.data.id, rows.c.seat == command.seat, rows.c.key == key
    )
    row = await house.database.read(lambda c: c.execute(wanted).one())
    value = json.loads(row.answer)
    again = row.body == command.body() if "sent" not in value else sorted(value["sent"]) == sorted(command.texts)
    if row.kind != command.kind or not again:
        raise Conflict("that key was used for another move", "key-used")
    lines = tuple(LogLine(**line) for line in value["log"])
    return Answer(live.data.id, value["version"], lines, repeated=True)


async def apply_move(house: House, live: LiveTable, command: Command, by: str, key: str | None = None,
                     sent: Sequence[str] | None = None) -> Answer:  # fmt: skip
    """Carry the command out, store it, and answer. sent: its texts as they came, by which a retry is known.

    Raises MoveRefused, Invalid, Raced.
    """
    play = live.play
    assert play is not None
    if live.data.version >= house.config.moves_limit:
        raise TooMany("this table has reached its number of moves")
    before = len(play.log(command.seat))
    started = house.now()
    stored = play.carry_out(command)
    now = house.now()
    first = min(before, len(play.log(command.seat)))
    lines = log_lines(play, command.seat, first)
    columns: dict[str, Any] = {"version": stored.number, "entries": stored.entry_count}
    data = replace(live.data, version=stored.number, entries=stored.entry_count)
    ending = ending_of(play)
    data, changed = timed_columns(house, live, data, command.seat, now, ending)
    columns |= changed
    committed, live.data = live.data, data
    live.rendered.clear()
    seat_seen = seen(house, live, command.seat, False)
    live.data = committed
    answer = Answer(data.id, seat_seen.version, lines)
    first_answer = {"version": answer.version, "log": [_plain(line) for line in lines]}
    told = None if key is None else json.dumps(first_answer if sent is None else {**first_answer, "sent": sent})
    snapshot = play.snapshot() if stored.number - live.snapshot >= SNAPSHOT_EVERY else None
    row = move_columns(data, stored, by, key, told, now)
    live.rendered.clear()
    if snapshot is None:
        await house.commit(live, data=data, move=row, **columns)
    else:
        await house.commit(live, lambda connection: _insert(connection, row, snapshot), data=data, **columns)
    live.rendered[command.seat, False] = seat_seen
    if key is not None:
        live.move_keys[command.seat, key] = stored.number
    if snapshot is not None:
        live.snapshot = stored.number
    house.metrics.moves.labels(data.game, by).inc()
    house.metrics.move_seconds.observe(house.now() - started)
    return answer


def _plain(line: LogLine) -> dict[str, Any]:
    return {"number": line.number, "text": line.text, "rule": line.rule, "event": line.event}


def _insert(connection: Connection, row: Mapping[str, Any], snapshot: str) -> None:
    try:
        connection.execute(insert(MOVES), row)
    except IntegrityError:  # the same key, or number, from another process
        raise Raced from None
    snaps = SNAPSHOTS
    connection.execute(delete(snaps).where(snaps.c.table_id == row["table_id"]))
    connection.execute(insert(snaps), {"table_id": row["table_id"], "number": row["number"], "body": snapshot})


def timed_columns(house: House, live: LiveTable, data: Any, mover: int | None, now: float,
                  ending: Ending | None) -> tuple[Any, dict[str, Any]]:  # fmt: skip
    """What a move changes in the table's row besides its numbers: clocks, whether a bot is asked, the end."""
    play = live.play
    assert play is not None
    columns: dict[str, Any] = {}
    times = data.times
    if data.clock is not None and times is not None:
        people = [seat for seat in play.must_answer() if not live.seats[seat].automatic]
        times = times.moved(data.clock, mover, play.publicly_asked(), people, now, house.config.interrupt_seconds)
        columns["clock"] = times.write()
        columns["deadline"] = times.deadline() if ending is None else None
    bot_asked = ending is None and any(live.seats[seat].automatic for seat in play.must_answer())
    columns["bot_asked"] = bot_asked
    columns["worker"] = house.worker if bot_asked else None
    columns["worker_until"] = now + house.config.lease_seconds if bot_asked else 0.0
    changes: dict[str, Any] = {
        "times": times, "deadline": columns.get("deadline"), "bot_asked": bot_asked, "worker": columns["worker"],
        "worker_until": columns["worker_until"],
    }  # fmt: skip
    if ending is not None:
        finish, extra = finish_columns(ending)
        columns |= finish
        changes |= extra
    return replace(data, **changes), columns


def finish_columns(ending: Ending) -> tuple[dict[str, Any], dict[str, Any]]:
    """The columns, and the fields of ``TableData``, of a game that has ended."""
    columns = {"status": "finished", "ending": json.dumps(asdict(ending)), "deadline": None, "bot_asked": False}
    return columns, {"status": "finished", "ending": ending, "deadline": None, "bot_asked": False}


def begin(house: House, live: LiveTable, now: float) -> tuple[Any, dict[str, Any], Stored]:
    """Start the match of a table whose seats are all taken: its row's data, columns and its first move."""
    data = live.data
    names = [seat.name for seat in live.seats]
    nonces = nonces_of(live.seats, data.typed)
    live.play, stored = Play.start(live.game, names, data.seed, nonces, data.typed, data.position)
    times = None if data.clock is None else ClockState.begin(data.clock, len(live.seats), now)
    data = replace(data, status="running", started=now, version=stored.number, entries=stored.entry_count, times=times)
    columns: dict[str, Any] = {
        "status": "running", "started": now, "version": stored.number, "entries": stored.entry_count,
    }  # fmt: skip
    data, changed = timed_columns(house, live, data, None, now, ending_of(live.play))
    return data, {**columns, **changed}, stored


def why_not(live: LiveTable, seat: int, action: str | Mapping[str, Any]) -> Refusal | None:
    """Why the seat may not do that now, None if it may."""
    if live.play is None or live.data.status != "running":
        return Refusal("not-running", "the game is not running", "4.0")
    return live.play.match.refusal(seat, live.play.read_action(action))


def refusals(live: LiveTable, seat: int, actions: Iterable[str]) -> Iterator[tuple[Choice, Refusal]]:
    """The actions that the seat may not take now, each with the reason; none where no game is running."""
    if live.play is None or live.data.status != "running":
        return
    for notation in actions:
        action = live.play.read_action(notation)
        refusal = live.play.match.refusal(seat, action)
        if refusal is not None:
            yield choice(live.play, action), refusal
