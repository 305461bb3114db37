"""The standard game, solved: its values to 1e-9, and a million games of perfect play. Slow; tables are kept."""

from collections.abc import Callable

import pytest

from muniment.arena.simulate import Setup, simulate
from muniment.games.siege import SiegeOptions, standard_edition
from muniment.solve.batch import play_batch
from muniment.solve.solving import solve
from tests.solve.games import OPTIONS

# As they stand in the README.
VALUES = {
    "default": 0.7899110978410254,
    "bonus cancels a 1": 0.8700609105546525,
    "drives all back": 0.7889660770731273,
    "free movement in bad weather": 0.793068633151122,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIONS)
def test_the_value_under_every_option(name: str) -> None:
    assert solve(standard_edition(), OPTIONS[name]).initial == pytest.approx(VALUES[name], abs=1e-9)


@pytest.mark.slow
def test_a_million_games_of_perfect_play_win_as_often_as_the_value_says(
    record_property: Callable[[str, object], None],
) -> None:
    table = solve()
    perfect = play_batch(table.rules, table, 1_000_000)
    assert abs(perfect.rate - table.initial) < 4 * perfect.standard_error
    random = play_batch(table.rules, None, 1_000_000)
    captain = simulate(Setup("siege", ("captain",)), 4_000, "1").totals.to_json()["wins"] / 4_000
    record_property("oracle", perfect.rate)
    record_property("captain", captain)
    record_property("random", random.rate)
    assert random.rate < 0.01 < perfect.rate
    assert captain < perfect.rate


def test_every_option_has_its_value() -> None:
    assert set(VALUES) == set(OPTIONS)
    assert next(iter(OPTIONS.values())) == SiegeOptions()
