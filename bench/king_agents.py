"""King of the Tabletop's computer players: whole games, and decisions with what the game itself takes for them."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from bench.registry import Row, benchmark, rate
from muniment.agents.catalog import make_agent
from muniment.agents.marshal import Marshal
from muniment.agents.marshal.player import ITERATIONS
from muniment.agents.steward import Steward
from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.playout import play_out
from muniment.games.king import King
from muniment.games.king.actions import KingAction
from muniment.games.king.views import KingView

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


@benchmark
def search() -> Iterator[Row]:
    """How fast the marshal searches, over decisions from the beginning to the end of a game."""
    game = King()
    asked: list[tuple[KingView, list[KingAction]]] = []

    class Noting(Steward):
        def choose(self, view: KingView, legal: Sequence[KingAction], source: Source) -> KingAction:
            asked.append((view, list(legal)))
            return super().choose(view, legal, source)

    for seats in (2, SEATS):
        asked.clear()
        play_out(game, [Noting(game), *[Steward(game) for _ in range(seats - 1)]], SEEDS[0])
        marshal, source = Marshal(game), RandomStream(SEEDS[0])

        def think(marshal: Marshal = marshal, source: RandomStream = source) -> int:
            before = marshal.iterations
            for view, legal in asked:
                marshal.choose(view, legal, source)
            return marshal.iterations - before

        iterations = think()
        speed = rate(think, iterations, repeats=3)
        yield Row(
            f"king: marshal, {seats} players", speed, "iterations/s",
            f"{ITERATIONS} a decision at most, {iterations:,} a game; re-deals, rules and evaluation included",
        )  # fmt: skip
