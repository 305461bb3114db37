"""Who stands where: line-ups of attackers and defenders, last (the other side is placed) and first (it will answer).

A *unit* is one tile; a *post* is a land of the defender with what it is worth to either side. All of them work
greedily: the most profitable small group first, then the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from muniment.agents.steward.force import NOBODY, Force, clash

__all__ = ["Plan", "Post", "Unit", "answer", "assault", "expected", "guard", "invade"]

_MOST_POSTS = 8
_MOST_TOGETHER = 6
_BLOOD = 0.5  # of what the other side loses counts this much
_FREE_RISK = 0.97  # an undefended land is almost a sure thing


class Unit(NamedTuple):
    """One tile to be lined up. slug: its name; force: what it can do; siege: whether it hits forts before the dice."""

    slug: str
    force: Force
    siege: bool = False


class Post(NamedTuple):
    """A land that can be fought for. prize: what capturing it is worth to the attacker; loss: to the defender."""

    land: int
    prize: float
    loss: float
    fort: int


@dataclass
class Plan:
    """Where the units stand, by land, and what the steward expects to come of it, in prestige points."""

    units: dict[int, list[Unit]]
    value: float


def _attack_value(post: Post, attackers: Force, defenders: Force, siege: int = 0) -> float:
    """What an attack on one land is worth to the attacker."""
    odds = clash(attackers, defenders, post.fort, siege)
    return (
        post.prize * odds.capture - attackers.cost * odds.attacker_loss
        + _BLOOD * defenders.cost * odds.defender_loss
    )  # fmt: skip


def _defence_value(post: Post, attackers: Force, defenders: Force) -> float:
    """What the battle for one land is worth to the defender: no more than nothing as a rule."""
    odds = clash(attackers, defenders, post.fort)
    return (
        _BLOOD * attackers.cost * odds.attacker_loss - post.loss * odds.capture - defenders.cost * odds.defender_loss
    )  # fmt: skip


def _sum(units: Sequence[Unit]) -> Force:
    force = NOBODY
    for unit in units:
        force = force.plus(unit.force)
    return force


def assault(posts: Sequence[Post], units: Sequence[Unit], standing: dict[int, Force], own: dict[int, Force]) -> Plan:
    """The attacker lines up last: empty lands cost one unit each, defended ones a group that is likely to win.

    standing: the defenders at each land. own: attackers that are there already.
    """
    fighters = sorted([u for u in units if u.force.tough > 0], key=lambda u: (u.force.hits, u.force.cost, u.slug))
    idle = [u for u in units if u.force.tough <= 0]
    placed: dict[int, list[Unit]] = {}
    value = 0.0
    free = [p for p in posts if not p.fort and standing.get(p.land, NOBODY).tough <= 0 and p.land not in own]
    for post in sorted(free, key=lambda p: (-p.prize, p.land)):
        if fighters and post.prize > 0:
            placed[post.land] = [fighters.pop(0)]
            value += post.prize * _FREE_RISK
    contested = [p for p in posts if p.land not in placed]
    contested.sort(key=lambda p: (standing.get(p.land, NOBODY).tough + p.fort - 2 * p.prize, p.land))
    contested = contested[:_MOST_POSTS]
    fighters.reverse()  # the strongest first
    values = {
        p.land: _attack_value(p, own[p.land], standing.get(p.land, NOBODY), 0) if p.land in own else 0.0
        for p in contested
    }
    while fighters:
        best: tuple[float, float, int, int] | None = None
        for at, post in enumerate(contested):
            there = placed.get(post.land, [])
            force = own.get(post.land, NOBODY).plus(_sum(there))
            siege = sum(u.siege for u in there)
            for number, unit in enumerate(fighters[:_MOST_TOGETHER], 1):
                force = force.plus(unit.force)
                siege += unit.siege
                gain = _attack_value(post, force, standing.get(post.land, NOBODY), siege) - values[post.land]
                if gain > 0.05 * number and (best is None or gain / number**0.7 > best[0]):
                    best = (gain / number**0.7, gain, at, number)
        if best is None:
            break
        _, gain, at, number = best
        land = contested[at].land
        placed.setdefault(land, []).extend(fighters[:number])
        del fighters[:number]
        values[land] += gain
        value += gain
    for unit in fighters:  # where the rest does most good, or least harm
        land, gain = _spare(posts, unit, placed, standing, own)
        placed.setdefault(land, []).append(unit)
        value += gain
    _carry(placed, idle, standing, posts)
    return Plan(placed, value)


def _spare(
    posts: Sequence[Post], unit: Unit, placed: dict[int, list[Unit]], standing: dict[int, Force], own: dict[int, Force]
) -> tuple[int, float]:
    found: list[tuple[float, int]] = []
    for post in posts:
        before = own.get(post.land, NOBODY).plus(_sum(placed.get(post.land, [])))
        there = standing.get(post.land, NOBODY)
        if before.tough > 0 or there.tough > 0 or post.fort:
            old = _attack_value(post, before, there)
            found.append((_attack_value(post, before.plus(unit.force), there) - old, -post.land))
        else:
            found.append((post.prize, -post.land))
    gain, land = max(found)
    return -land, gain


def _carry(
    placed: dict[int, list[Unit]], items: Sequence[Unit], facing: dict[int, Force], posts: Sequence[Post]
) -> None:
    """Swords and bows go where there is most fighting."""
    for unit in items:
        busiest = max(
            placed,
            key=lambda n: (facing.get(n, NOBODY).tough > 0, _sum(placed[n]).hits, -n),
            default=posts[0].land,
        )
        placed.setdefault(busiest, []).append(unit)


def answer(posts: Sequence[Post], units: Sequence[Unit], coming: dict[int, Force], own: dict[int, Force]) -> Plan:
    """The defender lines up last: groups where they save most; whoever is not needed stays where nobody comes."""
    fighters = sorted(
        [u for u in units if u.force.tough > 0], key=lambda u: (u.force.hits, u.force.cost, u.slug), reverse=True
    )
    placed: dict[int, list[Unit]] = {}
    attacked = [p for p in posts if coming.get(p.land, NOBODY).tough > 0]
    values = {p.land: _defence_value(p, coming[p.land], own.get(p.land, NOBODY)) for p in attacked}
    value = sum(values.values())
    attacked.sort(key=lambda p: (-p.loss, p.land))
    while fighters:
        best: tuple[float, float, int, int] | None = None
        for at, post in enumerate(attacked[: _MOST_POSTS + 4]):
            force = own.get(post.land, NOBODY).plus(_sum(placed.get(post.land, [])))
            for number, unit in enumerate(fighters[:_MOST_TOGETHER], 1):
                force = force.plus(unit.force)
                gain = _defence_value(post, coming[post.land], force) - values[post.land]
                if gain > 0.02 * number and (best is None or gain / number**0.8 > best[0]):
                    best = (gain / number**0.8, gain, at, number)
        if best is None:
            break
        _, gain, at, number = best
        land = attacked[at].land
        placed.setdefault(land, []).extend(fighters[:number])
        del fighters[:number]
        values[land] += gain
        value += gain
    quiet = [p.land for p in posts if coming.get(p.land, NOBODY).tough <= 0]
    for unit in fighters:
        if quiet:
            land, gain = quiet[0], 0.0
        else:
            found: list[tuple[float, int]] = []
            for post in attacked:
                force = own.get(post.land, NOBODY).plus(_sum(placed.get(post.land, []))).plus(unit.force)
                found.append((_defence_value(post, coming[post.land], force) - values[post.land], -post.land))
            gain, land = max(found)
            land = -land
            values[land] += gain
        placed.setdefault(land, []).append(unit)
        value += gain
    _carry(placed, [u for u in units if u.force.tough <= 0], coming, posts)
    return Plan(placed, value)


def guard(posts: Sequence[Post], units: Sequence[Unit], own: dict[int, Force]) -> Plan:
    """The defender lines up first: the strongest one by one to where most is at stake for what stands there."""
    fighters = sorted(
        [u for u in units if u.force.tough > 0], key=lambda u: (u.force.hits, u.force.cost, u.slug), reverse=True
    )
    placed: dict[int, list[Unit]] = {}
    weight = {p.land: own.get(p.land, NOBODY).hits + 0.35 * p.fort for p in posts}
    for unit in fighters:
        post = max(posts, key=lambda p: (p.loss / (0.3 + weight[p.land]), -p.land))
        placed.setdefault(post.land, []).append(unit)
        weight[post.land] += unit.force.hits + 0.15
    _carry(placed, [u for u in units if u.force.tough <= 0], {}, posts)
    return Plan(placed, 0.0)


def expected(posts: Sequence[Post], mine: dict[int, Force], theirs: dict[int, Force]) -> float:
    """What the battles of a complete line-up are worth to the attacker, whose groups are ``mine``."""
    return sum(
        _attack_value(p, mine[p.land], theirs.get(p.land, NOBODY)) for p in posts if mine.get(p.land, NOBODY).tough > 0
    )


def invade(posts: Sequence[Post], units: Sequence[Unit], reply: Sequence[Unit], own: dict[int, Force]) -> Plan:
    """The attacker lines up first: on as many lands as fare best when the defender answers with ``reply``."""
    fighters = sorted(
        [u for u in units if u.force.tough > 0], key=lambda u: (u.force.hits, u.force.cost, u.slug), reverse=True
    )
    order = sorted(posts, key=lambda p: (-p.prize / (1 + 0.9 * p.fort), p.land))
    best: Plan | None = None
    most = min(len(order), max(1, len(fighters)))
    widths = sorted({min(most, n) for n in (1, 2, 3, 5, 8, 99)})
    for width in widths:
        chosen = order[:width]
        placed: dict[int, list[Unit]] = {p.land: [] for p in chosen}
        strength = {p.land: own.get(p.land, NOBODY).hits for p in chosen}
        for unit in fighters:
            post = min(chosen, key=lambda p: (len(placed[p.land]) > 0, strength[p.land] - 0.3 * p.fort, -p.prize))
            placed[post.land].append(unit)
            strength[post.land] += unit.force.hits + 0.1
        mine = {land: own.get(land, NOBODY).plus(_sum(there)) for land, there in placed.items()}
        theirs = answer(posts, reply, mine, {})
        value = expected(posts, mine, {land: _sum(there) for land, there in theirs.units.items()})
        if best is None or value > best.value:
            best = Plan(placed, value)
    assert best is not None
    _carry(best.units, [u for u in units if u.force.tough <= 0], {}, posts)
    return best
