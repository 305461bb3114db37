"""Processes of the pool: what reaches them, and when."""

import os
from collections.abc import Callable
from signal import SIG_IGN, SIGINT, getsignal, raise_signal

import pytest

from muniment.arena.workers import Work, _uninterrupted, work_through

if os.name == "posix":
    from signal import SIG_BLOCK, pthread_sigmask
else:
    pytest.skip("signals that wait", allow_module_level=True)


def waits() -> bool:
    """Whether an interrupt would wait."""
    return SIGINT in pthread_sigmask(SIG_BLOCK, ())


class Watching:
    """Tells whether an interrupt waits when a process gets this, at its start, and what it does later."""

    def __init__(self) -> None:
        self.began = False

    def __setstate__(self, _: object) -> None:
        self.began = waits()

    def prepare(self) -> Work[tuple[bool, bool, bool]]:
        def work(numbers: range, stop: Callable[[], bool]) -> list[tuple[bool, bool, bool]]:
            return [(self.began, waits(), getsignal(SIGINT) is SIG_IGN)] * len(numbers)

        return work


def test_a_process_cannot_be_interrupted_at_its_start_nor_later() -> None:
    """It waits at first, and then is ignored: no process has anything to say about it."""
    ranges = iter([range(1, 2), range(2, 3), range(3, 4)])
    assert list(work_through(Watching(), ranges, jobs=2)) == [[(True, False, True)]] * 3
    assert not waits()


def test_an_interrupt_that_waited_comes() -> None:
    steps = []

    def interrupted() -> None:
        with _uninterrupted():
            raise_signal(SIGINT)  # to this thread
            steps.append("went on")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert steps == ["went on"]
    assert not waits()
