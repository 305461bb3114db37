"""King of the Tabletop's computer players: whole games, and decisions with what the game itself takes for them."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from bench.registry import Row, benchmark, rate
from muniment.agents.catalog import make_agent
from muniment.core.agent import Agent
from muniment.core.dice import seed_from_text
from muniment.core.playout import play_out
from muniment.games.king import King

GAMES = 8
SEATS = 4
SEEDS = [seed_from_text(f"bench/{number}") for number in range(GAMES)]


@benchmark
def agents() -> Iterator[Row]:
    """Whole games of four in one process."""
    game = King()
    for name in ("random", "steward", "careless"):
        players = [make_agent(game, name) for _ in range(SEATS)]

        def play(players: list[Agent[Any, Any]]) -> int:
            return sum([play_out(game, players, seed)[1] for seed in SEEDS])

        decisions = play(players)
        speed = rate(partial(play, players), decisions, repeats=3)
        yield Row(f"king: {name}", speed * GAMES / decisions, "games/s", "four players, views, seeded verifiable dice")
        yield Row(f"king: {name}, decisions", speed, "decisions/s", "the same games")
