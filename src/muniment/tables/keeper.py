"""What goes on by itself: bots answer, clocks run out, old tables are deleted.

The process that stores a move after which a bot is asked takes a lease on the table in the same transaction, and
renews it while the bot thinks. Once a second every process looks for tables whose lease has run out, because the
process that held it died, or whose clock has, and takes a lease on those it finds. The lease only saves work: that a
decision is answered once is seen to by the tables' revisions, as for everybody's moves.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import structlog
from sqlalchemy import Connection, and_, delete, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from muniment.core.dice import RandomStream
from muniment.tables.bots import BotPool, Question
from muniment.tables.database import StorageError
from muniment.tables.errors import Conflict, ServiceError
from muniment.tables.house import House
from muniment.tables.live import LiveTable
from muniment.tables.models import KEYS, LINKS, MESSAGES, MOVES, SEATS, SNAPSHOTS, TABLES
from muniment.tables.moving import apply_move
from muniment.tables.play import ACT, Command

__all__ = ["Keeper", "delete_tables"]

_TICK = 1.0
_RETENTION_SECONDS = 3_600.0
_AT_ONCE = 50
_GLANCE = 0.1
_LATELY = 60.0
_log = structlog.get_logger("muniment.keeper")


@dataclass(frozen=True, slots=True)
class _Asked:
    """A bot is asked for a seat.

    number: of the decision, as in ``Play.asked``. by: "bot", or "clock" where a person's time has run out.
    step: equal for choices that follow each other and are one thing to whoever looks on. urgent: a person plays there.
    """

    live: LiveTable
    number: int
    seat: int
    by: str
    step: tuple[int, str]
    urgent: bool
    question: Question


class Keeper:
    """The bots and clocks of one process."""

    def __init__(self, house: House, pool: BotPool) -> None:
        self._house = house
        self._pool = pool
        self._working: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._loop: asyncio.Task[None] | None = None
        house.after.append(self.notice)

    async def start(self) -> None:
        """Begin; on a storage of its own, whatever leases there are belong to a dead process."""
        rows = TABLES
        if not self._house.database.shared:
            await self._house.database.write(
                lambda c: _void(c.execute(update(rows).where(rows.c.worker_until > 0).values(worker_until=0.0)))
            )
        self._loop = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop, and give the leases up, so that another process goes on at once."""
        tasks = [task for task in (self._loop, *self._working.values()) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        rows = TABLES
        given_up = update(rows).where(rows.c.worker == self._house.worker).values(worker=None, worker_until=0.0)
        with contextlib.suppress(SQLAlchemyError, StorageError):
            await self._house.database.write(lambda c: _void(c.execute(given_up)))

    # -- tables that wait for a bot

    def notice(self, live: LiveTable) -> None:
        """A table has changed: if a bot is asked there, and this process has the lease, let it answer."""
        table = live.data.id
        if not live.data.bot_asked or live.data.worker != self._house.worker or self._house.stopping:
            return
        self._begin(table)

    def _begin(self, table: str) -> None:
        if table in self._working:
            self._again.add(table)
            return
        task = asyncio.create_task(self._work(table))
        self._working[table] = task
        task.add_done_callback(lambda _: self._done(table))

    def _done(self, table: str) -> None:
        self._working.pop(table, None)
        if table in self._again:
            self._again.discard(table)
            if not self._house.stopping:
                self._begin(table)

    async def _work(self, table: str) -> None:
        """Let bots answer at the table as long as one is asked."""
        house = self._house
        try:
            while (found := await house.see(table, self._question)) is not None:
                index = await self._pool.choose(found.question, urgent=found.urgent)
                await self._pause(table, found)
                if house.stopping:
                    return
                with contextlib.suppress(Conflict):  # somebody else answered, or it has become illegal: look again
                    await house.change(table, self._answer(found, found.question.legal[index].notation))
        except ServiceError as error:
            _log.info("bot_stopped", table=table, code=error.code)
        except asyncio.CancelledError:
            raise
        except Exception:  # noqa: BLE001 - one table may not stop the others
            _log.exception("bot_crashed", table=table)

    async def _pause(self, table: str, asked: _Asked) -> None:
        """Let who looks on see what bots did last, before the next step. No table but this one waits."""
        while asked.by == "bot" and not self._house.stopping:
            at, step = asked.live.shown
            slow = max(self._house.feed.pace(table), 1.0 if self._may_watch_elsewhere(asked.live) else 0.0)
            rest = at + slow * self._house.config.bot_pause - time.monotonic()
            if step in (None, asked.step) or rest <= 0:
                return
            await asyncio.sleep(min(rest, _GLANCE))  # meanwhile a watcher may come, go, or want it faster

    def _may_watch_elsewhere(self, live: LiveTable) -> bool:
        """Whether a person plays here who may be watching by way of another process: streams are known to their own."""
        house = self._house
        if not house.database.shared or house.feed.watched(live.data.id):
            return False
        since = house.now() - _LATELY
        return any(
            not one.automatic and one.kind == "person" and max(one.seen, live.seen.get(one.seat, 0.0)) > since
            for one in live.seats
        )

    def _question(self, live: LiveTable) -> _Asked | None:
        """The first seat for which a bot must answer, and what it is asked."""
        seats = live.automatic(self._house.now())
        play = live.play
        if not seats or play is None:
            return None
        seat = seats[0]
        legal = tuple(play.match.legal_actions(seat))
        if not legal:
            return None
        bots = self._house.bots(live.game)
        own = live.seats[seat].automatic
        bot = live.seats[seat].bot if own and live.seats[seat].bot in bots else (bots[0] if bots else "random")
        path = self._house.editions(live.data.game).get(live.data.edition) if live.data.edition else None
        question = Question(
            game=live.data.game, edition=path, options=tuple(sorted(live.game.option_values.items())), bot=bot,
            instead=bots[0] if bots and bots[0] != bot else "", view=play.match.view(seat), legal=legal,
            source=RandomStream.labelled(live.data.seed, "agent", seat, play.match.entry_count),
        )  # fmt: skip
        step = (seat, getattr(play.match.pending, "kind", ""))
        urgent = any(one.kind == "person" and not one.automatic for one in live.seats)
        return _Asked(live, play.asked[seat], seat, "bot" if own else "clock", step, urgent, question)

    def _answer(self, asked: _Asked, notation: str) -> Callable[[LiveTable], Awaitable[None]]:
        seat = asked.seat

        async def operation(live: LiveTable) -> None:
            if live.play is None or live.data.status != "running" or live.play.asked[seat] != asked.number:
                return
            if seat not in live.automatic(self._house.now()):
                return
            public = len(live.play.log(None))
            await apply_move(self._house, live, Command(ACT, seat, (notation,)), asked.by)
            if len(live.play.log(None)) > public:
                live.shown = time.monotonic(), asked.step

        return operation

    # -- once a second

    async def _run(self) -> None:
        swept = time.monotonic()
        while True:
            await asyncio.sleep(_TICK)
            try:
                await self._renew()
                await self._look_for_work()
                if time.monotonic() - swept > _RETENTION_SECONDS:
                    swept = time.monotonic()
                    await self.sweep()
            except (SQLAlchemyError, StorageError) as error:
                _log.warning("keeper_failed", error=type(error).__name__)

    async def _renew(self) -> None:
        """Keep the leases on tables whose bots are thinking."""
        if not self._working or not self._house.database.shared:
            return
        rows, house = TABLES, self._house
        mine = and_(rows.c.id.in_(list(self._working)), rows.c.worker == house.worker)
        until = house.now() + house.config.lease_seconds
        await house.database.write(lambda c: _void(c.execute(update(rows).where(mine).values(worker_until=until))))

    async def _look_for_work(self) -> None:
        rows, house = TABLES, self._house
        now = house.now()
        waits = and_(
            rows.c.status == "running",
            rows.c.worker_until < now,
            or_(rows.c.bot_asked, rows.c.deadline < now),
        )
        wanted = select(rows.c.id).where(waits).order_by(rows.c.changed).limit(_AT_ONCE)
        found = await house.database.read(lambda c: [row.id for row in c.execute(wanted)])
        for table in found:
            if table not in self._working and await self._lease(table, now):
                self._begin(table)

    async def _lease(self, table: str, now: float) -> bool:
        rows, house = TABLES, self._house
        mine = update(rows).where(rows.c.id == table, rows.c.worker_until < now)
        mine = mine.values(worker=house.worker, worker_until=house.now() + house.config.lease_seconds)
        return await house.database.write(lambda c: c.execute(mine).rowcount == 1)

    async def sweep(self) -> int:
        """Delete the tables that are older than they are kept; how many they were."""
        rows, house = TABLES, self._house
        day, now, old = 86_400.0, house.now(), []
        if house.config.keep_finished_days:
            over = rows.c.status.in_(("finished", "closed"))
            old.append(and_(over, rows.c.changed < now - day * house.config.keep_finished_days))
        if house.config.keep_idle_days:
            old.append(rows.c.changed < now - day * house.config.keep_idle_days)
        if not old:
            return 0
        wanted = select(rows.c.id).where(or_(*old)).limit(500)
        found = await house.database.read(lambda c: [row.id for row in c.execute(wanted)])
        await delete_tables(house, found)
        if found:
            _log.info("old_tables_deleted", count=len(found))
        return len(found)


def _void(result: object) -> None:
    """Nothing, whatever was done."""


async def delete_tables(house: House, tables: list[str]) -> None:
    """Delete tables and all that belongs to them."""
    if not tables:
        return

    def work(connection: Connection) -> None:
        for rows in (MESSAGES, MOVES, SNAPSHOTS, SEATS, KEYS, LINKS):
            connection.execute(delete(rows).where(rows.c.table_id.in_(tables)))
        rows = TABLES
        connection.execute(delete(rows).where(rows.c.id.in_(tables)))

    await house.database.write(work)
    for table in tables:
        house.drop(table)
        house.feed.publish(table, 0)
