"""A table in memory: what is stored of it, its match, and what was rendered of it; and how it is read from storage."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from muniment.tables.clocks import ClockState
from muniment.tables.models import HOST, KEYS, MESSAGES, MOVES, SEATS, SNAPSHOTS, TABLES
from muniment.tables.play import AnyGame, Play, Stored
from muniment.tables.tokens import hashed
from muniment.tables.values import Clock, Ending, Seen
from muniment.tables.values import Message as Said

__all__ = ["Loaded", "LiveTable", "SeatData", "TableData", "load", "load_moves", "load_rows", "move_columns"]

TALK_SHOWN = 200


@dataclass(frozen=True, slots=True)
class TableData:
    """A row of ``models.TableRow``."""

    id: str
    key: bytes = field(repr=False)
    game: str
    edition: str
    edition_digest: str
    options: Mapping[str, Any]
    position: Mapping[str, Any] | None = field(repr=False)
    typed: bool
    seed: bytes = field(repr=False)
    spectators: Any
    clock: Clock | None
    status: Any
    revision: int
    version: int
    entries: int
    created: float
    changed: float
    started: float | None
    times: ClockState | None
    deadline: float | None
    bot_asked: bool
    worker: str | None
    worker_until: float
    ending: Ending | None
    next_id: str | None


@dataclass(frozen=True, slots=True)
class SeatData:
    """A row of ``models.Seat``."""

    seat: int
    kind: Any
    name: str
    bot: str
    stand_in: bool
    resigned: bool
    nonce: str
    seen: float

    @property
    def automatic(self) -> bool:
        """Whether a bot answers for the seat."""
        return self.kind == "bot" or self.stand_in or self.resigned


@dataclass
class LiveTable:
    """A table as this process knows it. data, seats, keys, talk and play are always those of one revision."""

    data: TableData
    seats: tuple[SeatData, ...]
    keys: Mapping[str, frozenset[int]] = field(repr=False)
    talk: tuple[Said, ...]
    game: AnyGame = field(repr=False)
    play: Play | None = field(default=None, repr=False)
    move_keys: dict[tuple[int, str], int] = field(default_factory=dict, repr=False)
    rendered: dict[tuple[int | None, bool], Seen] = field(default_factory=dict, repr=False)
    snapshot: int = 0
    seen: dict[int, float] = field(default_factory=dict, repr=False)
    shown: tuple[float, Hashable] = (0.0, None)
    """When, by the monotonic clock, a bot last did something that all could see, and what step that was part of."""

    def seats_of(self, secret: str | None) -> frozenset[int]:
        """The seats, ``HOST`` among them, that the secret authorises."""
        return self.keys.get(hashed(secret), frozenset()) if secret else frozenset()

    def seat_of(self, secret: str | None) -> int | None:
        """The seat that the secret authorises."""
        return min((seat for seat in self.seats_of(secret) if seat != HOST), default=None)

    def automatic(self, now: float) -> tuple[int, ...]:
        """The seats for which a bot must answer now, because it plays there or the person's time is up."""
        if self.play is None or self.data.status != "running":
            return ()
        times = self.data.times
        return tuple(
            seat
            for seat in self.play.must_answer()
            if self.seats[seat].automatic or (times is not None and times.expired(seat, now))
        )


@dataclass(frozen=True, slots=True)
class Loaded:
    """What storage holds of a table."""

    data: TableData
    seats: tuple[SeatData, ...]
    keys: Mapping[str, frozenset[int]]
    talk: tuple[Said, ...]


def _data(row: Any) -> TableData:
    clock = None if row.clock_reserve is None else Clock(row.clock_reserve, row.clock_increment)
    ending = None
    if row.ending is not None:
        value = json.loads(row.ending)
        ending = Ending(tuple(value["returns"]), value["reason"], value["rule"], value["sentence"])
    return TableData(
        id=row.id, key=row.key, game=row.game, edition=row.edition, edition_digest=row.edition_digest,
        options=json.loads(row.options), position=None if row.position is None else json.loads(row.position),
        typed=row.typed, seed=row.seed, spectators=row.spectators, clock=clock, status=row.status,
        revision=row.revision, version=row.version, entries=row.entries, created=row.created, changed=row.changed,
        started=row.started, times=None if row.clock is None else ClockState.read(row.clock), deadline=row.deadline,
        bot_asked=row.bot_asked, worker=row.worker, worker_until=row.worker_until, ending=ending, next_id=row.next_id,
    )  # fmt: skip


def load_rows(connection: Connection, ids: list[str]) -> list[tuple[TableData, tuple[SeatData, ...]]]:
    """Several tables with their seats, without their matches, in the order of the ids."""
    table, seat = TABLES, SEATS
    rows = {row.id: _data(row) for row in connection.execute(select(table).where(table.c.id.in_(ids)))}
    seats: dict[str, list[SeatData]] = {}
    for row in connection.execute(select(seat).where(seat.c.table_id.in_(ids)).order_by(seat.c.seat)):
        seats.setdefault(row.table_id, []).append(_seat(row))
    return [(rows[one], tuple(seats.get(one, ()))) for one in ids if one in rows]


def _seat(row: Any) -> SeatData:
    return SeatData(row.seat, row.kind, row.name, row.bot, row.stand_in, row.resigned, row.nonce, row.seen)


def load(connection: Connection, table: str) -> Loaded | None:
    """A table without its match, None if there is none."""
    found = load_rows(connection, [table])
    if not found:
        return None
    (data, seats), = found  # fmt: skip
    key, message = KEYS, MESSAGES
    keys: dict[str, frozenset[int]] = {}
    for row in connection.execute(select(key.c.hash, key.c.seat).where(key.c.table_id == table)):
        keys[row.hash] = keys.get(row.hash, frozenset()) | {row.seat}
    newest = select(message).where(message.c.table_id == table).order_by(message.c.id.desc()).limit(TALK_SHOWN)
    talk = tuple(
        Said(row.id, row.seat, row.name, row.text, row.at) for row in reversed(connection.execute(newest).all())
    )
    return Loaded(data, seats, keys, talk)


def load_moves(
    connection: Connection, table: str, after: int, upto: int, with_snapshot: bool
) -> tuple[list[Stored], dict[tuple[int, str], int], tuple[int, str] | None]:
    """The moves after a number, the keys they carried, and the newest snapshot if it is wanted."""
    move, snap = MOVES, SNAPSHOTS
    c = move.c
    columns = (c.number, c.kind, c.seat, c.body, c.entries, c.events, c.entry_count, c.event_count, c.key)
    chosen = select(*columns).where(c.table_id == table, c.number > after, c.number <= upto).order_by(c.number)
    moves: list[Stored] = []
    keys: dict[tuple[int, str], int] = {}
    for row in connection.execute(chosen):
        moves.append(Stored(*row[:8]))
        if row.key is not None:
            keys[row.seat, row.key] = row.number
    snapshot = None
    if with_snapshot:
        newest = select(snap.c.number, snap.c.body).where(snap.c.table_id == table, snap.c.number <= upto)
        found = connection.execute(newest.order_by(snap.c.number.desc()).limit(1)).first()
        snapshot = None if found is None else (found.number, found.body)
    return moves, keys, snapshot


def move_columns(data: TableData, stored: Stored, by: str, key: str | None, answer: str | None,
                 now: float) -> dict[str, Any]:  # fmt: skip
    """The columns of a move's row."""
    return {
        "table_id": data.id, "number": stored.number, "kind": stored.kind, "seat": stored.seat, "by": by, "key": key,
        "body": stored.body, "entries": stored.entries, "events": stored.events, "entry_count": stored.entry_count,
        "event_count": stored.event_count, "answer": answer, "at": now,
    }  # fmt: skip


def read_play(
    live: LiveTable, moves: list[Stored], snapshot: tuple[int, str] | None, make: Callable[..., Play] = Play.read
) -> Play:
    """The match of a table that has started, from its stored moves."""
    data = live.data
    names = [seat.name for seat in live.seats]
    nonces = nonces_of(live.seats, data.typed)
    return make(live.game, names, data.seed, nonces, data.typed, data.position, moves, snapshot)


def nonces_of(seats: tuple[SeatData, ...], typed: bool) -> tuple[bytes, ...]:
    """What the seats added to the dice, in seat order."""
    return () if typed else tuple(seat.nonce.encode() for seat in seats if seat.nonce)
