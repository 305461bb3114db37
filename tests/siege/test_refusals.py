"""Every refusal: its code, its sentence and its rule, which interfaces rely on."""

from typing import Any

import pytest

from muniment.games.siege import Siege
from muniment.games.siege.actions import ACTIONS, parse_action
from tests.siege.positions import STANDARD, Play, at, before_card, with_options

IN = "close combat"
WEATHER: dict[str, Any] = {"day": 2, "card": 3}
TWO: dict[str, Any] = {"ladders": IN, "battering_ram": IN}
LINES: dict[str, Any] = {"soldiers": "enemy lines"}

REFUSALS: list[tuple[Play, str, str, str, str]] = [
    (at(step="over", result="wall-0", wall=0), "end", "game-over", "10.0", "the game is over"),
    (before_card(2), "end", "not-now", "4.0", "a die or a card is awaited, not an action"),
    (at(points=0), "enter", "no-action-points", "9.1", "no action points are left"),
    (at(**WEATHER), "enter", "event-forbids", "S25", "Bad Weather: this action is not possible this turn"),
    (at(**WEATHER, soldiers="near tunnel"), "free lines", "event-forbids", "S25",
     "Bad Weather: no tunnel movement this turn"),
    (at(**TWO), "enter", "must-fight", "S14",
     "two units are in close combat: close combat is the only action possible"),
    (at(**TWO), "end", "must-fight", "S14", "with two units in close combat the turn cannot end while AP remain"),
    (at(), "archers ladders", "on-start", "S11", "the ladders are on the start and cannot be driven farther back"),
    (at(ladders=IN), "archers ladders", "in-close-combat", "S11",
     "archers cannot shoot at the ladders in close combat"),
    (at(day=3, card=4, siege_tower="removed"), "archers siege-tower", "removed", "S7",
     "the siege tower is out of the game"),
    (at(battering_ram=2), "water battering-ram", "not-on-circle", "9.1.2", "the battering ram is not on the circle"),
    (at(ladders=1, boiling_water_used=True, points=1), "water ladders", "boiling-water-used", "S12",
     "boiling water can be used once in a turn"),
    (at(), "fight ladders", "not-in-close-combat", "9.1.3", "the ladders are not in close combat"),
    (at(with_options(close_combat_drives_back="all")), "fight all", "not-in-close-combat", "9.1.3",
     "no unit is in close combat"),
    (at(ladders=IN), "fight all", "other-option", "S13",
     "the close combat option of this game names its target otherwise"),
    (at(), "coupure", "track-full", "S15", "the wall is at 4 already"),
    (at(), "rally", "track-full", "S15", "morale is at 4 already"),
    (at(morale=3, supplies=0), "rally supply", "nothing-to-spend", "S16", "there are no supplies left to spend"),
    (at(soldiers="near tunnel"), "enter", "in-tunnel", "9.1.6.1", "the soldiers are in the tunnel already"),
    (at(), "fast lines", "not-in-tunnel", "9.1.6.2", "the soldiers are not in the tunnel"),
    (at(), "free castle", "not-in-tunnel", "9.1.6.2", "the soldiers are not in the tunnel"),
    (at(soldiers="near tunnel", free_move="used"), "free castle", "free-move-used", "S18",
     "only one free movement is possible in a turn"),
    (at(soldiers="near tunnel", free_move="entered"), "free castle", "entered-this-turn", "S18",
     "no free movement on a turn in which soldiers entered the tunnel"),
    (at(), "raid", "not-in-enemy-lines", "9.1.7", "the soldiers are not in the enemy lines"),
    (at(), "sabotage", "not-in-enemy-lines", "9.1.8", "the soldiers are not in the enemy lines"),
    (at(**LINES, raided=2), "raid", "hands-full", "S21", "the soldiers carry two supplies already"),
    (at(**LINES, trebuchets=0), "sabotage", "no-trebuchets", "S22", "no trebuchet is left"),
    (at(extra_used=True), "extra morale", "extra-used", "9.2", "only one additional action is possible in a turn"),
    (at(morale=0), "extra morale", "nothing-to-spend", "S24", "there is no morale left to spend"),
    (at(supplies=0), "extra supplies", "nothing-to-spend", "S24", "there are no supplies left to spend"),
]  # fmt: skip


@pytest.mark.parametrize(("play", "action", "code", "rule", "sentence"), REFUSALS)
def test_a_refusal(play: Play, action: str, code: str, rule: str, sentence: str) -> None:
    """9.1: code, rule and sentence; and what is refused is not among the legal actions."""
    assert play.refused(action) == (code, rule)
    refusal = play.game.refusal(play.state, parse_action(action))
    assert refusal is not None
    assert refusal.sentence == sentence
    assert refusal.rule in Siege.rulebook()


def test_another_seat() -> None:
    """3.0: there is one seat."""
    refusal = STANDARD.refusal(at().state, parse_action("end"), 1)
    assert refusal is not None
    assert refusal.to_json() == {"code": "no-such-seat", "sentence": "the game has one seat", "rule": "3.0"}


def test_what_is_not_refused_is_legal() -> None:
    """9.1: legal actions and refusals come from the same predicates, in every position of the table above."""
    for play, *_ in REFUSALS:
        assert play.game.legal_actions(play.state) == tuple(
            action for action in ACTIONS if play.game.refusal(play.state, action) is None
        )


BASE: dict[str, Any] = {"ladders": 1, "wall": 3, "morale": 3, "soldiers": "enemy lines", "raided": 1, "points": 1}


@pytest.mark.parametrize(
    ("changes", "values"),
    [
        ({}, {"ladders": ["start", 3, 1, IN]}),
        ({}, {"points": [0, 1, 2]}),
        ({}, {"wall": [3, 4]}),
        ({}, {"morale": [0, 1, 3, 4]}),
        ({}, {"supplies": [0, 1, 4]}),
        ({}, {"trebuchets": [0, 1, 3]}),
        ({"raided": 0}, {"soldiers": ["castle", "near tunnel", "far tunnel", "enemy lines"]}),
        ({}, {"raided": [0, 1, 2]}),
        ({}, {"extra_used": [False, True]}),
        ({"soldiers": "near tunnel"}, {"free_move": ["left", "used", "entered"]}),
        ({}, {"boiling_water_used": [False, True]}),
        ({"card": 3}, {"day": [1, 2, 3]}),
        ({"day": 2}, {"card": [3, 4]}),
        ({"day": 3, "card": 4}, {"siege_tower": ["removed", "start", 1]}),
    ],
)
def test_remembered_legal_actions_are_the_right_ones(changes: dict[str, Any], values: dict[str, list[Any]]) -> None:
    """9.1: the game remembers what was legal; whatever the rules look at makes a difference to that memory."""
    ((name, choices),) = values.items()
    game = Siege()
    for choice in [*choices, *reversed(choices)]:
        state = at(game, **BASE | changes | {name: choice}).state
        assert game.legal_actions(state) == tuple(a for a in ACTIONS if game.refusal(state, a) is None), choice
