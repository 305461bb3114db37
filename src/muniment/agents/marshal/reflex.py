"""The quick player inside the search: plays a re-dealt state on by rules of thumb, a few microseconds a decision.

It acts on a full state, since that costs no view, but looks only at what the seat to act may see: its own tiles, what
is open, and how many face-down tiles lie where. A face-down tile of another counts as the average character.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from muniment.agents.steward.force import force_of
from muniment.agents.steward.home import WAR_CHEST, chance_of_two_dice
from muniment.agents.steward.table import GRAN, Lore
from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction
from muniment.games.king.box import Box
from muniment.games.king.build import LEVEL_COST
from muniment.games.king.combat import FLYING, SWORD_MASTER, Terms
from muniment.games.king.losses import placing_of
from muniment.games.king.purchase import PRICES
from muniment.games.king.state import CUP, NO_TILE, SHOWN, KingState
from muniment.games.king.steps import CHOICES
from muniment.games.king.tiles import MOUNTAIN
from muniment.games.king.turn import VICTORY_PRESTIGE

__all__ = ["Plan", "Reflex"]

Plan = dict[int, int]
"""Where each tile of a line-up goes: land by tile."""

_PLAIN: Final = Terms()
_MOST_DICE: Final = 120
_MOST_HITS: Final = 60
_POINT: Final = 1.2
_SAVED: Final = 0.5
_WORTH_IT: Final = 0.25


def _tails(dice: int) -> tuple[float, ...]:
    """The chance that so many dice show at least 0, 1, 2... sixes."""
    chances = [1.0]
    for _ in range(dice):
        chances = [
            (chances[at] * 5 / 6 if at < len(chances) else 0.0) + (chances[at - 1] / 6 if at else 0.0)
            for at in range(len(chances) + 1)
        ]
    tails, rest = [0.0] * (_MOST_HITS + 1), 0.0
    for at in range(len(chances) - 1, -1, -1):
        rest += chances[at]
        if at <= _MOST_HITS:
            tails[at] = min(1.0, rest)
    return tuple(tails)


_TAILS: Final = tuple([_tails(dice) for dice in range(_MOST_DICE + 1)])


def at_least(dice: float, hits: float) -> float:
    """The chance of so many hits, rounded up, with so many dice that hit on a six."""
    tails = _TAILS[min(_MOST_DICE, int(dice + 0.5))]
    return tails[min(_MOST_HITS, int(hits + 0.999))] if hits > 0 else 1.0


class Reflex:
    """See the module's text. One object serves any number of games of one box, one after the other."""

    def __init__(self, box: Box, patience: Mapping[int, int] | None = None, most_tiles: int = 2) -> None:
        self.box = box
        self._patience = patience or {}
        self._most_tiles = most_tiles
        lore = Lore(box)
        tiles = range(box.lands)
        forces = [force_of(box.fighter[t], _PLAIN, 0.0) if box.fights[t] else None for t in tiles]
        self.dice = tuple([6 * force.hits if force else 0.0 for force in forces])
        self.tough = tuple([force.tough if force else 0.0 for force in forces])
        self.cost = tuple([lore.cost(box.slug[t]) if box.fights[t] else 0.3 for t in tiles])
        characters = range(box.settlements)
        number = max(1, box.settlements)
        self.mean_dice = sum([self.dice[t] for t in characters]) / number
        self.mean_tough = sum([self.tough[t] for t in characters]) / number
        self.mean_cost = sum([self.cost[t] for t in characters]) / number
        self._plans: dict[int, Plan] = {}
        self._choices: dict[str, Callable[[KingState, Frame], KingAction]] = {
            "muster": self._muster,
            "special": self._special,
            "build": self._build,
            "workers": self._workers,
            "for-sale": self._for_sale,
            "bid": self._bid,
            "commit": self._commit,
            "purchase": self._purchase,
            "war": self._war,
            "send": self._send,
            "reserve": self._second,
            "add": self._last,
            "line": self._line,
            "hit": self._hit,
            "stop": self._stop,
            "charm": self._first,
            "revive": self._revive,
            "deed-choice": self._second,
            "offer": self._first,
            "deal": self._deal,
        }

    def choose(self, s: KingState) -> KingAction:
        """What the seat that is asked does."""
        f = s.frames[-1]
        return self._choices.get(f[0], self._first)(s, f)

    # -- plain ones

    def _legal(self, s: KingState, f: Frame) -> list[KingAction]:
        return CHOICES[f[0]][0](s, f)

    def _first(self, s: KingState, f: Frame) -> KingAction:
        return self._legal(s, f)[0]

    def _second(self, s: KingState, f: Frame) -> KingAction:
        legal = self._legal(s, f)
        return legal[1] if len(legal) > 1 else legal[0]

    def _last(self, s: KingState, f: Frame) -> KingAction:
        return self._legal(s, f)[-1]

    def _muster(self, s: KingState, f: Frame) -> KingAction:
        return self._second(s, f)

    def _deal(self, s: KingState, f: Frame) -> KingAction:
        return self.box.decline

    # -- at home

    def _special(self, s: KingState, f: Frame) -> KingAction:
        box, zone = self.box, s.zone
        bonus = s.prestige(f.seat) // 10
        best, found = 0.0, -1
        for tile in range(box.deck, box.lands):
            if zone[tile] == CUP:
                merit = self.merit(tile, bonus)
                if merit > best:
                    best, found = merit, tile
        return box.seek[found] if found >= 0 else box.passing

    def merit(self, special: int, bonus: int) -> float:
        """What a try for a special character promises, with so much added to the dice (K16)."""
        return chance_of_two_dice(2 * self.box.value[special] - bonus) * self.cost[special]

    def site(self, s: KingState, seat: int) -> int:
        """The land of the greatest fort, or the best one for it."""
        fort = s.fort
        return max(s.lands[seat], key=lambda land: (fort[land], s.settlement(land), s.mine(land), -land))

    def winning_treasure(self, s: KingState, seat: int) -> KingAction | None:
        """With a Gran Muniment, a treasure of those that make up 30 prestige points."""
        if not s.grans >> seat & 1:
            return None
        box, value = self.box, self.box.value
        treasures = [tile for tile in s.hand[seat] if box.treasures <= tile < box.magic]
        gold = s.gold[seat] + sum([value[tile] for tile in treasures])
        if not treasures or s.worth[seat] + s.nobles[seat] + gold // 10 < VICTORY_PRESTIGE:
            return None
        return box.cash[treasures[-1]]

    def _build(self, s: KingState, f: Frame) -> KingAction:
        seat, box = f.seat, self.box
        winning = self.winning_treasure(s, seat)
        if winning is not None:
            return winning
        hand, lands, gold = s.hand[seat], s.lands[seat], s.gold[seat]
        put = self._placing(s, seat) if hand else None
        if put is not None:
            return put
        if self._waits(s, seat):
            return box.done
        fort, built, bank = s.fort, s.built, s.bank
        site = self.site(s, seat)
        gran = s.grans >> seat & 1
        ready = not gran and not built >> site & 1 and bank[fort[site] + 1]
        if gold >= LEVEL_COST:
            if ready:
                return box.fort[site]
            if gold >= LEVEL_COST + WAR_CHEST:
                best, found = -9.0, -1
                for land in lands:
                    level = fort[land] + 1
                    if level <= GRAN and bank[level] and not built >> land & 1 and not (gran and level == GRAN):
                        merit = s.settlement(land) * 1.5 + s.mine(land) - 0.6 * fort[land] + 0.3 * (land == site)
                        if merit > best:
                            best, found = merit, land
                if found >= 0:
                    return box.fort[found]
        elif ready and hand and hand[-1] >= box.treasures:
            value = box.value
            treasures = [tile for tile in hand if box.treasures <= tile < box.magic]
            enough = [tile for tile in treasures if gold + value[tile] >= LEVEL_COST]
            if enough:
                return box.cash[min(enough, key=lambda tile: value[tile])]
        return box.done

    def _waits(self, s: KingState, seat: int) -> bool:
        """Whether gold is better spent on tiles than on fortifications."""
        patience = self._patience.get(s.seats, 0)
        return s.prestige(seat) < patience and max([s.fort[land] for land in s.lands[seat]]) < GRAN - 1

    def _placing(self, s: KingState, seat: int) -> KingAction | None:
        box, imp, value, fort = self.box, s.imp, self.box.value, s.fort
        best, found = -1.0, None
        for tile in s.hand[seat]:
            if tile < box.settlements:
                continue
            if tile >= box.treasures:
                break
            mine = tile >= box.mines
            for land in s.lands[seat]:
                mountain = box.land_terrain[land] == MOUNTAIN
                old = imp[land]
                if (mine and not mountain) or (
                    old != NO_TILE
                    and ((old >= box.mines) == mine and (mine or value[tile] <= value[old]))
                ):  # fmt: skip
                    continue
                gain = value[tile] - (0 if old == NO_TILE else value[old])
                if gain < 0:
                    continue
                merit = 10.0 * gain + fort[land] - (2.5 if mountain and not mine else 0.0)
                if merit > best:
                    best, found = merit, box.put[tile][land]
        return found

    def _workers(self, s: KingState, f: Frame) -> KingAction:
        box, fort = self.box, s.fort
        legal = [action for action in self._legal(s, f) if action.word == "improve"]
        named = box.land_named
        return max(legal, key=lambda action: fort[named[str(action.args[0])]])

    # -- land and tiles

    def land_worth(self, s: KingState, seat: int, land: int) -> int:
        """The gold that a land is worth to the seat."""
        worth = 12 if s.soil[seat] >> self.box.land_terrain[land] & 1 else 13
        if not s.grans >> seat & 1:
            worth = min(worth, max(7, s.gold[seat] + s.worth[seat] - LEVEL_COST))
        return worth

    def _for_sale(self, s: KingState, f: Frame) -> KingAction:
        land, price = int(f.data[0]), int(f.data[1])
        affordable = price <= s.gold[f.seat] and price <= self.land_worth(s, f.seat, land)
        return self.box.buy if affordable else self.box.passing

    def _bid(self, s: KingState, f: Frame) -> KingAction:
        land, high = int(f.data[1]), int(f.data[2])
        if high < s.gold[f.seat] and high < self.land_worth(s, f.seat, land):
            return self.box.bid(high + 1)
        return self.box.passing

    def _commit(self, s: KingState, f: Frame) -> KingAction:
        legal = self._legal(s, f)
        if len(legal) == 1:
            return legal[0]
        squad = self.squad(s, f.seat, int(f.data[0]))
        return self.picking(s, legal, squad, f.data[2:])

    def picking(
        self, s: KingState, legal: Sequence[KingAction], wanted: Sequence[int], picked: Sequence[int | str]
    ) -> KingAction:
        """The next pick of the wanted tiles, in the order in which they are offered; the last action once done."""
        slugs = self.box.slug
        names = [slugs[tile] for tile in wanted]
        for tile in picked:
            slug = slugs[int(tile)]
            if slug in names:
                names.remove(slug)
        for action in legal:
            if action.word in ("commit", "send") and action.args[0] in names:
                return action
        if self.box.done in legal:
            return self.box.done
        return legal[0]

    def squad(self, s: KingState, seat: int, land: int) -> list[int]:
        """Who fights for a land: as many of the strongest as pay, or nobody."""
        box, dice, tough, cost = self.box, self.dice, self.tough, self.cost
        number = sum([box.fights[t] and t != box.golem for t in s.owners])
        their_dice, their_tough = number * self.mean_dice, number * self.mean_tough
        army = sorted([t for t in s.army[seat] if box.fights[t]], key=lambda t: -dice[t])
        best, size = 0.05, 0
        my_dice = my_tough = my_cost = 0.0
        for at, tile in enumerate(army, 1):
            my_dice += dice[tile]
            my_tough += tough[tile]
            my_cost += cost[tile]
            value = 1.3 * at_least(my_dice, their_tough) * (1 - at_least(their_dice, my_tough))
            value -= my_cost * min(1.0, their_dice / 6 / my_tough)
            if value > best + 0.02:
                best, size = value, at
        chosen = army[:size]
        return chosen + [t for t in (box.sword, box.bow) if t in s.army[seat]] if chosen else chosen

    def _purchase(self, s: KingState, f: Frame) -> KingAction:
        seat, gold, cup = f.seat, s.gold[f.seat], len(s.cup)
        saving = not s.grans >> seat & 1 and not self._waits(s, seat)
        keep = max(WAR_CHEST, LEVEL_COST - s.worth[seat]) if saving else WAR_CHEST
        number = 0
        for count in range(1, self._most_tiles + 1):
            if gold - PRICES[count] >= keep and count <= cup:
                number = count
        return self.box.purchase[number]

    # -- war

    def menace(self, s: KingState, seat: int) -> float:
        """What a point taken from the seat is worth to another."""
        missing = max(0, VICTORY_PRESTIGE - s.prestige(seat))
        best = max([s.fort[land] for land in s.lands[seat]], default=0)
        turns = max(missing / (1.7 + s.worth[seat] / 10), GRAN - best)
        others = s.seats - 1 - s.out.bit_count()
        return float(0.65 / max(1, others) + 1.2 / (1 + turns) ** 1.5)

    def prize(self, s: KingState, attacker: int, land: int, taken: float) -> float:
        """What capturing a land is worth."""
        fort = s.fort[land]
        built = fort + s.settlement(land) + s.mine(land)
        value = _POINT * (1 + _SAVED * built)
        if not s.soil[attacker] >> self.box.land_terrain[land] & 1:
            value += 0.3
        if fort == GRAN and not s.grans >> attacker & 1:
            value += 2.0
        return value + taken * self.loss(s, land)

    def loss(self, s: KingState, land: int) -> float:
        """What its loss costs its owner."""
        fort = s.fort[land]
        built = fort + s.settlement(land) + s.mine(land)
        return _POINT * (1 + built) + (2.5 if fort == GRAN else 0.6 if fort == GRAN - 1 else 0.0)

    def prospect(self, s: KingState, seat: int, other: int) -> float:
        """A rough guess at what an attack on another promises."""
        fights = self.box.fights
        army = [tile for tile in s.army[seat] if fights[tile]]
        fighters = min(len(army), 2 * s.gold[seat])
        if not fighters:
            return 0.0
        lands, guards = s.lands[other], len(s.army[other])
        taken = self.menace(s, other)
        prizes = sorted([self.prize(s, seat, land, taken) for land in lands], reverse=True)
        open_lands = sum([not s.fort[land] and not s.settlement(land) for land in lands])
        free = max(0, min(fighters, open_lands - guards * 3 // 4))
        swamped = max(0, min(fighters - guards, len(lands)))
        mean = sum(prizes) / len(prizes)
        strength = sum([self.dice[t] for t in army]) / 6
        weakness = guards * self.mean_tough * 0.7 + 0.5
        contested = min(len(lands) - free, fighters / 2) * strength / (strength + 2 * weakness)
        return mean * (0.5 * free + 0.5 * swamped + 0.35 * contested) - 0.1 * (fighters + 1) // 2

    def _war(self, s: KingState, f: Frame) -> KingAction:
        box, seat = self.box, f.seat
        if s.gold[seat] < 1 or not any(box.fights[t] for t in s.army[seat]):
            return box.peace
        best, found = _WORTH_IT, box.peace
        for other in range(s.seats):
            if other != seat and not s.out >> other & 1:
                value = self.prospect(s, seat, other)
                if value > best:
                    best, found = value, box.attack[other]
        return found

    def troops(self, s: KingState, seat: int) -> list[int]:
        """Everybody who can be paid, the strongest if not all can."""
        army, most = s.army[seat], 2 * s.gold[seat]
        if len(army) <= most:
            return army
        return sorted(army, key=lambda t: -self.dice[t])[:most]

    def _send(self, s: KingState, f: Frame) -> KingAction:
        legal = self._legal(s, f)
        army = s.army[f.seat]
        if len(army) <= 2 * s.gold[f.seat]:
            return legal[1] if legal[0] is self.box.done and len(legal) > 1 else legal[0]
        return self.picking(s, legal, self.troops(s, f.seat), f.data[1:])

    def _line(self, s: KingState, f: Frame) -> KingAction:
        seat, data = f.seat, f.data
        w, place = s.war, s.place
        assert w is not None
        tiles = s.field if seat == w.attacker else s.army[w.defender]
        waiting = data[0]
        tile = next(t for t in tiles if place[t] == waiting)
        plan = self._plans.get(seat)
        if plan is None or tile not in plan or len(data) == 1:
            plan = self._plans[seat] = self.line_plan(s, seat, int(waiting))
        return self.box.line[tile][plan[tile]]

    def line_plan(self, s: KingState, seat: int, waiting: int) -> Plan:
        """Where the seat's tiles that wait go."""
        w, place, box = s.war, s.place, self.box
        assert w is not None
        mine, other, field = (s.field, w.defender, False) if seat == w.attacker else (s.army[seat], w.attacker, True)
        units = [t for t in mine if place[t] == waiting]
        facing: dict[int, tuple[float, float]] = {}
        known, dice, tough = s.known, self.dice, self.tough
        for t in s.field if field else s.army[other]:
            at = place[t]
            if at < 250:
                d, h = facing.get(at, (0.0, 0.0))
                if t >= box.deck or known[t] == SHOWN:
                    facing[at] = d + dice[t], h + tough[t]
                else:
                    facing[at] = d + self.mean_dice, h + self.mean_tough
        fighters = sorted([t for t in units if box.fights[t]], key=lambda t: -dice[t])
        lands = s.lands[w.defender]
        lined = facing or w.lined == 3
        if seat == w.attacker:
            taken = self.menace(s, w.defender)
            prizes = {land: self.prize(s, seat, land, taken) for land in lands}
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

    def defence(self, s: KingState, land: int) -> int:
        """The forts of a land."""
        w = s.war
        wall = w.wall_value if w is not None and w.wall_land == land else 0
        return s.fort[land] + s.settlement(land) + wall

    def _assault(
        self, s: KingState, fighters: list[int], lands: list[int], prizes: dict[int, float],
        facing: dict[int, tuple[float, float]],
    ) -> Plan:  # fmt: skip
        """The defenders stand: the weakest take what is empty, groups of the strongest the rest."""
        plan: Plan = {}
        left = fighters[:]
        empty = [land for land in lands if land not in facing and not self.defence(s, land)]
        empty.sort(key=lambda land: -prizes[land])
        for land in empty:
            if not left:
                return plan
            plan[left.pop()] = land
        dice, tough, cost = self.dice, self.tough, self.cost
        contested = [land for land in lands if land in facing or self.defence(s, land)]
        while left and contested:
            best, found, size = 0.0, -1, 0
            for land in contested:
                their_dice, their_tough = facing.get(land, (0.0, 0.0))
                fort = self.defence(s, land)
                my_dice = my_tough = my_cost = 0.0
                for number, t in enumerate(left[:6], 1):
                    my_dice += dice[t]
                    my_tough += tough[t]
                    my_cost += cost[t]
                    odds = at_least(my_dice, their_tough + fort) * (1 - at_least(their_dice + fort, my_tough))
                    gain = prizes[land] * odds - my_cost * min(1.0, (their_dice + fort) / 6 / my_tough)
                    gain += 0.5 * self.mean_cost * min(their_tough, max(0.0, my_dice / 6 - fort))
                    merit = gain / number**0.7
                    if merit > best and gain > 0.05 * number:
                        best, found, size = merit, land, number
            if found < 0:
                break
            for t in left[:size]:
                plan[t] = found
            left = left[size:]
            contested.remove(found)
        if left:
            spot = next(iter(plan.values())) if plan else min(lands, key=lambda land: facing.get(land, (0.0, 0.0))[0])
            if empty:
                spot = empty[0]
            for t in left:
                plan[t] = spot
        return plan

    def _invade(self, s: KingState, fighters: list[int], lands: list[int], prizes: dict[int, float]) -> Plan:
        """The defenders will answer: spread if they are few, else in pairs."""
        w = s.war
        assert w is not None
        guards = len(s.army[w.defender])
        number = len(fighters)
        width = number if guards < number else max(1, (number + 1) // 2)
        order = sorted(lands, key=lambda land: -prizes[land] / (1 + 0.9 * self.defence(s, land)))[:width]
        return {t: order[at % len(order)] for at, t in enumerate(fighters)}

    def _answer(
        self, s: KingState, fighters: list[int], lands: list[int], facing: dict[int, tuple[float, float]]
    ) -> Plan:
        """The attackers stand: groups where they save most; the rest where nobody comes."""
        plan: Plan = {}
        left = fighters[:]
        dice, tough, cost = self.dice, self.tough, self.cost
        attacked = [land for land in lands if land in facing]
        while left and attacked:
            best, found, size = 0.0, -1, 0
            for land in attacked:
                their_dice, their_tough = facing[land]
                fort = self.defence(s, land)
                loss = self.loss(s, land)
                falls = at_least(their_dice, fort) * (1 - at_least(fort, their_tough)) if fort else 1.0
                my_dice, my_tough, my_cost = float(fort), 0.0, 0.0
                for number, t in enumerate(left[:5], 1):
                    my_dice += dice[t]
                    my_tough += tough[t]
                    my_cost += cost[t]
                    odds = at_least(their_dice, my_tough + fort) * (1 - at_least(my_dice, their_tough))
                    gain = loss * (falls - odds) - my_cost * min(1.0, max(0.0, their_dice / 6 - fort) / my_tough)
                    gain += 0.5 * self.mean_cost * min(their_tough, my_dice / 6)
                    merit = gain / number**0.8
                    if merit > best and gain > 0.02 * number:
                        best, found, size = merit, land, number
            if found < 0:
                break
            for t in left[:size]:
                plan[t] = found
            left = left[size:]
            attacked.remove(found)
        if left:
            quiet = next((land for land in lands if land not in facing), None)
            spot = quiet if quiet is not None else next(iter(plan.values()), lands[0])
            for t in left:
                plan[t] = spot
        return plan

    def _guard(self, s: KingState, fighters: list[int], lands: list[int]) -> Plan:
        """The attackers will answer: the strongest one by one to where most is at stake for what stands there."""
        plan: Plan = {}
        weight = {land: 0.35 * self.defence(s, land) + 0.3 for land in lands}
        loss = {land: self.loss(s, land) for land in lands}
        for t in fighters:
            spot = max(lands, key=lambda land: loss[land] / weight[land])
            plan[t] = spot
            weight[spot] += self.dice[t] / 6 + 0.15
        return plan

    # -- in battle

    def _hit(self, s: KingState, f: Frame) -> KingAction:
        b, side = s.battle, int(f.data[0])
        assert b is not None
        legal = self._legal(s, f)
        _, placing, who = placing_of(s, b, f)
        fighters, cost = b.sides[side], self.cost
        best, found = 99.0, 0
        for at, recipient in enumerate(who):
            if recipient < 0:
                price = 0.3
            else:
                fighter = fighters[recipient]
                price = cost[fighter.tile]
                if fighter.traits & SWORD_MASTER and not fighter.wounds and placing.step < 2:
                    price = 0.0
                elif fighter.traits & FLYING:
                    price /= 2
            if price < best:
                best, found = price, at
        return legal[found]

    def _revive(self, s: KingState, f: Frame) -> KingAction:
        return self._second(s, f)

    def _stop(self, s: KingState, f: Frame) -> KingAction:
        box, seat, w = self.box, f.seat, s.war
        stop = f.data[0]
        if stop == "dead":
            legal = self._legal(s, f)
            return legal[1] if len(legal) > 1 and len(s.dead) > 1 else legal[0]
        if w is None or stop == "answer":
            return box.passing
        hand = s.hand[seat]
        if stop == "initiative" and seat in (w.attacker, w.defender) and box.golem in hand:
            return box.golem_to[seat] if box.golem_to[seat] in self._legal(s, f) else box.passing
        if seat == w.defender and stop in ("lined", "battle") and (box.dust in hand or box.wall in hand):
            worst = self._worst(s)
            if worst >= 0:
                legal = self._legal(s, f)
                if box.dust in hand and box.dust_on[worst] in legal:
                    return box.dust_on[worst]
                if box.wall in hand and w.wall_land < 0 and box.wall_on[worst] in legal:
                    return box.wall_on[worst]
        return box.passing

    def _worst(self, s: KingState) -> int:
        """The land of the defender whose loss threatens most, if it is worth an item; -1 if none is."""
        w, place = s.war, s.place
        assert w is not None
        coming: dict[int, int] = {}
        for t in s.field:
            if place[t] < 250 and not w.fought >> place[t] & 1:
                coming[place[t]] = coming.get(place[t], 0) + 1
        best, found = 2.0, -1
        for land, number in coming.items():
            there = sum([place[t] == land for t in s.army[w.defender]])
            if number > there and self.loss(s, land) > best:
                best, found = self.loss(s, land), land
        return found
