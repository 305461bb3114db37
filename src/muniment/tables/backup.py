"""Backups: one file, an SQLite database of our own schema, whatever the storage is.

From SQLite it is made with SQLite's online backup, while the server may go on writing; from PostgreSQL it is read in
one transaction. Restoring fills an empty storage of either kind, so that a backup also moves from one to the other.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from sqlalchemy import Connection, Engine, Table, create_engine, func, insert, select, text

from muniment.core.errors import MunimentError
from muniment.tables.config import Config
from muniment.tables.database import PostgresDatabase, StorageError, open_database
from muniment.tables.migrate import current, head, migrate
from muniment.tables.models import KEYS, LINKS, MESSAGES, MOVES, SEATS, SNAPSHOTS, TABLES

__all__ = ["back_up", "restore"]

_ALL = (TABLES, SEATS, KEYS, LINKS, MOVES, SNAPSHOTS, MESSAGES)
_ROWS = 500


def back_up(config: Config, file: Path) -> int:
    """Write a backup, which is complete or not there; the number of tables in it.

    Raises MunimentError if the file exists or the storage cannot be read.
    """
    if file.exists():
        raise MunimentError(f"{file} exists already")
    partial = file.with_name(f"{file.name}.part{os.getpid()}")
    try:
        if config.is_sqlite:
            _copy_sqlite(config.sqlite_path, partial)
        else:
            _copy_out(config, partial)
        count = _finish(partial)
        partial.rename(file)
        _sync_folder(file.parent)
    except (OSError, sqlite3.Error) as error:
        raise MunimentError(f"{file}: {error}") from None
    finally:
        for rest in (partial, Path(f"{partial}-wal"), Path(f"{partial}-shm"), Path(f"{partial}-journal")):
            rest.unlink(missing_ok=True)
    return count


def _copy_sqlite(source: Path, target: Path) -> None:
    if not source.exists():
        raise MunimentError(f"{source} does not exist")
    with (
        contextlib.closing(_open_to_read(source)) as origin,
        contextlib.closing(sqlite3.connect(target)) as copy,
    ):
        target.chmod(0o600)
        origin.backup(copy, pages=-1)


def _open_to_read(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True, timeout=30)


def _copy_out(config: Config, target: Path) -> None:
    database = PostgresDatabase(config)
    try:
        made = create_engine(f"sqlite:///{target}")
        with database.engine().connect() as connection:
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            if current(connection) != head():
                raise MunimentError("the storage is of another version: run `muniment migrate` first")
            migrate(made)
            target.chmod(0o600)
            with made.begin() as copy:
                for table in _ALL:
                    _copy_rows(connection, copy, table)
        made.dispose()
    finally:
        database.close()


def _copy_rows(source: Connection, target: Connection, table: Table) -> None:
    result = source.execution_options(stream_results=True).execute(select(table))
    for rows in result.mappings().partitions(_ROWS):
        target.execute(insert(table), [dict(row) for row in rows])


def _finish(file: Path) -> int:
    """Check the copy, make it one file, and sync it; the number of tables in it."""
    with contextlib.closing(sqlite3.connect(file)) as copy:
        copy.execute("PRAGMA journal_mode = DELETE")
        (verdict,) = copy.execute("PRAGMA integrity_check").fetchone()
        if verdict != "ok":
            raise MunimentError(f"{file}: the copy is damaged: {verdict}")
        (count,) = copy.execute("SELECT count(*) FROM tables").fetchone()
    with file.open("rb") as copied:
        os.fsync(copied.fileno())
    return int(count)


def _sync_folder(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def restore(config: Config, file: Path) -> int:
    """Fill the configured storage, which must be empty and not in use, from a backup; the number of tables."""
    if not file.is_file():
        raise MunimentError(f"{file} does not exist")
    database = open_database(config)
    try:
        migrate(database.engine())
        with contextlib.closing(_open_to_read(file)) as check:
            try:
                (version,) = check.execute("SELECT version_num FROM alembic_version").fetchone()
            except (sqlite3.Error, TypeError):
                raise MunimentError(f"{file} is not a backup of Muniment") from None
        if version != head():
            raise MunimentError(f"{file} is of version {version}, this Muniment writes {head()}")
        source = create_engine("sqlite://", creator=lambda: _open_to_read(file))
        try:
            return _fill(source, database.engine())
        finally:
            source.dispose()
    finally:
        database.close()


def _fill(source: Engine, target: Engine) -> int:
    with source.connect() as origin, target.begin() as connection:
        if connection.execute(select(func.count()).select_from(TABLES)).scalar():
            raise StorageError("the storage is not empty: restore fills only an empty one")
        for table in _ALL:
            _copy_rows(origin, connection, table)
        if target.dialect.name == "postgresql":
            connection.execute(
                text(
                    "SELECT setval(pg_get_serial_sequence('messages', 'id'),"
                    " (SELECT coalesce(max(id), 0) + 1 FROM messages), false)"
                )
            )
        return connection.execute(select(func.count()).select_from(TABLES)).scalar() or 0
