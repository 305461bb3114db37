"""Where a position of 9 Card Siege stands in the solver's arrays: blocks, rows and cells.

Within a turn a position falls into three parts that actions change independently of each other:

* a *block*: where the three units stand. Mixed radix, ladders first; a space is 0 (close combat) to 4 (start), 5 if the
  unit has left the game, a digit that only units have which a card of the edition can remove.
* a *row*: the three status tracks, ``25 * wall + 5 * morale + supplies``. ``LOST`` stands for every row with two
  tracks on 0, which ends the game (10.0); the row of three zeros is a way to write it.
* a *cell*: place of the soldiers and trebuchets, ``4 * place + trebuchets``. The places (``CASTLE_PLACE`` and so on)
  tell free movement left in the tunnel from free movement gone, and nowhere else, for only there it matters (S18).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.games.siege.edition import Collapse, SiegeEdition
from muniment.games.siege.state import FREE_MOVE_LEFT, SiegeState
from muniment.games.siege.terms import (
    CASTLE,
    CIRCLE,
    CLOSE_COMBAT,
    ENEMY_LINES,
    MAX_CLOSE_COMBAT,
    MAX_RAIDED,
    MAX_STATUS,
    MAX_TREBUCHETS,
    NEAR_TUNNEL,
    START,
)

__all__ = [
    "ALWAYS", "CASTLE_PLACE", "CELLS", "CONDITIONS", "Change", "Effects", "FAR_FREE", "FAR_GONE", "GONE", "IntTable",
    "LINES_PLACE", "LOADS", "LOST", "MORALE_CAN_RISE", "MORALE_LEFT", "NEAR_FREE", "NEAR_GONE", "OFF_BOARD",
    "RALLY_WITH_SUPPLY", "ROWS", "START_CELLS", "SUPPLIES_LEFT", "Space", "TREBUCHETS", "TUNNEL_PLACES",
    "WALL_CAN_RISE", "cell_of", "condition_holds", "decode_row", "row_of",
    "rows_first",
]  # fmt: skip

IntTable = NDArray[np.int64]

TREBUCHETS: Final = MAX_TREBUCHETS + 1
LOADS: Final = range(MAX_RAIDED + 1)
# Places; where soldiers may carry supplies, one for each load of 0 to 2. A turn begins on the first ten.
CASTLE_PLACE: Final = 0
NEAR_FREE: Final = 1
FAR_FREE: Final = 4
LINES_PLACE: Final = 7
NEAR_GONE: Final = 10
FAR_GONE: Final = 13
PLACES: Final = 16
CELLS: Final = PLACES * TREBUCHETS
START_CELLS: Final = NEAR_GONE * TREBUCHETS
TUNNEL_PLACES: Final = (NEAR_FREE, FAR_FREE, NEAR_GONE, FAR_GONE)

STATUSES: Final = MAX_STATUS + 1
ROWS: Final = STATUSES**3
LOST: Final = 0

GONE: Final = START + 1
OFF_BOARD: Final = -1  # of a block: the enemy has overrun the fortress

Change = tuple[int, int]


def _two_zeros(row: tuple[int, int, int]) -> bool:
    return row.count(0) >= 2


def decode_row(row: int) -> tuple[int, int, int]:
    """Wall, morale and supplies of a row."""
    return row // 25, row // 5 % 5, row % 5


def _encode(row: tuple[int, int, int]) -> int:
    return LOST if _two_zeros(row) else 25 * row[0] + 5 * row[1] + row[2]


# Conditions on rows, by code (S15, S16, S24).
ALWAYS, WALL_CAN_RISE, MORALE_CAN_RISE, RALLY_WITH_SUPPLY, MORALE_LEFT, SUPPLIES_LEFT = range(6)
CONDITIONS: Final[tuple[Callable[[int, int, int], bool], ...]] = (
    lambda wall, morale, supplies: True,  # noqa: ARG005
    lambda wall, morale, supplies: wall < MAX_STATUS,  # noqa: ARG005
    lambda wall, morale, supplies: morale < MAX_STATUS,  # noqa: ARG005
    lambda wall, morale, supplies: morale < MAX_STATUS and supplies > 0,  # noqa: ARG005
    lambda wall, morale, supplies: morale > 0,  # noqa: ARG005
    lambda wall, morale, supplies: supplies > 0,  # noqa: ARG005
)


def condition_holds() -> NDArray[np.bool_]:
    """For each condition and row whether it holds; never where the game is lost."""
    return np.array(
        [[not _two_zeros(decode_row(r)) and holds(*decode_row(r)) for r in range(ROWS)] for holds in CONDITIONS]
    )


def rows_first(holds: NDArray[np.bool_]) -> IntTable:
    """For each condition the rows in which it holds, in front; then those in which it does not."""
    return np.argsort(~holds, axis=1, kind="stable").astype(np.int64)


class Effects:
    """Effects on rows, numbered as they come up: sequences of single changes of a track (2.3.1, 10.0, S26)."""

    def __init__(self) -> None:
        self._codes: dict[tuple[Change, ...], int] = {(): 0}

    def code(self, *changes: Change) -> int:
        """The number of the effect."""
        return self._codes.setdefault(changes, len(self._codes))

    def table(self) -> IntTable:
        """For each effect the new row of every row: what is on 0 stays there, a second 0 is ``LOST``."""
        return np.array([[self._follow(row, changes) for row in range(ROWS)] for changes in self._codes], np.int64)

    @staticmethod
    def _follow(start: int, changes: tuple[Change, ...]) -> int:
        row = list(decode_row(start))
        for track, change in changes:
            for _ in range(abs(change)):
                if row.count(0) >= 2:
                    return LOST
                row[track] = min(max(row[track] + (1 if change > 0 else -1), 0), MAX_STATUS)
        return _encode((row[0], row[1], row[2]))


@dataclass(frozen=True)
class Space:
    """The blocks of an edition. removable: the units that a card of it can remove (S7)."""

    removable: tuple[bool, bool, bool]

    @classmethod
    def of(cls, edition: SiegeEdition) -> Space:
        """The edition's blocks."""
        events = [e for card in edition.cards for division in card.divisions for e in division.events]
        removed = {event.unit for event in events if isinstance(event, Collapse)}
        return cls((0 in removed, 1 in removed, 2 in removed))

    @cached_property
    def radix(self) -> tuple[int, int, int]:
        """How many spaces each unit has."""
        first, second, third = (GONE + 1 if removable else GONE for removable in self.removable)
        return first, second, third

    @cached_property
    def size(self) -> int:
        """How many blocks there are."""
        return self.radix[0] * self.radix[1] * self.radix[2]

    def encode(self, spaces: Iterable[int]) -> int:
        """The block in which the units stand on these spaces; -1 or 5 for a unit that has left the game."""
        block = 0
        for space, radix in zip(spaces, self.radix, strict=True):
            block = block * radix + (GONE if space < 0 else space)
        return block

    @cached_property
    def spaces(self) -> tuple[tuple[int, int, int], ...]:
        """The units' spaces of every block."""
        _, second, third = self.radix
        return tuple((b // (second * third), b // third % second, b % third) for b in range(self.size))

    @cached_property
    def held(self) -> tuple[int, ...]:
        """How many units are in close combat, for every block."""
        return tuple(spaces.count(CLOSE_COMBAT) for spaces in self.spaces)

    @cached_property
    def near(self) -> NDArray[np.bool_]:
        """Whether boiling water can matter in a block: some unit is on the circle, or can be driven back to it."""
        return np.array([any(space <= CIRCLE for space in spaces) for spaces in self.spaces])

    def without(self, removed: Iterable[int]) -> IntTable:
        """The blocks in which no unit has left the game but (perhaps) these, and at most two are in close combat."""
        allowed = set(removed)
        return np.array(
            [
                block
                for block, spaces in enumerate(self.spaces)
                if all(space != GONE or unit in allowed for unit, space in enumerate(spaces))
                and self.held[block] <= MAX_CLOSE_COMBAT
            ],
            np.int64,
        )


def row_of(status: Iterable[int]) -> int:
    """The row of these status tracks."""
    wall, morale, supplies = status
    return _encode((wall, morale, supplies))


def cell_of(state: SiegeState) -> int:
    """The cell of a state."""
    free = state.free_move == FREE_MOVE_LEFT
    if state.soldiers == CASTLE:
        place = CASTLE_PLACE
    elif state.soldiers == ENEMY_LINES:
        place = LINES_PLACE + state.raided
    elif state.soldiers == NEAR_TUNNEL:
        place = (NEAR_FREE if free else NEAR_GONE) + state.raided
    else:
        place = (FAR_FREE if free else FAR_GONE) + state.raided
    return place * TREBUCHETS + state.trebuchets
