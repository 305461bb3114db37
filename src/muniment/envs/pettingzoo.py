"""King of the Tabletop in PettingZoo: ``from muniment.envs.pettingzoo import king_v0``, then ``king_v0.env(seats=3)``.

``Player`` seats any agent of this package at the environment; 9 Card Siege, a game for one, is in ``envs.gymnasium``.
"""

from __future__ import annotations

from collections.abc import Sequence

try:
    from muniment.envs import king_v0
except ImportError as error:
    raise ImportError(
        f"the PettingZoo environment needs the extra 'pettingzoo': pip install 'muniment[pettingzoo]' ({error})"
    ) from None
from muniment.core.agent import Agent
from muniment.core.dice import RandomStream, seed_from_text
from muniment.games.king.actions import KingAction
from muniment.games.king.views import KingView

__all__ = ["Player", "king_v0", "play"]


class Player:
    """An agent of this package in one seat: it chooses by the view and the legal actions that have numbers.

    seed: of its own random stream; the same seed, view and actions give the same choices.
    """

    def __init__(self, agent: Agent[KingAction, KingView], seed: int = 0) -> None:
        self.agent = agent
        self._source = RandomStream(seed_from_text(f"player {seed}"))

    def act(self, environment: king_v0.raw_env, name: str) -> int:
        """The number of its action; name: which agent of the environment it is, selected now."""
        legal = environment.legal(name)
        chosen = self.agent.choose(environment.view(name), list(legal.values()), self._source)
        return next(number for number, action in legal.items() if action == chosen)


def play(environment: king_v0.raw_env, players: Sequence[Player], seed: int) -> list[float]:
    """One game from a reset with this seed: each player's reward, 0 where it was truncated."""
    environment.reset(seed=seed)
    rewards = [0.0] * len(players)
    for name in environment.agent_iter():
        seat = environment.possible_agents.index(name)
        _, reward, terminated, truncated, _ = environment.last(observe=False)
        rewards[seat] += float(reward)
        environment.step(None if terminated or truncated else players[seat].act(environment, name))
    return rewards
