"""Odds before battles, and reasons for what is not offered, on the King page: the engine's, and nothing hidden."""

from __future__ import annotations

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.errors import MunimentError
from muniment.games.king.odds import Battle, battle_odds
from muniment.games.king.prospects import battle_forts, battle_now, land_prospects
from muniment.tables.config import Config
from muniment.tables.values import Caller, Choice, NewTable, SeatPlan
from muniment.web.king_odds import Outlook, outlook_of
from muniment.web.king_refusals import questions, why_not
from muniment.web.king_scene import king_scene
from tests.king.scripts import part, player
from tests.tables.helpers import asynchronous, serving
from tests.web.test_pages_king import GAME, NAMES, SEATS, KingMatch, choices_of, decisions


def asked(match: KingMatch, seat: int) -> list[str]:
    return questions(match.view(seat), choices_of(match.legal_actions(seat)))


def test_every_question_is_an_action_that_the_engine_refuses() -> None:
    reasons = set()
    for match, seat in decisions(11, 300):
        view, state = match.view(seat), match.state()
        refused = []
        for notation in asked(match, seat):
            action = GAME.parse_action(notation)
            refusal = GAME.refusal(state, action, seat)
            assert refusal is not None, notation
            refused.append((Choice(action, notation, GAME.sentence(action), action.rule), refusal))
        told = why_not(view, refused, NAMES)
        assert len(told) <= len(refused)
        for one in told:
            assert one.rule in GAME.rulebook()
            assert "{" not in one.what
            reasons.add(one.reason)
    assert "You hold no land of its terrain." in reasons
    assert "A level costs 10 gold." in reasons
    assert len(reasons) > 4


def test_reasons_do_not_depend_on_what_the_seat_cannot_see() -> None:
    source = RandomStream(seed_from_text("why not"))
    compared = 0
    for match, seat in decisions(12, 200):
        view, state = match.view(seat), match.state()
        questions_ = asked(match, seat)
        if not questions_:
            continue
        try:
            other = GAME.redeal(view, source)
        except MunimentError:
            continue
        for notation in questions_:
            action = GAME.parse_action(notation)
            assert GAME.refusal(state, action, seat) == GAME.refusal(other, action, seat), notation
            compared += 1
    assert compared > 100


def test_nobody_else_is_told_reasons() -> None:
    for match, seat in decisions(13, 60):
        for other in (None, (seat + 1) % 4):
            assert questions(match.view(other), ()) == []


@asynchronous
async def test_the_service_gives_the_reasons(sqlite_config: Config) -> None:
    async with serving(sqlite_config) as service:
        new = NewTable("king", "Ada", (SeatPlan("me"), SeatPlan("open")), position=war_table())
        host = await service.create(new)
        seen = await service.look(host.table, Caller(host.secret))
        assert seen.invite is not None
        friend = await service.take_seat(seen.invite, "Ben")
        me, ben = Caller(host.secret), Caller(friend.secret)
        refused = await service.refusals(host.table, me, ["attack 0", "attack 1", "peace"])
        assert [(choice.notation, refusal.code) for choice, refusal in refused] == [("attack 0", "no-such-opponent")]
        elsewhere = await service.refusals(host.table, ben, ["attack 0"])
        assert [refusal.code for _, refusal in elsewhere] == ["not-asked"]


def war_table() -> dict[str, object]:
    return {
        "turn": 3, "phase": 4, "frames": part(4, ["war-begin", 0]),
        "players": [
            player("forest-1 swamp-1", army="elves-r3 elves-2 elves-3", gold=9),
            player("desert-1:2 plains-1", army="nomads-2 sand-worm-3 lion-pride-4", gold=9),
        ],
    }  # fmt: skip


@asynchronous
async def test_odds_of_the_page_are_the_engines() -> None:
    seen_now = seen_expected = 0
    for match, seat in decisions(4, 650):
        view = match.view(seat)
        outlook = await outlook_of(view)
        assert outlook == Outlook(battle_now(view) if view.battle else None, land_prospects(view))
        scene = king_scene(GAME, view, (), SEATS, may_act=True, outlook=outlook)
        assert {land.slug for land in scene.battles} == set(outlook.lands)
        seen_expected += outlook.deals > 1
        battle = view.battle
        if outlook.now is None or battle is None or battle.stage >= 0:
            continue
        terms = view.box.terms[view.box.land_terrain[view.box.land_named[battle.land]]]
        dispelled = view.dispelled == battle.attacker, view.dispelled == battle.defender
        odds = battle_odds(Battle(battle.attackers, battle.defenders, battle_forts(view), terms, *dispelled))
        assert abs(odds.capture - outlook.now.capture) < 1e-9
        assert abs(odds.attacker_losses - outlook.now.attacker_loss) < 1e-9
        seen_now += 1
    assert seen_now
    assert seen_expected


def test_odds_come_from_the_view_alone() -> None:
    """Other tiles where the seat cannot see them give the same numbers."""
    source, compared = RandomStream(seed_from_text("odds")), 0
    for match, seat in decisions(4, 400):
        view = match.view(seat)
        if view.war is None or not land_prospects(view):
            continue
        try:
            other = GAME.redeal(view, source)
        except MunimentError:
            continue
        again = GAME.view(other, seat)
        assert land_prospects(again) == land_prospects(view)
        compared += 1
    assert compared
