"""Random games never break an invariant; random choices, legal or not, never break the game.

100,000 games in twenty slices by ``make check-slow`` (see ``tests.slices``), a sample of them by ``make test``.
"""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.core.refusal import Refused
from muniment.games.siege import SiegeOptions
from muniment.games.siege.actions import ACTIONS
from muniment.games.siege.endings import ENDINGS
from muniment.games.siege.state import ACTIONS_STEP, OVER
from tests.siege import random_games
from tests.siege.random_games import OPTIONS, standard_game
from tests.slices import ROOT, once

SLICE, SLICES = 5_000, 20
SOURCES = [ROOT / "src/muniment/core", ROOT / "src/muniment/games/siege", Path(random_games.__file__)]


@pytest.mark.parametrize("part", range(4))
def test_a_sample_of_random_games(part: int) -> None:
    """10.0, 2.3.1, 2.3.3, 8.4: 2,000 games keep every invariant, and end in many ways."""
    endings = Counter(random_games.play(number)[0] for number in range(part * 500, part * 500 + 500))
    assert set(endings) >= {"won", "collapse", "close-combat-held", "wall-0", "morale-0", "supplies-0", "overrun"}


def test_a_sample_of_records() -> None:
    """Records replay to the same end."""
    for number in range(40):
        random_games.replay(number)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SLICES))
def test_random_games(part: int) -> None:
    """100,000 games and 2,000 records; an interrupted run goes on with the slices not yet passed."""

    def work() -> None:
        endings: Counter[str] = Counter()
        for number in range(part * SLICE, (part + 1) * SLICE):
            endings[random_games.play(number)[0]] += 1
        for number in range(part * 100, part * 100 + 100):
            random_games.replay(number)
        assert set(endings) == set(ENDINGS), "every way to end occurs"

    once(f"siege-random-games-{part:02}", SOURCES, work)


@given(st.sampled_from(OPTIONS), st.lists(st.integers(0, 2**16), min_size=20, max_size=200))
def test_any_choice_is_carried_out_or_refused(options: SiegeOptions, choices: list[int]) -> None:
    """Illegal actions are refused with code, sentence and rule, and change nothing; legal ones never raise."""
    game = standard_game(options)
    state = game.initial()
    for choice in choices:
        if state.step == OVER:
            break
        if state.step != ACTIONS_STEP:
            outcomes = game.chance(state).outcomes
            game.apply_outcome(state, outcomes[choice % len(outcomes)])
            continue
        action = ACTIONS[choice % len(ACTIONS)]
        before, legal = state.key(), action in game.legal_actions(state)
        try:
            game.play(state, action)
        except Refused as refused:
            assert not legal
            assert state.key() == before
            why = refused.refusal
            assert why.code == why.code.lower().replace(" ", "-")
            assert why.sentence
            assert why.rule in game.rulebook()
        else:
            assert legal
            assert state.key() != before
