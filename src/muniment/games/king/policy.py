"""Casualty policies: stated ways of choosing who takes the hits (K37, K38), for odds and for players that want one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from muniment.games.king.casualties import Placing, Targets
from muniment.games.king.combat import (
    BOW,
    CHARGE,
    FLYING,
    HAND_STAGE,
    HAS_SHOT,
    NO_SHOT,
    RANGED,
    RANGED_STAGE,
    SWORD,
    SWORD_MASTER,
    Fighter,
    hit_threshold,
)

__all__ = ["Policy", "cheapest_first", "spent_first", "worth"]

Policy = Callable[[tuple[Fighter, ...], int, Targets, int], Placing]
"""Who takes the hits: (fighters, stage, who can take hits, number of hits) to a complete placing.

It may look at everything but charge dice, tiles and kinds: an odds calculation does not know these. It treats
fighters alike that differ in nothing else."""

_FREE: Final = -(1 << 20)
_FIRST: Final = -(1 << 10)


def worth(fighter: Fighter) -> int:
    """Twelve times the hits expected of his dice: printed value, 3½ for a charge, by threshold with his gear.

    Options of the game and a dispell are left out.
    """
    shoots = fighter.traits & RANGED or fighter.shoots != NO_SHOT
    threshold = hit_threshold(fighter, RANGED_STAGE if shoots else HAND_STAGE, dispelled=False)
    return (2 * fighter.value + (7 if fighter.traits & CHARGE else 0)) * (7 - threshold)


def cheapest_first(fighters: tuple[Fighter, ...], _stage: int, who: Targets, hits: int) -> Placing:
    """Each hit goes to whom it costs least in expected fighting strength (``worth``). The usual policy.

    A first hit costs an unwounded Sword Master nothing, a flyer half his worth, since he may be saved, and
    anybody else all of it. An excess hit costs a flyer his other half and the Sword Master all. Equal costs:
    the one listed first. Sword and bow take hits only where this leaves a character unhit when otherwise all
    would be hit: as few of them as will do, the bow before the sword.
    """
    return _place(fighters, who, hits, ())


def spent_first(fighters: tuple[Fighter, ...], stage: int, who: Targets, hits: int) -> Placing:
    """As ``cheapest_first``, but in the ranged stage whoever has rolled his dice goes before those still to roll.

    It fights for this battle and does not mind what archers are worth in the next. The Sword Master's first
    hit is free all the same.
    """
    if stage != RANGED_STAGE:
        return _place(fighters, who, hits, ())
    spent = [at for at, f in enumerate(fighters) if f.traits & RANGED or f.shoots == HAS_SHOT]
    return _place(fighters, who, hits, spent)


def _place(fighters: tuple[Fighter, ...], who: Targets, hits: int, spent: Collection[int]) -> Placing:
    size = len(who.first)
    items = 0
    if who.items and hits >= size == len(fighters):
        usable = [bit for bit in (BOW, SWORD) if who.items & bit]
        needed = hits - size + 1
        if needed <= len(usable):
            items = sum(usable[:needed])
            hits -= needed
    if hits < size:
        once = _cheapest(fighters, who.first, hits, spent, excess=False) if hits else 0
        return Placing(0, 1 if hits else 0, size if hits else 0, once, 0, items)
    left = hits - size
    twice = _cheapest(fighters, who.excess, left, spent, excess=True) if left else 0
    once = sum([1 << at for at in who.first])
    return Placing(max(0, left - len(who.excess)), 2, len(who.excess), once, twice, items)


def _cheapest(
    fighters: tuple[Fighter, ...], order: tuple[int, ...], hits: int, spent: Collection[int], *, excess: bool
) -> int:
    if hits >= len(order):
        return sum([1 << at for at in order])
    costs: list[tuple[int, int]] = []
    for at in order:
        fighter = fighters[at]
        if fighter.traits & SWORD_MASTER and not fighter.wounds and not excess:
            cost = _FREE
        else:
            cost = worth(fighter) * (1 if fighter.traits & FLYING else 2) + (_FIRST if at in spent else 0)
        costs.append((cost, at))
    costs.sort()
    return sum([1 << at for _, at in costs[:hits]])
