"""The change that is made over and over: a move is stored, if its table is of the revision it was worked out from.

Its statements are built once for each set of columns and each storage, and kept as text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from sqlalchemy import BindParameter, bindparam, insert, select, update
from sqlalchemy.dialects.postgresql import psycopg
from sqlalchemy.dialects.sqlite import pysqlite
from sqlalchemy.sql.dml import Update

from muniment.tables.models import MOVES, TABLES

__all__ = ["REVISIONS", "in_one", "in_two"]

_MOVE: Final = tuple(column.name for column in MOVES.c)
REVISIONS: Final = "SELECT id, revision FROM tables WHERE id = ANY(%s)"


def _guarded(columns: Sequence[str]) -> Update:
    """The table's row with new values, if it is of the revision; the next revision is its own."""
    rows = TABLES.c
    values: dict[str, BindParameter[Any]] = {name: bindparam(f"to_{name}", type_=rows[name].type) for name in columns}
    change = update(TABLES).where(rows.id == bindparam("its_id"), rows.revision == bindparam("its_revision"))
    return change.values({"revision": bindparam("its_next", type_=rows.revision.type), **values})


@lru_cache(maxsize=64)
def _one(columns: tuple[str, ...]) -> str:
    moved = _guarded(columns).returning(TABLES.c.id).cte("moved")
    row = [bindparam(f"move_{name}", type_=MOVES.c[name].type) for name in _MOVE]
    both = insert(MOVES).from_select(_MOVE, select(*row).select_from(moved))
    return str(both.compile(dialect=psycopg.dialect()))  # type: ignore[no-untyped-call]


@lru_cache(maxsize=64)
def _two(columns: tuple[str, ...]) -> tuple[str, tuple[str, ...], str, tuple[str, ...]]:
    dialect = pysqlite.dialect()
    change, added = _guarded(columns).compile(dialect=dialect), insert(MOVES).compile(dialect=dialect)
    return str(change), tuple(change.positiontup or ()), str(added), tuple(added.positiontup or ())


def _named(table: str, revision: int, values: Mapping[str, Any]) -> dict[str, Any]:
    named = {f"to_{name}": value for name, value in values.items()}
    return {**named, "its_id": table, "its_revision": revision, "its_next": revision + 1}


def in_one(table: str, revision: int, values: Mapping[str, Any], move: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """For PostgreSQL: both in one statement, which adds one row or none; and its values by name."""
    row = {f"move_{name}": move[name] for name in _MOVE}
    return _one(tuple(values)), {**_named(table, revision, values), **row}


def in_two(
    table: str, revision: int, values: Mapping[str, Any], move: Mapping[str, Any]
) -> tuple[tuple[str, tuple[Any, ...]], tuple[str, tuple[Any, ...]]]:
    """For SQLite: the change of the table's row, and the added move, each with its values in order."""
    change, names, added, columns = _two(tuple(values))
    named = _named(table, revision, values)
    return (change, tuple(named[name] for name in names)), (added, tuple(move[name] for name in columns))
