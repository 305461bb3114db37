"""What the marshal does without a search: the steward's sound habits, but soldiers before walls.

Armies take lands, and who has more of them at the second turn has more of everything at the fourth: so no gold goes
into fortifications before the end is in sight; it buys tiles, three a turn.
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

__all__ = ["MOST_TILES", "PATIENCE", "Doctrine"]

PATIENCE: Final = {2: 22, 3: 18, 4: 18}
"""The prestige from which on fortifications are built, by the number of players at the start."""
MOST_TILES: Final = 3
"""How many tiles are bought in a turn at most."""


class Doctrine(Steward):
    """The steward with the marshal's plan of a game."""

    def choose(self, view: KingView, legal: Sequence[KingAction], source: Source) -> KingAction:
        """As the steward, but for building and buying."""
        action = super().choose(view, legal, source)
        seat, kind = view.seat, view.frames[-1].kind
        if view.prestige[seat] >= PATIENCE[view.seats] or any(land.fort == GRAN - 1 for land in view.lands[seat]):
            return action
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
