"""What a die does for an action (9.1.1 to 9.1.8): modifiers, success, and the special natural 1 (S2, S3)."""

from __future__ import annotations

from typing import NamedTuple

from muniment.games.siege.actions import (
    ARCHERS,
    BOILING_WATER,
    CLOSE_COMBAT_ACTION,
    COUPURE,
    RALLY,
    RALLY_SUPPLY,
    SUPPLY_RAID,
    SiegeAction,
)
from muniment.games.siege.edition import Division, SiegeEdition
from muniment.games.siege.options import SiegeOptions

__all__ = ["Judgement", "Modifiers", "judge", "modifiers"]

BOILING_WATER_DRM = 1
EXTRA_SUPPLY_DRM = 1
ONE_SUPPLY_AT = 3
TWO_SUPPLIES_AT = 6
SABOTAGE_AT = 5
_UNIT_TARGETS = ("ladders", "battering_ram", "siege_tower")


class Modifiers(NamedTuple):
    """What is added to the die. total: the sum of all DRMs; bonus: whether some event gives a positive one."""

    total: int
    bonus: bool


class Judgement(NamedTuple):
    """What a roll means. total: die plus DRMs. supplies: how many are raided. captured: 12.0. frightened: morale -1."""

    total: int
    success: bool
    supplies: int = 0
    captured: bool = False
    frightened: bool = False


def modifiers(action: SiegeAction, division: Division, on_circle: bool) -> Modifiers:
    """All DRMs of the action's roll this turn. on_circle: whether the target of an attack is on the circle."""
    own = 0
    kind = action.kind
    if kind in (ARCHERS, BOILING_WATER):
        targets = [_UNIT_TARGETS[action.unit], "all_attacks"]
        if on_circle:
            targets.append("circle")
        own = BOILING_WATER_DRM if kind == BOILING_WATER else 0
    elif kind == CLOSE_COMBAT_ACTION:  # DRMs for a track or the circle do not apply (9.1.3, S13)
        targets = ["close_combat", "all_attacks"]
    elif kind in (RALLY, RALLY_SUPPLY):
        targets = ["rally"]
        own = EXTRA_SUPPLY_DRM if kind == RALLY_SUPPLY else 0
    else:
        targets = ["coupure" if kind == COUPURE else "supply_raid" if kind == SUPPLY_RAID else "sabotage"]
    drms = division.drms(*targets)
    return Modifiers(own + sum(drms), any(drm > 0 for drm in drms))


def judge(
    action: SiegeAction, face: int, modifier: Modifiers, edition: SiegeEdition, options: SiegeOptions
) -> Judgement:
    """What a natural face of 1 to 6 does for the action."""
    total = face + modifier.total
    one_counts = face == 1 and not (options.ones == "event_bonus_cancels" and modifier.bonus)  # S3
    kind = action.kind
    if kind == ARCHERS:
        return Judgement(total, total > edition.strength[action.unit])
    if kind == BOILING_WATER:  # S12: a natural 1 fails whatever the total; an event's bonus saves the morale
        success = face != 1 and total > edition.strength[action.unit]
        return Judgement(total, success, frightened=face == 1 and not modifier.bonus)
    if kind == CLOSE_COMBAT_ACTION:
        return Judgement(total, total > edition.close_combat_strength, frightened=one_counts)
    if kind == COUPURE:
        return Judgement(total, total >= edition.raise_wall_at)
    if kind in (RALLY, RALLY_SUPPLY):
        return Judgement(total, total >= edition.raise_morale_at)
    if one_counts:  # 9.1.7, 9.1.8
        return Judgement(total, False, captured=True)
    if kind == SUPPLY_RAID:  # S21
        supplies = 2 if total >= TWO_SUPPLIES_AT else 1 if total >= ONE_SUPPLY_AT else 0
        return Judgement(total, supplies > 0, supplies)
    return Judgement(total, total >= SABOTAGE_AT)  # S22
