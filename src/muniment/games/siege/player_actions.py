"""Carrying out the player's actions (9.0): what is paid, and what the die of a chosen action then does."""

from __future__ import annotations

from muniment.core.events import EventLog
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
    RALLY,
    RALLY_SUPPLY,
    SUPPLY_RAID,
    SiegeAction,
)
from muniment.games.siege.rolls import Judgement
from muniment.games.siege.state import ACTIONS_STEP, FREE_MOVE_ENTERED, FREE_MOVE_USED, OVER, ROLL, SiegeState
from muniment.games.siege.status import lower, raise_
from muniment.games.siege.terms import (
    CASTLE,
    CIRCLE,
    CLOSE_COMBAT,
    ENEMY_LINES,
    MAX_RAIDED,
    MORALE,
    SPACE_NAMES,
    SUPPLIES,
    UNIT_NAMES,
    UNITS,
    WALL,
)
from muniment.games.siege.tunnel import captured, entry_from, move_to

__all__ = ["carry_out", "resolve_roll"]


def carry_out(state: SiegeState, action: SiegeAction, log: EventLog | None) -> None:
    """Pay for the action (9.1: whether it succeeds or not) and do it, or wait for its die."""
    if log is not None:
        log.add("action", action.rule, action=action.notation)
    kind = action.kind
    if action.costs_point:
        state.points -= 1
    if action.rolls:
        state.rolling = action.index
        state.step = ROLL  # before paying: the payment can lose the game
        if kind == BOILING_WATER:
            state.boiled = True
        elif kind == RALLY_SUPPLY:  # S16: paid before the roll
            lower(state, SUPPLIES, "9.1.5", log)
    elif kind == ENTER:
        state.free_move = FREE_MOVE_ENTERED
        move_to(state, entry_from(state.soldiers), "9.1.6.1", log)
    elif kind == FAST_CASTLE:
        move_to(state, CASTLE, "9.1.6.2", log)
    elif kind == FAST_LINES:
        move_to(state, ENEMY_LINES, "9.1.6.2", log)
    elif kind in (EXTRA_MORALE, EXTRA_SUPPLIES):  # S24
        state.extra_used = True
        state.points += 1
        lower(state, MORALE if kind == EXTRA_MORALE else SUPPLIES, "9.2", log)
    else:
        state.free_move = FREE_MOVE_USED
        move_to(state, state.soldiers + (-1 if kind == FREE_CASTLE else 1), "9.1.6.2", log)


def resolve_roll(state: SiegeState, judgement: Judgement, log: EventLog | None) -> None:
    """What the die of the chosen action did; then the player may go on."""
    action = ACTIONS[state.rolling]
    state.rolling = -1
    state.step = ACTIONS_STEP
    if log is not None:
        log.add("judged", action.rule, action=action.notation, total=judgement.total, success=judgement.success)
    if judgement.success:
        _succeed(state, action, judgement, log)
    if judgement.captured:
        captured(state, log)
    if judgement.frightened and state.step != OVER:
        lower(state, MORALE, action.rule, log)


def _succeed(state: SiegeState, action: SiegeAction, judgement: Judgement, log: EventLog | None) -> None:
    kind = action.kind
    if kind in (ARCHERS, BOILING_WATER):
        _driven_back(state, action.unit, state.units[action.unit] + 1, log)
    elif kind == CLOSE_COMBAT_ACTION:  # S13: back to the circle of its track
        for unit in UNITS:
            if state.units[unit] == CLOSE_COMBAT and action.unit in (unit, len(UNITS)):
                _driven_back(state, unit, CIRCLE, log)
    elif kind == COUPURE:
        raise_(state, WALL, 1, "9.1.4", log)
    elif kind in (RALLY, RALLY_SUPPLY):
        raise_(state, MORALE, 1, "9.1.5", log)
    elif kind == SUPPLY_RAID:
        state.raided = min(state.raided + judgement.supplies, MAX_RAIDED)
        if log is not None:
            log.add("raided", "9.1.7", now=state.raided)
    else:
        state.trebuchets -= 1
        if log is not None:
            log.add("trebuchets", "9.1.8", change=-1, now=state.trebuchets)


def _driven_back(state: SiegeState, unit: int, space: int, log: EventLog | None) -> None:
    state.units[unit] = space
    if log is not None:
        log.add("driven-back", "9.1", unit=UNIT_NAMES[unit], now=SPACE_NAMES[space])
