"""Bots think in processes of their own, outside the event loop, bounded in time and memory.

A bot is given its view, its legal actions and its own random stream: nothing else ever reaches its process. One that
takes too long, or too much memory, loses its process, and the game's usual bot is asked in its place; if that fails as
well, a uniformly random action is taken.

A table has one question at a time. Questions wait in the order in which they were asked, so tables take turns; those of
tables at which a person plays go before those of tables where nobody waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import itertools
import os
import pickle
import resource
import signal
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import structlog

from muniment.core.agent import Agent
from muniment.core.dice import RandomStream
from muniment.tables.metrics import Metrics

__all__ = ["BotPool", "Question"]

_SPAWN = get_context("spawn")
_START_SECONDS = 60.0
_log = structlog.get_logger("muniment.bots")


@dataclass(frozen=True)
class Question:
    """What a bot is asked.

    source: its own stream, from which the dice's seed cannot be found. instead: the bot that is asked if it fails.
    """

    game: str
    edition: Path | None
    options: tuple[tuple[str, Any], ...]
    bot: str
    view: Any = field(repr=False)
    legal: Sequence[Any] = field(repr=False)
    source: RandomStream = field(repr=False)
    instead: str = ""


class _Worker:
    """One process, which answers one question at a time."""

    def __init__(self, megabytes: int) -> None:
        self.pipe, theirs = _SPAWN.Pipe()
        self.process: BaseProcess = _SPAWN.Process(target=_work, args=(theirs, megabytes), daemon=True)
        self.process.start()
        theirs.close()
        self.ready = False

    def answer(self, question: bytes, seconds: float) -> int | None:
        """The index of the chosen action; None if it failed. Raises TimeoutError, EOFError, OSError."""
        if not self.ready:
            if not self.pipe.poll(_START_SECONDS):
                raise TimeoutError
            self.pipe.recv_bytes()
            self.ready = True
        self.pipe.send_bytes(question)
        if not self.pipe.poll(seconds):
            raise TimeoutError
        text = self.pipe.recv_bytes()
        return int(text) if text else None

    def kill(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.join(5)
        self.pipe.close()


class BotPool:
    """So many processes; questions wait for a free one, see the module's text."""

    def __init__(self, processes: int, seconds: float, megabytes: int, metrics: Metrics) -> None:
        self._seconds = seconds
        self._megabytes = megabytes
        self._metrics = metrics
        self._free: list[_Worker | None] = [None] * processes
        self._idle = max(processes, 1)
        self._numbers = itertools.count()
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._threads = ThreadPoolExecutor(max(processes, 1), "muniment-bots")
        self._closed = False
        self._busy: set[_Worker] = set()

    async def start(self) -> None:
        """Start the processes, without waiting for them."""
        await asyncio.get_running_loop().run_in_executor(self._threads, self._warm)

    def _warm(self) -> None:
        self._free = [_Worker(self._megabytes) if worker is None else worker for worker in self._free]

    async def choose(self, question: Question, *, urgent: bool = True) -> int:
        """The index of the action that is chosen among the legal ones. urgent: a person waits for it."""
        if len(question.legal) == 1:
            return 0
        index = await self._thought(question, urgent)
        if index is None and question.instead and not self._closed:
            index = await self._thought(replace(question, bot=question.instead), urgent)
        if index is None:
            index = RandomStream.labelled(pickle.dumps(question.source), "fallback").below(len(question.legal))
        return index

    async def _thought(self, question: Question, urgent: bool) -> int | None:
        """What a process makes of the question; None if it fails."""
        data = pickle.dumps(question)
        async with self._turn(urgent):
            started = time.perf_counter()
            index, reason = await asyncio.get_running_loop().run_in_executor(self._threads, self._ask, data)
        self._metrics.bot_seconds.labels(question.bot).observe(time.perf_counter() - started)
        if reason:
            self._metrics.bot_failures.labels(reason).inc()
            _log.warning("bot_failed", bot=question.bot, game=question.game, reason=reason)
        return index if index is not None and 0 <= index < len(question.legal) else None

    @contextlib.asynccontextmanager
    async def _turn(self, urgent: bool) -> AsyncIterator[None]:
        """While a process is this question's."""
        if self._idle:
            self._idle -= 1
        else:
            called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (not urgent, next(self._numbers), called))
            try:
                await called
            except asyncio.CancelledError:
                if not called.cancelled():
                    self._call_next()
                raise
        try:
            yield
        finally:
            self._call_next()

    def _call_next(self) -> None:
        while self._waiting:
            _, _, called = heapq.heappop(self._waiting)
            if not called.done():
                called.set_result(None)
                return
        self._idle += 1

    def _ask(self, question: bytes) -> tuple[int | None, str]:
        worker = self._free.pop() if self._free else None
        if self._closed:
            return None, "closed"
        if worker is None:
            worker = _Worker(self._megabytes)
        self._busy.add(worker)
        try:
            index = worker.answer(question, self._seconds)
        except (TimeoutError, EOFError, OSError) as error:
            worker.kill()
            self._free.append(None)
            return None, "time" if isinstance(error, TimeoutError) else "died"
        finally:
            self._busy.discard(worker)
        self._free.append(worker)
        return index, "" if index is not None else "error"

    async def stop(self) -> None:
        """End all processes; who still waits gets a random action."""
        self._closed = True
        for worker in [*self._free, *self._busy]:
            if worker is not None:
                worker.process.kill()
        await asyncio.to_thread(self._threads.shutdown, cancel_futures=True)
        for worker in self._free:
            if worker is not None:
                worker.kill()
        self._free = []


def _work(pipe: Connection, megabytes: int) -> None:
    """What a process does: answer questions until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(5)
    from muniment.agents.catalog import make_agent
    from muniment.games.catalog import make_game

    with contextlib.suppress(ValueError, OSError):
        limit = megabytes << 20
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    agents: dict[object, Agent[Any, Any]] = {}
    with contextlib.suppress(EOFError, OSError):
        pipe.send_bytes(b"ready")
        while True:
            question: Question = pickle.loads(pipe.recv_bytes())  # noqa: S301 - from our own parent process
            try:
                key = (question.game, question.edition, question.options, question.bot)
                if key not in agents:
                    game = make_game(question.game, question.edition, dict(question.options))
                    agents[key] = make_agent(game, question.bot)
                action = agents[key].choose(question.view, question.legal, question.source)
                answer = str(list(question.legal).index(action)).encode()
            except Exception:  # noqa: BLE001 - the other end takes a random action, and says so in its log
                answer = b""
            pipe.send_bytes(answer)
