"""A seat's view of King of the Tabletop as a row of whole numbers of fixed shape.

An observation is a row of parts, each a small table with named columns (``king_fields``). Everything comes from the
view and nothing else, so equal views have equal observations. Seats are counted clockwise from the one who sees (a
spectator sees as from seat 0): row 0 is its own, rows of seats that are not in the game are 0. Times are those of the
view: its clock moves on with every draw from the playing deck and every return to it.

What is left out: the stack of what is still to be done, but for the decision itself and what it is about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import accumulate, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.core.errors import MunimentError
from muniment.core.frames import Frame
from muniment.envs.king_fields import MASK, MOST, NUMBERS, SEATS, STRUCTURES, ZONES, Column, Part, parts_of
from muniment.games.king.combat import BOW, SWORD
from muniment.games.king.game import King
from muniment.games.king.magic import ITEMS
from muniment.games.king.schema import FRAME_DATA, letters
from muniment.games.king.state import CALLED, FIELD, HAND, NOWHERE, RESERVE
from muniment.games.king.steps import CHOICES
from muniment.games.king.tiles import SPECIAL
from muniment.games.king.views import KingView, OpenTile
from muniment.games.king.war_state import War

__all__ = ["KingObservations", "Observation"]

Observation = NDArray[np.int32]

_BITS: Final = tuple(tuple(mask >> at & 1 for at in range(len(MASK))) for mask in range(1 << len(MASK)))
_ZONE_FLAGS: Final = {zone: tuple(int(zone == other) for other in ZONES) for zone in ZONES}
_SEAT_FLAGS: Final = tuple(tuple(int(seat == other) for other in range(SEATS)) for seat in range(SEATS))
_NO_SEAT: Final = (0,) * SEATS
_TRADES: Final = {"offer": 5, "deal": 4}  # where in the frame the things begin that are given or asked for


class KingObservations:
    """The observations of a game: ``parts`` in order, ``places`` of each, ``low`` and ``high`` of all numbers."""

    def __init__(self, game: King) -> None:
        box = game.box
        self._box = box
        self.parts: tuple[Part, ...] = parts_of(game)
        sizes = [part.size for part in self.parts]
        ends = list(accumulate(sizes))
        self.size: int = ends[-1]
        self.places: Mapping[str, slice] = {
            part.name: slice(end - size, end) for part, size, end in zip(self.parts, sizes, ends, strict=True)
        }
        columns = [column for part in self.parts for _ in product(*part.axes) for column in part.columns]
        self.low: Observation = np.array([column.low for column in columns], np.int32)
        self.high: Observation = np.array([column.high for column in columns], np.int32)
        self._shapes = [(part.name, self.places[part.name], part.shape) for part in self.parts]
        self._column: Mapping[str, Mapping[str, int]] = {
            part.name: {column.name: at for at, column in enumerate(part.columns)} for part in self.parts
        }
        deck = [kind.slug for kind in box.edition.kinds if kind.sort <= SPECIAL]
        self._kind: Mapping[str, int] = {slug: at for at, slug in enumerate(deck)}
        fighters = [tile for tile in range(box.lands) if box.fights[tile]]
        self._fighter: Mapping[int, int] = {tile: at for at, tile in enumerate(fighters)}
        self._place: Mapping[int, int] = {
            NOWHERE: 0, RESERVE: box.land_count + 1, CALLED: box.land_count + 2,
            **{land: land + 1 for land in range(box.land_count)},
        }  # fmt: skip

    def decode(self, observation: Observation) -> dict[str, Observation]:
        """The parts of an observation by name: the columns last, before them the part's rows. Raises MunimentError."""
        if observation.shape != (self.size,):
            raise MunimentError(f"an observation has the shape ({self.size},), not {observation.shape}")
        return {name: observation[place].reshape(shape) for name, place, shape in self._shapes}

    def named(self, observation: Observation, part: str, column: str) -> Observation:
        """One column of a part, in the part's shape. Raises MunimentError for a name that there is not."""
        if part not in self._column or column not in self._column[part]:
            raise MunimentError(f"an observation has no {part}.{column}")
        return self.decode(observation)[part][..., self._column[part][column]]

    def lines(self, observation: Observation) -> list[str]:
        """The observation in words: a line for each row that is not 0 throughout, its numbers by column."""
        found: dict[str, list[str]] = {}
        for at in np.flatnonzero(observation).tolist():
            row, column = self._meanings[at]
            number = int(observation[at])
            found.setdefault(row, []).append(column.name if column.high == number == 1 else f"{column.name} {number}")
        return [f"{row}: {', '.join(numbers)}" for row, numbers in found.items()]

    @cached_property
    def _meanings(self) -> tuple[tuple[str, Column], ...]:
        """The row and column of every number."""
        return tuple(
            (f"{part.name}[{', '.join(row)}]" if row else part.name, column)
            for part in self.parts
            for row in product(*part.axes)
            for column in part.columns
        )

    def encode(self, view: KingView, seat: int | None = None) -> Observation:
        """The observation of a view: shape (``size``,). seat: from whose place, the view's own if None."""
        return _Encoder(self, view, max(view.seat, 0) if seat is None else seat).out


class _Encoder:
    """One observation in the making; methods fill parts in their order."""

    def __init__(self, layout: KingObservations, view: KingView, me: int) -> None:
        self.layout = layout
        self.view = view
        self.me = me
        self.out: Observation = np.zeros(layout.size, np.int32)
        self.part = layout.decode(self.out)
        self.column = layout._column
        self.table()
        self.seats()
        self.lands()
        self.magic()
        self.tiles()
        self.others()
        self.war()
        self.battle()
        self.decision()

    def put(self, part: str, values: Mapping[str, int], *row: int) -> None:
        """Write into the columns of one row."""
        table, column = self.part[part][row], self.column[part]
        for name, value in values.items():
            table[column[name]] = value

    def mark(self, part: str, column: str, row: int) -> None:
        """Set a flag, or add one to a count."""
        self.part[part][row, self.column[part][column]] += 1

    def rel(self, seat: int) -> int:
        """A seat, clockwise from the one who sees."""
        return (seat - self.me) % self.view.seats

    def table(self) -> None:
        """The table, the dice, instruction tiles."""
        v = self.view
        self.put("table", {
            "turn": v.turn, "phase": v.phase, "clock": v.clock, "cup": v.cup_size, "you": v.awaited.you,
            "over": v.over is not None, "owners": len(v.owners), "owner_characters": v.owner_characters,
            "thief_barred": v.barred & 1, "assassin_barred": v.barred >> 1,
        })  # fmt: skip
        dice = self.part["dice"]
        shown = v.roll[: len(dice) - 1]  # all there are, but in a position made up
        dice[0] = len(v.roll)
        dice[1 : 1 + len(shown)] = shown
        for slug in v.land_aside:
            if slug in self.column["instructions"]:
                self.part["instructions"][self.column["instructions"][slug]] += 1

    def seats(self) -> None:
        """What is public about every seat."""
        v = self.view
        for seat in range(v.seats):
            self.put("seats", {
                "present": 1, "out": v.out >> seat & 1, "gold": v.gold[seat], "prestige": v.prestige[seat],
                "income": v.income[seat], "hand": v.hand_sizes[seat], "army": v.army_sizes[seat],
                "tally": v.tally[seat],
            }, self.rel(seat))  # fmt: skip
        self.mark("seats", "first", self.rel(v.first))
        self.mark("seats", "acting", self.rel(v.acting))
        if v.dispelled >= 0:
            self.mark("seats", "dispelled", self.rel(v.dispelled))
        for seat in v.awaited.seats:
            self.mark("seats", "asked", self.rel(seat))
        for seat in v.over[1] if v.over is not None else ():
            self.mark("seats", "winner", self.rel(seat))

    def lands(self) -> None:
        """Every land, its owner, what stands on it, and what has become of it this turn."""
        v, named = self.view, self.layout._box.land_named
        for seat, lands in enumerate(v.lands):
            for order, land in enumerate(lands, 1):
                at = named[land.land]
                self.put("lands", {f"owner_{self.rel(seat)}": 1, "order": order, "fort": land.fort}, at)
                if land.improvement:
                    self.mark("lands", f"on_{land.improvement}", at)
        for slug in v.land_aside:
            if slug in named:
                self.mark("lands", "aside", named[slug])
        for at in range(self.layout._box.land_count):
            if v.built >> at & 1:
                self.mark("lands", "built", at)

    def magic(self) -> None:
        """Gifts of this phase, and standing answers."""
        v, box = self.view, self.layout._box
        self.put("magic", {f"given_{box.slug[t]}": v.given >> t - box.magic & 1 for t in range(box.magic, box.deck)})
        self.put("magic", {
            "charm_answer": v.standing & 3, **{f"declined_{x}": v.standing >> at & 1 for at, x in enumerate(ITEMS, 2)},
        })  # fmt: skip

    def tiles(self) -> None:
        """The tiles that the seat sees, each in the next row of its kind, and when tiles were seen going back."""
        v, box = self.view, self.layout._box
        rows: dict[str, int] = {}
        for tile in v.tiles:
            row = rows.get(tile.tile, box.tiles_named(tile.tile)[0])
            rows[tile.tile] = row + 1
            self.part["tiles"][row] = self.tile(tile)
        self.part["seen"][:, 0] = v.seen

    def tile(self, tile: OpenTile) -> tuple[int, ...]:
        """The row of one of them, in the order of its columns."""
        seated, me, known = tile.zone >= HAND, self.me, tile.known
        row = _ZONE_FLAGS[tile.zone & 0xF8 if seated else tile.zone]
        row += _SEAT_FLAGS[self.rel(tile.seat)] if seated else _NO_SEAT
        row += (self.layout._place[tile.place], tile.left_cup)
        row += _BITS[tile.mask]
        n = self.view.seats
        return row + tuple([known >> 2 * ((me + at) % n) & 3 if at < n else 0 for at in range(SEATS)])

    def others(self) -> None:
        """The hidden tiles of the other seats."""
        for hidden in self.view.hidden:
            seat = self.rel(hidden.seat)
            self.part["hidden_hands"][seat, : len(hidden.hand), 0] = hidden.hand
            if hidden.army:
                rows = [(left_cup, *_BITS[mask]) for left_cup, mask in hidden.army]
                self.part["hidden_armies"][seat, : len(rows)] = rows
            for zone, place, number in hidden.lies:
                land = self.layout._place[place]
                self.part["lies"][seat, int(zone & 0xF8 == FIELD), land, 0] += number
            for column, slugs in enumerate((hidden.known, hidden.known_army)):
                for slug in slugs:
                    self.part["known"][seat, self.layout._kind[slug], column] += 1

    def war(self) -> None:
        """The war under way."""
        v = self.view
        if v.war is None:
            return
        war = dict(zip(War.__slots__, v.war, strict=True))
        self.put("war", {
            "on": 1, "higher": war["higher"] + 1, "attacker_lined": war["lined"] & 1,
            "defender_lined": war["lined"] >> 1 & 1, "off": war["off"],
        })  # fmt: skip
        self.mark("seats", "attacker", self.rel(war["attacker"]))
        self.mark("seats", "defender", self.rel(war["defender"]))
        if war["golem"] >= 0:
            self.mark("seats", "golem", self.rel(war["golem"]))
        if war["wall_caster"] >= 0:
            self.mark("seats", "wall", self.rel(war["wall_caster"]))
            self.put("lands", {"wall": war["wall_value"]}, war["wall_land"])
        for land in range(self.layout._box.land_count):
            if war["fought"] >> land & 1:
                self.mark("lands", "fought", land)

    def battle(self) -> None:
        """The battle under way, and who fights in it."""
        b, box = self.view.battle, self.layout._box
        if b is None:
            return
        self.put("battle", {
            "on": 1, "fight": b.fight, "stage": b.stage + 1, "absorbed": b.absorbed, "stood": b.stood,
            "attacker_hits": b.hits[0], "defender_hits": b.hits[1], "attacker_rolled": b.rolled & 1,
            "defender_rolled": b.rolled >> 1, "ended": b.ended,
        })  # fmt: skip
        self.mark("lands", "battle", box.land_named[b.land])
        if b.fight:
            self.mark("seats", "attacker", self.rel(b.attacker))
            self.mark("seats", "defender", self.rel(b.defender))
        for side, fighters in enumerate((b.attackers, b.defenders)):
            rows: dict[int, int] = {}
            for x in fighters:
                row = rows.get(x.kind, self.layout._fighter[x.tile])
                rows[x.kind] = row + 1
                self.part["fighters"][side, row] = (
                    1, bool(x.gear & SWORD), bool(x.gear & BOW), x.shoots, x.charge_die + 1, x.wounds,
                )  # fmt: skip

    # -- what is decided

    def decision(self) -> None:
        """The decision on top of the stack, what it is about, and the magic item that has been announced."""
        frames = self.view.frames
        top = frames[-1]
        if top.kind in CHOICES:
            self.put("decision", {top.kind: 1})
        if top.kind == "stop":
            self.put("stop", {str(top.data[0]): 1})
        elif top.kind == "charm":
            self.put("roll", {frames[-2].kind: 1})
            if frames[-2].seat >= 0:
                self.mark("seats", "roller", self.rel(frames[-2].seat))
            self.about(frames[-2])
        elif top.kind in _TRADES:
            self.trade(top)
        elif top.kind == "bid":
            self.auction(top)
        elif top.kind in CHOICES:
            self.about(top)
        announced = next((f for f in reversed(frames) if f.kind in ("magic", "charmed")), None)
        if announced is not None:
            self.announced(announced)

    def about(self, f: Frame) -> None:
        """The particulars of a frame: seats, lands and tiles are marked, numbers listed."""
        numbers = list[int]()
        for letter, datum in zip(letters(FRAME_DATA[f.kind], len(f.data)), f.data, strict=True):
            if letter == "s":
                self.mark("seats", "subject", self.rel(int(datum)))
            elif letter == "l":
                self.mark("lands", "subject", int(datum))
            elif letter in ("t", "T"):
                if datum != -1:
                    self.mark("picked", "picked", self.layout._kind[str(datum)])
            elif letter == "w":
                self.put("frame", {"structure": STRUCTURES.index(str(datum)) + 1})
            else:
                numbers.append(int(datum))
        self.numbers(len(f.data), numbers)

    def numbers(self, length: int, numbers: Iterable[int]) -> None:
        """The first numbers among a frame's particulars."""
        found = [min(number, MOST) for number in numbers][:NUMBERS]
        self.put("frame", {"length": length, **{f"number_{at}": number for at, number in enumerate(found)}})

    def auction(self, f: Frame) -> None:
        """Who draws, the land, the highest bid and its bidder, who has passed (K25)."""
        drawer, land, high, bidder, passed, _spoke = (int(datum) for datum in f.data)
        self.mark("seats", "subject", self.rel(drawer))
        self.mark("lands", "subject", land)
        self.numbers(len(f.data), (high,))
        if bidder >= 0:
            self.mark("seats", "bidder", self.rel(bidder))
        for seat in range(self.view.seats):
            if passed >> seat & 1:
                self.mark("seats", "passed", self.rel(seat))

    def trade(self, f: Frame) -> None:
        """The partner, the counter-offers, gold given and asked, the stage of composing; then the things (K53)."""
        self.mark("seats", "subject", self.rel(int(f.data[0])))
        begin = _TRADES[f.kind]
        self.numbers(len(f.data), (int(datum) for datum in f.data[1:begin]))
        for thing in f.data[begin:]:
            if isinstance(thing, str):
                what, slug = thing.split()
                self.mark("picked", "given" if what == "2" else "asked", self.layout._kind[slug])
            else:
                what_land, land = divmod(thing, 1000)
                self.mark("lands", "given" if what_land == 1 else "asked", land)

    def announced(self, f: Frame) -> None:
        """The magic item that has still to work, its caster, and whom or what it is for."""
        self.mark("seats", "caster", self.rel(f.seat))
        if f.kind == "charmed":
            self.put("announced", {"charm": 1, "change": int(f.data[0]), "die": int(f.data[1])})
            return
        item, *targets = f.data
        self.put("announced", {str(item): 1})
        for target in targets:
            if isinstance(target, int):
                self.mark("seats", "enchanted", self.rel(target))
            elif target in self.layout._box.land_named:
                self.mark("lands", "enchanted", self.layout._box.land_named[target])
