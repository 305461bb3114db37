"""Phase 1, a to c (gold, prestige, special-character): the income, and a try for a special character (K15, K16)."""

from __future__ import annotations

from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction
from muniment.games.king.state import CUP, KingState
from muniment.games.king.steps import Choice, Roll, push, register, roll_for

__all__: list[str] = []


def _collect(s: KingState, f: Frame) -> None:
    """The income: 1 a land, the printed values, 1 more with the Dwarf King (K15)."""
    income = s.income(f.seat)
    s.earn(f.seat, income)
    if s.log is not None:
        s.note("income", "K15", seat=f.seat, gold=income, prestige=s.prestige(f.seat))


def _offer(s: KingState, f: Frame) -> None:
    """One try a turn for a special character in the bank (K16)."""
    if s.zone.find(CUP, s.box.deck, s.box.lands) >= 0:
        push(s, "special", f.seat)


def _legal(s: KingState, _f: Frame) -> list[KingAction]:
    box, zone = s.box, s.zone
    return [box.passing, *[box.seek[tile] for tile in range(box.deck, box.lands) if zone[tile] == CUP]]


def _act(s: KingState, f: Frame, action: KingAction) -> None:
    s.frames.pop()
    if action.word == "seek":
        tile = s.box.tiles_named(str(action.args[0]))[0]
        roll_for(s, "special-try", f.seat, 2, tile, s.prestige(f.seat) // 10)


def _short(s: KingState, f: Frame) -> int:
    """How many pips the roll is short of twice the combat value; 1 is added for each full 10 prestige (K16).

    Data: the tile, and what is added: by the prestige at the roll, whatever is cashed after it.
    """
    return 2 * s.box.value[int(f.data[0])] - sum(s.roll) - int(f.data[1])


def _try(s: KingState, f: Frame) -> None:
    tile, seat = int(f.data[0]), f.seat
    won = _short(s, f) <= 0
    if s.log is not None:
        s.note("special-try", "K16", seat=seat, tile=s.box.slug[tile], won=won)
    if won:
        s.clock += 1
        s.fill[tile] = s.clock
        s.to_army(tile, seat, 0)


register(
    flows={"collect": _collect, "special-offer": _offer, "special-try": _try},
    choices={"special": Choice(_legal, _act, "K16")},
    rolls={
        "special-try": Roll("K16", "a special character", lambda s, f, seat: seat == f.seat and _short(s, f) in (0, 1))
    },
)
