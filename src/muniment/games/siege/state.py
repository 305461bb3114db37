"""The state of 9 Card Siege: what is on the table, and nothing else."""

from __future__ import annotations

from typing import Final

from muniment.games.siege.terms import CASTLE, CLOSE_COMBAT, START, UNITS

__all__ = [
    "ACTIONS_STEP", "DRAW", "FREE_MOVE_ENTERED", "FREE_MOVE_LEFT", "FREE_MOVE_USED", "LINE_CHECK", "OVER",
    "ROLL", "SiegeState", "TREBUCHETS", "starting_state",
]  # fmt: skip

# The steps of a turn at which the game waits for something (4.0); what lies between them happens by itself.
LINE_CHECK: Final = 0  # chance: the enemy line check's die (5.1)
DRAW: Final = 1  # chance: the top event card (6.0)
TREBUCHETS: Final = 2  # chance: the die for a single trebuchet (7.2)
ACTIONS_STEP: Final = 3  # decision: player actions (9.0)
ROLL: Final = 4  # chance: the die of the chosen action
OVER: Final = 5

# Free movement this turn (S18).
FREE_MOVE_LEFT: Final = 0
FREE_MOVE_USED: Final = 1
FREE_MOVE_ENTERED: Final = 2  # soldiers entered the tunnel this turn


class SiegeState:
    """A position. Whole numbers throughout, see ``terms``; rules change it in place, ``copy`` is cheap.

    units: space of each unit, 4 (start) to 0 (close combat), -1 removed. status: wall, morale, supplies, each 0 to 4.
    soldiers: place in the tunnel, 0 (castle) to 3 (enemy lines). raided: supplies they carry. day: 1 to 3.
    deck: the cards not yet played this day, bit i for the card at index i of the edition.
    card: index of the card in play, -1 before the draw. points: action points left.
    extra_used: whether the additional action was taken (9.2). free_move: one of the FREE_MOVE constants.
    boiled: whether boiling water was used this turn. rolling: index of the action whose die is awaited, or -1.
    result: "" while the game goes on, then a code of ``endings``.
    """

    __slots__ = (
        "boiled", "card", "day", "deck", "extra_used", "free_move", "points", "raided", "result", "rolling",
        "soldiers", "status", "step", "trebuchets", "units",
    )  # fmt: skip

    units: list[int]
    status: list[int]
    trebuchets: int
    soldiers: int
    raided: int
    day: int
    deck: int
    card: int
    step: int
    points: int
    extra_used: bool
    free_move: int
    boiled: bool
    rolling: int
    result: str

    def copy(self) -> SiegeState:
        """An independent copy."""
        new = SiegeState.__new__(SiegeState)
        new.units = self.units[:]
        new.status = self.status[:]
        new.trebuchets = self.trebuchets
        new.soldiers = self.soldiers
        new.raided = self.raided
        new.day = self.day
        new.deck = self.deck
        new.card = self.card
        new.step = self.step
        new.points = self.points
        new.extra_used = self.extra_used
        new.free_move = self.free_move
        new.boiled = self.boiled
        new.rolling = self.rolling
        new.result = self.result
        return new

    def key(self) -> tuple[int | str, ...]:
        """Everything as one hashable value."""
        return (
            *self.units, *self.status, self.trebuchets, self.soldiers, self.raided, self.day, self.deck, self.card,
            self.step, self.points, self.extra_used, self.free_move, self.boiled, self.rolling, self.result,
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SiegeState) and self.key() == other.key()

    __hash__ = None  # type: ignore[assignment]  # it changes in place; use key()

    def __repr__(self) -> str:
        return f"<SiegeState day {self.day} units {self.units} status {self.status} step {self.step} {self.result}>"

    def in_close_combat(self) -> int:
        """How many units are in close combat."""
        return self.units.count(CLOSE_COMBAT)

    def statuses_at_zero(self) -> int:
        """How many status tracks are on 0."""
        return self.status.count(0)

    def new_turn(self) -> None:
        """Forget what only concerned the turn that ended (S28)."""
        self.card = -1
        self.points = 0
        self.extra_used = False
        self.free_move = FREE_MOVE_LEFT
        self.boiled = False
        self.rolling = -1

    def end(self, result: str) -> None:
        """The game is over."""
        self.step = OVER
        self.result = result


def starting_state(start_status: tuple[int, int, int], trebuchets: int, cards: int) -> SiegeState:
    """The set-up (3.0): units on their starts, soldiers in the castle, all cards in the deck."""
    state = SiegeState()
    state.units = [START for _ in UNITS]
    state.status = list(start_status)
    state.trebuchets = trebuchets
    state.soldiers = CASTLE
    state.raided = 0
    state.day = 1
    state.deck = (1 << cards) - 1
    state.step = DRAW
    state.result = ""
    state.new_turn()
    return state
