"""Phase 4: whom to attack, with what, where to line up, which battle next, whether to stand (K28 to K31, K52)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from muniment.agents.steward.force import NOBODY, Force
from muniment.agents.steward.lineup import Plan, Post, Unit, answer, assault, guard, invade
from muniment.agents.steward.table import GRAN, Table
from muniment.games.king.actions import KingAction
from muniment.games.king.state import ARMY, FIELD, NOWHERE, RESERVE

__all__ = ["add", "attack", "battle", "line", "prospect", "reserve", "run", "send"]

_WORTH_IT = 0.25
"""An attack must promise this much, in prestige points, beyond its pay."""
_POINT = 1.2
"""What a point of holdings is worth: itself, and some turns' income."""
_SAVED = 0.5  # a structure is captured with its land half of the time
_OFF = NOWHERE - 4  # places from here on are no lands


def posts(t: Table, attacker: int, defender: int) -> list[Post]:
    """The defender's lands, with what they are worth to both sides as the steward sees it."""
    have = t.terrains(attacker)
    short = t.turns_to_win(attacker)
    taken = 1.0 if attacker != t.me else t.menace(defender)
    gran_needed = t.best_fort(attacker) < GRAN
    found = []
    lands = t.lands(defender)
    for land in lands:
        built = t.structures(land)
        prize = _POINT * (1 + _SAVED * built)
        if not have >> t.box.land_terrain[land] & 1:
            prize += 0.3
        if t.fort[land] == GRAN:
            prize += 2.0 * gran_needed
        loss = _POINT * (1 + built) + (2.5 if t.fort[land] == GRAN else 0.6 if t.fort[land] == GRAN - 1 else 0.0)
        if len(lands) <= 3:
            loss += 1.0
        prize += taken * loss
        if attacker == t.me and short <= 1:
            prize *= 1.5
        found.append(Post(land, prize, loss, t.defence(land)))
    return found


def own_units(t: Table, zone: int) -> list[Unit]:
    """The steward's tiles in the zone, not yet lined up."""
    return [unit(t, tile.tile) for tile in t.view.tiles if tile.zone == zone | t.me]


def unit(t: Table, slug: str) -> Unit:
    """A tile of the steward's to be lined up."""
    return Unit(slug, t.force(slug), t.lore.fights(slug) and t.is_siege_master(slug))


def their_units(t: Table, seat: int, zone: int, place: int = NOWHERE) -> list[Unit]:
    """An opponent's tiles in the zone that are not lined up, face-down ones as the average."""
    average = t.unknown(seat)
    found = [Unit("?", average)] * t.hidden_at(seat, zone).get(place, 0)
    return found + [unit(t, tile.tile) for tile in t.view.tiles if tile.zone == zone | seat and tile.place == place]


def prospect(t: Table, seat: int, units: Sequence[Unit]) -> float:
    """What an attack on the seat with these units promises, half of the time lining up last."""
    at = posts(t, t.me, seat)
    reply = their_units(t, seat, ARMY)
    standing = guard(at, reply, {}).units
    second = assault(at, units, {land: _force(there) for land, there in standing.items()}, {})
    first = invade(at, units, reply, {})
    return 0.5 * (second.value + first.value)


def _force(units: Sequence[Unit]) -> Force:
    force = NOBODY
    for one in units:
        force = force.plus(one.force)
    return force


def attack(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """Whom to attack, if anybody."""
    targets = [action for action in legal if action.word == "attack"]
    if not targets:
        return t.box.peace
    units = [unit(t, slug) for slug in troops(t)]
    pay = 0.1 * ((len(units) + 1) // 2)
    found = [(prospect(t, int(action.args[0]), units) - pay, action) for action in targets]
    value, action = max(found, key=lambda pair: (pair[0], pair[1]))
    return action if value > _WORTH_IT else t.box.peace


def troops(t: Table) -> list[str]:
    """Everybody who can be paid, the strongest if not all can; sword and bow go along if there is gold left."""
    army = [tile.tile for tile in t.view.tiles if tile.zone == ARMY | t.me]
    army.sort(key=lambda slug: (-t.force(slug).hits, -t.lore.cost(slug), slug))
    return army[: 2 * t.gold]


def send(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """The next of the troops."""
    wanted = Counter(troops(t))
    wanted.subtract(str(slug) for slug in t.frame.data[1:])
    for action in legal:
        if action.word == "send" and wanted[str(action.args[0])] > 0:
            return action
    return t.box.done if t.box.done in legal else next(action for action in legal if action.word == "send")


def reserve(_t: Table, legal: Sequence[KingAction]) -> KingAction:
    """All that may wait: reserves see where the others stand."""
    return next((action for action in legal if action.word == "reserve"), legal[0])


def add(t: Table, _legal: Sequence[KingAction]) -> KingAction:
    """Never: who is lower lines up last, and sees more."""
    return t.box.add_nothing


def run(t: Table, _legal: Sequence[KingAction]) -> KingAction:
    """Away, if even lining up last promises nothing (a golem has come, or tiles have been seen)."""
    seat = t.war("defender")
    at = posts(t, t.me, seat)
    standing = guard(at, their_units(t, seat, ARMY), {}).units
    plan = assault(at, own_units(t, FIELD), {land: _force(there) for land, there in standing.items()}, {})
    return t.box.stand if plan.value > 0 else t.box.run


def battle(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """First the battles that promise most."""
    value = {t.box.land_slug[p.land]: p.prize for p in posts(t, t.me, t.war("defender"))}
    choices = [action for action in legal if action.word == "battle"]
    return max(choices, key=lambda action: (value.get(str(action.args[0]), 0.0), action))


def line_plan(t: Table) -> dict[str, list[int]]:
    """Where each of the steward's tiles goes, by name, lands in the defender's order."""
    me, attacker, defender = t.me, t.war("attacker"), t.war("defender")
    waiting, *done = t.frame.data
    zone = FIELD if me == attacker else ARMY
    other = defender if me == attacker else attacker
    begun = Counter(str(slug) for slug in done)
    units: list[Unit] = []
    fixed: dict[int, Force] = {}
    for tile in t.view.tiles:
        if tile.zone != zone | me:
            continue
        if tile.place == waiting:
            units.append(unit(t, tile.tile))
        elif tile.place < _OFF:
            if begun[tile.tile]:
                begun[tile.tile] -= 1
                units.append(unit(t, tile.tile))
            else:
                fixed[tile.place] = fixed.get(tile.place, NOBODY).plus(t.force(tile.tile))
    facing = t.facing(other, field=me != attacker)
    placed = {land: force for land, force in facing.items() if land < _OFF}
    at = posts(t, attacker, defender)
    plan: Plan
    if placed:
        plan = assault(at, units, placed, fixed) if me == attacker else answer(at, units, placed, fixed)
    elif me == attacker:
        plan = invade(at, units, [*their_units(t, other, ARMY), *their_units(t, other, ARMY, RESERVE)], fixed)
    else:
        plan = guard(at, units, fixed)
    order = {land: number for number, land in enumerate(t.lands(defender))}
    found: dict[str, list[int]] = {}
    for land, there in plan.units.items():
        for one in there:
            found.setdefault(one.slug, []).append(land)
    for lands in found.values():
        lands.sort(key=lambda land: order[land])
    return found


def line(t: Table, legal: Sequence[KingAction], plan: dict[str, list[int]]) -> KingAction:
    """The next tile to its place in the plan."""
    slug = str(legal[0].args[0])
    number = sum(done == slug for done in t.frame.data[1:])
    lands = plan.get(slug, [])
    if number < len(lands):
        wanted = t.box.land_slug[lands[number]]
        for action in legal:
            if action.word == "line" and action.args == (slug, wanted):
                return action
    return legal[0]
