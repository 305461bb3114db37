"""Casualties: laying the hits of a stage on an army, one by one, by its owner's choice (K37, K38, K44).

The owner's choice is a sequence of small ones. ``targets`` says once per stage who can take hits; ``begin``
opens the placing; then ``recipients`` lists who may take the next hit and ``place`` lays it there, until
there is no recipient: hits left then are lost. Every final assignment has exactly one path: sword and bow
first, then the characters in the order of ``Targets``, interchangeable ones merged; ``assigned`` finds it. ``forced``
goes on as long as there is no choice. ``settle`` says who is dead, wounded or rolls to be saved; ``survivors``, who
stands after that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from muniment.games.king.combat import BOW, FLYING, GOLEM, RANGED_STAGE, SWORD, SWORD_MASTER, Fighter

__all__ = [
    "BOW_TAKES",
    "SWORD_TAKES",
    "Losses",
    "Placing",
    "Targets",
    "assigned",
    "begin",
    "forced",
    "place",
    "recipients",
    "resumed",
    "settle",
    "survivors",
    "targets",
]

SWORD_TAKES: Final = -1
BOW_TAKES: Final = -2


class Targets(NamedTuple):
    """Who can take hits in one stage; positions are those in the tuple of fighters.

    first: everybody who takes a first hit, interchangeable fighters next to each other.
    excess: those of them who can take a second one: the unwounded Sword Master, flyers.
    new_first, new_excess: for each of these, whether it differs from the one before.
    items: ``SWORD`` and ``BOW`` that may take a hit instead, added up.
    """

    first: tuple[int, ...]
    excess: tuple[int, ...]
    new_first: tuple[bool, ...]
    new_excess: tuple[bool, ...]
    items: int


class Placing(NamedTuple):
    """Hits of one stage, partly placed.

    left: hits still to place. step: 0 while nobody but sword and bow has been hit, 1 while first hits are
    placed, 2 with the excess. at: where in ``first``, at step 2 in ``excess``, the next recipient is sought.
    once, twice: fighters with at least one hit, with two, a bit each by position. items: sword and bow, if
    hit.
    """

    left: int
    step: int = 0
    at: int = 0
    once: int = 0
    twice: int = 0
    items: int = 0


class Losses(NamedTuple):
    """What the hits of a stage come to (K37, K38), by position.

    dead: killed without more ado. rolls: flyers that roll to be saved. wounded: the Sword Master, if he took
    his first hit and lives, else -1. items: ``SWORD`` and ``BOW`` destroyed, added up.
    """

    dead: tuple[int, ...]
    rolls: tuple[int, ...]
    wounded: int
    items: int


def targets(fighters: tuple[Fighter, ...], stage: int, dispelled: bool = False) -> Targets:
    """Who of an army can take hits in a stage.

    A golem takes none in the ranged stage (K44) and none at all while it does not count (K43). A sword or
    bow can take one as long as its bearer is there; it gives nothing, not even that, while its owner is
    dispelled (K38, K43).
    """
    barred = GOLEM if dispelled or stage == RANGED_STAGE else 0
    first: list[int] = []
    excess: list[int] = []
    items = 0
    for at, fighter in enumerate(fighters):
        traits = fighter.traits
        items |= fighter.gear
        if not traits & barred:
            first.append(at)
            if traits & FLYING or (traits & SWORD_MASTER and not fighter.wounds):
                excess.append(at)
    if dispelled:
        items = 0
    looks = [fighter[1:] for fighter in fighters]
    if len(set(looks)) == len(looks):
        return Targets(tuple(first), tuple(excess), (True,) * len(first), (True,) * len(excess), items)
    first.sort(key=lambda at: looks.index(looks[at]))  # interchangeable ones go to the place of the first of them
    excess.sort(key=lambda at: looks.index(looks[at]))
    return Targets(tuple(first), tuple(excess), _changes(first, looks), _changes(excess, looks), items)


def _changes(order: Sequence[int], looks: Sequence[tuple[int, ...]]) -> tuple[bool, ...]:
    return tuple([not i or looks[at] != looks[order[i - 1]] for i, at in enumerate(order)])


def begin(who: Targets, hits: int) -> Placing:
    """The placing of so many hits, none placed yet; those that forts absorb are not among them (K35)."""
    return Placing(hits) if who.first else Placing(hits, 2)


def recipients(who: Targets, placing: Placing) -> tuple[int, ...]:
    """Who may take the next hit: positions, ``SWORD_TAKES``, ``BOW_TAKES``; none when the placing is complete.

    First one to each character, the owner choosing; the excess to the Sword Master or to flyers, evenly (K37). An item
    may take a hit in place of a character (K38): not if, even so, there are hits enough for all of them. Of
    interchangeable fighters only the next in order is listed.
    """
    left, step, at, _, _, items = placing
    if not left:
        return ()
    found: list[int] = []
    if not step and who.items & ~items:
        room = len(who.first) + len(who.excess)
        if not items and who.items & SWORD and left - (2 if who.items & BOW else 1) < room:
            found.append(SWORD_TAKES)
        if not items & BOW and who.items & BOW and left - 1 < room:
            found.append(BOW_TAKES)
        if items and left >= room:
            return tuple(found)
    order, new = (who.excess, who.new_excess) if step == 2 else (who.first, who.new_first)
    size = len(order)
    if at < size:
        found.append(order[at])
        # passing over somebody is possible only while enough others remain for the hits left
        found.extend([order[i] for i in range(at + 1, size - left + 1) if new[i]])
    return tuple(found)


def place(who: Targets, placing: Placing, recipient: int) -> Placing:
    """The placing after one of its ``recipients`` takes the next hit."""
    left, step, at, once, twice, items = placing
    if recipient < 0:
        return Placing(left - 1, 0, 0, 0, 0, items | (SWORD if recipient == SWORD_TAKES else BOW))
    if step == 2:
        return Placing(left - 1, 2, who.excess.index(recipient, at) + 1, once, twice | 1 << recipient, items)
    at = who.first.index(recipient, at) + 1
    once |= 1 << recipient
    if at == len(who.first):
        return Placing(left - 1, 2, 0, once, 0, items)
    return Placing(left - 1, 1, at, once, 0, items)


def forced(who: Targets, placing: Placing) -> Placing:
    """The placing carried on as long as its owner has no choice: complete, or at a real choice."""
    if not placing.step and not who.items and placing.left >= len(who.first):  # everybody is hit: the common case
        left = placing.left - len(who.first)
        once = sum([1 << at for at in who.first])
        placing = Placing(left, 2, 0, once)
        if left >= len(who.excess):
            number = len(who.excess)
            return Placing(left - number, 2, number, once, sum([1 << at for at in who.excess]))
    while True:
        choices = recipients(who, placing)
        if len(choices) != 1:
            return placing
        placing = place(who, placing, choices[0])


def resumed(who: Targets, hits: int, chosen: Sequence[int]) -> Placing:
    """The placing after its owner's choices so far, carried on as long as there is no choice."""
    placing = forced(who, begin(who, hits))
    for recipient in chosen:
        placing = forced(who, place(who, placing, recipient))
    return placing


def assigned(
    who: Targets, placing: Placing, wanted: Sequence[str], named: Callable[[int], str]
) -> tuple[list[str], list[str]]:
    """The owner's choices that lay a hit on each of the wanted, and those of them that can take none together.

    wanted: names of recipients, in any order. named: a recipient's name. Where there is no choice, the next one takes
    his hit whether wanted or not, and is none of the choices.
    """
    rest, choices = Counter(wanted), list[str]()
    while found := recipients(who, placing):
        recipient = found[0] if len(found) == 1 else next((one for one in found if rest[named(one)] > 0), None)
        if recipient is None:
            break
        name = named(recipient)
        rest[name] -= 1
        if len(found) > 1:
            choices.append(name)
        placing = place(who, placing, recipient)
    return choices, list((+rest).elements())


def settle(fighters: tuple[Fighter, ...], placing: Placing) -> Losses:
    """What a complete placing comes to (K37).

    One hit kills; but the Sword Master dies of the second in the battle, and a flyer with one hit in this
    stage rolls a saving roll, with two it dies without.
    """
    once, twice = placing.once, placing.twice
    if not once:
        return Losses((), (), -1, placing.items)
    dead: list[int] = []
    rolls: list[int] = []
    wounded = -1
    for at, fighter in enumerate(fighters):
        bit = 1 << at
        if not once & bit:
            continue
        if twice & bit:
            dead.append(at)
        elif fighter.traits & SWORD_MASTER and not fighter.wounds:
            wounded = at
        elif fighter.traits & FLYING:
            rolls.append(at)
        else:
            dead.append(at)
    return Losses(tuple(dead), tuple(rolls), wounded, placing.items)


def survivors(fighters: tuple[Fighter, ...], losses: Losses, saved: int) -> tuple[Fighter, ...]:
    """The army after a stage, in the same order.

    saved: the flyers whose saving roll succeeded (``combat.saves``), a bit each by position. A sword or bow
    of the dead is gone from this battle with its bearer, unbroken (K38); one that took a hit is gone from
    its bearer.
    """
    dead, rolls, wounded, items = losses
    if not dead and not rolls and wounded < 0 and not items:
        return fighters
    standing: list[Fighter] = []
    for at, fighter in enumerate(fighters):
        if at in dead or (at in rolls and not saved >> at & 1):
            continue
        if at == wounded:
            fighter = fighter._replace(wounds=fighter.wounds + 1)  # noqa: PLW2901
        if fighter.gear & items:
            fighter = fighter._replace(gear=fighter.gear & ~items)  # noqa: PLW2901
        standing.append(fighter)
    return tuple(standing)
