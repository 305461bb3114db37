"""Backward induction: from the last evening back to the first morning, deck by deck."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from muniment.games.siege.terms import DAYS, START
from muniment.solve import kernel
from muniment.solve.ruleset import Ruleset
from muniment.solve.space import CASTLE_PLACE, TREBUCHETS, row_of
from muniment.solve.tables import MoveTable
from muniment.solve.turn import Layers, Turn

__all__ = ["Progress", "Stage", "backward", "initial_value", "memory_needed"]

Values = NDArray[np.float64]
Progress = Callable[[float, float], None]


@dataclass(frozen=True)
class Stage:
    """The values of all draws from decks of one size on one day, unrounded.

    values: for each deck an array by block and place in the layout.
    """

    day: int
    size: int
    values: dict[int, Values]


@dataclass(frozen=True)
class _Task:
    """A turn after which ``deck`` is left, for the cards that share their dice."""

    deck: int
    moves: MoveTable
    cards: list[int]
    points: int
    cost: int


def _tasks(rules: Ruleset, day: int, size: int) -> list[_Task]:
    tasks = []
    for deck in rules.decks(size):
        for moves, cards in rules.profiles(day, deck):
            points = max(rules.card(day, card).points for card in cards)
            cost = Layers(points, moves.water).count * rules.blocks(day, deck).size
            tasks.append(_Task(deck, moves, cards, points, cost))
    return tasks


def memory_needed(rules: Ruleset, jobs: int) -> int:
    """Bytes: a working space for each job, and two sizes of decks at a time."""
    decks = [sum(1 for _ in rules.decks(size)) for size in range(rules.cards + 1)]
    together = max(a + b for a, b in pairwise(decks))
    blocks = rules.starts(DAYS, 0).blocks.size
    one = blocks * max(layout.length for layout in rules.layouts) * 8
    return jobs * Turn.layers_needed(rules) * rules.layer_size * 8 + (together + 2) * one + 250_000_000


class _Sweep:
    """The tasks of one stage, done by several threads, their results added in a fixed order.

    A fixed order because floating-point sums depend on it: the same table comes out whatever the threads.
    """

    def __init__(self, rules: Ruleset, day: int, before: Stage, turns: list[Turn], step: Callable[[int], None]) -> None:
        self.rules, self.day, self.before, self.turns, self.step = rules, day, before, turns, step
        size = before.size if before.day == day else 0
        self.tasks = _tasks(rules, day, size)
        self.after = Stage(day, size + 1, {deck: np.zeros(rules.shape(day, deck)) for deck in rules.decks(size + 1)})
        self._next = 0
        self._added = 0
        self._turnstile = threading.Condition()
        self._failure: BaseException | None = None

    def run(self) -> Stage:
        """Do them all. An interruption, or an error in a thread, stops all threads and is raised."""
        threads = [threading.Thread(target=self._work, args=(turn,), daemon=True) for turn in self.turns]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.2)
        except BaseException as error:
            self._stop(error)
            for thread in threads:
                thread.join()
            raise
        if self._failure is not None:
            raise self._failure
        return self.after

    def _stop(self, error: BaseException) -> None:
        with self._turnstile:
            self._failure = self._failure or error
            self._turnstile.notify_all()

    def _work(self, turn: Turn) -> None:
        try:
            while (number := self._take()) is not None:
                task = self.tasks[number]
                self._compute(turn, task)
                with self._turnstile:
                    while self._added != number and self._failure is None:
                        self._turnstile.wait()
                    if self._failure is not None:
                        return
                self._add(turn, task)
                with self._turnstile:
                    self._added += 1
                    self._turnstile.notify_all()
                self.step(task.cost)
        except BaseException as error:  # noqa: BLE001  # it is raised again by the thread that waits
            self._stop(error)

    def _take(self) -> int | None:
        with self._turnstile:
            if self._next == len(self.tasks) or self._failure is not None:
                return None
            self._next += 1
            return self._next - 1

    def _compute(self, turn: Turn, task: _Task) -> None:
        later = self.before.values[task.deck or self.rules.full_deck]
        turn.load(self.day, task.deck, later)
        turn.fill(task.moves, task.points, self.rules.blocks(self.day, task.deck))

    def _add(self, turn: Turn, task: _Task) -> None:
        rules = self.rules
        for card in task.cards:
            deck = task.deck | 1 << card
            drawn = rules.card(self.day, card)
            layout = rules.layout(deck)
            kernel.gather(
                turn.work, rules.space.size, turn.top(drawn.points), 1.0 / deck.bit_count(),
                drawn.block, drawn.entry, drawn.event, rules.effects,
                rules.starts(self.day, deck).blocks, layout.offsets, layout.cells, self.after.values[deck],
            )  # fmt: skip


def backward(
    rules: Ruleset, jobs: int, progress: Progress | None = None, resume: Stage | None = None
) -> Iterator[Stage]:
    """Every stage from the last day's decks of one card to the first day's full deck.

    A stage may be kept or thrown away; the next needs only the one before. progress: called with the share that is done
    and the seconds left. resume: go on after this stage.
    """
    turns = [Turn(rules, Turn.layers_needed(rules)) for _ in range(jobs)]
    evening = Stage(DAYS + 1, rules.cards, {rules.full_deck: rules.victory()})
    plan = [(day, size) for day in range(DAYS, 0, -1) for size in range(1, rules.cards + 1)]
    costs = {stage: sum(task.cost for task in _tasks(rules, stage[0], stage[1] - 1)) for stage in plan}
    done = 0
    if resume is not None:
        past = plan.index((resume.day, resume.size)) + 1
        done = sum(costs[stage] for stage in plan[:past])
        plan = plan[past:]
    first, total, began = done, sum(costs.values()), time.monotonic()
    lock = threading.Lock()

    def step(cost: int) -> None:
        nonlocal done
        with lock:
            done += cost
            if progress is not None:
                progress(done / total, (time.monotonic() - began) * (total - done) / (done - first))

    before = evening if resume is None else resume
    for day, _size in plan:
        before = _Sweep(rules, day, before, turns, step).run()
        yield before


def initial_value(rules: Ruleset, last: Stage) -> float:
    """The value of the set-up (3.0), from the last stage."""
    edition = rules.edition
    slot = rules.starts(1, rules.full_deck).slots[rules.space.encode((START, START, START))]
    offset = rules.layout(rules.full_deck).offsets[row_of(edition.start_status)]
    cell = CASTLE_PLACE * TREBUCHETS + edition.start_trebuchets
    return float(last.values[rules.full_deck][slot, offset + cell])
