"""The rules of 9 Card Siege as small tables of whole numbers, for the compiled kernel: their second and last statement.

What an action does is a *move*: a range of cells in which it is possible, a condition on rows, and for the faces of the
die a new block, an *effect* on rows and a shift of cells (see ``space``). The same form writes the end of a turn. What
a drawn card does is a ``CardTable``. Dice are judged as in the engine, so every edition and option comes out the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.games.siege.actions import (
    ACTIONS,
    ARCHERS,
    BOILING_WATER,
    CLOSE_COMBAT_ACTION,
    COUPURE,
    ENTER,
    EXTRA_MORALE,
    EXTRA_SUPPLIES,
    FAST_CASTLE,
    FAST_LINES,
    FREE_CASTLE,
    FREE_LINES,
    RALLY,
    RALLY_SUPPLY,
    SABOTAGE,
    SUPPLY_RAID,
    SiegeAction,
)
from muniment.games.siege.edition import Collapse, Division, SiegeEdition, StatusChange, TrebuchetChange
from muniment.games.siege.enemy import TREBUCHET_HITS_AT
from muniment.games.siege.options import SiegeOptions
from muniment.games.siege.rolls import Judgement, judge, modifiers
from muniment.games.siege.terms import (
    CIRCLE,
    CLOSE_COMBAT,
    MAX_CLOSE_COMBAT,
    MAX_RAIDED,
    MAX_TREBUCHETS,
    MORALE,
    START,
    SUPPLIES,
    UNITS,
    WALL,
)
from muniment.games.siege.turn import LINE_CHECK_CAPTURES
from muniment.solve.space import (
    ALWAYS,
    CASTLE_PLACE,
    CELLS,
    FAR_FREE,
    FAR_GONE,
    GONE,
    LINES_PLACE,
    LOADS,
    MORALE_CAN_RISE,
    MORALE_LEFT,
    NEAR_FREE,
    NEAR_GONE,
    OFF_BOARD,
    RALLY_WITH_SUPPLY,
    SUPPLIES_LEFT,
    TREBUCHETS,
    TUNNEL_PLACES,
    WALL_CAN_RISE,
    Change,
    Effects,
    IntTable,
    Space,
)

__all__ = [
    "BUY", "FREE", "MAX_OUTCOMES", "MOVE_ACTION", "MOVE_COLUMNS", "MOVE_CONDITION", "MOVE_COUNT", "MOVE_FIRST",
    "MOVE_KIND", "MOVE_LAST", "MOVE_OUTCOMES", "POINT", "WATER", "CardTable", "MoveTable", "card_table",
    "day_end_moves", "move_table", "turn_end_moves",
]  # fmt: skip

# Kinds of move: for an action point, for one as boiling water, the additional action, the free movement.
POINT: Final = 0
WATER: Final = 1
BUY: Final = 2
FREE: Final = 3

# A move's columns; then for each outcome: faces of the die, block, effect, shift of the cell.
MOVE_ACTION: Final = 0
MOVE_KIND: Final = 1
MOVE_FIRST: Final = 2
MOVE_LAST: Final = 3
MOVE_CONDITION: Final = 4
MOVE_COUNT: Final = 5
MOVE_OUTCOMES: Final = 6
MAX_OUTCOMES: Final = 4
MOVE_COLUMNS: Final = MOVE_OUTCOMES + 4 * MAX_OUTCOMES


@dataclass(frozen=True)
class Outcome:
    """What some faces of the die do: another block, an effect on the row, another cell."""

    block: int
    effect: int
    shift: int


@dataclass(frozen=True)
class MoveTable:
    """The moves of every block in a turn of one division. first: where each block's moves begin.

    must_fight: the blocks in which close combat is mandatory while action points remain (S14).
    """

    moves: IntTable
    first: IntTable
    must_fight: NDArray[np.bool_]
    water: bool


class _Writer:
    """Gathers the moves of one division."""

    def __init__(
        self, edition: SiegeEdition, options: SiegeOptions, division: Division, space: Space, effects: Effects
    ) -> None:
        self.edition, self.options, self.division, self.space, self.effects = edition, options, division, space, effects
        self.rows: list[list[int]] = []
        self._judged: dict[tuple[int, bool], list[Judgement]] = {}

    def _judgements(self, action: SiegeAction, on_circle: bool) -> list[Judgement]:
        key = (action.index, on_circle)
        if key not in self._judged:
            drms = modifiers(action, self.division, on_circle)
            self._judged[key] = [judge(action, face, drms, self.edition, self.options) for face in range(1, 7)]
        return self._judged[key]

    def allows(self, name: str) -> bool:
        """Whether no event forbids the action of 9.1 this turn (S25)."""
        return self.division.only is None or name in self.division.only

    def add(
        self, action: int, kind: int, cells: tuple[int, int], outcomes: dict[Outcome, int], condition: int = ALWAYS
    ) -> None:
        """One move. outcomes: with the number of faces that lead to each."""
        row = [action, kind, *cells, condition, len(outcomes)]
        for outcome, faces in outcomes.items():
            row += [faces, outcome.block, outcome.effect, outcome.shift]
        self.rows.append(row + [0] * (MOVE_COLUMNS - len(row)))

    def surely(self, action: SiegeAction, kind: int, cells: tuple[int, int], to: Outcome, on: int = ALWAYS) -> None:
        """A move without a die."""
        self.add(action.index, kind, cells, {to: 6}, on)

    def rolled(
        self,
        action: SiegeAction,
        kind: int,
        cells: tuple[int, int],
        then: Callable[[Judgement], Outcome],
        *,
        on_circle: bool = False,
        condition: int = ALWAYS,
    ) -> None:
        """A move whose die is judged as in the engine."""
        faces = Counter(map(then, self._judgements(action, on_circle)))
        self.add(action.index, kind, cells, dict(faces), condition)


_ALL_CELLS = (0, CELLS)


def _cells(place: int, places: int = 1) -> tuple[int, int]:
    return place * TREBUCHETS, (place + places) * TREBUCHETS


def _shift(place: int, to: int) -> int:
    return (to - place) * TREBUCHETS


def _attacks(writer: _Writer, block: int) -> None:
    """Archers (9.1.1, S11), boiling water (9.1.2, S12) and close combat (9.1.3, S13)."""
    spaces = writer.space.spaces[block]
    frightened = writer.effects.code((MORALE, -1))
    everyone = writer.options.close_combat_drives_back == "all"
    for action in ACTIONS:
        targets: tuple[int, ...] = ()
        kind = POINT
        if action.kind == ARCHERS and writer.allows("archers"):
            targets = (action.unit,) if CLOSE_COMBAT < spaces[action.unit] < START else ()
        elif action.kind == BOILING_WATER and writer.allows("boiling_water"):
            targets = (action.unit,) if spaces[action.unit] == CIRCLE else ()
            kind = WATER
        elif action.kind == CLOSE_COMBAT_ACTION and writer.allows("close_combat"):
            chosen = UNITS if action.unit == len(UNITS) else (action.unit,)
            if everyone == (action.unit == len(UNITS)):
                targets = tuple(unit for unit in chosen if spaces[unit] == CLOSE_COMBAT)
        if targets:
            driven = writer.space.encode(s + 1 if unit in targets else s for unit, s in enumerate(spaces))

            def then(judgement: Judgement, driven: int = driven) -> Outcome:
                to = driven if judgement.success else block
                return Outcome(to, frightened if judgement.frightened else 0, 0)

            writer.rolled(action, kind, _ALL_CELLS, then, on_circle=spaces[targets[0]] == CIRCLE)


def _status_actions(writer: _Writer, block: int) -> None:
    """Coupure (9.1.4), rally (9.1.5, S16)."""
    code = writer.effects.code
    for action in ACTIONS:
        if action.kind == COUPURE and writer.allows("coupure"):
            paid, risen, condition = 0, code((WALL, 1)), WALL_CAN_RISE
        elif action.kind == RALLY and writer.allows("rally"):
            paid, risen, condition = 0, code((MORALE, 1)), MORALE_CAN_RISE
        elif action.kind == RALLY_SUPPLY and writer.allows("rally"):
            paid, risen, condition = code((SUPPLIES, -1)), code((SUPPLIES, -1), (MORALE, 1)), RALLY_WITH_SUPPLY
        else:
            continue

        def then(judgement: Judgement, paid: int = paid, risen: int = risen) -> Outcome:
            return Outcome(block, risen if judgement.success else paid, 0)

        writer.rolled(action, POINT, _ALL_CELLS, then, condition=condition)


def _stored(writer: _Writer, load: int) -> int:
    """The effect of coming home with a load (13.0, S20)."""
    return writer.effects.code((SUPPLIES, load)) if load else 0


def _tunnel_for_points(writer: _Writer, block: int) -> None:
    """Entering (9.1.6.1, S17) and fast movement (S19)."""
    if not writer.allows("tunnel_movement"):
        return
    by_kind = {action.kind: action for action in ACTIONS}
    enter, castle, lines = by_kind[ENTER], by_kind[FAST_CASTLE], by_kind[FAST_LINES]
    loads = len(LOADS)
    writer.surely(enter, POINT, _cells(CASTLE_PLACE), Outcome(block, 0, _shift(CASTLE_PLACE, NEAR_GONE)))
    writer.surely(enter, POINT, _cells(LINES_PLACE, loads), Outcome(block, 0, _shift(LINES_PLACE, FAR_GONE)))
    for place in TUNNEL_PLACES:
        writer.surely(lines, POINT, _cells(place, loads), Outcome(block, 0, _shift(place, LINES_PLACE)))
        for load in LOADS:
            home = Outcome(block, _stored(writer, load), _shift(place + load, CASTLE_PLACE))
            writer.surely(castle, POINT, _cells(place + load), home)


def _enemy_lines(writer: _Writer, block: int) -> None:
    """Supply raid (9.1.7, S21) and sabotage (9.1.8, S22); a 1 captures (12.0, S23)."""
    captured = writer.effects.code((MORALE, -1))
    for action in ACTIONS:
        for load in LOADS:
            here = LINES_PLACE + load
            gone = Outcome(block, captured, _shift(here, CASTLE_PLACE))
            if action.kind == SUPPLY_RAID and writer.allows("supply_raid") and load < MAX_RAIDED:

                def raid(judgement: Judgement, load: int = load, gone: Outcome = gone) -> Outcome:
                    carried = min(load + judgement.supplies, MAX_RAIDED)
                    return gone if judgement.captured else Outcome(block, 0, _shift(load, carried))

                writer.rolled(action, POINT, _cells(here), raid)
            elif action.kind == SABOTAGE and writer.allows("sabotage"):

                def sabotage(judgement: Judgement, gone: Outcome = gone) -> Outcome:
                    return gone if judgement.captured else Outcome(block, 0, -1 if judgement.success else 0)

                first, last = _cells(here)
                writer.rolled(action, POINT, (first + 1, last), sabotage)  # not with no trebuchet left


def _without_points(writer: _Writer, block: int) -> None:
    """The additional action (9.2, S24), then free movement (9.1.6.2, S18, S25): in this order, see the kernel."""
    by_kind = {action.kind: action for action in ACTIONS}
    code = writer.effects.code
    writer.surely(by_kind[EXTRA_MORALE], BUY, _ALL_CELLS, Outcome(block, code((MORALE, -1)), 0), MORALE_LEFT)
    writer.surely(by_kind[EXTRA_SUPPLIES], BUY, _ALL_CELLS, Outcome(block, code((SUPPLIES, -1)), 0), SUPPLIES_LEFT)
    if not (writer.allows("tunnel_movement") or writer.options.bad_weather_free_movement):
        return
    castle, lines = by_kind[FREE_CASTLE], by_kind[FREE_LINES]
    loads = len(LOADS)
    for load in LOADS:
        home = Outcome(block, _stored(writer, load), _shift(NEAR_FREE + load, CASTLE_PLACE))
        writer.surely(castle, FREE, _cells(NEAR_FREE + load), home)
    writer.surely(castle, FREE, _cells(FAR_FREE, loads), Outcome(block, 0, _shift(FAR_FREE, NEAR_GONE)))
    writer.surely(lines, FREE, _cells(NEAR_FREE, loads), Outcome(block, 0, _shift(NEAR_FREE, FAR_GONE)))
    writer.surely(lines, FREE, _cells(FAR_FREE, loads), Outcome(block, 0, _shift(FAR_FREE, LINES_PLACE)))


def move_table(
    edition: SiegeEdition, options: SiegeOptions, division: Division, space: Space, effects: Effects
) -> MoveTable:
    """All that can be done in a turn of the division, block by block."""
    writer = _Writer(edition, options, division, space, effects)
    first = [0]
    must_fight = []
    for block in range(space.size):
        fight = space.held[block] >= MAX_CLOSE_COMBAT and writer.allows("close_combat")
        must_fight.append(fight)
        before = len(writer.rows)
        _attacks(writer, block)
        if fight:  # S14: nothing else for an action point
            fights = [row for row in writer.rows[before:] if ACTIONS[row[0]].kind == CLOSE_COMBAT_ACTION]
            writer.rows[before:] = fights
        else:
            _status_actions(writer, block)
            _tunnel_for_points(writer, block)
            _enemy_lines(writer, block)
        _without_points(writer, block)
        first.append(len(writer.rows))
    moves = np.array(writer.rows, np.int64)
    return MoveTable(moves, np.array(first, np.int64), np.array(must_fight), writer.allows("boiling_water"))


def _end_row(cells: tuple[int, int], outcomes: list[tuple[int, int, int]]) -> list[int]:
    row = [-1, POINT, *cells, ALWAYS, len(outcomes)]
    for faces, effect, shift in outcomes:
        row += [faces, 0, effect, shift]
    return row + [0] * (MOVE_COLUMNS - len(row))


def turn_end_moves(effects: Effects) -> IntTable:
    """From the end of a turn to the next draw: free movement is new (S18), the enemy line check (5.0, S4)."""
    loads = len(LOADS)
    rows = [_end_row((0, LINES_PLACE * TREBUCHETS), [(6, 0, 0)])]
    for load in LOADS:
        here = LINES_PLACE + load
        captured = (LINE_CHECK_CAPTURES, effects.code((MORALE, -1)), _shift(here, CASTLE_PLACE))
        rows.append(_end_row(_cells(here), [(6 - LINE_CHECK_CAPTURES, 0, 0), captured]))
    rows.append(_end_row(_cells(NEAR_GONE, loads), [(6, 0, _shift(NEAR_GONE, NEAR_FREE))]))
    rows.append(_end_row(_cells(FAR_GONE, loads), [(6, 0, _shift(FAR_GONE, FAR_FREE))]))
    return np.array(rows, np.int64)


def day_end_moves(effects: Effects) -> IntTable:
    """From the end of a day's last turn to the castle on the next morning (11.0, S27)."""
    rows = [_end_row(_cells(CASTLE_PLACE), [(6, effects.code((SUPPLIES, -1)), 0)])]
    for place in (*TUNNEL_PLACES, LINES_PLACE):
        for load in LOADS:
            then: tuple[Change, ...] = ((MORALE, -1),) if place == LINES_PLACE else ((SUPPLIES, load),) * (load > 0)
            night = effects.code((SUPPLIES, -1), *then)
            rows.append(_end_row(_cells(place + load), [(6, night, _shift(place + load, CASTLE_PLACE))]))
    return np.array(rows, np.int64)


@dataclass(frozen=True)
class CardTable:
    """What drawing a card does (6.0 to 8.4). points: action points. block: the new block of each, or ``OFF_BOARD``.

    entry: the effect of the units that enter close combat, for each block. event: for each number of trebuchets two
    outcomes of (faces, trebuchets, effect).
    """

    points: int
    block: IntTable
    entry: IntTable
    event: IntTable


def _movement(space: Space, division: Division, block: int) -> tuple[int, int]:
    """Collapses, then the enemy's movement: the new block or ``OFF_BOARD``, and how many entered close combat."""
    units = list(space.spaces[block])
    for event in division.events:
        if isinstance(event, Collapse) and units[event.unit] == START:  # S7
            units[event.unit] = GONE
    present = [unit for unit in UNITS if units[unit] != GONE]
    ordered = [unit for unit in division.orders if unit in present]
    if division.slowest and present:  # 8.2
        farthest = max(units[unit] for unit in present)
        ordered = [unit for unit in present if units[unit] == farthest]
    entered = 0
    for unit in ordered:  # S10
        if units[unit] == CLOSE_COMBAT:  # S9
            continue
        if units[unit] == CIRCLE:
            if units.count(CLOSE_COMBAT) == MAX_CLOSE_COMBAT:  # 8.4
                return OFF_BOARD, entered
            entered += 1
        units[unit] -= 1
    return space.encode(units), entered


def card_table(division: Division, space: Space, effects: Effects) -> CardTable:
    """The table of one division."""
    moved = [_movement(space, division, block) for block in range(space.size)]
    event = np.zeros((TREBUCHETS, 2, 3), np.int64)
    for trebuchets in range(TREBUCHETS):
        if division.is_trebuchet_attack:  # 7.2, S6
            hits = 7 - TREBUCHET_HITS_AT
            if trebuchets == 1:
                event[trebuchets] = [(hits, trebuchets, effects.code((WALL, -1))), (6 - hits, trebuchets, 0)]
            else:
                event[trebuchets, 0] = (6, trebuchets, effects.code(*[(WALL, -1)] * max(trebuchets - 1, 0)))
            continue
        left = trebuchets
        changes: list[Change] = []
        for happening in division.events:
            if isinstance(happening, TrebuchetChange):
                left = min(max(left + happening.change, 0), MAX_TREBUCHETS)
            elif isinstance(happening, StatusChange) and happening.change:
                changes.append((happening.track, happening.change))
        event[trebuchets, 0] = (6, left, effects.code(*changes))
    return CardTable(
        division.actions,
        np.array([block for block, _ in moved], np.int64),
        np.array([effects.code(*[(MORALE, -1)] * entered) for _, entered in moved], np.int64),
        event,
    )
