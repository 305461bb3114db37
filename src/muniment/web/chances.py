"""Winning chances of the siege for its pages: exact ones from the solved game, else estimates, and computing the table.

Nothing here holds the event loop up: exact answers come from a thread of their own, estimates from one process, the
table from another, both of low priority. The extra ``solve`` is imported late, and may be missing.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import hashlib
import importlib.util
import os
import signal
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Final

from muniment.agents.sentry import Estimate, Rounds
from muniment.core.errors import MunimentError
from muniment.core.record import Record
from muniment.games.siege import Siege, SiegeEdition, SiegeOptions
from muniment.games.siege.view import SiegeView, state_from_view

if TYPE_CHECKING:
    from muniment.solve.review import Review
    from muniment.solve.values import Values

__all__ = ["Chances", "Computing", "Found", "Win", "shown", "solver_installed"]

_SPAWN = get_context("spawn")
_LOAD_SECONDS: Final = 3.0  # how long a page waits for exact answers before it is shown without them
_FIRST_SECONDS: Final = 1.5  # and for the first estimates
_FIRST_ROUNDS: Final = 4
_LOOK_SECONDS: Final = 8.0  # the work that a look at a page allows for its position
_MOST_SECONDS: Final = 40.0  # the most work for one position
_MOST_ROUNDS: Final = 400
_AT_ONCE: Final = 4  # positions that are estimated at a time
_POSITIONS: Final = 256
_CHUNK_SECONDS: Final = 0.3
_ANSWER_SECONDS: Final = 60.0
_TABLES: Final = 4
_REVIEWS: Final = 16
_CANCEL_SECONDS: Final = 15.0


def solver_installed() -> bool:
    """Whether the extra ``solve`` is there."""
    return all(importlib.util.find_spec(name) is not None for name in ("numpy", "numba", "psutil"))


def shown(value: float) -> str:
    """A winning chance for people: two places, and never 0 or 100 for what is neither."""
    if 0 < value < 0.0001:
        return "under 0.01 %"
    if 0.9999 < value < 1:
        return "over 99.99 %"
    return f"{100 * value:.2f} %"


@dataclass(frozen=True, slots=True)
class Win:
    """A winning chance. games: how many games an estimate was counted from, 0 if it is exact, and low and high too.

    behind: what an action costs against the best one, None of a position or an estimate.
    """

    value: float
    low: float
    high: float
    games: int = 0
    behind: float | None = None

    @classmethod
    def exact(cls, value: float, behind: float | None = None) -> Win:
        """An exact one."""
        return cls(value, value, value, 0, behind)

    @classmethod
    def estimated(cls, found: Estimate) -> Win:
        """An estimate from at least one round."""
        low, high = found.interval
        return cls(found.value, low, high, len(found.added))

    @property
    def text(self) -> str:
        """The chance in words; an estimate says that it is one, and its interval."""
        if not self.games:
            return shown(self.value)
        return f"estimate {self.value:.0%} ({self.low:.0%} to {self.high:.0%})".replace("%", " %")

    @property
    def against_best(self) -> str:
        """How many points of a hundred behind the best it is, or "best"; empty where that is not known."""
        if self.behind is None:
            return ""
        return f"−{100 * self.behind:.2f}" if self.behind > 0 else "best"


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of a position.

    kind: "exact", "loading" the table, "estimate", "counting" the first, or "busy" with estimates of other positions.
    whole: the position's chance, None while nothing is known. wins: by the actions' notations.
    """

    kind: str
    whole: Win | None = None
    wins: dict[str, Win] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Computing:
    """A computation of a table. state: "running", "cancelling", "cancelled", "done" or "failed", then text says why.

    share: how much is done. left: seconds to go, None if not known yet.
    """

    key: tuple[str, SiegeOptions]
    state: str
    share: float = 0.0
    left: float | None = None
    text: str = ""

    @property
    def alive(self) -> bool:
        """Whether it still goes on."""
        return self.state in ("running", "cancelling")

    @property
    def time_left(self) -> str:
        """The time to go in words."""
        if self.left is None:
            return ""
        return f"about {self.left / 60:.0f} min left" if self.left >= 90 else f"about {self.left:.0f} s left"


def key_of(game: Siege) -> tuple[str, SiegeOptions]:
    """What games of one table have in common."""
    return game.edition.digest, game.options


@dataclass(slots=True)
class _Tally:
    """Rounds played with each action of one position, or with the position if there is none; all equally many."""

    actions: tuple[str, ...]
    estimates: list[Estimate] = field(default_factory=list)
    rounds: int = 0
    spent: float = 0.0
    allowed: float = 0.0
    task: asyncio.Task[None] | None = None
    ready: asyncio.Event = field(default_factory=asyncio.Event)

    def found(self) -> Found:
        if not self.rounds:
            return Found("busy" if self.task is None else "counting")
        wins = [Win.estimated(one) for one in self.estimates]
        whole = max(wins, key=lambda win: win.value)
        return Found("estimate", whole, dict(zip(self.actions, wins, strict=True)) if self.actions else {})


class Chances:
    """All of it for one server process. folder: where tables are kept, the user's cache directory if None."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._thread = ThreadPoolExecutor(1, "muniment-chances")
        self._values: OrderedDict[tuple[str, SiegeOptions], Values] = OrderedDict()
        self._unsound: dict[tuple[str, SiegeOptions], int] = {}
        self._reviews: OrderedDict[tuple[tuple[str, SiegeOptions], str], Review] = OrderedDict()
        self._estimator = _Estimator()
        self._tallies: OrderedDict[tuple[tuple[str, SiegeOptions], str], _Tally] = OrderedDict()
        self._solver: _Solver | None = None

    # -- exact

    def values(self, game: Siege) -> Values | None:
        """The solved game, if its table is there and sound. Takes seconds the first time: not for the event loop."""
        key = key_of(game)
        if (found := self._values.get(key)) is not None:
            self._values.move_to_end(key)
            return found
        if not solver_installed():
            return None
        from muniment.solve.solving import open_table
        from muniment.solve.table import TableFault, table_path
        from muniment.solve.values import Values

        try:
            stamp = table_path(game.edition, game.options, self.folder).stat().st_mtime_ns
        except OSError:
            return None
        if self._unsound.get(key) == stamp:
            return None
        try:
            self._values[key] = found = Values(open_table(game.edition, game.options, self.folder))
        except TableFault:
            self._unsound[key] = stamp
            return None
        while len(self._values) > _TABLES:
            self._values.popitem(last=False)
        return found

    def _exact(self, game: Siege, view: SiegeView) -> Found | None:
        values = self.values(game)
        if values is None:
            return None
        from muniment.solve.review import EQUAL

        odds = values.odds(state_from_view(view))
        wins = {}
        for one in odds.actions:
            behind = odds.value - one.value
            wins[one.action.notation] = Win.exact(one.value, behind if behind > EQUAL else 0.0)
        return Found("exact", Win.exact(odds.value), wins)

    def _review(self, game: Siege, text: str) -> Review | None:
        key = (key_of(game), hashlib.sha256(text.encode()).hexdigest())
        found = self._reviews.get(key)
        if found is None:
            values = self.values(game)
            if values is None:
                return None
            from muniment.solve.review import review

            found = self._reviews[key] = review(Record.read(text), values)
            while len(self._reviews) > _REVIEWS:
                self._reviews.popitem(last=False)
        self._reviews.move_to_end(key)
        return found

    async def review(self, game: Siege, text: str) -> Review | None:
        """The review of the game in a record; None without a table. Raises TimeoutError if it is not ready yet."""
        found = asyncio.get_running_loop().run_in_executor(self._thread, self._review, game, text)
        return await asyncio.wait_for(asyncio.shield(found), _LOAD_SECONDS)

    async def look(self, game: Siege, view: SiegeView) -> Found:
        """What is known of the position now; the page is not kept waiting for more than a moment."""
        exact = asyncio.get_running_loop().run_in_executor(self._thread, self._exact, game, view)
        try:
            found = await asyncio.wait_for(asyncio.shield(exact), _LOAD_SECONDS)
        except TimeoutError:
            return Found("loading")
        return found or await self._estimate(game, view)

    # -- estimates

    async def _estimate(self, game: Siege, view: SiegeView) -> Found:
        state = state_from_view(view)
        key = (key_of(game), repr(game.state_to_json(state)))
        tally = self._tallies.get(key)
        if tally is None:
            actions = tuple(action.notation for action in game.legal_actions(state))
            tally = self._tallies[key] = _Tally(actions)
            while len(self._tallies) > _POSITIONS:
                self._tallies.popitem(last=False)
        self._tallies.move_to_end(key)
        tally.allowed = min(tally.spent + _LOOK_SECONDS, _MOST_SECONDS)
        if tally.task is None and self._has_room():
            tally.task = asyncio.create_task(self._count(game, view, tally))
        if tally.task is not None and not tally.ready.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(tally.ready.wait(), _FIRST_SECONDS)
        return tally.found()

    def _has_room(self) -> bool:
        """Whether one more position can be counted; the one that was looked at longest ago gives way."""
        counting = [one for one in self._tallies.values() if one.task is not None]
        if len(counting) < _AT_ONCE:
            return True
        older = next((one for one in counting if one.ready.is_set() and one.spent < one.allowed), None)
        if older is not None:
            older.allowed = 0.0
        return older is not None

    async def _count(self, game: Siege, view: SiegeView, tally: _Tally) -> None:
        loop = asyncio.get_running_loop()
        try:
            while tally.spent < tally.allowed and tally.rounds < _MOST_ROUNDS:
                question = _Question(game.edition, game.options, view, tally.rounds)
                answer = await loop.run_in_executor(self._estimator.thread, self._estimator.ask, question)
                if answer is None:
                    return
                rounds, seconds, found = answer
                tally.rounds += rounds
                tally.spent += seconds
                if tally.estimates:
                    for before, more in zip(tally.estimates, found, strict=True):
                        before.added += more.added
                else:
                    tally.estimates = found
                if tally.rounds >= _FIRST_ROUNDS:
                    tally.ready.set()
        finally:
            tally.ready.set()
            tally.task = None

    # -- computing

    def start(self, game: Siege) -> bool:
        """Begin to compute the game's table, in a process of its own. False if that cannot be done now."""
        computing = self.computing()
        if not solver_installed() or (computing is not None and computing.alive):
            return False
        self._solver = _Solver(game, self.folder)
        return True

    def cancel(self) -> None:
        """Stop computing; what was done is kept, and the next time goes on from there."""
        if self._solver is not None:
            self._solver.cancel()

    def computing(self) -> Computing | None:
        """The computation going on, or how the last one ended."""
        return None if self._solver is None else self._solver.look()

    def close(self) -> None:
        """End all processes and threads."""
        if self._solver is not None:
            self._solver.kill()
        self._estimator.close()
        self._thread.shutdown(cancel_futures=True)


@dataclass(frozen=True, slots=True)
class _Question:
    """A position to be played out. first: the number of the first round."""

    edition: SiegeEdition
    options: SiegeOptions
    view: SiegeView
    first: int


_Answer = tuple[int, float, list[Estimate]]  # rounds, seconds, of each action or of the position


class _Estimator:
    """A process that plays out positions, one after the other; started when it is first needed."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1, "muniment-estimates")
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def ask(self, question: _Question) -> _Answer | None:
        """Some rounds; None if the process failed."""
        try:
            if self._process is None or self._pipe is None:
                self._process, self._pipe = _spawn(_play)
            self._pipe.send(question)
            if not self._pipe.poll(_ANSWER_SECONDS):
                raise TimeoutError
            answer: _Answer = self._pipe.recv()
        except (TimeoutError, EOFError, OSError):
            self._end()
            return None
        return answer

    def _end(self) -> None:
        if self._process is not None and self._pipe is not None:
            self._process.kill()
            self._process.join(5)
            self._pipe.close()
        self._process = self._pipe = None

    def close(self) -> None:
        """End the process."""
        self.thread.shutdown(cancel_futures=True)
        self._end()


def _spawn(work: Callable[..., None], *given: object) -> tuple[BaseProcess, Connection]:
    ours, theirs = _SPAWN.Pipe()
    process = _SPAWN.Process(target=work, args=(theirs, *given), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def _play(pipe: Connection) -> None:
    """What the estimating process does, until the other end is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(10)
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(play_rounds(pipe.recv()))


def play_rounds(question: _Question) -> _Answer:
    """Play rounds for a moment, at least one: after each action, with the same dice."""
    began = time.perf_counter()
    rounds = _rounds_of(question.edition, question.options)
    found = rounds.candidates(question.view, every=True)
    played = 0
    while not played or time.perf_counter() - began < _CHUNK_SECONDS:
        for one in found:
            rounds.play(question.view, one, 1, question.first)
        played += 1
    return played, time.perf_counter() - began, [Estimate(one.worth, one.added) for one in found]


@lru_cache(maxsize=1)
def _rounds_of(edition: SiegeEdition, options: SiegeOptions) -> Rounds:
    """One game's, kept: the turn need not be thought through again for each moment."""
    return Rounds(Siege(edition, options))


class _Solver:
    """A process that computes one table."""

    def __init__(self, game: Siege, folder: Path | None) -> None:
        self._now = Computing(key_of(game), "running")
        self._cancelled = 0.0
        self._begun = False
        self._process, self._pipe = _spawn(_solve, game.edition, game.options, folder)

    def look(self) -> Computing:
        """How far it is. Never waits."""
        now = self._now
        if not now.alive:
            return now
        alive = self._process.is_alive()
        state, share, left, text = now.state, now.share, now.left, now.text
        with contextlib.suppress(EOFError, OSError):
            while self._pipe.poll():
                told, *rest = self._pipe.recv()
                if told == "begun":
                    self._begun = True
                elif told == "progress":
                    share, left = rest
                else:
                    state, text = told, rest[0]
        if not alive and state in ("running", "cancelling"):
            state, text = ("cancelled", "") if state == "cancelling" else ("failed", "its process ended")
        elif alive and self._cancelled and time.monotonic() - self._cancelled > _CANCEL_SECONDS:
            self._process.kill()
        self._now = Computing(now.key, state, share, left, text)
        return self._now

    def cancel(self) -> None:
        """Ask it to stop."""
        if self.look().state == "running" and self._process.pid is not None:
            self._cancelled = time.monotonic()
            self._now = Computing(self._now.key, "cancelling", self._now.share)
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._process.pid, signal.SIGINT if self._begun else signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self._process.kill()
        self._process.join(5)


def _solve(pipe: Connection, edition: SiegeEdition, options: SiegeOptions, folder: Path | None) -> None:
    """What the computing process does."""
    from muniment.solve.solving import lower_priority, solve
    from muniment.solve.table import cache_folder

    last = -1

    def progress(share: float, left: float) -> None:
        nonlocal last
        if int(share * 100) > last:
            last = int(share * 100)
            try:
                pipe.send(("progress", share, left))
            except OSError:  # the server has gone: as if cancelled
                os.kill(os.getpid(), signal.SIGINT)

    told: tuple[str, str]
    try:
        pipe.send(("begun",))
        lower_priority()
        with _one_a_host(folder or cache_folder()):
            solve(edition, options, progress=progress, folder=folder)
        told = ("done", "")
    except KeyboardInterrupt:
        told = ("cancelled", "")
    except (MunimentError, OSError) as error:
        told = ("failed", str(error))
    with contextlib.suppress(OSError):
        pipe.send(told)


@contextlib.contextmanager
def _one_a_host(folder: Path) -> Iterator[None]:
    """Let no two servers of this host compute at a time; the lock goes with its process."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "web.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise MunimentError("another server on this host is computing a table already") from None
        yield
