"""Positions as JSON, both ways, and every reason why one is refused."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.core.errors import PositionError
from muniment.games.siege import Siege
from muniment.games.siege.edition import Card, Collapse
from tests.siege.positions import STANDARD, at, before_card, faults, form, with_card, with_options

IN = "close combat"
RESULTS = ("won", "overrun", "collapse", "close-combat-held", "wall-0", "morale-0", "supplies-0")


@pytest.mark.parametrize(
    "value",
    [
        form(),
        form(day=2, card=5, siege_tower="removed", ladders=3, battering_ram=1, points=0, extra_used=True),
        form(soldiers="far tunnel", raided=2, free_move="entered", boiling_water_used=True, points=0, deck=[2, 7]),
        form(step="draw", card=None, points=0, deck=[1, 2]),
        form(step="line check", card=None, points=0, deck=[2], soldiers="enemy lines", raided=1),
        form(step="trebuchets", card=1, day=3, trebuchets=1, points=0, deck=[]),
        form(step="roll", rolling="rally supply", morale=3, supplies=3, points=1),
        form(step="roll", rolling="water siege-tower", siege_tower=1, boiling_water_used=True, points=0),
        form(step="roll", rolling="archers ladders", ladders=3, points=0),
        form(step="over", result="won", day=3, deck=[], card=4),
        form(step="over", result="overrun", ladders=IN, battering_ram=IN, siege_tower=IN),
        form(step="over", result="collapse", wall=0, supplies=0, rolling="rally supply"),
        form(step="over", result="collapse", wall=0, supplies=0, card=None, points=0),
        form(step="over", result="close-combat-held", ladders=IN, siege_tower=IN, wall=0),
        form(step="over", result="morale-0", morale=0),
    ],
)
def test_positions_round_trip(value: dict[str, Any]) -> None:
    """The documented form is read and written back unchanged, also through JSON text and the view."""
    state = STANDARD.state_from_json(json.loads(json.dumps(value)))
    assert STANDARD.state_to_json(state) == value
    view = STANDARD.view(state)
    assert {**value, "awaited": view.to_json()["awaited"]} == view.to_json()


def test_spaces_may_be_written_as_texts() -> None:
    assert at(ladders="3", battering_ram="2", siege_tower="1").units == (3, 2, 1)


@pytest.mark.parametrize("key", sorted(form()))
def test_every_key_is_required(key: str) -> None:
    value = form()
    del value[key]
    with pytest.raises(PositionError, match=f"'{key}' is missing"):
        STANDARD.state_from_json(value)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"ghost": 1}, "'ghost' is not known"),
        ({"game": "king"}, "game must be siege, not 'king'"),
        ({"game": None}, "game must be siege, not None"),
        ({"day": 0}, "day must be a whole number from 1 to 3, not 0"),
        ({"day": 4}, "day must be a whole number from 1 to 3, not 4"),
        ({"day": True}, "day must be a whole number from 1 to 3, not True"),
        ({"day": 1.0}, "day must be a whole number from 1 to 3, not 1.0"),
        ({"wall": -1}, "wall must be a whole number from 0 to 4, not -1"),
        ({"wall": 5}, "wall must be a whole number from 0 to 4, not 5"),
        ({"morale": 5}, "morale must be a whole number from 0 to 4, not 5"),
        ({"supplies": "4"}, "supplies must be a whole number from 0 to 4, not '4'"),
        ({"trebuchets": 4}, "trebuchets must be a whole number from 0 to 3, not 4"),
        ({"raided": 3, "soldiers": "far tunnel"}, "raided must be a whole number from 0 to 2, not 3"),
        ({"points": -1}, "action_points must be a whole number from 0 to 99, not -1"),
        ({"points": 100}, "action_points must be a whole number from 0 to 99, not 100"),
        ({"extra_used": 0}, "extra_used must be true or false, not 0"),
        ({"boiling_water_used": None}, "boiling_water_used must be true or false, not None"),
        ({"step": "dawn"}, "step must be one of line check, draw, trebuchets, actions, roll, over, not 'dawn'"),
        ({"step": 3}, "step must be one of line check, draw, trebuchets, actions, roll, over, not 3"),
        ({"soldiers": "tunnel"}, "soldiers must be one of castle, near tunnel, far tunnel, enemy lines, not 'tunnel'"),
        ({"free_move": "gone"}, "free_move must be one of left, used, entered, not 'gone'"),
        ({"units": [3]}, "units must name a space for each of battering_ram, ladders, siege_tower"),
        ({"units": {"ladders": 3}}, "units must name a space for each of battering_ram, ladders, siege_tower"),
        ({"ladders": 4}, "ladders: the space must be start, 3, 2, 1, close combat or removed, not 4"),
        ({"siege_tower": True}, "siege tower: the space must be start, 3, 2, 1, close combat or removed, not True"),
        ({"battering_ram": []}, "battering ram: the space must be start, 3, 2, 1, close combat or removed, not []"),
        ({"deck": None}, "deck must be a list of card numbers, not None"),
        ({"deck": [8]}, "deck: the edition has no card 8"),
        ({"deck": [True]}, "deck: the edition has no card True"),
        ({"deck": [1, 1]}, "deck: card 1 is there twice"),
        ({"deck": [2, 7, 7]}, "deck: card 7 is there twice"),
        ({"card": 9}, "card: the edition has no card 9"),
        ({"card": "3"}, "card: the edition has no card '3'"),
        ({"rolling": 3}, "rolling: 3 is not an action"),
        ({"result": "draw"}, f"result must be null or one of {', '.join(RESULTS)}, not 'draw'"),
    ],
)  # fmt: skip
def test_malformed(changes: dict[str, Any], fault: str) -> None:
    """Each fault of form is named, and alone."""
    assert faults(**changes) == (fault,)


def test_an_unknown_action_is_named() -> None:
    assert faults(rolling="dance")[0].startswith("rolling: 'dance' is not an action; they are: archers ladders, ")


def test_all_faults_are_named_together() -> None:
    assert faults(day=0, wall=9, ghost=1) == (
        "'ghost' is not known",
        "day must be a whole number from 1 to 3, not 0",
        "wall must be a whole number from 0 to 4, not 9",
    )
    assert len(faults(ladders=IN, battering_ram=IN, siege_tower=IN, wall=0, morale=0)) == 2


DRAW: dict[str, Any] = {"step": "draw", "card": None, "points": 0, "deck": [1, 2]}
CHECK = DRAW | {"step": "line check", "soldiers": "enemy lines"}
OVER: dict[str, Any] = {"step": "over"}
NOT_YET = "action points, additional action, free movement and boiling water belong to the actions (9.0)"
ALL = [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        # how it ended
        ({"result": "won"}, "a result stands exactly when the step is over"),
        (OVER, "a result stands exactly when the step is over"),
        (OVER | {"result": "won", "day": 2, "deck": []}, "the result won does not fit the table (10.0)"),
        (OVER | {"result": "won", "day": 3, "deck": [1]}, "the result won does not fit the table (10.0)"),
        (OVER | {"result": "won", "day": 3, "deck": [], "wall": 0}, "the result won does not fit the table (10.0)"),
        (OVER | {"result": "won", "day": 3, "deck": [], "ladders": IN, "siege_tower": IN},
         "the result won does not fit the table (10.0)"),
        (OVER | {"result": "overrun", "ladders": IN, "siege_tower": IN},
         "the result overrun does not fit the table (10.0)"),
        (OVER | {"result": "collapse", "wall": 0}, "the result collapse does not fit the table (10.0)"),
        (OVER | {"result": "close-combat-held", "ladders": IN},
         "the result close-combat-held does not fit the table (10.0)"),
        (OVER | {"result": "wall-0", "morale": 0}, "the result wall-0 does not fit the table (10.0)"),
        (OVER | {"result": "morale-0", "supplies": 0}, "the result morale-0 does not fit the table (10.0)"),
        (OVER | {"result": "supplies-0", "wall": 0}, "the result supplies-0 does not fit the table (10.0)"),
        # the table
        ({"raided": 1}, "soldiers in the castle carry no raided supplies (13.0)"),
        ({"ladders": IN, "battering_ram": IN, "siege_tower": IN}, "three units in close combat end the game (8.4)"),
        ({"wall": 0, "supplies": 0}, "two status tracks on 0 end the game (10.0)"),
        ({"siege_tower": "removed"}, "no event up to now can have removed the siege tower (S7)"),
        ({"day": 2, "card": 4, "siege_tower": "removed"}, "no event up to now can have removed the siege tower (S7)"),
        ({"day": 3, "card": 4, "ladders": "removed"}, "no event up to now can have removed the ladders (S7)"),
        # cards
        (DRAW | {"card": 3}, "no card is in play before the draw (6.0)"),
        (DRAW | {"card": 1, "deck": [2]}, "no card is in play before the draw (6.0)"),
        ({"card": 1, "deck": [1, 2]}, "the card in play is also in the deck"),
        (DRAW | {"deck": []}, "the deck is empty before a draw (11.0)"),
        ({"deck": [2, 3]}, "the card in play is also in the deck"),
        ({"card": None, "points": 0}, "a card must be in play in this step"),
        ({"step": "roll", "points": 1}, "an action's die is awaited exactly in the step roll"),
        ({"rolling": "archers ladders", "ladders": 3}, "an action's die is awaited exactly in the step roll"),
        ({"step": "trebuchets", "points": 0, "trebuchets": 1},
         "only a single trebuchet in a trebuchet attack rolls (7.2)"),
        ({"step": "trebuchets", "points": 0, "card": 1, "trebuchets": 2},
         "only a single trebuchet in a trebuchet attack rolls (7.2)"),
        # action points
        ({"points": 3}, "the card gives 2 action points, 3 are left"),
        ({"points": 4, "extra_used": True}, "the card gives 2 action points, 4 are left"),
        ({"step": "roll", "rolling": "coupure", "wall": 3, "points": 2}, "the card gives 2 action points, 2 are left"),
        (DRAW | {"points": 1}, NOT_YET),
        (DRAW | {"extra_used": True}, NOT_YET),
        (DRAW | {"free_move": "used"}, NOT_YET),
        (DRAW | {"boiling_water_used": True}, NOT_YET),
        # the beginning of a turn
        (DRAW | {"ladders": IN, "siege_tower": IN},
         "two units in close combat at the end of a turn end the game (10.0)"),
        (CHECK | {"soldiers": "far tunnel"}, "the enemy line check is for soldiers in the enemy lines (5.0)"),
        (DRAW | {"deck": ALL, "soldiers": "near tunnel"}, "a day begins with the soldiers in the castle (11.0)"),
        (CHECK | {"deck": ALL}, "a day begins with the soldiers in the castle (11.0)"),
        (DRAW | {"wall": 0, "morale": 1}, "a wall at 0 at the end of a turn ends the game (10.0)"),
        (DRAW | {"wall": 0, "deck": ALL, "day": 2}, "a wall at 0 at the end of a turn ends the game (10.0)"),
        *[
            (change, "supplies or morale at 0 at the end of a turn end the game (10.0)")
            for change in (
                CHECK | {"morale": 0},
                CHECK | {"supplies": 0},
                DRAW | {"supplies": 0},
                DRAW | {"morale": 0, "soldiers": "enemy lines"},
                DRAW | {"morale": 0, "soldiers": "near tunnel"},
                DRAW | {"morale": 0, "deck": ALL},
                DRAW | {"supplies": 0, "deck": ALL},
            )
        ],
        # the awaited die
        ({"step": "roll", "points": 1, "rolling": "coupure"}, "rolling: the wall is at 4 already (S15)"),
        ({"step": "roll", "points": 1, "rolling": "archers ladders"},
         "rolling: the ladders are on the start and cannot be driven farther back (S11)"),
        ({"step": "roll", "points": 1, "rolling": "archers siege-tower"},
         "rolling: the siege tower is on the start and cannot be driven farther back (S11)"),
        ({"step": "roll", "points": 1, "rolling": "enter"}, "rolling: it has no die (9.1)"),
        ({"step": "roll", "points": 1, "rolling": "end"}, "rolling: it has no die (9.1)"),
        ({"step": "roll", "points": 1, "rolling": "water ladders", "ladders": 1},
         "rolling: boiling water counts as used once it is chosen (S12)"),
        ({"step": "roll", "points": 1, "rolling": "water ladders", "ladders": 2, "boiling_water_used": True},
         "rolling: the ladders are not on the circle (9.1.2)"),
        ({"step": "roll", "points": 1, "rolling": "rally supply", "morale": 3},
         "rolling: the extra supply is paid before the roll (S16)"),
        ({"step": "roll", "points": 1, "rolling": "fight all", "ladders": IN},
         "rolling: the close combat option of this game names its target otherwise (S13)"),
    ],
)  # fmt: skip
def test_impossible(changes: dict[str, Any], fault: str) -> None:
    """Each reason why a position cannot occur is named, with its rule."""
    assert fault in faults(**changes)


@pytest.mark.parametrize(("value", "kind"), [([], "list"), (None, "NoneType"), ("x", "str"), (3, "int")])
def test_a_position_is_an_object(value: object, kind: str) -> None:
    with pytest.raises(PositionError, match=f"^impossible position: a position is a JSON object, not {kind}$"):
        STANDARD.state_from_json(value)


def test_one_fault_is_named_once() -> None:
    """A missing card or result is no reason to complain of anything else."""
    assert faults(card=None, points=0) == ("a card must be in play in this step",)
    assert faults(card=None, points=0, step="trebuchets", trebuchets=1) == ("a card must be in play in this step",)
    assert faults(**OVER) == ("a result stands exactly when the step is over",)
    assert faults(step="roll", points=1) == ("an action's die is awaited exactly in the step roll",)


@pytest.mark.parametrize(
    "changes",
    [
        DRAW | {"morale": 0},  # captured in the line check just now
        DRAW | {"morale": 0, "deck": ALL, "day": 2},  # captured in the night
        DRAW | {"supplies": 0, "deck": ALL, "day": 3},  # eaten in the night
        DRAW | {"soldiers": "enemy lines"},  # the line check is past
        DRAW | {"ladders": IN},
        {"ladders": IN, "siege_tower": IN},
        {"day": 2, "card": 4, "deck": [1, 2], "siege_tower": "removed"},  # card 5 has been played today
        {"day": 3, "card": 4, "siege_tower": "removed"},
        {"points": 3, "extra_used": True},
        {"step": "roll", "points": 2, "extra_used": True, "rolling": "coupure", "wall": 3},
        {"step": "roll", "points": 1, "rolling": "rally supply", "morale": 3, "supplies": 0},
        OVER | {"result": "collapse", "wall": 0, "morale": 0, "ladders": IN, "siege_tower": IN},
    ],
)
def test_possible(changes: dict[str, Any]) -> None:
    """What is just possible is accepted (S4, S16, S26, S27)."""
    at(**changes)


def test_the_awaited_action_depends_on_the_options() -> None:
    """S13: with the other option the other target is awaited."""
    game = with_options(close_combat_drives_back="all")
    at(game, step="roll", points=1, rolling="fight all", ladders=IN)
    assert faults(game, step="roll", points=1, rolling="fight ladders", ladders=IN) == (
        "rolling: the close combat option of this game names its target otherwise (S13)",
    )


def test_positions_of_another_edition() -> None:
    """S29, S7: cards are checked against the game's own."""
    game = with_card(cards=1)
    at(game, deck=[])
    assert faults(game, deck=[2]) == ("deck: the edition has no card 2",)
    assert before_card(1, game=game, more=[]).draw(1).do("end").day == 2
    assert "no event up to now" in faults(game, deck=[], day=3, siege_tower="removed")[0]


@pytest.mark.parametrize("day", [1, 2, 3])
def test_a_unit_is_removed_only_after_the_event(day: int) -> None:
    """S7: on the day of the event if its card has been drawn, and on all later days."""
    quiet, gone = (with_card(*events).edition.cards[0].divisions[0] for events in ([], [Collapse(0)]))
    divisions = tuple(gone if number == day else quiet for number in (1, 2, 3))
    game = Siege(replace(STANDARD.edition, cards=(Card(1, divisions), Card(2, (quiet,) * 3))))
    for now in (1, 2, 3):
        for card, deck, possible in [(1, [2], now >= day), (2, [1], now > day), (2, [], now >= day)]:
            position = {"day": now, "card": card, "deck": deck, "ladders": "removed"}
            if possible:
                at(game, **position)
            else:
                assert faults(game, **position) == ("no event up to now can have removed the ladders (S7)",)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.floats()
    | st.sampled_from(["start", "roll", "draw", "over", "enter", "won", "siege", "left", "close combat", ""])
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(sorted(form())), inner, max_size=4),
    max_leaves=8,
)
BASES = st.sampled_from([
    form(), form(**DRAW), form(**CHECK), form(**OVER, result="wall-0", wall=0),
    form(step="roll", points=1, rolling="rally supply", morale=3, supplies=3),
])  # fmt: skip


def refused_or_round_trip(game: Siege, value: object) -> None:
    try:
        state = game.state_from_json(value)
    except PositionError as error:
        refused = error
    else:
        game.pending(state)
        assert game.state_from_json(game.state_to_json(state)) == state
        return
    assert refused.violations
    assert len(str(refused).splitlines()) == 1


@given(JSON)
def test_any_json_is_read_or_refused(value: object) -> None:
    """Malformed JSON of any shape raises PositionError, and nothing else."""
    refused_or_round_trip(STANDARD, value)


@given(BASES, st.dictionaries(st.sampled_from([*sorted(form()), "ghost"]), JSON, max_size=3), st.sets(
    st.sampled_from(sorted(form())), max_size=1))  # fmt: skip
def test_any_change_of_a_position_is_read_or_refused(
    base: dict[str, object], changes: dict[str, object], left_out: set[str]
) -> None:
    """A position with some of its values replaced or left out raises PositionError, and nothing else."""
    value = {key: item for key, item in {**base, **changes}.items() if key not in left_out}
    refused_or_round_trip(STANDARD, value)


@given(st.fixed_dictionaries({
    "day": st.integers(1, 3), "card": st.none() | st.integers(1, 7), "deck": st.lists(st.integers(1, 7), unique=True),
    "step": st.sampled_from(["line check", "draw", "trebuchets", "actions", "roll", "over"]),
    "ladders": st.sampled_from(["start", 3, 1, IN]), "siege_tower": st.sampled_from(["start", 2, IN, "removed"]),
    "wall": st.integers(0, 4), "morale": st.integers(0, 4), "supplies": st.integers(0, 4),
    "soldiers": st.sampled_from(["castle", "near tunnel", "enemy lines"]), "raided": st.integers(0, 2),
    "trebuchets": st.integers(0, 3), "points": st.integers(0, 2), "extra_used": st.booleans(),
    "boiling_water_used": st.booleans(),
    "rolling": st.none() | st.sampled_from(["water ladders", "rally supply", "enter", "raid", "fight siege-tower"]),
    "result": st.none() | st.sampled_from(["won", "collapse", "wall-0", "overrun"]),
}))  # fmt: skip
def test_an_accepted_position_can_be_played(changes: dict[str, Any]) -> None:
    """Whatever is accepted waits for something that can come, and goes on without an error."""
    try:
        play = at(**changes)
    except PositionError:
        return
    refused_or_round_trip(STANDARD, STANDARD.state_to_json(play.state))
    if play.step == "actions":
        assert play.legal
        for action in play.legal:
            play.again().do(action)
    elif play.step != "over":
        for outcome in STANDARD.chance(play.state).outcomes:
            STANDARD.apply_outcome(play.again().state, outcome)
