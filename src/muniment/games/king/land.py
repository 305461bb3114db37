"""Phase 3, a (land-draw, K23 to K25): the draw from the land deck, for sale, auction; fights are in ``fight``."""

from __future__ import annotations

from muniment.core.frames import Frame
from muniment.games.king.actions import BID, KingAction, KingOutcome
from muniment.games.king.cups import drawn_tile, land_node, land_sample, lands_left
from muniment.games.king.muster import may_muster
from muniment.games.king.state import ASIDE, KingState
from muniment.games.king.steps import Choice, Drawing, push, register

__all__ = ["land_returns", "win_land"]


def win_land(s: KingState, seat: int, land: int) -> None:
    """The land is the seat's, who may muster (K12)."""
    s.gain_land(seat, land)
    if s.log is not None:
        s.note("land-won", "K23", seat=seat, land=s.box.land_slug[land])
    may_muster(s, seat)


def land_returns(s: KingState, land: int) -> None:
    """The land goes back to its cup (K24, K26)."""
    s.to_land_cup(s.box.lands + land)
    s.note("land-returns", "K24", land=s.box.land_slug[land])


def _draw(s: KingState, f: Frame) -> None:
    """The draw is made for every player; without a land in the cup there is none (K23)."""
    if lands_left(s):
        push(s, "land-tile", f.seat, -1)


def _came(s: KingState, f: Frame, outcome: KingOutcome) -> None:
    """Instructions stay out until a land is drawn; the last is followed, and then returns (K23)."""
    tile = drawn_tile(s, outcome)
    s.take_from_land_cup(tile)
    s.frames.pop()
    if s.log is not None:
        s.note("land-drawn", "K23", seat=f.seat, tile=outcome.args[0])
    box, seat = s.box, f.seat
    if tile >= box.instructions:
        push(s, "land-tile", seat, tile)
        return
    last, land = int(f.data[0]), tile - box.lands
    for other in range(box.instructions, box.size):
        if s.zone[other] == ASIDE and other != last:
            s.to_land_cup(other)
    if last < 0:
        win_land(s, seat, land)
        return
    push(s, "instruction-returns", -1, last)
    if box.value[last]:
        push(s, "for-sale", seat, land, box.value[last])
    elif box.slug[last] == "land-auction":
        push(s, "auction", seat, land, 0, -1, 0, seat)
    else:
        push(s, "fight", seat, land)


def _instruction_returns(s: KingState, f: Frame) -> None:
    s.to_land_cup(int(f.data[0]))


# -- for sale (K24)


def _sale_legal(s: KingState, f: Frame) -> list[KingAction]:
    return [s.box.passing, s.box.buy] if s.gold[f.seat] >= int(f.data[1]) else [s.box.passing]


def _sale_act(s: KingState, f: Frame, action: KingAction) -> None:
    s.frames.pop()
    land, price = int(f.data[0]), int(f.data[1])
    if action.word == "buy":
        s.pay(f.seat, price)
        win_land(s, f.seat, land)
    else:
        land_returns(s, land)


# -- auction, K25


def _auction(s: KingState, f: Frame) -> None:
    """Who bids next: clockwise from the drawer's left, the drawer last; the last one standing pays (K25).

    Data: land, highest bid, its bidder, who has passed (a bit each), who spoke last (at first the drawer). The frame's
    seat is the drawer.
    """
    land, high, bidder, passed, spoke = map(int, f.data)
    standing = [seat for seat in s.order(s.left_of(spoke)) if not passed >> seat & 1]
    if len(standing) == 1:
        winner = standing[0]
        if bidder == winner:
            s.pay(winner, high)
            s.note("sold", "K25", seat=winner, gold=high, land=s.box.land_slug[land])
            win_land(s, winner, land)
            return
        if winner == f.seat and bidder < 0:  # nobody else has bid
            win_land(s, winner, land)
            return
    elif not standing:
        land_returns(s, land)
        return
    push(s, "bid", next(seat for seat in standing if seat != bidder), f.seat, *f.data)


def _bid_legal(s: KingState, f: Frame) -> list[KingAction]:
    return [s.box.passing, *[BID(amount) for amount in range(int(f.data[2]) + 1, s.gold[f.seat] + 1)]]


def _bid_act(s: KingState, f: Frame, action: KingAction) -> None:
    s.frames.pop()
    drawer, land, high, bidder, passed, _ = map(int, f.data)
    if action.word == "bid":
        high, bidder = int(action.args[0]), f.seat
        s.note("bid", "K25", seat=f.seat, gold=high)
    else:
        passed |= 1 << f.seat
        s.note("passed", "K25", seat=f.seat)
    push(s, "auction", drawer, land, high, bidder, passed, f.seat)


register(
    flows={"land-draw": _draw, "instruction-returns": _instruction_returns, "auction": _auction},
    choices={
        "for-sale": Choice(_sale_legal, _sale_act, "K24", public=2),
        "bid": Choice(_bid_legal, _bid_act, "K25", public=6),
    },
    chances={"land-tile": Drawing(land_node, land_sample, _came, "K23", "a tile of the land deck")},
)
