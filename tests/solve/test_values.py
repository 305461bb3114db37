"""Odds of positions and actions, and the agent that plays by them."""

from random import Random

import pytest

from muniment.agents.oracle import Oracle
from muniment.core.dice import RandomStream
from muniment.core.explore import best_value
from muniment.core.match import Match
from muniment.games.siege import Siege
from muniment.games.siege.actions import parse_action
from muniment.games.siege.state import ACTIONS_STEP, DRAW, LINE_CHECK, OVER, ROLL, SiegeState
from muniment.games.siege.terms import DAYS, ENEMY_LINES
from muniment.solve.table import ERROR, Table
from muniment.solve.values import NOISE, PositionValue, Values
from tests.solve.test_transitions import mid_turn


def by_recursion(values: Values, state: SiegeState) -> float:
    """The value by a search through the engine, with the table's values at the next draws."""

    def leaf(now: SiegeState) -> float | None:
        return values.value(now) if now.step == DRAW else None

    return best_value(values.game, state, leaf, float)


def test_the_set_up_has_the_exact_value_within_the_error(values: Values) -> None:
    assert values.value(values.game.initial()) == pytest.approx(values.table.initial, abs=ERROR)


@pytest.mark.parametrize("seed", range(4))
def test_positions_within_a_turn_have_the_value_of_a_search(values: Values, seed: int) -> None:
    random = Random(seed)
    for _ in range(8):
        state = mid_turn(values.game, random)
        state.points = min(state.points, 2)
        if state.extra_used and state.points == 0:
            state.points = random.randint(0, 1)
        odds = values.odds(state)
        assert odds.value == pytest.approx(by_recursion(values, state), abs=1e-12)
        assert [a.action for a in odds.actions] == list(values.game.legal_actions(state))
        for found in odds.actions:
            after = state.copy()
            values.game.apply(after, found.action)
            expected = by_recursion(values, after) if after.step not in (DRAW, OVER) else values.value(after)
            assert found.value == pytest.approx(expected, abs=1e-12)
        assert odds.value == pytest.approx(values.value(state), abs=1e-12)


def test_dice_and_checks_have_the_mean_of_what_they_bring(values: Values) -> None:
    state = values.game.initial()
    state.deck, state.soldiers, state.raided, state.step = 0b01, ENEMY_LINES, 1, LINE_CHECK
    means = []
    for outcome in values.game.chance(state).outcomes:
        after = state.copy()
        values.game.apply_outcome(after, outcome)
        means.append(values.value(after))
    assert values.value(state) == pytest.approx(sum(means) / 6)
    assert means[0] < means[1] == means[5]


def test_a_lost_position_is_worth_nothing_and_a_won_one_everything(values: Values) -> None:
    state = values.game.initial()
    state.day, state.deck, state.card, state.step = DAYS, 0, 0, ACTIONS_STEP
    assert values.value(state) == 1.0  # the end of the turn wins
    values.game.apply(state, parse_action("end"))
    assert state.result == "won"
    assert values.value(state) == 1.0
    state.result = "wall-0"
    assert values.value(state) == 0.0
    assert values.odds(state) == PositionValue(0.0, ())


def test_the_best_action_is_the_first_of_equals(values: Values) -> None:
    state = values.game.initial()
    state.day, state.deck, state.card, state.step, state.points = DAYS, 0, 0, ACTIONS_STEP, 1
    odds = values.odds(state)
    assert odds.value == 1.0
    best = odds.best
    assert best is not None
    assert best.action is odds.actions[0].action


def test_the_oracle_plays_whole_games_and_never_below_the_best(table: Table, values: Values) -> None:
    game = values.game
    oracle = Oracle(game, values)
    for seed in range(5):
        state = game.initial()
        dice = RandomStream(bytes([seed] * 32))
        while state.step != OVER:
            if state.step == ACTIONS_STEP:
                odds = values.odds(state)
                action = oracle.choose(game.view(state, 0), game.legal_actions(state), dice)
                assert odds.of(action) == pytest.approx(odds.value, abs=NOISE)
                game.play(state, action)
            else:
                game.apply_outcome(state, game.sample(state, dice))


def test_asking_changes_nothing(values: Values) -> None:
    match = Match(Siege(values.rules.edition), ["Ada"], seed=bytes(32))
    state = match.state()
    before = state.copy()
    assert state.step != ROLL
    values.odds(state)
    values.value(state)
    assert state == before
