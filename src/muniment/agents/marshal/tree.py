"""The tree below the moves compared: what the players choose later, by what came of it before.

A node stands for everything that has been decided on the way to it, the searcher's own choices and the others'; dice
and draws, and what the deals hid, are averaged over: whoever decides there chooses the same whatever the others hide.
Where they lead to another player's decision, that one has children of its own. The quick player's choice is the first
child; others are added one by one as the node is visited (progressive widening), and each player picks the child with
the highest bound on its own chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from typing import Final

from muniment.games.king.actions import KingAction

__all__ = ["Node"]

_WIDTH: Final = 0.7
_EXPLORE: Final = 0.25


class Node:
    """A decision reached in the search. visits: how often; total: each seat's chances summed over these visits."""

    __slots__ = ("children", "total", "visits")

    def __init__(self, seats: int) -> None:
        self.visits = 0
        self.total = [0.0] * seats
        self.children: dict[tuple[int, KingAction], Node] = {}

    def add(self, values: Sequence[float]) -> None:
        """Count a visit that led to these chances."""
        self.visits += 1
        total = self.total
        for seat, value in enumerate(values):
            total[seat] += value

    def select(self, seat: int, options: Sequence[KingAction]) -> KingAction:
        """Which of the options, the likeliest first, the seat tries now."""
        width = 1 + int(_WIDTH * sqrt(self.visits))
        children = self.children
        for option in options[:width]:
            if (seat, option) not in children:
                return option
        logs = log(self.visits + 1)
        return max(options[:width], key=lambda option: _bound(children[seat, option], seat, logs))

    def child(self, seat: int, option: KingAction) -> Node:
        """The node after the seat's choice; one without visits if it is new."""
        found = self.children.get((seat, option))
        if found is None:
            found = self.children[seat, option] = Node(len(self.total))
        return found


def _bound(node: Node, seat: int, logs: float) -> float:
    return node.total[seat] / node.visits + _EXPLORE * sqrt(logs / node.visits)
