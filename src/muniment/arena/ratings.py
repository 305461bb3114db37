"""Ratings of a tournament's agents: OpenSkill's Plackett-Luce model, game after game in the order of their numbers.

A rating is a mean ``mu`` with an uncertainty ``sigma``; everybody begins at 25 with 25/3, and nobody gets better or
worse meanwhile (``tau`` is 0). Where an agent has several seats at a table, each is rated as a player of its own from
the rating before the game: their changes of ``mu`` add up and their shares of ``sigma`` multiply.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import prod

from muniment.core.errors import MunimentError

__all__ = ["START", "Rating", "need_ratings", "rate"]

START = 25.0
"""The mean with which everybody begins."""


@dataclass(frozen=True, slots=True)
class Rating:
    """mu: how strong; sigma: its standard deviation, in the same unit."""

    mu: float
    sigma: float

    def to_json(self) -> dict[str, float]:
        """The keys mu and sigma."""
        return {"mu": self.mu, "sigma": self.sigma}


def need_ratings() -> None:
    """Raise MunimentError if OpenSkill is not installed."""
    if find_spec("openskill") is None:
        raise MunimentError("ratings need more packages: pip install 'muniment[arena]'")


def rate(agents: int, games: Iterable[tuple[Sequence[int], Sequence[float]]]) -> list[Rating]:
    """The ratings of agents 0 to ``agents`` - 1 after these games.

    games: for each the agents by seat, and the results by seat: more is better, equal is a draw.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(mu=START, tau=0.0)
    ratings = [Rating(START, model.sigma)] * agents
    for seats, returns in games:
        before = [ratings[agent] for agent in seats]
        teams = [[model.rating(mu=rating.mu, sigma=rating.sigma)] for rating in before]
        after = [team[0] for team in model.rate(teams, scores=list(returns))]
        for agent in set(seats):
            old = ratings[agent]
            mine = [rated for seat, rated in zip(seats, after, strict=True) if seat == agent]
            ratings[agent] = Rating(
                old.mu + sum(rated.mu - old.mu for rated in mine),
                old.sigma * prod(rated.sigma / old.sigma for rated in mine),
            )
    return ratings
