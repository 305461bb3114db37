"""The service: everything that pages and the API can do with tables. Neither of them, nor this, holds a rule.

One ``Service`` per process; all its methods run in one event loop. Every method that changes something returns only
when the change is committed and synced. Whatever it refuses raises a ``ServiceError``, and nothing has changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from typing import Any, TypeVar

import structlog
from sqlalchemy import Connection, Select, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from muniment.core.game import View
from muniment.core.refusal import Refusal
from muniment.tables import moving, seating
from muniment.tables.bots import BotPool
from muniment.tables.config import Config
from muniment.tables.database import Database, PostgresDatabase, StorageError, open_database
from muniment.tables.errors import Forbidden, Invalid, MoveRefused, NotFound, ServiceError, TooMany
from muniment.tables.feed import HEARTBEAT, Feed, PostgresFeed
from muniment.tables.house import House
from muniment.tables.keeper import Keeper
from muniment.tables.limits import Rate
from muniment.tables.live import TALK_SHOWN, LiveTable, load_rows
from muniment.tables.metrics import Metrics
from muniment.tables.migrate import migrate
from muniment.tables.models import KEYS, MESSAGES, SEATS, TABLES
from muniment.tables.moving import Order
from muniment.tables.play import ACT, ENTER, UNDO
from muniment.tables.replays import Replays
from muniment.tables.showing import is_watch, log_lines, seen, table_info, viewer
from muniment.tables.tokens import clean_text, hashed, link_kind, link_table, link_token, same
from muniment.tables.values import (
    Answer,
    Caller,
    Choice,
    Frame,
    GameInfo,
    Joined,
    Link,
    LogLine,
    Message,
    NewTable,
    Replay,
    Seen,
    TableInfo,
)

__all__ = ["Service"]

T = TypeVar("T")

MOST_REFUSALS = 100
_SEEN_EVERY = 30.0
_log = structlog.get_logger("muniment.service")


class Service:
    """See the module's text."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.metrics = Metrics()
        self.running = False
        self._passwords = Rate(5, 300)
        self._makers = Rate(config.tables_per_hour, 3600)
        self._talkers = Rate(8, 20)
        self._background: set[asyncio.Task[Any]] = set()

    async def _guarded(self, work: Coroutine[Any, Any, T]) -> T:
        """The work's result; what the storage raises becomes ``Busy``."""
        try:
            return await self.house.whole(work)
        except (SQLAlchemyError, StorageError) as error:
            raise self.house.broken(error) from None

    # -- the house

    async def start(self) -> None:
        """Open the storage, migrate it, start bots and clocks."""
        self.database: Database = await asyncio.to_thread(open_database, self.config)
        try:
            before, after = await asyncio.to_thread(migrate, self.database.engine())
            if before != after:
                _log.info("migrated", before=before, after=after)
            self.house = House(self.config, self.database, self._feed(), self.metrics)
            self._replays = Replays(self.house)
            self.pool = BotPool(
                self.config.bot_processes, self.config.bot_seconds, self.config.bot_megabytes, self.metrics
            )
            self.keeper = Keeper(self.house, self.pool)
            await self.house.feed.start()
            await self.pool.start()
            await self.keeper.start()
        except BaseException:
            await asyncio.to_thread(self.database.close)
            raise
        self.running = True
        _log.info("started", storage="postgresql" if self.database.shared else "sqlite", **self.durability())

    def _feed(self) -> Feed:
        if isinstance(self.database, PostgresDatabase):
            return PostgresFeed(self.database.connection_text, self._changed_elsewhere)
        return Feed()

    def _changed_elsewhere(self, table: str) -> None:
        self.house.note_change(table)

    def durability(self) -> dict[str, str]:
        """The settings of the live storage connections that make an acknowledged move survive a crash."""
        return self.database.sync_settings()

    async def stop(self) -> None:
        """Let running moves finish, then close everything. Streams end."""
        if not self.running:
            return
        self.running = False
        self.close_streams()
        await self.house.settle()
        await self.keeper.stop()
        await self.pool.stop()
        await self.house.settle()
        await self.house.feed.stop()
        await asyncio.to_thread(self.database.close)
        _log.info("stopped")

    def close_streams(self) -> None:
        """End all live streams and take no more changes: the first step of stopping."""
        self.house.stopping = True
        self.house.feed.close()

    async def healthy(self) -> bool:
        """Whether the storage answers."""
        try:
            await asyncio.wait_for(self.database.read(lambda c: c.execute(select(1)).scalar()), 5)
        except (SQLAlchemyError, StorageError, TimeoutError):
            return False
        return self.running and not self.house.stopping

    def games(self) -> tuple[GameInfo, ...]:
        """The games that can be played here."""
        return self.house.games()

    @property
    def needs_password(self) -> bool:
        """Whether making a table needs the house password."""
        return bool(self.config.house_password)

    # -- making and joining tables

    async def create(self, new: NewTable, *, secret: str | None = None, source: str = "") -> Joined:
        """Make a table; it starts by itself once no seat is open.

        secret: of the browser that asks, to be used on; a fresh one comes back if it is None or unknown.
        source: the caller's address, for limits. Raises Invalid, Forbidden (house password), TooMany.
        """
        if self.needs_password:
            if wait := self._passwords.wait(source):
                raise TooMany("too many wrong passwords from here", int(wait) + 1)
            if not hmac.compare_digest(
                new.house_password.encode("utf-8", "replace"), self.config.house_password.encode("utf-8", "replace")
            ):
                raise Forbidden("making a table here needs the house password", "house-password")
            self._passwords.forget(source)
        if wait := self._makers.wait(source):
            raise TooMany("too many tables were made from here", int(wait) + 1)
        return await self._guarded(seating.create(self.house, new, secret))

    async def link(self, token: str) -> Link:
        """What a link gives; changes nothing. Raises NotFound if there is no such link, or it was used."""
        kind = link_kind(token)
        if kind is None:
            raise NotFound("there is no such link")
        if kind == "seat":
            table, seat = await self._guarded(seating.seat_of_link(self.house, token))
            return await self.house.see(
                table, lambda live: Link("seat", table_info(self.house, live.data, live.seats, live), seat)
            )

        def look(live: LiveTable) -> Link:
            info = table_info(self.house, live.data, live.seats, live)
            if kind == "watch" and live.data.spectators != "none" and is_watch(live, token):
                return Link("watch", info)
            if kind == "invite" and same(token, link_token(live.data.key, "invite", live.data.id)):
                return Link("invite", info)
            raise NotFound("there is no such link")

        return await self.house.see(link_table(token), look)

    async def take_seat(
        self, token: str, name: str, *, seat: int | None = None, secret: str | None = None, nonce: str = ""
    ) -> Joined:
        """Take an open seat with an invitation: the given one, or the first. secret: as for ``create``.

        Who has a seat there already gets it again. Raises NotFound, Invalid (name), Conflict (taken).
        """
        return await self._guarded(seating.take_seat(self.house, token, name, seat, secret, nonce))

    async def mix(self, table: str, caller: Caller, nonce: str) -> None:
        """Before the start, set what the caller's seat adds to the dice, whose commitment stands; empty: nothing.

        Up to 64 letters, digits, ``-`` and ``_``. A held table then starts, once no seat is open. Raises Invalid,
        Forbidden, and Conflict after the start.
        """
        await seating.mix(self.house, table, caller, nonce)

    async def leave(self, table: str, caller: Caller) -> None:
        """Give up a seat before the start. Raises Conflict after it: then ``resign``."""
        await seating.leave(self.house, table, caller)

    async def make_seat_link(self, table: str, caller: Caller) -> str:
        """A token that moves the caller's seat to another device, once, within a day; shown once, stored hashed."""
        return await seating.make_seat_link(self.house, table, caller)

    async def move_seat(self, token: str, *, secret: str | None = None) -> Joined:
        """Move a seat to this browser with a seat's link: what it was authorised by before no longer counts."""
        return await self._guarded(seating.move_seat(self.house, token, secret))

    async def make_token(self, table: str, caller: Caller) -> str:
        """A further secret for the caller's seat, for use as an API token; the browser keeps its own."""
        return await seating.make_token(self.house, table, caller)

    async def seat_to_bot(self, table: str, caller: Caller, seat: int, bot: str = "") -> None:
        """The host gives an open seat, or one whose person is away, to a bot; a person may do so with its own seat."""
        await seating.seat_to_bot(self.house, table, caller, seat, bot)

    async def seat_to_person(self, table: str, caller: Caller, seat: int) -> None:
        """The host, or the person, gives a seat back to the person for whom a bot stood in."""
        await seating.seat_to_person(self.house, table, caller, seat)

    async def resign(self, table: str, caller: Caller) -> None:
        """Give the game up. It ends if one seat or none is left; otherwise a bot plays on for the seat."""
        await seating.resign(self.house, table, caller)

    async def rematch(self, table: str, caller: Caller) -> Joined:
        """A new table with the same settings and seats, for the players of a finished one; the same for all of them."""
        return await seating.rematch(self.house, table, caller)

    # -- finding tables

    async def my_tables(self, secret: str | None, limit: int = 100) -> tuple[TableInfo, ...]:
        """The tables at which this secret has a seat or is the host, the last changed first."""
        if not secret:
            return ()
        keys, rows = KEYS, TABLES
        mine = select(keys.c.table_id).where(keys.c.hash == hashed(secret)).distinct()
        return await self._list(select(rows.c.id).where(rows.c.id.in_(mine)), limit)

    async def public_tables(self, *, finished: bool = False, limit: int = 50) -> tuple[TableInfo, ...]:
        """The tables that anybody may watch: the running ones, or the finished ones, the last changed first."""
        rows = TABLES
        status = "finished" if finished else "running"
        wanted = select(rows.c.id).where(rows.c.status == status, rows.c.spectators == "public")
        return await self._list(wanted, limit)

    async def _list(self, wanted: Select[Any], limit: int) -> tuple[TableInfo, ...]:
        newest = wanted.order_by(TABLES.c.changed.desc()).limit(max(1, min(limit, 200)))

        def work(connection: Connection) -> list[Any]:
            return load_rows(connection, [row.id for row in connection.execute(newest)])

        found = await self._guarded(self.database.read(work))
        # By the minute, as ``TableInfo.changed``: the order may not tell of a move that was made in secret.
        found.sort(key=lambda one: (one[0].changed // 60, one[0].created), reverse=True)
        return tuple(table_info(self.house, data, seats) for data, seats in found)

    # -- looking

    async def look(self, table: str, caller: Caller) -> Seen:
        """The table as the caller sees it. Raises NotFound if there is none or the caller may not see it."""
        return await self.house.see(table, lambda live: self._seen(live, caller))

    def _seen(self, live: LiveTable, caller: Caller) -> Seen:
        seat, host = viewer(live, caller)
        self._touch(live, seat)
        return seen(self.house, live, seat, host)

    def _touch(self, live: LiveTable, seat: int | None) -> None:
        """Note that a person was seen, now and then in storage."""
        if seat is None:
            return
        now = self.house.now()
        if now - max(live.seen.get(seat, 0.0), live.seats[seat].seen) > _SEEN_EVERY and not self.house.stopping:
            rows = SEATS
            change = update(rows).where(rows.c.table_id == live.data.id, rows.c.seat == seat).values(seen=now)
            self._later(self.database.write(lambda c: c.execute(change).rowcount))
        live.seen[seat] = now

    def _later(self, work: Any) -> None:
        async def quietly() -> None:
            with contextlib.suppress(SQLAlchemyError, StorageError):
                await work

        task = asyncio.create_task(self.house.whole(quietly()))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def watch(self, table: str, caller: Caller, last: str | None = None, pace: float = 0.0) -> AsyncIterator[str]:
        """The versions (``Seen.version``) of what the caller sees, one whenever it changes.

        pace: how slowly bots play for this watcher, 1 as configured, 0 to 2; the slowest watcher counts.
        The first comes at once, unless it is ``last`` (the Last-Event-ID). An empty text every 15 seconds keeps the
        connection alive. Ends when the server stops or the caller may no longer see the table.
        """
        return self._watch(table, caller, last, min(max(pace, 0.0), 2.0))

    async def _watch(self, table: str, caller: Caller, last: str | None, pace: float) -> AsyncIterator[str]:
        feed = self.house.feed
        with feed.watching(table, pace) as changed:
            self.metrics.streams.set(feed.count)
            look = self.house.see
            try:
                while not feed.closed:
                    changed.clear()
                    try:
                        version = (await look(table, lambda live: self._seen(live, caller))).version
                    except ServiceError as error:
                        if error.status == 503 and not feed.closed:
                            await asyncio.sleep(1)
                            continue
                        return
                    if version != last:
                        last = version
                        yield version
                    try:
                        await asyncio.wait_for(changed.wait(), HEARTBEAT)
                        look = self.house.peek
                    except TimeoutError:
                        look = self.house.see
                        yield ""
            finally:
                self.metrics.streams.set(feed.count - 1)

    async def log(self, table: str, caller: Caller, since: int = 0) -> tuple[LogLine, ...]:
        """Everything that happened and the caller may know, from line ``since`` on."""

        def look(live: LiveTable) -> tuple[LogLine, ...]:
            seat, _ = viewer(live, caller)
            return () if live.play is None else log_lines(live.play, seat, max(0, since))

        return await self.house.see(table, look)

    async def why_not(self, table: str, caller: Caller, action: str | Mapping[str, Any]) -> Refusal | None:
        """Why the caller's seat may not do that now, None if it may. Raises Invalid if it is no action of the game."""

        def look(live: LiveTable) -> Refusal | None:
            return moving.why_not(live, seating.own_seat(live, caller), action)

        return await self.house.see(table, look)

    async def refusals(self, table: str, caller: Caller, actions: Sequence[str]) -> tuple[tuple[Choice, Refusal], ...]:
        """Those of the actions (in notation, the first 100) that the caller's seat may not take now, and why.

        The reason is the one that ``act`` would give. Raises Invalid if one is no action of the game.
        """

        def look(live: LiveTable) -> tuple[tuple[Choice, Refusal], ...]:
            return tuple(moving.refusals(live, seating.own_seat(live, caller), actions[:MOST_REFUSALS]))

        return await self.house.see(table, look)

    async def odds(self, table: str, caller: Caller, action: str | Mapping[str, Any]) -> Any:
        """The odds of a legal action for the caller's seat, as the game gives them (they have ``to_json``).

        None if the game knows none. Raises Invalid, MoveRefused.
        """

        def look(live: LiveTable) -> Any:
            seat, ask = seating.own_seat(live, caller), getattr(live.game, "odds", None)
            refusal = moving.why_not(live, seat, action)
            if refusal is not None:
                raise MoveRefused(refusal)
            assert live.play is not None
            return None if ask is None else ask(live.play.match.view(seat), live.play.read_action(action))

        return await self.house.see(table, look)

    # -- moving

    async def act(
        self,
        table: str,
        caller: Caller,
        actions: Sequence[str | Mapping[str, Any]],
        *,
        decision: str,
        key: str | None = None,
        order: Order | None = None,
    ) -> Answer:
        """Take one action, or a sequence that is accepted or refused as one; notation or JSON form.

        decision: ``Seen.decision`` that this answers. key: up to 64 letters, digits, ``-`` and ``_``; a retry with the
        same key gets the first answer. order: what the game asks for of these, in its order, by the seat's view; they
        may then be given in any order. Raises Stale, MoveRefused, Invalid, Forbidden, Conflict.
        """
        if not actions:
            raise Invalid("there is no action in it", "actions")
        return await moving.move(self.house, table, caller, ACT, actions, decision, key, order)

    async def enter(self, table: str, caller: Caller, outcome: str, *, decision: str, key: str | None = None) -> Answer:
        """Type in what the real die or card showed, in notation; otherwise as ``act``."""
        return await moving.move(self.house, table, caller, ENTER, (outcome,), decision, key)

    async def undo(self, table: str, caller: Caller, *, key: str | None = None) -> Answer:
        """Take back the seat's last move. Raises MoveRefused if a die, a card or somebody else came between."""
        return await moving.move(self.house, table, caller, UNDO, (), None, key)

    async def say(self, table: str, caller: Caller, text: str) -> None:
        """Table talk, of at most 500 characters. Raises Invalid, Forbidden (only players talk), TooMany."""
        line = clean_text(text)
        rows = MESSAGES

        async def operation(live: LiveTable) -> None:
            seat = seating.own_seat(live, caller)
            if wait := self._talkers.wait(f"{table} {seat}"):
                raise TooMany("that is too much talk at once", int(wait) + 1)
            made: list[Message] = []

            def work(connection: Connection) -> None:
                count = select(func.count()).select_from(rows).where(rows.c.table_id == table)
                if (connection.execute(count).scalar() or 0) >= self.config.messages_limit:
                    raise TooMany("this table has as much talk as it may have")
                name, now = live.seats[seat].name, self.house.now()
                row = {"table_id": table, "seat": seat, "name": name, "text": line, "at": now}
                number = connection.execute(insert(rows).returning(rows.c.id), row).scalar_one()
                made[:] = [Message(number, seat, name, line, now)]

            await self.house.commit(live, work)
            live.talk = (*live.talk, *made)[-TALK_SHOWN:]

        await self.house.change(table, operation)

    # -- afterwards

    async def record(self, table: str, caller: Caller) -> str:
        """The record of a finished game as text, its seed revealed. Raises Conflict while it runs."""
        return await self._replays.record(table, caller)

    async def replay(self, table: str, caller: Caller) -> Replay:
        """A finished game step by step. Raises Conflict while it runs."""
        return await self._replays.replay(table, caller)

    async def frame(self, table: str, caller: Caller, step: int) -> Frame:
        """The table of a finished game after ``step`` steps, 0 to their number, nothing hidden."""
        return await self._replays.frame(table, caller, step)

    async def course(self, table: str, caller: Caller) -> tuple[View, ...]:
        """The spectator's view after every step of a finished game, for plots."""
        return await self._replays.course(table, caller)
