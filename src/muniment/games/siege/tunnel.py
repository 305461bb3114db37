"""The soldiers: moving through the tunnel, coming home with supplies, being captured (9.1.6, 12.0, 13.0)."""

from __future__ import annotations

from muniment.core.events import EventLog
from muniment.games.siege.state import SiegeState
from muniment.games.siege.status import lower, raise_
from muniment.games.siege.terms import (
    CASTLE,
    FAR_TUNNEL,
    MORALE,
    NEAR_TUNNEL,
    SUPPLIES,
    TUNNEL_NAMES,
)

__all__ = ["captured", "entry_from", "in_tunnel", "move_to"]


def in_tunnel(state: SiegeState) -> bool:
    """Whether the soldiers are on one of the two spaces of the tunnel itself."""
    return state.soldiers in (NEAR_TUNNEL, FAR_TUNNEL)


def entry_from(space: int) -> int:
    """Where entering leads: from the castle to the near space, from the enemy lines to the far one (S17)."""
    return NEAR_TUNNEL if space == CASTLE else FAR_TUNNEL


def move_to(state: SiegeState, space: int, rule: str, log: EventLog | None) -> None:
    """Put the soldiers on a space; in the castle the supplies they carry are stored at once (13.0, S20)."""
    state.soldiers = space
    if log is not None:
        log.add("soldiers", rule, now=TUNNEL_NAMES[space])
    if space == CASTLE and state.raided:
        carried, state.raided = state.raided, 0
        raise_(state, SUPPLIES, carried, "13.0", log)


def captured(state: SiegeState, log: EventLog | None) -> None:
    """The captured procedure (12.0): a new group in the castle, what they carried lost, morale lowered by 1."""
    lost, state.raided = state.raided, 0
    state.soldiers = CASTLE
    if log is not None:
        log.add("captured", "12.0", lost=lost)
    lower(state, MORALE, "12.0", log)
