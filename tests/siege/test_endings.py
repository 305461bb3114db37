"""The victory-or-loss check, the end of day, and what morale costs (10.0, 11.0, 14.0, S26, S27)."""

from typing import Any

import pytest

from tests.siege.positions import STANDARD, Play, at, before_card, last_turn, with_card

IN = "close combat"

# -- the check at the end of a turn


@pytest.mark.parametrize("track", ["wall", "morale", "supplies"])
def test_a_status_on_0_loses_at_the_end_of_the_turn(track: str) -> None:
    """10.0, S26: and not before; on 1 the game goes on."""
    play = at(**{track: 0})
    assert play.result is None
    assert play.do("end").result == f"{track}-0"
    assert at(**{track: 1}).do("end").result is None


def test_a_status_on_0_can_be_mended() -> None:
    """S26: before the check."""
    assert at(wall=0).do("coupure", 5, "end").result is None
    assert at(morale=0).do("rally", 5, "end").result is None
    assert at(supplies=0, soldiers="near tunnel", raided=1).do("free castle", "end").result is None


def test_two_units_in_close_combat_lose_at_the_end() -> None:
    """10.0, 9.1.3: two lose, one does not."""
    assert at(ladders=IN, siege_tower=IN, points=0).do("end").result == "close-combat-held"
    assert at(ladders=IN).do("end").result is None


def test_a_second_status_on_0_loses_at_once() -> None:
    """10.0, S26: during the turn, not at its end."""
    play = at(wall=0, morale=1)
    assert play.do("extra morale").step == "over"
    assert STANDARD.legal_actions(play.state) == ()


def test_the_reasons_name_their_rule() -> None:
    """10.0, 8.4, 11.0: how a game ended and why."""
    for play, rule in [
        (at(wall=0).do("end"), "10.0"),
        (at(ladders=IN, siege_tower=IN, points=0).do("end"), "10.0"),
        (at(wall=0, morale=1).do("extra morale"), "10.0"),
        (before_card(7, day=3, ladders=1, battering_ram=1, siege_tower=1).draw(7), "8.4"),
        (last_turn(day=3, card=4).do("end"), "11.0"),
    ]:
        assert STANDARD.pending(play.state).rule == rule
        assert [event.rule for event in play.log if event.kind == "over"] == [rule]


# -- end of day


def test_the_day_ends_when_the_deck_is_empty() -> None:
    """11.0, 4.0: not while a card is left."""
    assert at(deck=[1]).do("end").day == 1
    play = last_turn().do("end")
    assert (play.day, play.step, play.supplies) == (2, "draw", 3)


def test_all_cards_are_shuffled_for_the_next_day() -> None:
    """11.0, S29, 4.0: all seven, each as likely."""
    for day in (1, 2):
        play = last_turn(day=day, card=4).do("end")
        assert STANDARD.view(play.state).cards_left == (0, 1, 2, 3, 4, 5, 6)
        assert len(STANDARD.chance(play.state).outcomes) == 7
        assert STANDARD.view(play.state).turn == 1


@pytest.mark.parametrize("place", ["near tunnel", "far tunnel"])
def test_soldiers_in_the_tunnel_go_home(place: str) -> None:
    """11.0, 9.1.6.2, 13.0, S27: after the meal, with what they carry."""
    play = last_turn(soldiers=place, raided=2, supplies=1).do("end")
    assert (play.soldiers, play.raided, play.supplies, play.morale) == ("castle", 0, 2, 4)


def test_the_meal_comes_before_the_resupply() -> None:
    """S27: supplies -1 first, so that full stores do not waste what is brought."""
    play = last_turn(soldiers="near tunnel", raided=1).do("end")
    assert play.supplies == 4
    play = last_turn(soldiers="near tunnel", raided=2, supplies=4).do("end")
    assert play.supplies == 4


def test_soldiers_in_the_enemy_lines_are_captured() -> None:
    """11.0, 12.0, S27: what they carry is lost, morale -1, and no line check follows."""
    play = last_turn(soldiers="enemy lines", raided=2, supplies=3).do("end")
    assert (play.soldiers, play.raided, play.status, play.step) == ("castle", 0, (4, 3, 2), "draw")


def test_soldiers_in_the_castle_stay() -> None:
    """11.0, 14.0: they cost nothing."""
    assert last_turn().do("end").status == (4, 4, 3)


def test_0_after_the_first_days_is_judged_later() -> None:
    """S27: supplies or morale on 0 by the night are judged at the next turn's check, and can be mended before it."""
    for day in (1, 2):
        play = last_turn(day=day, card=4, supplies=1).do("end")
        assert (play.supplies, play.result, play.day) == (0, None, day + 1)
        play.draw(7).do("end")
        assert play.result == "supplies-0"
    play = last_turn(soldiers="enemy lines", morale=1).do("end")
    assert (play.morale, play.result) == (0, None)
    assert play.again().draw(7).do("end").result == "morale-0"
    assert play.draw(7).do("rally", 6, "end").result is None


def test_the_night_can_lose_at_once() -> None:
    """S27, 10.0: supplies to 0, then the capture puts morale on 0 too."""
    play = last_turn(soldiers="enemy lines", supplies=1, morale=1).do("end")
    assert (play.status, play.result) == ((4, 0, 0), "collapse")


def test_the_check_comes_before_the_end_of_day() -> None:
    """10.0, 11.0, S1: a status on 0 loses before soldiers could bring supplies home."""
    play = last_turn(supplies=0, soldiers="near tunnel", raided=2).do("end")
    assert (play.result, play.supplies) == ("supplies-0", 0)
    play = last_turn(day=3, card=4, ladders=IN, siege_tower=IN, points=0).do("end")
    assert play.result == "close-combat-held"


def test_victory() -> None:
    """10.0, 11.0, 4.0: after the end of day 3, if no loss applies; not before the last turn."""
    play = last_turn(day=3, card=4).do("end")
    assert (play.result, play.status) == ("won", (4, 4, 3))
    assert at(day=3, card=4, deck=[1]).do("end").result is None
    assert at(day=3, card=4, deck=[], ladders=IN, wall=1, morale=1, supplies=2).do("end").result == "won"


def test_the_last_night_is_a_check_too() -> None:
    """S27: after day 3 any status on 0 is a loss."""
    assert last_turn(day=3, card=4, supplies=1).do("end").result == "supplies-0"
    assert last_turn(day=3, card=4, soldiers="enemy lines", morale=1).do("end").result == "morale-0"
    assert last_turn(day=3, card=4, soldiers="enemy lines", morale=1, supplies=1).do("end").result == "collapse"
    saved = last_turn(day=3, card=4, soldiers="far tunnel", raided=1, supplies=1).do("end")
    assert (saved.result, saved.supplies) == ("won", 1)


def test_21_turns() -> None:
    """4.0: three days of seven turns, in which a fortress that nobody attacks loses 3 supplies and wins."""
    game = with_card(cards=7)
    play = Play(game, game.initial())
    turns = 0
    while play.result is None:
        play.draw(turns % 7 + 1).do("end")
        turns += 1
    assert (turns, play.result, play.status, play.day) == (21, "won", (4, 4, 1), 3)


# -- what costs morale


@pytest.mark.parametrize(
    ("changes", "steps"),
    [
        ({"ladders": 1}, ("water ladders", 1)),
        ({"ladders": IN}, ("fight ladders", 1)),
        ({"soldiers": "enemy lines"}, ("raid", 1)),
        ({"soldiers": "enemy lines"}, ("sabotage", 1)),
        ({"soldiers": "enemy lines"}, ("end", 1)),
        ({"soldiers": "enemy lines", "deck": []}, ("end",)),
    ],
)
def test_what_costs_morale(changes: dict[str, Any], steps: tuple[str | int, ...]) -> None:
    """14.0: a 1 with boiling water or in close combat, and every capture, cost exactly 1 (8.4 is tested with 8.0)."""
    assert at(**changes).do(*steps).morale == 3
    assert at(**changes, morale=0).do(*steps).morale == 0


@pytest.mark.parametrize("track", ["wall", "supplies"])
def test_a_status_is_never_raised_above_4(track: str) -> None:
    """2.3.1: 4 is the maximum; 3 can still rise to it."""
    if track == "wall":
        assert at(wall=3).do("coupure", 6).wall == 4
    else:
        assert at(supplies=4, soldiers="near tunnel", raided=2).do("free castle").supplies == 4
