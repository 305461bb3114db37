"""Archers, boiling water and close combat (9.1.1 to 9.1.3, S2, S3, S11 to S14)."""

from typing import Any

import pytest

from muniment.games.siege.edition import Only
from tests.siege.positions import Play, at, drm, with_card, with_options

IN = "close combat"
UNITS = [("ladders", 2), ("battering_ram", 3), ("siege_tower", 4)]


def verb(kind: str, unit: str) -> str:
    return f"{kind} {unit.replace('_', '-')}"


# -- archers


def test_archers_example_1() -> None:
    """9.1.1, example 1: ladders on 3, strength 2, a 5 rolled: back to the start."""
    play = at(ladders=3).do("archers ladders", 5)
    assert (play.units, play.points, play.step) == (("start", "start", "start"), 1, "actions")
    assert play.state == at(points=1).state, "and nothing else has changed"


def test_archers_example_2() -> None:
    """9.1.1, 7.1, example 2: Gate Fortified, +1 against the ram; a 2 makes 3, which only equals its strength."""
    play = at(day=2, card=4, battering_ram=3).do("archers battering-ram", 2)
    assert (play.units[1], play.points) == (3, 1)


@pytest.mark.parametrize(("unit", "strength"), UNITS)
def test_archers_must_beat_the_strength(unit: str, strength: int) -> None:
    """9.1.1, 2.2.1: greater than the strength drives the unit back one space; equal or less fails."""
    place = ("ladders", "battering_ram", "siege_tower").index(unit)
    for space, back in [(3, "start"), (2, 3), (1, 2)]:
        play = at(**{unit: space})
        assert play.again().do(verb("archers", unit), strength).units[place] == space
        assert play.again().do(verb("archers", unit), strength + 1).units[place] == back
        assert play.hits(verb("archers", unit)) == list(range(strength + 1, 7))


@pytest.mark.parametrize(("space", "code", "rule"), [("start", "on-start", "S11"), (IN, "in-close-combat", "S11")])
@pytest.mark.parametrize("unit", ["ladders", "battering_ram", "siege_tower"])
def test_archers_targets(unit: str, space: str, code: str, rule: str) -> None:
    """S11: a unit on 3, 2 or 1; not on its start, not in close combat."""
    assert at(**{unit: space}).refused(verb("archers", unit)) == (code, rule)


def test_archers_cannot_shoot_at_a_removed_tower() -> None:
    """S7: it has left the game, for every kind of attack."""
    play = at(day=2, card=5, siege_tower="removed")
    for kind in ("archers", "water", "fight"):
        assert play.refused(f"{kind} siege-tower") == ("removed", "S7")


def test_archers_failing_with_a_1_costs_nothing_more() -> None:
    """9.1.1, 14.0: a 1 has no further effect."""
    play = at(ladders=2).do("archers ladders", 1)
    assert (play.units[0], play.status, play.points) == (2, (4, 4, 4), 1)


def test_archers_may_shoot_again_and_again() -> None:
    """9.1: any action but boiling water may be taken several times."""
    assert at(ladders=1).do("archers ladders", 3, "archers ladders", 3).units[0] == 3


@pytest.mark.parametrize(
    ("day", "card", "unit", "space", "hits"),
    [
        (1, 7, "battering_ram", 3, [5, 6]),  # Determined Enemy -1
        (1, 7, "ladders", 3, [3, 4, 5, 6]),
        (2, 7, "siege_tower", 3, [6]),  # Iron Shields -1
        (2, 7, "battering_ram", 3, [4, 5, 6]),
        (3, 4, "siege_tower", 3, [4, 5, 6]),  # Flaming Arrows +1
        (3, 4, "ladders", 3, [3, 4, 5, 6]),
        (2, 4, "siege_tower", 3, [5, 6]),  # Gate Fortified: the ram only
        (1, 5, "ladders", 3, [2, 3, 4, 5, 6]),  # Volley of Arrows +1 on all attacks
        (1, 5, "siege_tower", 1, [4, 5, 6]),
        (3, 7, "ladders", 2, [2, 3, 4, 5, 6]),  # Faith: ram and ladders
        (3, 7, "battering_ram", 2, [3, 4, 5, 6]),
        (3, 7, "siege_tower", 2, [5, 6]),
        (3, 3, "ladders", 1, [1, 2, 3, 4, 5, 6]),  # Boiling Oil +2 on the circle
        (3, 3, "ladders", 2, [3, 4, 5, 6]),
        (3, 3, "siege_tower", 1, [3, 4, 5, 6]),
        (3, 6, "siege_tower", 1, [4, 5, 6]),  # Rally! +1 on the circle
        (3, 6, "siege_tower", 2, [5, 6]),
        (1, 6, "siege_tower", 1, [5, 6]),  # Cover of Darkness: no attack
    ],
)
def test_events_on_archers(day: int, card: int, unit: str, space: int, hits: list[int]) -> None:
    """7.1, 9.1.1, S2: the DRM of the track, of the circle or of all attacks is added to the die."""
    assert at(day=day, card=card, **{unit: space}).hits(verb("archers", unit)) == hits


def test_drms_add_up() -> None:
    """S2: all DRMs on the same roll are added, positive and negative, and the total is never clamped."""
    game = with_card(*drm(siege_tower=-1, circle=-1, all_attacks=-1))
    assert at(game, siege_tower=1).hits("archers siege-tower") == []
    assert at(game, siege_tower=2).hits("archers siege-tower") == []
    assert at(game, ladders=2).hits("archers ladders") == [4, 5, 6]
    game = with_card(*drm(siege_tower=2, circle=2))
    assert at(game, siege_tower=1).hits("archers siege-tower") == [1, 2, 3, 4, 5, 6]
    game = with_card(*drm(ladders=-3))
    assert at(game, ladders=2).hits("archers ladders") == [6]


# -- boiling water


def test_boiling_water_example() -> None:
    """9.1.2, example: the ram on space 1, a 3 rolled, +1 makes 4: it goes back to space 2."""
    play = at(battering_ram=1).do("water battering-ram", 3)
    assert (play.units[1], play.points, play.morale) == (2, 1, 4)


@pytest.mark.parametrize(
    ("day", "card", "unit", "hits"),
    [
        (1, 3, "ladders", [2, 3, 4, 5, 6]),
        (1, 3, "battering_ram", [3, 4, 5, 6]),
        (1, 3, "siege_tower", [4, 5, 6]),
        (2, 4, "battering_ram", [2, 3, 4, 5, 6]),  # Gate Fortified: +2 in all
        (1, 7, "battering_ram", [4, 5, 6]),  # Determined Enemy: nullified
        (2, 7, "siege_tower", [5, 6]),  # Iron Shields: nullified
        (3, 3, "siege_tower", [2, 3, 4, 5, 6]),  # Boiling Oil: +3 in all
        (3, 3, "ladders", [2, 3, 4, 5, 6]),  # Boiling Oil: a natural 1 fails all the same
        (3, 6, "siege_tower", [3, 4, 5, 6]),  # Rally! +1 on the circle
        (1, 5, "siege_tower", [3, 4, 5, 6]),  # Volley of Arrows
    ],
)
def test_boiling_water_adds_1(day: int, card: int, unit: str, hits: list[int]) -> None:
    """9.1.2, S2, S12: +1 of its own, added to the events'; a natural 1 never succeeds."""
    assert at(day=day, card=card, **{unit: 1}).hits(verb("water", unit)) == hits


@pytest.mark.parametrize("space", ["start", 3, 2, IN])
def test_boiling_water_only_on_the_circle(space: Any) -> None:
    """9.1.2: against a unit in a circle space only."""
    assert at(ladders=space).refused("water ladders") == ("not-on-circle", "9.1.2")
    assert at(ladders=1).can("water ladders")


@pytest.mark.parametrize("face", [1, 2, 3, 6])
def test_boiling_water_once_a_turn(face: int) -> None:
    """S12, 9.1.2: once per turn whatever the result, on whatever unit."""
    play = at(ladders=1, battering_ram=1).do("water battering-ram", face)
    assert play.refused("water ladders") == ("boiling-water-used", "S12")
    assert at(ladders=1, boiling_water_used=True, points=1).refused("water ladders") == ("boiling-water-used", "S12")


def test_a_1_with_boiling_water() -> None:
    """9.1.2, S12, 14.0: the attack fails and morale falls by 1."""
    play = at(ladders=1).do("water ladders", 1)
    assert (play.units[0], play.morale) == (1, 3)


def test_only_a_natural_1_costs_morale() -> None:
    """9.1.2, S3: a 2 that fails costs nothing."""
    play = at(siege_tower=1).do("water siege-tower", 2)
    assert (play.units[2], play.morale) == (1, 4)


@pytest.mark.parametrize("ones", ["natural", "event_bonus_cancels"])
@pytest.mark.parametrize(
    ("day", "card", "unit", "morale"),
    [
        (2, 4, "battering_ram", 4),  # Gate Fortified: the track
        (2, 4, "ladders", 3),  # another track
        (3, 3, "ladders", 4),  # Boiling Oil: the circle; total 4 against 2, and yet it fails
        (1, 5, "siege_tower", 4),  # Volley of Arrows: all attacks
        (2, 7, "siege_tower", 3),  # Iron Shields: a negative DRM saves nothing
        (1, 6, "ladders", 3),  # Cover of Darkness: no attack
    ],
)
def test_an_event_bonus_saves_the_morale(day: int, card: int, unit: str, morale: int, ones: str) -> None:
    """S12, 9.1.2: a natural 1 fails in any case, but a positive DRM of an event to this attack spares the morale."""
    play = at(with_options(ones=ones), day=day, card=card, **{unit: 1}).do(verb("water", unit), 1)
    assert 1 in play.units
    assert play.morale == morale


def test_a_bonus_counts_even_when_outweighed() -> None:
    """S12: some event gives a positive DRM, although another takes more away."""
    game = with_card(*drm(circle=1, ladders=-3))
    assert at(game, ladders=1).do("water ladders", 1).morale == 4


def test_a_modifier_of_0_is_no_bonus() -> None:
    """S12, S3: only a positive DRM spares the morale."""
    assert at(with_card(*drm(circle=0)), ladders=1).do("water ladders", 1).morale == 3
    game = with_card(*drm(close_combat=0), ones="event_bonus_cancels")
    assert at(game, ladders=IN).do("fight ladders", 1).morale == 3


def test_boiling_water_can_lose_the_game() -> None:
    """S26, 10.0: the 1 puts a second status on 0."""
    assert at(ladders=1, morale=1, wall=0).do("water ladders", 1).result == "collapse"
    assert at(ladders=1, morale=1).do("water ladders", 1).result is None


# -- close combat


@pytest.mark.parametrize(("face", "unit", "morale"), [(1, IN, 3), (2, IN, 4), (3, IN, 4), (4, IN, 4), (5, 1, 4)])
@pytest.mark.parametrize("name", ["ladders", "battering_ram", "siege_tower"])
def test_close_combat(name: str, face: int, unit: Any, morale: int) -> None:
    """9.1.3, 2.2.2, 14.0, S13: strength 4 for every unit; above it, back to the circle; a 1 costs 1 morale."""
    play = at(**{name: IN}).do(verb("fight", name), face)
    assert play.units[("ladders", "battering_ram", "siege_tower").index(name)] == unit
    assert (play.morale, play.points) == (morale, 1)


@pytest.mark.parametrize("space", ["start", 3, 2, 1])
def test_close_combat_needs_a_unit_there(space: Any) -> None:
    """9.1.3: against units in the close combat area."""
    assert at(ladders=space).refused("fight ladders") == ("not-in-close-combat", "9.1.3")


@pytest.mark.parametrize(
    ("day", "card", "hits"),
    [
        (1, 3, [5, 6]),
        (2, 4, [5, 6]),  # Gate Fortified, the example: no bonus against the ram
        (1, 7, [5, 6]),  # Determined Enemy: no penalty either
        (3, 3, [5, 6]),  # Boiling Oil: circles
        (3, 7, [5, 6]),  # Faith: tracks
        (1, 5, [4, 5, 6]),  # Volley of Arrows: all attacks
        (3, 6, [4, 5, 6]),  # Rally!: close combat, once
    ],
)
def test_events_on_close_combat(day: int, card: int, hits: list[int]) -> None:
    """9.1.3, S13: DRMs for a track or circle do not apply; "all attacks" and "close combat" do."""
    assert at(day=day, card=card, battering_ram=IN).hits("fight battering-ram") == hits


def test_one_unit_is_driven_back() -> None:
    """S13: one chosen unit per action; the other stays. There is no "all" then."""
    play = at(ladders=IN, siege_tower=IN)
    assert play.again().do("fight siege-tower", 6).units == (IN, "start", 1)
    assert play.again().do("fight ladders", 6).units == (1, "start", IN)
    assert play.refused("fight all") == ("other-option", "S13")


def test_option_all_units_are_driven_back() -> None:
    """S13, option close_combat_drives_back = "all": every unit there goes to its circle, nobody else moves."""
    game = with_options(close_combat_drives_back="all")
    play = at(game, ladders=IN, siege_tower=IN, battering_ram=2)
    assert play.again().do("fight all", 4).units == (IN, 2, IN)
    assert play.again().do("fight all", 5).units == (1, 2, 1)
    assert play.again().do("fight all", 1).morale == 3
    assert play.refused("fight ladders") == ("other-option", "S13")
    assert at(game, ladders=IN).do("fight all", 5).units == (1, "start", "start")
    assert at(game).refused("fight all") == ("not-in-close-combat", "9.1.3")


def test_a_1_in_close_combat_with_a_bonus() -> None:
    """S3: a natural 1 counts whatever the DRMs; the option "event_bonus_cancels" lets an event's bonus cancel it."""
    assert at(day=3, card=6, ladders=IN).do("fight ladders", 1).morale == 3
    cancels = with_options(ones="event_bonus_cancels")
    assert at(cancels, day=3, card=6, ladders=IN).do("fight ladders", 1).morale == 4
    assert at(cancels, day=1, card=5, ladders=IN).do("fight ladders", 1).morale == 4
    assert at(cancels, day=3, card=3, ladders=IN).do("fight ladders", 1).morale == 3
    assert at(cancels, day=2, card=4, battering_ram=IN).do("fight battering-ram", 1).morale == 3


def test_a_1_can_win_and_frighten() -> None:
    """S2, S3: with +4 from an event a 1 makes 5 and drives the unit back, and still costs 1 morale."""
    play = at(with_card(*drm(close_combat=4)), ladders=IN).do("fight ladders", 1)
    assert (play.units[0], play.morale) == (1, 3)
    play = at(with_card(*drm(close_combat=3)), ladders=IN).do("fight ladders", 1)
    assert (play.units[0], play.morale) == (IN, 3)


def test_close_combat_can_lose_the_game() -> None:
    """S26, 10.0: the 1 puts a second status on 0."""
    assert at(ladders=IN, morale=1, supplies=0).do("fight ladders", 1).result == "collapse"


# -- mandatory close combat


def two_inside(**changes: Any) -> Play:
    return at(
        **{"ladders": IN, "battering_ram": IN, "siege_tower": 1, "wall": 2, "morale": 2, "soldiers": "far tunnel"}
        | changes
    )


def test_close_combat_is_mandatory() -> None:
    """S14, 9.1.3: with two units there and AP left, it is the only action; buying and free movement stay possible."""
    assert two_inside().legal == {
        "fight ladders", "fight battering-ram", "free castle", "free lines", "extra morale", "extra supplies",
    }  # fmt: skip


@pytest.mark.parametrize(
    "action",
    ["archers siege-tower", "water siege-tower", "coupure", "rally", "rally supply", "fast castle", "fast lines"],
)
def test_no_other_action_may_be_chosen(action: str) -> None:
    """S14: everything else that costs AP is refused."""
    assert two_inside().refused(action) == ("must-fight", "S14")


@pytest.mark.parametrize("action", ["raid", "sabotage", "enter"])
def test_nor_in_the_enemy_lines(action: str) -> None:
    """S14: nor may soldiers in the enemy lines do anything but fight."""
    assert two_inside(soldiers="enemy lines").refused(action) == ("must-fight", "S14")


def test_the_turn_cannot_end_while_points_remain() -> None:
    """S14: ending the turn is refused with 1 AP, possible with none."""
    assert two_inside(points=1).refused("end") == ("must-fight", "S14")
    assert two_inside(points=0).legal == {"free castle", "free lines", "extra morale", "extra supplies", "end"}


def test_one_unit_inside_is_not_mandatory() -> None:
    """S14: the duty ends when only one unit is left there."""
    play = two_inside().do("fight ladders", 5)
    assert {"end", "coupure", "fast castle", "archers siege-tower", "fight battering-ram"} <= play.legal


def test_mandatory_with_the_option_all() -> None:
    """S13, S14: the same duty where all units are fought at once."""
    play = at(with_options(close_combat_drives_back="all"), ladders=IN, siege_tower=IN)
    assert play.legal == {"fight all", "extra morale", "extra supplies"}


def test_an_event_that_forbids_close_combat_lifts_the_duty() -> None:
    """S14, S25: nobody is obliged to what is forbidden (only custom cards can bring this about)."""
    play = at(with_card(Only(("coupure",))), ladders=IN, siege_tower=IN, wall=3)
    assert play.legal == {"coupure", "extra morale", "extra supplies", "end"}
    play = at(with_card(Only(("coupure", "close_combat"))), ladders=IN, siege_tower=IN, wall=3)
    assert play.legal == {"fight ladders", "fight siege-tower", "extra morale", "extra supplies"}
