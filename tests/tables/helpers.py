"""What the tests of tables share: storages, a running service, the toy games as games that can be played there."""

from __future__ import annotations

import asyncio
import functools
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import pytest

from muniment.agents.uniform import Uniform
from muniment.core.game import Game
from muniment.games import catalog as games
from muniment.tables import bots, house
from muniment.tables.config import Config
from muniment.tables.service import Service
from muniment.tables.values import Answer, Caller, Joined, NewTable, SeatPlan, Seen
from tests.core.toys import Charm, Standoff
from tests.tables import postgres

P = ParamSpec("P")
T = TypeVar("T")
TOYS: Mapping[str, type[Game[Any, Any, Any, Any]]] = {"standoff": Standoff, "charm": Charm}
_make_game = games.make_game
_bot_work = bots._work


def make_game(name: str, edition: Path | None = None, options: Mapping[str, object] | None = None) -> Any:
    """The toys besides the real games."""
    return TOYS[name]() if name in TOYS else _make_game(name, edition, options)


def bot_work(pipe: Connection, megabytes: int) -> None:
    """A bot's process that knows the toys, and thinks as long as TEST_BOT_SECONDS says."""
    games.make_game = make_game
    seconds = float(os.environ.get("TEST_BOT_SECONDS", "0"))
    if seconds:
        choose = Uniform.choose

        def slowly(self: Any, *asked: Any) -> Any:
            time.sleep(seconds)
            return choose(self, *asked)

        Uniform.choose = slowly  # type: ignore[assignment]
    _bot_work(pipe, megabytes)


def asynchronous(test: Callable[P, Coroutine[Any, Any, None]]) -> Callable[P, None]:
    """Run a test that is a coroutine."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        run_apart(asyncio.wait_for(test(*args, **kwargs), 120))

    return run


def run_apart(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine in a thread of its own: browser tests keep a loop running in the one they share."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()


def play_toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tables be made of the toys."""
    monkeypatch.setattr(house, "GAME_NAMES", (*games.GAME_NAMES, *TOYS))
    monkeypatch.setattr(house, "make_game", make_game)
    monkeypatch.setattr(bots, "_work", bot_work)


def missing(what: str) -> None:
    """A test cannot run because something is not installed: skipped here, a failure where everything must be."""
    message = f"{what} is not installed: `.ci/run` installs it"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


def needs_postgres() -> None:
    """Skip, or fail in CI, where PostgreSQL is missing."""
    if postgres.programs() is None:
        missing("PostgreSQL (Debian's package postgresql)")


@asynccontextmanager
async def serving(config: Config, **changes: Any) -> AsyncIterator[Service]:
    """A running service."""
    service = Service(replace(config, **changes))
    await service.start()
    try:
        yield service
    finally:
        await service.stop()


async def siege(service: Service, **more: Any) -> tuple[str, Caller]:
    """A siege that runs, and its player."""
    joined = await service.create(NewTable("siege", "Ada", **more))
    return joined.table, Caller(joined.secret)


async def pair(service: Service, game: str = "standoff", **more: Any) -> tuple[str, Caller, Caller]:
    """A running table for two: the host at seat 0, and who joined by the link."""
    made = await service.create(NewTable(game, "Ada", seats=(SeatPlan("me"), SeatPlan("open")), **more))
    host = Caller(made.secret)
    other = await join(service, made.table, host, "Ben")
    return made.table, host, Caller(other.secret)


async def join(service: Service, table: str, host: Caller, name: str) -> Joined:
    """Take a seat by the host's invitation."""
    invite = (await service.look(table, host)).invite
    assert invite is not None
    return await service.take_seat(invite, name)


async def first_action(service: Service, table: str, caller: Caller, key: str | None = None) -> Answer:
    """Take the first legal action."""
    seen = await service.look(table, caller)
    assert seen.decision is not None
    return await service.act(table, caller, [seen.actions[0].notation], decision=seen.decision, key=key)


async def play_out(service: Service, table: str, caller: Caller, most: int = 1000) -> Seen:
    """Play a game for one to its end, varied but always the same way."""
    for number in range(most):
        seen = await service.look(table, caller)
        if seen.info.status != "running":
            return seen
        assert seen.decision is not None
        action = seen.actions[(number * 7) % len(seen.actions)].notation
        await service.act(table, caller, [action], decision=seen.decision, key=f"k{number}")
    raise AssertionError("the game does not end")
