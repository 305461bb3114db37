"""What a viewer may not see is nowhere in what the service gives it; nor does it show that somebody moved in secret."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import asdict, replace
from typing import Any

import pytest

from muniment.tables.config import Config
from muniment.tables.errors import Conflict, Stale
from muniment.tables.service import Service
from muniment.tables.values import Caller, Clock, Seen
from tests.tables.helpers import asynchronous, first_action, pair, serving


def everything(seen: Seen) -> dict[str, Any]:
    """All that a viewer is given, as plain values."""
    plain = replace(seen, game=None, view=None, actions=())  # type: ignore[arg-type]
    view = None if seen.view is None else seen.view.to_json()
    found = {**asdict(plain), "view": view, "actions": [c.to_json() for c in seen.actions]}
    for seat in found["info"]["seats"]:
        seat.pop("present")
    return found


async def all_views(service: Service, table: str, *callers: Caller) -> list[dict[str, Any]]:
    return [everything(await service.look(table, caller)) for caller in callers]


@asynchronous
async def test_a_secret_move_changes_nothing_that_others_see(config: Config) -> None:
    async with serving(config) as service:
        table, ada, ben = await pair(service, spectators="public", clock=Clock(60, 5))
        before = await all_views(service, table, ben, Caller())
        versions: list[str] = []

        async def watch(caller: Caller) -> None:
            async for version in service.watch(table, caller):
                versions.append(version)

        tasks = [asyncio.create_task(watch(caller)) for caller in (ben, Caller())]
        await asyncio.sleep(0.3)
        assert len(versions) == 2
        mine = await service.look(table, ada)
        assert mine.decision is not None
        await service.act(table, ada, ["stake"], decision=mine.decision)
        assert (await service.look(table, ada)).version != mine.version
        assert await all_views(service, table, ben, Caller()) == before
        await asyncio.sleep(0.3)
        assert len(versions) == 2
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        # what ben was asked is what he is asked: his answer to it still counts
        await service.act(table, ben, ["fold"], decision=before[0]["decision"])
        assert (await service.look(table, ben)).info.status == "finished"


@asynchronous
async def test_a_hand_is_in_no_view_but_its_seats(config: Config) -> None:
    async with serving(config) as service:
        table, ada, ben = await pair(service, spectators="public")
        hands = [(await all_views(service, table, caller))[0]["view"]["hand"] for caller in (ada, ben)]
        assert all(hands)
        assert hands[0] != hands[1]
        (spectator,) = await all_views(service, table, Caller())
        assert spectator["view"]["hand"] == 0
        assert "dealt" not in json.dumps(spectator)
        (mine,) = await all_views(service, table, ada)
        assert [line["event"]["card"] for line in mine["log"]] == [hands[0]]
        with pytest.raises(Conflict):
            await service.replay(table, ada)
        with pytest.raises(Conflict):
            await service.frame(table, ada, 0)
        with pytest.raises(Conflict):
            await service.course(table, ada)


@asynchronous
async def test_an_interrupt_is_asked_of_its_holder_alone(config: Config) -> None:
    async with serving(config) as service:
        for _ in range(4):
            table, ada, ben = await pair(service, "charm", spectators="public")
            asked = [(await service.look(table, caller)).decision for caller in (ada, ben)]
            assert sorted(decision is None for decision in asked) == [False, True]
            holder, other = (ada, ben) if asked[0] else (ben, ada)
            seen = await service.look(table, other)
            assert not seen.your_turn
            assert not seen.actions
            with pytest.raises(Stale):
                await service.act(table, other, ["pass"], decision=asked[0] or asked[1] or "")
            assert await service.why_not(table, other, "pass") is not None
            await first_action(service, table, holder)
            assert (await service.look(table, Caller())).info.status == "finished"


@asynchronous
async def test_what_was_hidden_is_shown_at_the_end(config: Config) -> None:
    async with serving(config) as service:
        table, ada, ben = await pair(service, spectators="public")
        await first_action(service, table, ada)
        await first_action(service, table, ben)
        frame = await service.frame(table, Caller(), 4)
        assert frame.position["choices"] == ["stake", "stake"]
        assert sorted(view.to_json()["hand"] for view in frame.views) == sorted(frame.position["hands"])
        replay = await service.replay(table, Caller())
        assert [step.seat for step in replay.steps] == [None, None, 0, 1]
        assert replay.seed


def test_nothing_secret_is_in_a_repr(sqlite_config: Config) -> None:
    config = replace(sqlite_config, house_password="sesame", admin_secret="a" * 20)
    assert "sesame" not in repr(config)
    assert "a" * 20 not in repr(config)
    assert config.database_url not in repr(config)
    assert "word" not in repr(Caller("word", "word"))
