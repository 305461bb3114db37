"""Dealing the hidden tiles again: a full state consistent with a view (K2, K26, design.md "Views").

Every tile that is not in the cup fills a *slot*. A slot says which tiles it can hold: those that were in the cup when
it was filled (never seen going into the cup later), and in an army those that could enter it. All assignments of the
distinct tiles to the slots are equally likely: each draw took one of the tiles in the cup, and the number of tiles in
the cup was public. So a first assignment is found by matching, and then mixed by many exchanges of two tiles that keep
it possible; every possible exchange is as likely as its reverse, so all assignments become equally likely. Known
tiles take part, because of equal tiles nobody knows which one lies where.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from muniment.core.chance import Source
from muniment.core.frames import Frame
from muniment.games.king.box import Box
from muniment.games.king.dice import CHARM_ALWAYS
from muniment.games.king.magic import could_be_asked, items_of
from muniment.games.king.schema import FRAME_DATA, letters
from muniment.games.king.state import (
    ARMY,
    ASIDE,
    CUP,
    DEAD,
    FIELD,
    HAND,
    LANDS,
    NO_TILE,
    ON_LAND,
    OWNERS,
    KingState,
)
from muniment.games.king.steps import ROLLS
from muniment.games.king.views import KingView
from muniment.games.king.war_state import Battle, War

__all__ = ["redeal"]

_SWEEPS = 12
_LEAST = 120
_ATTEMPTS = 100
_OPEN = (-1, -1)  # the group of slots whose tiles lie open, for knowledge of hidden ones
_Reserved = dict[int, tuple[int, tuple[int, ...], int]]


@dataclass(slots=True)
class _Slot:
    """A place that holds one tile. group: slots that a known tile may be exchanged between.

    could: the tiles that it could hold by what was in the cup; may: those allowed now, fewer where a tile is known.
    pinned: whether it holds what is known; where: then the parts of its owner's tiles in which that may be.
    """

    could: frozenset[int]
    may: frozenset[int]
    zone: int
    place: int
    fill: int
    mask: int
    known: int
    group: tuple[int, int]
    tile: int = -1
    pinned: bool = False
    where: tuple[int, ...] = ()


def redeal(box: Box, view: KingView, source: Source) -> KingState:
    """A state that looks like the view, drawn from the prior given everything the seat has seen."""
    s = KingState(box, view.seats)
    _public(s, view)
    for _ in range(_ATTEMPTS):
        slots = _slots(s, view)
        reserved = _reserve(s, view, slots, source)
        asked = _force_stop(s, view, slots, reserved, source)
        if _match(slots, reserved, source):
            break
    else:
        raise ValueError("the view fits no position")
    _pin(s, view, slots, reserved)
    _mix(s, slots, source)
    _put(s, view, slots, source)
    _finish(s, view)
    _restore_stop(s, view, asked)
    return s


# -- what is public


def _public(s: KingState, view: KingView) -> None:
    box = s.box
    s.turn, s.phase, s.first, s.acting, s.clock = view.turn, view.phase, view.first, view.acting, view.clock
    s.out, s.built, s.barred, s.given, s.dispelled = view.out, view.built, view.barred, view.given, view.dispelled
    s.over = view.over
    s.gold, s.roll, s.tally = list(view.gold), list(view.roll), list(view.tally)
    if view.seat >= 0:
        s.standing[view.seat] = view.standing
    for seat, lands in enumerate(view.lands):
        for land in lands:
            number = box.land_named[land.land]
            s.lands[seat].append(number)
            s.zone[box.lands + number] = LANDS | seat
            s.fort[number] = land.fort
    for slug in view.land_aside:
        if slug in box.land_named:
            s.zone[box.lands + box.land_named[slug]] = ASIDE
        else:
            s.zone[next(t for t in box.tiles_named(slug) if not s.zone[t])] = ASIDE
    for seat in range(s.seats):
        s.survey(seat)
    s.land_cup = [t for t in range(box.lands, box.size) if not s.zone[t]]
    s.bank = [0, *(box.edition.forts[level] - s.fort.count(level) for level in range(1, 5))]
    s.grans = sum(1 << seat for seat in range(s.seats) if any(s.fort[n] == 4 for n in s.lands[seat]))
    for seen in s.seen:
        seen[:] = array("I", view.seen)
    if (v := view.battle) is not None:
        b = s.battle = Battle(box.land_named[v.land], v.attacker, v.defender, v.fight)
        b.absorbed, b.stood, b.stage, b.hits = v.absorbed, v.stood, v.stage, list(v.hits)
        b.rolled, b.ended = v.rolled, v.ended
    if view.war is not None:
        s.war = War(0, 0)
        for name, value in zip(War.__slots__, view.war, strict=True):
            setattr(s.war, name, value)


# -- slots


def _slots(s: KingState, view: KingView) -> list[_Slot]:
    box, when = s.box, s.seen[0]
    slots: list[_Slot] = []
    for name, zone, place, fill, mask, known in view.tiles:
        may = box.equal[name]
        if len(may) > 1 and min(may) < box.deck:
            may = frozenset([t for t in may if when[t] < fill]) or may
        slots.append(_Slot(may, may, zone, place, fill, mask, known, (-1, len(slots))))
    returned = sorted(range(box.deck), key=when.__getitem__)
    times = [when[t] for t in returned]
    alike: dict[tuple[int, int], frozenset[int]] = {}

    def candidates(fill: int, mask: int) -> frozenset[int]:
        """The tiles that were in the cup then, and can be where the slot is; the same set for slots alike."""
        key = (bisect_left(times, fill), mask)
        found = alike.get(key)
        if found is None:
            found = frozenset(returned[: key[0]]) if mask < 0 else candidates(fill, -1) & box.entering[mask]
            alike[key] = found
        return found

    for hidden in view.hidden:
        zone, group = HAND | hidden.seat, (hidden.seat, 0)
        for fill in hidden.hand:
            may = candidates(fill, -1)
            slots.append(_Slot(may, may, zone, 255, fill, 0, 0, group))
        zone, group = ARMY | hidden.seat, (hidden.seat, 1)
        for fill, mask in hidden.army:
            may = candidates(fill, mask)
            slots.append(_Slot(may, may, zone, 255, fill, mask, 0, group))
    characters = _hidden_characters(box, view) if view.owners else 0
    for number, fill in enumerate(view.owners):
        may = frozenset(
            t for t in candidates(fill, -1)
            if (box.fights[t] and t != box.golem if number < characters else t >= box.magic)
        )  # fmt: skip
        slots.append(_Slot(may, may, OWNERS, 255, fill, 0, 0, (8, 0)))
    return slots


def _hidden_characters(box: Box, view: KingView) -> int:
    shown = sum(t.zone == OWNERS and box.fights[box.tiles_named(t.tile)[0]] and t.tile != "golem" for t in view.tiles)
    return view.owner_characters - shown


def _reserve(s: KingState, view: KingView, slots: list[_Slot], source: Source) -> _Reserved:
    """Tiles for what is known to be in a hand or an army: by tile its owner, where (0 hand, 1 army), the knowledge.

    Of equal tiles nobody knows which one it is: any that fits a slot there may be, as long as those that lie open have
    theirs, too.
    """
    box = s.box
    known: dict[str, list[tuple[int, tuple[int, ...], int]]] = {}
    for hidden in view.hidden:
        for slugs, where, level in ((hidden.known_army, (1,), 2), (hidden.known, (0, 1), 1)):
            for slug in slugs:
                known.setdefault(slug, []).append((hidden.seat, where, level))
    there: dict[tuple[int, int], list[frozenset[int]]] = {}
    for slot in slots:
        there.setdefault(slot.group, []).append(slot.may)
    reserved: _Reserved = {}
    for slug, claims in known.items():
        equal = box.equal[slug]
        if len(equal) == 1:
            reserved[min(equal)] = claims[0]
            continue
        fits = [slot.may for slot in slots if slot.group[0] < 0 and slot.may <= equal]
        lying = len(fits)
        for seat, parts, _ in claims:
            homes = [may for part in parts for may in there.get((seat, part), ())]
            fits.append(frozenset([tile for tile in equal if any(tile in may for may in homes)]))
        for tile, claim in _shared_out(fits, source).items():
            if claim >= lying:
                reserved[tile] = claims[claim - lying]
    return reserved


def _shared_out(fits: Sequence[frozenset[int]], source: Source) -> dict[int, int]:
    """A tile for each claim, of those that fit it, as far as there are enough: the claim by tile."""
    claimed: dict[int, int] = {}
    orders = []
    for tiles in fits:
        order = sorted(tiles)
        start = source.below(len(order)) if len(order) > 1 else 0
        orders.append(order[start:] + order[:start])

    def claim(number: int, tried: set[int]) -> bool:
        for tile in orders[number]:
            if tile not in tried:
                tried.add(tile)
                if tile not in claimed or claim(claimed[tile], tried):
                    claimed[tile] = number
                    return True
        return False

    for number in range(len(fits)):
        claim(number, set())
    return claimed


def _match(slots: list[_Slot], reserved: _Reserved, source: Source) -> bool:
    """Whether a first assignment was found, by augmenting paths: first the known tiles, then the other slots.

    A tile that has a slot keeps one while others are placed, so what is known to be there stays there.
    """
    holder: dict[int, int] = {}
    orders: list[list[int]] = []
    groups: dict[tuple[int, int], list[int]] = {}
    elsewhere: dict[tuple[int, int], frozenset[int]] = {}
    ordered: dict[tuple[frozenset[int], tuple[int, int]], list[int]] = {}
    for at, slot in enumerate(slots):
        group = slot.group if slot.group[0] >= 0 else _OPEN
        alike = groups.get(group)
        if alike is None:
            alike = groups[group] = []
            elsewhere[group] = frozenset(
                [tile for tile, (seat, where, _) in reserved.items() if group[0] != seat or group[1] not in where]
            )
        alike.append(at)
        tiles = ordered.get((slot.may, group))
        if tiles is None:
            away = elsewhere[group]
            tiles = ordered[slot.may, group] = sorted(slot.may - away if away else slot.may)
        start = source.below(len(tiles)) if len(tiles) > 1 else 0
        orders.append(tiles[start:] + tiles[:start] if start else tiles)

    def seat_tile(tile: int, tried: set[int]) -> bool:
        seat, where, _ = reserved[tile]
        for at in [at for kind in where for at in groups.get((seat, kind), ())]:
            slot = slots[at]
            if at in tried or tile not in slot.may:
                continue
            tried.add(at)
            if slot.tile < 0 or seat_tile(slot.tile, tried):
                slot.tile = tile
                holder[tile] = at
                return True
        return False

    def fill(at: int, tried: set[int]) -> bool:
        for tile in orders[at]:
            if tile not in holder:
                holder[tile] = at
                slots[at].tile = tile
                return True
        for tile in orders[at]:
            if tile not in tried:
                tried.add(tile)
                if fill(holder[tile], tried):
                    holder[tile] = at
                    slots[at].tile = tile
                    return True
        return False

    if not all(seat_tile(tile, set()) for tile in reserved):
        return False
    waiting = sorted([at for at, slot in enumerate(slots) if slot.tile < 0], key=lambda at: len(slots[at].may))
    return all(fill(at, set()) for at in waiting)


def _pin(s: KingState, view: KingView, slots: list[_Slot], reserved: _Reserved) -> None:
    """What is known stays with its owner while everything is mixed."""
    for slot in slots:
        if slot.tile in reserved:
            _, slot.where, level = reserved[slot.tile]
            slot.may &= s.box.equal[s.box.slug[slot.tile]]
            slot.pinned = True
            slot.known = level << 2 * max(view.seat, 0)


def _mix(s: KingState, slots: list[_Slot], source: Source) -> None:
    """Exchange tiles between two slots, or a slot and the cup, wherever both can hold what they get.

    Known tiles stay with their owner.
    """
    movable = [slot for slot in slots if slot.pinned or len(slot.may) > 1]
    if not movable:
        return
    used = {slot.tile for slot in slots}
    cup = [tile for tile in range(s.box.deck) if tile not in used]
    size, total = len(movable), len(movable) + len(cup)
    below = source.below
    for _ in range(max(_LEAST, _SWEEPS * size)):
        one = movable[below(size)]
        at = below(total)
        if at >= size:
            tile = cup[at - size]
            if tile in one.may:
                cup[at - size], one.tile = one.tile, tile
            continue
        other = movable[at]
        if one.pinned != other.pinned and one.group[0] == other.group[0] and below(2):
            _move_pin(one, other, s)
        elif other.tile in one.may and one.tile in other.may:
            one.tile, other.tile = other.tile, one.tile


def _move_pin(one: _Slot, other: _Slot, s: KingState) -> None:
    """A known tile and an unknown one of the same owner change slots."""
    known, free = (one, other) if one.pinned else (other, one)
    if free.group[1] not in known.where:
        return
    if free.tile in known.could and known.tile in free.could:
        free.may = free.could & s.box.equal[s.box.slug[known.tile]]
        known.may = known.could
        known.tile, free.tile = free.tile, known.tile
        known.pinned, free.pinned = False, True
        known.where, free.where = (), known.where
        known.known, free.known = free.known, known.known


# -- the state


def _put(s: KingState, view: KingView, slots: list[_Slot], source: Source) -> None:
    box = s.box
    for hidden in view.hidden:
        army = [slot for slot in slots if slot.group == (hidden.seat, 1)]
        spots = [(zone, place) for zone, place, number in hidden.lies for _ in range(number)]
        for at in range(len(spots) - 1, 0, -1):
            other = source.below(at + 1)
            spots[at], spots[other] = spots[other], spots[at]
        for slot, spot in zip(army, spots, strict=True):
            slot.zone, slot.place = spot
        _field_can_fight(s, view, hidden.seat, army)
    for slot in slots:
        tile = slot.tile
        s.zone[tile], s.place[tile], s.fill[tile] = slot.zone, slot.place, slot.fill
        s.mask[tile], s.known[tile] = slot.mask, slot.known
        if slot.zone == ON_LAND:
            s.imp[slot.place] = tile
    tiles_in: dict[int, list[int]] = {}
    for tile, zone in enumerate(s.zone[: box.lands]):
        tiles_in.setdefault(zone, []).append(tile)
    for seat in range(s.seats):
        s.hand[seat] = tiles_in.get(HAND | seat, [])
        s.army[seat] = tiles_in.get(ARMY | seat, [])
        s.nobles[seat] = sum(t >= box.deck for zone in (ARMY, FIELD) for t in tiles_in.get(zone | seat, ()))
        s.worth[seat] = sum(1 + s.fort[n] + (box.value[s.imp[n]] if s.imp[n] != NO_TILE else 0) for n in s.lands[seat])
    s.field = sorted(t for zone, tiles in tiles_in.items() if zone & 0xF8 == FIELD for t in tiles)
    s.dead = sorted(t for zone, tiles in tiles_in.items() if zone & 0xF8 == DEAD for t in tiles)
    s.owners = tiles_in.get(OWNERS, [])
    s.cup = [t for t in tiles_in.get(CUP, ()) if t < box.deck]


def _field_can_fight(s: KingState, view: KingView, seat: int, army: list[_Slot]) -> None:
    """Swords and bows alone are never sent (K38): if they lie in the field alone, a character changes places."""
    fights = s.box.fights
    field = [slot for slot in army if slot.zone & 0xF8 == FIELD]
    if not field or any(fights[slot.tile] for slot in field):
        return
    if any(t.zone == FIELD | seat for t in view.tiles):
        return
    home = next((slot for slot in army if slot.zone & 0xF8 == ARMY and fights[slot.tile]), None)
    if home is not None:
        away = field[0]
        home.zone, away.zone = away.zone, home.zone
        home.place, away.place = away.place, home.place


def _finish(s: KingState, view: KingView) -> None:
    """Battle and frames, with tiles by id again."""
    box, v, b = s.box, view.battle, s.battle
    if v is not None and b is not None:
        used: set[int] = set()
        for side, fighters in enumerate((v.attackers, v.defenders)):
            zone = FIELD | v.attacker if not side else OWNERS if v.fight else ARMY | v.defender
            found = []
            for fighter in fighters:
                tile = next(
                    t for t in box.edition.tiles_of[fighter.kind]
                    if t not in used and s.zone[t] == zone and (v.fight or s.place[t] == b.land)
                )  # fmt: skip
                used.add(tile)
                found.append(fighter._replace(tile=tile))
            b.sides[side] = tuple(found)
    for f in view.frames:
        s.frames.append(_frame(s, f))


def _frame(s: KingState, f: Frame) -> Frame:
    box = s.box
    if f.kind in ("offer", "deal"):
        used: set[int] = set()
        giver, asked = (f.seat, int(f.data[0])) if f.kind == "offer" else (int(f.data[0]), f.seat)
        data = [d if isinstance(d, int) else _code(s, d, used, giver, asked) for d in f.data]
        if f.kind == "offer":  # another's offer in the making begins anew
            data += [0] * (5 - len(data))
        return Frame(f.kind, f.seat, tuple(data))
    form = "wn" + FRAME_DATA[str(f.data[0])] if f.kind == "roll" else FRAME_DATA[f.kind]
    if "t" not in form and "T" not in form:
        return f
    used = set()
    found: list[int | str] = []
    wanted = {"muster": HAND, "send": ARMY, "commit": ARMY}.get(f.kind, -1)
    for letter, datum in zip(letters(form, len(f.data)), f.data, strict=True):
        if letter not in ("t", "T") or not isinstance(datum, str):
            found.append(datum)
            continue
        tile = next(
            t for t in box.tiles_named(datum)
            if t not in used and (s.zone[t] == wanted | f.seat if wanted >= 0 else _lies(s, f, t))
        )  # fmt: skip
        used.add(tile)
        found.append(tile)
    return Frame(f.kind, f.seat, tuple(found))


def _lies(s: KingState, f: Frame, tile: int) -> bool:
    """Whether the tile is where a frame of this kind has it from."""
    zone = s.zone[tile]
    if f.kind == "revive":
        return zone == 32 | f.seat
    if f.kind == "reserve":
        return zone == (ARMY if f.data[0] else FIELD) | f.seat
    if f.kind == "line":
        return zone in (ARMY | f.seat, FIELD | f.seat) and s.place[tile] < s.box.land_count
    return bool(zone) or s.box.deck <= tile < s.box.lands


def _code(s: KingState, text: str, used: set[int], giver: int, asked: int) -> int:
    """The code of a tile in an offer: the giver's, or one asked for, of which the giver knows."""
    what, _, slug = text.partition(" ")
    tiles = s.box.tiles_named(slug)
    whose = giver if what == "2" else asked
    tile = next(
        (
            t for t in tiles
            if t not in used and s.zone[t] in (HAND | whose, ARMY | whose)
            and (what == "2" or s.known[t] >> 2 * giver & 3)
        ),
        tiles[0],  # cashed or given away since: the deal cannot be made, in the state as in the view
    )  # fmt: skip
    used.add(tile)
    return int(what) * 1000 + tile


# -- stops: somebody else is asked


def _force_stop(
    s: KingState,
    view: KingView,
    slots: list[_Slot],
    reserved: _Reserved,
    source: Source,
) -> tuple[int, int]:
    """At a stop of somebody else, that seat holds an item it could use: which seat, and which item, is drawn."""
    if not (view.frames[-1].kind in ("stop", "charm") and view.frames[-1].seat < 0):
        return -1, -1
    options: list[tuple[int, int, _Slot | None]] = []
    for tile in items_of(s.box, view.stop):
        if tile in reserved:
            options.append((reserved[tile][0], tile, None))
            continue
        if any(slot.may == {tile} for slot in slots):
            continue
        for slot in slots:
            if slot.zone & 0xF8 == HAND and slot.zone & 7 != view.seat and tile in slot.may:
                options.append((slot.zone & 7, tile, slot))
            elif slot.zone == OWNERS and tile in slot.may and view.battle and view.battle.defender != view.seat:
                options.append((view.battle.defender, tile, slot))
    usable = [option for option in options if _could_use(s, view, option[0], option[1])] or options
    certain = [option for option in usable if option[2] is None] or usable
    if not certain:
        return -1, -1
    seat, tile, chosen = certain[source.below(len(certain))]
    if chosen is not None:
        chosen.may = frozenset((tile,))
    return seat, tile


def _could_use(s: KingState, view: KingView, seat: int, tile: int) -> bool:
    """Whether the seat could use the item at this stop, from what lies open: the tiles have not been dealt yet."""
    box, w = s.box, s.war
    if s.dispelled == seat or not s.alive(seat):
        return False
    if tile == box.talisman:
        return any(t.zone == DEAD | seat and _revives(box, t.tile) for t in view.tiles)
    if tile == box.dust and w is not None:
        places = {t.place for t in view.tiles if t.zone == FIELD | w.attacker}
        places |= {place for h in view.hidden for zone, place, _ in h.lies if zone == FIELD | w.attacker}
        return w.lined == 3 and any(place < box.land_count and not w.fought >> place & 1 for place in places)
    return could_be_asked(s, view.stop, seat, tile)


def _revives(box: Box, slug: str) -> bool:
    tile = box.tiles_named(slug)[0]
    return box.fights[tile] and tile != box.golem


def _restore_stop(s: KingState, _view: KingView, asked: tuple[int, int]) -> None:
    top = s.frames[-1]
    if top.kind not in ("stop", "charm"):
        return
    seat = top.seat if top.seat >= 0 else asked[0]
    if top.kind == "charm":
        settling = s.frames[-2]
        concerns = ROLLS[settling.kind].concerns
        if top.seat < 0 and concerns is not None and seat >= 0 and not concerns(s, settling, seat):
            s.standing[seat] = CHARM_ALWAYS
    order = s.order(s.acting)
    s.frames[-1] = Frame(top.kind, seat, top.data)
    if top.kind == "stop":
        s.frames[-2] = Frame("stops", -1, (top.data[0], order.index(seat) + 1 if seat in order else 0))
