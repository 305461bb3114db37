"""The quick player in war: whom it attacks, who goes, what it does while both sides stand, who takes the hits."""

from __future__ import annotations

from typing import Final

from muniment.agents.marshal.reflex.lineup import Lineup, Plan
from muniment.agents.marshal.reflex.plain import legal_at, next_pick
from muniment.agents.marshal.reflex.worth import Worth
from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction
from muniment.games.king.combat import FLYING, SWORD_MASTER
from muniment.games.king.losses import placing_of
from muniment.games.king.state import CALLED, KingState

__all__ = ["War"]

_WORTH_IT: Final = 0.25


class War:
    """Choices in war and battle. It remembers the line-up that a seat is in the middle of."""

    def __init__(self, worth: Worth, lineup: Lineup) -> None:
        self.box = worth.box
        self._worth = worth
        self._lineup = lineup
        self._plans: dict[int, Plan] = {}

    def war(self, s: KingState, f: Frame) -> KingAction:
        """Whom to attack, if it promises enough."""
        box, seat = self.box, f.seat
        if s.gold[seat] < 1 or not any(box.fights[t] for t in s.army[seat]):
            return box.peace
        best, found = _WORTH_IT, box.peace
        for other in range(s.seats):
            if other != seat and not s.out >> other & 1:
                value = self._prospect(s, seat, other)
                if value > best:
                    best, found = value, box.attack[other]
        return found

    def _prospect(self, s: KingState, seat: int, other: int) -> float:
        """A rough guess at what an attack on another promises."""
        fights = self.box.fights
        army = [tile for tile in s.army[seat] if fights[tile]]
        fighters = min(len(army), 2 * s.gold[seat])
        if not fighters:
            return 0.0
        lands, guards = s.lands[other], len(s.army[other])
        taken = self._worth.menace(s, other)
        prizes = sorted([self._worth.prize(s, seat, land, taken) for land in lands], reverse=True)
        open_lands = sum([not s.fort[land] and not s.settlement(land) for land in lands])
        free = max(0, min(fighters, open_lands - guards * 3 // 4))
        swamped = max(0, min(fighters - guards, len(lands)))
        mean = sum(prizes) / len(prizes)
        strength = sum([self._worth.dice[t] for t in army]) / 6
        weakness = guards * self._worth.mean_tough * 0.7 + 0.5
        contested = min(len(lands) - free, fighters / 2) * strength / (strength + 2 * weakness)
        return mean * (0.5 * free + 0.5 * swamped + 0.35 * contested) - 0.1 * (fighters + 1) // 2

    def send(self, s: KingState, f: Frame) -> KingAction:
        """The next tile that goes."""
        legal = legal_at(s, f)
        army = s.army[f.seat]
        if len(army) <= 2 * s.gold[f.seat]:
            return legal[1] if legal[0] is self.box.done and len(legal) > 1 else legal[0]
        return next_pick(self.box, legal, self._troops(s, f.seat), f.data[1:])

    def _troops(self, s: KingState, seat: int) -> list[int]:
        """Everybody who can be paid, the strongest if not all can."""
        army, most = s.army[seat], 2 * s.gold[seat]
        if len(army) <= most:
            return army
        return sorted(army, key=lambda t: -self._worth.dice[t])[:most]

    def line(self, s: KingState, f: Frame) -> KingAction:
        """Where the next tile of the line-up goes, as planned at its beginning."""
        seat, data = f.seat, f.data
        w, place = s.war, s.place
        assert w is not None
        tiles = s.field if seat == w.attacker else s.army[w.defender]
        waiting = data[0]
        tile = next(t for t in tiles if place[t] == waiting)
        plan = self._plans.get(seat)
        if plan is None or tile not in plan or len(data) == 1:
            plan = self._plans[seat] = self._lineup.plan(s, seat, int(waiting))
        return self.box.line[tile][plan[tile]]

    def hit(self, s: KingState, f: Frame) -> KingAction:
        """Who takes a hit: whoever is missed least."""
        b, side = s.battle, int(f.data[0])
        assert b is not None
        legal = legal_at(s, f)
        _, placing, who = placing_of(s, b, f)
        fighters, cost = b.sides[side], self._worth.cost
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

    def stop(self, s: KingState, f: Frame) -> KingAction:
        """The magic item that is used at a stop, if any (K10)."""
        box, seat, w = self.box, f.seat, s.war
        stop = f.data[0]
        if stop == "dead":
            legal = legal_at(s, f)
            return legal[1] if len(legal) > 1 and len(s.dead) > 1 else legal[0]
        if w is None or stop == "answer":
            return box.passing
        hand = s.hand[seat]
        if stop == "initiative" and seat in (w.attacker, w.defender) and box.golem in hand:
            return box.golem_to[seat] if box.golem_to[seat] in legal_at(s, f) else box.passing
        if seat == w.defender and stop in ("lined", "battle") and (box.dust in hand or box.wall in hand):
            worst = self._worst(s)
            if worst >= 0:
                legal = legal_at(s, f)
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
            if place[t] < CALLED and not w.fought >> place[t] & 1:
                coming[place[t]] = coming.get(place[t], 0) + 1
        best, found = 2.0, -1
        for land, number in coming.items():
            there = sum([place[t] == land for t in s.army[w.defender]])
            if number > there and self._worth.loss(s, land) > best:
                best, found = self._worth.loss(s, land), land
        return found
