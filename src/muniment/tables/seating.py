"""Seats: tables are made, seats taken, moved, given to bots and back, given up; and a game is played again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, replace
from itertools import count
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from muniment.agents.levels import agent_of, level_of
from muniment.core.dice import new_seed
from muniment.core.errors import MunimentError
from muniment.tables.errors import Conflict, Forbidden, Invalid, NotFound, TooMany
from muniment.tables.house import House
from muniment.tables.live import LiveTable, SeatData, TableData, load_rows, move_columns
from muniment.tables.models import HOST, KEYS, LINKS, MOVES, SEATS, TABLES
from muniment.tables.moving import begin, finish_columns, timed_columns
from muniment.tables.play import AnyGame
from muniment.tables.showing import viewer
from muniment.tables.tokens import (
    clean_name,
    hashed,
    link_kind,
    link_table,
    link_token,
    new_id,
    new_key,
    new_secret,
    read_secret,
    same,
)
from muniment.tables.values import Caller, Clock, Ending, Joined, NewTable

__all__ = [
    "create", "leave", "make_seat_link", "make_token", "mix", "move_seat", "rematch", "resign", "seat_to_bot",
    "seat_to_person", "take_seat",
]  # fmt: skip

LINK_SECONDS = 86_400
MOST_KEYS = 20
_NONCE = re.compile(r"[A-Za-z0-9_-]{0,64}\Z")


def void(result: object) -> None:
    """Nothing, whatever was done."""


async def own_secret(house: House, secret: str | None) -> str:
    """The browser's secret if it is already in use here, otherwise a fresh one: nobody can be given a known one."""
    known = read_secret(secret)
    if known is None:
        return new_secret()
    keys = KEYS
    wanted = select(keys.c.seat).where(keys.c.hash == hashed(known)).limit(1)
    return known if await house.database.read(lambda c: c.execute(wanted).first()) is not None else new_secret()


# -- making a table


def _checked_clock(clock: Clock | None) -> Clock | None:
    if clock is not None and not (0 <= clock.reserve <= 86_400 and 0 <= clock.increment <= 86_400):
        raise Invalid("a clock has 0 to 86400 seconds", "clock")
    if clock is not None and clock.reserve + clock.increment < 5:
        raise Invalid("a clock gives at least 5 seconds", "clock")
    return clock


def _planned(house: House, game: AnyGame, new: NewTable, name: str) -> tuple[SeatData, ...]:
    low, high = game.facts.seats
    if not low <= len(new.seats) <= high:
        raise Invalid(f"{game.facts.title} has {low} to {high} seats", "seats")
    if sum(plan.kind == "me" for plan in new.seats) > 1:
        raise Invalid("one person has one seat", "seats")
    if all(plan.kind == "bot" for plan in new.seats) and len(new.seats) == 1:
        raise Invalid("a table needs a person, or two bots", "seats")
    now, seats = house.now(), []
    for number, plan in enumerate(new.seats):
        if plan.kind == "me":
            seats.append(SeatData(number, "person", name, "", False, False, "", now))
        elif plan.kind == "bot":
            bot = checked_bot(house, game, plan.bot)
            taken = [name, *(seat.name for seat in seats)]
            seats.append(SeatData(number, "bot", bot_name(game, bot, taken), bot, False, False, "", 0.0))
        else:
            seats.append(SeatData(number, "open", "", "", False, False, "", 0.0))
    return tuple(seats)


def read_nonce(nonce: str) -> str:
    """What a seat adds to the dice. Raises Invalid."""
    if not _NONCE.match(nonce):
        raise Invalid("a nonce has up to 64 letters, digits, - and _", "nonce")
    return nonce


def bot_name(game: AnyGame, bot: str, taken: Iterable[str]) -> str:
    """What a bot is called at a table: by its level if it is one, with a number if that is taken."""
    level = level_of(game.facts.name, bot)
    name, used = bot if level is None else level.name, set(taken)
    return next(found for number in count(1) if (found := name if number == 1 else f"{name} {number}") not in used)


def checked_bot(house: House, game: AnyGame, bot: str) -> str:
    """The name of a bot, given it or its level's; the game's usual one if none is named. Raises Invalid."""
    bots, bot = house.bots(game), agent_of(game.facts.name, bot)
    if not bots:
        raise Invalid("no bot plays this game here", "bot")
    if bot and bot not in bots:
        raise Invalid(f"there is no such bot; there are: {', '.join(bots)}", "bot")
    return bot or bots[0]


async def create(house: House, new: NewTable, secret: str | None) -> Joined:
    """See ``Service.create``; limits by address and the house password have been seen to."""
    name = clean_name(new.name)
    if len(new.options) > 50 or len(new.edition) > 80:
        raise Invalid("that is no option of the game", "options")
    game = house.game(new.game, new.edition, new.options)
    if new.spectators not in ("public", "link", "none"):
        raise Invalid("spectators must be public, link or none", "spectators")
    if new.typed and game.facts.seats != (1, 1):
        raise Invalid("only a game for one can be played with real dice", "typed")
    seats = _planned(house, game, new, name)
    if new.position is not None:
        try:
            game.state_from_json(new.position)
        except MunimentError as error:
            raise Invalid(str(error)[:300], "position") from None
    own = await own_secret(house, secret)
    now = house.now()
    data = TableData(
        id=new_id(), key=new_key(), game=new.game, edition=new.edition, edition_digest=game.edition_digest,
        options=dict(game.option_values), position=new.position, typed=new.typed, seed=new.seed or new_seed(),
        spectators=new.spectators, clock=_checked_clock(new.clock), status="open", revision=1, version=0, entries=0,
        created=now, changed=now, started=None, times=None, deadline=None, bot_asked=False, worker=None,
        worker_until=0.0, ending=None, next_id=None,
    )  # fmt: skip
    keys = [(hashed(own), HOST)] + [(hashed(own), seat.seat) for seat in seats if seat.kind == "person"]
    hold = new.hold and not new.typed and any(seat.kind == "person" for seat in seats)
    await store_new(house, data, seats, keys, hold=hold)
    house.metrics.tables.labels(data.game).inc()
    return Joined(data.id, next((s.seat for s in seats if s.kind == "person"), None), own)


async def store_new(house: House, data: TableData, seats: tuple[SeatData, ...], keys: list[tuple[str, int]],
                    previous: LiveTable | None = None, *, hold: bool = False) -> None:  # fmt: skip
    """Store a new table, and start it if no seat is open, unless it is held. previous: of which it is the rematch."""
    game = house.game(data.game, data.edition, data.options)
    frozen: dict[str, frozenset[int]] = {}
    for key, seat in keys:
        frozen[key] = frozenset((*frozen.get(key, ()), seat))
    live = LiveTable(data, seats, frozen, (), game)
    first: dict[str, Any] | None = None
    if not hold and all(seat.kind != "open" for seat in seats):
        now = house.now()
        live.data, _, stored = begin(house, live, now)
        first = move_columns(live.data, stored, "start", None, None, now)
    row, seat_rows = _columns(live.data), [_seat_columns(data.id, seat) for seat in seats]
    key_rows = [{"hash": key, "table_id": data.id, "seat": seat} for key, seat in keys]
    tables = TABLES

    def work(connection: Connection) -> None:
        if (connection.execute(select(func.count()).select_from(tables)).scalar() or 0) >= house.config.max_tables:
            raise TooMany("this server has as many tables as it may have", 0)
        connection.execute(insert(tables), row)
        connection.execute(insert(SEATS), seat_rows)
        if key_rows:
            connection.execute(insert(KEYS), key_rows)
        if first is not None:
            connection.execute(insert(MOVES), first)

    if previous is None:
        await house.database.write(work)
    else:
        await house.commit(previous, work, data=replace(previous.data, next_id=data.id), next_id=data.id)
    house.admit(live)


def _columns(data: TableData) -> dict[str, Any]:
    clock, times = data.clock, data.times
    return {
        "id": data.id, "key": data.key, "game": data.game, "edition": data.edition,
        "edition_digest": data.edition_digest, "options": json.dumps(dict(data.options)),
        "position": None if data.position is None else json.dumps(data.position), "typed": data.typed,
        "seed": data.seed, "spectators": data.spectators, "clock_reserve": None if clock is None else clock.reserve,
        "clock_increment": None if clock is None else clock.increment, "status": data.status,
        "revision": data.revision, "version": data.version, "entries": data.entries, "created": data.created,
        "changed": data.changed, "started": data.started, "clock": None if times is None else times.write(),
        "deadline": data.deadline, "bot_asked": data.bot_asked, "worker": data.worker,
        "worker_until": data.worker_until, "ending": None if data.ending is None else json.dumps(asdict(data.ending)),
        "next_id": data.next_id,
    }  # fmt: skip


def _seat_columns(table: str, seat: SeatData) -> dict[str, Any]:
    return {"table_id": table, **asdict(seat)}


async def change_seats(house: House, live: LiveTable, seats: tuple[SeatData, ...],
                       keys: Mapping[str, frozenset[int]] | None = None,
                       also: Callable[[Connection], None] = void) -> None:  # fmt: skip
    """Store changed seats and keys, and do ``also`` with it; a table without open seats starts, and bots go on."""
    table, before, old_keys = live.data.id, live.seats, live.keys
    new_keys = old_keys if keys is None else keys
    data, columns, first = live.data, dict[str, Any](), None
    live.seats = seats
    try:
        if data.status == "open" and all(seat.kind != "open" for seat in seats):
            data, columns, stored = begin(house, live, house.now())
            first = move_columns(data, stored, "start", None, None, house.now())
        elif data.status == "running":
            data, columns = timed_columns(house, live, data, None, house.now(), None)
    finally:
        live.seats = before

    def work(connection: Connection) -> None:
        rows, hashes = SEATS, KEYS
        for seat in seats:
            if seat != before[seat.seat]:
                where = (rows.c.table_id == table, rows.c.seat == seat.seat)
                connection.execute(update(rows).where(*where).values(_seat_columns(table, seat)))
        old = {(key, seat) for key, owned in old_keys.items() for seat in owned}
        new = {(key, seat) for key, owned in new_keys.items() for seat in owned}
        for key, number in old - new:
            connection.execute(
                delete(hashes).where(hashes.c.hash == key, hashes.c.table_id == table, hashes.c.seat == number)
            )
        for key, number in new - old:
            connection.execute(insert(hashes), {"hash": key, "table_id": table, "seat": number})
        if first is not None:
            connection.execute(insert(MOVES), first)
        also(connection)

    await house.commit(live, work, data=data, seats=seats, **columns)
    live.keys = new_keys


def with_seat(seats: tuple[SeatData, ...], seat: SeatData) -> tuple[SeatData, ...]:
    """The seats with one of them changed."""
    return tuple(seat if one.seat == seat.seat else one for one in seats)


# -- joining and leaving


async def take_seat(house: House, token: str, name: str, seat: int | None, secret: str | None, nonce: str) -> Joined:
    """See ``Service.take_seat``."""
    name, nonce = clean_name(name), read_nonce(nonce)
    if link_kind(token) != "invite":
        raise NotFound("there is no such invitation")
    own = await own_secret(house, secret)

    async def operation(live: LiveTable) -> Joined:
        table = live.data.id
        if not same(token, link_token(live.data.key, "invite", table)):
            raise NotFound("there is no such invitation")
        mine = live.seat_of(own)
        if mine is not None:
            return Joined(table, mine, own)
        free = [one for one in live.seats if one.kind == "open" and seat in (None, one.seat)]
        if live.data.status != "open" or not free:
            raise Conflict("that seat is taken" if seat is not None else "all seats are taken", "taken")
        taken = replace(free[0], kind="person", name=name, nonce=nonce, seen=house.now())
        keys = {**live.keys, hashed(own): frozenset((*live.keys.get(hashed(own), ()), taken.seat))}
        await change_seats(house, live, with_seat(live.seats, taken), keys)
        return Joined(table, taken.seat, own)

    return await house.change(link_table(token), operation)


def own_seat(live: LiveTable, caller: Caller) -> int:
    """The caller's seat. Raises NotFound, Forbidden."""
    seat, _ = viewer(live, caller)
    if seat is None:
        raise Forbidden("only a player of this table can do that", "not-a-player")
    return seat


async def mix(house: House, table: str, caller: Caller, nonce: str) -> None:
    """See ``Service.mix``."""
    nonce = read_nonce(nonce)

    async def operation(live: LiveTable) -> None:
        seat = own_seat(live, caller)
        if live.data.status != "open":
            raise Conflict("the game has begun, and with it the dice", "begun")
        await change_seats(house, live, with_seat(live.seats, replace(live.seats[seat], nonce=nonce)))

    await house.change(table, operation)


def without_seat(keys: Mapping[str, frozenset[int]], seat: int) -> dict[str, frozenset[int]]:
    """The keys, none of which authorises the seat any more."""
    return {key: rest for key, owned in keys.items() if (rest := owned - {seat})}


async def leave(house: House, table: str, caller: Caller) -> None:
    """See ``Service.leave``."""

    async def operation(live: LiveTable) -> None:
        seat = own_seat(live, caller)
        if live.data.status != "open":
            raise Conflict("the game has begun: resign instead", "begun")
        left = replace(live.seats[seat], kind="open", name="", nonce="", seen=0.0)
        await change_seats(house, live, with_seat(live.seats, left), without_seat(live.keys, seat))

    await house.change(table, operation)


async def make_seat_link(house: House, table: str, caller: Caller) -> str:
    """See ``Service.make_seat_link``."""
    token = "s" + new_secret()
    links = LINKS

    async def operation(live: LiveTable) -> None:
        row = {"hash": hashed(token), "table_id": table, "seat": own_seat(live, caller)}

        def work(connection: Connection) -> None:
            connection.execute(delete(links).where(links.c.table_id == table, links.c.seat == row["seat"]))
            connection.execute(delete(links).where(links.c.expires < house.now()))
            connection.execute(insert(links), {**row, "expires": house.now() + LINK_SECONDS})

        await house.database.write(work)

    await house.change(table, operation)
    return token


async def seat_of_link(house: House, token: str) -> tuple[str, int]:
    """The table and seat of a seat's link that was not used. Raises NotFound."""
    links = LINKS
    wanted = select(links.c.table_id, links.c.seat).where(links.c.hash == hashed(token), links.c.expires >= house.now())
    row = await house.database.read(lambda c: c.execute(wanted).first())
    if row is None:
        raise NotFound("this link was used already, or is too old")
    return row.table_id, row.seat


async def move_seat(house: House, token: str, secret: str | None) -> Joined:
    """See ``Service.move_seat``."""
    if link_kind(token) != "seat":
        raise NotFound("there is no such link")
    table, seat = await seat_of_link(house, token)
    own = await own_secret(house, secret)
    links = LINKS

    async def operation(live: LiveTable) -> Joined:
        if live.seats[seat].kind != "person" or live.seat_of(own) not in (None, seat):
            raise Conflict("this browser has another seat at that table", "other-seat")
        await seat_of_link(house, token)
        moved = without_seat(live.keys, seat)
        host = False
        for key, owned in live.keys.items():
            if HOST in owned and seat in owned:  # who moves a host's seat moves being the host with it
                host = True
                del moved[key]
        gained = {seat, HOST} if host else {seat}
        moved[hashed(own)] = frozenset(gained | moved.get(hashed(own), frozenset()))
        used = delete(links).where(links.c.hash == hashed(token))
        await change_seats(house, live, live.seats, moved, lambda c: void(c.execute(used)))
        return Joined(table, seat, own)

    return await house.change(table, operation)


async def make_token(house: House, table: str, caller: Caller) -> str:
    """See ``Service.make_token``."""
    token = new_secret()

    async def operation(live: LiveTable) -> None:
        seat = own_seat(live, caller)
        if len(live.keys) >= MOST_KEYS:
            raise TooMany("this table has as many tokens as it may have")
        await change_seats(house, live, live.seats, {**live.keys, hashed(token): frozenset((seat,))})

    await house.change(table, operation)
    return token


# -- bots and people


async def seat_to_bot(house: House, table: str, caller: Caller, seat: int, bot: str) -> None:
    """See ``Service.seat_to_bot``."""

    async def operation(live: LiveTable) -> None:
        mine, host = viewer(live, caller)
        if not 0 <= seat < len(live.seats):
            raise Invalid("there is no such seat", "seat")
        if not host and mine != seat:
            raise Forbidden("only the host can give that seat to a bot", "not-the-host")
        agent, one = checked_bot(house, live.game, bot), live.seats[seat]
        if one.automatic or live.data.status not in ("open", "running"):
            raise Conflict("a bot plays there already, or the game is over", "no-need")
        if one.kind == "open":
            name = bot_name(live.game, agent, [other.name for other in live.seats])
            changed = replace(one, kind="bot", name=name, bot=agent)
        else:
            if live.data.status == "open":
                raise Conflict("the game has not begun", "not-running")
            seen = max(one.seen, live.seen.get(seat, 0.0))
            if mine != seat and house.now() - seen < house.config.away_seconds:
                raise Conflict(f"{one.name} is there", "present")
            if len(live.seats) == 1:
                raise Conflict("a game for one is played by a person", "no-need")
            changed = replace(one, stand_in=True, bot=agent)
        await change_seats(house, live, with_seat(live.seats, changed))

    await house.change(table, operation)


async def seat_to_person(house: House, table: str, caller: Caller, seat: int) -> None:
    """See ``Service.seat_to_person``."""

    async def operation(live: LiveTable) -> None:
        mine, host = viewer(live, caller)
        if not 0 <= seat < len(live.seats):
            raise Invalid("there is no such seat", "seat")
        if not host and mine != seat:
            raise Forbidden("only the host can give that seat back", "not-the-host")
        one = live.seats[seat]
        if not one.stand_in or one.resigned or live.data.status != "running":
            raise Conflict("no bot stands in for a person there", "no-need")
        await change_seats(house, live, with_seat(live.seats, replace(one, stand_in=False, bot="")))

    await house.change(table, operation)


async def resign(house: House, table: str, caller: Caller) -> None:
    """See ``Service.resign``."""

    async def operation(live: LiveTable) -> None:
        seat = own_seat(live, caller)
        if live.data.status != "running":
            raise Conflict("the game is not running", "not-running")
        if live.seats[seat].resigned:
            raise Conflict("this seat has resigned already", "resigned")
        bots = house.bots(live.game)
        seats = with_seat(live.seats, replace(live.seats[seat], resigned=True, bot=bots[0] if bots else ""))
        left = [one for one in seats if not one.resigned]
        if bots and len(left) > 1 and any(one.kind == "person" for one in left):
            await change_seats(house, live, seats)
            return
        share = "0" if not left else "1" if len(left) == 1 else f"1/{len(left)}"
        returns = tuple("0" if one.resigned else share for one in seats)
        ending = Ending(returns, "resigned", "", f"{live.seats[seat].name} resigned.")
        columns, changes = finish_columns(ending)
        rows = SEATS
        change = update(rows).where(rows.c.table_id == table, rows.c.seat == seat).values(resigned=True)
        await house.commit(
            live, lambda c: void(c.execute(change)), data=replace(live.data, **changes), seats=seats, **columns
        )

    await house.change(table, operation)


# -- again


async def rematch(house: House, table: str, caller: Caller) -> Joined:
    """See ``Service.rematch``."""

    async def operation(live: LiveTable) -> Joined:
        seat, host = viewer(live, caller)
        if seat is None and not host:
            raise Forbidden("only the players of this table can play again", "not-a-player")
        if live.data.status != "finished":
            raise Conflict("the game is not over", "running")
        secret = caller.secret or ""
        if live.data.next_id is not None:
            found = await house.database.read(lambda c: load_rows(c, [live.data.next_id or ""]))
            if found:
                return Joined(live.data.next_id, seat, secret)
        now = house.now()
        data = replace(
            live.data, id=new_id(), key=new_key(), seed=new_seed(), status="open", revision=1, version=0, entries=0,
            created=now, changed=now, started=None, times=None, deadline=None, bot_asked=False, worker=None,
            worker_until=0.0, ending=None, next_id=None,
        )  # fmt: skip
        seats = tuple(
            replace(one, bot=one.bot if one.kind == "bot" else "", stand_in=False, resigned=False, nonce="", seen=now)
            for one in live.seats
        )
        keys = [(key, number) for key, owned in live.keys.items() for number in owned]
        await store_new(house, data, seats, keys, previous=live)
        return Joined(data.id, seat, secret)

    return await house.change(table, operation)
