"""The status tracks and the loss that falling to 0 can bring at once (2.3.1, 10.0, S26)."""

from __future__ import annotations

from muniment.core.events import EventLog
from muniment.games.siege.endings import COLLAPSE
from muniment.games.siege.state import SiegeState
from muniment.games.siege.terms import MAX_STATUS, STATUS_NAMES

__all__ = ["lower", "raise_"]


def lower(state: SiegeState, track: int, rule: str, log: EventLog | None) -> None:
    """Lower a status track by 1; on 0 already, nothing happens (2.3.1).

    The second track to reach 0 ends the game at once (10.0); callers look at ``state.result`` before going on.
    """
    if state.status[track] == 0:
        if log is not None:
            log.add("status-ignored", rule, track=STATUS_NAMES[track])
        return
    state.status[track] -= 1
    if log is not None:
        log.add("status", rule, track=STATUS_NAMES[track], change=-1, now=state.status[track])
    if state.status[track] == 0 and state.statuses_at_zero() == 2:
        state.end(COLLAPSE)


def raise_(state: SiegeState, track: int, by: int, rule: str, log: EventLog | None) -> None:
    """Raise a status track, to at most 4 (2.3.1)."""
    risen = min(by, MAX_STATUS - state.status[track])
    state.status[track] += risen
    if log is not None and by:
        log.add("status", rule, track=STATUS_NAMES[track], change=risen, now=state.status[track])
