"""Several server processes on one PostgreSQL."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx

from tests.tables.helpers import asynchronous
from tests.tables.postgres import free_port
from tests.web.client import API, Player, Server, events, make, server

PROCESSES = 4
MOVES = 200


@asynchronous
async def test_four_processes_are_one(postgres_url: str, tmp_path: Path) -> None:
    shared = {"MUNIMENT_DATABASE_URL": postgres_url, "MUNIMENT_CONNECTIONS": "4", "MUNIMENT_LEASE_SECONDS": "1"}
    thinking = {"MUNIMENT_BOT_PROCESSES": "1", "TEST_BOT_SECONDS": "2"}
    environments = [shared, shared | thinking, shared | thinking, shared]
    with ExitStack() as stack, ThreadPoolExecutor(PROCESSES) as threads:
        ports = [free_port() for _ in range(PROCESSES)]
        started = threads.map(lambda e, port: stack.enter_context(server(e, port, tmp_path)), environments, ports)
        servers = await asyncio.to_thread(list[Server], started)  # all migrate at once
        limits = httpx.Limits(max_connections=60)
        clients = [httpx.AsyncClient(base_url=one.url, timeout=30, limits=limits) for one in servers]
        await see_each_other(clients, servers)
        await one_wins(clients)
        await take_over(clients, servers)
        await go_on(clients)
        for client in clients:
            await client.aclose()
        for one in (servers[0], *servers[2:]):
            assert await asyncio.to_thread(one.stop) == 0
            assert "Traceback" not in one._log.read_text()


async def see_each_other(clients: list[httpx.AsyncClient], servers: list[Server]) -> None:
    """Two players on different processes see each other's moves, on the stream and when they look."""
    ada = await make(clients[0], "standoff", seats=[{"kind": "me"}, {"kind": "open"}], spectators="public")
    invite = (await ada.look())["invite"]
    stream = events(servers[2].url, f"{API}/tables/{ada.table}/stream", {})
    opened = await anext(stream)
    joined = await clients[1].post(f"{API}/links/{invite}/seat", json={"name": "Ben"})
    ben = Player(clients[1], joined.json())
    started = await asyncio.wait_for(anext(stream), 5)
    assert started != opened
    assert (await ada.look())["table"]["status"] == "running"
    for player in (ada, ben):
        seen = await player.look()
        assert (await player.move(seen["decision"], "stake")).status_code == 200
    ended = await asyncio.wait_for(anext(stream), 5)
    seen = await Player(clients[3], {"table": ada.table, "secret": "x"}).look()
    assert (seen["version"], seen["table"]["status"]) == (ended, "finished")
    await stream.aclose()  # type: ignore[attr-defined]


async def one_wins(clients: list[httpx.AsyncClient]) -> None:
    """Of 200 moves sent at once to four processes, all for one decision, exactly one counts."""
    me = await make(clients[0])
    seen = await me.look()
    players = [Player(client, {"table": me.table, "secret": me.headers["Authorization"][7:]}) for client in clients]
    moves = (players[n % PROCESSES].move(seen["decision"], "end", key=f"k{n}") for n in range(MOVES))
    answers = await asyncio.gather(*moves)
    codes = [answer.status_code for answer in answers]
    assert codes.count(200) == 1
    assert {answer.json()["error"]["code"] for answer in answers if answer.status_code != 200} == {"stale-decision"}
    versions = {(await player.look())["version"] for player in players}
    assert versions == {answers[codes.index(200)].json()["version"]}
    same = await asyncio.gather(
        *(player.move(seen["decision"], "end", key=f"k{codes.index(200)}") for player in players)
    )
    assert {answer.json()["version"] for answer in same} == versions


async def take_over(clients: list[httpx.AsyncClient], servers: list[Server]) -> None:
    """A process is killed while its bot thinks: another one answers for the bot."""
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "random"}]
    me = await make(clients[1], "standoff", seats=seats)
    seen = await me.look()
    assert (await me.move(seen["decision"], "stake")).status_code == 200
    await asyncio.to_thread(servers[1].kill)
    elsewhere = Player(clients[0], {"table": me.table, "secret": me.headers["Authorization"][7:]})
    for _ in range(300):
        seen = await elsewhere.look()
        if seen["table"]["status"] == "finished":
            return
        await asyncio.sleep(0.1)
    raise AssertionError("nobody took the bot over")


async def go_on(clients: list[httpx.AsyncClient]) -> None:
    """When a process has died, its tables are played on in another."""
    me = await make(clients[0])
    elsewhere = Player(clients[3], {"table": me.table, "secret": me.headers["Authorization"][7:]})
    for player in (me, elsewhere, me):
        seen = await player.look()
        assert (await player.move(seen["decision"], "end")).status_code == 200 or seen["decision"] is None
