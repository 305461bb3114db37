"""An agent of your own: it attacks whenever it may, whoever has most prestige, and leaves the rest to the steward.

muniment arena king --agents steward,examples/own_agent.py:Hothead -n 40
"""

from collections.abc import Sequence

from muniment.agents.steward import Steward
from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.games.king import King
from muniment.games.king.actions import KingAction
from muniment.games.king.views import KingView


class Hothead(Agent[KingAction, KingView]):
    """Sees its own view alone; one is made for every seat of every game."""

    def __init__(self, game: King) -> None:
        self.steward = Steward(game)

    def choose(self, view: KingView, legal: Sequence[KingAction], source: Source) -> KingAction:
        """One of the legal actions."""
        attacks = [action for action in legal if action.word == "attack"]
        if attacks:
            return max(attacks, key=lambda attack: view.prestige[int(attack.args[0])])
        return self.steward.choose(view, legal, source)
