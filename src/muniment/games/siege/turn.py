"""The ends of things: the turn's victory-or-loss check (10.0), the day (11.0), the next turn (4.0)."""

from __future__ import annotations

from muniment.core.events import EventLog
from muniment.games.siege.endings import HELD, STATUS_GONE, WON
from muniment.games.siege.state import DRAW, LINE_CHECK, OVER, SiegeState
from muniment.games.siege.status import lower
from muniment.games.siege.terms import (
    CASTLE,
    DAYS,
    ENEMY_LINES,
    MAX_CLOSE_COMBAT,
    STATUSES,
    SUPPLIES,
)
from muniment.games.siege.tunnel import captured, in_tunnel, move_to

__all__ = ["LINE_CHECK_CAPTURES", "begin_turn", "end_turn", "line_check"]

LINE_CHECK_CAPTURES = 1


def begin_turn(state: SiegeState) -> None:
    """The enemy line check if soldiers are in the enemy lines (5.0), else straight to the draw (6.0)."""
    state.new_turn()
    state.step = LINE_CHECK if state.soldiers == ENEMY_LINES else DRAW


def line_check(state: SiegeState, face: int, log: EventLog | None) -> None:
    """The enemy line check's die (5.1): a 1 captures, and no event can change that (S4)."""
    state.step = DRAW
    if face == LINE_CHECK_CAPTURES:
        captured(state, log)
    elif log is not None:
        log.add("undetected", "5.1")


def end_turn(state: SiegeState, full_deck: int, log: EventLog | None) -> None:
    """The victory-or-loss check (10.0), after the day's last card the end of day, then the next turn."""
    if state.in_close_combat() >= MAX_CLOSE_COMBAT:
        state.end(HELD)
        return
    if _status_lost(state):
        return
    if state.deck == 0:
        _end_day(state, full_deck, log)
        if state.step == OVER:
            return
    begin_turn(state)


def _status_lost(state: SiegeState) -> bool:
    for track in STATUSES:
        if state.status[track] == 0:
            state.end(STATUS_GONE[track])
            return True
    return False


def _end_day(state: SiegeState, full_deck: int, log: EventLog | None) -> None:
    """End of day (11.0, S27): food, soldiers home from the tunnel, soldiers in the enemy lines captured."""
    if log is not None:
        log.add("day-ends", "11.0", day=state.day)
    lower(state, SUPPLIES, "11.0", log)
    if state.step == OVER:
        return
    if in_tunnel(state):
        move_to(state, CASTLE, "9.1.6.2", log)
    elif state.soldiers == ENEMY_LINES:
        captured(state, log)
        if state.step == OVER:
            return
    if state.day == DAYS:  # S27: after the third day any status at 0 is a loss
        if not _status_lost(state):
            state.end(WON)
        return
    state.day += 1
    state.deck = full_deck
