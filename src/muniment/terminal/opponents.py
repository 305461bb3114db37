"""Whom one can play against, in words: the levels for people, and all agents of a game."""

from __future__ import annotations

from typing import Any

from muniment.agents.levels import levels
from muniment.core.game import Game

__all__ = ["agents_json", "agents_lines", "levels_lines", "opponents"]

AnyGame = Game[Any, Any, Any, Any]


def opponents(game: AnyGame) -> tuple[str, ...]:
    """All that a seat can be given to, as it is typed: the levels from easy to hard, then the other agents."""
    from muniment.agents.catalog import agent_names

    named = levels(game.facts.name)
    used = {level.agent for level in named}
    return (*(level.key for level in named), *(name for name in agent_names(game) if name not in used))


def levels_lines(game: str) -> list[str]:
    """A line for each level of the game: as it is typed, its rating, how it plays. Empty if it has none."""
    return [f"{level.key:<10} {level.rating:>4}  {level.sentence}" for level in levels(game)]


def agents_lines(game: AnyGame) -> list[str]:
    """All that can play the game: the levels for people, if it has any, then the agents by name."""
    from muniment.agents.catalog import agent_names, agent_sentence

    facts, named = game.facts, levels(game.facts.name)
    lines = [f"{facts.title}: levels for people, with their ratings"] if named else []
    lines += [f"  {line}" for line in levels_lines(facts.name)]
    for level in named:
        if (found := level.measured) is not None:
            games = f"{found.won} of {found.games} games of two"
            lines.append(f"  The {level.key} won {games} against the agent {found.against} ({found.day}).")
    lines += [""] if named else []
    lines.append(f"{facts.title}: agents")
    also = {level.agent: f" The {level.key}." for level in named}
    return lines + [f"  {name:<10} {agent_sentence(name)}{also.get(name, '')}" for name in agent_names(game)]


def agents_json(game: AnyGame) -> dict[str, Any]:
    """The same as JSON."""
    from muniment.agents.catalog import agent_names, agent_sentence

    return {
        "game": game.facts.name,
        "levels": [
            {"name": level.key, "agent": level.agent, "rating": level.rating, "sentence": level.sentence}
            for level in levels(game.facts.name)
        ],
        "agents": [{"name": name, "sentence": agent_sentence(name)} for name in agent_names(game)],
    }
