"""Who plays whom, where everybody sits, and with which dice: all games of a tournament, numbered, without end.

A *table* is a group of agents, some of them perhaps several times. A table is played in a *deal*: the games of all
rotations of its seats, so that everybody sits everywhere once, all with the same dice. A *round* is one deal of every
table; rounds follow each other with new dice.

* Two seats: a table for each pair.
* Three or four seats: for each ordered pair a table of the first alone against the second in all other seats; and mixed
  tables of as many different agents as there are seats, in every such combination. Three agents at four seats make
  three mixed tables: all of them, and each of them in turn a second time. A mixed table's order changes from round to
  round, until everybody has sat next to everybody in every way.
* One seat: all agents are one table, and a deal is a game of each alone with the same dice and cards.
* A gauntlet: the last agent is the yardstick, and for each of the others there is a table of it alone against the
  yardstick in all other seats. A deal is a whole round, so that everybody is measured with the same dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from muniment.core.errors import MunimentError

__all__ = ["Schedule", "Seating", "Table"]


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits at a table. orders: seatings round the table, as the agents' numbers; round after round takes the next.

    alone: the agent against all others, and that other one; None at a mixed table.
    """

    orders: tuple[tuple[int, ...], ...]
    alone: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Seating:
    """One game. deal: its number, from 1; table: which of the schedule's; agents: the number of each seat's agent."""

    deal: int
    table: int
    agents: tuple[int, ...]


class Schedule:
    """The games of a tournament or of a test.

    agents: how many there are. seats: at a table, from 1. gauntlet: whether all but the last one play against the last
    one only; a test is a gauntlet of two. deal_games, round_games: how many games a deal and a round have.
    Raises MunimentError if there are too few agents.
    """

    def __init__(self, agents: int, seats: int, *, gauntlet: bool = False) -> None:
        if agents < min(seats, 2):
            raise MunimentError(f"an arena takes at least {min(seats, 2)} agents, not {agents}")
        self.seats = seats
        self.tables = _tables(agents, seats, gauntlet=gauntlet)
        self._turns = agents if seats == 1 else seats
        self.round_games = self._turns * len(self.tables)
        self.deal_games = self.round_games if gauntlet else self._turns

    def whole_rounds(self, games: int) -> int:
        """The least number of games, at least this, that makes whole rounds."""
        return -(-games // self.round_games) * self.round_games

    def seating(self, number: int) -> Seating:
        """The game of this number, from 1."""
        round_, within = divmod(number - 1, self.round_games)
        table, turn = divmod(within, self._turns)
        orders = self.tables[table].orders
        order = orders[round_ % len(orders)]
        agents = (order[turn],) if self.seats == 1 else order[-turn:] + order[:-turn]
        return Seating((number - 1) // self.deal_games + 1, table, agents)


def _tables(agents: int, seats: int, *, gauntlet: bool) -> tuple[Table, ...]:
    everybody = range(agents)
    if seats == 1:
        return (Table((tuple(everybody),)),)
    if gauntlet:
        return tuple(_lone(one, agents - 1, seats) for one in everybody[:-1])
    if seats == 2:
        return tuple(_lone(one, other, seats) for one, other in combinations(everybody, 2))
    lone = (_lone(one, other, seats) for one, other in permutations(everybody, 2))
    return (*lone, *(Table(_orders(group)) for group in _mixed(agents, seats)))


def _lone(one: int, other: int, seats: int) -> Table:
    return Table(((one, *[other] * (seats - 1)),), (one, other))


def _mixed(agents: int, seats: int) -> Sequence[tuple[int, ...]]:
    if agents >= seats:
        return list(combinations(range(agents), seats))
    if agents == 2:
        return []
    everybody = tuple(range(agents))  # three at four seats
    return [(*everybody, twice) for twice in everybody]


def _orders(group: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Every order round the table, the first agent always first: the rotations of a deal do the rest."""
    return tuple((group[0], *rest) for rest in sorted(set(permutations(group[1:]))))
