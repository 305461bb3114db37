"""The agent ``captain``: a hand-written policy for 9 Card Siege."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.games.siege.actions import SiegeAction
from muniment.games.siege.game import Siege
from muniment.games.siege.view import SiegeView

__all__ = ["Captain"]


class Captain(Agent[SiegeAction, SiegeView]):
    """Being written."""

    name = "captain"

    def __init__(self, rules: Siege) -> None:
        self.rules = rules

    def choose(self, view: SiegeView, legal: Sequence[SiegeAction], source: Source) -> SiegeAction:
        """The first."""
        return legal[0]
