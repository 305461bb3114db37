"""Games in batches of millions, played by the kernel: perfectly, or at random."""

from __future__ import annotations

import hashlib
import math
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from muniment.games.siege.endings import ENDINGS, WON
from muniment.games.siege.terms import DAYS, START
from muniment.solve import kernel
from muniment.solve.ruleset import Ruleset
from muniment.solve.space import CASTLE_PLACE, TREBUCHETS, IntTable, row_of
from muniment.solve.table import Table
from muniment.solve.tables import MoveTable
from muniment.solve.turn import Turn

__all__ = ["BatchReport", "play_batch"]

# The kernel's numbers of endings are their places in this list, from 1 on.
_ENDINGS: Final = tuple(ENDINGS)


@dataclass(frozen=True)
class BatchReport:
    """What a batch of games came to. endings: how often each ending came on each day.

    draws: with perfect play, for each day and card how often it was drawn, and the mean change of the winning chance.
    """

    games: int
    endings: dict[tuple[int, str], int]
    draws: dict[tuple[int, int], tuple[int, float]]

    @property
    def wins(self) -> int:
        """How many were won."""
        return sum(count for (_, ending), count in self.endings.items() if ending == WON)

    @property
    def rate(self) -> float:
        """The share that was won."""
        return self.wins / self.games

    @property
    def standard_error(self) -> float:
        """That of the rate."""
        return math.sqrt(self.rate * (1 - self.rate) / self.games)

    def to_json(self) -> dict[str, Any]:
        """All of it as a JSON object."""
        endings = [
            {"day": day, "ending": ending, "rule": ENDINGS[ending].rule, "games": count}
            for (day, ending), count in sorted(self.endings.items())
        ]
        rates = {"win_rate": self.rate, "standard_error": self.standard_error}
        return {"games": self.games, "wins": self.wins, **rates, "endings": endings}


@dataclass(frozen=True)
class _Group:
    """The games that meet the same actions: the deck after their draw, and cards that share their dice."""

    deck: int
    moves: MoveTable
    cards: list[tuple[int, IntTable]]


class _Batch:
    def __init__(self, rules: Ruleset, table: Table | None, games: int, seed: str) -> None:
        self.rules, self.table = rules, table
        edition = rules.edition
        self.games = np.zeros((games, 6), np.int64)
        self.games[:, kernel.GAME_BLOCK] = rules.space.encode((START, START, START))
        self.games[:, kernel.GAME_ROW] = row_of(edition.start_status)
        self.games[:, kernel.GAME_CELL] = CASTLE_PLACE * TREBUCHETS + edition.start_trebuchets
        key = int.from_bytes(hashlib.sha256(f"muniment batch: {seed}".encode()).digest()[:16], "big")
        self.states = np.random.Generator(np.random.PCG64(key)).integers(0, 2**64, games, np.uint64)
        self.drawn = np.zeros(games)
        self.draws: dict[tuple[int, int], list[tuple[int, float]]] = {}
        self._local = threading.local()

    def run(self, jobs: int, progress: Callable[[float], None] | None) -> None:
        """Play them all."""
        cards = np.zeros(len(self.games), np.int64)
        turns = DAYS * self.rules.cards
        with ThreadPoolExecutor(jobs) as pool:
            for turn in range(turns):
                day = turn // self.rules.cards + 1
                if turn % self.rules.cards == 0:
                    self.games[:, kernel.GAME_DECK] = self.rules.full_deck
                kernel.draw(self.games, self.states, cards)
                list(pool.map(lambda group, day=day: self._play(day, group), self._groups(day, cards)))
                if progress is not None:
                    progress((turn + 1) / turns)

    def _groups(self, day: int, cards: IntTable) -> Iterator[_Group]:
        running = np.flatnonzero(self.games[:, kernel.GAME_ENDING] == kernel.RUNNING)
        keys = self.games[running, kernel.GAME_DECK] * self.rules.cards + cards[running]
        order = running[np.argsort(keys, kind="stable")]
        keys = np.sort(keys)
        found, first = np.unique(keys, return_index=True)
        chosen = dict(zip(found.tolist(), np.split(order, first[1:]), strict=True)) if found.size else {}
        for deck in sorted({key // self.rules.cards for key in chosen}):
            for moves, alike in self.rules.profiles(day, deck):
                present = [(card, chosen[key]) for card in alike if (key := deck * self.rules.cards + card) in chosen]
                if present:
                    yield _Group(deck, moves, present)

    def _turn(self) -> Turn:
        turn: Turn | None = getattr(self._local, "turn", None)
        if turn is None:
            turn = self._local.turn = Turn(self.rules, Turn.layers_needed(self.rules))
        return turn

    def _play(self, day: int, group: _Group) -> None:
        rules = self.rules
        night = group.deck == 0
        final = night and day == DAYS
        work: NDArray[np.float64] = np.zeros(1)
        numbers = np.zeros((2, 1, 2), np.int64)
        if self.table is not None:
            turn = self._turn()
            turn.load(day, group.deck, self.table.after(day, group.deck))
            points = max(rules.card(day, card).points for card, _ in group.cards)
            turn.fill(group.moves, points, rules.blocks(day, group.deck))
            work, numbers = turn.work, turn.layers.array()
        for card, chosen in group.cards:
            before = self._before(day, group.deck | 1 << card, chosen)
            drawn = rules.card(day, card)
            kernel.play_turn(
                work, rules.space.size, numbers, drawn.points, group.moves.moves, group.moves.first,
                group.moves.must_fight, rules.space.near, rules.effects, rules.condition_holds,
                np.array(rules.space.held), drawn.block, drawn.entry, drawn.event,
                rules.day_end if night else rules.turn_end, day, final, chosen, self.games, self.states,
                self.table is not None, self.drawn,
            )  # fmt: skip
            if self.table is not None:
                change = float((self.drawn[chosen] - before).sum())
                self.draws.setdefault((day, card), []).append((chosen.size, change))

    def _before(self, day: int, deck: int, chosen: IntTable) -> NDArray[np.float64]:
        """The winning chances before the draw."""
        if self.table is None:
            return np.zeros(0)
        games = self.games[chosen]
        slots = self.rules.starts(day, deck).slots[games[:, kernel.GAME_BLOCK]]
        offsets = self.rules.layout(deck).offsets[games[:, kernel.GAME_ROW]]
        values: NDArray[np.float64] = self.table.draws(day, deck)[slots, offsets + games[:, kernel.GAME_CELL]]
        return values


def play_batch(
    rules: Ruleset,
    table: Table | None,
    games: int,
    *,
    seed: str = "1",
    jobs: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> BatchReport:
    """Play so many games: perfectly with a table, without one any legal action, each as likely.

    The same seed gives the same games whatever the jobs (threads; one for each core if None).
    """
    batch = _Batch(rules, table, games, seed)
    batch.run(jobs or os.cpu_count() or 1, progress)
    endings, counts = np.unique(batch.games[:, [kernel.GAME_DAY, kernel.GAME_ENDING]], axis=0, return_counts=True)
    return BatchReport(
        games,
        {(int(day), _ENDINGS[ending - 1]): int(n) for (day, ending), n in zip(endings, counts, strict=True)},
        {key: _mean(sorted(parts)) for key, parts in sorted(batch.draws.items())},
    )


def _mean(parts: list[tuple[int, float]]) -> tuple[int, float]:
    count = sum(n for n, _ in parts)
    return count, math.fsum(change for _, change in parts) / count
