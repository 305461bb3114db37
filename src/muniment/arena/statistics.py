"""What many games show: one row for each game, and totals that need no more room for a million games than for one.

A game has its own kind of ``Totals``; ``totals_for`` knows which.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from typing import Any, ClassVar

from muniment.arena.observer import Observer
from muniment.core.errors import MunimentError
from muniment.core.game import Game, Over, View
from muniment.games.siege import Siege
from muniment.games.siege.endings import ENDINGS, WON
from muniment.games.siege.terms import STATUS_NAMES, STATUSES
from muniment.games.siege.view import SiegeView

__all__ = ["Interval", "Row", "SiegeTotals", "Totals", "totals_for", "wilson"]

Row = tuple[int | str, ...]

_Z_95 = 1.959963984540054  # the 97.5th percentile of the normal distribution


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimated probability with the bounds of its 95% confidence interval."""

    estimate: float
    low: float
    high: float

    def to_json(self) -> dict[str, float]:
        """The keys estimate, low, high."""
        return {"estimate": self.estimate, "low": self.low, "high": self.high}

    def __str__(self) -> str:
        return f"{self.estimate:.2%} ({self.low:.2%} to {self.high:.2%})"


def wilson(successes: int, trials: int) -> Interval:
    """Wilson's 95% score interval, which stays within 0 and 1 and is honest near them.

    Raises ValueError unless 0 <= successes <= trials and there is at least one trial.
    """
    if not 0 <= successes <= trials or trials == 0:
        raise ValueError(f"{successes} successes in {trials} trials")
    share = successes / trials
    z2 = _Z_95**2
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    reach = _Z_95 / (1 + z2 / trials) * sqrt(share * (1 - share) / trials + z2 / (4 * trials**2))
    low = 0.0 if successes == 0 else middle - reach
    high = 1.0 if successes == trials else middle + reach
    return Interval(share, low, high)


class Totals(ABC):
    """The totals of one game's simulation. A subclass adds what is worth counting in its game.

    columns: the names of a row's values, after the game's number and seed that every simulation has.
    """

    columns: ClassVar[tuple[str, ...]]
    games: int

    def observer(self) -> Observer:
        """Who watches a game, if its ending alone does not tell enough."""
        return Observer()

    @abstractmethod
    def row(self, view: View, over: Over, decisions: int, observer: Observer) -> Row:
        """The row of a game that has ended.

        From a spectator's view, the ending, how many decisions it took, and the observer who watched it.
        """

    @abstractmethod
    def count(self, row: Row) -> None:
        """Add a game."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """Everything worth telling, as a JSON object."""


@dataclass
class SiegeTotals(Totals):
    """How games of 9 Card Siege go.

    endings: how many games ended with this code of ``endings``, on this day, in this turn.
    status: the sums of wall, morale and supplies at the end; status_won: the same over the games won.
    """

    columns: ClassVar[tuple[str, ...]] = ("result", "day", "turn", *STATUS_NAMES, "trebuchets", "decisions")

    games: int = 0
    endings: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    status: list[int] = field(default_factory=lambda: [0] * len(STATUSES))
    status_won: list[int] = field(default_factory=lambda: [0] * len(STATUSES))
    trebuchets: int = 0
    decisions: int = 0

    def row(self, view: View, over: Over, decisions: int, observer: Observer) -> Row:
        """Result, day, turn, the three statuses, trebuchets, decisions."""
        assert isinstance(view, SiegeView)
        return (over.reason, view.day, view.turn, *view.status, view.trebuchets, decisions)

    def count(self, row: Row) -> None:
        """Add a game."""
        result, day, turn, wall, morale, supplies, trebuchets, decisions = row
        self.games += 1
        self.endings[str(result), int(day), int(turn)] += 1
        for track, value in zip(STATUSES, (wall, morale, supplies), strict=True):
            self.status[track] += int(value)
            if result == WON:
                self.status_won[track] += int(value)
        self.trebuchets += int(trebuchets)
        self.decisions += int(decisions)

    @property
    def wins(self) -> int:
        """The games won."""
        return self.by_result()[WON]

    @property
    def win_rate(self) -> Interval:
        """The share of games won, with its 95% interval. Raises ValueError if there are no games."""
        return wilson(self.wins, self.games)

    def by_result(self) -> Counter[str]:
        """How many games ended in each way: ``won`` or a loss rule; every code of ``endings`` is there, in order."""
        found = Counter(dict.fromkeys(ENDINGS, 0))
        for (result, _, _), games in self.endings.items():
            found[result] += games
        return found

    def losses_by_turn(self) -> dict[tuple[int, int], int]:
        """How many games were lost on each day and turn, in order."""
        found: Counter[tuple[int, int]] = Counter()
        for (result, day, turn), games in self.endings.items():
            if result != WON:
                found[day, turn] += games
        return dict(sorted(found.items()))

    def mean_status(self, *, won: bool = False) -> dict[str, float]:
        """The mean wall, morale and supplies at the end, of all games or of those won; 0 if there are none."""
        games, sums = (self.wins, self.status_won) if won else (self.games, self.status)
        return {name: total / max(games, 1) for name, total in zip(STATUS_NAMES, sums, strict=True)}

    def to_json(self) -> dict[str, Any]:
        """Win rate, endings by result and by day and turn, mean status, trebuchets and decisions."""
        return {
            "games": self.games,
            "wins": self.wins,
            "win_rate": self.win_rate.to_json(),
            "endings": [
                {"result": result, "rule": ENDINGS[result].rule, "games": games}
                for result, games in self.by_result().items()
            ],
            "losses_by_turn": [
                {"day": day, "turn": turn, "games": games} for (day, turn), games in self.losses_by_turn().items()
            ],
            "endings_by_turn": [
                {"result": result, "day": day, "turn": turn, "games": games}
                for (result, day, turn), games in sorted(self.endings.items())
            ],
            "mean_status": self.mean_status(),
            "mean_status_won": self.mean_status(won=True),
            "mean_trebuchets": self.trebuchets / self.games,
            "mean_decisions": self.decisions / self.games,
        }


def totals_for(game: Game[Any, Any, Any, Any]) -> Totals:
    """Empty totals of the game's own kind. Raises MunimentError if nothing is counted for it yet."""
    if isinstance(game, Siege):
        return SiegeTotals()
    if game.facts.name == "king":
        from muniment.arena.king_statistics import KingTotals

        return KingTotals()
    raise MunimentError(f"there are no statistics for {game.facts.title}")
