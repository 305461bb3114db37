"""The chance of so many hits with so many dice, from a table: what the quick player asks most often."""

from __future__ import annotations

from typing import Final

__all__ = ["at_least"]

_MOST_DICE: Final = 120
_MOST_HITS: Final = 60


def _tails(dice: int) -> tuple[float, ...]:
    """The chance that so many dice show at least 0, 1, 2... sixes."""
    chances = [1.0]
    for _ in range(dice):
        chances = [
            (chances[at] * 5 / 6 if at < len(chances) else 0.0) + (chances[at - 1] / 6 if at else 0.0)
            for at in range(len(chances) + 1)
        ]
    tails, rest = [0.0] * (_MOST_HITS + 1), 0.0
    for at in range(len(chances) - 1, -1, -1):
        rest += chances[at]
        if at <= _MOST_HITS:
            tails[at] = min(1.0, rest)
    return tuple(tails)


_TAILS: Final = tuple([_tails(dice) for dice in range(_MOST_DICE + 1)])


def at_least(dice: float, hits: float) -> float:
    """The chance of so many hits, rounded up, with so many dice that hit on a six."""
    tails = _TAILS[min(_MOST_DICE, int(dice + 0.5))]
    return tails[min(_MOST_HITS, int(hits + 0.999))] if hits > 0 else 1.0
