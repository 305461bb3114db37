"""Connections to PostgreSQL that the event loop itself speaks on, for the few statements on which every move waits.

A statement is a transaction of its own here, sent and answered in one exchange, without a thread in between.
"""

from __future__ import annotations

import asyncio
import select
from collections.abc import Mapping, Sequence
from typing import Any

import psycopg

__all__ = ["Direct"]

Connection = psycopg.AsyncConnection[tuple[Any, ...]]


class Direct:
    """Up to ``count`` connections, opened when they are needed. to: as ``connecting`` says it."""

    def __init__(self, to: str, count: int) -> None:
        self._to = to
        self._slots = asyncio.Semaphore(count)
        self._free: list[Connection] = []
        self._closed = False

    async def execute(
        self, statement: str, values: Mapping[str, Any] | Sequence[Any], *, reads: bool = False
    ) -> tuple[int, list[tuple[Any, ...]]]:
        """Carry a statement out, committed and synced when this returns: the number of rows, and those it returns.

        reads: whether it changes nothing, so that it is sent again if the connection was lost. Raises psycopg.Error.
        """
        async with self._slots:
            try:
                return await self._execute(statement, values)
            except psycopg.OperationalError:
                if not reads:
                    raise
            return await self._execute(statement, values)

    async def _execute(self, statement: str, values: Any) -> tuple[int, list[tuple[Any, ...]]]:
        connection = self._idle() or await self._connect()
        try:
            cursor = await connection.execute(statement.encode(), values)
            rows = await cursor.fetchall() if cursor.description is not None else []
        except psycopg.Error:
            if connection.closed:
                self._end()  # the server is gone, and the other connections with it
            else:
                self._keep(connection)
            raise
        except BaseException:
            await connection.close()
            raise
        self._keep(connection)
        return cursor.rowcount, rows

    def _idle(self) -> Connection | None:
        """A connection that waits to be used. To one the server speaks unasked only to end it: that is closed."""
        while self._free:
            connection = self._free.pop()
            spoken = select.poll()
            spoken.register(connection.pgconn.socket, select.POLLIN)
            if not spoken.poll(0):
                return connection
            connection.pgconn.finish()
        return None

    async def _connect(self) -> Connection:
        return await psycopg.AsyncConnection.connect(self._to, autocommit=True, prepare_threshold=0)

    def _keep(self, connection: Connection) -> None:
        self._free.append(connection)
        if self._closed:
            self._end()

    def _end(self) -> None:
        for connection in self._free:
            connection.pgconn.finish()
        self._free.clear()

    def close(self) -> None:
        """Close all connections; one that is in use, when it is no longer."""
        self._closed = True
        self._end()
