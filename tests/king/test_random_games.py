"""Random games never break an invariant (K58, K60).

20,000 games in two hundred slices by ``make check-slow`` (see ``tests.slices``), a sample of them by ``make test``.
"""

from pathlib import Path

import pytest

from tests.king import random_games, scripts
from tests.slices import ROOT, once

SLICE, SLICES = 100, 200
SOURCES = [
    ROOT / "src/muniment/core",
    ROOT / "src/muniment/games/king",
    Path(random_games.__file__),
    Path(scripts.__file__),
]


@pytest.mark.parametrize("number", range(24))
def test_a_sample_of_random_games(number: int) -> None:
    """K58, K60: no invariant is broken, nothing gets stuck, records replay; both editions, all options."""
    random_games.play(number)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SLICES))
def test_random_games(part: int) -> None:
    """The same for 20,000 games; an interrupted run goes on with the slices not yet passed."""

    def work() -> None:
        for number in range(part * SLICE, (part + 1) * SLICE):
            random_games.play(number)

    once(f"king-random-games-{part:03}", SOURCES, work)
