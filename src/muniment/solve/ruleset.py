"""Everything about one edition and its options that the kernel reads, and where the values of draws are kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from muniment.games.siege.edition import Collapse, Division, Drm, SiegeEdition
from muniment.games.siege.options import SiegeOptions
from muniment.games.siege.terms import DAYS
from muniment.solve import kernel
from muniment.solve.space import (
    CELLS,
    ROWS,
    START_CELLS,
    TREBUCHETS,
    Effects,
    IntTable,
    Space,
    condition_holds,
    decode_row,
    rows_first,
)
from muniment.solve.tables import CardTable, MoveTable, card_table, day_end_moves, move_table, turn_end_moves

__all__ = ["Layout", "Ruleset", "Starts", "ruleset"]

ProfileKey = tuple[object, ...]


@dataclass(frozen=True)
class Layout:
    """Where the rows of one block of draws begin, and how many cells each has; -1 and 0 for rows without a value."""

    offsets: IntTable
    cells: IntTable
    length: int

    @classmethod
    def of(cls, day_begins: bool) -> Layout:
        """The layout of draws at a day's first turn, or of later ones.

        In the morning soldiers are in the castle, and morale or supplies may be on 0 (S27). Later only morale may,
        of soldiers who were captured just now (5.1), and they are in the castle too.
        """
        offsets = np.full(ROWS, -1, np.int64)
        cells = np.zeros(ROWS, np.int64)
        length = 0
        for zeros in (False, True):
            for row in range(1, ROWS):
                wall, morale, supplies = decode_row(row)
                two = (morale == 0) + (supplies == 0) > 1
                if wall == 0 or two or (morale == 0 or supplies == 0) != zeros or (supplies == 0 and not day_begins):
                    continue
                offsets[row] = length
                cells[row] = TREBUCHETS if day_begins or zeros else START_CELLS
                length += int(cells[row])
        return cls(offsets, cells, length)


@dataclass(frozen=True)
class Starts:
    """The blocks in which a turn can begin (at most one unit in close combat), and the place of each, or -1."""

    blocks: IntTable
    slots: IntTable


class Ruleset:
    """The tables of one edition with its options."""

    def __init__(self, edition: SiegeEdition, options: SiegeOptions) -> None:
        self.edition, self.options = edition, options
        self.cards = len(edition.cards)
        self.full_deck = (1 << self.cards) - 1
        self.space = Space.of(edition)
        self.layouts = (Layout.of(False), Layout.of(True))
        self._effects = Effects()
        self.turn_end = turn_end_moves(self._effects)
        self.day_end = day_end_moves(self._effects)
        self._moves: dict[ProfileKey, MoveTable] = {}
        self._profiles: dict[tuple[int, int], ProfileKey] = {}
        self._cards: dict[tuple[int, int], CardTable] = {}
        for day in range(1, DAYS + 1):
            for card in range(self.cards):
                division = edition.division(card, day)
                key = self._profiles[day, card] = _profile(division)
                if key not in self._moves:
                    self._moves[key] = move_table(edition, options, division, self.space, self._effects)
                self._cards[day, card] = card_table(division, self.space, self._effects)
        self.effects = self._effects.table()
        self.condition_holds = condition_holds()
        self.condition_counts = self.condition_holds.sum(axis=1)
        self.condition_rows = rows_first(self.condition_holds)
        self._starts: dict[frozenset[int], Starts] = {}
        self._blocks: dict[frozenset[int], IntTable] = {}

    @cached_property
    def sound_rows(self) -> IntTable:
        """The rows with no status on 0: in all others the turn's end loses the game (10.0)."""
        return np.array([row for row in range(ROWS) if 0 not in decode_row(row)], np.int64)

    @cached_property
    def digest(self) -> str:
        """The digest of all that a table depends on: these tables, and the kernel that follows them."""
        found = hashlib.sha256(kernel.solving_source().encode())
        for array in (self.turn_end, self.day_end, self.effects, self.condition_rows):
            found.update(array.tobytes())
        for day, card in self._profiles:
            moves, drawn = self.moves(day, card), self.card(day, card)
            for array in (moves.moves, moves.first, drawn.block, drawn.entry, drawn.event):
                found.update(array.tobytes())
            found.update(repr(drawn.points).encode())
        return found.hexdigest()

    @property
    def layer_size(self) -> int:
        """The numbers in one layer of a turn."""
        return self.space.size * ROWS * CELLS

    def card(self, day: int, card: int) -> CardTable:
        """What drawing the card does on the day."""
        return self._cards[day, card]

    def moves(self, day: int, card: int) -> MoveTable:
        """What can be done in the card's turn."""
        return self._moves[self._profiles[day, card]]

    def profiles(self, day: int, deck: int) -> list[tuple[MoveTable, list[int]]]:
        """The cards not in the deck, put together where the same actions have the same dice."""
        groups: dict[ProfileKey, list[int]] = {}
        for card in range(self.cards):
            if not deck >> card & 1:
                groups.setdefault(self._profiles[day, card], []).append(card)
        return [(self._moves[key], cards) for key, cards in groups.items()]

    def decks(self, size: int) -> Iterator[int]:
        """All sets of so many cards."""
        for chosen in combinations(range(self.cards), size):
            yield sum(1 << card for card in chosen)

    def _removed(self, day: int, deck: int) -> frozenset[int]:
        """The units that can have left the game when these cards are left (S7)."""
        drawn = [
            self.edition.division(card, earlier)
            for earlier in range(1, day + 1)
            for card in range(self.cards)
            if earlier < day or not deck >> card & 1
        ]
        return frozenset(event.unit for division in drawn for event in division.events if isinstance(event, Collapse))

    def blocks(self, day: int, deck: int) -> IntTable:
        """The blocks that can occur in a turn after which these cards are left."""
        removed = self._removed(day, deck)
        if removed not in self._blocks:
            self._blocks[removed] = self.space.without(removed)
        return self._blocks[removed]

    def starts(self, day: int, deck: int) -> Starts:
        """The blocks that can occur before a draw from this deck."""
        removed = self._removed(day, deck)
        if removed not in self._starts:
            blocks = self.space.without(removed)
            blocks = blocks[np.array(self.space.held)[blocks] <= 1]
            slots = np.full(self.space.size, -1, np.int64)
            slots[blocks] = np.arange(blocks.size)
            self._starts[removed] = Starts(blocks, slots)
        return self._starts[removed]

    def layout(self, deck: int) -> Layout:
        """The layout of draws from the deck."""
        return self.layouts[deck == self.full_deck]

    def shape(self, day: int, deck: int) -> tuple[int, int]:
        """The shape of the array of draws from the deck."""
        return self.starts(day, deck).blocks.size, self.layout(deck).length

    def victory(self) -> NDArray[np.float64]:
        """In the place of a fourth morning: 1 where no status is on 0, else 0 (S27)."""
        layout = self.layouts[True]
        values = np.zeros((self.starts(DAYS, 0).blocks.size, layout.length))
        for row in self.sound_rows:
            values[:, layout.offsets[row] : layout.offsets[row] + layout.cells[row]] = 1.0
        return values


@lru_cache(maxsize=8)
def ruleset(edition: SiegeEdition, options: SiegeOptions) -> Ruleset:
    """The tables of the edition with these options, made once."""
    return Ruleset(edition, options)


def _profile(division: Division) -> ProfileKey:
    """What of a division matters to its actions: modifiers and limits."""
    drms = sorted((event.target, event.change) for event in division.events if isinstance(event, Drm))
    only = division.only
    return tuple(drms), None if only is None else frozenset(only)
