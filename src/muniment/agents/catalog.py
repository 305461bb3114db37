"""The agents by game and name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from muniment.agents.captain import Captain
from muniment.agents.oracle import Oracle
from muniment.agents.uniform import Uniform
from muniment.core.agent import Agent
from muniment.core.errors import MunimentError
from muniment.core.game import Game
from muniment.games.siege import Siege

__all__ = ["agent_names", "make_agent"]


def _makers(game: Game[Any, Any, Any, Any]) -> Mapping[str, Callable[[], Agent[Any, Any]]]:
    makers: dict[str, Callable[[], Agent[Any, Any]]] = {Uniform.name: Uniform}
    if isinstance(game, Siege):
        makers[Captain.name] = lambda: Captain(game)
    elif game.facts.name == "king":
        from muniment.agents.careless import Careless
        from muniment.agents.steward import Steward
        from muniment.games.king import King

        assert isinstance(game, King)
        makers[Steward.name] = lambda: Steward(game)
        makers[Careless.name] = lambda: Careless(game)
    return makers


def agent_names(game: Game[Any, Any, Any, Any]) -> tuple[str, ...]:
    """The names of the agents that can play the game on any machine; the oracle needs it solved first."""
    return tuple(_makers(game))


def make_agent(game: Game[Any, Any, Any, Any], name: str) -> Agent[Any, Any]:
    """A new agent for one seat of the game. Raises MunimentError if it has none of this name."""
    makers = _makers(game)
    if isinstance(game, Siege):
        makers = {**makers, Oracle.name: lambda: Oracle(game)}
    if name not in makers:
        raise MunimentError(f"there is no agent {name!r} for {game.facts.title}; there are: {', '.join(makers)}")
    return makers[name]()
