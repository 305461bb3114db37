"""Enemy line check, events, trebuchet attack and movement (5.0 to 8.4, S4 to S10)."""

from typing import Any

import pytest

from muniment.games.siege.edition import Collapse, StatusChange, TrebuchetChange
from tests.siege.positions import at, before_card, drm, with_card, with_options

# -- enemy line check


@pytest.mark.parametrize("place", ["castle", "near tunnel", "far tunnel"])
def test_no_line_check_elsewhere(place: str) -> None:
    """5.0: only soldiers in the enemy lines are checked."""
    assert at(soldiers=place).do("end").step == "draw"
    assert at(soldiers="enemy lines").do("end").step == "line check"


@pytest.mark.parametrize("face", [2, 3, 4, 5, 6])
def test_line_check_undetected(face: int) -> None:
    """5.1: on 2 to 6 the soldiers are undetected and keep what they carry."""
    play = at(soldiers="enemy lines", raided=1).do("end", face)
    assert (play.step, play.soldiers, play.raided, play.morale) == ("draw", "enemy lines", 1, 4)


def test_line_check_captured() -> None:
    """5.1, 12.0, S4: on a 1 they are captured; the new group starts the turn in the castle."""
    play = at(soldiers="enemy lines", raided=2).do("end", 1)
    assert (play.step, play.soldiers, play.raided, play.morale) == ("draw", "castle", 0, 3)


def test_line_check_capture_can_put_morale_on_0() -> None:
    """12.0, S26, S4: which is judged at the end of the turn that now begins."""
    play = before_card(3, day=2, step="line check", soldiers="enemy lines", morale=1).do(1)
    assert (play.morale, play.step, play.result) == (0, "draw", None)
    assert play.draw(3).do("end").result == "morale-0"


@pytest.mark.parametrize("ones", ["natural", "event_bonus_cancels"])
def test_no_event_modifies_the_line_check(ones: str) -> None:
    """S4: it comes before the card, whatever the last card and the option of S3."""
    game = with_options(ones=ones)
    assert at(game, soldiers="enemy lines", card=6).do("end", 1).soldiers == "castle"


# -- events


def test_illness() -> None:
    """7.1, S5: morale -1 and supplies -1, then the siege tower moves."""
    play = before_card(2, day=1).draw(2)
    assert (play.status, play.units, play.points) == ((4, 3, 3), ("start", "start", 3), 2)


def test_illness_with_morale_on_0() -> None:
    """S5, 2.3.1: morale is on 0 already and ignored; supplies still fall."""
    play = before_card(2, day=1, morale=0).draw(2)
    assert (play.status, play.result) == ((4, 0, 3), None)


def test_illness_puts_both_on_0() -> None:
    """S5, 10.0: the second of them is the second cube to enter 0; the game is lost at once and nobody moves."""
    play = before_card(2, day=1, morale=1, supplies=1).draw(2)
    assert (play.status, play.units, play.result) == ((4, 0, 0), ("start", "start", "start"), "collapse")


def test_illness_stops_at_the_first_that_loses() -> None:
    """S5, 10.0: the night put supplies on 0; morale to 0 is the second, and nothing after it happens."""
    game = with_card(StatusChange(1, -1), StatusChange(0, -1))
    play = before_card(1, game=game, day=2, more=[2], supplies=0, morale=1).draw(1)
    assert (play.status, play.result) == ((4, 0, 0), "collapse")


@pytest.mark.parametrize(("card", "day", "status"), [(3, 1, (4, 4, 3)), (4, 1, (4, 3, 4)), (7, 1, (4, 4, 4))])
def test_events_on_status(card: int, day: int, status: tuple[int, ...]) -> None:
    """7.1: Supplies Spoiled, Death of a Leader; Determined Enemy changes no status."""
    assert before_card(card, day=day).draw(card).status == status


def test_an_event_that_raises_a_status() -> None:
    """7.1, 2.3.1: custom cards may raise a status, to at most 4."""
    game = with_card(StatusChange(0, 3))
    assert before_card(1, game=game, wall=1).draw(1).wall == 4
    assert before_card(1, game=game, wall=2).draw(1).wall == 4
    play = before_card(1, game=with_card(StatusChange(1, 1)), morale=2).draw(1)
    assert (play.status, [game.tell(event) for event in play.log][1:]) == ((4, 3, 4), ["Morale rises by 1 to 3."])
    assert play.log.events[1].rule == "7.1"
    nothing = before_card(1, game=with_card(StatusChange(1, 0)), morale=2).draw(1)
    assert (nothing.status, nothing.told) == ((4, 2, 4), ["card"])


def test_an_event_that_lowers_a_status_by_more() -> None:
    """2.3.1, S5: by as many steps as printed, but never below 0."""
    game = with_card(StatusChange(2, -3))
    assert before_card(1, game=game).draw(1).supplies == 1
    assert before_card(1, game=game, supplies=2).draw(1).supplies == 0


def test_repaired_trebuchet_does_both_events() -> None:
    """2.1.4, 7.1: add 1 trebuchet, to at most 3, and +1 to coupure this turn."""
    play = before_card(5, day=3, trebuchets=1, wall=2).draw(5)
    assert (play.trebuchets, play.units) == (2, (3, "start", "start"))
    assert play.hits("coupure") == [4, 5, 6]
    assert before_card(5, day=3, trebuchets=0).draw(5).trebuchets == 1
    assert before_card(5, day=3, trebuchets=3).draw(5).trebuchets == 3


def test_a_trebuchet_event_never_goes_below_0() -> None:
    """2.2.3: the count is between 0 and 3."""
    game = with_card(TrebuchetChange(-2))
    assert [before_card(1, game=game, trebuchets=n).draw(1).trebuchets for n in (0, 1, 2, 3)] == [0, 0, 0, 1]


@pytest.mark.parametrize(("space", "after"), [("start", "removed"), (3, 3), (2, 2), (1, 1), ("close combat",) * 2])
def test_collapsed(space: Any, after: Any) -> None:
    """S7: the siege tower is removed only from its start; ladders and ram then move as ordered."""
    play = before_card(5, day=2, siege_tower=space).draw(5)
    assert play.units == (3, 3, after)


def test_collapse_resolves_before_movement() -> None:
    """S7: ordered on the very same turn, the tower is gone before it could move, or moves from where it was saved."""
    game = with_card(Collapse(2), orders=(2,))
    assert before_card(1, game=game).draw(1).units == ("start", "start", "removed")
    assert before_card(1, game=game, siege_tower=3).draw(1).units == ("start", "start", 2)


def test_a_removed_tower_ignores_orders() -> None:
    """8.1, S7: all future orders to it are ignored; the others named with it move."""
    play = before_card(6, day=3, siege_tower="removed").draw(6)
    assert play.units == ("start", 3, "removed")
    assert before_card(7, day=3, siege_tower="removed").draw(7).units == (3, 3, "removed")


def test_an_event_lasts_one_turn() -> None:
    """7.1, S28: Gate Fortified helps this turn only."""
    play = at(day=2, card=4, battering_ram=2, deck=[2, 7])
    assert play.hits("archers battering-ram") == [3, 4, 5, 6]
    play.do("end").draw(7)
    assert play.hits("archers battering-ram") == [4, 5, 6]


def test_an_event_that_finds_nothing_is_lost() -> None:
    """7.1, S28: Boiling Oil with no unit on a circle changes nothing, now or later."""
    play = before_card(3, day=3, ladders=3, battering_ram=3, more=[4]).draw(3)
    assert play.units == (2, 2, "start")
    assert play.hits("archers ladders") == [3, 4, 5, 6]
    play.do("end").draw(4)
    play.state.units[0] = 1
    assert play.hits("archers ladders") == [3, 4, 5, 6]


# -- trebuchet attack


@pytest.mark.parametrize(("trebuchets", "wall", "after"), [(3, 4, 2), (3, 2, 0), (3, 1, 0), (2, 4, 3), (2, 1, 0)])
def test_trebuchets_fire(trebuchets: int, wall: int, after: int) -> None:
    """7.2, S6: three take 2 off the wall, two take 1; the wall stops at 0."""
    play = before_card(1, day=1, trebuchets=trebuchets, wall=wall).draw(1)
    assert (play.wall, play.step, play.points, play.result) == (after, "actions", 3, None)


@pytest.mark.parametrize(("face", "wall"), [(1, 4), (2, 4), (3, 4), (4, 3), (5, 3), (6, 3)])
def test_a_single_trebuchet_rolls(face: int, wall: int) -> None:
    """7.2, S6: 4, 5 or 6 hits, 1, 2 or 3 does not."""
    play = before_card(1, day=2, trebuchets=1).draw(1)
    assert (play.step, play.wall, play.points) == ("trebuchets", 4, 0)
    play.do(face)
    assert (play.wall, play.step, play.points) == (wall, "actions", 2)
    assert (play.log.events[-1].kind, play.log.events[-1].rule) == (
        "status" if wall == 3 else "trebuchet-missed",
        "7.2",
    )


def test_no_trebuchet_left() -> None:
    """7.2, S6: the event is ignored, and nobody moves (8.3)."""
    play = before_card(1, day=1, trebuchets=0, ladders=2).draw(1)
    assert (play.wall, play.step, play.units) == (4, "actions", (2, "start", "start"))


@pytest.mark.parametrize("trebuchets", [0, 1, 2, 3])
def test_nobody_moves_in_a_trebuchet_attack(trebuchets: int) -> None:
    """8.3, S6: not even when nothing is fired."""
    play = before_card(1, day=1, trebuchets=trebuchets, ladders=1, battering_ram=2, siege_tower=3).draw(1)
    play.do(*[6] * (trebuchets == 1))
    assert (play.units, play.morale) == ((1, 2, 3), 4)


@pytest.mark.parametrize(("trebuchets", "wall"), [(3, 2), (3, 1), (2, 1)])
def test_a_trebuchet_attack_can_lose_at_once(trebuchets: int, wall: int) -> None:
    """10.0, S26: the wall is the second status on 0."""
    play = before_card(1, day=2, deck=[1, 2, 3, 4, 5, 6, 7], trebuchets=trebuchets, wall=wall, supplies=0).draw(1)
    assert (play.wall, play.result) == (0, "collapse")


def test_a_single_trebuchet_can_lose_at_once() -> None:
    """10.0, 7.2: as above, by its die; on a miss the turn goes on."""
    play = before_card(1, day=2, deck=[1, 2, 3, 4, 5, 6, 7], trebuchets=1, wall=1, supplies=0).draw(1)
    assert play.again().do(3).step == "actions"
    assert play.do(4).result == "collapse"


# -- movement


def test_an_ordered_unit_moves_one_space() -> None:
    """8.0, 8.1: the example, ladders from 3 to 2, and every other space."""
    for before, after in [("start", 3), (3, 2), (2, 1), (1, "close combat")]:
        assert before_card(3, day=1, ladders=before).draw(3).units == (after, "start", "start")


def test_all_units_on_the_banner_move() -> None:
    """8.1: Faith orders all three."""
    assert before_card(7, day=3, ladders=2, siege_tower=3).draw(7).units == (1, 3, 2)


def test_none_on_the_banner() -> None:
    """8.3: Bad Weather moves nobody."""
    assert before_card(3, day=2, ladders=1, battering_ram=2).draw(3).units == (1, 2, "start")


def test_slowest_example_1() -> None:
    """8.2, example 1: ladders on 2, ram on start, tower on 3: the ram moves to 3."""
    assert before_card(2, day=2, ladders=2, siege_tower=3).draw(2).units == (2, 3, 3)


def test_slowest_example_2() -> None:
    """8.2, example 2: ladders and ram on 3, tower on 2: ladders and ram move."""
    play = before_card(2, day=2, ladders=3, battering_ram=3, siege_tower=2).draw(2)
    assert play.units == (2, 2, 2)


def test_slowest_all_level() -> None:
    """8.2: three units on the same value all move."""
    assert before_card(2, day=2).draw(2).units == (3, 3, 3)


def test_a_removed_tower_is_never_slowest() -> None:
    """S7, S8: of the units still in the game the farthest move."""
    play = before_card(2, day=2, ladders=2, battering_ram=3, siege_tower="removed", deck=[2, 3])
    assert play.draw(2).units == (2, 2, "removed")


def test_a_unit_in_close_combat_is_not_slowest() -> None:
    """S8: it is the nearest; the others outside are compared."""
    play = before_card(2, day=2, ladders="close combat", battering_ram=1, siege_tower=1).draw(2)
    assert play.units == ("close combat", "close combat", "close combat")
    assert play.result == "overrun"
    play = before_card(2, day=2, ladders="close combat", battering_ram=1, siege_tower=2).draw(2)
    assert (play.units, play.morale) == (("close combat", 1, 1), 4)


def test_slowest_with_nobody_outside() -> None:
    """S8, S9: only units in close combat or removed are left: the order has no effect."""
    game = with_card(Collapse(0), Collapse(1), Collapse(2), slowest=True)
    assert before_card(1, game=game).draw(1).units == ("removed", "removed", "removed")
    play = before_card(1, game=game, ladders="close combat").draw(1)
    assert (play.units, play.morale) == (("close combat", "removed", "removed"), 4)


# -- close combat area


def test_entering_close_combat_costs_morale() -> None:
    """8.4, 14.0: each unit that advances into the area costs 1 morale; one that only reaches the circle does not."""
    assert before_card(3, day=1, ladders=1).draw(3).morale == 3
    assert before_card(3, day=1, ladders=2).draw(3).morale == 4


def test_an_order_to_a_unit_in_close_combat() -> None:
    """S9: it does not advance, and costs no morale."""
    play = before_card(3, day=1, ladders="close combat").draw(3)
    assert (play.units[0], play.morale) == ("close combat", 4)


def test_two_enter_together() -> None:
    """S10, 14.0: each costs 1 morale."""
    play = before_card(4, day=2, ladders=1, battering_ram=1).draw(4)
    assert (play.units, play.morale, play.result) == (("close combat", "close combat", "start"), 2, None)


def test_the_third_unit_overruns() -> None:
    """8.4, 10.0, S10: the third to enter loses at once; its entry costs no morale any more."""
    play = before_card(7, day=3, ladders=1, battering_ram=1, siege_tower=1).draw(7)
    assert (play.morale, play.result, play.step) == (2, "overrun", "over")


def test_units_enter_in_the_printed_order() -> None:
    """S10: ladders, ram, tower one by one; with the ram inside, the tower is the third."""
    game = with_card(orders=(0, 1, 2))
    play = before_card(1, game=game, ladders=1, battering_ram=1, siege_tower=1, morale=1, supplies=4)
    play.draw(1)
    assert (play.units, play.result) == (("close combat",) * 3, "overrun")
    play = before_card(1, game=game, day=2, deck=[1, 2], ladders=1, battering_ram=1, morale=1, supplies=0).draw(1)
    assert (play.units, play.result) == (("close combat", 1, "start"), "collapse")


def test_a_second_unit_with_one_inside() -> None:
    """2.2.2, 8.4: there are two spaces in the area."""
    play = before_card(3, day=1, ladders=1, siege_tower="close combat").draw(3)
    assert (play.units, play.result) == (("close combat", "start", "close combat"), None)


def test_entering_with_morale_on_0() -> None:
    """8.4, 2.3.1: a track on 0 stays there."""
    play = before_card(3, day=1, ladders=1, morale=0).draw(3)
    assert (play.morale, play.result) == (0, None)


def test_drms_do_not_move_anybody() -> None:
    """7.1, 8.1: an event that modifies dice changes neither status nor orders."""
    game = with_card(*drm(all_attacks=2, coupure=1), orders=(1,))
    play = before_card(1, game=game).draw(1)
    assert (play.units, play.status, play.trebuchets) == (("start", 3, "start"), (4, 4, 4), 3)
