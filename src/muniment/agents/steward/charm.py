"""The lucky charm: played where one pip changes a result that is worth more than keeping it (K42)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from muniment.agents.steward.table import GRAN, Table
from muniment.games.king.actions import KingAction
from muniment.games.king.combat import FLYING, HAND_STAGE, saves
from muniment.games.king.disasters import DISASTERS
from muniment.games.king.events import event_of

__all__ = ["charm"]

_WORTH_IT = 0.75
"""What the charm must gain, in prestige points: about what it is worth in the hand."""


def charm(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """The best change of one pip, if it gains enough."""
    purpose = t.view.frames[-2]
    judge = _JUDGES.get(purpose.kind)
    if judge is None:
        return t.box.passing
    changes = [action for action in legal if action.word == "charm"]
    best = max(changes, key=lambda action: (judge(t, action), action), default=None)
    return best if best is not None and judge(t, best) >= _WORTH_IT else t.box.passing


def _changed(t: Table, action: KingAction) -> tuple[int, ...]:
    """The dice after the change."""
    dice = list(t.view.roll)
    dice[int(action.args[1]) - 1] += 1 if action.args[0] == "+1" else -1
    return tuple(dice)


def _special(t: Table, action: KingAction) -> float:
    f = t.view.frames[-2]
    if f.seat != t.me:
        return 0.0
    slug = str(f.data[0])
    needed = 2 * t.lore.fighter(slug).value - t.view.prestige[t.me] // 10
    missed = sum(t.view.roll) < needed
    return t.lore.cost(slug) if missed and sum(_changed(t, action)) >= needed else 0.0


def event_value(t: Table, seat: int, event: str) -> float:
    """What an event that a seat has rolled means to the steward."""
    mine = seat == t.me
    if event in DISASTERS:
        terrain = DISASTERS[event]
        lost = dict.fromkeys(range(t.view.seats), 0.0)
        for other in lost:
            for land in t.lands(other):
                if t.box.land_terrain[land] == terrain:
                    lost[other] += (1.2 + 0.8 * t.structures(land) * (t.fort[land] > 0)) / 6
        return sum(lost[other] * t.menace(other) for other in t.others) - lost[t.me]
    if event == "smallpox":
        army = sum(t.lore.cost(tile.tile) for tile in t.tiles_of(t.me)) / 6
        return sum(t.view.army_sizes[other] * 0.08 * t.menace(other) for other in t.others) - army
    if event == "black-plague":
        sizes = t.view.army_sizes
        if sizes[t.me] == max(sizes):
            return -sum(t.lore.cost(tile.tile) for tile in t.tiles_of(t.me)) / 2
        return 0.2
    gain = {
        "good-harvest": t.view.income[seat] / 10,
        "willing-workers": 1.2,
        "good-omen": 0.35,
        "mother-lode": 0.2 * sum(t.improvement[land][1] for land in t.lands(seat)),
        "pennies-from-heaven": 0.1,
        "d6-tax-law": 0.35,
    }.get(event, 0.0)
    return gain if mine else -gain * t.menace(seat)


def _event(t: Table, action: KingAction) -> float:
    seat = t.view.frames[-2].seat
    after = _changed(t, action)
    return event_value(t, seat, event_of(*after)) - event_value(t, seat, event_of(*t.view.roll))


def _volley(t: Table, action: KingAction) -> float:
    """Where the last dice of a battle decide by one hit."""
    battle = t.view.battle
    if battle is None or battle.stage != HAND_STAGE:
        return 0.0
    side = int(t.view.frames[-2].data[0])
    roll = t.view.roll
    hits = sum(roll[1::5]) + sum(roll[2::5])
    after = hits + (1 if action.args[0] == "+1" else -1)
    land = t.box.land_named[battle.land]
    attacking = t.me == battle.attacker
    value = 1.2 if battle.fight else 1.2 * (1 + (0.5 if attacking else 1.0) * t.structures(land)) + 0.4
    if battle.fight:
        forts = 0
    else:
        if t.fort[land] == GRAN:
            value += 1.5
        forts = max(0, t.defence(land) - battle.absorbed)
    if side == 0:
        needed = forts + len(battle.defenders) + sum(bool(x.traits & FLYING) for x in battle.defenders)
        gain = (after >= needed) - (hits >= needed)
        return value * gain * (1 if attacking else -1)
    alive = len(battle.attackers)
    doomed = battle.hits[1] >= len(battle.defenders) and forts == 0
    gain = (after >= alive) - (hits >= alive)
    stake = value if doomed else 0.3
    return stake * gain * (-1 if attacking else 1)


def _capture_save(t: Table, action: KingAction) -> float:
    f = t.view.frames[-2]
    land, what = int(f.data[0]), str(f.data[1])
    settlement, mine = t.improvement[land]
    worth = {"fort": t.fort[land], "settlement": settlement, "mine": mine}.get(what, 0) * 1.1
    if what == "fort" and t.fort[land] == GRAN and t.best_fort(t.me) < GRAN:
        worth += 2
    if f.seat != t.me:
        worth *= -t.menace(f.seat)
    before, after = saves(t.view.roll[0]), saves(_changed(t, action)[0])
    return worth * (after - before)


def _disaster(t: Table, action: KingAction) -> float:
    """Seven strikes a land."""
    land = int(t.view.frames[-2].data[0])
    owner = next((seat for seat in range(t.view.seats) if land in t.lands(seat)), -1)
    if owner < 0:
        return 0.0
    lost = 1.2 + 0.5 * sum(t.improvement[land]) if t.structures(land) == 0 else 1.2 + 0.6 * sum(t.improvement[land])
    if t.fort[land] == GRAN:
        lost += 2
    struck = (sum(_changed(t, action)) == 7) - (sum(t.view.roll) == 7)
    return struck * lost * (-1 if owner == t.me else t.menace(owner))


def _disaster_save(t: Table, action: KingAction) -> float:
    f = t.view.frames[-2]
    if f.seat != t.me:
        return 0.0
    land = int(f.data[0])
    worth = 1.2 * sum(t.improvement[land]) + (0.6 if t.fort[land] <= 1 else 0)
    return worth * (saves(_changed(t, action)[0]) - saves(t.view.roll[0]))


def _deed(t: Table, action: KingAction) -> float:
    """A tie kills thief or assassin, or means that he has to run for his life."""
    f = t.view.frames[-2]
    which, victim, again = (int(d) for d in f.data)
    if f.seat != t.me:
        if victim != t.me or not which or again:
            return 0.0
        mine, other = _changed(t, action)
        return 0.5 if t.view.roll[0] > t.view.roll[1] and mine <= other else 0.0
    before, after = t.view.roll, _changed(t, action)
    if again:
        return 1.7 if before[0] <= before[1] and after[0] > after[1] else 0.0
    if after[0] > after[1] and before[0] == before[1]:
        return 0.9 if which else 0.3
    return 0.0


def _flyer(t: Table, action: KingAction) -> float:
    """The last one that holds a land, or a dear one."""
    battle = t.view.battle
    if battle is None or t.view.frames[-2].seat != t.me:
        return 0.0
    mine = battle.attackers if t.me == battle.attacker else battle.defenders
    worth = 1.0 if len(mine) == 1 else 0.4
    return worth * (saves(_changed(t, action)[0]) - saves(t.view.roll[0]))


_JUDGES: dict[str, Callable[[Table, KingAction], float]] = {
    "special-try": _special,
    "event-dice": _event,
    "volley": _volley,
    "capture-save": _capture_save,
    "disaster-dice": _disaster,
    "disaster-save": _disaster_save,
    "deed-dice": _deed,
    "flyer-save": _flyer,
}
