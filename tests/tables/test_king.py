"""A whole game for four with hidden information, secret choices and interrupts, at a hosted table."""

from __future__ import annotations

import random
from typing import Any

import pytest

from muniment.core.match import verify
from muniment.core.record import Record
from muniment.tables.config import Config
from muniment.tables.service import Service
from muniment.tables.values import Caller, Clock, NewTable, SeatPlan, Seen
from tests.tables.helpers import asynchronous, join, serving
from tests.tables.test_hidden import everything

SEATS = (SeatPlan("me"), SeatPlan("open"), SeatPlan("open"), SeatPlan("open"))


async def four(service: Service, **more: Any) -> tuple[str, list[Caller]]:
    made = await service.create(NewTable("king", "Ada", seats=SEATS, spectators="public", **more))
    callers = [Caller(made.secret)]
    for name in ("Ben", "Cleo", "Di"):
        callers.append(Caller((await join(service, made.table, callers[0], name)).secret))
    return made.table, callers


async def asked(service: Service, table: str, callers: list[Caller]) -> tuple[Caller, Seen] | None:
    """The first seat that must answer, None at the end."""
    for caller in callers:
        seen = await service.look(table, caller)
        if seen.info.status != "running":
            return None
        if seen.your_turn and seen.decision is not None:
            return caller, seen
    raise AssertionError("nobody is asked")


@asynchronous
async def test_a_whole_king_game_read_again_and_again(sqlite_config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muniment.tables.moving.SNAPSHOT_EVERY", 16)
    choose = random.Random(1)
    async with serving(sqlite_config) as service:
        table, callers = await four(service, seed=bytes(31) + b"\x01")
        for number in range(3000):
            found = await asked(service, table, callers)
            if found is None:
                break
            caller, seen = found
            action = choose.choice(seen.actions)
            await service.act(table, caller, [action.notation], decision=seen.decision or "", key=f"k{number}")
            if number % 20 == 0:
                before = [everything(await service.look(table, one)) for one in (*callers, Caller())]
                service.house.drop(table)
                after = [everything(await service.look(table, one)) for one in (*callers, Caller())]
                assert before == after
        seen = await service.look(table, callers[0])
        assert seen.info.ending is not None
        verify(seen.game, Record.read(await service.record(table, Caller())))
        replay = await service.replay(table, Caller())
        frame = await service.frame(table, Caller(), len(replay.steps))
        assert frame.views[0].to_json() == (seen.view and seen.view.to_json())


@asynchronous
async def test_what_the_view_does_not_tell_the_rest_does_not_either(sqlite_config: Config) -> None:
    choose = random.Random(2)
    silent = 0
    async with serving(sqlite_config) as service:
        table, callers = await four(service, seed=bytes(31) + b"\x02", clock=Clock(3600, 10))
        viewers = [*callers, Caller()]
        before = [everything(await service.look(table, one)) for one in viewers]
        for _ in range(220):
            found = await asked(service, table, callers)
            if found is None:
                break
            mover, seen = found
            action = choose.choice(seen.actions)
            await service.act(table, mover, [action.notation], decision=seen.decision or "")
            after = [everything(await service.look(table, one)) for one in viewers]
            for viewer, old, new in zip(viewers, before, after, strict=True):
                if viewer is not mover and (old["view"], old["log"]) == (new["view"], new["log"]):
                    assert old == new
                    silent += 1
            before = after
    assert silent > 20
