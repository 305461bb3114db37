"""Trading instead of war (options.trading, K53, K60).

Each side composes what it gives, tile by tile, and what it asks of the things that it knows of: gold, lands, special
characters, and tiles of the other's hand or army that it has seen, such as those that the other has offered. The
partner accepts, declines, or counters by composing an offer of its own, which can hold its secret tiles; at most three
times. An offer of nothing for nothing is a withdrawal.

An offer's frame holds: the other seat, the number of counter-offers so far, the gold given and asked, then for every
other thing a code: what it is, times 1000, plus the number of the land or tile.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from muniment.core.frames import Frame
from muniment.games.king.actions import ASK_GOLD, GIVE_GOLD, KingAction
from muniment.games.king.box import Box
from muniment.games.king.capture import hand_over
from muniment.games.king.muster import leave_homeless, may_muster
from muniment.games.king.state import ARMY, HAND, KingState
from muniment.games.king.steps import Choice, push, register
from muniment.games.king.turn import eliminate_landless

__all__ = ["GIVE_TILE", "Wares", "deal_refusal", "is_thing", "offered", "wares"]

MOST_COUNTERS: Final = 3
GIVE_LAND: Final = 1
GIVE_TILE: Final = 2
ASK_LAND: Final = 3
ASK_SPECIAL: Final = 4
_CODE: Final = 1000

# Stages of composing: gold given, lands given, tiles given, gold asked, lands asked, specials asked.
_STAGES: Final = (0, GIVE_LAND, GIVE_TILE, 0, ASK_LAND, ASK_SPECIAL)


def offered(data: tuple[int | str, ...], what: int) -> list[int]:
    """The lands or tiles of one sort in an offer."""
    return [int(code) % _CODE for code in data[4:] if int(code) // _CODE == what]


def is_thing(box: Box, code: int) -> bool:
    """Whether a code names a land or a tile that is given or asked for."""
    what, number = divmod(code, _CODE)
    if what in (GIVE_LAND, ASK_LAND):
        return number < box.land_count
    return what in (GIVE_TILE, ASK_SPECIAL) and number < box.lands


def _begin(s: KingState, f: Frame) -> None:
    s.note("trade", "K53", seat=f.seat, partner=f.data[0])
    push(s, "offer", f.seat, f.data[0], 0, 0, 0, 0)


# -- composing an offer. Data: partner, counters so far, gold given, gold asked, stage, codes


def _things(s: KingState, seat: int, partner: int, what: int) -> list[int]:
    if what == GIVE_LAND:
        return s.lands[seat]
    if what == GIVE_TILE:
        return s.hand[seat] + s.army[seat]
    if what == ASK_LAND:
        return s.lands[partner]
    return sorted(t for t in (*s.hand[partner], *s.army[partner]) if t >= s.box.deck or s.known[t] >> 2 * seat & 3)


class Wares(NamedTuple):
    """What the offer being composed can hold: of each pair the first is what can be given, the second what asked.

    gold: at most so much. lands, tiles: by slug, in the order in which they are chosen; equal tiles one by one.
    """

    gold: tuple[int, int]
    lands: tuple[tuple[str, ...], tuple[str, ...]]
    tiles: tuple[tuple[str, ...], tuple[str, ...]]


def wares(s: KingState) -> Wares:
    """What can be given and asked in the offer that the game waits for (K53)."""
    f, box = s.frames[-1], s.box
    one, other = f.seat, int(f.data[0])
    lands, asked_lands = (
        tuple([box.land_slug[n] for n in _things(s, one, other, what)]) for what in (GIVE_LAND, ASK_LAND)
    )
    tiles, asked_tiles = (
        tuple([box.slug[t] for t in _things(s, one, other, what)]) for what in (GIVE_TILE, ASK_SPECIAL)
    )
    return Wares((s.gold[one], s.gold[other]), (lands, asked_lands), (tiles, asked_tiles))


def _offer_legal(s: KingState, f: Frame) -> list[KingAction]:
    box, seat = s.box, f.seat
    partner, _, _, _, stage = (int(d) for d in f.data[:5])
    what = _STAGES[stage]
    if not what:
        act = ASK_GOLD if stage else GIVE_GOLD
        most = s.gold[partner] if stage else s.gold[seat]
        return [act(amount) for amount in range(most + 1)]
    things = _things(s, seat, partner, what)
    done = [int(code) % _CODE for code in f.data[5:] if int(code) // _CODE == what]
    if done and done[-1] in things:
        things = things[things.index(done[-1]) + 1 :]
    rows: tuple[KingAction, ...] = {
        GIVE_LAND: box.give_land, GIVE_TILE: box.give_tile, ASK_LAND: box.ask_land, ASK_SPECIAL: box.ask_special,
    }[what]  # fmt: skip
    return [box.done, *dict.fromkeys(rows[thing] for thing in things if thing not in done)]


def _offer_act(s: KingState, f: Frame, action: KingAction) -> None:
    seat, data = f.seat, [int(d) for d in f.data]
    partner, stage = data[0], data[4]
    if action.word in ("give-gold", "ask-gold"):
        data[3 if stage else 2] = int(action.args[0])
        data[4] += 1
    elif action.word == "done":
        data[4] += 1
    else:
        what = _STAGES[stage]
        things = _things(s, seat, partner, what)
        done = [code % _CODE for code in data[5:] if code // _CODE == what]
        if done and done[-1] in things:
            things = things[things.index(done[-1]) + 1 :]
        if what in (GIVE_LAND, ASK_LAND):
            thing = s.box.land_named[str(action.args[0])]
        else:
            thing = next(t for t in things if s.box.slug[t] == action.args[0] and t not in done)
        data.append(what * _CODE + thing)
    if data[4] < len(_STAGES):
        s.frames[-1] = Frame("offer", seat, tuple(data))
        return
    s.frames.pop()
    partner, counters, gives, asks, _, *codes = data
    if not (gives or asks or codes):
        s.note("withdrawn", "K53", seat=seat)
        return
    s.note(
        "offer", "K53", only=(seat, partner), seat=seat, gold=gives, asked=asks,
        lands=tuple(s.box.land_slug[c % _CODE] for c in codes if c // _CODE == GIVE_LAND),
        tiles=tuple(s.box.slug[c % _CODE] for c in codes if c // _CODE == GIVE_TILE),
        asked_lands=tuple(s.box.land_slug[c % _CODE] for c in codes if c // _CODE == ASK_LAND),
        asked_specials=tuple(s.box.slug[c % _CODE] for c in codes if c // _CODE == ASK_SPECIAL),
    )  # fmt: skip
    for tile in offered((0, 0, 0, 0, *codes), GIVE_TILE):  # shown to the partner
        s.lose_sight(tile, (partner,))
        s.known[tile] |= 1 << 2 * partner if not s.known[tile] >> 2 * partner & 3 else 0
    push(s, "deal", partner, seat, counters, gives, asks, *codes)


# -- the answer. Data: who offers, counters so far, gold given, gold asked, codes


def deal_refusal(s: KingState, f: Frame) -> str:
    """Why the deal can no longer be made, in words; empty if it can."""
    one, other, data = int(f.data[0]), f.seat, f.data
    if s.gold[one] < int(data[2]) or s.gold[other] < int(data[3]):
        return "the gold is no longer there"
    if any(s.owner(land) != one for land in offered(data, GIVE_LAND)):
        return "a land offered is no longer there"
    if any(s.owner(land) != other for land in offered(data, ASK_LAND)):
        return "a land asked for is no longer there"
    if any(s.zone[tile] not in (HAND | one, ARMY | one) for tile in offered(data, GIVE_TILE)):
        return "a tile offered is no longer there"
    if any(s.zone[tile] not in (HAND | other, ARMY | other) for tile in offered(data, ASK_SPECIAL)):
        return "a tile asked for is no longer there"
    return ""


def _deal_legal(s: KingState, f: Frame) -> list[KingAction]:
    box = s.box
    found = [] if deal_refusal(s, f) else [box.accept]
    found.append(box.decline)
    if int(f.data[1]) < MOST_COUNTERS:
        found.append(box.counter)
    return found


def _deal_act(s: KingState, f: Frame, action: KingAction) -> None:
    s.frames.pop()
    one, other = int(f.data[0]), f.seat
    s.note("deal", "K53", seat=other, partner=one, answer=action.word)
    if action.word == "counter":
        push(s, "offer", other, one, int(f.data[1]) + 1, 0, 0, 0)
    elif action.word == "accept":
        _exchange(s, one, other, f.data)


def _tile_moves(s: KingState, tile: int, giver: int, taker: int) -> None:
    """Traded tiles go to the hand, special characters to the army (K53); giver and taker know them."""
    if tile >= s.box.deck:
        s.to_army(tile, taker, 0)
    else:
        s.to_hand(tile, taker)
        s.known[tile] = 1 << 2 * giver


def _lose_track(s: KingState, giver: int, taker: int, tiles: list[int]) -> None:
    """Third players do not see which tiles go, and so no longer know of any that could be among them (K2)."""
    sorts = {s.zone[tile] & 0xF8 for tile in tiles if tile < s.box.deck}
    if not sorts:
        return
    for tile in (*s.hand[giver], *s.army[giver]):
        for seat in range(s.seats):
            level = s.known[tile] >> 2 * seat & 3
            if tile < s.box.deck and seat not in (giver, taker) and (level == 1 or ARMY in sorts):
                s.known[tile] &= ~(3 << 2 * seat)


def _exchange(s: KingState, one: int, other: int, data: tuple[int | str, ...]) -> None:
    gives, asks = int(data[2]), int(data[3])
    s.pay(one, gives)
    s.earn(other, gives)
    s.pay(other, asks)
    s.earn(one, asks)
    given, asked = offered(data, GIVE_LAND), offered(data, ASK_LAND)
    for land in (*given, *asked):  # both sides give before either takes: a Gran Muniment for another is no second one
        s.lose_land(land)
    for land in given:
        hand_over(s, other, land)
    for land in asked:
        hand_over(s, one, land)
    _lose_track(s, one, other, offered(data, GIVE_TILE))
    _lose_track(s, other, one, offered(data, ASK_SPECIAL))
    for tile in offered(data, GIVE_TILE):
        _tile_moves(s, tile, one, other)
    for tile in offered(data, ASK_SPECIAL):
        _tile_moves(s, tile, other, one)
    for seat, gained in ((other, given), (one, asked)):
        leave_homeless(s, seat)
        if gained:
            may_muster(s, seat)
    eliminate_landless(s)


register(
    flows={"deal-begin": _begin},
    choices={
        "offer": Choice(_offer_legal, _offer_act, "K53", public=2),
        "deal": Choice(_deal_legal, _deal_act, "K53", public=4),
    },
)
