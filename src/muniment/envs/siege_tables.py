"""The siege engine tabulated: what its rules do to every part of a position, found by asking them, for compiled games.

No rule is written here. The engine's own functions (legality, player actions, rolls, enemy, turn) are carried out on
sample positions, and what came of it is put down, so any edition and all options come out as in the engine. What makes
the tables small is that a position falls into parts, and which of them a rule looks at and changes:

* *block*: where the three units stand, as ``muniment.solve.space`` numbers it;
* *row*: the status tracks, ``25 * wall + 5 * morale + supplies``;
* *cell*: soldiers, raided supplies and trebuchets, ``4 * (3 * soldiers + raided) + trebuchets``;
* *flags*: ``12 * points + 6 * extra_used + 2 * free_move + boiled``;
* *turn*: the card in play on its day, ``cards * (day - 1) + card``.

That no rule depends on more than its table has room for is what the tests show: whole games beside the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, product
from math import prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from muniment.envs.siege_encoding import ACTION_COUNT, MAX_POINTS, RESULT_NUMBERS
from muniment.games.siege import Siege, SiegeEdition, SiegeOptions
from muniment.games.siege.actions import ACTIONS, END_TURN, SiegeAction
from muniment.games.siege.edition import MAX_CARDS, Collapse, Division
from muniment.games.siege.enemy import events_happen, trebuchet_roll, units_advance
from muniment.games.siege.legality import legal_actions, refusal
from muniment.games.siege.player_actions import carry_out, resolve_roll
from muniment.games.siege.rolls import Judgement, judge, modifiers
from muniment.games.siege.state import ACTIONS_STEP, LINE_CHECK, OVER, ROLL, TREBUCHETS, SiegeState
from muniment.games.siege.terms import (
    CASTLE,
    CIRCLE,
    CLOSE_COMBAT,
    DAYS,
    ENEMY_LINES,
    MAX_CLOSE_COMBAT,
    MAX_RAIDED,
    MAX_STATUS,
    MAX_TREBUCHETS,
    REMOVED,
    START,
    UNITS,
)
from muniment.games.siege.turn import begin_turn, end_turn, line_check
from muniment.solve.space import GONE, Space

__all__ = [
    "AT", "BLOCKS", "BYTES", "CELLS", "CLASSES", "FLAGS", "NERVES", "ROWS", "WORDS", "SiegeTables", "codes_of",
    "siege_tables",
]  # fmt: skip

BLOCKS: Final = (GONE + 1) ** len(UNITS)
ROWS: Final = (MAX_STATUS + 1) ** 3
LOADS: Final = MAX_RAIDED + 1
CELLS: Final = (ENEMY_LINES + 1) * LOADS * (MAX_TREBUCHETS + 1)
FLAGS: Final = (MAX_POINTS + 1) * 12
TURNS: Final = MAX_CARDS * DAYS
DECKS: Final = 1 << MAX_CARDS
NERVES: Final = 2 * (MAX_STATUS + 1)
_FACES: Final = range(1, 7)
CLASSES: Final = 4  # of what a die can do for an action: the most is a raid's nothing, one, two, captured
_CALM: Final = 2 * 31  # every track on 2: nothing is full, nothing near the end
_PLAIN: Final = Division("", MAX_POINTS - 1, (), False, ())
_END: Final = next(action for action in ACTIONS if action.kind == END_TURN)

Small = NDArray[np.uint8]
Words = NDArray[np.int32]
Found = Mapping[str, NDArray[np.generic]]


# The shapes of the tables, large enough for every edition. An index is a code of the parts above, or a die's face less
# 1; "->" says what is found there. A result is its place in ``RESULTS`` of ``siege_encoding``, 0 while a game goes on.
BYTES: Final = {
    # The codes taken apart: units; tracks; trebuchets, soldiers, raided; points, extra used, free movement, boiled.
    "units": (BLOCKS, 3),
    "tracks": (ROWS, 3),
    "places": (CELLS, 3),
    "marks": (FLAGS, 4),
    # What an action costs and, without a die, does.
    "flags": (ACTION_COUNT, FLAGS),  # -> flags
    "paid": (ACTION_COUNT, CELLS // 4, ROWS),  # the cell without its trebuchets -> row
    "moved": (ACTION_COUNT, CELLS),  # -> cell
    # What its die does, by class: what the rules judge a face to be.
    "rolls": (ACTION_COUNT,),  # -> whether there is a die
    "on_circle": (ACTION_COUNT, BLOCKS),  # -> whether the target is on the circle
    "judged": (TURNS, ACTION_COUNT, 2, 6),  # whether on the circle, face -> class
    "driven": (ACTION_COUNT, CLASSES, BLOCKS),  # -> block
    "mended": (ACTION_COUNT, CLASSES, ROWS),  # -> row
    "carried": (ACTION_COUNT, CLASSES, CELLS),  # -> cell
    "over": (ROWS,),  # -> result
    # The end of a turn, the enemy line check, the draw.
    "held": (BLOCKS,),  # -> result
    "checked": (CELLS,),  # -> whether there is a line check
    "caught_row": (6, ROWS),  # -> row
    "caught_cell": (6, CELLS),  # -> cell
    "sizes": (DECKS,),  # -> number of cards
    "drawn": (DECKS, MAX_CARDS),  # a number below that -> card
    # The card's event, the single trebuchet's die, movement.
    "limit": (TURNS,),  # -> which limit the card sets to actions
    "standing": (BLOCKS,),  # -> which units stand on their start, as bits
    "without": (8, BLOCKS),  # units removed, as bits -> block
    "shaken": (6, ROWS),  # -> row
    "orders": (TURNS,),  # -> which units are ordered
    "nerve": (ROWS,),  # -> what movement sees of a row
    "begin": (TURNS,),  # -> flags with which the actions begin
}
WORDS: Final = {
    "set_up": (4,),  # block, row, cell; the number of cards
    # Legal actions, as bits: those that a part does not forbid.
    "by_block": (TURNS, 2, BLOCKS),  # limit, whether points are left
    "by_row": (ROWS,),
    "by_cell": (TURNS, CELLS, 3),  # limit, cell, free movement
    "by_flags": (FLAGS,),
    # With cards left 0, in the evening 1, in the last evening 2 -> row, cell << 7, result << 13
    "evening": (3, CELLS, ROWS),
    # turn, units on their start, trebuchets, row -> row, trebuchets << 7, units removed << 9, die awaited << 12
    "event": (TURNS, 8, MAX_TREBUCHETS + 1, ROWS),
    # orders, block, nerve -> block, fall of morale << 8, result << 10
    "advance": (TURNS, BLOCKS, NERVES),
}


def _places(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    ends = accumulate((prod(shape) for shape in shapes.values()), initial=0)
    return dict(zip(shapes, ends, strict=False))


# Where each table begins in the one row of bytes or words.
AT: Final[Mapping[str, int]] = {**_places(BYTES), **_places(WORDS)}


class SiegeTables(NamedTuple):
    """The tables of one edition with its options, in the order of ``BYTES`` and ``WORDS``, each kind in one row."""

    bytes: Small
    words: Words


def _row(state: SiegeState) -> int:
    wall, morale, supplies = state.status
    return 25 * wall + 5 * morale + supplies


def _cell(state: SiegeState) -> int:
    return 4 * (LOADS * state.soldiers + state.raided) + state.trebuchets


def _flags(state: SiegeState) -> int:
    return 12 * state.points + 6 * state.extra_used + 2 * state.free_move + state.boiled


def codes_of(state: SiegeState, space: Space) -> tuple[int, int, int, int]:
    """Block, row, cell and flags of a position."""
    return space.encode(state.units), _row(state), _cell(state), _flags(state)


def _state(units: Sequence[int] = (3, 3, 3), row: int = _CALM, cell: int = 1, flags: int = 12) -> SiegeState:
    """A sample position: the first day's first card, one action point and one trebuchet, but for what is given."""
    state = SiegeState()
    state.units = list(units)
    state.status = [row // 25, row // 5 % 5, row % 5]
    state.soldiers, state.raided, state.trebuchets = cell // 12, cell // 4 % LOADS, cell % 4
    state.points, state.extra_used = flags // 12, flags // 6 % 2 == 1
    state.free_move, state.boiled = flags // 2 % 3, flags % 2 == 1
    state.day, state.deck, state.card = 1, 0, 0
    state.step, state.rolling, state.result = ACTIONS_STEP, -1, ""
    return state


_CELLS_THAT_OCCUR: Final = [
    cell for cell in range(CELLS) if cell // 12 != CASTLE or cell // 4 % LOADS == 0
]  # soldiers in the castle carry nothing
_ROWS_IN_PLAY: Final = [row for row in range(ROWS) if _state(row=row).statuses_at_zero() < 2]
# Between them they allow every action of 9.1 and 9.2.
_SAMPLE_UNITS: Final = ((3, 3, 3), (CIRCLE,) * 3, (CLOSE_COMBAT, 3, 3), (3, CLOSE_COMBAT, 3), (3, 3, CLOSE_COMBAT))
_SAMPLE_CELLS: Final = tuple(4 * LOADS * soldiers + 1 for soldiers in range(CASTLE, ENEMY_LINES + 1))
_SAMPLES: Final = tuple(product(_SAMPLE_UNITS, _SAMPLE_CELLS))


class _Tabulator:
    """Asks the rules of one edition and its options."""

    def __init__(self, edition: SiegeEdition, options: SiegeOptions) -> None:
        self.edition, self.options = edition, options
        self.space = Space.of(edition)
        self.spaces = [tuple(REMOVED if space == GONE else space for space in spaces) for spaces in self.space.spaces]
        self.in_play = [b for b, spaces in enumerate(self.spaces) if spaces.count(CLOSE_COMBAT) <= MAX_CLOSE_COMBAT]
        self.divisions = [card.divisions[day] for day in range(DAYS) for card in edition.cards]
        self.over = np.zeros(ROWS, np.uint8)

    def row_after(self, state: SiegeState) -> int:
        """The row of what came of a sample; if it ended the game, its row says so from now on."""
        row = _row(state)
        if state.step == OVER:
            result = RESULT_NUMBERS[state.result]
            assert self.over[row] in (0, result), "what a fallen track means depends on nothing else"
            self.over[row] = result
        return row

    # -- legal actions

    def _bits(self, division: Division, samples: Iterator[SiegeState]) -> int:
        found = 0
        for state in samples:
            for action in legal_actions(state, division, self.options):
                found |= 1 << action.index
        return found

    def legality(self) -> Found:
        """For each part of a position the actions it does not forbid, the other parts being at their best."""
        limits = list(dict.fromkeys(division.only for division in self.divisions))
        by_block = np.zeros((len(limits), 2, self.space.size), np.int32)
        by_cell = np.zeros((len(limits), CELLS, 3), np.int32)
        for number, only in enumerate(limits):
            division = next(d for d in self.divisions if d.only == only)
            for points, block in product(range(2), self.in_play):
                by_block[number, points, block] = self._bits(
                    division, (_state(self.spaces[block], cell=cell, flags=12 * points) for cell in _SAMPLE_CELLS)
                )
            for cell, free in product(_CELLS_THAT_OCCUR, range(3)):
                by_cell[number, cell, free] = self._bits(
                    division, (_state(units, cell=cell, flags=12 + 2 * free) for units in _SAMPLE_UNITS)
                )
        by_row = np.zeros(ROWS, np.int32)
        for row in _ROWS_IN_PLAY:
            by_row[row] = self._bits(_PLAIN, (_state(units, row, cell) for units, cell in _SAMPLES))
        by_flags = np.zeros(FLAGS, np.int32)
        for flags in range(FLAGS):
            free_again = flags - 2 * (flags // 2 % 3)  # what free movement forbids depends on the cell
            by_flags[flags] = self._bits(
                _PLAIN, (_state(units, cell=cell, flags=free_again) for units, cell in _SAMPLES)
            )
        limit = np.array([limits.index(division.only) for division in self.divisions], np.uint8)
        return {"limit": limit, "by_block": by_block, "by_row": by_row, "by_cell": by_cell, "by_flags": by_flags}

    def allows(self, action: SiegeAction, state: SiegeState) -> bool:
        """Whether the action is legal in a turn whose card sets no limits."""
        return refusal(state, action, _PLAIN, self.options) is None

    def sample(self, action: SiegeAction) -> tuple[tuple[int, ...], int] | None:
        """Units and cell of a sample in which the action is legal, None if the options rule it out."""
        return next((s for s in _SAMPLES if self.allows(action, _state(s[0], cell=s[1]))), None)

    # -- actions

    def payments(self) -> Found:
        """What taking an action does before any die."""
        flags_after = _unchanged(FLAGS, ACTION_COUNT)
        paid = _unchanged(ROWS, ACTION_COUNT, CELLS // 4)
        moved = _unchanged(CELLS, ACTION_COUNT)
        for action in ACTIONS:
            found = self.sample(action)
            if action is _END or found is None:
                continue
            units, home = found
            for flags in range(FLAGS):
                then = _carried_out(action, _state(units, cell=home, flags=flags))
                if 0 <= then.points <= MAX_POINTS:
                    flags_after[action.index, flags] = _flags(then)
            for cell in _CELLS_THAT_OCCUR:
                if self.allows(action, _state(units, cell=cell)):
                    moved[action.index, cell] = _cell(_carried_out(action, _state(units, cell=cell)))
                    for row in _ROWS_IN_PLAY if cell % 4 == 1 else ():
                        then = _carried_out(action, _state(units, row, cell))
                        paid[action.index, cell // 4, row] = self.row_after(then)
        return {"flags": flags_after, "paid": paid, "moved": moved}

    def rolls(self) -> Found:
        """What the die of an action does: by class, which is what the rules judge a face to be."""
        on_circle = np.zeros((ACTION_COUNT, self.space.size), np.uint8)
        judged = np.zeros((len(self.divisions), ACTION_COUNT, 2, 6), np.uint8)
        driven = _unchanged(self.space.size, ACTION_COUNT, CLASSES)
        mended = _unchanged(ROWS, ACTION_COUNT, CLASSES)
        carried = _unchanged(CELLS, ACTION_COUNT, CLASSES)
        for action in ACTIONS:
            found = self.sample(action)
            if not action.rolls or found is None:
                continue
            a = action.index
            if action.unit in UNITS:
                on_circle[a] = [spaces[action.unit] == CIRCLE for spaces in self.spaces]
            classes: dict[tuple[object, ...], tuple[int, Judgement]] = {}
            for turn, circle, face in product(range(len(self.divisions)), range(2), _FACES):
                drms = modifiers(action, self.divisions[turn], circle == 1)
                judgement = judge(action, face, drms, self.edition, self.options)
                kind, _ = classes.setdefault(judgement[1:], (len(classes), judgement))
                judged[turn, a, circle, face - 1] = kind
            units, home = found
            for kind, judgement in classes.values():
                for block in self.in_play:
                    if self.allows(action, _state(self.spaces[block], cell=home)):
                        then = _judged(action, judgement, _state(self.spaces[block], cell=home))
                        driven[a, kind, block] = self.space.encode(then.units)
                for cell in _CELLS_THAT_OCCUR:
                    if self.allows(action, _state(units, cell=cell)):
                        carried[a, kind, cell] = _cell(_judged(action, judgement, _state(units, cell=cell)))
                for row in _ROWS_IN_PLAY:
                    mended[a, kind, row] = self.row_after(_judged(action, judgement, _state(units, row, home)))
        return {"on_circle": on_circle, "judged": judged, "driven": driven, "mended": mended, "carried": carried}

    # -- from the end of a turn to the next one's actions

    def evenings(self) -> Found:
        """The end of a turn (10.0, 11.0), before the next turn's dice."""
        held = np.zeros(self.space.size, np.uint8)
        for block in self.in_play:
            state = _state(self.spaces[block])
            state.deck = 1
            end_turn(state, 1, None)
            held[block] = RESULT_NUMBERS[state.result]
        evening = np.zeros((3, CELLS, ROWS), np.int32)
        for which, cell, row in product(range(3), _CELLS_THAT_OCCUR, _ROWS_IN_PLAY):
            state = _state(row=row, cell=cell)
            state.deck = int(which == 0)
            state.day = DAYS if which == 2 else 1
            end_turn(state, 1, None)
            evening[which, cell, row] = _row(state) | _cell(state) << 7 | RESULT_NUMBERS[state.result] << 13
        return {"held": held, "evening": evening}

    def line_checks(self) -> Found:
        """The enemy line check (5.0)."""
        checked = np.zeros(CELLS, np.uint8)
        caught_row, caught_cell = _unchanged(ROWS, 6), _unchanged(CELLS, 6)
        for cell in _CELLS_THAT_OCCUR:
            state = _state(cell=cell)
            begin_turn(state)
            checked[cell] = state.step == LINE_CHECK
        for face in _FACES:
            for cell in np.flatnonzero(checked).tolist():
                state = _state(cell=cell)
                line_check(state, face, None)
                caught_cell[face - 1, cell] = _cell(state)
                for row in _ROWS_IN_PLAY if cell % 4 == 1 else ():
                    state = _state(row=row, cell=cell)
                    line_check(state, face, None)
                    caught_row[face - 1, row] = self.row_after(state)
        return {"checked": checked, "caught_row": caught_row, "caught_cell": caught_cell}

    def events(self) -> Found:
        """What the drawn card's events do (7.0), and the die of a single trebuchet (7.2)."""
        standing = np.array(
            [sum(1 << unit for unit in UNITS if spaces[unit] == START) for spaces in self.spaces], np.uint8
        )
        event = np.zeros((len(self.divisions), 8, MAX_TREBUCHETS + 1, ROWS), np.int32)
        for turn, division in enumerate(self.divisions):
            collapses = any(isinstance(e, Collapse) for e in division.events)
            for there in range(8) if collapses else (0,):
                units = [START if there >> unit & 1 else 3 for unit in UNITS]
                for trebuchets, row in product(range(MAX_TREBUCHETS + 1), _ROWS_IN_PLAY):
                    state = _state(units, row, trebuchets)
                    events_happen(state, division, None)
                    gone = sum(1 << unit for unit in UNITS if state.units[unit] == REMOVED)
                    die = state.step == TREBUCHETS
                    found = self.row_after(state) | state.trebuchets << 7 | gone << 9 | die << 12
                    event[turn, there if collapses else slice(None), trebuchets, row] = found
        without = _unchanged(self.space.size, 8)
        for gone, block in product(range(1, 8), range(self.space.size)):
            left = [REMOVED if gone >> unit & 1 else space for unit, space in enumerate(self.spaces[block])]
            if all(self.space.removable[unit] for unit in UNITS if gone >> unit & 1):
                without[gone, block] = self.space.encode(left)
        shaken = _unchanged(ROWS, 6)
        for face, row in product(_FACES, _ROWS_IN_PLAY):
            state = _state(row=row)
            trebuchet_roll(state, face, None)
            shaken[face - 1, row] = self.row_after(state)
        return {"standing": standing, "event": event, "without": without, "shaken": shaken}

    def movements(self) -> Found:
        """The enemy's movement (8.0). Of a row it sees morale, and whether another track is on 0."""
        kinds = list(dict.fromkeys((division.orders, division.slowest) for division in self.divisions))
        orders = np.array([kinds.index((d.orders, d.slowest)) for d in self.divisions], np.uint8)
        nerve = np.zeros(ROWS, np.uint8)
        samples: dict[int, int] = {}
        for row in _ROWS_IN_PLAY:
            nerve[row] = 2 * (row // 5 % 5) + (row // 25 == 0 or row % 5 == 0)
            samples[int(nerve[row])] = row
        advance = np.zeros((len(kinds), self.space.size, NERVES), np.int32)
        for kind, block in product(range(len(kinds)), self.in_play):
            division = next(d for d in self.divisions if (d.orders, d.slowest) == kinds[kind])
            for seen, row in samples.items():
                state = _state(self.spaces[block], row)
                units_advance(state, division, None)
                fallen = (row - _row(state)) // 5
                to = self.space.encode(state.units) | fallen << 8 | RESULT_NUMBERS[state.result] << 10
                advance[kind, block, seen] = to
        return {"orders": orders, "nerve": nerve, "advance": advance}

    def tables(self) -> SiegeTables:
        """All of them."""
        block, row, cell, _ = codes_of(Siege(self.edition, self.options).initial(), self.space)
        found: dict[str, NDArray[np.generic]] = {
            "set_up": np.array([block, row, cell, len(self.edition.cards)]),
            "units": np.array(self.spaces, np.int8).view(np.uint8),
            "tracks": _parts(ROWS, lambda code: _state(row=code).status),
            "places": _parts(CELLS, lambda code: _places_of(_state(cell=code))),
            "marks": _parts(FLAGS, lambda code: _marks_of(_state(flags=code))),
            "rolls": np.array([action.rolls for action in ACTIONS]),
            "sizes": np.array([deck.bit_count() for deck in range(DECKS)]),
            "drawn": _parts(DECKS, _cards_of),
            "begin": np.array([12 * division.actions for division in self.divisions]),
            **self.legality(), **self.payments(), **self.rolls(), **self.evenings(), **self.line_checks(),
            **self.events(), **self.movements(), "over": self.over,
        }  # fmt: skip
        return SiegeTables(_packed(found, BYTES).astype(np.uint8), _packed(found, WORDS))


def _packed(found: Mapping[str, NDArray[np.generic]], shapes: Mapping[str, tuple[int, ...]]) -> Words:
    """The tables of these shapes in one row; what an edition does not fill is 0."""
    row = []
    for name, shape in shapes.items():
        whole = np.zeros(shape, np.int32)
        whole[tuple(slice(size) for size in found[name].shape)] = found[name]
        row.append(whole.ravel())
    return np.concatenate(row)


def _parts(count: int, of: Callable[[int], Sequence[int]]) -> Small:
    """For each code its parts."""
    return np.array([of(code) for code in range(count)], np.uint8)


def _places_of(state: SiegeState) -> tuple[int, int, int]:
    return state.trebuchets, state.soldiers, state.raided


def _marks_of(state: SiegeState) -> tuple[int, int, int, int]:
    return state.points, state.extra_used, state.free_move, state.boiled


def _cards_of(deck: int) -> list[int]:
    cards = [card for card in range(MAX_CARDS) if deck >> card & 1]
    return cards + [0] * (MAX_CARDS - len(cards))


def _unchanged(size: int, *shape: int) -> Small:
    """A table in which everything stays as it is."""
    return np.tile(np.arange(size, dtype=np.uint8), (*shape, 1))


def _carried_out(action: SiegeAction, state: SiegeState) -> SiegeState:
    carry_out(state, action, None)
    return state


def _judged(action: SiegeAction, judgement: Judgement, state: SiegeState) -> SiegeState:
    state.rolling, state.step = action.index, ROLL
    resolve_roll(state, judgement, None)
    return state


@lru_cache(maxsize=8)
def siege_tables(edition: SiegeEdition, options: SiegeOptions) -> SiegeTables:
    """The tables of an edition with these options, made once."""
    return _Tabulator(edition, options).tables()
