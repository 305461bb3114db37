"""How a measurement is registered and timed.

A module in this package adds a measurement like this:

    @benchmark
    def copying() -> Iterator[Row]:
        board = new_board()
        yield Row("siege: copy a state", rate(lambda: copy_many(board, 10_000), 10_000), "copies/s")
"""

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One measured figure.

    `name` says what was measured, `unit` what `value` counts (`states/s`, `MB`), and `note` what a reader has
    to know to compare it.
    """

    name: str
    value: float
    unit: str
    note: str = ""


Benchmark = Callable[[], Iterable[Row]]
BENCHMARKS: list[Benchmark] = []


def benchmark(measure: Benchmark) -> Benchmark:
    """Register a function that measures and gives the rows one by one. Used as a decorator."""
    BENCHMARKS.append(measure)
    return measure


def rate(work: Callable[[], object], operations: int = 1, *, repeats: int = 7) -> float:
    """How many operations a second `work` does: the median of `repeats` runs, after one that isn't counted.

    One run should take a tenth of a second or more, so that the clock and interruptions matter little.

    Args:
        work: Does the same work at every call.
        operations: How many operations one call does.
        repeats: At least 1; odd, so that the median is a run that took place.
    """
    work()
    return statistics.median(operations / _seconds(work) for _ in range(repeats))


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
