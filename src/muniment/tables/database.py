"""The storage: one interface, ``read`` and ``write``, over an SQLite file or PostgreSQL.

``write`` returns when its work is committed and synced. On SQLite one thread writes: it takes all that waits into one
transaction, so that many moves share one sync (group commit), each in a savepoint of its own. On PostgreSQL several
connections write, and the server groups their commits; a move is one statement, sent by the event loop itself.
"""

from __future__ import annotations

import asyncio
import fcntl
import queue
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

import psycopg
from sqlalchemy import Connection, Engine, create_engine, event, make_url, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.pool import StaticPool

from muniment.core.errors import MunimentError
from muniment.tables.advance import REVISIONS, in_one, in_two
from muniment.tables.config import Config
from muniment.tables.connecting import connection_text, manners
from muniment.tables.direct import Direct
from muniment.tables.models import TABLES

__all__ = ["Database", "PostgresDatabase", "SqliteDatabase", "StorageError", "open_database"]

T = TypeVar("T")
Work = Callable[[Connection], T]
_BATCH = 128
_BUSY_MS = 10_000


class StorageError(MunimentError):
    """The storage cannot be used: the message says why, and holds no secret."""


class Database(Protocol):
    """What the service needs of a storage. The work is done in another thread, in one transaction."""

    shared: bool
    """Whether other processes may change what is stored."""

    async def read(self, work: Work[T]) -> T:
        """Do the reading work in a transaction of its own, which sees one state of the storage."""
        ...

    async def write(self, work: Work[T]) -> T:
        """Do the work; returns when it is committed and synced. If it raises, nothing of it is kept.

        The work may be done more than once, if the storage asks for a repetition.
        """
        ...

    async def advance(self, table: str, revision: int, values: Mapping[str, Any], move: Mapping[str, Any]) -> bool:
        """Store a move, and new values in its table's row, if that is of the revision still; whether it was.

        Returns when both are committed and synced. The row is of the next revision then.
        """
        ...

    async def revisions(self, tables: Sequence[str]) -> dict[str, int]:
        """The stored revisions of those of the tables that there are."""
        ...

    def sync_settings(self) -> dict[str, str]:
        """The settings of the live writing connections on which durability rests."""
        ...

    def engine(self) -> Engine:
        """The engine that writes, for migrations before the service starts."""
        ...

    def close(self) -> None:
        """Finish what was begun and close."""
        ...


def open_database(config: Config) -> Database:
    """The storage of the configuration. Raises StorageError if it cannot be opened, or is in use by another process."""
    return SqliteDatabase(config) if config.is_sqlite else PostgresDatabase(config)


class SqliteDatabase:
    """An SQLite file that belongs to this process alone."""

    shared = False

    def __init__(self, config: Config) -> None:
        path = config.sqlite_path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = path.with_name(path.name + ".lock").open("w")
        except OSError as error:
            raise StorageError(f"{path}: {error.strerror or error}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise StorageError(f"{path} is in use by another process of Muniment") from None
        url = f"sqlite:///{path}"
        self._writer = create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})
        self._reader = create_engine(url, pool_size=4, max_overflow=0, connect_args={"check_same_thread": False})
        event.listen(self._writer, "connect", _prepare_writer)
        event.listen(self._writer, "begin", _begin_immediate)
        event.listen(self._reader, "connect", _prepare_reader)
        event.listen(self._reader, "begin", _begin)
        try:
            with self._writer.connect():
                pass
        except (DBAPIError, sqlite3.Error) as error:
            self._lock.close()
            raise StorageError(f"{path}: {error.__cause__ or error}") from None
        path.chmod(0o600)
        self._queue: queue.SimpleQueue[tuple[Work[Any], Future[Any]] | None] = queue.SimpleQueue()
        self._threads = ThreadPoolExecutor(4, "muniment-read")
        self._thread = threading.Thread(target=self._write_all, name="muniment-write", daemon=True)
        self._thread.start()
        self._closed = False

    def engine(self) -> Engine:
        """The engine that writes."""
        return self._writer

    async def read(self, work: Work[T]) -> T:
        """Do the reading work in a transaction of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, _in_transaction, self._reader, work)

    async def write(self, work: Work[T]) -> T:
        """Do the work together with whatever else waits; returns when it is committed and synced."""
        if self._closed:
            raise StorageError("the storage is closed")
        done: Future[T] = Future()
        self._queue.put((work, done))
        return await asyncio.wrap_future(done)

    async def advance(self, table: str, revision: int, values: Mapping[str, Any], move: Mapping[str, Any]) -> bool:
        """Store a move, together with whatever else waits."""
        change, added = in_two(table, revision, values, move)

        def work(connection: Connection) -> bool:
            if connection.exec_driver_sql(*change).rowcount != 1:
                return False
            connection.exec_driver_sql(*added)
            return True

        try:
            return await self.write(work)
        except IntegrityError:  # a move of that number or key is there already
            return False

    async def revisions(self, tables: Sequence[str]) -> dict[str, int]:
        """The stored revisions."""
        wanted = select(TABLES.c.id, TABLES.c.revision).where(TABLES.c.id.in_(tables))
        return await self.read(lambda c: {row.id: row.revision for row in c.execute(wanted)})

    def _write_all(self) -> None:
        while (first := self._queue.get()) is not None:
            batch = [first]
            last = False
            while len(batch) < _BATCH and not self._queue.empty():
                item = self._queue.get()
                if item is None:
                    last = True
                    break
                batch.append(item)
            self._write_batch(batch)
            if last:
                return

    def _write_batch(self, batch: list[tuple[Work[Any], Future[Any]]]) -> None:
        results: list[tuple[Future[Any], object, BaseException | None]] = []
        try:
            with self._writer.begin() as connection:
                for work, done in batch:
                    connection.exec_driver_sql("SAVEPOINT work")
                    try:
                        result = work(connection)
                    except Exception as error:  # noqa: BLE001 - it is handed to whoever asked
                        connection.exec_driver_sql("ROLLBACK TO work")
                        results.append((done, None, error))
                    else:
                        results.append((done, result, None))
                    connection.exec_driver_sql("RELEASE work")
        except Exception as error:  # noqa: BLE001 - the commit failed: nothing was kept, and everybody is told
            results = [(done, None, error) for _, done in batch]
        for done, result, failure in results:
            if not done.set_running_or_notify_cancel():
                continue
            if failure is None:
                done.set_result(result)
            else:
                done.set_exception(failure)

    def sync_settings(self) -> dict[str, str]:
        """``journal_mode`` and ``synchronous`` of the connection that writes."""
        return self._ask(lambda c: {n: _pragma(c, n) for n in ("journal_mode", "synchronous", "busy_timeout")})

    def _ask(self, work: Work[T]) -> T:
        done: Future[T] = Future()
        self._queue.put((work, done))
        return done.result(30)

    def close(self) -> None:
        """Write what waits, then close and let another process have the file."""
        if self._closed:
            return
        self._closed = True
        self._queue.put(None)
        self._thread.join()
        self._threads.shutdown()
        self._reader.dispose()
        self._writer.dispose()
        self._lock.close()


def _pragma(connection: Connection, name: str) -> str:
    return str(connection.exec_driver_sql(f"PRAGMA {name}").scalar())


def _prepare_writer(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None  # transactions are begun by hand, in _begin_immediate
    for pragma in (f"busy_timeout = {_BUSY_MS}", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _prepare_reader(connection: sqlite3.Connection, _: object) -> None:
    connection.isolation_level = None
    for pragma in (f"busy_timeout = {_BUSY_MS}", "query_only = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _in_transaction(engine: Engine, work: Work[T]) -> T:
    with engine.begin() as connection:
        return work(connection)


class PostgresDatabase:
    """A PostgreSQL database, which several processes may share."""

    shared = True

    def __init__(self, config: Config) -> None:
        self.connection_text = connection_text(config.database_url)
        url = make_url(config.database_url).set(drivername="postgresql+psycopg")
        count, half = config.connections, max(1, config.connections // 2)
        self._moves, self._looks = Direct(self.connection_text, count), Direct(self.connection_text, 1)
        keep = manners(config.database_url)
        self._writer = create_engine(url, pool_size=half, max_overflow=1, pool_pre_ping=True, connect_args=keep)
        self._reader = create_engine(
            url, pool_size=half, max_overflow=1, connect_args=keep, isolation_level="REPEATABLE READ",
            execution_options={"postgresql_readonly": True},
        )  # fmt: skip
        try:
            with self._writer.connect():
                pass
        except DBAPIError as error:
            why = " ".join(str(error.orig).split())
            raise StorageError(f"PostgreSQL at {url.host}:{url.port or 5432} does not answer: {why}") from None
        self._write_threads = ThreadPoolExecutor(half, "muniment-write")
        self._read_threads = ThreadPoolExecutor(half, "muniment-read")

    def engine(self) -> Engine:
        """The engine that writes."""
        return self._writer

    async def read(self, work: Work[T]) -> T:
        """Do the reading work in a transaction of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._read_threads, _retried, self._reader, work, True)

    async def write(self, work: Work[T]) -> T:
        """Do the work in a transaction; returns when it is committed and synced."""
        return await asyncio.get_running_loop().run_in_executor(self._write_threads, _retried, self._writer, work)

    async def advance(self, table: str, revision: int, values: Mapping[str, Any], move: Mapping[str, Any]) -> bool:
        """Store a move, in one exchange with the server."""
        try:
            return (await self._moves.execute(*in_one(table, revision, values, move)))[0] == 1
        except psycopg.errors.UniqueViolation:  # a move of that number or key is there already
            return False
        except psycopg.Error as error:
            if error.sqlstate in _AGAIN:  # under a stricter isolation, set for the database: another move was first
                return False
            raise StorageError(f"PostgreSQL: {type(error).__name__}") from None

    async def revisions(self, tables: Sequence[str]) -> dict[str, int]:
        """The stored revisions, in one exchange with the server."""
        try:
            return dict((await self._looks.execute(REVISIONS, (list(tables),), reads=True))[1])
        except psycopg.Error as error:
            raise StorageError(f"PostgreSQL: {type(error).__name__}") from None

    def sync_settings(self) -> dict[str, str]:
        """``fsync``, ``synchronous_commit`` and ``full_page_writes`` as a connection that writes has them."""
        names = ("fsync", "synchronous_commit", "full_page_writes")
        with self._writer.connect() as connection:
            return {name: str(connection.execute(text(f"SHOW {name}")).scalar()) for name in names}

    def close(self) -> None:
        """Finish what was begun and close the connections."""
        self._write_threads.shutdown()
        self._read_threads.shutdown()
        self._moves.close()
        self._looks.close()
        self._reader.dispose()
        self._writer.dispose()


_AGAIN = ("40001", "40P01")  # serialization failure, deadlock: PostgreSQL asks for a repetition


def _retried(engine: Engine, work: Work[T], reads: bool = False) -> T:
    for rest in (2, 1, 0):
        try:
            return _in_transaction(engine, work)
        except DBAPIError as error:
            # A lost connection may have lost the answer to a commit that was carried out: only reading is repeated.
            again = getattr(error.orig, "sqlstate", None) in _AGAIN or (reads and error.connection_invalidated)
            if not again or not rest:
                raise
    raise AssertionError("the last attempt returned or raised")
