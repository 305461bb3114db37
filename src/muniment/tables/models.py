"""The storage's tables. A match is its append-only ``moves`` plus ``snapshots``; everything else can change.

Secrets are kept as SHA-256 hashes only, except what the server itself must know: a table's ``key``, from which its
invitation and watching links and opaque tokens are derived, and its dice's ``seed`` until it is revealed.
Times are seconds since 1970.
"""

from __future__ import annotations

from typing import cast

from sqlalchemy import (
    BigInteger,
    Float,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

__all__ = [
    "HOST",
    "KEYS",
    "LINKS",
    "MESSAGES",
    "MOVES",
    "SEATS",
    "SNAPSHOTS",
    "TABLES",
    "Base",
    "Message",
    "Move",
    "Seat",
    "SeatKey",
    "SeatLink",
    "Snapshot",
    "TableRow",
]

HOST = -1
"""The seat of a key that belongs to a table's host."""


class Base(DeclarativeBase):
    """The declarative base; its names of constraints are fixed, so that migrations can name them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


def _table_id() -> Mapped[str]:
    return mapped_column(String(12), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)


class TableRow(Base):
    """A table.

    revision: counts every change, and guards it: a change is made only to the revision it was worked out from.
    version: the number of the last move. entries: the lines of the record. asked, clock: see ``play``.
    deadline: when the clock's next time is up. worker, worker_until: the process that answers for bots here.
    """

    __tablename__ = "tables"

    id: Mapped[str] = mapped_column(String(12), primary_key=True)
    key: Mapped[bytes] = mapped_column(LargeBinary(32))
    game: Mapped[str] = mapped_column(String(40))
    edition: Mapped[str] = mapped_column(String(80))
    edition_digest: Mapped[str] = mapped_column(String(64))
    options: Mapped[str] = mapped_column(Text)
    position: Mapped[str | None] = mapped_column(Text)
    typed: Mapped[bool]
    seed: Mapped[bytes] = mapped_column(LargeBinary(32))
    spectators: Mapped[str] = mapped_column(String(8))
    clock_reserve: Mapped[int | None]
    clock_increment: Mapped[int | None]
    status: Mapped[str] = mapped_column(String(8))
    revision: Mapped[int] = mapped_column(BigInteger)
    version: Mapped[int]
    entries: Mapped[int]
    created: Mapped[float] = mapped_column(Float(53))
    changed: Mapped[float] = mapped_column(Float(53))
    started: Mapped[float | None] = mapped_column(Float(53))
    clock: Mapped[str | None] = mapped_column(Text)
    deadline: Mapped[float | None] = mapped_column(Float(53))
    bot_asked: Mapped[bool]
    worker: Mapped[str | None] = mapped_column(String(40))
    worker_until: Mapped[float] = mapped_column(Float(53))
    ending: Mapped[str | None] = mapped_column(Text)
    next_id: Mapped[str | None] = mapped_column(String(12))

    __table_args__ = (
        Index(None, "status", "spectators", "changed"),
        Index(None, "deadline"),
        Index(None, "bot_asked", "worker_until"),
    )


class Seat(Base):
    """A seat. kind: open, person or bot; stand_in: a bot answers for the person; seen: when the person was, roughly."""

    __tablename__ = "seats"

    table_id: Mapped[str] = _table_id()
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(8))
    name: Mapped[str] = mapped_column(String(80))
    bot: Mapped[str] = mapped_column(String(40))
    stand_in: Mapped[bool]
    resigned: Mapped[bool]
    nonce: Mapped[str] = mapped_column(String(64))
    seen: Mapped[float] = mapped_column(Float(53))


class SeatKey(Base):
    """A hashed secret that authorises a seat, or the host (seat ``HOST``), of a table."""

    __tablename__ = "seat_keys"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    table_id: Mapped[str] = _table_id()
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)

    __table_args__ = (Index(None, "table_id"),)


class SeatLink(Base):
    """A hashed, one-time token that moves a seat to another device."""

    __tablename__ = "seat_links"

    hash: Mapped[str] = mapped_column(String(64), primary_key=True)
    table_id: Mapped[str] = mapped_column(String(12), ForeignKey("tables.id", ondelete="CASCADE"))
    seat: Mapped[int]
    expires: Mapped[float] = mapped_column(Float(53))

    __table_args__ = (Index(None, "table_id"), Index(None, "expires"))


class Move(Base):
    """A move, never changed and never deleted while its table is kept.

    kind: act, enter or undo. by: person, bot or clock. body: what was sent, as JSON. entries, events: what it added to
    the record and the log, as JSON; entry_count, event_count: their numbers after it. answer: what the mover was told.
    """

    __tablename__ = "moves"

    table_id: Mapped[str] = _table_id()
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(8))
    seat: Mapped[int]
    by: Mapped[str] = mapped_column(String(8))
    key: Mapped[str | None] = mapped_column(String(64))
    body: Mapped[str] = mapped_column(Text)
    entries: Mapped[str] = mapped_column(Text)
    events: Mapped[str] = mapped_column(Text)
    entry_count: Mapped[int]
    event_count: Mapped[int]
    answer: Mapped[str | None] = mapped_column(Text)
    at: Mapped[float] = mapped_column(Float(53))

    __table_args__ = (UniqueConstraint("table_id", "seat", "key"),)


class Snapshot(Base):
    """Where a match stood after a move, so that it need not be replayed from its beginning."""

    __tablename__ = "snapshots"

    table_id: Mapped[str] = _table_id()
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    body: Mapped[str] = mapped_column(Text)


class Message(Base):
    """Table talk."""

    __tablename__ = "messages"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    table_id: Mapped[str] = mapped_column(String(12), ForeignKey("tables.id", ondelete="CASCADE"))
    seat: Mapped[int]
    name: Mapped[str] = mapped_column(String(80))
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[float] = mapped_column(Float(53))

    __table_args__ = (Index(None, "table_id"),)


def _core(model: type[Base]) -> Table:
    return cast(Table, model.__table__)


TABLES = _core(TableRow)
SEATS = _core(Seat)
KEYS = _core(SeatKey)
LINKS = _core(SeatLink)
MOVES = _core(Move)
SNAPSHOTS = _core(Snapshot)
MESSAGES = _core(Message)
