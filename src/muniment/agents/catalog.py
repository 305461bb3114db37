"""The agents by game and name, or a level's. ``NAME:NUMBER`` is one with a budget of its own: ``marshal:300``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from muniment.agents.captain import Captain
from muniment.agents.levels import agent_of, levels
from muniment.agents.oracle import Oracle
from muniment.agents.sentry import Sentry
from muniment.agents.uniform import Uniform
from muniment.core.agent import Agent
from muniment.core.errors import MunimentError
from muniment.core.game import Game
from muniment.games.siege import Siege

__all__ = ["agent_names", "agent_sentence", "make_agent"]

AnyAgent = Agent[Any, Any]
Makers = Mapping[str, Callable[[], AnyAgent]]
Searchers = Mapping[str, Callable[[int], AnyAgent]]

_SENTENCES: Final[Mapping[str, str]] = {
    "random": "Takes any legal action, all equally likely.",
    "captain": "Weighs what each action does at once by rules of thumb.",
    "sentry": "Thinks the turn through and plays games on from there; takes a number, of games.",
    "oracle": "Plays perfectly, once the game is solved: see muniment solve.",
    "careless": "Grabs what it can at once, whatever it costs.",
    "steward": "Plays soundly by rules of thumb, with the exact odds of battles.",
    "marshal": "Searches: deals out what is hidden and plays each plan on; takes a number, of plays.",
}


def _makers(game: Game[Any, Any, Any, Any]) -> Makers:
    makers: dict[str, Callable[[], AnyAgent]] = {Uniform.name: Uniform}
    if isinstance(game, Siege):
        makers[Captain.name] = lambda: Captain(game)
        makers[Sentry.name] = lambda: Sentry(game)
    elif game.facts.name == "king":
        from muniment.agents.careless import Careless
        from muniment.agents.marshal import Marshal
        from muniment.agents.steward import Steward
        from muniment.games.king import King

        assert isinstance(game, King)
        makers[Steward.name] = lambda: Steward(game)
        makers[Careless.name] = lambda: Careless(game)
        makers[Marshal.name] = lambda: Marshal(game)
    return makers


def _searchers(game: Game[Any, Any, Any, Any]) -> Searchers:
    """The agents that search, given their budget: the number after the colon."""
    searchers: dict[str, Callable[[int], AnyAgent]] = {}
    if isinstance(game, Siege):
        searchers[Sentry.name] = lambda rollouts: Sentry(game, rollouts)
    elif game.facts.name == "king":
        from muniment.agents.marshal import Marshal
        from muniment.games.king import King

        assert isinstance(game, King)
        searchers[Marshal.name] = lambda iterations: Marshal(game, iterations)
    return searchers


def agent_names(game: Game[Any, Any, Any, Any]) -> tuple[str, ...]:
    """The names of the agents that can play the game on any machine; the oracle needs it solved first."""
    return tuple(_makers(game))


def agent_sentence(name: str) -> str:
    """How the agent plays, in a sentence. Raises KeyError for a name that is in no game."""
    return _SENTENCES[name]


def make_agent(game: Game[Any, Any, Any, Any], name: str) -> AnyAgent:
    """A new agent for one seat of the game.

    name: as in ``agent_names``, or that of a level (``agents.levels``); of one that searches also ``NAME:NUMBER``, with
    its budget for a decision.
    Raises MunimentError if it has none of this name, or the number is no budget.
    """
    makers = _makers(game)
    if isinstance(game, Siege):
        makers = {**makers, Oracle.name: lambda: Oracle(game)}
    given, colon, number = name.partition(":")
    plain = agent_of(game.facts.name, given)
    if plain not in makers:
        there = (*(level.key for level in levels(game.facts.name)), *makers)
        raise MunimentError(f"there is no agent {given!r} for {game.facts.title}; there are: {', '.join(there)}")
    if not colon:
        return makers[plain]()
    searchers = _searchers(game)
    if plain not in searchers:
        raise MunimentError(f"{name!r}: the agent {plain} takes no number; {_those(searchers)}")
    if not (number.isascii() and number.isdigit() and len(number) < 10 and int(number)):
        raise MunimentError(f"{name!r}: {number!r} is not a budget; it is a whole number from 1, as in {plain}:200")
    return searchers[plain](int(number))


def _those(searchers: Searchers) -> str:
    return f"those that do: {', '.join(searchers)}" if searchers else "no agent of this game does"
