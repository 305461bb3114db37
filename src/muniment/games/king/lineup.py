"""Phase 4, c (war.line-up, K30, K52): lining up against the defender's lands, the reserves last."""

from __future__ import annotations

from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction
from muniment.games.king.magic import ask
from muniment.games.king.state import NOWHERE, RESERVE, KingState
from muniment.games.king.steps import Choice, Roll, become, push, register, roll_for
from muniment.games.king.war_state import War

__all__ = ["attacked_lands"]


def _tiles(s: KingState, w: War, side: int) -> list[int]:
    return s.army[w.defender] if side else s.field


def _line_ups(s: KingState, _f: Frame) -> None:
    """The higher lines up first; the second then sees where and how many (K29, K30)."""
    w = s.war
    if w is not None:
        for side in (1 - w.higher, w.higher):
            push(s, "line-begin", w.seat(side), side)


def _line_begin(s: KingState, f: Frame) -> None:
    w, side = s.war, int(f.data[0])
    if w is not None:
        w.lined |= 1 << side
        if any(s.place[tile] == NOWHERE for tile in _tiles(s, w, side)):
            push(s, "line", f.seat, NOWHERE)


def _next(s: KingState, f: Frame) -> int:
    """The tile to be placed: every one in turn, in one canonical order."""
    w = s.war
    if w is None:
        return -1
    place, waiting = s.place, f.data[0]
    for tile in s.field if f.seat == w.attacker else s.army[w.defender]:
        if place[tile] == waiting:
            return tile
    return -1


def _legal(s: KingState, f: Frame) -> list[KingAction]:
    """Any of the defender's lands; of equal tiles the later one never before the earlier one."""
    w = s.war
    if w is None:
        return []
    tile, lands, box = _next(s, f), s.lands[w.defender], s.box
    line = box.line[tile]
    if len(f.data) > 1:
        kind, place = box.kind, s.place
        placed: tuple[int, ...] = f.data[1:]  # type: ignore[assignment]
        before = [lands.index(place[t]) for t in placed if kind[t] == kind[tile]]
        if before:
            lands = lands[max(before) :]
    return [line[land] for land in lands]


def _act(s: KingState, f: Frame, action: KingAction) -> None:
    tile = _next(s, f)
    s.place[tile] = s.box.land_named[str(action.args[1])]
    if _next(s, f) >= 0:
        become(s, "line", f.seat, *f.data, tile)
        return
    s.frames.pop()
    if s.log is not None:
        places = [s.place[int(t)] for t in (*f.data[1:], tile)]
        s.note(
            "lined-up", "K30", seat=f.seat,
            lands=tuple(s.box.land_slug[land] for land in dict.fromkeys(places)),
            tiles=tuple(places.count(land) for land in dict.fromkeys(places)),
        )  # fmt: skip


# -- reserves, K52


def _reserves_join(s: KingState, f: Frame) -> None:
    """A second roll without modifiers if both have reserves; the higher lines up his first, at any of the lands."""
    w = s.war
    if w is None:
        return
    sides = [side for side in (0, 1) if any(s.place[tile] == RESERVE for tile in _tiles(s, w, side))]
    if len(sides) == 2:
        roll_for(s, "reserve-dice", f.seat, 2)
    elif sides:
        push(s, "line", w.seat(sides[0]), RESERVE)


def _reserve_dice(s: KingState, f: Frame) -> None:
    w = s.war
    if w is None:
        return
    if s.roll[0] == s.roll[1]:
        roll_for(s, "reserve-dice", f.seat, 2)
        return
    higher = 0 if s.roll[0] > s.roll[1] else 1
    push(s, "line", w.seat(1 - higher), RESERVE)
    push(s, "line", w.seat(higher), RESERVE)


def _reserve_concerns(s: KingState, _f: Frame, seat: int) -> bool:
    return s.war is not None and s.war.side(seat) >= 0 and abs(s.roll[0] - s.roll[1]) <= 1


# -- which battle next (K31)


def attacked_lands(s: KingState, w: War) -> list[int]:
    """The lands with attackers whose battle has not been fought, nor called off (K31)."""
    places = {s.place[tile] for tile in s.field}
    return [land for land in s.lands[w.defender] if land in places and not w.fought >> land & 1]


def _battles(s: KingState, f: Frame) -> None:
    """One battle for each land with attackers, chosen one at a time by the attacker (K31)."""
    w = s.war
    if w is None or w.off:
        return
    lands = attacked_lands(s, w)
    if lands:
        push(s, "battles", f.seat)
        if len(lands) == 1:
            push(s, "battle-at", f.seat, lands[0])
        else:
            push(s, "battle", f.seat)


def _battle_legal(s: KingState, _f: Frame) -> list[KingAction]:
    return [s.box.battle[land] for land in attacked_lands(s, s.war)] if s.war is not None else []


def _battle_act(s: KingState, f: Frame, action: KingAction) -> None:
    s.frames.pop()
    push(s, "battle-at", f.seat, s.box.land_named[str(action.args[0])])


def _battle_at(s: KingState, f: Frame) -> None:
    push(s, "battle-joined", f.seat, *f.data)
    ask(s, "battle")


register(
    flows={
        "line-ups": _line_ups,
        "line-begin": _line_begin,
        "reserves-join": _reserves_join,
        "reserve-dice": _reserve_dice,
        "battles": _battles,
        "battle-at": _battle_at,
    },
    choices={
        "line": Choice(_legal, _act, "K30", public=1),
        "battle": Choice(_battle_legal, _battle_act, "K31"),
    },
    rolls={"reserve-dice": Roll("K52", "reserve initiative, attacker and defender", _reserve_concerns, battle=True)},
)
