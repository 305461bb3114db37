"""Batches of games in the kernel."""

import pytest

from muniment.agents.uniform import Uniform
from muniment.core.dice import seed_from_text
from muniment.core.playout import play_out
from muniment.games.siege import Siege, SiegeOptions
from muniment.games.siege.endings import ENDINGS, WON
from muniment.solve import kernel
from muniment.solve.batch import play_batch
from muniment.solve.ruleset import ruleset
from muniment.solve.table import Table
from tests.solve.games import small_edition


def test_the_kernels_numbers_of_endings_are_those_of_the_rules() -> None:
    names = ["WON", "OVERRUN", "COLLAPSE", "HELD", "WALL_GONE", "MORALE_GONE", "SUPPLIES_GONE"]
    assert [getattr(kernel, name) for name in names] == list(range(1, len(ENDINGS) + 1))
    assert [code.split("-")[0] for code in ENDINGS] == [
        "won", "overrun", "collapse", "close", "wall", "morale", "supplies"
    ]  # fmt: skip


def test_perfect_play_wins_as_often_as_the_value_says(table: Table) -> None:
    report = play_batch(table.rules, table, 20_000, jobs=2)
    assert sum(report.endings.values()) == report.games == 20_000
    assert abs(report.rate - table.initial) < 4 * report.standard_error


def test_a_batch_does_not_depend_on_the_jobs(table: Table) -> None:
    one, two = (play_batch(table.rules, table, 500, seed="a", jobs=jobs) for jobs in (1, 2))
    assert one == two
    assert play_batch(table.rules, table, 500, seed="b", jobs=1) != one


def test_random_play_ends_as_in_the_engine() -> None:
    """The same ending on the same day in as many games, within five standard errors."""
    edition = small_edition(6, 7, points=1)
    report = play_batch(ruleset(edition, SiegeOptions()), None, 200_000)
    game, games = Siege(edition), 1_500
    counts: dict[tuple[int, str], int] = {}
    for number in range(games):
        last, _ = play_out(game, [Uniform()], seed_from_text(f"batch {number}"))
        counts[last.day, last.result] = counts.get((last.day, last.result), 0) + 1
    for key in {*counts, *report.endings}:
        share = report.endings.get(key, 0) / report.games
        error = (share * (1 - share) / games) ** 0.5 + 1e-3
        assert counts.get(key, 0) / games == pytest.approx(share, abs=5 * error), key
    assert any(ending == WON for _, ending in report.endings)
