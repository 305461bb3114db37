"""``python -m bench.load``: players and watchers of many tables, as a process of their own, against a local server.

It talks HTTP by itself, to be lean, and only ever to 127.0.0.1; it stops by itself. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import time
from collections.abc import AsyncIterator
from typing import Any

HOST = "127.0.0.1"
API = "/api/v1"


class Connection:
    """A keep-alive connection: one request at a time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(HOST, self._port, limit=1 << 20)
        return self._streams

    async def send(self, method: str, path: str, secret: str = "", body: object = None) -> tuple[int, bytes]:
        """The status and the body of an answer."""
        reader, writer = await self._open()
        writer.write(_request(method, path, secret, body))
        head = await reader.readuntil(b"\r\n\r\n")
        status = int(head[9:12])
        at = head.lower().find(b"content-length:")
        length = int(head[at + 15 : head.index(b"\r\n", at)]) if at >= 0 else 0
        return status, await reader.readexactly(length)

    async def events(self, path: str, secret: str) -> AsyncIterator[str]:
        """The versions of a live stream."""
        reader, writer = await self._open()
        writer.write(_request("GET", path, secret, None))
        await reader.readuntil(b"\r\n\r\n")
        while line := await reader.readline():
            if line.startswith(b"id: "):
                yield line[4:].decode().strip()

    def close(self) -> None:
        """Close it."""
        if self._streams is not None:
            self._streams[1].close()


def _request(method: str, path: str, secret: str, body: object) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\n"
    if secret:
        head += f"Authorization: Bearer {secret}\r\n"
    if body is not None:
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n"
    return head.encode() + b"\r\n" + content


class Table:
    """A siege, its player, and whoever watches it."""

    def __init__(self, port: int, dice: random.Random) -> None:
        self._connection = Connection(port)
        self._port = port
        self._dice = dice
        self.id = self.secret = ""
        self.watch = ""
        self.moves = 0
        self.latencies: list[float] = []
        self.delays: list[float] = []
        self.sent: dict[str, float] = {}
        self.errors = 0

    async def make(self) -> None:
        """A fresh table."""
        _, text = await self._connection.send("POST", f"{API}/tables", self.secret, {"game": "siege", "name": "Load"})
        made = json.loads(text)
        self.id, self.secret = made["table"], made["secret"]

    async def look(self, connection: Connection, secret: str = "", watch: str = "") -> Any:
        """What the player, or a watcher, sees."""
        path = f"{API}/tables/{self.id}" + (f"?watch={watch}" if watch else "")
        return json.loads((await connection.send("GET", path, secret))[1])

    async def move(self) -> bool:
        """One move; whether the game goes on."""
        seen = await self.look(self._connection, self.secret)
        self.watch = seen["watch"]
        if seen["table"]["status"] != "running":
            return False
        action = self._dice.choice(seen["actions"])["notation"]
        self.moves += 1
        body = {"decision": seen["decision"], "actions": [action], "key": f"m{self.moves}"}
        started = time.perf_counter()
        status, text = await self._connection.send("POST", f"{API}/tables/{self.id}/moves", self.secret, body)
        if status != 200:
            self.errors += 1
            return False
        self.latencies.append(time.perf_counter() - started)
        self.sent[json.loads(text)["version"]] = started
        return True

    async def follow(self, player: bool) -> None:
        """A page of the player or of a watcher: its stream, and its own view whenever that changes."""
        stream, fetch = Connection(self._port), Connection(self._port)
        path = f"{API}/tables/{self.id}/stream" + ("" if player else f"?watch={self.watch}")
        secret = self.secret if player else ""
        try:
            async for _ in stream.events(path, secret):
                arrived = time.perf_counter()
                if not player and self.sent_at:
                    self.delays.append(arrived - self.sent_at)
                    self.sent_at = 0.0
                await self.look(fetch, secret, "" if player else self.watch)
        finally:
            stream.close()
            fetch.close()

    sent_at = 0.0

    async def move_timed(self) -> bool:
        """One move, whose arrival at the watcher is timed from when it was sent."""
        seen = await self.look(self._connection, self.secret)
        if seen["table"]["status"] != "running":
            return False
        body = {"decision": seen["decision"], "actions": ["end"], "key": f"m{self.moves}"}
        self.moves += 1
        started = self.sent_at = time.perf_counter()
        status, _ = await self._connection.send("POST", f"{API}/tables/{self.id}/moves", self.secret, body)
        if status != 200:
            self.errors += 1
            self.sent_at = 0.0
            return False
        self.latencies.append(time.perf_counter() - started)
        return True


async def as_fast_as_possible(port: int, tables: int, seconds: float) -> dict[str, Any]:
    """So many tables at which every move is followed by the next."""
    made = [Table(port, random.Random(number)) for number in range(tables)]
    await asyncio.gather(*(table.make() for table in made))
    end = time.perf_counter() + seconds

    async def play(table: Table) -> None:
        while time.perf_counter() < end:
            if not await table.move():
                await table.make()

    started = time.perf_counter()
    await asyncio.gather(*(play(table) for table in made))
    return _figures(made, time.perf_counter() - started)


async def at_a_steady_pace(port: int, tables: int, seconds: float, pause: float) -> dict[str, Any]:
    """So many tables with two streams each, and a move every ``pause`` seconds at each."""
    made = [Table(port, random.Random(number)) for number in range(tables)]
    for start in range(0, tables, 20):
        await asyncio.gather(*(_ready(table) for table in made[start : start + 20]))
    pages = [asyncio.create_task(table.follow(player)) for table in made for player in (True, False)]
    await asyncio.sleep(3)
    for table in made:
        table.latencies.clear()
        table.delays.clear()
    before, started = _cpu(), time.perf_counter()

    async def play(table: Table, number: int) -> None:
        await asyncio.sleep(pause * number / tables)
        while time.perf_counter() < started + seconds:
            next_ = time.perf_counter() + pause
            await table.move_timed()
            await asyncio.sleep(max(0.0, next_ - time.perf_counter()))

    await asyncio.gather(*(play(table, number) for number, table in enumerate(made)))
    elapsed = time.perf_counter() - started
    figures = _figures(made, elapsed) | {
        "cpu": (_cpu() - before) / elapsed,
        "streams": sum(not p.done() for p in pages),
    }
    for page in pages:
        page.cancel()
    await asyncio.gather(*pages, return_exceptions=True)
    return figures


async def _ready(table: Table) -> None:
    await table.make()
    table.watch = (await table.look(table._connection, table.secret))["watch"]


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _figures(tables: list[Table], elapsed: float) -> dict[str, Any]:
    latencies = sorted(one for table in tables for one in table.latencies)
    delays = sorted(one for table in tables for one in table.delays)
    return {
        "moves": len(latencies), "seconds": elapsed, "per_second": len(latencies) / elapsed,
        "p50": _quantile(latencies, 0.5), "p99": _quantile(latencies, 0.99), "worst": _quantile(latencies, 1.0),
        "delay_p50": _quantile(delays, 0.5), "delay_p99": _quantile(delays, 0.99), "delays": len(delays),
        "errors": sum(table.errors for table in tables), "cpu": _cpu() / elapsed,
    }  # fmt: skip


def _quantile(values: list[float], part: float) -> float:
    return values[min(len(values) - 1, int(part * len(values)))] if values else float("nan")


def main() -> None:
    """Run one kind of load."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=("fast", "steady"))
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--tables", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--pause", type=float, default=3.0)
    given = parser.parse_args()
    if given.kind == "fast":
        work = as_fast_as_possible(given.port, given.tables, min(given.seconds, 60))
    else:
        work = at_a_steady_pace(given.port, given.tables, min(given.seconds, 120), given.pause)
    print(json.dumps(asyncio.run(asyncio.wait_for(work, 300))))


if __name__ == "__main__":
    main()
