"""Phase 3, b and c (purchase, free-draw, K27, K57): tiles bought from the playing deck, and the free one."""

from __future__ import annotations

from typing import Final

from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction
from muniment.games.king.muster import draw_then_muster
from muniment.games.king.state import KingState
from muniment.games.king.steps import Choice, push, register

__all__ = ["PRICES"]

PRICES: Final = (0, 2, 5, 10, 20)
"""What 0 to 4 tiles cost (K27)."""


def _begin(s: KingState, f: Frame) -> None:
    push(s, "purchase", f.seat)


def _legal(s: KingState, f: Frame) -> list[KingAction]:
    gold, cup = s.gold[f.seat], len(s.cup)
    return [action for n, action in enumerate(s.box.purchase) if PRICES[n] <= gold and n <= cup]


def _act(s: KingState, f: Frame, action: KingAction) -> None:
    """Declared and paid in advance (K27)."""
    s.frames.pop()
    number = int(action.args[0])
    if number:
        s.pay(f.seat, PRICES[number])
        s.note("purchase", "K27", seat=f.seat, tiles=number, gold=PRICES[number])
        draw_then_muster(s, f.seat, number)


def _free_draw(s: KingState, f: Frame) -> None:
    draw_then_muster(s, f.seat, 1)


register(
    flows={"purchase-begin": _begin, "free-draw": _free_draw},
    choices={"purchase": Choice(_legal, _act, "K27")},
)
