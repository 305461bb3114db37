"""What the player may do, and why not (9.0 to 9.2): one predicate for legal actions and refusals alike."""

from __future__ import annotations

from muniment.core.refusal import Refusal
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
from muniment.games.siege.edition import Division
from muniment.games.siege.options import SiegeOptions
from muniment.games.siege.state import ACTIONS_STEP, FREE_MOVE_ENTERED, FREE_MOVE_USED, OVER, SiegeState
from muniment.games.siege.terms import (
    CIRCLE,
    CLOSE_COMBAT,
    ENEMY_LINES,
    LADDERS,
    MAX_CLOSE_COMBAT,
    MAX_RAIDED,
    MAX_STATUS,
    MORALE,
    REMOVED,
    START,
    SUPPLIES,
    UNIT_NAMES,
    WALL,
)
from muniment.games.siege.tunnel import in_tunnel

__all__ = ["legal_actions", "must_fight", "refusal"]

# The name in 9.1 of each kind of action that costs a point.
_NAMES_IN_9_1 = {
    ARCHERS: "archers",
    BOILING_WATER: "boiling_water",
    CLOSE_COMBAT_ACTION: "close_combat",
    COUPURE: "coupure",
    RALLY: "rally",
    RALLY_SUPPLY: "rally",
    ENTER: "tunnel_movement",
    FAST_CASTLE: "tunnel_movement",
    FAST_LINES: "tunnel_movement",
    SUPPLY_RAID: "supply_raid",
    SABOTAGE: "sabotage",
}


def must_fight(state: SiegeState, division: Division) -> bool:
    """Whether close combat is mandatory (S14): two units there and action points left.

    An event that forbids close combat lifts the duty: nobody is obliged to what is forbidden.
    """
    return (
        state.points > 0
        and state.in_close_combat() >= MAX_CLOSE_COMBAT
        and (division.only is None or "close_combat" in division.only)
    )


def refusal(state: SiegeState, action: SiegeAction, division: Division | None, options: SiegeOptions) -> Refusal | None:
    """Why the action is not allowed now, or None if it is. division: that of the card in play, if there is one."""
    if state.step == OVER:
        return Refusal("game-over", "the game is over", "10.0")
    if state.step != ACTIONS_STEP or division is None:
        return Refusal("not-now", "a die or a card is awaited, not an action", "4.0")
    if action.costs_point:
        return _action_refusal(state, action, division, options)
    if action.kind in (EXTRA_MORALE, EXTRA_SUPPLIES):
        return _extra_refusal(state, action)
    if action.kind in (FREE_CASTLE, FREE_LINES):
        return _free_move_refusal(state, division, options)
    if must_fight(state, division):
        return Refusal("must-fight", "with two units in close combat the turn cannot end while AP remain", "S14")
    return None


def _extra_refusal(state: SiegeState, action: SiegeAction) -> Refusal | None:
    """The additional action (9.2, S24)."""
    if state.extra_used:
        return Refusal("extra-used", "only one additional action is possible in a turn", "9.2")
    track, name = (MORALE, "is no morale") if action.kind == EXTRA_MORALE else (SUPPLIES, "are no supplies")
    if state.status[track] == 0:
        return Refusal("nothing-to-spend", f"there {name} left to spend", "S24")
    return None


def _free_move_refusal(state: SiegeState, division: Division, options: SiegeOptions) -> Refusal | None:
    """Free movement (9.1.6.2, S18, S25)."""
    limited = division.only is not None and "tunnel_movement" not in division.only
    if limited and not options.bad_weather_free_movement:
        return Refusal("event-forbids", f"{division.title}: no tunnel movement this turn", "S25")
    if not in_tunnel(state):
        return Refusal("not-in-tunnel", "the soldiers are not in the tunnel", "9.1.6.2")
    if state.free_move == FREE_MOVE_USED:
        return Refusal("free-move-used", "only one free movement is possible in a turn", "S18")
    if state.free_move == FREE_MOVE_ENTERED:
        return Refusal("entered-this-turn", "no free movement on a turn in which soldiers entered the tunnel", "S18")
    return None


def _action_refusal(
    state: SiegeState, action: SiegeAction, division: Division, options: SiegeOptions
) -> Refusal | None:
    """Everything that costs an action point (9.1)."""
    kind = action.kind
    if state.points == 0:
        return Refusal("no-action-points", "no action points are left", "9.1")
    if division.only is not None and _NAMES_IN_9_1[kind] not in division.only:
        return Refusal("event-forbids", f"{division.title}: this action is not possible this turn", "S25")
    if kind != CLOSE_COMBAT_ACTION and must_fight(state, division):
        return Refusal("must-fight", "two units are in close combat: close combat is the only action possible", "S14")
    if kind in (ARCHERS, BOILING_WATER, CLOSE_COMBAT_ACTION):
        return _attack_refusal(state, action, options)
    if kind == COUPURE and state.status[WALL] == MAX_STATUS:
        return Refusal("track-full", "the wall is at 4 already", "S15")
    if kind in (RALLY, RALLY_SUPPLY) and state.status[MORALE] == MAX_STATUS:
        return Refusal("track-full", "morale is at 4 already", "S15")
    if kind == RALLY_SUPPLY and state.status[SUPPLIES] == 0:
        return Refusal("nothing-to-spend", "there are no supplies left to spend", "S16")
    if kind == ENTER and in_tunnel(state):
        return Refusal("in-tunnel", "the soldiers are in the tunnel already", "9.1.6.1")
    if kind in (FAST_CASTLE, FAST_LINES) and not in_tunnel(state):
        return Refusal("not-in-tunnel", "the soldiers are not in the tunnel", "9.1.6.2")
    if kind in (SUPPLY_RAID, SABOTAGE):
        return _enemy_lines_refusal(state, kind)
    return None


def _attack_refusal(state: SiegeState, action: SiegeAction, options: SiegeOptions) -> Refusal | None:
    """Archers (9.1.1, S11), boiling water (9.1.2, S12), close combat (9.1.3, S13)."""
    if action.kind == CLOSE_COMBAT_ACTION:
        if (action.unit == len(UNIT_NAMES)) != (options.close_combat_drives_back == "all"):
            return Refusal("other-option", "the close combat option of this game names its target otherwise", "S13")
        if action.unit == len(UNIT_NAMES):
            if state.in_close_combat() == 0:
                return Refusal("not-in-close-combat", "no unit is in close combat", "9.1.3")
            return None
    space = state.units[action.unit]
    name = UNIT_NAMES[action.unit]
    verb = "are" if action.unit == LADDERS else "is"
    if space == REMOVED:
        return Refusal("removed", f"the {name} {verb} out of the game", "S7")
    if action.kind == CLOSE_COMBAT_ACTION:
        if space != CLOSE_COMBAT:
            return Refusal("not-in-close-combat", f"the {name} {verb} not in close combat", "9.1.3")
    elif action.kind == BOILING_WATER:
        if space != CIRCLE:
            return Refusal("not-on-circle", f"the {name} {verb} not on the circle", "9.1.2")
        if state.boiled:
            return Refusal("boiling-water-used", "boiling water can be used once in a turn", "S12")
    elif space == START:
        return Refusal("on-start", f"the {name} {verb} on the start and cannot be driven farther back", "S11")
    elif space == CLOSE_COMBAT:
        return Refusal("in-close-combat", f"archers cannot shoot at the {name} in close combat", "S11")
    return None


def _enemy_lines_refusal(state: SiegeState, kind: int) -> Refusal | None:
    """Supply raid (9.1.7, S21) and sabotage (9.1.8, S22)."""
    if state.soldiers != ENEMY_LINES:
        rule = "9.1.7" if kind == SUPPLY_RAID else "9.1.8"
        return Refusal("not-in-enemy-lines", "the soldiers are not in the enemy lines", rule)
    if kind == SUPPLY_RAID and state.raided == MAX_RAIDED:
        return Refusal("hands-full", "the soldiers carry two supplies already", "S21")
    if kind == SABOTAGE and state.trebuchets == 0:
        return Refusal("no-trebuchets", "no trebuchet is left", "S22")
    return None


def legal_actions(state: SiegeState, division: Division | None, options: SiegeOptions) -> tuple[SiegeAction, ...]:
    """All actions without a refusal, in the order of ``ACTIONS``."""
    return tuple(action for action in ACTIONS if refusal(state, action, division, options) is None)
