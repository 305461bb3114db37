"""The black plague and smallpox (events.black-plague, events.smallpox, K21).

Tiles of an army are gone through in the order in which they left the cup, which everybody could follow.
"""

from __future__ import annotations

from muniment.core.frames import Frame
from muniment.games.king.state import KingState
from muniment.games.king.steps import Roll, push, register, roll_for

__all__ = ["black_plague", "largest_armies", "smallpox"]


def largest_armies(s: KingState) -> list[int]:
    """The seats with the largest army in tiles; none if all armies are empty (K21)."""
    most = max(len(s.army[seat]) for seat in s.order(0))
    return [seat for seat in s.order(s.acting) if len(s.army[seat]) == most] if most else []


def black_plague(s: KingState, _roller: int) -> None:
    """It strikes the largest army; a tie is rolled off, the high roller suffers (K21)."""
    tied = largest_armies(s)
    if tied:
        push(s, "plague-who", -1, *tied)
        if len(tied) > 1:
            for seat in reversed(tied):
                roll_for(s, "plague-off", seat, 2, *tied)


def _off(s: KingState, f: Frame) -> None:
    s.tally[f.seat] = sum(s.roll)


def _who(s: KingState, f: Frame) -> None:
    tied = [int(seat) for seat in f.data]
    high = max(s.tally[seat] for seat in tied)
    again = [seat for seat in tied if s.tally[seat] == high]
    s.tally = [0] * s.seats
    if len(again) > 1 and len(tied) > 1:
        push(s, "plague-who", -1, *again)
        for seat in reversed(again):
            roll_for(s, "plague-off", seat, 2, *again)
        return
    victim = tied[0] if len(tied) == 1 else again[0]
    s.note("plague", "K21", seat=victim)
    push(s, "sickness", victim, 1, -1)


def smallpox(s: KingState, roller: int) -> None:
    """Every tile of every army (K21)."""
    for seat in reversed(s.order(roller)):
        push(s, "sickness", seat, 2, -1)


def _next(s: KingState, f: Frame) -> None:
    """The next tile of the army: one die in the plague, two in smallpox."""
    dice, last = int(f.data[0]), int(f.data[1])
    fills = [fill for tile in s.army[f.seat] if (fill := s.fill[tile]) > last]
    if fills:
        push(s, "sickness", f.seat, dice, min(fills))
        roll_for(s, "sickness-dice", f.seat, dice, min(fills))


def _dice(s: KingState, f: Frame) -> None:
    """An odd die kills in the plague, a 7 on two dice in smallpox; nothing saves (K21)."""
    dies = s.roll[0] % 2 == 1 if len(s.roll) == 1 else sum(s.roll) == 7
    if dies:
        tile = next(tile for tile in s.army[f.seat] if s.fill[tile] == f.data[0])
        s.note("died", "K21", seat=f.seat, tile=s.box.slug[tile])
        s.to_cup(tile)


register(
    flows={"plague-off": _off, "plague-who": _who, "sickness": _next, "sickness-dice": _dice},
    rolls={
        "plague-off": Roll("K21", "who suffers the plague: the high roller", lambda _s, f, seat: seat in f.data),
        "sickness-dice": Roll("K21", "whether a tile of the army dies"),
    },
)
