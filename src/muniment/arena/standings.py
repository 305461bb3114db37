"""What a tournament comes to: win rates with their intervals, who beats whom, ratings, and how games go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from muniment.arena.ratings import Rating, rate
from muniment.arena.sequential import SequentialTest
from muniment.arena.statistics import Interval, Totals, wilson
from muniment.arena.tournament import Result, Tournament
from muniment.core.words import printable

__all__ = ["Pair", "Share", "Standings", "standings"]


@dataclass(frozen=True, slots=True)
class Share:
    """Games won alone, of the games of a seat: of an agent's, or of those against one other.

    agent, against: the plan's numbers; against None: all others.
    """

    agent: int
    against: int | None
    seats: int
    wins: int

    @property
    def rate(self) -> Interval:
        """The share with its 95% interval."""
        return wilson(self.wins, self.seats)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two agents of a solo game on the same dice: how many deals both won, only one of them, none."""

    first: int
    second: int
    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def difference(self) -> float:
        """The first one's win rate less the second one's."""
        deals = self.both + self.only_first + self.only_second + self.neither
        return (self.only_first - self.only_second) / deals

    @property
    def first_of_decided(self) -> Interval | None:
        """Of the deals that only one of them won, the first one's share: McNemar's comparison. None without any."""
        decided = self.only_first + self.only_second
        return wilson(self.only_first, decided) if decided else None


@dataclass(frozen=True)
class Standings:
    """The numbers of a tournament.

    games: how many count: those of whole deals. agents: overall, in the plan's order. alone: for each two agents of a
    round robin, what the one wins who sits alone against the other in all other seats; of a gauntlet, what each
    challenger wins, in the plan's order. mixed: at tables of many.
    pairs: of a solo game. ratings: None of a solo game, of a test, or where they were not wanted. choices, seconds: of
    each agent. statistics: of the games together; of a solo game, of each agent.
    """

    tournament: Tournament
    games: int
    agents: tuple[Share, ...]
    alone: tuple[Share, ...]
    mixed: tuple[Share, ...]
    pairs: tuple[Pair, ...]
    ratings: tuple[Rating, ...] | None
    choices: tuple[int, ...]
    seconds: tuple[float, ...]
    statistics: tuple[Totals, ...]
    test: SequentialTest | None

    @property
    def names(self) -> tuple[str, ...]:
        """The agents."""
        return self.tournament.plan.agents

    @property
    def shown(self) -> tuple[str, ...]:
        """The agents as they are written for people: a file's name may hold anything."""
        return tuple(map(printable, self.names))

    @property
    def even(self) -> float:
        """What a seat wins among equals."""
        return 1 / self.tournament.plan.seats

    def ranking(self) -> list[int]:
        """The agents that have played, best first: by rating, else by win rate."""

        def strength(agent: int) -> float:
            return self.agents[agent].rate.estimate if self.ratings is None else self.ratings[agent].mu

        played = [share.agent for share in self.agents if share.seats]
        return sorted(played, key=lambda agent: (-strength(agent), agent))

    def to_json(self, speed: float | None = None) -> dict[str, Any]:
        """Everything: what was played, then the numbers; ``timing`` alone differs from run to run.

        speed: games a second, None if that is not known.
        """
        return {
            **self.tournament.header(),
            "games": self.games,
            "deals": self.games // self.tournament.schedule.deal_games,
            "even": None if self.tournament.plan.seats == 1 else self.even,
            "standings": [self._agent(agent) for agent in self.ranking()],
            "alone": [self._share(share) for share in self.alone],
            "mixed": [self._share(share) for share in self.mixed],
            "pairs": [self._pair(pair) for pair in self.pairs],
            "result": None if self.test is None else self.test.to_json(),
            "statistics": [totals.to_json() for totals in self.statistics if totals.games],
            "timing": {
                "games_a_second": speed,
                "seconds_a_decision": {
                    name: seconds / max(choices, 1)
                    for name, seconds, choices in zip(self.names, self.seconds, self.choices, strict=True)
                },
            },
        }

    def _agent(self, agent: int) -> dict[str, Any]:
        told = self._share(self.agents[agent])
        if self.ratings is not None:
            told["rating"] = self.ratings[agent].to_json()
        return {**told, "decisions": self.choices[agent]}

    def _share(self, share: Share) -> dict[str, Any]:
        against = {} if share.against is None else {"against": self.names[share.against]}
        return {
            "agent": self.names[share.agent], **against,
            "seats": share.seats, "wins": share.wins, "win_rate": share.rate.to_json(),
        }  # fmt: skip

    def _pair(self, pair: Pair) -> dict[str, Any]:
        decided = pair.first_of_decided
        return {
            "first": self.names[pair.first], "second": self.names[pair.second], "both": pair.both,
            "only_first": pair.only_first, "only_second": pair.only_second, "neither": pair.neither,
            "difference": pair.difference,
            "first_of_decided": None if decided is None else decided.to_json(),
        }  # fmt: skip


def standings(
    tournament: Tournament, results: Sequence[Result], test: SequentialTest | None = None, *, ratings: bool = True
) -> Standings | None:
    """The numbers of these results, in the order of their numbers; None if there is not one whole deal.

    A deal that was not finished is left out: it would favour seats. test: as ``run_tournament`` gave it.
    ratings: whether they are wanted, which takes the extra ``arena``.
    """
    plan, schedule = tournament.plan, tournament.schedule
    results = results[: len(results) // schedule.deal_games * schedule.deal_games]
    if not results:
        return None
    everybody = range(len(plan.agents))
    solo = plan.seats == 1
    seats = {agent: [0, 0] for agent in everybody}
    alone: dict[tuple[int, int], list[int]] = {}
    mixed: dict[int, list[int]] = {}
    choices, seconds = [0] * len(everybody), [0.0] * len(everybody)
    statistics = [tournament.totals() for _ in (everybody if solo else range(1))]
    for result in results:
        statistics[result.agents[0] if solo else 0].count(result.row)
        pair = schedule.tables[result.table].alone
        for seat, agent in enumerate(result.agents):
            won = result.returns[seat] == 1.0
            counts = [seats[agent]]
            if pair is None:
                counts.append(mixed.setdefault(agent, [0, 0]))
            elif agent == pair[0] or (plan.seats == 2 and not plan.gauntlet):
                counts.append(alone.setdefault((agent, pair[1] if agent == pair[0] else pair[0]), [0, 0]))
            for count in counts:
                count[0] += 1
                count[1] += won
            choices[agent] += result.choices[seat]
            seconds[agent] += result.seconds[seat]
    rated = None
    if ratings and not solo and plan.test is None:
        rated = tuple(rate(len(everybody), ((result.agents, result.returns) for result in results)))
    return Standings(
        tournament,
        len(results),
        tuple(Share(agent, None, *seats[agent]) for agent in everybody),
        tuple(Share(one, other, *counts) for (one, other), counts in sorted(alone.items())),
        () if solo else tuple(Share(agent, None, *counts) for agent, counts in sorted(mixed.items())),
        tuple(_pair(one, other, results) for one, other in combinations(everybody, 2)) if solo else (),
        rated,
        tuple(choices),
        tuple(seconds),
        tuple(statistics),
        test,
    )


def _pair(first: int, second: int, results: Sequence[Result]) -> Pair:
    won: dict[int, dict[int, bool]] = {}
    for result in results:
        won.setdefault(result.deal, {})[result.agents[0]] = result.returns[0] == 1.0
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for deal in won.values():
        counts[deal[first], deal[second]] += 1
    return Pair(first, second, *counts.values())
