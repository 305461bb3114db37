"""Magic items at their moments: stops, the talisman's dead (K10, K40, K43 to K47); the lucky charm is in ``charm``."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.agents.steward.force import NOBODY, Force, clash
from muniment.agents.steward.lineup import Post, assault, guard
from muniment.agents.steward.table import GRAN, Table
from muniment.agents.steward.war import own_units, posts, their_units
from muniment.games.king.actions import FIGHT, KingAction
from muniment.games.king.state import ARMY, DEAD, FIELD, NOWHERE, OWNERS

__all__ = ["revive", "stop"]

_DUST = 1.2  # what has to be at stake for an item to be used, in prestige points
_WALL = 0.8
_MIST = 2.4
_GRAN_AT_STAKE = 1.5
_GOLEM = 0.9
_TALISMAN = 0.7
_DISPELL = 0.9
_PLACES = NOWHERE - 4


def stop(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """What is worth using now, if anything."""
    words = {action.word for action in legal}
    where = t.view.stop
    if where == "answer":
        return _answer(t, legal) if "dispell" in words else t.box.passing
    if where == "dead":
        return t.box.talisman_used if t.box.talisman_used in legal and _talisman(t) >= _TALISMAN else t.box.passing
    if where == "fight":
        return _in_fight(t, legal)
    me, attacker, defender = t.me, t.war("attacker"), t.war("defender")
    if me == defender:
        return _defending(t, legal, words)
    if me == attacker:
        golem = t.box.golem_to[me]
        if golem in legal and where == "initiative":
            return golem
        return t.box.passing
    winning = attacker >= 0 and t.turns_to_win(attacker) < 1
    if winning and "mist" in words and where == "lined" and sum(risk for risk, _ in _risks(t)) > 1:
        return t.box.mist_read
    return t.box.passing


def _forces(t: Table, seat: int, zone: int) -> dict[int, Force]:
    """Who of a seat is lined up where, the steward's own or another's."""
    if seat != t.me:
        return {n: force for n, force in t.facing(seat, field=zone == FIELD).items() if n < _PLACES}
    found: dict[int, Force] = {}
    for tile in t.view.tiles:
        if tile.zone == zone | seat and tile.place < _PLACES:
            found[tile.place] = found.get(tile.place, NOBODY).plus(t.force(tile.tile, tile.place))
    return found


def _risks(t: Table) -> list[tuple[float, Post]]:
    """What each battle still to come is expected to cost the defender, the worst first."""
    attacker, defender, fought = t.war("attacker"), t.war("defender"), t.war("fought")
    coming, standing = _forces(t, attacker, FIELD), _forces(t, defender, ARMY)
    battle = t.view.battle
    found = []
    for post in posts(t, attacker, defender):
        open_now = battle is not None and t.box.land_named[battle.land] == post.land
        force = coming.get(post.land, NOBODY)
        if force.tough > 0 and (open_now or not fought >> post.land & 1):
            there = standing.get(post.land, NOBODY)
            odds = clash(force, there, post.fort)
            found.append((post.loss * odds.capture + there.cost * odds.defender_loss, post))
    found.sort(key=lambda pair: (-pair[0], pair[1].land))
    return found


def _defending(t: Table, legal: Sequence[KingAction], words: set[str]) -> KingAction:
    where = t.view.stop
    if where in ("paid", "initiative"):
        golem = t.box.golem_to[t.me]
        if golem in legal and where == "initiative" and _threat(t) >= _GOLEM:
            return golem
        return t.box.passing
    risks = _risks(t)
    if not risks:
        return t.box.passing
    worst, post = risks[0]
    everything = sum(risk for risk, _ in risks)
    if "dust" in words and worst >= _DUST and t.box.dust_on[post.land] in legal:
        return t.box.dust_on[post.land]
    gran_at_stake = t.fort[post.land] == GRAN and worst > _GRAN_AT_STAKE
    if "mist" in words and where in ("lined", "battle") and (everything >= _MIST or gran_at_stake):
        return t.box.mist_read
    if "wall" in words and worst >= _WALL and t.war("wall_land") < 0 and t.box.wall_on[post.land] in legal:
        return t.box.wall_on[post.land]
    return t.box.passing


def _threat(t: Table) -> float:
    """What an attack that has not been lined up may cost the steward."""
    attacker = t.war("attacker")
    at = posts(t, attacker, t.me)
    standing = guard(at, own_units(t, ARMY), {}).units
    forces = {}
    for land, there in standing.items():
        force = NOBODY
        for one in there:
            force = force.plus(one.force)
        forces[land] = force
    return assault(at, their_units(t, attacker, FIELD), forces, {}).value


def _in_fight(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """Playing the owners of a land that another wants: what lies among them costs nothing."""
    battle = t.view.battle
    if battle is None or battle.defender != t.me:
        return t.box.passing
    if t.box.golem_to[t.me] in legal:
        return t.box.golem_to[t.me]
    dust = next((action for action in legal if action.word == "dust" and action.args[0] == FIGHT), None)
    if dust is not None:
        slug = t.box.slug[t.box.dust]
        drawn = any(tile.zone == OWNERS and tile.tile == slug for tile in t.view.tiles)
        if drawn or t.menace(battle.attacker) > 1:
            return dust
    return t.box.passing


def _answer(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """Dispell for an item that hurts enough."""
    magic = next((f for f in reversed(t.view.frames) if f.kind in ("magic", "charmed")), None)
    if magic is None or magic.kind == "charmed" or magic.seat == t.me:
        return t.box.passing
    wanted = t.box.dispell_on[magic.seat]
    if wanted not in legal:
        return t.box.passing
    item = str(magic.data[0])
    attacker, defender = t.war("attacker"), t.war("defender")
    hurt = 0.0
    if t.me == attacker and magic.seat != t.me:
        if item == "mist":
            hurt = sum(_gains(t).values())
        elif item in ("dust", "wall"):
            gains = _gains(t)
            hurt = gains.get(t.box.land_named.get(str(magic.data[1]), -1), 0.0) * (1 if item == "dust" else 0.6)
    if item == "golem" and magic.data[1] != t.me and t.me in (attacker, defender):
        hurt = _DISPELL
    return wanted if hurt >= _DISPELL else t.box.passing


def _gains(t: Table) -> dict[int, float]:
    """What each battle to come promises the steward, the attacker."""
    coming, standing = _forces(t, t.me, FIELD), _forces(t, t.war("defender"), ARMY)
    fought = t.war("fought")
    return {
        p.land: p.prize * clash(coming[p.land], standing.get(p.land, NOBODY), p.fort).capture
        for p in posts(t, t.me, t.war("defender"))
        if coming.get(p.land, NOBODY).tough > 0 and not fought >> p.land & 1
    }


def _talisman(t: Table) -> float:
    """What the talisman would bring back on average."""
    golem = t.box.slug[t.box.golem] if t.box.golem >= 0 else ""
    costs = sorted(
        (
            t.lore.cost(tile.tile)
            for tile in t.view.tiles
            if tile.zone == DEAD | t.me and t.lore.fights(tile.tile) and tile.tile != golem
        ),
        reverse=True,
    )
    return sum(sum(costs[:die]) for die in range(1, 7)) / 6


def revive(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """The best of the dead, as many as may come back."""
    number = int(t.frame.data[0])
    picked = [str(slug) for slug in t.frame.data[1:]]
    dead = [tile.tile for tile in t.view.tiles if tile.zone == DEAD | t.me and t.lore.fights(tile.tile)]
    wanted = sorted(dead, key=lambda slug: (-t.lore.cost(slug), slug))[:number]
    for slug in picked:
        if slug in wanted:
            wanted.remove(slug)
    return next((a for a in legal if a.word == "revive" and a.args[0] in wanted), t.box.done)
