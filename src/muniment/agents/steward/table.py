"""The table as the steward reads it: a view, with what its decisions ask of it, worked out on demand and once."""

from __future__ import annotations

from functools import cached_property

from muniment.agents.steward.force import NOBODY, Force, force_of, total
from muniment.core.frames import Frame
from muniment.games.king.box import Box
from muniment.games.king.combat import FLYING, MAGIC, SIEGE_MASTER, Fighter, Terms
from muniment.games.king.forecast import Pool
from muniment.games.king.state import ARMY, FIELD, NOWHERE
from muniment.games.king.turn import VICTORY_PRESTIGE
from muniment.games.king.views import KingView, OpenTile
from muniment.games.king.war_state import War

__all__ = ["GRAN", "Lore", "Table"]

GRAN = 4
_WAR = {name: at for at, name in enumerate(War.__slots__)}
_PLAIN = Terms()


class Lore:
    """What follows from the edition and options alone, kept for all games: public knowledge, worked out once."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.pool: Pool = tuple([(box.fighter[t], 1) for t in range(box.settlements)])
        self._average: dict[int, Force] = {}
        self._cost: dict[str, float] = {}

    def fighter(self, slug: str) -> Fighter:
        """The character of this name, as printed."""
        return self.box.fighter[self.box.tiles_named(slug)[0]]

    def fights(self, slug: str) -> bool:
        """Whether the tile can fight: a character, special or not, or a golem."""
        return self.box.fights[self.box.tiles_named(slug)[0]]

    def is_special(self, slug: str) -> bool:
        """Whether it is a special character."""
        return self.box.deck <= self.box.tiles_named(slug)[0] < self.box.lands

    def cost(self, slug: str) -> float:
        """What losing the tile costs its owner, in prestige points: its fighting strength, and a special's point."""
        known = self._cost.get(slug)
        if known is None:
            tile = self.box.tiles_named(slug)[0]
            if not self.box.fights[tile]:
                known = 0.3
            elif tile == self.box.golem:
                known = 0.02
            else:
                f = self.box.fighter[tile]
                known = 0.12 + 0.5 * force_of(f, _PLAIN, 0).hits + (0.1 if f.traits & (MAGIC | FLYING) else 0.0)
                known += 1.1 if tile >= self.box.deck else 0.0
                known += 0.3 if tile == self.box.dwarf_king else 0.0
            self._cost[slug] = known
        return known

    def average(self, mask: int) -> Force:
        """An unknown tile of an army into which these terrains could enter: the mean of what it can be."""
        known = self._average.get(mask)
        if known is None:
            box = self.box
            found = [
                force_of(box.fighter[t], _PLAIN, self.cost(box.slug[t])) if box.fights[t] else NOBODY
                for t in range(box.deck)
                if box.bit[t] & mask
            ]
            known = self._average[mask] = total(found).times(1 / len(found)) if found else NOBODY
        return known


class Table:
    """See the module's text."""

    def __init__(self, view: KingView, lore: Lore) -> None:
        self.view = view
        self.lore = lore
        self.box = view.box
        self.me = view.seat

    @property
    def frame(self) -> Frame:
        """The decision to be made."""
        return self.view.frames[-1]

    @property
    def gold(self) -> int:
        """The steward's gold."""
        return self.view.gold[self.me]

    @cached_property
    def others(self) -> tuple[int, ...]:
        """The opponents still in the game."""
        view = self.view
        return tuple(s for s in range(view.seats) if s != self.me and not view.out >> s & 1)

    # -- holdings

    def lands(self, seat: int) -> list[int]:
        """The numbers of a seat's lands."""
        named = self.box.land_named
        return [named[land.land] for land in self.view.lands[seat]]

    @cached_property
    def fort(self) -> dict[int, int]:
        """The level of the fortification on every land in play."""
        named = self.box.land_named
        return {named[land.land]: land.fort for lands in self.view.lands for land in lands}

    @cached_property
    def improvement(self) -> dict[int, tuple[int, int]]:
        """By land: the value of its settlement and of its mine."""
        box, found = self.box, {}
        for lands in self.view.lands:
            for land in lands:
                settlement = mine = 0
                if land.improvement:
                    tile = box.tiles_named(land.improvement)[0]
                    settlement, mine = (box.value[tile], 0) if tile < box.mines else (0, box.value[tile])
                found[box.land_named[land.land]] = (settlement, mine)
        return found

    def defence(self, land: int) -> int:
        """The value of the forts of a land: fortification, settlement, wall of fire."""
        war = self.view.war
        wall = war[_WAR["wall_value"]] if war is not None and war[_WAR["wall_land"]] == land else 0
        return self.fort[land] + self.improvement[land][0] + wall

    def structures(self, land: int) -> int:
        """The printed values of what stands on a land."""
        return self.fort[land] + sum(self.improvement[land])

    def best_fort(self, seat: int) -> int:
        """The level of the seat's greatest fort."""
        return max((land.fort for land in self.view.lands[seat]), default=0)

    def terrains(self, seat: int) -> int:
        """The terrains of a seat's lands, a bit each."""
        bits = 0
        for land in self.lands(seat):
            bits |= 1 << self.box.land_terrain[land]
        return bits

    @cached_property
    def treasure(self) -> int:
        """The gold that the treasures in the steward's hand would bring."""
        box = self.box
        tiles = [box.tiles_named(slug)[0] for slug in self.view.hand]
        return sum(box.value[t] for t in tiles if box.treasures <= t < box.magic)

    def turns_to_win(self, seat: int) -> float:
        """About how many turns a seat is from victory if nobody stops it, by what is open."""
        view = self.view
        missing = VICTORY_PRESTIGE - view.prestige[seat]
        pace = 1.7 + view.income[seat] / 10
        return max(max(0, missing) / pace, GRAN - self.best_fort(seat))

    def menace(self, seat: int) -> float:
        """How much a point taken from an opponent is worth to the steward; more the nearer that one is to winning."""
        share = 0.65 / max(1, len(self.others))
        return float(share + 1.2 / (1 + self.turns_to_win(seat)) ** 1.5)

    # -- wars

    def war(self, name: str) -> int:
        """A field of the war under way, by its name in ``War``; -1 if there is none."""
        war = self.view.war
        return -1 if war is None else war[_WAR[name]]

    def tiles_of(self, seat: int) -> list[OpenTile]:
        """The open tiles of a seat's army and field."""
        zones = (ARMY | seat, FIELD | seat)
        return [tile for tile in self.view.tiles if tile.zone in zones]

    def home(self, seat: int) -> list[OpenTile]:
        """The open tiles of a seat's army at home."""
        return [tile for tile in self.view.tiles if tile.zone == ARMY | seat]

    def unknown(self, seat: int) -> Force:
        """The average of an opponent's face-down tiles, those known to be there counted as they are."""
        for hidden in self.view.hidden:
            if hidden.seat == seat:
                break
        else:
            return NOBODY
        number = len(hidden.army)
        if not number:
            return NOBODY
        lore = self.lore
        known = [
            force_of(lore.fighter(slug), _PLAIN, lore.cost(slug)) if lore.fights(slug) else NOBODY
            for slug in hidden.known_army
        ]
        masks = [mask for _, mask in hidden.army]
        mean = total([lore.average(mask) for mask in masks]).times(1 / number)
        return total(known).plus(mean.times(max(0, number - len(known)))).times(1 / number)

    def hidden_at(self, seat: int, zone: int) -> dict[int, int]:
        """How many face-down tiles of a seat lie at each place of a zone."""
        for hidden in self.view.hidden:
            if hidden.seat == seat:
                return {place: number for where, place, number in hidden.lies if where == zone | seat}
        return {}

    def force(self, slug: str, land: int = -1, dispelled: bool = False) -> Force:
        """A tile as a group of its own, on this land if one is given."""
        if not self.lore.fights(slug):
            return NOBODY
        terms = self.box.terms[self.box.land_terrain[land]] if land >= 0 else _PLAIN
        return force_of(self.lore.fighter(slug), terms, self.lore.cost(slug), dispelled)

    def is_siege_master(self, slug: str) -> bool:
        """Whether it hits forts before the dice."""
        return bool(self.lore.fighter(slug).traits & SIEGE_MASTER)

    def facing(self, seat: int, *, field: bool) -> dict[int, Force]:
        """What of an opponent has been lined up where; ``NOWHERE`` for what has not."""
        zone = FIELD if field else ARMY
        average = self.unknown(seat)
        found = {place: average.times(number) for place, number in self.hidden_at(seat, zone).items()}
        for tile in self.view.tiles:
            if tile.zone == zone | seat:
                place = tile.place
                found[place] = found.get(place, NOBODY).plus(
                    self.force(tile.tile, place if place < NOWHERE - 4 else -1)
                )
        return found
