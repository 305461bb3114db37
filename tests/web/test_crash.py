"""Killed with SIGKILL at random moments, the server loses no acknowledged move and repeats none."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest

from muniment.core.match import verify
from muniment.core.record import Record
from muniment.games.catalog import make_game
from tests.tables.helpers import asynchronous, run_apart
from tests.tables.postgres import free_port
from tests.web.client import API, JSON, Server, events, server

TABLES = 4


class Patient:
    """A player who asks again, with the same key, until there is an answer."""

    def __init__(self, url: str, number: int) -> None:
        self.client = httpx.AsyncClient(base_url=url, timeout=5)
        self.number = number
        self.answers: dict[tuple[str, str], JSON] = {}
        self.repeated = 0
        self.tables: list[tuple[str, dict[str, str]]] = []
        self.streamed: list[str] = []

    async def ask(self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None) -> Any:
        while True:
            with contextlib.suppress(httpx.HTTPError):
                answer = await self.client.request(method, API + path, json=body, headers=headers)
                if answer.status_code < 500:
                    return answer
            await asyncio.sleep(0.05)

    async def play(self, until: asyncio.Event) -> None:
        moves = 0
        while not until.is_set():
            made = (await self.ask("POST", "/tables", {"game": "siege", "name": f"P{self.number}"})).json()
            table, headers = made["table"], {"Authorization": f"Bearer {made['secret']}"}
            self.tables.append((table, headers))
            watching = asyncio.create_task(self.watch(table, headers))
            while not until.is_set():
                seen = (await self.ask("GET", f"/tables/{table}", headers=headers)).json()
                if seen["table"]["status"] != "running":
                    break
                moves += 1
                choice = seen["actions"][moves % len(seen["actions"])]["notation"]
                body = {"decision": seen["decision"], "actions": [choice], "key": f"k{moves}"}
                answer = await self.ask("POST", f"/tables/{table}/moves", body, headers)
                assert answer.status_code == 200, answer.text
                self.answers[table, f"k{moves}"] = answer.json()
                self.repeated += answer.json()["repeated"]
                await asyncio.sleep(0.02)
            seen = (await self.ask("GET", f"/tables/{table}", headers=headers)).json()
            for _ in range(200):
                if self.streamed and self.streamed[-1] == seen["version"]:
                    break
                await asyncio.sleep(0.05)
            assert self.streamed[-1] == seen["version"]  # the stream has come back by itself, and is up to date
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    async def watch(self, table: str, headers: dict[str, str]) -> None:
        async for version in events(str(self.client.base_url), f"{API}/tables/{table}/stream", headers):
            self.streamed.append(version)


async def killed_often(running: Server, times: int, moments: random.Random) -> list[Patient]:
    players = [Patient(running.url, number) for number in range(TABLES)]
    until = asyncio.Event()
    tasks = [asyncio.create_task(player.play(until)) for player in players]
    for _ in range(times):
        known = sum(len(player.answers) for player in players)
        for _ in range(600):  # however slow the machine is, each life of the server sees some moves
            if sum(len(player.answers) for player in players) >= known + TABLES:
                break
            await asyncio.sleep(0.05)
        await asyncio.sleep(moments.uniform(0.0, 0.5))
        await asyncio.to_thread(running.kill)
        await asyncio.to_thread(running.start)
    await asyncio.sleep(0.3)
    until.set()
    await asyncio.gather(*tasks)
    return players


async def check(players: list[Patient], file: Path) -> None:
    """Every acknowledged move is stored once, with the answer that was given; and every finished game verifies."""
    with contextlib.closing(sqlite3.connect(file)) as stored:
        rows = stored.execute(
            "SELECT table_id, number, key, answer, body FROM moves ORDER BY table_id, number"
        ).fetchall()
    by_key: dict[tuple[str, str], list[JSON]] = {}
    numbers: dict[str, list[int]] = {}
    for table, number, key, answer, _ in rows:
        numbers.setdefault(table, []).append(number)
        if key:
            by_key.setdefault((table, key), []).append(json.loads(answer))
    for found in numbers.values():
        assert found == list(range(1, len(found) + 1))
    acknowledged = 0
    for player in players:
        for place, answer in player.answers.items():
            acknowledged += 1
            (kept,) = by_key[place]
            assert kept["version"] == answer["version"]
            assert kept["log"] == answer["log"]
        for table, headers in player.tables:
            answer = await player.ask("GET", f"/tables/{table}/record", headers=headers)
            if answer.status_code == 200:
                verify(make_game("siege"), Record.read(answer.text))
        await player.client.aclose()
    assert acknowledged == len(by_key) > 10


async def survives(tmp_path: Path, times: int, seed: int) -> None:
    file = tmp_path / "tables.sqlite3"
    environment = {"MUNIMENT_DATABASE_URL": f"sqlite:///{file}", "MUNIMENT_CACHED_TABLES": "3"}
    with server(environment, free_port(), tmp_path) as running:
        players = await killed_often(running, times, random.Random(seed))
        await check(players, file)
        assert await asyncio.to_thread(running.stop) == 0
        assert "Traceback" not in running._log.read_text()


@asynchronous
async def test_killed_five_times_it_loses_nothing(tmp_path: Path) -> None:
    await survives(tmp_path, 5, 5)


@pytest.mark.slow
def test_killed_fifty_times_it_loses_nothing(tmp_path: Path) -> None:
    run_apart(survives(tmp_path, 50, 50))
