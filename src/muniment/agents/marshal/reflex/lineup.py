"""Where the quick player lines its tiles up (K29, K30)."""

from __future__ import annotations

from collections.abc import Callable

from muniment.agents.marshal.reflex.odds import at_least
from muniment.agents.marshal.reflex.worth import Worth
from muniment.games.king.state import CALLED, SHOWN, KingState

__all__ = ["Lineup", "Plan"]

Plan = dict[int, int]
"""Where each tile of a line-up goes: land by tile."""
Facing = dict[int, tuple[float, float]]
"""The other side's dice and toughness, by land on which it stands."""


class Lineup:
    """Line-ups of attackers and defenders."""

    def __init__(self, worth: Worth) -> None:
        self.box = worth.box
        self._worth = worth

    def plan(self, s: KingState, seat: int, waiting: int) -> Plan:
        """Where the seat's tiles that wait go."""
        w, place, box, worth = s.war, s.place, self.box, self._worth
        assert w is not None
        mine, other, field = (s.field, w.defender, False) if seat == w.attacker else (s.army[seat], w.attacker, True)
        units = [t for t in mine if place[t] == waiting]
        facing: Facing = {}
        known, dice, tough = s.known, worth.dice, worth.tough
        for t in s.field if field else s.army[other]:
            at = place[t]
            if at < CALLED:
                d, h = facing.get(at, (0.0, 0.0))
                if t >= box.deck or known[t] == SHOWN:
                    facing[at] = d + dice[t], h + tough[t]
                else:
                    facing[at] = d + worth.mean_dice, h + worth.mean_tough
        fighters = sorted([t for t in units if box.fights[t]], key=lambda t: -dice[t])
        lands = s.lands[w.defender]
        lined = facing or w.lined == 3
        if seat == w.attacker:
            taken = worth.menace(s, w.defender)
            prizes = {land: worth.prize(s, seat, land, taken) for land in lands}
            plan = (
                self._assault(s, fighters, lands, prizes, facing) if lined else self._invade(s, fighters, lands, prizes)
            )
        elif lined:
            plan = self._answer(s, fighters, lands, facing)
        else:
            plan = self._guard(s, fighters, lands)
        if len(plan) < len(units):
            spot = max(plan.values(), key=lambda land: facing.get(land, (0.0, 0.0))[1]) if plan else lands[0]
            for t in units:
                plan.setdefault(t, spot)
        return self.ordered(plan, lands)

    def ordered(self, plan: Plan, lands: list[int]) -> Plan:
        """The plan as it can be carried out: of equal tiles the later one never before the earlier one (K30)."""
        kind, alike = self.box.kind, dict[int, list[int]]()
        for t in sorted(plan):
            alike.setdefault(kind[t], []).append(t)
        for tiles in alike.values():
            if len(tiles) > 1:
                spots = sorted([plan[t] for t in tiles], key=lands.index)
                plan.update(zip(tiles, spots, strict=True))
        return plan

    def _invade(self, s: KingState, fighters: list[int], lands: list[int], prizes: dict[int, float]) -> Plan:
        """The defenders will answer: spread if they are few, else in pairs."""
        w = s.war
        assert w is not None
        guards = len(s.army[w.defender])
        number = len(fighters)
        width = number if guards < number else max(1, (number + 1) // 2)
        order = sorted(lands, key=lambda land: -prizes[land] / (1 + 0.9 * self._worth.defence(s, land)))[:width]
        return {t: order[at % len(order)] for at, t in enumerate(fighters)}

    def _guard(self, s: KingState, fighters: list[int], lands: list[int]) -> Plan:
        """The attackers will answer: the strongest one by one to where most is at stake for what stands there."""
        plan: Plan = {}
        weight = {land: 0.35 * self._worth.defence(s, land) + 0.3 for land in lands}
        loss = {land: self._worth.loss(s, land) for land in lands}
        for t in fighters:
            spot = max(lands, key=lambda land: loss[land] / weight[land])
            plan[t] = spot
            weight[spot] += self._worth.dice[t] / 6 + 0.15
        return plan

    def _assault(
        self, s: KingState, fighters: list[int], lands: list[int], prizes: dict[int, float], facing: Facing
    ) -> Plan:
        """The defenders stand: the weakest take what is empty, groups of the strongest the rest."""
        worth = self._worth
        plan: Plan = {}
        left = fighters[:]
        empty = [land for land in lands if land not in facing and not worth.defence(s, land)]
        empty.sort(key=lambda land: -prizes[land])
        for land in empty:
            if not left:
                return plan
            plan[left.pop()] = land

        def gain(land: int, dice: float, tough: float, cost: float) -> float:
            their_dice, their_tough = facing.get(land, (0.0, 0.0))
            fort = worth.defence(s, land)
            odds = at_least(dice, their_tough + fort) * (1 - at_least(their_dice + fort, tough))
            value = prizes[land] * odds - cost * min(1.0, (their_dice + fort) / 6 / tough)
            return value + 0.5 * worth.mean_cost * min(their_tough, max(0.0, dice / 6 - fort))

        contested = [land for land in lands if land not in empty]
        plan |= self._groups(left, contested, gain, most=6, least=0.05, power=0.7)
        if empty:
            spot = empty[0]
        else:
            spot = next(iter(plan.values())) if plan else min(lands, key=lambda land: facing.get(land, (0.0, 0.0))[0])
        return plan | dict.fromkeys(left, spot)

    def _answer(self, s: KingState, fighters: list[int], lands: list[int], facing: Facing) -> Plan:
        """The attackers stand: groups where they save most; the rest where nobody comes."""
        worth = self._worth
        left = fighters[:]

        def gain(land: int, dice: float, tough: float, cost: float) -> float:
            their_dice, their_tough = facing[land]
            fort = worth.defence(s, land)
            falls = at_least(their_dice, fort) * (1 - at_least(fort, their_tough)) if fort else 1.0
            odds = at_least(their_dice, tough + fort) * (1 - at_least(dice + fort, their_tough))
            value = worth.loss(s, land) * (falls - odds) - cost * min(1.0, max(0.0, their_dice / 6 - fort) / tough)
            return value + 0.5 * worth.mean_cost * min(their_tough, (dice + fort) / 6)

        attacked = [land for land in lands if land in facing]
        plan = self._groups(left, attacked, gain, most=5, least=0.02, power=0.8)
        quiet = next((land for land in lands if land not in facing), None)
        spot = quiet if quiet is not None else next(iter(plan.values()), lands[0])
        return plan | dict.fromkeys(left, spot)

    def _groups(
        self, left: list[int], lands: list[int], gain: Callable[[int, float, float, float], float], *,
        most: int, least: float, power: float,
    ) -> Plan:  # fmt: skip
        """Groups of the strongest, one after the other to where one gains most for its size; takes them off ``left``.

        gain: of a land and a group's dice, toughness and cost. most: tiles in a group. least: gain for each of them.
        power: of the size, by which the gain is divided.
        """
        tile_dice, tile_tough, tile_cost = self._worth.dice, self._worth.tough, self._worth.cost
        plan: Plan = {}
        lands = lands[:]
        while left and lands:
            best, found, size = 0.0, -1, 0
            for land in lands:
                dice = tough = cost = 0.0
                for number, t in enumerate(left[:most], 1):
                    dice += tile_dice[t]
                    tough += tile_tough[t]
                    cost += tile_cost[t]
                    value = gain(land, dice, tough, cost)
                    merit = value / number**power
                    if merit > best and value > least * number:
                        best, found, size = merit, land, number
            if found < 0:
                break
            plan |= dict.fromkeys(left[:size], found)
            del left[:size]
            lands.remove(found)
        return plan
