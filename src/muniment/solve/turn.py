"""One turn of every position at once: which layers there are, and in which order they are filled."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from muniment.games.siege.terms import DAYS
from muniment.solve import kernel
from muniment.solve.ruleset import Ruleset
from muniment.solve.space import CELLS, ROWS, IntTable
from muniment.solve.tables import MoveTable

__all__ = ["Layers", "Turn"]

END = 0


@dataclass(frozen=True)
class Layers:
    """The layers of a turn with so many action points, numbered; layer 0 is the turn's end.

    Without the additional action there are 0 to ``points`` points left, with it 0 to ``points + 1``. In each of these,
    boiling water may be used or not; where that cannot matter, one layer serves for both.
    complete: also those that no turn passes through, for positions that somebody thought up.
    """

    points: int
    water: bool
    complete: bool = False

    @cached_property
    def numbers(self) -> dict[tuple[bool, int, bool], int]:
        """The layer of (additional action used, points left, boiling water used), in the order of filling."""
        numbers: dict[tuple[bool, int, bool], int] = {}
        following = END + 1
        for extra in (True, False):
            for left in range(self.points + 1 + extra):
                last = left == self.points + extra  # nothing has been done yet
                matters = self.water and (left > 0 or not extra) and (self.complete or not last)
                for boiled in (False, True):
                    if boiled and not matters:
                        numbers[extra, left, True] = numbers[extra, left, False]
                    else:
                        numbers[extra, left, boiled] = following
                        following += 1
        return numbers

    def covers(self, extra: bool, left: int, boiled: bool) -> bool:
        """Whether there are values for positions of this kind."""
        if (extra, left, boiled) not in self.numbers:
            return False
        return not boiled or not self.water or self.complete or left < self.points + extra or (extra and left == 0)

    @property
    def count(self) -> int:
        """How many there are, the turn's end included."""
        return max(self.numbers.values()) + 1

    def array(self) -> IntTable:
        """The layers as an array by additional action used, points left and boiling water used."""
        most = max(left for _, left, _ in self.numbers)
        array = np.zeros((2, most + 1, 2), np.int64)
        for (extra, left, boiled), number in self.numbers.items():
            array[int(extra), left, int(boiled)] = number
        return array


class Turn:
    """Working space for turns, and what it holds at present. ``load`` the end, ``fill`` the layers, look up values."""

    def __init__(self, rules: Ruleset, layers: int) -> None:
        self.rules = rules
        self.work: NDArray[np.float64] = np.zeros(layers * rules.layer_size)
        self.layers = Layers(-1, False)

    @staticmethod
    def layers_needed(rules: Ruleset, *, complete: bool = False) -> int:
        """The layers that the longest turn of the edition needs."""
        points = max(division.actions for card in rules.edition.cards for division in card.divisions)
        return Layers(points, True, complete).count

    def load(self, day: int, deck: int, later: NDArray[np.float64], blocks: IntTable | None = None) -> None:
        """The end of a turn after which these cards are left.

        later: the values of the next draws; after a day's last card those of the next morning, or the victory.
        blocks: only these, all that can occur if None.
        """
        rules = self.rules
        night = deck == 0
        starts = rules.starts(day, 0) if night and day == DAYS else rules.starts(day + night, deck or rules.full_deck)
        kernel.close(
            self.work,
            rules.day_end if night else rules.turn_end,
            rules.blocks(day, deck) if blocks is None else blocks,
            rules.effects,
            rules.sound_rows,
            starts.slots,
            rules.layouts[night].offsets,
            later,
        )

    def fill(self, moves: MoveTable, points: int, blocks: IntTable, *, complete: bool = False) -> None:
        """The layers of a turn with so many points, after ``load``."""
        rules = self.rules
        self.layers = Layers(points, moves.water, complete)
        numbers = self.layers.numbers
        filled = {END}
        for (extra, left, boiled), number in numbers.items():
            if number in filled:
                continue
            filled.add(number)
            down = numbers[extra, left - 1, False] if left else -1
            down_boiled = numbers[extra, left - 1, True] if left else -1
            bought = -1 if extra else numbers[True, left + 1, boiled]
            kernel.layer(
                self.work, rules.space.size, number, down, down_boiled, bought, boiled,
                moves.moves, moves.first, blocks, rules.space.near, rules.effects,
                rules.condition_rows, rules.condition_counts,
            )  # fmt: skip

    def top(self, points: int) -> int:
        """The layer in which a turn with so many points begins its actions."""
        return self.layers.numbers[False, points, False]

    def has(self, extra: bool, left: int, boiled: bool) -> bool:
        """Whether the layers that were filled last hold positions of this kind."""
        return self.layers.covers(extra, left, boiled)

    def number(self, extra: bool, left: int, boiled: bool, block: int) -> int:
        """The layer that holds the block's values."""
        return self.layers.numbers[extra, left, boiled and bool(self.rules.space.near[block])]

    def at(self, number: int, block: int, row: int, cell: int) -> float:
        """A value."""
        return float(self.work[((number * self.rules.space.size + block) * ROWS + row) * CELLS + cell])
