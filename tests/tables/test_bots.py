"""Bots and clocks: they answer, within bounds, and another process takes over when theirs dies."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from muniment.agents import catalog
from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.dice import RandomStream
from muniment.tables import bots
from muniment.tables.bots import BotPool, Question
from muniment.tables.clocks import ClockState
from muniment.tables.config import Config
from muniment.tables.errors import Conflict, Forbidden, Invalid
from muniment.tables.keeper import _Asked
from muniment.tables.metrics import Metrics
from muniment.tables.models import TABLES
from muniment.tables.service import Service
from muniment.tables.values import Caller, Clock, NewTable, SeatPlan, Seen
from tests.tables.helpers import asynchronous, bot_work, first_action, pair, serving


async def until(service: Service, table: str, caller: Caller, status: str = "finished", seconds: float = 40) -> Seen:
    """The table once it is of that status."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        seen = await service.look(table, caller)
        if seen.info.status == status:
            return seen
        await asyncio.sleep(0.05)
    raise AssertionError(f"still {seen.info.status}")


WITH_BOT = NewTable("standoff", "Ada", seats=(SeatPlan("me"), SeatPlan("bot", "random")))


@asynchronous
async def test_a_bot_answers(config: Config) -> None:
    async with serving(config, bot_processes=1) as service:
        made = await service.create(WITH_BOT)
        me = Caller(made.secret)
        await first_action(service, made.table, me)
        seen = await until(service, made.table, me)
        assert seen.info.seats[1].bot == "random"
        two_bots = NewTable("charm", "Ada", seats=(SeatPlan("bot"), SeatPlan("bot")))
        made = await service.create(two_bots, secret=made.secret)
        assert made.seat is None
        assert (await until(service, made.table, me)).host
        with pytest.raises(Invalid):
            await service.create(NewTable("charm", "Ada", seats=(SeatPlan("me"), SeatPlan("bot", "deep"))))


@asynchronous
async def test_a_bot_stands_in_and_the_person_comes_back(config: Config) -> None:
    async with serving(config, bot_processes=1, away_seconds=1000) as service:
        table, host, ben = await pair(service)
        with pytest.raises(Forbidden):
            await service.seat_to_bot(table, ben, 0)
        with pytest.raises(Conflict, match="is there"):
            await service.seat_to_bot(table, host, 1)
        await service.seat_to_bot(table, host, 0)  # one's own
        with pytest.raises(Conflict):
            await service.seat_to_bot(table, host, 0)
        await service.seat_to_person(table, host, 0)
        with pytest.raises(Conflict):
            await service.seat_to_person(table, host, 0)
        with pytest.raises(Invalid):
            await service.seat_to_bot(table, host, 7)
    async with serving(config, bot_processes=1, away_seconds=0) as service:
        table, host, ben = await pair(service)
        await service.seat_to_bot(table, host, 1, "random")
        assert (await service.look(table, ben)).decision is None
        with pytest.raises(Conflict, match="bot plays"):
            await service.act(table, ben, ["fold"], decision="")
        await first_action(service, table, host)
        await until(service, table, host)


@asynchronous
async def test_a_table_is_filled_with_bots(sqlite_config: Config) -> None:
    async with serving(sqlite_config, bot_processes=1) as service:
        made = await service.create(NewTable("standoff", "Ada", seats=(SeatPlan("me"), SeatPlan("open"))))
        host = Caller(made.secret)
        await service.seat_to_bot(made.table, host, 1)
        assert (await service.look(made.table, host)).info.status == "running"
        await service.resign(made.table, host)
        seen = await until(service, made.table, host)
        assert seen.info.ending is not None
        assert seen.info.ending.returns == ("0", "1")


class Bad(Agent[Any, Any]):
    """Sleeps, dies, errs or eats memory, by its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, view: Any, legal: Sequence[Any], source: Source) -> Any:
        if self.name == "slow":
            time.sleep(60)
        if self.name == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.name == "greedy":
            return [bytearray(1 << 20) for _ in range(100_000)]
        raise RuntimeError("no idea")


def bad_work(pipe: Connection, megabytes: int) -> None:
    """A bot's process with bad agents only."""
    catalog.make_agent = lambda game, name: Bad(name)
    bot_work(pipe, megabytes)


@pytest.mark.parametrize(
    ("bot", "reason"), [("slow", "time"), ("dies", "died"), ("greedy", "error"), ("errs", "error")]
)
@asynchronous
async def test_a_bad_bot_is_bounded_and_replaced(sqlite_config: Config, bot: str, reason: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bots, "_work", bad_work)
        patch.setattr("muniment.tables.house.agent_names", lambda game: (bot,))
        seconds = 1.0 if bot == "slow" else 30.0
        async with serving(sqlite_config, bot_processes=1, bot_seconds=seconds, bot_megabytes=300) as service:
            made = await service.create(NewTable("standoff", "Ada", seats=(SeatPlan("me"), SeatPlan("bot", bot))))
            me = Caller(made.secret)
            await first_action(service, made.table, me)
            await until(service, made.table, me)
            failures = service.metrics.bot_failures.labels(reason)._value.get()
            assert failures == 1


@asynchronous
async def test_the_event_loop_goes_on_while_a_bot_thinks(sqlite_config: Config) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bots, "_work", bad_work)
        patch.setattr("muniment.tables.house.agent_names", lambda game: ("slow",))
        async with serving(sqlite_config, bot_processes=1, bot_seconds=3.0) as service:
            made = await service.create(NewTable("standoff", "Ada", seats=(SeatPlan("me"), SeatPlan("bot", "slow"))))
            started = time.monotonic()
            await first_action(service, made.table, Caller(made.secret))
            await service.look(made.table, Caller(made.secret))
            assert time.monotonic() - started < 2.5


@asynchronous
async def test_a_clock_answers_for_who_does_not(config: Config) -> None:
    async with serving(config, bot_processes=1, interrupt_seconds=1) as service:
        table, host, _ = await pair(service, "charm", clock=Clock(300))  # who is asked there is a secret
        seen = await until(service, table, host)
        assert seen.info.ending is not None


@asynchronous
async def test_another_process_takes_over_the_bots_of_a_dead_one(postgres_url: str) -> None:
    config = Config(database_url=postgres_url, bot_processes=1, lease_seconds=0.5, connections=2)
    async with serving(config) as first:
        made = await first.create(WITH_BOT)
        me = Caller(made.secret)
        first.keeper._house.stopping = True  # it takes no more notice of anything, as if it had died just now
        if first.keeper._loop is not None:
            first.keeper._loop.cancel()
        for task in list(first.keeper._working.values()):
            task.cancel()
        first.house.stopping = True
        held = update(TABLES).values(worker="dead", worker_until=time.time() + 1.0, bot_asked=True)
        async with serving(config) as second:
            await second.database.write(lambda c: c.execute(held).rowcount)
            seen = await second.look(made.table, me)
            if seen.decision is not None:
                await first_action(second, made.table, me)
            await until(second, made.table, me)
    with contextlib.suppress(Exception):
        await first.stop()


class Gated(Agent[Any, Any]):
    """Waits for the file that the environment names, if it is called "slow"; then takes the first action."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, view: Any, legal: Sequence[Any], source: Source) -> Any:
        while self.name == "slow" and not Path(os.environ["TEST_BOT_GATE"]).exists():
            time.sleep(0.02)
        return legal[0]


def gated_work(pipe: Connection, megabytes: int) -> None:
    """A bot's process with gated agents only."""
    catalog.make_agent = lambda game, name: Gated(name)
    bot_work(pipe, megabytes)


@asynchronous
async def test_a_slow_bot_keeps_nobody_waiting_at_another_table(sqlite_config: Config) -> None:
    with pytest.MonkeyPatch.context() as patch:
        gate = sqlite_config.sqlite_path.with_name("gate")
        patch.setenv("TEST_BOT_GATE", str(gate))
        patch.setattr(bots, "_work", gated_work)
        patch.setattr("muniment.tables.house.agent_names", lambda game: ("slow", "quick"))
        async with serving(sqlite_config, bot_processes=2, bot_seconds=100.0) as service:
            slow = await service.create(NewTable("standoff", "Ada", seats=(SeatPlan("me"), SeatPlan("bot", "slow"))))
            me = Caller(slow.secret)
            await first_action(service, slow.table, me)
            for _ in range(3):
                quick = NewTable("standoff", "Ada", seats=(SeatPlan("me"), SeatPlan("bot", "quick")))
                made = await service.create(quick, secret=slow.secret)
                await first_action(service, made.table, me)
                await until(service, made.table, me)
            assert (await service.look(slow.table, me)).info.status == "running"
            gate.touch()
            await until(service, slow.table, me)


@asynchronous
async def test_questions_wait_in_order_people_first() -> None:
    pool = BotPool(1, 1.0, 300, Metrics())
    served: list[str] = []

    async def asks(name: str, urgent: bool) -> None:
        async with pool._turn(urgent):
            served.append(name)
            await asyncio.sleep(0)

    async with pool._turn(True):
        asked = (("bots alone", False), ("Ada", True), ("gone", True), ("more bots", False), ("Ben", True))
        tasks = [asyncio.create_task(asks(name, urgent)) for name, urgent in asked]
        await asyncio.sleep(0)
        tasks[2].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert served == ["Ada", "Ben", "bots alone", "more bots"]
    assert (pool._idle, pool._waiting) == (1, [])


@asynchronous
async def test_the_usual_bot_answers_where_another_fails(sqlite_config: Config) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bots, "_work", half_bad_work)
        patch.setattr("muniment.tables.house.agent_names", lambda game: ("quick", "slow"))
        async with serving(sqlite_config, bot_processes=1, bot_seconds=1.0) as service:
            made = await service.create(NewTable("standoff", "Ada", seats=(SeatPlan("me"), SeatPlan("bot", "slow"))))
            me = Caller(made.secret)
            await first_action(service, made.table, me)
            await until(service, made.table, me)
            assert service.metrics.bot_failures.labels("time")._value.get() == 1
            assert service.metrics.bot_seconds.labels("quick")._sum.get() > 0


def half_bad_work(pipe: Connection, megabytes: int) -> None:
    """A bot's process in which "slow" sleeps, and "quick" takes the first action."""
    catalog.make_agent = lambda game, name: Bad(name) if name == "slow" else Gated(name)
    bot_work(pipe, megabytes)


@asynchronous
async def test_bots_are_called_by_their_levels(sqlite_config: Config) -> None:
    async with serving(sqlite_config, bot_processes=1) as service:
        (king,) = (game for game in service.games() if game.name == "king")
        assert [(level.name, level.agent) for level in king.levels] == [
            ("Squire", "careless"), ("Castellan", "steward"), ("Regent", "marshal"),
        ]  # fmt: skip
        plans = (SeatPlan("me"), SeatPlan("bot", "regent"), SeatPlan("bot", "steward"), SeatPlan("open"))
        made = await service.create(NewTable("king", "Regent", seats=plans))
        await service.seat_to_bot(made.table, Caller(made.secret), 3, "castellan")
        seats = (await service.look(made.table, Caller(made.secret))).info.seats
        assert [(seat.name, seat.bot) for seat in seats] == [
            ("Regent", ""), ("Regent 2", "marshal"), ("Castellan", "steward"), ("Castellan 2", "steward"),
        ]  # fmt: skip
        with pytest.raises(Invalid, match="there is no such bot"):
            await service.seat_to_bot(made.table, Caller(made.secret), 0, "emperor")


@asynchronous
async def test_bots_pause_between_steps_only_for_those_who_look_on(sqlite_config: Config) -> None:
    async with serving(sqlite_config, bot_processes=1, bot_pause=1000.0) as service:
        alone = NewTable("standoff", "Ada", seats=(SeatPlan("bot"), SeatPlan("bot")))
        made = await service.create(alone)
        await until(service, made.table, Caller(made.secret))  # nobody looks on
        live = await service.house.see(made.table, lambda live: live)
        assert live.shown[1] is not None
        feed, pause = service.house.feed, service.keeper._pause
        question = Question("standoff", None, (), "random", None, (), RandomStream(bytes(32)))
        asked = _Asked(live, 1, 0, "bot", (0, "build"), False, question)
        live.shown = time.monotonic(), (1, "build")
        with feed.watching(made.table, 1.0), feed.watching(made.table, 0.0):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(pause(made.table, asked), 0.3)
            await pause(made.table, replace(asked, by="clock"))  # a person's decision is never held up
            await pause(made.table, replace(asked, step=(1, "build")))  # the same step goes on
            paused = asyncio.create_task(pause(made.table, asked))
        with feed.watching(made.table, 0.0):  # who is left wants it fast
            await paused
        live.shown = time.monotonic() - 2000, (1, "build")
        with feed.watching(made.table, 2.0):
            await pause(made.table, asked)


def test_clocks_count_down_and_never_tell_a_secret() -> None:
    clock = Clock(60, 5)
    start = ClockState.begin(clock, 3, 100.0)
    first = start.moved(clock, None, (0,), (0,), 100.0, 45)
    assert first.running == (0,)
    assert first.deadline() == 165.0
    assert ClockState.read(first.write()) == first
    second = first.moved(clock, 0, (1,), (1,), 110.0, 45)
    assert second.left == (60.0, 65.0, 65.0)
    secret = second.moved(clock, 1, (), (2,), 120.0, 45)
    assert secret.running == ()
    assert secret.deadline() == 165.0
    assert secret.left[1] == 60.0
    more = secret.moved(clock, 2, (), (0,), 130.0, 45)
    assert (more.left, more.since, more.running) == (secret.left, secret.since, secret.running)
    assert more.expired(0, 176.0)
    assert not second.expired(1, 111.0)
    assert second.expired(1, 176.0)
