"""The house: the tables in memory over the storage, one change at a time at each of them.

A change is worked out from one revision of a table and stored only if that is still the stored one; if another process
was faster, the table is read again and the change worked out anew. Within a process a lock per table does the same.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import structlog
from sqlalchemy import Connection, update
from sqlalchemy.exc import SQLAlchemyError

from muniment.agents.catalog import agent_names
from muniment.agents.levels import Level, levels
from muniment.core.errors import EditionError, MunimentError
from muniment.games.catalog import GAME_NAMES, make_game
from muniment.tables.config import Config
from muniment.tables.database import Database, StorageError
from muniment.tables.errors import Busy, Invalid, NotFound, ServiceError
from muniment.tables.feed import Feed
from muniment.tables.live import LiveTable, SeatData, TableData, load, load_moves, read_play
from muniment.tables.metrics import Metrics
from muniment.tables.models import TABLES
from muniment.tables.play import AnyGame
from muniment.tables.tokens import is_id
from muniment.tables.values import GameInfo

__all__ = ["House", "Raced"]

T = TypeVar("T")
_ATTEMPTS = 50
_log = structlog.get_logger("muniment.tables")


class Raced(Exception):
    """Another process changed the table first."""


class House:
    """What the parts of the service share."""

    def __init__(self, config: Config, database: Database, feed: Feed, metrics: Metrics) -> None:
        self.config = config
        self.database = database
        self.feed = feed
        self.metrics = metrics
        self.stopping = False
        self.worker = f"{os.getpid()}-{secrets.token_hex(6)}"
        self.after: list[Callable[[LiveTable], None]] = []
        self._cache: OrderedDict[str, LiveTable] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._changed: set[str] = set()
        self._asked: dict[str, asyncio.Future[int | None]] = {}
        self._asking: asyncio.Task[None] | None = None
        self._game = lru_cache(maxsize=256)(self._make_game)

    @staticmethod
    def now() -> float:
        """Seconds since 1970."""
        return time.time()

    # -- games

    def game(self, name: str, edition: str, options: Mapping[str, object]) -> AnyGame:
        """A game; tables with the same one share it. Raises Invalid."""
        if name not in GAME_NAMES:
            raise Invalid(f"there is no such game; the games are: {', '.join(GAME_NAMES)}", "game")
        try:
            return self._game(name, edition, tuple(sorted(options.items())))
        except EditionError:
            raise Invalid("that edition cannot be used", "edition") from None
        except (MunimentError, TypeError) as error:
            raise Invalid(str(error)[:300], "options") from None

    def _make_game(self, name: str, edition: str, options: tuple[tuple[str, object], ...]) -> AnyGame:
        path = None
        if edition:
            path = self.editions(name).get(edition)
            if path is None:
                raise Invalid("there is no such edition", "edition")
        return make_game(name, path, dict(options))

    def editions(self, game: str) -> dict[str, Path]:
        """The edition files of the game that this server offers, by name."""
        if not self.config.editions:
            return {}
        found = sorted(Path(self.config.editions).glob(f"{game}-*.toml"))
        return {path.stem.removeprefix(f"{game}-"): path for path in found}

    def bots(self, game: AnyGame) -> tuple[str, ...]:
        """The agents that may play here, the one that stands in for people first."""
        names = agent_names(game) if self.config.bot_processes else ()
        return tuple(sorted(names, key=lambda name: name == "random"))

    def levels(self, game: AnyGame) -> tuple[Level, ...]:
        """The levels for people that may play here, the easiest first."""
        bots = self.bots(game)
        return tuple(level for level in levels(game.facts.name) if level.agent in bots)

    def games(self) -> tuple[GameInfo, ...]:
        """The games that can be played here."""
        found = []
        for name in GAME_NAMES:
            game = self.game(name, "", {})
            bots = self.bots(game)
            options = type(game).option_definitions
            found.append(
                GameInfo(
                    name,
                    game.facts,
                    options,
                    tuple(self.editions(name)),
                    bots,
                    bots[0] if bots else "",
                    self.levels(game),
                    hasattr(game, "odds"),
                )
            )
        return tuple(found)

    # -- tables in memory

    @asynccontextmanager
    async def _locked(self, table: str) -> Any:
        lock = self._locks.get(table)
        if lock is None:
            lock = self._locks[table] = asyncio.Lock()
        async with lock:
            yield
        if table not in self._cache and not lock.locked() and not getattr(lock, "_waiters", None):
            self._locks.pop(table, None)

    def drop(self, table: str) -> None:
        """Forget what is in memory of a table."""
        self._cache.pop(table, None)
        self.metrics.cached.set(len(self._cache))

    def cached(self, table: str) -> LiveTable | None:
        """The table, if it is in memory, nobody changes it now, and no other process can have changed it."""
        live = self._cache.get(table)
        lock = self._locks.get(table)
        if live is None or self.database.shared or (lock is not None and lock.locked()):
            return None
        self._cache.move_to_end(table)
        return live

    async def _fresh(self, table: str) -> LiveTable:
        """The table as it is stored now. Raises NotFound."""
        live = self._cache.get(table)
        if live is not None:
            self._cache.move_to_end(table)
            if not self.database.shared:
                return live
            if await self._revision(table) == live.data.revision:
                self._changed.discard(table)
                return live
        loaded = await self.database.read(lambda c: load(c, table))
        if loaded is None:
            self.drop(table)
            raise NotFound("there is no such table")
        data = loaded.data
        if live is None:
            game = self.game(data.game, data.edition, data.options)
            if game.edition_digest != data.edition_digest:
                raise Busy("this table's edition file was changed since the game began", "edition-changed")
            live = LiveTable(data, loaded.seats, loaded.keys, loaded.talk, game)
        else:
            live.data, live.seats, live.keys, live.talk = data, loaded.seats, loaded.keys, loaded.talk
            live.rendered.clear()
        await self._catch_up(live)
        self._changed.discard(table)
        self._keep(live)
        return live

    async def _revision(self, table: str) -> int | None:
        """The table's stored revision, None if it is gone; all that is asked meanwhile is asked of storage at once."""
        asked = self._asked.get(table)
        if asked is None:
            asked = self._asked[table] = asyncio.get_running_loop().create_future()
            if self._asking is None:
                self._asking = asyncio.create_task(self._ask_revisions())
        return await asyncio.shield(asked)

    async def _ask_revisions(self) -> None:
        try:
            while self._asked:
                batch, self._asked = self._asked, {}
                try:
                    found = await self.database.revisions(list(batch))
                except (SQLAlchemyError, StorageError) as error:
                    for future in batch.values():
                        future.set_exception(error)
                else:
                    for table, future in batch.items():
                        future.set_result(found.get(table))
        finally:
            self._asking = None

    def note_change(self, table: str) -> None:
        """Another process has changed the table."""
        self._changed.add(table)
        if len(self._changed) > 10_000:
            self._changed.clear()
            for name in list(self._cache):
                self.drop(name)

    async def peek(self, table: str, look: Callable[[LiveTable], T]) -> T:
        """What ``look`` makes of the table as far as this process has heard: good enough where a change is told."""
        live = self._cache.get(table)
        if live is None or self._is_locked(table) or table in self._changed:
            return await self.see(table, look)
        return look(live)

    async def _catch_up(self, live: LiveTable) -> None:
        """Carry out the stored moves that the match in memory has not seen."""
        data = live.data
        number = 0 if live.play is None else live.play.number
        if data.version == number:
            return
        moves, keys, snapshot = await self.database.read(
            lambda c: load_moves(c, data.id, number, data.version, number == 0)
        )
        if not moves:
            raise NotFound("there is no such table")
        live.move_keys.update(keys)
        try:
            if live.play is None:
                live.play = await asyncio.to_thread(read_play, live, moves, snapshot)
                live.snapshot = 0 if snapshot is None else snapshot[0]
            else:
                live.play.follow(moves)
        except MunimentError as error:
            self.drop(data.id)
            _log.error("unreadable_match", table=data.id, error=str(error))
            raise Busy("this table's match cannot be read", "unreadable") from None

    def _keep(self, live: LiveTable) -> None:
        self._cache[live.data.id] = live
        self._cache.move_to_end(live.data.id)
        while len(self._cache) > self.config.cached_tables:
            oldest = next((name for name in self._cache if not self._is_locked(name)), None)
            if oldest is None or oldest == live.data.id:
                break
            self.drop(oldest)
            self._locks.pop(oldest, None)
        self.metrics.cached.set(len(self._cache))

    def admit(self, live: LiveTable) -> None:
        """Keep a table that was just stored for the first time."""
        self._keep(live)
        for hook in self.after:
            hook(live)

    def _is_locked(self, table: str) -> bool:
        lock = self._locks.get(table)
        return lock is not None and (lock.locked() or bool(getattr(lock, "_waiters", None)))

    # -- reading and changing

    async def see(self, table: str, look: Callable[[LiveTable], T]) -> T:
        """What ``look`` makes of the table as it is stored now. Raises NotFound, Busy."""
        live = self.cached(table)
        if live is not None:
            return look(live)
        if not is_id(table):
            raise NotFound("there is no such table")
        async with self._locked(table):
            try:
                return look(await self._fresh(table))
            except (SQLAlchemyError, StorageError) as error:
                raise self.broken(error) from None

    async def change(self, table: str, operation: Callable[[LiveTable], Awaitable[T]]) -> T:
        """Do the operation, which ends with ``commit`` or refuses; it goes on even if whoever asked is gone.

        Raises whatever the operation does, and Busy.
        """
        if self.stopping:
            raise Busy("the server is stopping")
        if not is_id(table):
            raise NotFound("there is no such table")
        return await self.whole(self._change(table, operation))

    async def whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Do the work to its end, even if whoever asked is gone."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def _change(self, table: str, operation: Callable[[LiveTable], Awaitable[T]]) -> T:
        async with self._locked(table):
            for attempt in range(_ATTEMPTS):
                # What this process has heard of a table is tried first: storing checks that it was the newest.
                live = None if attempt else self._heard(table)
                heard = live is not None
                try:
                    live = live or await self._fresh(table)
                    return await operation(live)
                except Raced:
                    self.metrics.races.inc()
                    self.drop(table)
                    await asyncio.sleep(0.002 * attempt)
                except ServiceError:
                    if live is not None and live.play is not None and live.play.number != live.data.version:
                        self.drop(table)
                    if heard and live is not None and await self._is_old(live):
                        continue  # refused for what has changed meanwhile
                    raise
                except (SQLAlchemyError, StorageError) as error:
                    self.drop(table)
                    raise self.broken(error) from None
                except BaseException:
                    self.drop(table)
                    raise
        raise Busy("too many changes at this table at once")

    def _heard(self, table: str) -> LiveTable | None:
        """The table in memory, unless another process is known to have changed it, or would not be heard."""
        live = None if table in self._changed or not self.feed.hears else self._cache.get(table)
        if live is not None:
            self._cache.move_to_end(table)
        return live

    async def _is_old(self, live: LiveTable) -> bool:
        """Whether another process has changed the table since."""
        if not self.database.shared:
            return False
        try:
            return await self._revision(live.data.id) != live.data.revision
        except (SQLAlchemyError, StorageError) as error:
            raise self.broken(error) from None

    def broken(self, error: Exception) -> Busy:
        """What a caller is told when the storage fails: nothing of the reason, which goes to the log."""
        _log.error("storage_failed", error=type(error).__name__, detail=str(getattr(error, "orig", error))[:200])
        self.metrics.failures.inc()
        return Busy("the storage does not answer")

    async def commit(
        self,
        live: LiveTable,
        also: Callable[[Connection], None] | None = None,
        /,
        *,
        data: TableData | None = None,
        seats: tuple[SeatData, ...] | None = None,
        move: Mapping[str, Any] | None = None,
        **columns: Any,
    ) -> None:
        """Store a change of the table, synced, and tell who watches.

        also: what else is done in the transaction. move: the columns of a move that is stored with it, where there is
        nothing else to do. data, seats: what ``live`` holds afterwards, if it is something else. columns: of the
        table's row. Raises Raced if the stored table is no longer of this revision, or has that move.
        """
        table, revision = live.data.id, live.data.revision
        rows = TABLES
        values = {"changed": self.now(), **columns}

        def work(connection: Connection) -> None:
            change = update(rows).where(rows.c.id == table, rows.c.revision == revision)
            if connection.execute(change.values({"revision": revision + 1, **values})).rowcount != 1:
                raise Raced
            if also is not None:
                also(connection)

        if move is None:
            await self.database.write(work)
        elif not await self.database.advance(table, revision, values, move):
            raise Raced
        live.data = replace(data or live.data, revision=revision + 1, changed=values["changed"])
        if seats is not None:
            live.seats = seats
        live.rendered.clear()
        self._keep(live)
        self.feed.publish(table, revision + 1)
        for hook in self.after:
            hook(live)

    async def settle(self) -> None:
        """Wait until all changes that were begun are done."""
        while self._tasks:
            await asyncio.gather(*list(self._tasks), return_exceptions=True)
