"""The arena: games a second of a tournament, in this process and in two."""

from collections.abc import Iterator

from bench.registry import Row, benchmark
from muniment.arena.tournament import Plan, Tournament, hold

GAMES = 120


@benchmark
def tournaments() -> Iterator[Row]:
    """The same pairs of games on one core and on two."""
    tournament = Tournament(Plan("king", ("steward", "careless"), 2, "bench"))
    hold(tournament, 2)
    for jobs, words in ((1, "one job"), (2, "two jobs")):
        speed = hold(tournament, GAMES, jobs=jobs).speed
        assert speed is not None
        note = "two players, views, choices checked, seeded verifiable dice"
        yield Row(f"arena: king, {words}", speed, "games/s", note if jobs == 1 else f"{note}; with starting processes")
