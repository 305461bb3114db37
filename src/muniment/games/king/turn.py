"""The sequence of play (sequence, K14, K54, K55): turns, phases and parts; elimination, victory, the turn limit."""

from __future__ import annotations

from muniment.core.frames import Frame
from muniment.games.king.magic import dispell_ends
from muniment.games.king.muster import leave_homeless
from muniment.games.king.state import KingState
from muniment.games.king.steps import push, register

__all__ = ["VICTORY_PRESTIGE", "eliminate_landless", "land_lost", "somebody_wins"]

VICTORY_PRESTIGE = 30
_SEATS = tuple(tuple(seat for seat in range(4) if bits >> seat & 1) for bits in range(16))

_PARTS: dict[int, tuple[str, ...]] = {
    1: ("collect", "special-offer", "build-begin"),
    2: ("event",),
    3: ("land-draw", "purchase-begin", "free-draw"),
    4: ("war-begin",),
}


_PART_FRAMES = {
    phase: [[Frame("part-end", seat), *[Frame(step, seat) for step in reversed(steps)]] for seat in range(4)]
    for phase, steps in _PARTS.items()
}


def _turn(s: KingState, _f: Frame) -> None:
    """Four phases; then the person to the left becomes first player (K54)."""
    s.turn += 1
    s.built = s.barred = 0
    s.note("turn", "sequence", number=s.turn, first=s.first)
    push(s, "turn-end")
    for phase in (4, 3, 2, 1):
        push(s, "phase", -1, phase)


def _phase(s: KingState, f: Frame) -> None:
    """Player by player from the first, each doing the phase's steps in their order (K55)."""
    s.phase = int(f.data[0])
    s.given = 0
    s.note("phase", "sequence", number=s.phase)
    if s.phase == 4:
        push(s, "deeds")
    for seat in reversed(s.order(s.first)):
        push(s, "part", seat)


def _part(s: KingState, f: Frame) -> None:
    seat = f.seat
    if not s.out >> seat & 1:
        s.acting = seat
        s.frames += _PART_FRAMES[s.phase][seat]


def _part_end(s: KingState, _f: Frame) -> None:
    """The current player's part of the phase is over, and with it a dispell (K43)."""
    dispell_ends(s)


def _turn_end(s: KingState, _f: Frame) -> None:
    limit = s.box.turn_limit
    if limit is not None and s.turn >= limit:
        _limit_reached(s)
        return
    s.first = s.acting = s.left_of(s.first)
    push(s, "turn")


def _limit_reached(s: KingState) -> None:
    """The most prestige wins, then the most gold, then it is shared (K60)."""
    seats = s.order(0)
    best = max((s.prestige(seat), s.gold[seat]) for seat in seats)
    end(s, "turn-limit", tuple(seat for seat in seats if (s.prestige(seat), s.gold[seat]) == best))


def end(s: KingState, reason: str, winners: tuple[int, ...]) -> None:
    """The game is over."""
    s.over = (reason, winners)
    s.frames.append(Frame("over"))
    s.note("over", "K60" if reason == "turn-limit" else "K11", reason=reason, winners=winners)


def somebody_wins(s: KingState) -> bool:
    """30 prestige and a Gran Muniment win at once, the first in turn order from the acting player (K11)."""
    worth, gold, nobles = s.worth, s.gold, s.nobles
    ready = 0
    for seat in _SEATS[s.grans]:
        if worth[seat] + gold[seat] // 10 + nobles[seat] >= VICTORY_PRESTIGE:
            ready |= 1 << seat
    if ready:
        end(s, "king", (next(seat for seat in s.order(s.acting) if ready >> seat & 1),))
    return bool(ready)


def land_lost(s: KingState, seat: int) -> None:
    """What follows at once from a land lost outside wars: homeless, then elimination (K13, K14)."""
    leave_homeless(s, seat)
    eliminate_landless(s)


def eliminate_landless(s: KingState) -> None:
    """Who has no land is out: tiles to the deck, special characters and gold to the bank (K14)."""
    for seat in s.order(s.acting):
        if s.lands[seat]:
            continue
        s.out |= 1 << seat
        for tile in (*s.hand[seat], *s.army[seat]):
            s.to_cup(tile)
        s.gold[seat] = 0
        s.note("out", "K14", seat=seat)
    left = s.order(0)
    if len(left) == 1 and s.over is None:
        end(s, "last", (left[0],))
    elif not left and s.over is None:
        end(s, "nobody", tuple(range(s.seats)))


register(
    flows={"turn": _turn, "phase": _phase, "part": _part, "part-end": _part_end, "turn-end": _turn_end},
)
