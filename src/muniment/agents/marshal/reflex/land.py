"""The quick player and a land that can be had: for gold, or by a fight with those who own it."""

from __future__ import annotations

from muniment.agents.marshal.reflex.odds import at_least
from muniment.agents.marshal.reflex.plain import legal_at, next_pick
from muniment.agents.marshal.reflex.worth import Worth
from muniment.core.frames import Frame
from muniment.games.king.actions import BID, KingAction
from muniment.games.king.build import LEVEL_COST
from muniment.games.king.state import KingState

__all__ = ["Land"]


class Land:
    """Choices about a land."""

    def __init__(self, worth: Worth) -> None:
        self.box = worth.box
        self._worth = worth

    def for_sale(self, s: KingState, f: Frame) -> KingAction:
        """Whether to buy it at its price."""
        land, price = int(f.data[0]), int(f.data[1])
        affordable = price <= s.gold[f.seat] and price <= self._gold(s, f.seat, land)
        return self.box.buy if affordable else self.box.passing

    def bid(self, s: KingState, f: Frame) -> KingAction:
        """One gold more than the last bid, as long as the land is worth it."""
        land, high = int(f.data[1]), int(f.data[2])
        if high < s.gold[f.seat] and high < self._gold(s, f.seat, land):
            return BID(high + 1)
        return self.box.passing

    def commit(self, s: KingState, f: Frame) -> KingAction:
        """The next tile of the squad."""
        legal = legal_at(s, f)
        if len(legal) == 1:
            return legal[0]
        squad = self._squad(s, f.seat, int(f.data[0]))
        return next_pick(self.box, legal, squad, f.data[2:])

    def _gold(self, s: KingState, seat: int, land: int) -> int:
        """The gold that a land is worth to the seat."""
        worth = 12 if s.soil[seat] >> self.box.land_terrain[land] & 1 else 13
        if not s.grans >> seat & 1:
            worth = min(worth, max(7, s.gold[seat] + s.worth[seat] - LEVEL_COST))
        return worth

    def _squad(self, s: KingState, seat: int, land: int) -> list[int]:
        """Who fights for a land: as many of the strongest as pay, or nobody."""
        box, worth = self.box, self._worth
        dice, tough, cost = worth.dice, worth.tough, worth.cost
        number = sum([box.fights[t] and t != box.golem for t in s.owners])
        their_dice, their_tough = number * worth.mean_dice, number * worth.mean_tough
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
