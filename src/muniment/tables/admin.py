"""What an administrator can do: look at tables and storage, close, delete, remove a player or a message."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, delete, func, select, text, update

from muniment.tables.errors import Conflict, NotFound
from muniment.tables.house import House
from muniment.tables.keeper import Keeper, delete_tables
from muniment.tables.live import LiveTable, load_rows
from muniment.tables.models import MESSAGES, MOVES, SEATS, TABLES
from muniment.tables.seating import change_seats, checked_bot, with_seat, without_seat
from muniment.tables.showing import table_info
from muniment.tables.values import Message, TableInfo

__all__ = ["Admin", "Storage"]


@dataclass(frozen=True, slots=True)
class Storage:
    """What is stored. bytes: of the database; tables: how many of each status."""

    kind: str
    bytes: int
    tables: dict[str, int]
    moves: int
    messages: int
    durability: dict[str, str]


class Admin:
    """The administrator's side of the service; whoever calls it has checked the secret."""

    def __init__(self, house: House, keeper: Keeper) -> None:
        self._house = house
        self._keeper = keeper

    async def tables(self, status: str = "", limit: int = 100, offset: int = 0) -> tuple[TableInfo, ...]:
        """Tables, the last changed first."""

        def work(connection: Connection) -> list[Any]:
            wanted = select(TABLES.c.id).order_by(TABLES.c.changed.desc()).limit(limit).offset(offset)
            if status:
                wanted = wanted.where(TABLES.c.status == status)
            return load_rows(connection, [row.id for row in connection.execute(wanted)])

        found = await self._house.database.read(work)
        return tuple(table_info(self._house, data, seats) for data, seats in found)

    async def storage(self) -> Storage:
        """How much is stored."""
        database = self._house.database

        def work(connection: Connection) -> tuple[int, dict[str, int], int, int]:
            if database.shared:
                size = connection.execute(text("SELECT pg_database_size(current_database())")).scalar()
            else:
                pages = connection.exec_driver_sql("PRAGMA page_count").scalar() or 0
                size = pages * (connection.exec_driver_sql("PRAGMA page_size").scalar() or 0)
            by_status = select(TABLES.c.status, func.count()).group_by(TABLES.c.status)
            counts = [connection.execute(select(func.count()).select_from(t)).scalar() or 0 for t in (MOVES, MESSAGES)]
            tables = {str(row[0]): int(row[1]) for row in connection.execute(by_status)}
            return int(size or 0), tables, counts[0], counts[1]

        size, tables, moves, messages = await database.read(work)
        kind = "postgresql" if database.shared else "sqlite"
        return Storage(kind, size, tables, moves, messages, database.sync_settings())

    async def talk(self, table: str) -> tuple[Message, ...]:
        """What was said at a table."""
        return await self._house.see(table, lambda live: live.talk)

    async def close(self, table: str) -> None:
        """End a table: nobody can move there any more, and what was hidden is shown."""

        async def operation(live: LiveTable) -> None:
            if live.data.status in ("finished", "closed"):
                raise Conflict("that table is over", "over")
            changes: dict[str, Any] = {"status": "closed", "deadline": None, "bot_asked": False}
            await self._house.commit(live, data=replace(live.data, **changes), **changes)

        await self._house.change(table, operation)

    async def delete(self, table: str) -> None:
        """Delete a table and all that belongs to it."""
        await self._house.see(table, lambda live: live.data.id)
        await delete_tables(self._house, [table])

    async def remove_player(self, table: str, seat: int) -> None:
        """Take a seat, and its name, from its person; in a running game a bot plays on."""

        async def operation(live: LiveTable) -> None:
            if not 0 <= seat < len(live.seats) or live.seats[seat].kind != "person":
                raise NotFound("no person has that seat")
            keys = without_seat(live.keys, seat)
            one = replace(live.seats[seat], nonce=live.seats[seat].nonce, seen=0.0)
            if live.data.status == "open":
                one = replace(one, kind="open", name="", nonce="")
            elif live.data.status == "running":
                one = replace(one, name="removed", resigned=True, bot=checked_bot(self._house, live.game, ""))
            else:
                one = replace(one, name="removed")

            def nameless(connection: Connection) -> None:
                wanted = (MESSAGES.c.table_id == table, MESSAGES.c.seat == seat)
                connection.execute(update(MESSAGES).where(*wanted).values(name="removed"))

            await change_seats(self._house, live, with_seat(live.seats, one), keys, nameless)
            self._house.drop(table)

        await self._house.change(table, operation)

    async def remove_message(self, table: str, message: int) -> None:
        """Delete something that was said."""

        async def operation(live: LiveTable) -> None:
            wanted = delete(MESSAGES).where(MESSAGES.c.table_id == table, MESSAGES.c.id == message)

            def work(connection: Connection) -> None:
                if connection.execute(wanted).rowcount != 1:
                    raise NotFound("there is no such message")

            await self._house.commit(live, work)
            live.talk = tuple(one for one in live.talk if one.id != message)

        await self._house.change(table, operation)

    async def sweep(self) -> int:
        """Delete what is older than it is kept, now; how many tables."""
        return await self._keeper.sweep()

    async def seats(self) -> int:
        """How many seats people have."""
        wanted = select(func.count()).select_from(SEATS).where(SEATS.c.kind == "person")
        return await self._house.database.read(lambda c: c.execute(wanted).scalar() or 0)
