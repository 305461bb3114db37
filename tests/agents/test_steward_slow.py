"""What the steward has to achieve over many games, by ``make check-slow``; what has passed is not run again."""

from pathlib import Path

import pytest

from muniment.arena.king_statistics import KingTotals
from muniment.arena.simulate import Setup, simulate
from tests.slices import ROOT, once

SOURCES = [
    ROOT / "src/muniment/core",
    ROOT / "src/muniment/games/king",
    ROOT / "src/muniment/agents/steward",
    ROOT / "src/muniment/agents/careless.py",
    Path(__file__),
]
SLICES, GAMES = 10, 100
MOST_TURNS = 200
SEATS = 4


def played(agents: tuple[str, ...], games: int, seed: str) -> KingTotals:
    # a limit of turns changes nothing before it is reached, and ends a game that would go on for ever
    totals = simulate(Setup("king", agents, options={"turn_limit": MOST_TURNS}), games, seed).totals
    assert isinstance(totals, KingTotals)
    return totals


@pytest.mark.slow
@pytest.mark.parametrize("part", range(SLICES))
def test_games_of_stewards_end_by_a_victory(part: int) -> None:
    """1,000 games of four stewards: at least 99% end by a victory within 200 turns."""

    def work() -> None:
        totals = played(("steward",) * SEATS, GAMES, f"stewards/{part}")
        assert totals.victories["turn-limit"] + totals.victories["nobody"] <= GAMES // 100

    once(f"king-stewards-{part:02}", SOURCES, work)


@pytest.mark.slow
def test_a_steward_beats_three_randoms() -> None:
    """In at least 95% of 600 games, 150 from each seat."""

    def work() -> None:
        wins = 0
        for seat in range(SEATS):
            agents = tuple("steward" if at == seat else "random" for at in range(SEATS))
            wins += played(agents, 150, f"randoms/{seat}").wins[seat]
        assert wins >= 0.95 * 600

    once("king-steward-randoms", SOURCES, work)


@pytest.mark.slow
def test_a_steward_beats_the_careless_one() -> None:
    """Two players, 200 pairs of games with the same dice and the seats exchanged: at least 85%."""

    def work() -> None:
        first = played(("steward", "careless"), 200, "careless").wins[0]
        second = played(("careless", "steward"), 200, "careless").wins[1]
        assert first + second >= 0.85 * 400

    once("king-steward-careless", SOURCES, work)
