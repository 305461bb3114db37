"""What the marshal does without a search: the steward's sound habits, but in a duel soldiers before walls.

Armies take lands, and who has more of them at the second turn has more of everything at the fourth: so with one
opponent no gold goes into fortifications before the end is in sight; it buys tiles, three a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from muniment.agents.steward import Steward
from muniment.agents.steward.home import WAR_CHEST
from muniment.agents.steward.table import GRAN
from muniment.core.chance import Source
from muniment.games.king.actions import KingAction
from muniment.games.king.purchase import PRICES
from muniment.games.king.views import KingView

__all__ = ["MOST_TILES", "PATIENCE", "Doctrine", "waits"]

PATIENCE: Final = {2: 22, 3: 0, 4: 0}
"""The prestige from which on fortifications are built, by the number of players at the start.

With more than one opponent somebody else is king before soldiers have paid off, unless the search sees that they will.
"""
MOST_TILES: Final = 3
"""How many tiles are bought in a turn at most."""


def waits(view: KingView) -> bool:
    """Whether it is too early to build: far from 30 points, and no castle that could become a Gran Muniment."""
    seat = view.seat
    return view.prestige[seat] < PATIENCE[view.seats] and all(land.fort != GRAN - 1 for land in view.lands[seat])


class Doctrine(Steward):
    """The steward with the marshal's plan of a game."""

    def choose(self, view: KingView, legal: Sequence[KingAction], source: Source) -> KingAction:
        """As the steward, but for building and buying."""
        action = super().choose(view, legal, source)
        if not waits(view):
            return action
        seat, kind = view.seat, view.frames[-1].kind
        if kind == "build" and action.word in ("fort", "cash") and not _wins(view, action):
            return view.box.done
        if kind == "purchase":
            return max(
                a
                for a in legal
                if a.word == "purchase"
                and (n := int(a.args[0])) <= MOST_TILES
                and (not n or view.gold[seat] - PRICES[n] >= WAR_CHEST)
            )
        return action


def _wins(view: KingView, action: KingAction) -> bool:
    """Whether a treasure is cashed to become king: nothing else is cashed with a Gran Muniment this far from 30."""
    return action.word == "cash" and any(land.fort == GRAN for land in view.lands[view.seat])
