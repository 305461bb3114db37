"""Views: what one seat, or a spectator, sees and has seen (K2, K10, design.md "Views").

A view names tiles by their slugs, never by id, so that equal tiles cannot be told apart. What lies open to the seat is
listed tile by tile. What is hidden from it is described by *slots*: a tile of somebody's hand by when it left the cup,
a tile of somebody's army also by what could enter the army at that moment; and, for the field and the line-ups, by how
many tiles lie where. Which of its army tiles an owner has sent where is not told, even if they have been seen before:
they can be mixed face down. What has been seen is kept: tiles known to be in a hand or army, and for every kind of tile
when each of its tiles was last seen going into the cup.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import compress
from typing import Any, NamedTuple

from muniment.core.frames import Frame
from muniment.core.game import Awaited
from muniment.games.king.box import Box
from muniment.games.king.combat import Fighter
from muniment.games.king.schema import FRAME_DATA, letters
from muniment.games.king.state import (
    ARMY,
    ASIDE,
    DEAD,
    HAND,
    NO_TILE,
    OWNERS,
    SHOWN,
    KingState,
)
from muniment.games.king.steps import CHOICES
from muniment.games.king.war_state import War

__all__ = ["BattleView", "Hidden", "KingView", "LandView", "OpenTile", "view_of"]


class LandView(NamedTuple):
    """A land and what stands on it; ``fort`` 0 to 4, ``improvement`` a slug or "" for none."""

    land: str
    fort: int
    improvement: str


class OpenTile(NamedTuple):
    """A tile that the seat sees, or its own.

    zone: where, as in ``state`` (with the seat added from ``HAND`` on). place: where it is lined up, as in ``state``.
    left_cup: when. mask: what could enter the army with it. known: who else knows it, as in ``state``.
    """

    tile: str
    zone: int
    place: int
    left_cup: int
    mask: int
    known: int

    @property
    def seat(self) -> int:
        """The seat whose hand, army, field or dead it belongs to."""
        return self.zone & 7


class Hidden(NamedTuple):
    """What a seat does not see of another.

    hand: when each tile of the hand left the cup. army: the same for each tile of army, field and line-ups, with what
    could enter at that moment. lies: how many of those lie where: (zone, place, number). known: tiles known to be in
    the hand or the army. known_army: tiles known to be in the army.
    """

    seat: int
    hand: tuple[int, ...]
    army: tuple[tuple[int, int], ...]
    lies: tuple[tuple[int, int, int], ...]
    known: tuple[str, ...]
    known_army: tuple[str, ...]


class BattleView(NamedTuple):
    """The battle under way, all open (K32); ``tile`` of a fighter is the first tile of its kind."""

    land: str
    attacker: int
    defender: int
    fight: int
    attackers: tuple[Fighter, ...]
    defenders: tuple[Fighter, ...]
    absorbed: int
    stood: int
    stage: int
    hits: tuple[int, int]
    rolled: int
    ended: int


_land = lru_cache(4096)(LandView)


@dataclass(frozen=True, slots=True)
class KingView:
    """The table as a seat sees it; -1 is a spectator. Numbers are as in ``KingState``.

    frames: what is still to be done, without others' choices in the making. owners: when each of the tiles drawn for a
    fight left the cup, if the seat does not see them, and ``owner_characters`` how many characters are among them.
    seen: for every tile of the playing deck, kind by kind, when it was last seen going into the cup; of equal tiles in
    ascending order, since nobody knows which is which (``last_seen``).
    """

    box: Box
    seat: int
    seats: int
    awaited: Awaited
    turn: int
    phase: int
    first: int
    acting: int
    clock: int
    out: int
    gold: tuple[int, ...]
    prestige: tuple[int, ...]
    income: tuple[int, ...]
    lands: tuple[tuple[LandView, ...], ...]
    hand_sizes: tuple[int, ...]
    army_sizes: tuple[int, ...]
    tiles: tuple[OpenTile, ...]
    hidden: tuple[Hidden, ...]
    owners: tuple[int, ...]
    owner_characters: int
    cup_size: int
    land_aside: tuple[str, ...]
    seen: tuple[int, ...]
    frames: tuple[Frame, ...]
    roll: tuple[int, ...]
    tally: tuple[int, ...]
    built: int
    barred: int
    given: int
    dispelled: int
    standing: int
    war: tuple[int, ...] | None
    battle: BattleView | None
    over: tuple[str, tuple[int, ...]] | None

    @property
    def hand(self) -> tuple[str, ...]:
        """The seat's own hand."""
        return self._in(HAND | self.seat)

    @property
    def army(self) -> tuple[str, ...]:
        """The seat's own army at home."""
        return self._in(ARMY | self.seat)

    def _in(self, zone: int) -> tuple[str, ...]:
        return tuple(tile.tile for tile in self.tiles if tile.zone == zone)

    def last_seen(self, slug: str) -> tuple[int, ...]:
        """When the tiles of a kind were last seen going into the cup, in ascending order; 0: never."""
        tiles = self.box.tiles_named(slug)
        return self.seen[tiles[0] : tiles[-1] + 1]

    @property
    def bank(self) -> tuple[str, ...]:
        """The special characters in the bank."""
        box, taken = self.box, {tile.tile for tile in self.tiles}
        return tuple(slug for slug in box.slug[box.deck : box.lands] if slug not in taken)

    @property
    def bank_forts(self) -> tuple[int, ...]:
        """The fortifications in the bank: how many towers, keeps, castles, Gran Muniments."""
        standing = [land.fort for lands in self.lands for land in lands]
        return tuple(self.box.edition.forts[level] - standing.count(level) for level in range(1, 5))

    @property
    def stop(self) -> str:
        """At a stop, what for ("paid", "lined", "battle", ...); elsewhere empty."""
        f = self.frames[-1]
        return str(f.data[0]) if f.kind == "stop" else ""

    def war_side(self, side: int) -> int:
        """The attacker (0) or defender (1) of the war under way, -1 if there is none."""
        at = War.__slots__.index("defender" if side else "attacker")
        return -1 if self.war is None else self.war[at]

    def to_json(self) -> dict[str, Any]:
        """Everything the view holds, by name."""
        found: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "box":
                continue
            if field.name == "awaited":
                found[field.name] = {
                    "kind": value.kind, "rule": value.rule, "you": value.you, "seats": list(value.seats),
                }  # fmt: skip
            elif field.name == "war":
                found[field.name] = None if value is None else dict(zip(War.__slots__, value, strict=True))
            elif field.name == "frames":
                found[field.name] = [f.to_json() for f in value]
            elif field.name == "battle" and value is not None:
                battle = value._asdict()
                for side in ("attackers", "defenders"):
                    battle[side] = [{**x._asdict(), "tile": self.box.slug[x.tile]} for x in getattr(value, side)]
                found[field.name] = {key: list(x) if isinstance(x, tuple) else x for key, x in battle.items()}
            else:
                found[field.name] = _plain(value)
        return found

    def __hash__(self) -> int:
        return hash((self.seat, self.clock, self.tiles, self.frames))


def _plain(value: object) -> object:
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {key: _plain(x) for key, x in value._asdict().items()}
    return [_plain(x) for x in value] if isinstance(value, tuple) else value


def _frame(s: KingState, f: Frame, seat: int) -> Frame:
    """A frame as the seat may know it: no tile ids, no choice of another in the making, nobody asked at a stop."""
    kind, data = f.kind, f.data
    choice = CHOICES.get(kind)
    if choice is None and not data:
        return f
    if choice is not None and f.seat != seat:
        if choice.hidden:
            return Frame(kind, -1, data)
        if not (kind == "deal" and data[0] == seat):
            data = data[: choice.public]
    if kind == "stops":
        return Frame(kind, f.seat, (data[0], 0))
    box = s.box
    if kind in ("offer", "deal"):
        head = 5 if kind == "offer" else 4
        codes = [int(c) for c in data[head:]]
        return Frame(kind, f.seat, (*data[:head], *[_code(box, code) for code in codes]))
    form = "wn" + FRAME_DATA[str(data[0])] if kind == "roll" else FRAME_DATA[kind]
    if "t" in form or "T" in form:
        data = tuple(
            [
                box.slug[int(datum)] if letter in ("t", "T") and int(datum) >= 0 else datum
                for letter, datum in zip(letters(form, len(data)), data, strict=True)
            ]
        )
    return Frame(kind, f.seat, data)


def _code(box: Box, code: int) -> int | str:
    """The code of an offer; tiles by slug."""
    what, number = divmod(code, 1000)
    return f"{what} {box.slug[number]}" if what in (2, 4) else code


def _battle(s: KingState) -> BattleView | None:
    b, box = s.battle, s.box
    if b is None:
        return None
    first = box.edition.tiles_of
    sides = [tuple([x._replace(tile=first[x.kind][0]) for x in side]) for side in b.sides]
    return BattleView(
        box.land_slug[b.land], b.attacker, b.defender, b.fight, sides[0], sides[1], b.absorbed, b.stood, b.stage,
        (b.hits[0], b.hits[1]), b.rolled, b.ended,
    )  # fmt: skip


def view_of(s: KingState, seat: int, awaited: Awaited) -> KingView:
    """The view of a seat, or of a spectator (-1); it shares nothing with the state that changes."""
    box, known, fill = s.box, s.known, s.fill
    slug, kind, mask, place = box.slug, box.kind, s.mask, s.place
    for f in s.frames:  # others' line-ups in the making are not seen (K30)
        if f.kind == "line" and f.seat != seat and len(f.data) > 1:
            place = place[:]
            for laid in f.data[1:]:
                place[int(laid)] = int(f.data[0])
    seats = range(s.seats)
    open_tiles: list[tuple[int, OpenTile]] = []
    hands: list[list[int]] = [[] for _ in seats]
    armies: list[list[tuple[int, int]]] = [[] for _ in seats]
    lies: list[dict[tuple[int, int], int]] = [{} for _ in seats]
    knows: list[list[str]] = [[] for _ in seats]
    knows_army: list[list[str]] = [[] for _ in seats]
    owners: list[int] = []
    for tile in compress(range(box.lands), s.zone):  # all that are not in their cup or bank
        where = s.zone[tile]
        sort, owner, who_knows = where & 0xF8, where & 7, known[tile]
        level = who_knows >> 2 * seat & 3 if seat >= 0 else 0
        if who_knows == SHOWN or (sort == DEAD or owner == seat if sort else where != OWNERS or level == 3):
            seen_tile = OpenTile(slug[tile], where, place[tile], fill[tile], mask[tile], who_knows)
            open_tiles.append((kind[tile], seen_tile))
        elif where == OWNERS:
            owners.append(fill[tile])
        elif sort == HAND:
            hands[owner].append(fill[tile])
            if level:
                knows[owner].append(slug[tile])
        else:
            armies[owner].append((fill[tile], mask[tile]))
            spot = (where, place[tile])
            lies[owner][spot] = lies[owner].get(spot, 0) + 1
            if level:
                (knows_army if level == 2 else knows)[owner].append(slug[tile])
    open_tiles.sort()
    seen = list(s.seen[seat]) if seat >= 0 else [min(times) for times in zip(*s.seen, strict=True)]
    for begin, end in box.several:
        seen[begin:end] = sorted(seen[begin:end])
    return KingView(
        box=box,
        seat=seat,
        seats=s.seats,
        awaited=awaited,
        turn=s.turn,
        phase=s.phase,
        first=s.first,
        acting=s.acting,
        clock=s.clock,
        out=s.out,
        gold=tuple(s.gold),
        prestige=tuple([s.prestige(other) for other in seats]),
        income=tuple([s.income(other) for other in seats]),
        lands=tuple(
            [
                tuple(
                    [
                        _land(box.land_slug[n], s.fort[n], slug[s.imp[n]] if s.imp[n] != NO_TILE else "")
                        for n in s.lands[other]
                    ]
                )
                for other in seats
            ]
        ),
        hand_sizes=tuple([len(hand) for hand in s.hand]),
        army_sizes=tuple([len(army) for army in s.army]),
        tiles=tuple([tile for _, tile in open_tiles]),
        hidden=tuple(
            [
                Hidden(
                    other,
                    tuple(sorted(hands[other])),
                    tuple(sorted(armies[other])),
                    tuple(sorted([(*spot, number) for spot, number in lies[other].items()])),
                    tuple(sorted(knows[other])),
                    tuple(sorted(knows_army[other])),
                )
                for other in seats
                if other != seat
            ]
        ),
        owners=tuple(sorted(owners)),
        owner_characters=sum(box.fights[t] and t != box.golem for t in s.owners),
        cup_size=len(s.cup),
        land_aside=tuple(
            [
                slug[tile] if tile >= box.instructions else box.land_slug[tile - box.lands]
                for tile, where in enumerate(s.zone[box.lands :], box.lands)
                if where == ASIDE
            ]
        ),
        seen=tuple(seen),
        frames=tuple([_frame(s, f, seat) for f in s.frames]),
        roll=tuple(s.roll),
        tally=tuple(s.tally),
        built=s.built,
        barred=s.barred,
        given=s.given,
        dispelled=s.dispelled,
        standing=s.standing[seat] if seat >= 0 else 0,
        war=None if s.war is None else s.war.values(),
        battle=_battle(s),
        over=s.over,
    )
