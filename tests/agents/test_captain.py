"""The captain in positions where a good player does not hesitate, and over a sample of games."""

from dataclasses import replace
from typing import Any

import pytest

from muniment.agents.captain import Captain, Forecast
from muniment.arena.simulate import Setup, simulate
from muniment.arena.statistics import SiegeTotals
from muniment.core.dice import RandomStream
from muniment.games.siege import Siege, standard_edition
from muniment.games.siege.edition import Card, Division, StatusChange
from muniment.games.siege.state import ACTIONS_STEP

QUIET: dict[str, Any] = {
    "game": "siege", "day": 1, "deck": [1, 2, 3, 4, 5, 6], "card": 7, "step": "actions",
    "units": {"ladders": "start", "battering_ram": "start", "siege_tower": "start"},
    "trebuchets": 3, "wall": 4, "morale": 4, "supplies": 4, "soldiers": "castle", "raided": 0,
    "action_points": 2, "extra_used": False, "free_move": "left", "boiling_water_used": False,
    "rolling": None, "result": None,
}  # fmt: skip


def units(ladders: int | str, ram: int | str, tower: int | str) -> dict[str, int | str]:
    return {"ladders": ladders, "battering_ram": ram, "siege_tower": tower}


LAST_TURN = {"day": 3, "deck": [], "card": 6, "trebuchets": 0}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param(
            {"units": units("close combat", "close combat", 3)},
            {"fight ladders", "fight battering-ram"},
            id="two units in close combat are a loss at the end of the turn",
        ),
        pytest.param({"wall": 0, "action_points": 1}, {"coupure"}, id="the wall is down"),
        pytest.param({"morale": 0, "action_points": 1, "supplies": 4}, {"rally supply", "rally"}, id="morale is gone"),
        pytest.param(
            {**LAST_TURN, "morale": 0, "action_points": 1, "supplies": 3, "extra_used": True},
            {"rally supply"},
            id="food has no better use in the last turn",
        ),
        pytest.param(
            {**LAST_TURN, "morale": 0, "action_points": 1, "supplies": 2},
            {"rally"},
            id="but the last meal needs one supply, and one has to remain",
        ),
        pytest.param({**LAST_TURN, "morale": 1, "supplies": 2}, {"end"}, id="the game is won: no risks"),
        pytest.param(
            {**LAST_TURN, "soldiers": "near tunnel", "raided": 2, "supplies": 0, "action_points": 1},
            {"free castle"},
            id="supplies that reach the castle save the game",
        ),
        pytest.param(
            {"deck": [5], "units": units("close combat", 1, "start"), "action_points": 1, "trebuchets": 0},
            {"water battering-ram"},
            id="the ram must not follow the ladders, and boiling water is likelier than archers",
        ),
        pytest.param(
            {"deck": [5], "units": units("close combat", 1, "start"), "action_points": 1, "boiling_water_used": True},
            {"archers battering-ram"},
            id="boiling water is used up",
        ),
        pytest.param(
            {"card": 5, "deck": [1, 2, 3, 4, 6, 7], "action_points": 3}, {"enter"}, id="off to the trebuchets"
        ),
        pytest.param(
            {
                "card": 5,
                "deck": [1, 2, 3, 4, 6, 7],
                "action_points": 2,
                "soldiers": "near tunnel",
                "free_move": "entered",
            },
            {"fast lines"},
            id="on to the trebuchets",
        ),
        pytest.param(
            {"soldiers": "enemy lines", "action_points": 2}, {"sabotage"}, id="trebuchets are sabotaged early"
        ),
        pytest.param(
            {"soldiers": "enemy lines", "action_points": 2, "trebuchets": 0, "supplies": 1},
            {"raid"},
            id="no trebuchets are left, and hardly any food",
        ),
        pytest.param(
            {**LAST_TURN, "day": 2, "soldiers": "enemy lines", "raided": 2, "supplies": 2, "action_points": 1},
            {"enter"},
            id="whoever stays in the enemy lines overnight is captured",
        ),
        pytest.param(
            {"morale": 1, "supplies": 1, "action_points": 0}, {"end"}, id="the last morale and food are not spent"
        ),
        pytest.param(
            {"units": units("close combat", "close combat", 3), "action_points": 0, "trebuchets": 0},
            {"extra morale", "extra supplies"},
            id="an additional action is the only hope",
        ),
    ],
)
def test_does_not_hesitate(changes: dict[str, Any], expected: set[str]) -> None:
    game = Siege()
    state = game.state_from_json(QUIET | changes)
    choice = Captain(game).choose(game.view(state, 0), game.legal_actions(state), RandomStream(bytes(32)))
    assert choice.notation in expected


def test_forecast_of_the_printed_cards() -> None:
    # Day 3, cards 2 (trebuchets), 5 (ladders) and 7 (all three units) left, worked out by hand.
    cards = standard_edition().cards
    deck = sum(1 << index for index, card in enumerate(cards) if card.number in (2, 5, 7))
    assert Forecast.of(standard_edition(), 3, deck) == Forecast(
        turns=3,
        cards_left=3,
        attacks=1,
        next_attack=1 / 3,
        orders=(2, 1, 1),
        next_orders=(2 / 3, 1 / 3, 1 / 3),
        losses=(0, 0, 1),
        losses_today=1,
    )


def test_forecast_of_the_whole_game() -> None:
    forecast = Forecast.of(standard_edition(), 1, 0b1111111)
    assert forecast.attacks == 4
    assert forecast.losses == (0, 2, 5)  # Illness and Death of a Leader; Illness, Supplies Spoiled and three meals
    assert forecast.orders == (9, 8, 7)  # "slowest", on two cards, counts half


def test_worries_stay_finite_with_cards_beyond_all_measure() -> None:
    famine = tuple(StatusChange(track, -4) for track in (0, 1, 2)) * 2
    advance = Division("Famine", 1, (0, 1, 2), slowest=False, events=famine)
    cards = tuple(Card(number, (advance,) * 3) for number in range(1, 10))
    game = Siege(replace(standard_edition(), cards=cards))
    state = game.initial()
    state.step, state.card, state.points, state.deck = ACTIONS_STEP, 0, 1, 0b111111110
    state.units = [1, 1, 1]
    choice = Captain(game).choose(game.view(state, 0), game.legal_actions(state), RandomStream(bytes(32)))
    assert choice in game.legal_actions(state)


def test_wins_far_more_often_than_random() -> None:
    won = {}
    for name in ("captain", "random"):
        totals = simulate(Setup("siege", (name,)), 150, "captain").totals
        assert isinstance(totals, SiegeTotals)
        won[name] = totals.win_rate
    assert won["captain"].low > 0.25 > won["random"].high
