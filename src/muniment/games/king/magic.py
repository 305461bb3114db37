"""Magic items: when each may be used, the stops at which their holders are asked, and what they do (magic, K9, K10).

An item is announced, may be answered with *dispell magic*, and then works (K43). The lucky charm is in ``dice``, the
talisman in ``homecoming``; swords and bows enter the army here and are given to characters in ``battle``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from typing import Final

from muniment.core.frames import Frame
from muniment.games.king.actions import FIGHT, KingAction
from muniment.games.king.box import Box
from muniment.games.king.dice import item_holder, offer_charm
from muniment.games.king.state import ASIDE, CALLED, KNOWN_IN_HAND, NOWHERE, OWNERS, SHOWN, KingState
from muniment.games.king.steps import Choice, Roll, become, push, register, roll_for
from muniment.games.king.tiles import ARMS_BIT

__all__ = [
    "ANY_TIME", "ITEMS", "STOPS", "any_time", "ask", "could_be_asked", "dispell_ends", "items_of", "magic_uses",
    "revivable", "standing_actions",
]  # fmt: skip

ITEMS: Final = ("mist", "golem", "dispell", "wall", "dust", "talisman")
"""The items asked for at stops; the place in this list, plus 2, is the bit of ``standing`` that declines them."""

_CHARM_MODES: Final = ("default", "mine", "always", "never")

_CHARM_ANSWERS: Final = tuple(
    tuple(KingAction("standing", ("charm", word)) for word in _CHARM_MODES if word != mode) for mode in _CHARM_MODES
)
"""By the mode of the charm's holder."""
_BITS: Final = {item: 4 << at for at, item in enumerate(ITEMS)}
_ANSWERS: Final = {item: tuple((KingAction("standing", (item, word)),) for word in ("never", "ask")) for item in ITEMS}
"""By whether the holder declines the item."""
STOPS: Final[dict[str, tuple[str, ...]]] = {
    "paid": ("mist", "golem", "dispell"),
    "initiative": ("mist", "golem", "dispell"),
    "lined": ("mist", "wall", "dust", "dispell"),
    "battle": ("mist", "wall", "dust", "dispell"),
    "revealed": ("wall", "mist", "dispell"),
    "stages": ("mist", "dispell"),
    "dead": ("talisman",),
    "answer": ("dispell",),
    "fight": ("golem", "dust", "dispell"),
    "fight-revealed": ("dispell",),
    "fight-stages": ("dispell",),
}
_UNDISTURBED: Final = frozenset(("hit", "charm", "muster", "revive"))
"""While one of these is being decided no other magic but the charm can be used: it comes before or after."""

# -- stops, K10


def ask(s: KingState, stop: str) -> None:
    """Stop for the holders of what could be used now, if there are any (K10)."""
    box, zone = s.box, s.zone
    for item in STOPS[stop]:
        tile = getattr(box, item)
        if tile >= 0 and (zone[tile] >> 3 == 1 or zone[tile] == OWNERS):
            push(s, "stops", -1, stop, 0)
            return


def _stops(s: KingState, f: Frame) -> None:
    """Ask the holders one by one, in turn order from the acting player, until all have passed in succession."""
    stop, begin = str(f.data[0]), int(f.data[1])
    order = s.order(s.acting)
    held = [(holder, item) for item in STOPS[stop] if (holder := item_holder(s, getattr(s.box, item))) >= 0]
    for at in range(begin, len(order)):
        seat = order[at]
        for holder, item in held:
            if holder != seat or s.dispelled == seat or s.standing[seat] & _BITS[item]:
                continue
            if _USES[item](s, seat, stop):
                push(s, "stops", -1, stop, at + 1)
                push(s, "stop", seat, stop)
                return


def _stop_legal(s: KingState, f: Frame) -> list[KingAction]:
    return [s.box.passing, *magic_uses(s, f.seat)]


def _stop_act(s: KingState, _f: Frame, _action: KingAction) -> None:
    s.frames.pop()


# -- who may use what now


def magic_uses(s: KingState, seat: int) -> list[KingAction]:
    """Every use of a magic item that the seat has, now, within the item's ruling (K9); the charm is in ``dice``."""
    f = s.frames[-1]
    if s.dispelled == seat or f.kind in _UNDISTURBED or not s.turn:
        return []
    stop = str(f.data[0]) if f.kind == "stop" else ""
    answering_charm = stop == "answer" and any(frame.kind == "charmed" for frame in s.frames[-3:])
    box, found, hand = s.box, list[KingAction](), s.hand[seat]
    first = box.magic
    for tile in hand[bisect_left(hand, first) :]:
        if (uses := _USES.get(box.role[tile])) is not None:
            found += uses(s, seat, stop)
    if s.owners and s.battle is not None and s.battle.defender == seat:
        for tile in s.owners:
            if tile >= first and (uses := _USES.get(box.role[tile])) is not None:
                found += uses(s, seat, stop)
    if answering_charm:  # the roll has still to be judged, before any other die is thrown (K42)
        return [use for use in found if use.word == "dispell"]
    return found


def _war_goes_on(s: KingState) -> bool:
    return s.war is not None and not s.war.off


def _mist_uses(s: KingState, _seat: int, _stop: str) -> list[KingAction]:
    """From the payment of the army to the end of the war (K45)."""
    return [s.box.mist_read] if _war_goes_on(s) else []


def _golem_uses(s: KingState, seat: int, stop: str) -> list[KingAction]:
    """Into either army before it lines up (K44); into a fight only if it is among the owners drawn (K26)."""
    w = s.war
    if w is not None and not w.off:
        if s.zone[s.box.golem] == OWNERS:
            return []
        return [s.box.golem_to[w.seat(side)] for side in (0, 1) if not w.lined >> side & 1]
    if stop == "fight" and s.zone[s.box.golem] == OWNERS and s.place[s.box.golem] == NOWHERE:
        return [s.box.golem_to[seat]]
    return []


def _dispell_uses(s: KingState, _seat: int, _stop: str) -> list[KingAction]:
    """At any time, on any one player (K43)."""
    return [] if s.dispelled >= 0 else [s.box.dispell_on[other] for other in s.order(0)]


def _wall_uses(s: KingState, _seat: int, _stop: str) -> list[KingAction]:
    """During a war, on a land of the defender whose battle has not come to its first dice (K46)."""
    w, b = s.war, s.battle
    if w is None or w.off or s.zone[s.box.wall] == OWNERS:
        return []
    open_land = b.land if b is not None and b.stage < 0 and not b.ended else -1
    return [s.box.wall_on[land] for land in s.lands[w.defender] if land == open_land or not w.fought >> land & 1]


def _dust_uses(s: KingState, _seat: int, stop: str) -> list[KingAction]:
    """Against the attackers of one battle, before tiles are revealed (K47); also in a fight (K26)."""
    w = s.war
    if w is not None and not w.off:
        if w.lined != 3 or any(f.kind == "line" for f in s.frames) or s.zone[s.box.dust] == OWNERS:
            return []
        places = {s.place[tile] for tile in s.field}
        return [s.box.dust_on[land] for land in s.lands[w.defender] if land in places and not w.fought >> land & 1]
    return [_DUST_IN_FIGHT] if stop == "fight" else []


def _talisman_uses(s: KingState, seat: int, stop: str) -> list[KingAction]:
    """When the wars' dead are counted, by one who has dead characters among them (K40)."""
    if stop != "dead" or s.zone[s.box.talisman] == OWNERS:
        return []
    return [s.box.talisman_used] if revivable(s, seat) else []


def revivable(s: KingState, seat: int) -> list[int]:
    """The seat's dead characters, specials too, but no golem, sword or bow (K40)."""
    golem = s.box.golem
    return [tile for tile in s.dead if s.zone[tile] & 7 == seat and s.box.fights[tile] and tile != golem]


_USES: Final[dict[str, Callable[[KingState, int, str], list[KingAction]]]] = {
    "mist": _mist_uses,
    "golem": _golem_uses,
    "dispell": _dispell_uses,
    "wall": _wall_uses,
    "dust": _dust_uses,
    "talisman": _talisman_uses,
}
_DUST_IN_FIGHT = KingAction("dust", (FIGHT,))


def items_of(box: Box, stop: str) -> list[int]:
    """The tiles that a stop is for; "" is the lucky charm's."""
    tiles = [getattr(box, item) for item in STOPS[stop]] if stop else [box.charm]
    return [tile for tile in tiles if tile >= 0]


def could_be_asked(s: KingState, stop: str, seat: int, tile: int) -> bool:
    """Whether a seat that held the item would be asked at this stop; for re-deals, on what is public."""
    if s.dispelled == seat or not s.alive(seat):
        return False
    if not stop:
        return True
    zone, s.zone[tile] = s.zone[tile], s.zone[tile] or 8 | seat
    uses = _USES[s.box.edition.tile[tile].role](s, seat, stop)
    s.zone[tile] = zone
    return bool(uses)


# -- at any time (K9)


def any_time(s: KingState, seat: int) -> list[KingAction]:
    """What any seat may do whenever the game waits for a decision: treasures, gifts, swords and bows, magic (K9)."""
    box, hand, top = s.box, s.hand[seat], s.frames[-1]
    found: list[KingAction] = []
    picked = top.data if top.kind == "muster" and top.seat == seat else ()
    magic = box.magic
    for tile in hand[bisect_left(hand, box.treasures) :]:
        if tile in picked:
            continue
        if tile < magic:
            found.append(box.cash[tile])
            continue
        if not s.given >> tile - magic & 1 and s.turn:
            give = box.give[tile]
            found += [give[other] for other in s.order(0) if other != seat]
        if box.bit[tile] and may_arm(s, seat):
            found.append(box.arm[tile])
        found += standing_actions(s, seat, tile)
    if (top.kind != "stop" or top.seat != seat) and (s.owners or (hand and hand[-1] >= magic)):
        found += magic_uses(s, seat)
    return found


def may_arm(s: KingState, seat: int) -> bool:
    """Whether a sword or bow may enter the seat's army: outside wars, or before it lines up in one (K49, K43)."""
    w = s.war
    if s.dispelled == seat or s.frames[-1].kind in _UNDISTURBED or s.battle is not None:
        return False
    return w is None or (not w.off and (side := w.side(seat)) >= 0 and not w.lined >> side & 1)


def standing_actions(s: KingState, seat: int, tile: int) -> tuple[KingAction, ...]:
    """The other standing answers that the holder of an item can give (K10)."""
    role = s.box.role[tile]
    if role == "charm":
        return _CHARM_ANSWERS[s.standing[seat] & 3]
    bit = _BITS.get(role)
    return () if bit is None else _ANSWERS[role][bool(s.standing[seat] & bit)]


def _tile(s: KingState, seat: int, slug: int | str) -> int:
    slugs = s.box.slug
    return next(tile for tile in s.hand[seat] if slugs[tile] == slug)


def _cash(s: KingState, seat: int, action: KingAction) -> None:
    tile = _tile(s, seat, action.args[0])
    s.note("treasure", "K9", seat=seat, tile=action.args[0], gold=s.box.value[tile])
    s.to_cup(tile)
    s.earn(seat, s.box.value[tile])


def _give(s: KingState, seat: int, action: KingAction) -> None:
    """A gift, made openly; the receiver may use it in the same stop (K49, K60)."""
    tile, other = _tile(s, seat, action.args[0]), int(action.args[1])
    s.to_hand(tile, other)
    s.known[tile] = KNOWN_IN_HAND
    s.given |= 1 << tile - s.box.magic
    if s.log is not None:
        s.note("gift", "K49", seat=seat, to=other, tile=action.args[0])
    top = s.frames[-1]
    if top.kind == "charm" and tile == s.box.charm:
        s.frames.pop()
        offer_charm(s, s.frames[-1], insist=True)
    _ask_again(s)


def _ask_again(s: KingState) -> None:
    """After something has changed at a stop, all holders are asked again; choices that it touches are offered anew."""
    top = s.frames[-1]
    if top.kind == "stop":
        s.frames.pop()
        become(s, "stops", -1, top.data[0], 0)
    elif top.kind == "battle":  # the choice of the next battle
        s.frames.pop()


def _arm(s: KingState, seat: int, action: KingAction) -> None:
    """A sword or bow enters the army, in a war the army of that war, unpaid (K49)."""
    tile = _tile(s, seat, action.args[0])
    s.to_army(tile, seat, ARMS_BIT)
    w = s.war
    if w is not None and seat == w.attacker:
        s.to_field(tile, seat)
    s.note("armed", "K49", seat=seat)
    s.note("arms", "K49", only=(seat,), tile=action.args[0])


def _standing(s: KingState, seat: int, action: KingAction) -> None:
    role, word = str(action.args[0]), str(action.args[1])
    if role == "charm":
        s.standing[seat] = s.standing[seat] & ~3 | _CHARM_MODES.index(word)
    else:
        bit = _BITS[role]
        s.standing[seat] = s.standing[seat] & ~bit | (bit if word == "never" else 0)


def _announce(s: KingState, seat: int, action: KingAction) -> None:
    """An item is played: it may be answered with dispell magic before it works (K10, K43)."""
    item = action.word
    tile: int = getattr(s.box, item)
    _ask_again(s)
    s.note("magic", action.rule, seat=seat, item=s.box.slug[tile], on=tuple(action.args))
    if item in ("dispell", "wall", "golem"):
        s.set_aside(tile)
    else:
        s.to_cup(tile)
    push(s, "magic", seat, item, *action.args)
    ask(s, "answer")


def _magic(s: KingState, f: Frame) -> None:
    """An announced item works, unless its caster has been dispelled: then it is used up all the same (K43)."""
    item = str(f.data[0])
    if s.dispelled == f.seat and item != "dispell":
        s.note("fizzled", "K43", seat=f.seat)
        tile: int = getattr(s.box, item)
        if s.zone[tile] == ASIDE:
            s.to_cup(tile)
        return
    _EFFECTS[item](s, f)


def _mist_rises(s: KingState, _f: Frame) -> None:
    """Every battle not yet fought is off, one under way ends without capture (K45)."""
    w = s.war
    if w is None:
        return
    w.off = 1
    s.battle = None
    while s.frames[-1].kind != "homecoming":
        s.frames.pop()


def _golem_joins(s: KingState, f: Frame) -> None:
    """It joins a side as one of its tiles, unpaid and for all to see (K44); or the owners of a land (K26)."""
    golem, seat = s.box.golem, int(f.data[1])
    w = s.war
    if w is None:
        s.zone[golem] = OWNERS
        s.owners.append(golem)
        s.owners.sort()
        s.place[golem] = CALLED
        return
    w.golem = seat
    s.to_army(golem, seat, 0)
    s.known[golem] = SHOWN
    if seat == w.attacker:
        s.to_field(golem, seat)


def _dispelled(s: KingState, f: Frame) -> None:
    """All magic of one player stops until the part of the phase ends (K43)."""
    s.dispelled = int(f.data[1])


def dispell_ends(s: KingState) -> None:
    """The dispell wears off and the scroll returns to the deck (K43)."""
    if s.dispelled >= 0:
        s.dispelled = -1
        s.to_cup(s.box.dispell)


def _wall_burns(s: KingState, f: Frame) -> None:
    """One die for the wall's value (K46)."""
    land = s.box.land_named[str(f.data[1])]
    if s.war is None or s.war.off:
        s.to_cup(s.box.wall)
    else:
        roll_for(s, "wall-value", f.seat, 1, land)


def _wall_value(s: KingState, f: Frame) -> None:
    w = s.war
    if w is not None:
        w.wall_land, w.wall_value, w.wall_caster = int(f.data[0]), max(0, s.roll[0]), f.seat


def _wall_concerns(s: KingState, f: Frame, seat: int) -> bool:
    return s.war is not None and seat in (f.seat, s.war.attacker, s.war.defender)


def _dust_blows(s: KingState, f: Frame) -> None:
    """The attackers of that land go home and are out of the war; the land is safe (K47)."""
    place = str(f.data[1])
    if place == FIGHT:
        if s.battle is not None:
            s.battle.ended = 1
        return
    land = s.box.land_named[place]
    if s.war is not None:
        s.war.fought |= 1 << land
        for tile in [tile for tile in s.field if s.place[tile] == land]:
            if tile == s.box.golem:
                s.place[tile] = NOWHERE
            else:
                s.go_home(tile)


ANY_TIME: Final[dict[str, Callable[[KingState, int, KingAction], None]]] = {
    "cash": _cash,
    "give": _give,
    "arm": _arm,
    "standing": _standing,
    "mist": _announce,
    "golem": _announce,
    "dispell": _announce,
    "wall": _announce,
    "dust": _announce,
    "talisman": _announce,
}
_EFFECTS: Final[dict[str, Callable[[KingState, Frame], None]]] = {
    "mist": _mist_rises,
    "golem": _golem_joins,
    "dispell": _dispelled,
    "wall": _wall_burns,
    "dust": _dust_blows,
    "talisman": lambda s, f: roll_for(s, "talisman-die", f.seat, 1),
}

register(
    flows={"stops": _stops, "magic": _magic, "wall-value": _wall_value},
    choices={"stop": Choice(_stop_legal, _stop_act, "K10", public=1, hidden=True)},
    rolls={"wall-value": Roll("K46", "the value of the wall of fire", _wall_concerns, battle=True)},
)
