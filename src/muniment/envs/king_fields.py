"""The parts of an observation of King of the Tabletop: their names, shapes, columns and ranges, and what each means.

They depend on the edition's tiles alone, not on the number of seats or the options. ``king_observation`` fills them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

from muniment.games.king.combat import CHARGE
from muniment.games.king.game import King
from muniment.games.king.magic import ITEMS, STOPS
from muniment.games.king.state import ARMY, ASIDE, DEAD, FIELD, HAND, ON_LAND, OWNERS
from muniment.games.king.steps import CHOICES, ROLLS
from muniment.games.king.tiles import INSTRUCTION, MINE, SETTLEMENT, SPECIAL, TERRAINS

__all__ = ["MASK", "MOST", "NUMBERS", "SEATS", "STRUCTURES", "ZONES", "Column", "Part", "parts_of"]

MOST: Final = 2**31 - 1
"""The upper end of numbers that have none by the rules, such as gold and turns."""

SEATS: Final = 4
"""The most seats of a game: a row for each, also in games of fewer."""

ZONES: Final = {
    ON_LAND: "on_land", OWNERS: "owner", ASIDE: "aside", HAND: "hand", ARMY: "army", FIELD: "field", DEAD: "dead",
}  # fmt: skip
MASK: Final = (*TERRAINS, "arms")
STRUCTURES: Final = ("fort", "settlement", "mine")
NUMBERS: Final = 6
_FOLD: Final = 15


@dataclass(frozen=True, slots=True)
class Column:
    """One number of each row of a part, from low to high."""

    name: str
    low: int
    high: int
    meaning: str


@dataclass(frozen=True, slots=True)
class Part:
    """A table of an observation. axes: the names of its rows, () if there is one; rows: what they are; columns."""

    name: str
    axes: tuple[tuple[str, ...], ...]
    rows: str
    columns: tuple[Column, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """How many rows on each axis, then how many columns."""
        return (*map(len, self.axes), len(self.columns))

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


def _flags(names: Sequence[str], meaning: str) -> tuple[Column, ...]:
    return tuple(Column(name, 0, 1, meaning) for name in names)


def _counts(names: Sequence[str], high: int, meaning: str) -> tuple[Column, ...]:
    return tuple(Column(name, 0, high, meaning) for name in names)


def _one_by_one(slugs: Sequence[str]) -> tuple[str, ...]:
    """Names of tiles, in the order of their kinds: ``bear-2``, ``bear-2#2``."""
    found: list[str] = []
    for at, slug in enumerate(slugs):
        nth = slugs[:at].count(slug)
        found.append(f"{slug}#{nth + 1}" if nth else slug)
    return tuple(found)


def parts_of(game: King) -> tuple[Part, ...]:
    """The parts of the observations of a game, in order."""
    box = game.box
    kinds = box.edition.kinds
    deck = [kind.slug for kind in kinds if kind.sort <= SPECIAL]
    improvements = [kind.slug for kind in kinds if kind.sort in (SETTLEMENT, MINE)]
    instructions = [kind.slug for kind in kinds if kind.sort == INSTRUCTION]
    seats = tuple(str(seat) for seat in range(SEATS))
    places = tuple(str(place) for place in range(1, box.deck + 1))
    tiles = _one_by_one(box.slug[: box.lands])
    magic = [box.slug[tile] for tile in range(box.magic, box.deck)]
    fighters = tuple(name for name, fights in zip(tiles, box.fights, strict=False) if fights)
    charging = sum(bool(fighter.traits & CHARGE) for fighter in box.fighter)
    return (
        Part("table", (), "the table", (
            Column("turn", 0, MOST, "the turn, 0 before the first"),
            Column("phase", 0, 4, "the phase, 0 before the first"),
            Column("clock", 0, MOST, "the time: how many tiles of the playing deck have been drawn or returned"),
            Column("cup", 0, box.deck, "tiles in the cup of the playing deck"),
            Column("you", 0, 1, "the seat must answer"),
            Column("over", 0, 1, "the game is over"),
            Column("owners", 0, box.deck, "tiles drawn for a fight that the seat does not see (K26)"),
            Column("owner_characters", 0, box.deck, "characters among all tiles drawn for a fight (K26)"),
            Column("thief_barred", 0, 1, "the Master Thief was sent to attack this turn (K41)"),
            Column("assassin_barred", 0, 1, "Assassin Primus was sent to attack this turn (K41)"),
        )),
        Part("decision", (), "what is decided", _flags(sorted(CHOICES), "the game waits for this decision")),
        Part("frame", (), "what the decision, or at the charm's the roll, is about", (
            Column("length", 0, MOST, "how many particulars it has: with what has been picked or placed so far"),
            *(Column(f"number_{n}", -2, MOST, "a particular that is a number, in the order of the frame's data")
              for n in range(NUMBERS)),
            Column("structure", 0, 3, "a saving roll's (K39): 1 fort, 2 settlement, 3 mine"),
        )),
        Part("stop", (), "what the stop is for (K10)", _flags(tuple(STOPS), "the stop is this one")),
        Part("roll", (), "the dice that the charm may change", _flags(sorted(ROLLS), "they were thrown for this")),
        Part("dice", (), "the dice", (
            Column("length", 0, MOST, "how many numbers follow"),
            *(Column(f"die_{n}", 0, MOST, "a die; of combat dice the fold: threshold, over, exact, near, far")
              for n in range(max(_FOLD, charging))),
        )),
        Part("announced", (), "the magic item announced last that has still to work (K43)", (
            *_flags((*ITEMS, "charm"), "it is this one"),
            Column("change", -1, 1, "the charm's pip"),
            Column("die", 0, MOST, "the charm's die, of combat dice their threshold"),
        )),
        Part("seats", (seats,), "a seat, clockwise from the one who sees", (
            Column("present", 0, 1, "there is such a seat"),
            Column("out", 0, 1, "it is out of the game (K14)"),
            Column("gold", 0, MOST, "its gold"),
            Column("prestige", 0, MOST, "its prestige"),
            Column("income", 0, MOST, "its income"),
            Column("hand", 0, box.deck, "tiles in its hand"),
            Column("army", 0, box.lands, "tiles in its army at home"),
            Column("tally", 0, 12, "what it has rolled in a tie (K6, K21)"),
            *_flags(("first",), "it is first player"),
            *_flags(("acting",), "it is its part of the phase"),
            *_flags(("dispelled",), "its magic is dispelled (K43)"),
            *_flags(("asked",), "it must answer, where everybody may know"),
            *_flags(("attacker",), "it attacks in the war or fight"),
            *_flags(("defender",), "it defends in the war, or plays the owners in a fight"),
            *_flags(("golem",), "the golem has joined its army (K44)"),
            *_flags(("wall",), "it has cast the wall of fire (K46)"),
            *_flags(("subject",), "the decision or roll is about it: target, partner, drawer, victim"),
            *_flags(("roller",), "the roll that the charm may change is its own"),
            *_flags(("bidder",), "its bid is the highest (K25)"),
            *_flags(("passed",), "it has passed in the auction (K25)"),
            *_flags(("caster",), "it has announced the magic item"),
            *_flags(("enchanted",), "the magic item announced is for or against it"),
            *_flags(("winner",), "it has won, or shares in it"),
        )),
        Part("lands", (box.land_slug,), "a land tile, in the edition's order", (
            *(Column(f"owner_{n}", 0, 1, "its owner is the seat so many places clockwise") for n in range(SEATS)),
            Column("order", 0, box.land_count, "its place among its owner's lands, from 1 as acquired"),
            Column("fort", 0, 4, "its fort: 1 tower, 2 keep, 3 castle, 4 Gran Muniment"),
            *(Column(f"on_{slug}", 0, 1, "this stands on it") for slug in improvements),
            *_flags(("aside",), "it has been drawn and is nobody's yet"),
            *_flags(("built",), "it has had its level this turn (K17)"),
            *_flags(("fought",), "its battle of the war has begun or is off"),
            *_flags(("battle",), "the battle under way is for it"),
            Column("wall", 0, 7, "the value of the wall of fire on it (K46)"),
            *_flags(("subject",), "the decision or roll is about it"),
            *_flags(("enchanted",), "the magic item announced is for it"),
            *_flags(("given", "asked"), "in a trade it is given or asked for"),
        )),
        Part("instructions", (), "instruction tiles drawn and not yet returned", _counts(instructions, 40, "how many")),
        Part("magic", (), "magic items and what the seat answers stops with", (
            *(Column(f"given_{slug}", 0, 1, "it has been given away this phase (K60)") for slug in magic),
            Column("charm_answer", 0, 3, "0 where a pip could matter, 1 in battles, 2 always, 3 never (K10)"),
            *(Column(f"declined_{item}", 0, 1, "the seat is not asked for it (K10)") for item in ITEMS),
        )),
        Part("tiles", (tiles,), "a tile of the playing deck or a special character, kind by kind: those the seat "
             "sees first, then 0 for the others", (
            *_flags(tuple(ZONES.values()), "where it is"),
            *(Column(f"seat_{n}", 0, 1, "it is of the seat so many places clockwise") for n in range(SEATS)),
            Column("place", 0, box.land_count + 2, "0 none, then by land it is on or against, then reserve, called"),
            Column("left_cup", 0, MOST, "when it left the cup"),
            *(Column(f"entered_{name}", 0, 1, "what could enter the army when it did") for name in MASK),
            *(Column(f"known_{n}", 0, 3, "who knows of it: 1 whose it is, 2 that it is in the army, 3 it lies open")
              for n in range(SEATS)),
        )),
        Part("seen", (tiles[: box.deck],), "a tile of the playing deck, kind by kind", (
            Column("time", 0, MOST, "when it was last seen going into the cup, ascending within a kind"),
        )),
        Part("hidden_hands", (seats, places), "a tile of another seat's hand", (
            Column("left_cup", 0, MOST, "when it left the cup, ascending; 0 after the last"),
        )),
        Part("hidden_armies", (seats, places), "a face-down tile of another seat's army, field or line-up", (
            Column("left_cup", 0, MOST, "when it left the cup, ascending; 0 after the last"),
            *_flags(MASK, "what could enter the army when it did"),
        )),
        Part("lies", (seats, ("home", "field"), ("nowhere", *box.land_slug)), "face-down tiles of another seat's army: "
             "at home, in the field; against no land, then by land", (Column("tiles", 0, box.deck, "how many"),)),
        Part("known", (seats, tuple(deck)), "a kind of tile, of another seat", (
            Column("somewhere", 0, 50, "how many it is known to have in hand or army"),
            Column("army", 0, 50, "how many it is known to have in its army"),
        )),
        Part("picked", (tuple(deck),), "a kind of tile", (
            Column("picked", 0, 50, "how many have been picked, or are what the decision or roll is about"),
            Column("given", 0, 50, "how many are offered in a trade"),
            Column("asked", 0, 50, "how many are asked for in a trade"),
        )),
        Part("war", (), "the war under way", (
            *_flags(("on",), "there is one"),
            Column("higher", 0, 2, "who won initiative: 1 attacker, 2 defender"),
            *_flags(("attacker_lined", "defender_lined"), "has begun to line up"),
            Column("off", 0, 2, "1 called off, 2 the dead are counted"),
        )),
        Part("battle", (), "the battle under way", (
            *_flags(("on",), "there is one"),
            *_flags(("fight",), "it is for a land of the land deck (K26)"),
            Column("stage", 0, 2, "1 ranged, 2 hand to hand"),
            Column("absorbed", 0, MOST, "hits that the forts have taken"),
            Column("stood", 0, MOST, "how many of them when the stage began"),
            Column("attacker_hits", 0, MOST, "hits that the attacker has still to place"),
            Column("defender_hits", 0, MOST, "hits that the defender has still to place"),
            *_flags(("attacker_rolled", "defender_rolled"), "has rolled in this stage"),
            *_flags(("ended",), "no more fighting"),
        )),
        Part("fighters", (("attacker", "defender"), fighters), "a character or golem of a side, kind by kind", (
            *_flags(("there",), "it fights and lives"),
            *_flags(("sword", "bow"), "it bears this magic item"),
            Column("shoots", 0, 2, "1 has chosen to shoot, 2 has shot (K48)"),
            Column("charge", 0, 8, "one more than its charge die, 0 before the roll"),
            *_flags(("wounded",), "the Sword Master has had his first hit"),
        )),
    )  # fmt: skip
