"""What a drawn card does: its events (7.0), the trebuchets (7.2) and the enemy's movement (8.0)."""

from __future__ import annotations

from muniment.core.events import EventLog
from muniment.games.siege.edition import Collapse, Division, StatusChange, TrebuchetAttack, TrebuchetChange
from muniment.games.siege.endings import OVERRUN
from muniment.games.siege.state import OVER, TREBUCHETS, SiegeState
from muniment.games.siege.status import lower, raise_
from muniment.games.siege.terms import (
    CIRCLE,
    CLOSE_COMBAT,
    MAX_CLOSE_COMBAT,
    MAX_TREBUCHETS,
    MORALE,
    REMOVED,
    SPACE_NAMES,
    START,
    STATUS_NAMES,
    UNIT_NAMES,
    UNITS,
    WALL,
)

__all__ = ["events_happen", "trebuchet_roll", "units_advance"]

TREBUCHET_HITS_AT = 4


def events_happen(state: SiegeState, division: Division, log: EventLog | None) -> None:
    """The event phase (7.0): every event of the division, as printed from top to bottom (2.1.4).

    Modifiers and limits on actions need nothing now: they are read off the card when it matters. Afterwards the game
    may be over, or wait for a trebuchet's die.
    """
    for event in division.events:
        if isinstance(event, TrebuchetAttack):
            _trebuchets_fire(state, log)
        elif isinstance(event, StatusChange):
            _status_event(state, event, log)
        elif isinstance(event, TrebuchetChange):
            before = state.trebuchets
            state.trebuchets = min(max(before + event.change, 0), MAX_TREBUCHETS)
            if log is not None:
                log.add("trebuchets", "7.1", change=state.trebuchets - before, now=state.trebuchets)
        elif isinstance(event, Collapse):
            collapses = state.units[event.unit] == START
            if collapses:  # S7: resolved before movement
                state.units[event.unit] = REMOVED
            if log is not None:
                log.add("removed" if collapses else "not-removed", "S7", unit=UNIT_NAMES[event.unit])
        if state.step == OVER:
            return


def _status_event(state: SiegeState, event: StatusChange, log: EventLog | None) -> None:
    if event.change > 0:
        raise_(state, event.track, event.change, "7.1", log)
        return
    if state.status[event.track] == 0:  # S5
        if log is not None:
            log.add("status-ignored", "S5", track=STATUS_NAMES[event.track])
        return
    for _ in range(min(-event.change, state.status[event.track])):
        lower(state, event.track, "7.1", log)
        if state.step == OVER:
            return


def _trebuchets_fire(state: SiegeState, log: EventLog | None) -> None:
    """The trebuchet attack (7.2, S6): 3 take 2 off the wall, 2 take 1, a single one rolls, none does nothing."""
    if log is not None:
        log.add("trebuchets-fire", "7.2", count=state.trebuchets)
    if state.trebuchets == 1:
        state.step = TREBUCHETS
        return
    for _ in range(min(max(state.trebuchets - 1, 0), state.status[WALL])):
        lower(state, WALL, "7.2", log)


def trebuchet_roll(state: SiegeState, face: int, log: EventLog | None) -> None:
    """The die of a single trebuchet: a 4, 5 or 6 hits the wall (7.2)."""
    if face >= TREBUCHET_HITS_AT:
        lower(state, WALL, "7.2", log)
    elif log is not None:
        log.add("trebuchet-missed", "7.2")


def units_advance(state: SiegeState, division: Division, log: EventLog | None) -> None:
    """Enemy movement (8.0): the ordered units, or all of the slowest (8.2), one space each; none in an attack (8.3)."""
    ordered = slowest_units(state) if division.slowest else division.orders
    for unit in ordered:  # S10: ladders, battering ram, siege tower
        _advance(state, unit, log)
        if state.step == OVER:
            return


def slowest_units(state: SiegeState) -> tuple[int, ...]:
    """All units farthest from the castle, of those still in the game (8.2, S7, S8)."""
    farthest = max(state.units)
    return tuple(unit for unit in UNITS if state.units[unit] == farthest != REMOVED)


def _advance(state: SiegeState, unit: int, log: EventLog | None) -> None:
    space = state.units[unit]
    if space <= CLOSE_COMBAT:  # S7, S9: a removed unit is never ordered, one in close combat does not advance
        if log is not None:
            log.add("order-ignored", "S7" if space == REMOVED else "S9", unit=UNIT_NAMES[unit])
        return
    held = state.in_close_combat()
    state.units[unit] = space - 1
    if log is not None:
        log.add("advance", "8.1", unit=UNIT_NAMES[unit], now=SPACE_NAMES[space - 1])
    if space == CIRCLE:
        if held == MAX_CLOSE_COMBAT:  # 8.4
            state.end(OVERRUN)
            return
        lower(state, MORALE, "8.4", log)
