"""The quick player at home: building, special characters, purchases."""

from __future__ import annotations

from collections.abc import Mapping

from muniment.agents.marshal.reflex.plain import legal_at
from muniment.agents.marshal.reflex.worth import Worth
from muniment.agents.steward.home import WAR_CHEST, chance_of_two_dice
from muniment.agents.steward.table import GRAN
from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction
from muniment.games.king.build import LEVEL_COST
from muniment.games.king.purchase import PRICES
from muniment.games.king.state import CUP, NO_TILE, KingState
from muniment.games.king.tiles import MOUNTAIN
from muniment.games.king.turn import VICTORY_PRESTIGE

__all__ = ["Home"]


class Home:
    """Choices at home. patience: see ``Reflex``; most_tiles: as many are bought in a turn at most."""

    def __init__(self, worth: Worth, patience: Mapping[int, int], most_tiles: int) -> None:
        self.box = worth.box
        self._worth = worth
        self._patience = patience
        self._most_tiles = most_tiles

    def special(self, s: KingState, f: Frame) -> KingAction:
        """The special character that is sought, if any (K16)."""
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
        return chance_of_two_dice(2 * self.box.value[special] - bonus) * self._worth.cost[special]

    def build(self, s: KingState, f: Frame) -> KingAction:
        """What is placed, built or cashed next."""
        seat, box = f.seat, self.box
        winning = self._winning_treasure(s, seat)
        if winning is not None:
            return winning
        hand, lands, gold = s.hand[seat], s.lands[seat], s.gold[seat]
        put = self._placing(s, seat) if hand else None
        if put is not None:
            return put
        if self._waits(s, seat):
            return box.done
        fort, built, bank = s.fort, s.built, s.bank
        site = self._site(s, seat)
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

    def _site(self, s: KingState, seat: int) -> int:
        """The land of the greatest fort, or the best one for it."""
        fort = s.fort
        return max(s.lands[seat], key=lambda land: (fort[land], s.settlement(land), s.mine(land), -land))

    def _winning_treasure(self, s: KingState, seat: int) -> KingAction | None:
        """With a Gran Muniment, a treasure of those that make up 30 prestige points."""
        if not s.grans >> seat & 1:
            return None
        box, value = self.box, self.box.value
        treasures = [tile for tile in s.hand[seat] if box.treasures <= tile < box.magic]
        gold = s.gold[seat] + sum([value[tile] for tile in treasures])
        if not treasures or s.worth[seat] + s.nobles[seat] + gold // 10 < VICTORY_PRESTIGE:
            return None
        return box.cash[treasures[-1]]

    def _placing(self, s: KingState, seat: int) -> KingAction | None:
        """The settlement or mine from the hand that gains most where it goes best."""
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

    def workers(self, s: KingState, f: Frame) -> KingAction:
        """The greatest fort is improved."""
        box, fort = self.box, s.fort
        legal = [action for action in legal_at(s, f) if action.word == "improve"]
        named = box.land_named
        return max(legal, key=lambda action: fort[named[str(action.args[0])]])

    def purchase(self, s: KingState, f: Frame) -> KingAction:
        """As many tiles as leave the gold that is needed."""
        seat, gold, cup = f.seat, s.gold[f.seat], len(s.cup)
        saving = not s.grans >> seat & 1 and not self._waits(s, seat)
        keep = max(WAR_CHEST, LEVEL_COST - s.worth[seat]) if saving else WAR_CHEST
        number = 0
        for count in range(1, self._most_tiles + 1):
            if gold - PRICES[count] >= keep and count <= cup:
                number = count
        return self.box.purchase[number]
