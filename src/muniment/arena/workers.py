"""The same work in this process, in processes of this machine, or on a cluster: the same results in the same order.

Work is a sequence of ranges of game numbers. Whoever does it prepares once and then gives a list of results for each
range; what a range gives must depend on nothing but the task and the range. The work of a process that is lost, killed
or out of memory for instance, is done again.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext
from multiprocessing.synchronize import Event as Flag
from signal import SIG_IGN, SIGINT, signal
from typing import Any, Generic, Protocol, TypeVar

from muniment.core.errors import MunimentError

if sys.platform != "win32":
    from signal import SIG_BLOCK, SIG_SETMASK, SIG_UNBLOCK, pthread_sigmask

__all__ = ["AHEAD", "LOSSES", "Task", "Work", "work_through", "worker_lost"]

AHEAD = 4
"""Ranges handed out for each process, so that none waits."""
LOSSES = 3
"""So many processes may be lost in a row over the same work; then it is the work's fault."""

T = TypeVar("T")

Work = Callable[[range, Callable[[], bool]], list[T]]
"""Gives the results of a range; asks the second argument now and then whether to stop, and then gives what there is."""


class Task(Protocol[T]):
    """What is to be done, as plain values that other processes can be sent."""

    def prepare(self) -> Work[T]:
        """Get ready, once in every process. Raises MunimentError if that is not possible."""
        ...


def work_through(
    task: Task[T], ranges: Iterator[range], *, jobs: int = 1, cluster: str | None = None
) -> Generator[list[T], None, None]:
    """The results of the ranges, in their order; close the generator to stop at once and leave no process behind.

    jobs: processes, at least 1. cluster: the address of a Ray cluster that does it instead, "local" to start one of
    ``jobs`` workers on this machine. Ranges are asked for only a little ahead of the results that are taken.

    Raises MunimentError for a task that cannot be prepared, an extra that is missing, a cluster that cannot be
    reached, or work that kills ``LOSSES`` processes in a row.
    """
    if cluster is not None:
        from muniment.arena.cluster import on_cluster

        return on_cluster(task, ranges, cluster, jobs)
    return _here(task, ranges) if jobs == 1 else _in_processes(task, ranges, jobs)


def worker_lost(numbers: range) -> MunimentError:
    """What is said when work was given up."""
    which = f"game {numbers[0]}" if len(numbers) == 1 else f"games {numbers[0]} to {numbers[-1]}"
    return MunimentError(f"a process was lost {LOSSES} times in a row at {which}: is it short of memory?")


def _here(task: Task[T], ranges: Iterator[range]) -> Generator[list[T], None, None]:
    work = task.prepare()
    for numbers in ranges:
        yield work(numbers, lambda: False)


@dataclass
class _Portion(Generic[T]):
    """A range that is to be worked through, and by now perhaps handed to a process."""

    numbers: range
    future: Future[list[T]] | None = None


def _in_processes(task: Task[T], ranges: Iterator[range], jobs: int) -> Generator[list[T], None, None]:
    """The results in order, from processes that never get far ahead of whoever takes them."""
    context = multiprocessing.get_context("spawn")  # the same on every system, and safe beside threads
    stop = context.Event()
    pool = _pool(context, jobs, task, stop)
    portions: deque[_Portion[T]] = deque()
    lost = 0
    try:
        while True:
            portions.extend(map(_Portion, islice(ranges, jobs * AHEAD - len(portions))))
            if not portions:
                return
            try:
                with _uninterrupted():  # processes are started by this
                    for portion in portions:
                        if portion.future is None:
                            portion.future = pool.submit(_work, portion.numbers)
                first = portions[0].future
                assert first is not None
                results = first.result()
            except BrokenProcessPool:
                lost += 1
                if lost == LOSSES:
                    raise worker_lost(portions[0].numbers) from None
                pool.shutdown()
                pool = _pool(context, jobs, task, stop)
                for portion in portions:
                    if portion.future is not None and not _succeeded(portion.future):
                        portion.future = None
                continue
            lost = 0
            portions.popleft()
            yield results
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait in this thread, and in the processes that it starts until ``_set_up``, which ignores it.

    Windows has no way to do this, and a process may complain there if it is interrupted while it starts.
    """
    if sys.platform == "win32":
        yield
        return
    before = pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        yield
    finally:
        pthread_sigmask(SIG_SETMASK, before)


def _pool(context: SpawnContext, jobs: int, task: Task[Any], stop: Flag) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, context, _set_up, (task, stop))


def _succeeded(future: Future[Any]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


_task: Task[Any]
_stop: Flag


def _set_up(task: Task[Any], stop: Flag) -> None:
    """Prepare a process of the pool."""
    global _task, _stop  # the one way in which a pool's process can keep anything
    signal(SIGINT, SIG_IGN)  # Ctrl-C reaches all processes; the first one tells the others to stop
    if sys.platform != "win32":
        pthread_sigmask(SIG_UNBLOCK, {SIGINT})  # for what an agent may start
    threading.Thread(target=_end_with_parent, daemon=True).start()
    sys.stdout = sys.stderr  # what an agent prints is no part of a report
    _task, _stop = task, stop


def _end_with_parent() -> None:
    """End this process when the one that started it has gone, however that happened."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


def _work(numbers: range) -> list[Any]:
    """Done in a process of the pool, which gets ready at its first work: a failure is told where work is told."""
    return _prepared()(numbers, _stop.is_set)


@cache
def _prepared() -> Work[Any]:
    return _task.prepare()
