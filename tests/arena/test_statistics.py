"""Intervals and totals against figures worked out by hand."""

import pytest

from muniment.arena.observer import Observer
from muniment.arena.statistics import SiegeTotals, totals_for, wilson
from muniment.core.game import Over
from muniment.games.siege import Siege
from muniment.games.siege.endings import ENDINGS


# Newcombe, Statistics in Medicine 17 (1998), table I, method 3; the last is the third mirrored.
@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0000),
    ],
)
def test_wilson_interval_of_published_figures(successes: int, trials: int, low: float, high: float) -> None:
    interval = wilson(successes, trials)
    assert interval.estimate == successes / trials
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


def test_wilson_interval_stays_within_0_and_1() -> None:
    for trials in range(1, 40):
        for successes in range(trials + 1):
            interval = wilson(successes, trials)
            assert 0 <= interval.low <= interval.estimate <= interval.high <= 1


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (-1, 5), (6, 5)])
def test_wilson_refuses_impossible_counts(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="successes in"):
        wilson(successes, trials)


def test_siege_totals_of_three_games() -> None:
    totals = SiegeTotals()
    totals.count(("won", 3, 7, 1, 2, 4, 0, 50))
    totals.count(("wall-0", 2, 3, 0, 3, 1, 3, 30))
    totals.count(("wall-0", 1, 7, 0, 1, 1, 3, 10))
    told = totals.to_json()
    assert (told["games"], told["wins"]) == (3, 1)
    assert told["win_rate"]["estimate"] == 1 / 3
    assert {e["result"]: e["games"] for e in told["endings"]} == dict.fromkeys(ENDINGS, 0) | {"won": 1, "wall-0": 2}
    assert told["losses_by_turn"] == [{"day": 1, "turn": 7, "games": 1}, {"day": 2, "turn": 3, "games": 1}]
    assert told["mean_status"] == {"wall": 1 / 3, "morale": 2.0, "supplies": 2.0}
    assert told["mean_status_won"] == {"wall": 1.0, "morale": 2.0, "supplies": 4.0}
    assert (told["mean_trebuchets"], told["mean_decisions"]) == (2.0, 30.0)


def test_siege_totals_without_a_win() -> None:
    totals = SiegeTotals()
    totals.count(("overrun", 1, 2, 3, 0, 3, 3, 5))
    assert totals.to_json()["mean_status_won"] == {"wall": 0.0, "morale": 0.0, "supplies": 0.0}


def test_row_names_the_turn_in_which_the_game_ended() -> None:
    game = Siege()
    state = game.initial()
    for card in (1, 2):
        game.apply_outcome(state, game.parse_outcome(f"draw {card}"))
        game.apply(state, game.parse_action("end"))
    game.apply_outcome(state, game.parse_outcome("draw 3"))
    state.status[1] = 0
    game.apply(state, game.parse_action("end"))
    over = game.pending(state)
    assert isinstance(over, Over)
    row = SiegeTotals().row(game.view(state), over, 3, Observer())
    assert dict(zip(SiegeTotals.columns, row, strict=True)) == {
        "result": "morale-0", "day": 1, "turn": 3, "wall": 2, "morale": 0, "supplies": 2, "trebuchets": 3,
        "decisions": 3,
    }  # fmt: skip


def test_every_game_has_totals() -> None:
    assert isinstance(totals_for(Siege()), SiegeTotals)
