"""Phases 1 and 2 at home: mustering, special characters, building, the willing workers (K12, K16 to K18, K20)."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.agents.steward.table import GRAN, Table
from muniment.games.king.actions import KingAction
from muniment.games.king.build import LEVEL_COST
from muniment.games.king.tiles import MOUNTAIN
from muniment.games.king.turn import VICTORY_PRESTIGE

__all__ = ["WAR_CHEST", "build", "chance_of_two_dice", "gran_land", "muster", "seek", "workers"]

WAR_CHEST = 3
"""The gold kept back for the pay of an army."""
_AT_LEAST = (36, 36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1)
"""How many of the 36 rolls of two dice show so much or more."""


def chance_of_two_dice(needed: int) -> float:
    """The chance that two dice show so much or more."""
    return _AT_LEAST[max(0, needed)] / 36 if needed <= 12 else 0.0


def muster(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """Everything that may enter the army: nothing in a hand fights."""
    return next((action for action in legal if action.word == "muster"), t.box.done)


def seek(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """The special character who promises most: the chance that he comes, times what he is worth.

    Only the chance counts where one point wins the game.
    """
    bonus = t.view.prestige[t.me] // 10
    wins = t.best_fort(t.me) == GRAN and t.view.prestige[t.me] == VICTORY_PRESTIGE - 1
    best, found = 0.0, t.box.passing
    for action in legal:
        if action.word == "seek":
            slug = str(action.args[0])
            value = chance_of_two_dice(2 * t.lore.fighter(slug).value - bonus) * (1.0 if wins else t.lore.cost(slug))
            if value > best:
                best, found = value, action
    return found


def gran_land(t: Table) -> int:
    """The land on which the Gran Muniment stands, or where it is to stand: the greatest fort, the best defended."""
    return max(
        t.lands(t.me),
        key=lambda land: (t.fort[land], t.defence(land), sum(t.improvement[land]), -land),
    )


def _bank_has(t: Table, level: int) -> bool:
    return level <= GRAN and t.view.bank_forts[level - 1] > 0


def build(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """Settlements and mines first, each brings a tile; then the Gran Muniment's next level; then other forts."""
    place = _placing(t, legal)
    if place is not None:
        return place
    forts = {t.box.land_named[str(action.args[0])]: action for action in legal if action.word == "fort"}
    site = gran_land(t)
    has_gran = t.best_fort(t.me) == GRAN
    if not has_gran and site in forts:
        return forts[site]
    if not has_gran and t.gold < LEVEL_COST and not t.view.built >> site & 1 and _bank_has(t, t.fort[site] + 1):
        treasure = _least_treasure(t, legal, LEVEL_COST - t.gold)
        if treasure is not None:
            return treasure
    if forts and t.gold >= LEVEL_COST + WAR_CHEST:
        land = max(forts, key=lambda n: (_merit(t, n, site), -n))
        return forts[land]
    if t.gold < LEVEL_COST and t.gold + t.treasure >= LEVEL_COST and _could_build(t):
        treasure = _least_treasure(t, legal, LEVEL_COST - t.gold)
        if treasure is not None:
            return treasure
    return t.box.done


def _could_build(t: Table) -> bool:
    """Whether some land could have a level if there were gold."""
    gran = t.best_fort(t.me) == GRAN
    return any(
        not t.view.built >> land & 1 and _bank_has(t, t.fort[land] + 1) and not (gran and t.fort[land] + 1 == GRAN)
        for land in t.lands(t.me)
    )


def _merit(t: Table, land: int, site: int) -> float:
    """How much a land deserves a level: what it protects; a spare castle is as good as a tower."""
    built = sum(t.improvement[land])
    return built + 0.5 * (t.improvement[land][0] > 0) - 0.6 * t.fort[land] + (0.3 if land == site else 0.0)


def _least_treasure(t: Table, legal: Sequence[KingAction], needed: int) -> KingAction | None:
    """The smallest treasure that suffices, or else the greatest, if all together suffice."""
    box = t.box
    values = {a: box.value[box.tiles_named(str(a.args[0]))[0]] for a in legal if a.word == "cash"}
    if sum(values.values()) < needed:
        return None
    enough = [action for action, value in values.items() if value >= needed]
    if enough:
        return min(enough, key=lambda action: (values[action], action))
    return max(values, key=lambda action: (values[action], action)) if values else None


def _placing(t: Table, legal: Sequence[KingAction]) -> KingAction | None:
    """The settlement or mine that gains most, where it is defended best; never one that costs prestige."""
    best: tuple[float, KingAction] | None = None
    for action in legal:
        if action.word != "place":
            continue
        tile = t.box.tiles_named(str(action.args[0]))[0]
        land = t.box.land_named[str(action.args[1])]
        gain = t.box.value[tile] - sum(t.improvement[land])
        if gain < 0:
            continue
        mine = tile >= t.box.mines
        merit = 10.0 * gain + t.fort[land]
        if not mine and t.box.land_terrain[land] == MOUNTAIN:
            merit -= 2.5  # room for a mine
        if best is None or (merit, action) > best:
            best = merit, action
    return None if best is None else best[1]


def workers(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """The Gran Muniment's next level, if it can be; else the fort that deserves it most."""
    lands = {t.box.land_named[str(action.args[0])]: action for action in legal if action.word == "improve"}
    site = gran_land(t)
    if site in lands:
        return lands[site]
    return lands[max(lands, key=lambda n: (t.fort[n] + 0.5 * _merit(t, n, site), -n))]
