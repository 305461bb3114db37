"""Sequences of actions sent from the King page: taken or refused as one, once, whatever a client sends."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import httpx

from muniment.games.king.views import KingView
from muniment.tables.config import Config
from muniment.tables.service import Service
from muniment.tables.values import Caller, Choice, NewTable, SeatPlan
from muniment.web.king_ask import Ask, ask_of
from muniment.web.king_picks import in_order
from muniment.web.render import SEAT_COOKIE
from tests.king.scripts import Table, part, player
from tests.king.test_magic import sent
from tests.king.test_options import reserves
from tests.tables.helpers import asynchronous
from tests.web.client import in_process
from tests.web.test_hostile import LEAKS

NAMES = ("Ada", "Ben", "Cleo")
ARMY = "elves-2 bear-2 pixies-f1 troll-4 dwarves-3 giant-r4 ghosts-f1"


def asked(t: Table) -> Ask:
    seat = t.asks[1]
    legal = t.game.legal_actions(t.state, seat)
    choices = [Choice(a, a.notation, t.game.sentence(a), a.rule) for a in legal]
    return ask_of(t.game.view(t.state, seat), choices, NAMES)


def ordered(t: Table, actions: Sequence[str]) -> Sequence[str]:
    view = t.game.view(t.state, t.asks[1])
    assert isinstance(view, KingView)
    return in_order(view, actions)


def test_k52_reserves_are_picked_in_any_order_and_sent_as_one() -> None:
    t = reserves()
    ask = asked(t)
    assert [box.notation for box in ask.boxes] == ["reserve vultures-f1", "reserve arch-mage"]
    assert (ask.closing, ask.most, ask.groups, ask.singles) == ("done", None, (), ())
    t.do(*ordered(t, ["reserve arch-mage", "reserve vultures-f1", "done"]))
    assert t.asks == ("reserve", 1)
    assert [box.notation for box in asked(t).boxes] == ["reserve pixies-f1"]


def test_k40_the_dead_are_brought_back_as_one() -> None:
    """K40: of two dead, the talisman's die brings back one."""
    t = sent("sand-worm-3 arch-mage", "elves-2 elves-3", one="talisman-of-deliverance").roll(6, 1)
    t.do("line sand-worm-3 forest-1", "line arch-mage forest-1", "line elves-3 forest-1", "line elves-2 forest-1")
    t.roll(*[1] * 9).roll(6, 6, 1, 1, 1).do("talisman").roll(1)
    ask = asked(t)
    assert [box.notation for box in ask.boxes] == ["revive sand-worm-3", "revive arch-mage"]
    assert (ask.closing, ask.most) == ("done", 1)
    t.do(*ordered(t, ["done", "revive arch-mage"]))
    assert t.army(0) == ["arch-mage"]


def test_k28_no_more_are_sent_than_can_be_paid() -> None:
    t = Table(
        player("forest-1", army="bear-2 elves-2 elves-3", gold=1), player("swamp-1"), frames=part(4, ["war", 0]),
        turn=2, phase=4,
    )  # fmt: skip
    t.do("attack 1")
    assert asked(t).most == 2
    t.do("send elves-2")
    ask = asked(t)
    assert ([box.notation for box in ask.boxes], ask.most) == (["send bear-2"], 1)


async def hits_table(service: Service) -> tuple[str, Caller]:
    """Seat 0, with an army of seven, has five hits to place."""
    position = {
        "phase": 4, "turn": 5, "acting": 1,
        "players": [player("forest-1 mountain-1", army=ARMY), player("desert-1")],
        "field": ["sand-worm-3"],
        "war": {"attacker": 1, "defender": 0, "higher": 0, "lined": 3, "fought": 256},
        "line_up": dict.fromkeys(["sand-worm-3", *ARMY.split()], "forest-1"),
        "battle": {
            "land": "forest-1", "attacker": 1, "defender": 0, "sides": [["sand-worm-3"], ARMY.split()],
            "stage": 1, "rolled": 3, "hits": [0, 5],
        },
        "frames": [["turn-end", -1], ["homecoming", 1], ["battles", 1], ["battle-over", 1], ["losses", 0, 1]],
    }  # fmt: skip
    host = await service.create(NewTable("king", "Ada", (SeatPlan("me"), SeatPlan("open")), position=position))
    caller = Caller(host.secret)
    seen = await service.look(host.table, caller)
    assert seen.invite is not None
    await service.take_seat(seen.invite, "Ben")
    return host.table, caller


async def post(client: httpx.AsyncClient, table: str, **fields: object) -> httpx.Response:
    headers = {
        "content-type": "application/x-www-form-urlencoded", "accept": "text/html", "origin": "http://games.test",
    }  # fmt: skip
    return await client.post(f"/t/{table}/act", content=urlencode(fields, doseq=True), headers=headers)


@asynchronous
async def test_a_sequence_sent_again_gets_the_first_answer(sqlite_config: Config) -> None:
    """The order in which a browser sends hits, and those that the game places by itself, are no other move."""
    async with in_process(sqlite_config) as (client, service):
        table, caller = await hits_table(service)
        client.cookies.set(SEAT_COOKIE, str(caller.secret))
        decision = (await service.look(table, caller)).decision
        hits = ["hit ghosts-f1", "hit giant-r4", "hit dwarves-3", "hit bear-2", "hit elves-2"]
        first = await post(client, table, action=hits, decision=decision, key="k")
        assert first.status_code == 303
        version = (await service.look(table, caller)).version
        for again in (hits, hits[::-1]):
            assert (await post(client, table, action=again, decision=decision, key="k")).status_code == 303
        other = await post(client, table, action=["hit troll-4", *hits[1:]], decision=decision, key="k")
        assert other.status_code == 409
        stale = await post(client, table, action=hits, decision=decision, key="k2")
        assert stale.status_code == 409
        assert (await service.look(table, caller)).version == version


@asynchronous
async def test_a_sequence_with_a_fault_has_no_effect(sqlite_config: Config) -> None:
    async with in_process(sqlite_config) as (client, service):
        table, caller = await hits_table(service)
        other, _ = await hits_table(service)
        client.cookies.set(SEAT_COOKIE, str(caller.secret))
        before = await service.look(table, caller)
        hits = ["hit elves-2", "hit bear-2", "hit dwarves-3"]
        sequences: list[list[str]] = [
            [*hits[:2], "hit cyclops-5"], [hits[0], hits[0], hits[0]], [*hits, *hits], [*hits, "done"], ["done", *hits],
            [*hits, "attack 1"], ["hit", "hit "], ["hit  bear-2", "hit bear-2"], [*hits[:2], "hit bear-2\n0 done"],
            ["line bear-2", "line"], ["muster elves-2", "done"], ["send", "send"], ["revive bear-2", "done"],
            hits * 60, ["hit bear-2"] * 900, ["\x00", "\ud800"], ["offer", "give-gold 1"], [" ", ""], [],
            ["x" * 5000, "y"], ["hit " + "b" * 5000] * 3,
        ]  # fmt: skip
        for actions in sequences:
            answer = await post(client, table, action=[a.encode("utf-8", "surrogatepass") for a in actions],
                                decision=before.decision, key="k")  # fmt: skip
            assert answer.status_code in (400, 409, 413, 422), (actions, answer.status_code)
            assert not LEAKS.search(answer.content)
        for fields in (
            {"action": hits},
            {"action": hits, "decision": "x"},
            {"action": hits, "decision": before.decision, "key": "é"},
        ):
            assert (await post(client, table, **fields)).status_code in (409, 422)
        assert (await post(client, other, action=hits, decision=before.decision)).status_code == 404
        assert (await service.look(table, caller)).version == before.version
        assert (await post(client, table, action=hits, decision=before.decision, key="k")).status_code == 303
