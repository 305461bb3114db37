"""What tiles, lands and their capture are worth to whom, as far as the seat that asks may see it."""

from __future__ import annotations

from typing import Final

from muniment.agents.steward.force import force_of
from muniment.agents.steward.table import GRAN, Lore
from muniment.games.king.box import Box
from muniment.games.king.combat import Terms
from muniment.games.king.state import KingState
from muniment.games.king.turn import VICTORY_PRESTIGE

__all__ = ["Worth"]

_PLAIN: Final = Terms()
_POINT: Final = 1.2
_SAVED: Final = 0.5


class Worth:
    """The figures of one box.

    By tile: dice, as many dice that hit on a six as its own hits come to; tough, the hits it takes; cost, what its loss
    costs. The means are those of all characters: what a face-down tile counts as.
    """

    def __init__(self, box: Box) -> None:
        self.box = box
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

    def defence(self, s: KingState, land: int) -> int:
        """The forts of a land."""
        w = s.war
        wall = w.wall_value if w is not None and w.wall_land == land else 0
        return s.fort[land] + s.settlement(land) + wall

    def loss(self, s: KingState, land: int) -> float:
        """What its loss costs its owner."""
        fort = s.fort[land]
        built = fort + s.settlement(land) + s.mine(land)
        return _POINT * (1 + built) + (2.5 if fort == GRAN else 0.6 if fort == GRAN - 1 else 0.0)

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

    def menace(self, s: KingState, seat: int) -> float:
        """What a point taken from the seat is worth to another."""
        missing = max(0, VICTORY_PRESTIGE - s.prestige(seat))
        best = max([s.fort[land] for land in s.lands[seat]], default=0)
        turns = max(missing / (1.7 + s.worth[seat] / 10), GRAN - best)
        others = s.seats - 1 - s.out.bit_count()
        return float(0.65 / max(1, others) + 1.2 / (1 + turns) ** 1.5)
