"""The live feed: who watches a table is woken when it changes, in whichever process it was changed.

Between processes PostgreSQL's notifications carry a table's id and revision, nothing else. They are sent just after
the commit, many at once, because a transaction that notifies holds up all others that do. One that gets lost with a
dying process is made up for by the watchers, who look again every ``HEARTBEAT`` seconds anyway.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator

import psycopg
import structlog

from muniment.tables.tokens import is_id

__all__ = ["HEARTBEAT", "Feed", "PostgresFeed"]

HEARTBEAT = 15.0
_CHANNEL = "muniment"
_log = structlog.get_logger("muniment.feed")


class Feed:
    """The watchers of this process. Each has an event that is set when its table has changed."""

    def __init__(self) -> None:
        self._watchers: dict[str, dict[asyncio.Event, float]] = {}
        self.closed = False
        self.count = 0
        self.hears = True
        """Whether a change that another process makes is told here at once, where there can be any."""

    async def start(self) -> None:
        """Begin to listen to other processes, where there can be any."""

    async def stop(self) -> None:
        """Stop listening; all watchers are woken, and find the feed closed."""
        self.close()

    def close(self) -> None:
        """Wake all watchers for the last time."""
        self.closed = True
        for table in list(self._watchers):
            self.wake(table)

    @contextlib.contextmanager
    def watching(self, table: str, pace: float = 0.0) -> Iterator[asyncio.Event]:
        """An event that is set whenever the table changes; whoever waits clears it. pace: see ``pace``."""
        event = asyncio.Event()
        self._watchers.setdefault(table, {})[event] = pace
        self.count += 1
        try:
            yield event
        finally:
            self.count -= 1
            watchers = self._watchers[table]
            del watchers[event]
            if not watchers:
                del self._watchers[table]

    def watched(self, table: str) -> bool:
        """Whether anybody in this process watches the table."""
        return table in self._watchers

    def pace(self, table: str) -> float:
        """How slowly the slowest of the table's watchers in this process wants bots to play.

        1: at the usual pace; 0: without any pause, and if nobody watches.
        """
        return max(self._watchers.get(table, {}).values(), default=0.0)

    def wake(self, table: str) -> None:
        """Wake the table's watchers in this process."""
        for event in self._watchers.get(table, ()):
            event.set()

    def wake_all(self) -> None:
        """Wake everybody, after notifications may have been missed."""
        for table in list(self._watchers):
            self.wake(table)

    def publish(self, table: str, revision: int) -> None:
        """The table has changed: wake its watchers, here and in other processes."""
        self.wake(table)


class PostgresFeed(Feed):
    """A feed shared by the processes on one PostgreSQL.

    to: as ``connecting`` says it. changed: told of every change another process made.
    """

    def __init__(self, to: str, changed: Callable[[str], None]) -> None:
        super().__init__()
        self.hears = False
        self._to = to
        self._changed = changed
        self._tasks: list[asyncio.Task[None]] = []
        self._outgoing: dict[str, int] = {}
        self._some = asyncio.Event()

    async def start(self) -> None:
        """Listen, and send what is published, each on a connection of its own."""
        ready = asyncio.Event()
        self._tasks = [asyncio.create_task(self._listen(ready)), asyncio.create_task(self._send())]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ready.wait(), 10)

    async def stop(self) -> None:
        """Send the last notifications, then stop."""
        self.close()
        for _ in range(20):
            if not self._outgoing:
                break
            await asyncio.sleep(0.05)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def publish(self, table: str, revision: int) -> None:
        """Wake the watchers here, and have the other processes wake theirs."""
        self.wake(table)
        self._outgoing[table] = revision
        self._some.set()

    async def _connect(self) -> psycopg.AsyncConnection[tuple[object, ...]]:
        return await psycopg.AsyncConnection.connect(self._to, autocommit=True)

    async def _listen(self, ready: asyncio.Event) -> None:
        while True:
            try:
                async with await self._connect() as connection:
                    await connection.execute(f"LISTEN {_CHANNEL}")
                    ready.set()
                    self.hears = True
                    self.wake_all()
                    async for notice in connection.notifies():
                        table = notice.payload.partition(":")[0]
                        if is_id(table) and notice.pid not in self._own:
                            self._changed(table)
                            self.wake(table)
            except psycopg.Error as error:
                _log.warning("feed_lost", error=type(error).__name__)
            finally:
                self.hears = False
            await asyncio.sleep(1)

    _own: frozenset[int] = frozenset()

    async def _send(self) -> None:
        while True:
            try:
                async with await self._connect() as connection:
                    self._own = frozenset((connection.info.backend_pid,))
                    while True:
                        await self._some.wait()
                        self._some.clear()
                        batch = dict(self._outgoing)
                        payloads = [f"{table}:{revision}" for table, revision in batch.items()]
                        await connection.execute(
                            "SELECT pg_notify(%s, payload) FROM unnest(%s::text[]) payload", (_CHANNEL, payloads)
                        )
                        for table, revision in batch.items():
                            if self._outgoing.get(table) == revision:
                                del self._outgoing[table]
            except psycopg.Error as error:
                _log.warning("feed_lost", error=type(error).__name__)
                self._some.set()
            await asyncio.sleep(1)
