"""Coupure, rally, tunnel, raid, sabotage, the additional action and Bad Weather (9.1 to 9.2, 12.0, 13.0)."""

from fractions import Fraction
from typing import Any

import pytest

from muniment.games.siege.edition import Only
from tests.siege.positions import STANDARD, at, before_card, drm, with_card, with_options

ONES = ["natural", "event_bonus_cancels"]

# -- points


def test_every_action_costs_a_point_whatever_its_success() -> None:
    """9.1, 9.0: one point is spent on each action; with none left they are refused, and the turn may still end."""
    play = at(wall=3, points=2).do("coupure", 1)
    assert play.points == 1
    play.do("coupure", 6)
    assert play.points == 0
    assert play.refused("rally") == play.refused("enter") == play.refused("archers ladders") == (
        "no-action-points", "9.1",
    )  # fmt: skip
    assert play.can("end")


def test_the_turn_may_end_with_points_left() -> None:
    """9.1, S28: not all points need be spent."""
    assert at(points=2).do("end").step == "draw"


def test_what_is_legal_at_the_start_of_a_turn() -> None:
    """9.1, S11, S15: with nothing to mend and nobody near, the soldiers may go, and points may be bought."""
    assert at().legal == {"enter", "extra morale", "extra supplies", "end"}


# -- coupure and rally


@pytest.mark.parametrize(("face", "wall"), [(1, 2), (4, 2), (5, 3), (6, 3)])
def test_coupure(face: int, wall: int) -> None:
    """9.1.4, S15: a 5 or 6 repairs the wall by 1; 4 or less does not."""
    assert at(wall=2).do("coupure", face).status == (wall, 4, 4)


@pytest.mark.parametrize(("day", "card"), [(2, 6), (3, 5)])
def test_events_on_coupure(day: int, card: int) -> None:
    """9.1.4, S15: Enemy Fatigue and Repaired Trebuchet give +1: a total of 5 or more."""
    assert at(day=day, card=card, wall=2).hits("coupure") == [4, 5, 6]
    assert at(day=2, card=2, wall=2).hits("coupure") == [5, 6]


@pytest.mark.parametrize(("face", "morale"), [(1, 2), (4, 2), (5, 3), (6, 3)])
def test_rally(face: int, morale: int) -> None:
    """9.1.5, S15: a 5 or 6 raises morale by 1; 4 or less does not."""
    assert at(morale=2).do("rally", face).status == (4, morale, 4)


@pytest.mark.parametrize(
    ("day", "card", "hits"), [(1, 3, [5, 6]), (2, 2, [4, 5, 6]), (3, 7, [4, 5, 6]), (3, 6, [5, 6])]
)
def test_events_on_rally(day: int, card: int, hits: list[int]) -> None:
    """9.1.5, S15, S2: Guards Distracted and Faith give +1 (Rally! is about attacks); a supply adds 1 more."""
    assert at(day=day, card=card, morale=2).hits("rally") == hits
    assert at(day=day, card=card, morale=2).hits("rally supply") == [hits[0] - 1, *hits]


@pytest.mark.parametrize(("face", "morale"), [(1, 2), (3, 2), (4, 3), (6, 3)])
def test_rally_with_a_supply(face: int, morale: int) -> None:
    """9.1.5, S16: +1 for a supply, paid before the roll and spent also when it fails."""
    play = at(morale=2).do("rally supply")
    assert (play.supplies, play.step) == (3, "roll")
    assert play.do(face).status == (4, morale, 3)


def test_full_tracks_are_not_mended() -> None:
    """S15: at 4 coupure and rally are not offered; at 3 they are."""
    play = at()
    assert play.refused("coupure") == play.refused("rally") == play.refused("rally supply") == ("track-full", "S15")
    assert {"coupure", "rally", "rally supply"} <= at(wall=3, morale=3).legal
    assert at(wall=3).refused("rally") == at(morale=3).refused("coupure") == ("track-full", "S15")


def test_the_extra_supply_must_be_there() -> None:
    """S16: needs supplies of at least 1."""
    assert at(morale=2, supplies=0).refused("rally supply") == ("nothing-to-spend", "S16")
    play = at(morale=2, supplies=1).do("rally supply")
    assert (play.supplies, play.result) == (0, None)


def test_paying_the_extra_supply_can_lose_at_once() -> None:
    """S16, S26: supplies are the second status on 0, before the die is rolled."""
    play = at(morale=2, supplies=1, wall=0)
    odds = STANDARD.odds(STANDARD.view(play.state), STANDARD.parse_action("rally supply"))
    assert [(case.label, case.probability, case.faces) for case in odds.cases] == [("failure", Fraction(1), ())]
    assert odds.success == 0
    assert play.do("rally supply").result == "collapse"


def test_a_1_in_coupure_or_rally_is_just_a_failure() -> None:
    """14.0, S3: no morale is lost."""
    assert at(wall=2).do("coupure", 1).morale == 4
    assert at(morale=2).do("rally", 1).morale == 2
    assert at(with_card(*drm(coupure=4, rally=4)), wall=2).do("coupure", 1).wall == 3


# -- the tunnel


@pytest.mark.parametrize(("start", "entered"), [("castle", "near tunnel"), ("enemy lines", "far tunnel")])
def test_entering(start: str, entered: str) -> None:
    """9.1.6.1, S17, 2.3.2: entering costs 1 AP, from the castle to the near space, from the enemy lines to the far."""
    play = at(soldiers=start).do("enter")
    assert (play.soldiers, play.points, play.step) == (entered, 1, "actions")


@pytest.mark.parametrize("place", ["near tunnel", "far tunnel"])
def test_entering_from_the_tunnel(place: str) -> None:
    """9.1.6.1: soldiers in the tunnel cannot enter it."""
    assert at(soldiers=place).refused("enter") == ("in-tunnel", "9.1.6.1")


@pytest.mark.parametrize(
    ("start", "move", "end"),
    [
        ("near tunnel", "free lines", "far tunnel"),
        ("far tunnel", "free lines", "enemy lines"),
        ("far tunnel", "free castle", "near tunnel"),
        ("near tunnel", "free castle", "castle"),
    ],
)
@pytest.mark.parametrize("points", [0, 2])
def test_free_movement(start: str, move: str, end: str, points: int) -> None:
    """9.1.6, 9.1.6.2, S18: one space either way, without AP, also with none left; leaving the tunnel is one too."""
    play = at(soldiers=start, points=points).do(move)
    assert (play.soldiers, play.points) == (end, points)


def test_free_movement_once_a_turn() -> None:
    """S18, 9.1.6.2: only one in a turn, and a new one the next turn."""
    play = at(soldiers="near tunnel").do("free lines")
    assert play.refused("free lines") == play.refused("free castle") == ("free-move-used", "S18")
    play.do("end").draw(1)
    assert play.do("free lines").soldiers == "enemy lines"


def test_no_free_movement_on_the_turn_of_entering() -> None:
    """S18, 9.1.6.2: not on a turn in which soldiers entered the tunnel, from either side."""
    for place in ("castle", "enemy lines"):
        play = at(soldiers=place).do("enter")
        assert play.refused("free castle") == play.refused("free lines") == ("entered-this-turn", "S18")
    play.do("end").draw(1)
    assert play.can("free lines")


@pytest.mark.parametrize("place", ["castle", "enemy lines"])
def test_movement_needs_soldiers_in_the_tunnel(place: str) -> None:
    """9.1.6.2: free and fast movement are for soldiers in the tunnel."""
    for move in ("free castle", "free lines", "fast castle", "fast lines"):
        assert at(soldiers=place).refused(move) == ("not-in-tunnel", "9.1.6.2")


@pytest.mark.parametrize("place", ["near tunnel", "far tunnel"])
@pytest.mark.parametrize(("move", "end"), [("fast castle", "castle"), ("fast lines", "enemy lines")])
def test_fast_movement(place: str, move: str, end: str) -> None:
    """9.1.6.2, S19: 1 AP, from either tunnel space to either exit; the free movement is not used up."""
    play = at(soldiers=place).do(move)
    assert (play.soldiers, play.points, play.state.free_move) == (end, 1, 0)


def test_fast_movement_right_after_entering() -> None:
    """9.1.6.2, S19, the example: 1 AP to enter from the castle, 1 AP to the enemy lines."""
    play = at(points=2).do("enter", "fast lines")
    assert (play.soldiers, play.points) == ("enemy lines", 0)


def test_free_then_fast_then_in_again() -> None:
    """S18, S19: a free movement out to the castle, and entering again on the same turn; no second free movement."""
    play = at(soldiers="near tunnel", points=2).do("free castle", "enter")
    assert (play.soldiers, play.points) == ("near tunnel", 1)
    assert play.refused("free castle") == ("entered-this-turn", "S18")
    assert play.do("fast castle").soldiers == "castle"


def test_no_line_check_for_soldiers_who_arrive_during_the_turn() -> None:
    """5.0, 9.1.6.2: they act at once, and are checked when the next turn begins."""
    play = at(soldiers="far tunnel").do("free lines", "sabotage", 5)
    assert (play.trebuchets, play.step) == (2, "actions")
    assert play.do("end").step == "line check"


# -- resupply


def test_resupply_example() -> None:
    """13.0, the example: two supplies carried, 1 in the fortress: 3 as soon as the soldiers enter the castle."""
    play = at(soldiers="near tunnel", raided=2, supplies=1).do("free castle")
    assert (play.supplies, play.raided, play.soldiers) == (3, 0, "castle")


@pytest.mark.parametrize(("supplies", "raided", "after"), [(4, 2, 4), (3, 2, 4), (2, 2, 4), (3, 1, 4), (0, 1, 1)])
def test_resupply_goes_up_to_4(supplies: int, raided: int, after: int) -> None:
    """S20, 13.0: to at most 4, the rest is lost; by fast movement as well."""
    play = at(soldiers="far tunnel", raided=raided, supplies=supplies).do("fast castle")
    assert (play.supplies, play.raided) == (after, 0)


def test_supplies_stay_with_the_soldiers_until_the_castle() -> None:
    """13.0, 2.3.3: on the way through the tunnel nothing is added."""
    play = at(soldiers="enemy lines", raided=2, supplies=1).do("enter")
    assert (play.supplies, play.raided, play.soldiers) == (1, 2, "far tunnel")
    play = at(soldiers="far tunnel", raided=2, supplies=1).do("free castle")
    assert (play.supplies, play.raided) == (1, 2)


# -- supply raid


@pytest.mark.parametrize(("face", "raided"), [(2, 0), (3, 1), (4, 1), (5, 1), (6, 2)])
def test_supply_raid(face: int, raided: int) -> None:
    """9.1.7, S21: 3, 4, 5 one supply, 6 two; a 2 brings nothing."""
    play = at(soldiers="enemy lines").do("raid", face)
    assert (play.raided, play.soldiers, play.supplies, play.points) == (raided, "enemy lines", 4, 1)


@pytest.mark.parametrize(("day", "card"), [(1, 6), (2, 6)])
def test_events_on_supply_raids(day: int, card: int) -> None:
    """9.1.7, S21, S2: Cover of Darkness and Enemy Fatigue give +1: a 2 brings one supply, a 5 two."""
    play = at(day=day, card=card, soldiers="enemy lines")
    assert [play.again().do("raid", face).raided for face in (2, 3, 4, 5, 6)] == [1, 1, 1, 2, 2]
    assert at(day=2, card=2, soldiers="enemy lines").do("raid", 2).raided == 0


def test_supplies_pile_up_to_two() -> None:
    """9.1.7, 2.3.3, S21: with one carried, a second raid brings at most one more; with two it is not offered."""
    for face in (3, 6):
        assert at(soldiers="enemy lines", raided=1).do("raid", face).raided == 2
    assert at(soldiers="enemy lines", raided=2).refused("raid") == ("hands-full", "S21")
    assert at(soldiers="enemy lines", raided=1).do("raid", 2).raided == 1


@pytest.mark.parametrize("place", ["castle", "near tunnel", "far tunnel"])
def test_raid_and_sabotage_only_in_the_enemy_lines(place: str) -> None:
    """9.1.7, 9.1.8: only soldiers in the enemy lines."""
    assert at(soldiers=place).refused("raid") == ("not-in-enemy-lines", "9.1.7")
    assert at(soldiers=place).refused("sabotage") == ("not-in-enemy-lines", "9.1.8")


# -- sabotage


@pytest.mark.parametrize(("face", "trebuchets"), [(2, 3), (4, 3), (5, 2), (6, 2)])
def test_sabotage(face: int, trebuchets: int) -> None:
    """9.1.8, S22, 2.2.3: a 5 or 6 takes one trebuchet; less does nothing."""
    play = at(soldiers="enemy lines").do("sabotage", face)
    assert (play.trebuchets, play.soldiers, play.wall, play.points) == (trebuchets, "enemy lines", 4, 1)


@pytest.mark.parametrize(("day", "card"), [(2, 2), (1, 6), (2, 6)])
def test_events_on_sabotage(day: int, card: int) -> None:
    """9.1.8, S22: Guards Distracted, Cover of Darkness and Enemy Fatigue give +1: a total of 5 or more."""
    assert at(day=day, card=card, soldiers="enemy lines").hits("sabotage") == [4, 5, 6]


def test_sabotage_while_carrying() -> None:
    """9.1.8: it may be done when carrying supplies, which are kept."""
    play = at(soldiers="enemy lines", raided=2, trebuchets=1).do("sabotage", 5)
    assert (play.trebuchets, play.raided) == (0, 2)
    assert play.refused("sabotage") == ("no-trebuchets", "S22")


# -- captured


@pytest.mark.parametrize("ones", ONES)
@pytest.mark.parametrize("action", ["raid", "sabotage"])
def test_captured(action: str, ones: str) -> None:
    """12.0, 9.1.7, 9.1.8, S23, 14.0: on a 1 to the castle, supplies carried are lost, morale -1; they may go again."""
    play = at(with_options(ones=ones), soldiers="enemy lines", raided=1).do(action, 1)
    assert (play.soldiers, play.raided, play.status, play.trebuchets) == ("castle", 0, (4, 3, 4), 3)
    assert play.do("enter").soldiers == "near tunnel"


@pytest.mark.parametrize(("action", "raided", "trebuchets"), [("raid", 0, 3), ("sabotage", 0, 3)])
def test_an_event_bonus_can_cancel_the_capture(action: str, raided: int, trebuchets: int) -> None:
    """S3: natural by default; with "event_bonus_cancels" a positive DRM on that very roll prevents the capture."""
    assert at(day=1, card=6, soldiers="enemy lines").do(action, 1).soldiers == "castle"
    cancels = with_options(ones="event_bonus_cancels")
    play = at(cancels, day=1, card=6, soldiers="enemy lines").do(action, 1)
    assert (play.soldiers, play.morale, play.raided, play.trebuchets) == ("enemy lines", 4, raided, trebuchets)
    if action == "raid":  # Guards Distracted gives +1 to sabotage only
        assert at(cancels, day=2, card=2, soldiers="enemy lines").do("raid", 1).soldiers == "castle"


def test_a_cancelled_1_is_judged_by_its_total() -> None:
    """S3, S21, S22: with +2 a 1 raids one supply, with +5 two; with +4 it sabotages."""
    play = at(
        with_card(*drm(supply_raid=2, sabotage=4), ones="event_bonus_cancels"), soldiers="enemy lines", trebuchets=2
    )
    assert play.again().do("raid", 1).raided == 1
    assert play.again().do("sabotage", 1).trebuchets == 1
    assert play.hits("sabotage") == [1, 2, 3, 4, 5, 6]
    natural = at(with_card(*drm(supply_raid=2, sabotage=4)), soldiers="enemy lines")
    assert natural.hits("sabotage") == natural.hits("raid") == [2, 3, 4, 5, 6]
    worse = at(with_card(*drm(supply_raid=-1), ones="event_bonus_cancels"), soldiers="enemy lines")
    assert worse.do("raid", 1).soldiers == "castle"


def test_only_a_natural_1_captures() -> None:
    """S3: a 2 with -1 makes 1, but is no natural 1."""
    play = at(with_card(*drm(supply_raid=-1, sabotage=-1)), soldiers="enemy lines")
    for action in ("raid", "sabotage"):
        assert play.again().do(action, 2).soldiers == "enemy lines"


def test_capture_can_lose_the_game() -> None:
    """12.0, 10.0, S26: morale is the second status on 0."""
    assert at(soldiers="enemy lines", morale=1, wall=0).do("raid", 1).result == "collapse"
    assert at(soldiers="enemy lines", morale=1).do("raid", 1).result is None


# -- additional action


def test_the_additional_action() -> None:
    """9.2, S24: morale -1 or supplies -1 for 1 AP."""
    morale, supplies = at().do("extra morale"), at().do("extra supplies")
    assert (morale.status, morale.points) == ((4, 3, 4), 3)
    assert (supplies.status, supplies.points) == ((4, 4, 3), 3)


def test_one_additional_action_a_turn() -> None:
    """9.2, S24: only one, however much is left; also with no AP left; a new one the next turn."""
    play = at(points=0).do("extra morale")
    assert play.points == 1
    assert play.refused("extra morale") == play.refused("extra supplies") == ("extra-used", "9.2")
    play.do("end").draw(1)
    assert play.can("extra supplies")


def test_the_additional_action_needs_something_to_spend() -> None:
    """S24: from at least 1; it may put the track on 0."""
    assert at(morale=0).refused("extra morale") == ("nothing-to-spend", "S24")
    assert at(supplies=0).refused("extra supplies") == ("nothing-to-spend", "S24")
    assert at(morale=1).do("extra morale").status == (4, 0, 4)
    assert at(supplies=1).do("extra supplies").status == (4, 4, 0)


def test_the_additional_action_can_lose_at_once() -> None:
    """S24, S26, 10.0: the second status on 0."""
    assert at(morale=1, wall=0).do("extra morale").result == "collapse"
    assert at(supplies=1, morale=0).do("extra supplies").result == "collapse"


def test_an_additional_action_is_any_action() -> None:
    """9.2: the point bought pays for an action like the others."""
    play = at(wall=2, points=0).do("extra supplies", "coupure", 5)
    assert (play.wall, play.points) == (3, 0)


# -- Bad Weather


def bad_weather(**changes: Any) -> Any:
    return at(**{"day": 2, "card": 3, "wall": 2, "morale": 2, "ladders": 1} | changes)


@pytest.mark.parametrize(
    ("action", "changes"),
    [
        ("archers ladders", {}),
        ("water ladders", {}),
        ("fight ladders", {"ladders": "close combat"}),
        ("coupure", {}),
        ("rally", {}),
        ("rally supply", {}),
        ("enter", {}),
        ("enter", {"soldiers": "enemy lines"}),
        ("fast castle", {"soldiers": "near tunnel"}),
        ("fast lines", {"soldiers": "near tunnel"}),
        ("free castle", {"soldiers": "near tunnel"}),
        ("free lines", {"soldiers": "far tunnel"}),
    ],
)
def test_bad_weather_forbids(action: str, changes: dict[str, Any]) -> None:
    """S25: only supply raid and sabotage; no free or fast tunnel movement and no entering."""
    assert bad_weather(**changes).refused(action) == ("event-forbids", "S25")


def test_bad_weather_allows() -> None:
    """S25, 9.2: supply raid, sabotage and buying the additional action."""
    assert bad_weather(soldiers="enemy lines").legal == {"raid", "sabotage", "extra morale", "extra supplies", "end"}
    assert bad_weather().legal == {"extra morale", "extra supplies", "end"}


def test_bad_weather_does_not_stop_the_night() -> None:
    """S25, 11.0: the automatic movement at the end of the day stays possible."""
    play = bad_weather(soldiers="far tunnel", raided=1, supplies=2, deck=[]).do("end")
    assert (play.soldiers, play.supplies, play.day) == ("castle", 2, 3)


def test_option_free_movement_in_bad_weather() -> None:
    """S25, option bad_weather_free_movement = true: free movement stays possible, fast movement and entering do not."""
    game = with_options(bad_weather_free_movement=True)
    play = at(game, day=2, card=3, soldiers="near tunnel")
    assert play.legal == {"free castle", "free lines", "extra morale", "extra supplies", "end"}
    assert play.refused("fast lines") == ("event-forbids", "S25")
    assert at(game, day=2, card=3).refused("enter") == ("event-forbids", "S25")
    assert play.do("free lines").soldiers == "far tunnel"


@pytest.mark.parametrize(
    ("name", "actions"),
    [
        ("archers", {"archers ladders", "archers battering-ram"}),
        ("boiling_water", {"water ladders"}),
        ("close_combat", {"fight siege-tower"}),
        ("coupure", {"coupure"}),
        ("rally", {"rally", "rally supply"}),
        ("tunnel_movement", {"enter"}),
        ("supply_raid", {"raid"}),
        ("sabotage", {"sabotage"}),
    ],
)
def test_an_event_that_limits_the_actions(name: str, actions: set[str]) -> None:
    """S25, 9.1: custom cards may limit the turn to any of the eight; the rest of 9.0 stays possible."""
    changes = {"ladders": 1, "battering_ram": 2, "siege_tower": "close combat", "wall": 2, "morale": 2}
    play = at(with_card(Only((name,))), soldiers="enemy lines", **changes)
    assert play.legal == actions | {"extra morale", "extra supplies", "end"}


def test_an_event_may_allow_tunnel_movement() -> None:
    """S25: free and fast movement go with it."""
    play = at(with_card(Only(("tunnel_movement",))), soldiers="near tunnel", wall=2)
    assert {"fast castle", "fast lines", "free castle", "free lines"} <= play.legal
    assert play.refused("coupure") == ("event-forbids", "S25")


# -- the whole example of a turn


def test_turn_example() -> None:
    """15.0, 5.1, 8.2, 9.1.8, 9.1.4: the third turn of day 2, as printed."""
    play = before_card(
        2, day=2, more=[1, 3, 4, 5], step="line check", soldiers="enemy lines", trebuchets=2, wall=2,
        battering_ram=3, siege_tower=3,
    )  # fmt: skip
    assert STANDARD.view(play.state).turn == 3
    play.do(2)  # the units are safe
    assert play.soldiers == "enemy lines"
    play.draw(2)  # Guards Distracted
    assert play.points == 2
    assert play.units == (3, 3, 3)
    play.do("sabotage", 4)
    assert (play.trebuchets, play.points) == (1, 1)
    play.do("coupure", 2)
    assert (play.wall, play.points) == (2, 0)
    play.do("end")  # no losing conditions were met
    assert (play.result, play.step, STANDARD.view(play.state).turn) == (None, "line check", 4)
