"""A tournament: which games are played, played wherever, one result after the other.

The results depend on the plan alone. They come in the order of the games' numbers, whoever plays them, so that ratings
and tests are the same on one core, on many and on a cluster; only times differ.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain
from math import inf
from pathlib import Path
from typing import Any

from muniment import __version__
from muniment.arena.entrants import code_digest, identity, is_own, make_entrant
from muniment.arena.playing import Stopped, play_one
from muniment.arena.schedule import Schedule
from muniment.arena.sequential import Hypotheses, SequentialTest
from muniment.arena.simulate import game_seed
from muniment.arena.statistics import Row, Totals, totals_for
from muniment.arena.store import Store
from muniment.arena.workers import Work, work_through
from muniment.core.agent import Agent
from muniment.core.dice import seed_from_text
from muniment.core.errors import MunimentError
from muniment.core.game import Game
from muniment.games.catalog import make_game

__all__ = ["Held", "Plan", "Result", "Tournament", "deal_score", "hold"]

_SHORT_GAMES_AT_ONCE = 48  # of a solo game


@dataclass(frozen=True)
class Plan:
    """What is played: plain values, so that other processes can set up the same.

    game: its name. agents: at least two different ones, by name or as ``muniment.arena.entrants`` has it; of a test,
    two. seats: at a table. seed: a text. edition, options: as for ``simulate.Setup``.
    test: what is tested of the first agent, which then sits alone against the second.
    gauntlet: whether the last agent is a yardstick, and each of the others sits alone against it. Without either it is
    a round robin.
    """

    game: str
    agents: tuple[str, ...]
    seats: int
    seed: str
    edition: Path | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    test: Hypotheses | None = None
    gauntlet: bool = False

    @property
    def against(self) -> str | None:
        """The yardstick of a gauntlet, None if it is none."""
        return self.agents[-1] if self.gauntlet else None

    @cached_property
    def schedule(self) -> Schedule:
        """The plan's games.

        Raises MunimentError for agents that are too few, too many or named twice, and for a gauntlet that is a test or
        of a solo game.
        """
        if self.against in self.agents[:-1]:
            raise MunimentError(f"the agent {self.against!r} cannot play a gauntlet against itself")
        twice = [name for name in self.agents if self.agents.count(name) > 1]
        if twice:
            raise MunimentError(f"the agent {twice[0]!r} is named twice")
        if self.test is not None and len(self.agents) != 2:
            raise MunimentError(f"a test compares two agents, not {len(self.agents)}")
        if self.gauntlet and self.test is not None:
            raise MunimentError("a gauntlet is no test")
        if self.gauntlet and self.seats == 1:
            raise MunimentError("a solo game has no opponents, so there is no gauntlet of it")
        return Schedule(len(self.agents), self.seats, gauntlet=self.gauntlet or self.test is not None)


@dataclass(frozen=True)
class Result:
    """One game.

    number: from 1. deal, table: see ``schedule``. seed: the text its dice come from. agents: the plan's number of each
    seat's agent. returns, row, choices, seconds, record: see ``playing.Played``.
    """

    number: int
    deal: int
    table: int
    seed: str
    agents: tuple[int, ...]
    returns: tuple[float, ...]
    row: Row
    choices: tuple[int, ...]
    seconds: tuple[float, ...]
    record: str | None = None

    def to_json(self) -> dict[str, Any]:
        """All but the record; ``seconds`` alone differs from run to run."""
        return {
            "game": self.number,
            "deal": self.deal,
            "table": self.table,
            "seed": self.seed,
            "agents": list(self.agents),
            "returns": list(self.returns),
            "row": list(self.row),
            "choices": list(self.choices),
            "seconds": [round(seconds, 6) for seconds in self.seconds],
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Result:
        """Read ``to_json``. Raises KeyError, TypeError or ValueError if it is none."""
        return cls(
            int(value["game"]),
            int(value["deal"]),
            int(value["table"]),
            str(value["seed"]),
            tuple(map(int, value["agents"])),
            tuple(map(float, value["returns"])),
            tuple(value["row"]),
            tuple(map(int, value["choices"])),
            tuple(map(float, value["seconds"])),
        )


class Tournament:
    """A plan set up to be played. Raises MunimentError for one that cannot be played, before any game."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.schedule = plan.schedule
        seed_from_text(plan.seed)  # refuses what is no text, before anything is kept
        self.game: Game[Any, Any, Any, Any] = make_game(plan.game, plan.edition, plan.options)
        self.game.initial(plan.seats)  # refuses a number of seats the game does not have
        names: dict[Hashable, str] = {}
        for name in plan.agents:
            make_entrant(self.game, name)
            if any("\ud800" <= c <= "\udfff" for c in name):  # of a file's name that is not UTF-8
                raise MunimentError(f"{name!r}: is not a text, so no result could name it")
            first = names.setdefault(identity(self.game, name), name)
            if first != name:
                raise MunimentError(f"{first!r} and {name!r} are the same agent")

    @property
    def own_agents(self) -> tuple[str, ...]:
        """The names of those agents that are somebody's own."""
        return tuple(name for name in self.plan.agents if is_own(self.game, name))

    def totals(self) -> Totals:
        """Empty totals of the game's kind."""
        return totals_for(self.game)

    def kept(self, value: Mapping[str, Any]) -> Result:
        """A result from ``Result.to_json``. Raises ValueError if no game of this tournament can have had it."""
        seats = self.plan.seats
        try:
            result = Result.from_json(value)
            seating = self.schedule.seating(result.number)
            self.totals().count(result.row)
        except (ArithmeticError, LookupError, TypeError) as error:
            raise ValueError(str(error)) from None
        dealt = (result.deal, result.table, result.agents, result.seed)
        if dealt != (seating.deal, seating.table, seating.agents, game_seed(self.plan.seed, seating.deal)):
            raise ValueError("it is another game")
        if {len(result.returns), len(result.choices), len(result.seconds)} != {seats}:
            raise ValueError("it is not of all seats")
        if not all(0 <= share <= 1 for share in result.returns) or not all(0 <= s < inf for s in result.seconds):
            raise ValueError("a number is out of range")
        return result

    def header(self) -> dict[str, Any]:
        """All that the results depend on, as JSON: two tournaments with the same header have the same games."""
        return {
            "muniment": __version__,
            "game": self.plan.game,
            "edition": self.game.edition_name,
            "edition_digest": self.game.edition_digest,
            "options": dict(self.game.option_values),
            "agents": list(self.plan.agents),
            "against": self.plan.against,
            "own_agents": {
                name: code_digest(name) for name in self.own_agents
            },
            "seats": self.plan.seats,
            "seed": self.plan.seed,
            "test": None if self.plan.test is None else self.plan.test.to_json(),
        }  # fmt: skip


@dataclass(frozen=True)
class _Games:
    """The games of a tournament, for whoever plays them."""

    plan: Plan
    records: bool
    folder: Path  # from which agents of one's own are found

    def prepare(self) -> Work[Result]:
        """Set up the game."""
        with suppress(OSError):  # on another machine it may not be there, nor be needed
            os.chdir(self.folder)
        tournament = Tournament(self.plan)
        game, totals = tournament.game, tournament.totals()

        @cache
        def of_the_package(name: str, _seat: int) -> Agent[Any, Any]:
            return make_entrant(game, name)

        def seated(name: str, seat: int) -> Agent[Any, Any]:
            """A new agent if it is one's own and may remember; the package's do not, and may take long to make."""
            return make_entrant(game, name) if is_own(game, name) else of_the_package(name, seat)

        def play(numbers: range, stop: Callable[[], bool]) -> list[Result]:
            results = []
            for number in numbers:
                seating = tournament.schedule.seating(number)
                seed = game_seed(self.plan.seed, seating.deal)
                names = [self.plan.agents[agent] for agent in seating.agents]
                agents = [seated(name, seat) for seat, name in enumerate(names)]
                try:
                    played = play_one(game, agents, names, seed, totals, record=self.records, stop=stop)
                except Stopped:
                    break
                results.append(
                    Result(
                        number, seating.deal, seating.table, seed, seating.agents,
                        played.returns, played.row, played.choices, played.seconds, played.record,
                    )
                )  # fmt: skip
            return results

        return play


@dataclass(frozen=True)
class Held:
    """What came of holding a tournament.

    results: in order, kept ones too. test: how the plan's test stands. speed: games a second of those played now, None
    if there were none. interrupted: whether it was, and there would be more games.
    """

    results: tuple[Result, ...]
    test: SequentialTest | None
    speed: float | None
    interrupted: bool


def hold(
    tournament: Tournament,
    games: int,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    out: Path | None = None,
    records: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Held:
    """Play until there are ``games``, or the test has its verdict, or the user interrupts (KeyboardInterrupt).

    games: at least 1, made whole rounds by ``Schedule.whole_rounds``. jobs, cluster: see ``workers.work_through``.
    out: a folder that keeps every result; those it has are not played again. records: whether it keeps every game's
    record, too. progress: told again and again how many games are done.
    No process is left behind. Raises MunimentError; see ``playing.play_one`` for what agents can do wrong.
    """
    if games < 1 or jobs < 1:
        raise MunimentError("games and jobs must be at least 1")
    with nullcontext() if out is None else Store(out, tournament.header(), records=records) as store:
        desk = _Desk(tournament, tournament.schedule.whole_rounds(games))
        if store is not None:
            for number, value in enumerate(store.results(), 1):
                if desk.complete:
                    break
                try:
                    desk.take(tournament.kept(value))
                except ValueError:
                    raise MunimentError(f"{store.path}: line {number + 1}: not game {number} of this arena") from None
        kept, began, interrupted = len(desk.results), time.perf_counter(), False
        progress(kept)
        task = _Games(tournament.plan, records, Path.cwd())
        ranges = _ranges(kept + 1, desk.last, tournament)
        try:
            with closing(work_through(task, ranges, jobs=jobs, cluster=cluster)) as played:
                for result in chain.from_iterable(played) if not desk.complete else ():
                    if store is not None:
                        store.add(result.number, result.to_json(), result.record)
                    desk.take(result)
                    progress(len(desk.results))
                    if desk.complete:
                        break
        except KeyboardInterrupt:
            interrupted = True
    fresh = len(desk.results) - kept
    speed = fresh / (time.perf_counter() - began) if fresh else None
    return Held(tuple(desk.results), desk.test, speed, interrupted)


class _Desk:
    """Takes the results in order, and knows when there are enough. last: the number of the last game at most."""

    def __init__(self, tournament: Tournament, last: int) -> None:
        plan = tournament.plan
        self.last = last
        self.results: list[Result] = []
        self.test: SequentialTest | None = None
        self._deal_games = tournament.schedule.deal_games
        if plan.test is not None:
            self.test = SequentialTest(plan.test, plan.seats)

    @property
    def complete(self) -> bool:
        """Whether no more games are wanted."""
        return len(self.results) >= self.last or (self.test is not None and self.test.verdict is not None)

    def take(self, result: Result) -> None:
        """The next result."""
        self.results.append(result)
        if self.test is not None and len(self.results) % self._deal_games == 0:
            self.test.add(deal_score(self.results[-self._deal_games :]))


def _ranges(first: int, last: int, tournament: Tournament) -> Iterator[range]:
    """What is handed out at once: one game of several players, some of one."""
    step = _SHORT_GAMES_AT_ONCE if tournament.plan.seats == 1 else 1
    return (range(begin, min(begin + step, last + 1)) for begin in range(first, last + 1, step))


def deal_score(deal: Sequence[Result]) -> float:
    """The first agent's score of a deal, from 0 to 1.

    The mean of its results; at a solo game 1 if it alone wins, 0 if the other alone does, 1/2 if both do alike.
    """
    mine = [share for result in deal for agent, share in zip(result.agents, result.returns, strict=True) if agent == 0]
    if len(deal[0].agents) > 1:
        return sum(mine) / len(mine)
    all_returns = sum(result.returns[0] for result in deal)
    return (1 + sum(mine) - (all_returns - sum(mine))) / 2
