"""Tables, seats and moves, on both storages."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from muniment.core.match import verify
from muniment.core.record import Record
from muniment.tables.config import Config
from muniment.tables.errors import Conflict, Forbidden, Invalid, MoveRefused, NotFound, Stale, TooMany
from muniment.tables.values import Caller, NewTable, SeatPlan
from tests.tables.helpers import asynchronous, first_action, join, pair, play_out, serving, siege


@asynchronous
async def test_a_siege_is_played_to_its_end_and_its_record_verifies(config: Config) -> None:
    async with serving(config) as service:
        table, me = await siege(service)
        before = await service.look(table, me)
        assert before.your_turn
        assert before.info.commitment
        with pytest.raises(Conflict, match="not over"):
            await service.record(table, me)
        seen = await play_out(service, table, me)
        assert seen.info.status == "finished"
        assert seen.info.ending is not None
        assert seen.decision is None
        record = Record.read(await service.record(table, me))
        assert record.commitment == before.info.commitment
        assert verify(seen.game, record)["verified"] is True
        replay = await service.replay(table, me)
        assert len(replay.steps) == len(record.entries)
        last = await service.frame(table, me, len(replay.steps))
        assert last.spectator.to_json()["result"] == seen.info.ending.reason
        assert len(await service.course(table, me)) == len(replay.steps) + 1
        with pytest.raises(Invalid):
            await service.frame(table, me, len(replay.steps) + 1)


@asynchronous
async def test_everything_is_there_after_a_restart(config: Config) -> None:
    async with serving(config) as service:
        table, me = await siege(service)
        for _ in range(5):
            await first_action(service, table, me)
        before = await service.look(table, me)
    async with serving(config) as service:
        after = await service.look(table, me)
        assert after.version == before.version
        assert after.decision == before.decision
        assert after.view == before.view
        assert after.log == before.log
        ended = await play_out(service, table, me)
        verify(ended.game, Record.read(await service.record(table, me)))


@asynchronous
async def test_a_match_goes_on_from_a_snapshot_exactly_as_without(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muniment.tables.moving.SNAPSHOT_EVERY", 4)
    seed = bytes(range(32))
    records = []
    for restart in (False, True):
        async with serving(config) as service:
            table, me = await siege(service, seed=seed)
            for number in range(300):
                seen = await service.look(table, me)
                if seen.info.status == "finished":
                    break
                assert seen.decision is not None
                action = seen.actions[number % len(seen.actions)]
                await service.act(table, me, [action.notation], decision=seen.decision)
                if restart:
                    version, log = (await service.look(table, me)).version, await service.log(table, me)
                    service.house.drop(table)
                    assert (await service.look(table, me)).version == version
                    assert await service.log(table, me) == log
            records.append(await service.record(table, me))
    assert records[0] == records[1]


@asynchronous
async def test_a_move_names_its_decision_and_a_retry_gets_the_first_answer(config: Config) -> None:
    async with serving(config) as service:
        table, me = await siege(service)
        seen = await service.look(table, me)
        assert seen.decision is not None
        answer = await service.act(table, me, ["end"], decision=seen.decision, key="one")
        service.house.drop(table)
        again = await service.act(table, me, ["end"], decision=seen.decision, key="one")
        assert again == replace(answer, repeated=True)
        with pytest.raises(Stale):
            await service.act(table, me, ["end"], decision=seen.decision, key="two")
        with pytest.raises(Conflict, match="another move"):
            await service.act(table, me, ["enter"], decision=seen.decision, key="one")
        with pytest.raises(Invalid):
            await service.act(table, me, ["end"], decision=seen.decision, key="not a key")
        now = await service.look(table, me)
        assert now.version == answer.version


@asynchronous
async def test_a_refused_move_says_why_and_changes_nothing(config: Config) -> None:
    async with serving(config) as service:
        table, me = await siege(service)
        seen = await service.look(table, me)
        assert seen.decision is not None
        with pytest.raises(MoveRefused) as refused:
            await service.act(table, me, ["fight ladders"], decision=seen.decision)
        assert refused.value.refusal.rule
        why = await service.why_not(table, me, "fight ladders")
        assert why == refused.value.refusal
        assert await service.why_not(table, me, "end") is None
        wrong: list[str | dict[str, Any]] = ["", "dance", "end\x00", "x" * 3000, {"action": []}, {}]
        for bad in wrong:
            with pytest.raises(Invalid):
                await service.act(table, me, [bad], decision=seen.decision)
        with pytest.raises(Invalid):
            await service.act(table, me, [], decision=seen.decision)
        assert (await service.look(table, me)).version == seen.version
        odds = await service.odds(table, me, seen.actions[0].notation)
        assert odds.to_json()["cases"]


@asynchronous
async def test_a_sequence_is_accepted_or_refused_as_one(config: Config) -> None:
    async with serving(config) as service:
        table, me = await siege(service, seed=bytes(32))
        seen = await service.look(table, me)
        assert seen.decision is not None
        free = [choice.notation for choice in seen.actions if choice.notation in ("enter", "extra morale")]
        with pytest.raises(MoveRefused):
            await service.act(table, me, [*free, "fight ladders"], decision=seen.decision)
        assert (await service.look(table, me)).version == seen.version
        await service.act(table, me, free, decision=seen.decision)
        assert (await service.look(table, me)).undo
        await service.undo(table, me)
        back = await service.look(table, me)
        assert back.view == seen.view
        assert back.log == seen.log
        assert back.decision != seen.decision


@asynchronous
async def test_undo_survives_a_restart_and_stops_at_a_roll(config: Config) -> None:
    async with serving(config) as service:
        table, me = await siege(service)
        seen = await service.look(table, me)
        assert not seen.undo
        assert seen.decision is not None
        await service.act(table, me, ["extra morale"], decision=seen.decision, key="m")
        service.house.drop(table)
        undone = await service.undo(table, me, key="u")
        assert undone.log == ()
        service.house.drop(table)
        assert (await service.look(table, me)).view == seen.view
        assert (await service.undo(table, me, key="u")).repeated
        with pytest.raises(MoveRefused):
            await service.undo(table, me)


@asynchronous
async def test_real_dice_are_typed_in(config: Config) -> None:
    async with serving(config) as service:
        table, me = await siege(service, typed=True)
        seen = await service.look(table, me)
        assert seen.info.commitment is None
        assert seen.outcomes is not None
        assert seen.your_turn
        assert seen.decision is not None
        assert "draw 1" in seen.outcomes
        with pytest.raises(MoveRefused):
            await service.enter(table, me, "roll 3", decision=seen.decision)
        with pytest.raises(Invalid):
            await service.enter(table, me, "a six", decision=seen.decision)
        await service.enter(table, me, "draw 1", decision=seen.decision, key="d")
        after = await service.look(table, me)
        assert after.outcomes is None
        assert after.undo
        service.house.drop(table)
        assert (await service.look(table, me)).version == after.version
        await service.undo(table, me)
        assert (await service.look(table, me)).outcomes == seen.outcomes


@asynchronous
async def test_only_one_of_many_answers_to_a_decision_counts(config: Config) -> None:
    async with serving(config) as service:
        table, me = await siege(service)
        seen = await service.look(table, me)
        assert seen.decision is not None
        decision = seen.decision
        results = await asyncio.gather(
            *(service.act(table, me, ["end"], decision=decision, key=f"k{n}") for n in range(50)),
            return_exceptions=True,
        )
        assert sum(not isinstance(result, BaseException) for result in results) == 1
        assert sum(isinstance(result, Stale) for result in results) == 49


@asynchronous
async def test_many_tables_share_the_storage(config: Config) -> None:
    async with serving(config, cached_tables=3) as service:
        made = [await siege(service) for _ in range(8)]
        for _ in range(3):
            await asyncio.gather(*(first_action(service, table, me) for table, me in made))
        for table, me in made:
            assert (await service.look(table, me)).info.id == table


@asynchronous
async def test_joining_is_a_link_and_links_differ(config: Config) -> None:
    async with serving(config) as service:
        made = await service.create(NewTable("standoff", "Ada", seats=(SeatPlan("me"), SeatPlan("open"))))
        host = Caller(made.secret)
        open_ = await service.look(made.table, host)
        assert open_.info.status == "open"
        assert open_.view is None
        assert open_.invite is not None
        assert open_.watch is not None
        assert (await service.link(open_.invite)).kind == "invite"
        assert (await service.link(open_.watch)).kind == "watch"
        for token in ("", "i" * 37, open_.invite[:-1] + "a" * (open_.invite[-1] != "a"), "s" + "x" * 43, "nonsense"):
            with pytest.raises(NotFound):
                await service.link(token)
        with pytest.raises(NotFound):
            await service.take_seat(open_.watch, "Eve")
        with pytest.raises(NotFound):
            await service.look(made.table, Caller())
        with pytest.raises(NotFound):
            await service.look(made.table, Caller(watch=open_.invite))
        with pytest.raises(Conflict):
            await service.take_seat(open_.invite, "Eve", seat=0)
        for name in ("", " ", "\x00\n", "x" * 31):
            with pytest.raises(Invalid):
                await service.take_seat(open_.invite, name)
        ben = await service.take_seat(open_.invite, " Ben\n\x00 of  Bath ")
        assert ben.seat == 1
        seen = await service.look(made.table, Caller(ben.secret))
        assert seen.info.status == "running"
        assert seen.info.seats[1].name == "Ben of Bath"
        assert await service.take_seat(open_.invite, "Ben", secret=ben.secret) == ben
        with pytest.raises(Conflict, match="taken"):
            await service.take_seat(open_.invite, "Eve")
        watching = await service.look(made.table, Caller(watch=open_.watch))
        assert (watching.seat, watching.host, watching.decision, watching.invite) == (None, False, None, None)
        with pytest.raises(Forbidden):
            await service.act(made.table, Caller(watch=open_.watch), ["fold"], decision=seen.decision or "")


@asynchronous
async def test_a_seat_can_be_left_before_the_start(config: Config) -> None:
    async with serving(config) as service:
        seats = (SeatPlan("me"), SeatPlan("open"))
        made = await service.create(NewTable("standoff", "Ada", seats=seats))
        host = Caller(made.secret)
        await service.leave(made.table, host)
        seen = await service.look(made.table, host)  # still the host
        assert seen.info.seats[0].kind == "open"
        assert (await join(service, made.table, host, "Ben")).seat == 0
        assert (await service.take_seat(seen.invite or "", "Ada", secret=made.secret)).seat == 1
        with pytest.raises(Conflict):
            await service.leave(made.table, host)


@asynchronous
async def test_secrets_are_random_hashed_and_cannot_be_planted(config: Config) -> None:
    async with serving(config) as service:
        planted = "A" * 43
        joined = await service.create(NewTable("siege", "Ada"), secret=planted)
        assert joined.secret != planted
        again = await service.create(NewTable("siege", "Ada"), secret=joined.secret)
        assert again.secret == joined.secret
        assert {info.id for info in await service.my_tables(joined.secret)} == {joined.table, again.table}
        assert await service.my_tables(planted) == ()
        for secret in (planted, joined.secret[:-1], joined.secret + "x", "", "é" * 43, "\ud800"):
            with pytest.raises(NotFound):
                await service.look(joined.table, Caller(secret))


@asynchronous
async def test_a_seat_moves_to_another_device_once(config: Config) -> None:
    async with serving(config) as service:
        table, host, ben = await pair(service)
        token = await service.make_seat_link(table, ben)
        assert (await service.link(token)).seat == 1
        moved = await service.move_seat(token)
        assert moved.seat == 1
        assert (await service.look(table, Caller(moved.secret))).seat == 1
        with pytest.raises(NotFound):
            await service.look(table, ben)
        with pytest.raises(NotFound):
            await service.move_seat(token)
        with pytest.raises(NotFound):
            await service.link(token)
        of_host = await service.make_seat_link(table, host)
        with pytest.raises(Conflict):
            await service.move_seat(of_host, secret=moved.secret)
        taken = await service.move_seat(of_host)
        assert (await service.look(table, Caller(taken.secret))).host
        api = await service.make_token(table, Caller(moved.secret))
        assert (await service.look(table, Caller(api))).seat == 1
        assert (await service.look(table, Caller(moved.secret))).seat == 1


@asynchronous
async def test_talk_is_for_players(config: Config) -> None:
    async with serving(config, messages_limit=3) as service:
        table, host, ben = await pair(service, spectators="public")
        await service.say(table, host, " Hello\x00 there \n")
        assert [(m.name, m.text) for m in (await service.look(table, ben)).talk] == [("Ada", "Hello there")]
        assert (await service.look(table, Caller())).talk == ()
        with pytest.raises(Forbidden):
            await service.say(table, Caller(), "I?")
        for text in ("", "\n", "x" * 501):
            with pytest.raises(Invalid):
                await service.say(table, host, text)
        await service.say(table, ben, "Hi")
        await service.say(table, ben, "<b>Hi</b>")
        with pytest.raises(TooMany):
            await service.say(table, ben, "Hi")


@asynchronous
async def test_resigning_ends_a_game_for_two_and_a_rematch_keeps_the_seats(config: Config) -> None:
    async with serving(config) as service:
        table, host, ben = await pair(service)
        with pytest.raises(Conflict):
            await service.rematch(table, host)
        await service.resign(table, ben)
        seen = await service.look(table, host)
        assert seen.info.status == "finished"
        assert seen.info.ending is not None
        assert seen.info.ending.returns == ("1", "0")
        assert "Ben" in seen.info.ending.sentence
        record = Record.read(await service.record(table, host))
        assert record.seed is not None
        again = await service.rematch(table, host)
        assert await service.rematch(table, ben) == replace(again, seat=1, secret=ben.secret or "")
        for caller, seat in ((host, 0), (ben, 1)):
            assert (await service.look(again.table, caller)).seat == seat
        assert (await service.look(table, ben)).info.next == again.table
        assert (await service.look(again.table, host)).info.commitment != seen.info.commitment


@asynchronous
async def test_lists_hold_what_may_be_listed(config: Config) -> None:
    async with serving(config) as service:
        public, me = await siege(service, spectators="public")
        linked, _ = await siege(service)
        hidden, _ = await siege(service, spectators="none")
        assert [info.id for info in await service.public_tables()] == [public]
        await service.resign(public, me)
        assert await service.public_tables() == ()
        assert [info.id for info in await service.public_tables(finished=True)] == [public]
        for table in (linked, hidden):
            with pytest.raises(NotFound):
                await service.look(table, Caller())
        assert (await service.replay(public, Caller())).seed


@asynchronous
async def test_limits_and_the_house_password(config: Config) -> None:
    async with serving(config, house_password="open sesame", max_tables=2, tables_per_hour=3) as service:
        for _ in range(2):
            await service.create(NewTable("siege", "Ada", house_password="open sesame"), source="a")
        with pytest.raises(TooMany, match="as many tables"):
            await service.create(NewTable("siege", "Ada", house_password="open sesame"), source="a")
        with pytest.raises(TooMany, match="from here"):
            await service.create(NewTable("siege", "Ada", house_password="open sesame"), source="a")
        for _ in range(5):
            with pytest.raises(Forbidden):
                await service.create(NewTable("siege", "Ada", house_password="guess"), source="b")
        with pytest.raises(TooMany, match="passwords"):
            await service.create(NewTable("siege", "Ada", house_password="open sesame"), source="b")


@pytest.mark.parametrize(
    "wrong",
    [
        NewTable("chess", "Ada"),
        NewTable("siege", "Ada", options={"nonsense": 1}),
        NewTable("siege", "Ada", options={"ones": ["x"]}),
        NewTable("siege", "Ada", edition="../../etc/passwd"),
        NewTable("siege", "Ada", seats=(SeatPlan("me"), SeatPlan("open"))),
        NewTable("siege", "Ada", seats=()),
        NewTable("siege", "Ada", seats=(SeatPlan("bot"),)),
        NewTable("siege", "Ada", spectators="all"),  # type: ignore[arg-type]
        NewTable("standoff", "Ada", seats=(SeatPlan("me"), SeatPlan("me"))),
        NewTable("standoff", "Ada", seats=(SeatPlan("me"), SeatPlan("bot", "random"))),  # no bot here
        NewTable("standoff", "Ada", seats=(SeatPlan("me"), SeatPlan("open")), typed=True),
    ],
)
@asynchronous
async def test_tables_that_cannot_be_are_not_made(sqlite_config: Config, wrong: NewTable) -> None:
    async with serving(sqlite_config) as service:
        with pytest.raises(Invalid):
            await service.create(wrong)


@asynchronous
async def test_seats_mix_into_the_dice_after_the_commitment(config: Config) -> None:
    """A table with open seats starts when they are taken; what was mixed in until then counts."""
    async with serving(config) as service:
        made = await service.create(NewTable("standoff", "Ada", seats=(SeatPlan("me"), SeatPlan("open")), hold=True))
        ada = Caller(made.secret)
        seal = (await service.look(made.table, ada)).info.commitment
        await service.mix(made.table, ada, "one")
        await service.mix(made.table, ada, "two")
        with pytest.raises(NotFound):
            await service.mix(made.table, Caller("nobody"), "three")
        await join(service, made.table, ada, "Ben")
        seen = await service.look(made.table, ada)
        assert (seen.info.status, seen.info.commitment) == ("running", seal)
        with pytest.raises(Conflict):
            await service.mix(made.table, ada, "late")
        await service.resign(made.table, ada)
        assert Record.read(await service.record(made.table, ada)).nonces == (b"two",)
