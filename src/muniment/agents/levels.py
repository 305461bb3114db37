"""Levels for people: a few opponents in ascending strength, each with a name, a sentence and a rating.

A level is one of the agents of ``agents.catalog`` under a name that says something at a table. The agent's own name
goes wherever the level's does.

Ratings are Elo-like, of games of two: 400 points more are odds of 10 to 1, and the agent ``steward`` has 1000 by
definition. They are computed from the games noted here, so a new measurement is one edit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

__all__ = ["ANCHOR", "ANCHOR_RATING", "Level", "Measured", "agent_of", "level_of", "levels"]

ANCHOR: Final = "steward"
"""The agent that ratings start from."""
ANCHOR_RATING: Final = 1000


@dataclass(frozen=True, slots=True)
class Measured:
    """How an agent did in two-player games against another whose rating is known, each in either seat equally often.

    won: games won outright, more than 0 and fewer than ``games``. day: when, as in 2026-12-01.
    """

    against: str
    games: int
    won: int
    day: str

    @property
    def share(self) -> float:
        """The share of games won, between 0 and 1."""
        return self.won / self.games

    @property
    def ahead(self) -> float:
        """How many points of rating it is ahead of the other agent; negative: behind."""
        return 400 * math.log10(self.won / (self.games - self.won))


@dataclass(frozen=True, slots=True)
class Level:
    """An opponent for people.

    name: a word, written with a capital. sentence: how it plays. agent: as ``make_agent`` takes it. measured: what its
    rating comes from; None for the agent by which the others are measured.
    """

    name: str
    sentence: str
    agent: str
    measured: Measured | None = None

    @property
    def key(self) -> str:
        """The name as it is typed."""
        return self.name.casefold()

    @property
    def rating(self) -> int:
        """Its strength in two-player games; see the module's text."""
        return ANCHOR_RATING + (0 if self.measured is None else round(self.measured.ahead))


_LEVELS: Final[dict[str, tuple[Level, ...]]] = {
    "king": (
        Level(
            "Squire", "Grabs what it can, and attacks whoever is ahead.",
            "careless", Measured("steward", 400, 23, "2026-12-01"),
        ),
        Level("Castellan", "Counts its gold, holds its forts, fights at good odds.", ANCHOR),
        Level(
            "Regent", "Weighs every plan by playing it out many times.",
            "marshal", Measured("steward", 232, 160, "2026-12-01"),
        ),
    )
}  # fmt: skip


def levels(game: str) -> tuple[Level, ...]:
    """The levels of a game by its name, the easiest first; none where nobody plays against anybody."""
    return _LEVELS.get(game, ())


def level_of(game: str, agent: str) -> Level | None:
    """The level that this agent is, None if it is none."""
    return next((level for level in levels(game) if level.agent == agent), None)


def agent_of(game: str, name: str) -> str:
    """The agent that a level's name means, in small letters or with a capital; any other name as it is."""
    return next((level.agent for level in levels(game) if name in (level.key, level.name)), name)
