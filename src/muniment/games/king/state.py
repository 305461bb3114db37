"""What is on the table: flat numbers for speed, with accessors and moves that read like the rules.

A tile is in a *zone*, one byte a tile: its cup or the bank, a hand, an army, the field, and so on. Hands, armies, lands
and cups are also kept as sorted lists; only the moves of this module change either, so they always agree. Gold,
the worth of holdings, the number of special characters, the terrains of a seat's lands (``soil``) and who has a Gran
Muniment (``grans``, a bit a seat) are kept up.

For what seats have seen (design.md, "Views") every tile carries when it last left its cup (``fill``), what an army
could take in when it entered (``mask``), who knows it (``known``), and each seat's last sight of it going into the cup
(``seen``), all on the ``clock``, which moves on with every draw and return.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, insort
from collections.abc import Hashable, Iterable
from typing import Final

from muniment.core.events import EventLog, Fact
from muniment.core.frames import Frame
from muniment.games.king.box import Box
from muniment.games.king.tiles import ARMS_BIT
from muniment.games.king.war_state import Battle, War

__all__ = [
    "ARMY",
    "ASIDE",
    "CALLED",
    "CUP",
    "DEAD",
    "FIELD",
    "HAND",
    "KNOWN_IN_ARMY",
    "KNOWN_IN_HAND",
    "LANDS",
    "NOWHERE",
    "NO_TILE",
    "ON_LAND",
    "OWNERS",
    "RESERVE",
    "SHOWN",
    "KingState",
]

# Zones. From HAND on, the seat is added.
CUP: Final = 0  # in its cup, or special characters: in the bank
ON_LAND: Final = 1  # a settlement or mine on the land ``place``
OWNERS: Final = 2  # drawn for a fight (K26)
ASIDE: Final = 3  # an instruction or land drawn, a scroll or wall in effect
HAND: Final = 8
ARMY: Final = 16
FIELD: Final = 24  # sent to a war or a fight
DEAD: Final = 32  # set aside until the war is over (K40)
LANDS: Final = 40

NO_TILE: Final = 255
NOWHERE: Final = 255  # of ``place``: not lined up
RESERVE: Final = 254  # of ``place``: in reserve (K52)
CALLED: Final = 253  # of ``place``: a golem among the owners of a land that fights for them (K26)

# ``known``, two bits a seat: 0 not known; 1 known to be its owner's, 2 known to be in the army, 3 lies open.
KNOWN_IN_HAND: Final = 0x55
KNOWN_IN_ARMY: Final = 0xAA
SHOWN: Final = 0xFF


def _clockwise(seats: int, out: int) -> tuple[tuple[int, ...], ...]:
    """For each seat to begin with: the seats of which none is out (a bit each), clockwise."""
    return tuple(
        [tuple([s % seats for s in range(seat, seat + seats) if not out >> s % seats & 1]) for seat in range(seats)]
    )


# by the number of seats, then by who is out
_ORDERS = [[_clockwise(seats, out) for out in range(1 << seats)] for seats in range(5)]


class KingState:
    """See the module's text; ``box`` is shared and never changes. ``log`` is where events go while rules run."""

    __slots__ = (
        "acting", "army", "bank", "barred", "battle", "box", "built", "clock", "cup", "dead", "dispelled", "field",
        "fill", "first", "fort", "frames", "given", "gold", "grans", "hand", "imp", "known", "land_cup", "lands", "log",
        "mask", "nobles", "out", "over", "owners", "phase", "place", "roll", "seats", "seen", "soil", "standing",
        "tally", "turn", "war", "worth", "zone",
    )  # fmt: skip

    def __init__(self, box: Box, seats: int) -> None:
        self.box = box
        self.seats = seats
        self.turn = 0
        self.phase = 0
        self.first = 0
        self.acting = 0
        self.clock = 0
        self.zone = bytearray(box.size)
        self.place = bytearray([NOWHERE]) * box.lands
        self.fort = bytearray(box.land_count)
        self.imp = bytearray([NO_TILE]) * box.land_count
        self.bank = list(box.edition.forts)
        self.gold = [0] * seats
        self.worth = [0] * seats
        self.nobles = [0] * seats
        self.soil = [0] * seats
        self.grans = 0
        self.lands: list[list[int]] = [[] for _ in range(seats)]
        self.hand: list[list[int]] = [[] for _ in range(seats)]
        self.army: list[list[int]] = [[] for _ in range(seats)]
        self.cup = list(range(box.deck))
        self.land_cup = list(range(box.lands, box.size))
        self.fill = array("I", [0]) * box.lands
        self.mask = bytearray(box.lands)
        self.known = bytearray(box.lands)
        self.seen = [array("I", [0]) * box.deck for _ in range(seats)]
        self.frames: list[Frame] = []
        self.roll: list[int] = []
        self.tally: list[int] = [0] * seats
        self.out = 0
        self.built = 0
        self.barred = 0
        self.dispelled = -1
        self.given = 0
        self.standing = bytearray(seats)
        self.field: list[int] = []
        self.owners: list[int] = []
        self.dead: list[int] = []
        self.war: War | None = None
        self.battle: Battle | None = None
        self.over: tuple[str, tuple[int, ...]] | None = None
        self.log: EventLog | None = None

    def copy(self) -> KingState:
        """An independent copy."""
        new = KingState.__new__(KingState)
        new.box, new.seats, new.turn, new.phase = self.box, self.seats, self.turn, self.phase
        new.first, new.acting, new.clock, new.grans = self.first, self.acting, self.clock, self.grans
        new.out, new.built, new.barred = self.out, self.built, self.barred
        new.dispelled, new.given, new.over, new.log = self.dispelled, self.given, self.over, None
        new.zone, new.place, new.fort, new.imp = self.zone[:], self.place[:], self.fort[:], self.imp[:]
        new.fill, new.mask, new.known = self.fill[:], self.mask[:], self.known[:]
        new.bank, new.gold, new.worth, new.nobles = self.bank[:], self.gold[:], self.worth[:], self.nobles[:]
        new.soil = self.soil[:]
        new.cup, new.land_cup = self.cup[:], self.land_cup[:]
        new.frames, new.roll, new.tally = self.frames[:], self.roll[:], self.tally[:]
        new.field, new.owners, new.dead = self.field[:], self.owners[:], self.dead[:]
        new.standing = self.standing[:]
        new.lands = [x[:] for x in self.lands]
        new.hand = [x[:] for x in self.hand]
        new.army = [x[:] for x in self.army]
        new.seen = [x[:] for x in self.seen]
        war, battle = self.war, self.battle
        new.war = None if war is None else war.copy()
        new.battle = None if battle is None else battle.copy()
        return new

    def key(self) -> Hashable:
        """Everything as one hashable value."""
        return (
            self.seats, self.turn, self.phase, self.first, self.acting, self.clock, self.out, self.built, self.barred,
            self.dispelled, self.given, self.over, bytes(self.zone), bytes(self.place), bytes(self.fort),
            bytes(self.imp), self.fill.tobytes(), bytes(self.mask), bytes(self.known), tuple(self.gold),
            tuple(self.frames), tuple(self.roll), tuple(self.tally), bytes(self.standing),
            tuple(tuple(x) for x in self.lands), tuple(x.tobytes() for x in self.seen),
            None if self.war is None else self.war.values(), None if self.battle is None else self.battle.values(),
        )  # fmt: skip

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KingState) and self.box is other.box and self.key() == other.key()

    __hash__ = None  # type: ignore[assignment]  # states change

    def note(self, kind: str, rule: str, *, only: tuple[int, ...] | None = None, **facts: Fact) -> None:
        """Add an event if somebody listens; ``only``: the seats that may know it."""
        if self.log is not None:
            self.log.add(kind, rule, audience=None if only is None else frozenset(only), **facts)

    # -- seats

    def alive(self, seat: int) -> bool:
        """Whether the seat is still in the game (K14)."""
        return not self.out >> seat & 1

    def order(self, seat: int) -> tuple[int, ...]:
        """The seats still in the game, clockwise from this one (K54)."""
        return _ORDERS[self.seats][self.out][seat]

    def others(self, seat: int) -> tuple[int, ...]:
        """The other players still in the game, clockwise from the left of this one, who is in it too (K54)."""
        return _ORDERS[self.seats][self.out][seat][1:]

    def left_of(self, seat: int) -> int:
        """The next player clockwise still in the game (K54)."""
        for other in _ORDERS[self.seats][self.out][seat]:
            if other != seat:
                return other
        return seat

    def prestige(self, seat: int) -> int:
        """Prestige points (K11): holdings, 1 for each full 10 gold, 1 for each special character in the army."""
        return self.worth[seat] + self.gold[seat] // 10 + self.nobles[seat]

    def income(self, seat: int) -> int:
        """The income of a turn (K15)."""
        king = self.box.dwarf_king
        return self.worth[seat] + (king >= 0 and self.zone[king] in (ARMY | seat, FIELD | seat))

    def terrains(self, seat: int) -> int:
        """The terrains of the seat's lands, a bit each."""
        return self.soil[seat]

    def survey(self, seat: int) -> None:
        """Work out the terrains of a seat's lands anew."""
        terrain, bits = self.box.land_terrain, 0
        for land in self.lands[seat]:
            bits |= 1 << terrain[land]
        self.soil[seat] = bits

    def has_gran(self, seat: int) -> bool:
        """Whether the seat has a Gran Muniment; it never has two (K17)."""
        return bool(self.grans >> seat & 1)

    # -- tiles and lands

    def owner(self, land: int) -> int:
        """The seat that owns a land, -1 if nobody does."""
        zone = self.zone[self.box.lands + land]
        return zone & 7 if zone >= LANDS else -1

    def holder(self, tile: int) -> int:
        """The seat that has this tile in its hand, -1 if none has."""
        if tile < 0:
            return -1
        zone = self.zone[tile]
        return zone & 7 if zone >> 3 == 1 else -1

    def settlement(self, land: int) -> int:
        """The value of the settlement on a land, 0 if there is none."""
        tile = self.imp[land]
        return self.box.value[tile] if tile != NO_TILE and tile < self.box.mines else 0

    def mine(self, land: int) -> int:
        """The value of the mine on a land, 0 if there is none."""
        tile = self.imp[land]
        return self.box.value[tile] if tile != NO_TILE and tile >= self.box.mines else 0

    def in_cup(self, kind: int) -> int:
        """The first tile of a kind in its cup, or in the bank; -1 if none is there."""
        zone = self.zone
        for tile in self.box.edition.tiles_of[kind]:
            if zone[tile] == CUP:
                return tile
        return -1

    # -- what seats know (K2)

    def show(self, tile: int) -> None:
        """The tile lies open from now on."""
        self.lose_sight(tile)
        self.known[tile] = SHOWN

    def lose_sight(self, tile: int, seats: Iterable[int] = range(4)) -> None:
        """A tile of a hand or army is seen: who knew of an equal one there may have known this very tile.

        So what such a seat knows of the other one, it knows no longer, as far as it did not know of both.
        """
        known, zone, where = self.known, self.zone, self.zone[tile]
        equal = self.box.edition.tiles_of[self.box.kind[tile]]
        if len(equal) == 1 or where < HAND or known[tile] == SHOWN:
            return
        others = [t for t in equal if t != tile and HAND <= zone[t] < DEAD and zone[t] & 7 == where & 7]
        for seat in seats:
            shift = 2 * seat
            mine = known[tile] >> shift & 3
            for other in others:
                if known[other] != SHOWN and known[other] >> shift & 3 > mine:
                    known[other] = known[other] & ~(3 << shift) | mine << shift
                    break

    # -- moves of tiles of the playing deck and special characters

    def draw(self, seat: int, tile: int) -> None:
        """From the cup to a hand."""
        cup = self.cup
        del cup[bisect_left(cup, tile)]
        self.clock = clock = self.clock + 1
        self.fill[tile] = clock
        self.zone[tile] = HAND | seat
        insort(self.hand[seat], tile)

    def draw_owner(self, tile: int) -> None:
        """From the cup to the owners of a land (K26)."""
        cup = self.cup
        del cup[bisect_left(cup, tile)]
        self.clock = clock = self.clock + 1
        self.fill[tile] = clock
        self.zone[tile] = OWNERS
        insort(self.owners, tile)

    def pick_up(self, tile: int) -> None:
        """Take a tile out of the list it is in; its zone is for the caller to change."""
        zone = self.zone[tile]
        kind, seat = zone & 0xF8, zone & 7
        if kind == HAND:
            self.hand[seat].remove(tile)
        elif kind == ARMY:
            self.army[seat].remove(tile)
        elif kind == FIELD:
            self.field.remove(tile)
        elif kind == DEAD:
            self.dead.remove(tile)
        elif zone == OWNERS:
            self.owners.remove(tile)
        if tile >= self.box.deck and kind in (ARMY, FIELD):
            self.nobles[seat] -= 1

    def to_cup(self, tile: int, seen_by: int = -1) -> None:
        """To the cup, a special character to the bank; seen by all, or by one seat only (K26)."""
        self.lose_sight(tile)
        self.pick_up(tile)
        self.zone[tile] = CUP
        self.place[tile] = NOWHERE
        self.mask[tile] = self.known[tile] = 0
        if tile < self.box.deck:
            insort(self.cup, tile)
            self.clock = clock = self.clock + 1
            equal = self.box.edition.tiles_of[self.box.kind[tile]]
            for seen in self.seen if seen_by < 0 else (self.seen[seen_by],):
                if len(equal) > 1:  # nobody knows which of equal tiles it was: the last one that it can have been
                    last = max(equal, key=lambda other: seen[other] if seen[other] < self.fill[tile] else -1)
                    seen[last] = seen[tile]
                seen[tile] = clock

    def to_hand(self, tile: int, seat: int) -> None:
        """Into a hand, from another place than the cup."""
        self.pick_up(tile)
        self.zone[tile] = HAND | seat
        self.place[tile] = NOWHERE
        self.mask[tile] = 0
        insort(self.hand[seat], tile)

    def to_army(self, tile: int, seat: int, mask: int) -> None:
        """Into a standing army; mask: what could enter it at this moment."""
        self.pick_up(tile)
        self.zone[tile] = ARMY | seat
        self.place[tile] = NOWHERE
        insort(self.army[seat], tile)
        self.mask[tile] = mask
        if tile >= self.box.deck:
            self.nobles[seat] += 1
            self.known[tile] = SHOWN

    def to_field(self, tile: int, seat: int) -> None:
        """From the army into the field (K28)."""
        self.army[seat].remove(tile)
        self.zone[tile] = FIELD | seat
        insort(self.field, tile)

    def go_home(self, tile: int) -> None:
        """From the field back into the army; what lay open is secret again, but has been seen (K2, K32)."""
        seat = self.zone[tile] & 7
        self.field.remove(tile)
        self.zone[tile] = ARMY | seat
        insort(self.army[seat], tile)
        self.place[tile] = NOWHERE
        if self.known[tile] == SHOWN and tile < self.box.deck:
            self.known[tile] = KNOWN_IN_ARMY

    def lay_dead(self, tile: int) -> None:
        """A dead tile lies aside until the war is over (K40), an owner of a land until the fight is (K26)."""
        owners = self.zone[tile] == OWNERS and self.battle is not None
        seat = self.battle.defender if owners and self.battle is not None else self.zone[tile] & 7
        self.pick_up(tile)
        self.zone[tile] = DEAD | seat
        self.place[tile] = NOWHERE
        self.known[tile] = SHOWN
        insort(self.dead, tile)

    def set_aside(self, tile: int) -> None:
        """A magic item in effect, on the table (K43, K46)."""
        self.pick_up(tile)
        self.zone[tile] = ASIDE
        self.known[tile] = SHOWN

    # -- moves of lands and what stands on them

    def gain_land(self, seat: int, land: int) -> None:
        """A land comes to a seat with all that stands on it."""
        tile = self.imp[land]
        self.zone[self.box.lands + land] = LANDS | seat
        self.lands[seat].append(land)
        self.soil[seat] |= 1 << self.box.land_terrain[land]
        self.worth[seat] += 1 + self.fort[land] + (0 if tile == NO_TILE else self.box.value[tile])
        if self.fort[land] == 4:
            self.grans |= 1 << seat

    def lose_land(self, land: int) -> None:
        """A land leaves its owner with all that stands on it; it lies aside."""
        tile, at = self.imp[land], self.box.lands + land
        seat = self.zone[at] & 7
        self.zone[at] = ASIDE
        self.lands[seat].remove(land)
        self.survey(seat)
        self.worth[seat] -= 1 + self.fort[land] + (0 if tile == NO_TILE else self.box.value[tile])
        if self.fort[land] == 4:
            self.grans &= ~(1 << seat)

    def take_from_land_cup(self, tile: int) -> None:
        """A land or instruction tile is drawn and lies aside (K23)."""
        cup = self.land_cup
        del cup[bisect_left(cup, tile)]
        self.zone[tile] = ASIDE

    def to_land_cup(self, tile: int) -> None:
        """A land or instruction tile returns to its cup."""
        self.zone[tile] = CUP
        insort(self.land_cup, tile)

    def set_fort(self, land: int, level: int) -> None:
        """Put the fort of this level on a land in place of the one there; tiles come from the bank (K17)."""
        old = self.fort[land]
        bank = self.bank
        if old:
            bank[old] += 1
        if level:
            bank[level] -= 1
        self.fort[land] = level
        zone = self.zone[self.box.lands + land]
        if zone >= LANDS:
            seat = zone & 7
            self.worth[seat] += level - old
            if level == 4:
                self.grans |= 1 << seat
            elif old == 4:
                self.grans &= ~(1 << seat)

    def lower_fort(self, land: int) -> None:
        """The fort drops to the next lower level that the bank can supply, or is gone (K3)."""
        level = self.fort[land] - 1
        while level > 0 and not self.bank[level]:
            level -= 1
        self.set_fort(land, max(level, 0))

    def put_improvement(self, land: int, tile: int) -> None:
        """A settlement or mine from a hand onto a land; one that is there returns to the deck (K18)."""
        if self.imp[land] != NO_TILE:
            self.remove_improvement(land)
        self.show(tile)
        self.pick_up(tile)
        self.zone[tile] = ON_LAND
        self.place[tile] = land
        self.imp[land] = tile
        self.worth[self.owner(land)] += self.box.value[tile]

    def remove_improvement(self, land: int) -> None:
        """The settlement or mine of a land returns to the deck."""
        tile = self.imp[land]
        owner = self.owner(land)
        if owner >= 0:
            self.worth[owner] -= self.box.value[tile]
        self.imp[land] = NO_TILE
        self.to_cup(tile)

    # -- gold

    def pay(self, seat: int, amount: int) -> None:
        """To the bank."""
        self.gold[seat] -= amount

    def earn(self, seat: int, amount: int) -> None:
        """From the bank, which is never short of gold (K3)."""
        self.gold[seat] += amount

    # -- armies

    def homeless(self, seat: int) -> list[int]:
        """The characters in the army whose terrain its owner does not have (K13)."""
        bit, terrains = self.box.bit, self.terrains(seat) | ARMS_BIT
        return [tile for tile in self.army[seat] if bit[tile] & ~terrains]
