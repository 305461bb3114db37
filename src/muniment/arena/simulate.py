"""Many games between agents, on one core or several; the numbers do not depend on how many.

The seed of game *i* is that of the text ``"<seed>/<i>"`` (see ``dice.seed_from_text``), so ``muniment play siege
--seed 7/12`` meets the dice and cards of game 12 of a simulation with the seed 7. Only totals are kept; the rows of
single games are written to a CSV stream as they come, in order.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from muniment.agents.catalog import make_agent
from muniment.arena.observer import Observer
from muniment.arena.statistics import Row, Totals, totals_for
from muniment.arena.workers import Work, work_through
from muniment.core.agent import Agent
from muniment.core.dice import seed_from_text
from muniment.core.errors import MunimentError
from muniment.core.game import Game, Over
from muniment.core.playout import play_out
from muniment.games.catalog import make_game

__all__ = ["Report", "Setup", "game_seed", "simulate"]

_GAMES_AT_ONCE = 50


@dataclass(frozen=True)
class Setup:
    """What is played: plain values, so that other processes can set up the same.

    game: its name. agents: the name of one for each seat. edition: a card file, None for what is printed.
    options: texts or values, others at their defaults.
    """

    game: str
    agents: tuple[str, ...]
    edition: Path | None = None
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Report:
    """What a simulation found. totals: of the game's own kind, as ``SiegeTotals`` and ``KingTotals``."""

    setup: Setup
    seed: str
    edition: str
    edition_digest: str
    options: Mapping[str, object]
    totals: Totals

    def to_json(self) -> dict[str, Any]:
        """What was played, then the totals."""
        return {
            "game": self.setup.game,
            "edition": self.edition,
            "edition_digest": self.edition_digest,
            "options": dict(self.options),
            "agents": list(self.setup.agents),
            "seed": self.seed,
            **self.totals.to_json(),
        }


def game_seed(seed: str, number: int) -> str:
    """The text from which the dice of one game come; games are numbered from 1."""
    return f"{seed}/{number}"


def simulate(
    setup: Setup,
    games: int,
    seed: str,
    *,
    jobs: int = 1,
    progress: Callable[[int], None] | None = None,
    csv_stream: TextIO | None = None,
) -> Report:
    """Play the games and count.

    games: at least 1. jobs: processes, at least 1. progress: told again and again how many games are done.
    csv_stream: gets a header and a line for each game, in order; open it with ``newline=""``.

    May be interrupted (KeyboardInterrupt): no process is left behind. Raises MunimentError for a setup that cannot be
    played, before any game.
    """
    if games < 1 or jobs < 1:
        raise MunimentError("games and jobs must be at least 1")
    table = _Table(setup, seed)
    writer = None if csv_stream is None else csv.writer(csv_stream, lineterminator="\n")
    if writer is not None:
        writer.writerow(("game", "seed", *table.totals.columns))
    total = table.totals
    ranges = (range(first, min(first + _GAMES_AT_ONCE, games + 1)) for first in range(1, games + 1, _GAMES_AT_ONCE))
    with closing(work_through(_Task(setup, seed), ranges, jobs=jobs)) as played:  # at once, whatever happens
        for rows in played:
            for row in rows:
                total.count(row[2:])
            if writer is not None:
                writer.writerows(rows)
            if progress is not None:
                progress(total.games)
    return Report(setup, seed, table.game.edition_name, table.game.edition_digest, table.game.option_values, total)


@dataclass(frozen=True)
class _Task:
    """The games of a simulation, for whoever plays them."""

    setup: Setup
    seed: str

    def prepare(self) -> Work[Row]:
        """Set up the game and its agents."""
        return _Table(self.setup, self.seed).play


class _Table:
    """A game and its agents, set up in one process."""

    def __init__(self, setup: Setup, seed: str) -> None:
        self.seed = seed
        self.game: Game[Any, Any, Any, Any] = make_game(setup.game, setup.edition, setup.options)
        self.agents: list[Agent[Any, Any]] = [make_agent(self.game, name) for name in setup.agents]
        self.totals = totals_for(self.game)
        self.game.initial(len(self.agents))  # refuses a number of seats the game does not have

    def play(self, numbers: range, stop: Callable[[], bool]) -> list[Row]:
        """The rows of these games, or of the first of them if told to stop."""
        rows: list[Row] = []
        for number in numbers:
            if stop():
                break
            text = game_seed(self.seed, number)
            observer = self.totals.observer()
            watch = None if type(observer) is Observer else observer.watch
            end, decisions = play_out(self.game, self.agents, seed_from_text(text), watch=watch)
            over = self.game.pending(end)
            assert isinstance(over, Over)
            observer.watch(end)
            rows.append((number, text, *self.totals.row(self.game.view(end), over, decisions, observer)))
        return rows
