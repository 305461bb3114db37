"""The agent ``oracle``: perfect play in 9 Card Siege, from the solved game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.errors import MunimentError
from muniment.games.siege.actions import SiegeAction
from muniment.games.siege.game import Siege
from muniment.games.siege.view import SiegeView, state_from_view

if TYPE_CHECKING:
    from muniment.solve.values import Values

__all__ = ["Oracle"]


class Oracle(Agent[SiegeAction, SiegeView]):
    """Chooses an action with the highest winning chance, the first of equals, so that it never depends on luck.

    values: the solved game; the table in the user's cache directory if None.
    Raises MunimentError if the game has not been solved on this machine, or the extra ``solve`` is not installed.
    """

    name = "oracle"

    def __init__(self, rules: Siege, values: Values | None = None) -> None:
        self.rules = rules
        self._values = values or _from_disk(rules)

    def choose(self, view: SiegeView, legal: Sequence[SiegeAction], source: Source) -> SiegeAction:
        """The best action."""
        best = self._values.odds(state_from_view(view)).best
        assert best is not None
        return best.action


def _from_disk(rules: Siege) -> Values:
    try:
        from muniment.solve.solving import open_table
        from muniment.solve.values import Values
    except ImportError as error:
        raise MunimentError(f"the oracle needs the extra 'solve': pip install 'muniment[solve]' ({error})") from None
    return Values(open_table(rules.edition, rules.options))
