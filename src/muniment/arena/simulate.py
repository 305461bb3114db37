"""Many games between agents, on one core or several; the numbers do not depend on how many.

The seed of game *i* is that of the text ``"<seed>/<i>"`` (see ``dice.seed_from_text``), so ``muniment play siege
--seed 7/12`` meets the dice and cards of game 12 of a simulation with the seed 7. Only totals are kept; the rows of
single games are written to a CSV stream as they come, in order.
"""

from __future__ import annotations

import csv
import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from multiprocessing.synchronize import Event as Flag
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from typing import Any, TextIO

from muniment.agents.catalog import make_agent
from muniment.arena.observer import Observer
from muniment.arena.statistics import Row, Totals, totals_for
from muniment.core.agent import Agent
from muniment.core.dice import seed_from_text
from muniment.core.errors import MunimentError
from muniment.core.game import Game, Over
from muniment.core.playout import play_out
from muniment.games.catalog import make_game

__all__ = ["Report", "Setup", "game_seed", "simulate"]

_GAMES_AT_ONCE = 50
_AHEAD = 4  # chunks handed out per process, so that none waits


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
    table = _Table(setup)
    writer = None if csv_stream is None else csv.writer(csv_stream, lineterminator="\n")
    if writer is not None:
        writer.writerow(("game", "seed", *table.totals.columns))
    total = table.totals
    chunks = (range(first, min(first + _GAMES_AT_ONCE, games + 1)) for first in range(1, games + 1, _GAMES_AT_ONCE))
    played = (table.play(seed, chunk) for chunk in chunks) if jobs == 1 else _in_processes(setup, seed, chunks, jobs)
    with closing(played):  # at once, whatever happens, and not when the generator is collected
        for rows in played:
            for row in rows:
                total.count(row[2:])
            if writer is not None:
                writer.writerows(rows)
            if progress is not None:
                progress(total.games)
    return Report(setup, seed, table.game.edition_name, table.game.edition_digest, table.game.option_values, total)


class _Table:
    """A game and its agents, set up in one process."""

    def __init__(self, setup: Setup) -> None:
        self.game: Game[Any, Any, Any, Any] = make_game(setup.game, setup.edition, setup.options)
        self.agents: list[Agent[Any, Any]] = [make_agent(self.game, name) for name in setup.agents]
        self.totals = totals_for(self.game)
        self.game.initial(len(self.agents))  # refuses a number of seats the game does not have

    def play(self, seed: str, numbers: range, stop: Callable[[], bool] = lambda: False) -> list[Row]:
        """The rows of these games, or of the first of them if told to stop."""
        rows: list[Row] = []
        for number in numbers:
            if stop():
                break
            text = game_seed(seed, number)
            observer = self.totals.observer()
            watch = None if type(observer) is Observer else observer.watch
            end, decisions = play_out(self.game, self.agents, seed_from_text(text), watch=watch)
            over = self.game.pending(end)
            assert isinstance(over, Over)
            observer.watch(end)
            rows.append((number, text, *self.totals.row(self.game.view(end), over, decisions, observer)))
        return rows


def _in_processes(setup: Setup, seed: str, chunks: Iterator[range], jobs: int) -> Generator[list[Row], None, None]:
    """The chunks' rows in order, played in processes that never get far ahead of whoever takes the rows."""
    context = multiprocessing.get_context("spawn")  # the same on every system, and safe beside threads
    stop = context.Event()
    with ProcessPoolExecutor(jobs, context, _set_up, (setup, stop)) as pool:
        handed_out: deque[Future[list[Row]]] = deque()
        try:
            for chunk in chunks:
                handed_out.append(pool.submit(_play, seed, chunk))
                if len(handed_out) >= jobs * _AHEAD:
                    yield handed_out.popleft().result()
            while handed_out:
                yield handed_out.popleft().result()
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)


_table: _Table
_stop: Flag


def _set_up(setup: Setup, stop: Flag) -> None:
    """Prepare a process of the pool."""
    global _table, _stop  # the one way in which a pool's process can keep anything
    signal(SIGINT, SIG_IGN)  # Ctrl-C reaches all processes; the first one tells the others to stop
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _table, _stop = _Table(setup), stop


def _end_with_parent() -> None:
    """End this process when the one that started it has gone, however that happened."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _play(seed: str, numbers: range) -> list[Row]:
    return _table.play(seed, numbers, _stop.is_set)
