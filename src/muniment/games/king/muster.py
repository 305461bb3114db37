"""From the hand into the standing army, and out of it again (K8, K12, K13, K49)."""

from __future__ import annotations

from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction
from muniment.games.king.cups import draw_tiles
from muniment.games.king.state import SHOWN, KingState
from muniment.games.king.steps import Choice, become, chosen, push, register
from muniment.games.king.tiles import ARMS_BIT

__all__ = ["draw_then_muster", "eligible", "leave_homeless", "may_muster", "muster_mask"]


def muster_mask(s: KingState, seat: int) -> int:
    """What may enter the army in a mustering: characters of the seat's terrains, outside wars swords and bows (K49)."""
    return s.soil[seat] | (ARMS_BIT if s.war is None and s.dispelled != seat else 0)


def eligible(s: KingState, seat: int) -> list[int]:
    """The tiles of the hand that may enter the army now (K8, K12)."""
    bit, mask = s.box.bit, muster_mask(s, seat)
    return [tile for tile in s.hand[seat] if bit[tile] & mask]


def may_muster(s: KingState, seat: int) -> None:
    """The seat has drawn tiles or gained a land: it may muster (K12).

    Whoever has a hand is asked, also where nothing in it is eligible: that must not be told by the asking.
    """
    if s.hand[seat] and not s.out >> seat & 1:
        push(s, "muster", seat)


def draw_then_muster(s: KingState, seat: int, number: int) -> None:
    """Draw tiles of the playing deck, as far as the cup goes, and then muster (K5, K12)."""
    if s.cup and number:
        push(s, "muster-offer", seat)
        draw_tiles(s, seat, number)


def _offer(s: KingState, f: Frame) -> None:
    may_muster(s, f.seat)


def _legal(s: KingState, f: Frame) -> list[KingAction]:
    box = s.box
    bit, mask, seat = box.bit, muster_mask(s, f.seat), f.seat
    found = [box.done]
    last = f.data[-1] if f.data else -1
    before, kind, muster = -1, box.kind, box.muster
    for tile in s.hand[seat]:
        if bit[tile] & mask:
            if tile == last:
                found = [box.done]
                before = -1
            elif kind[tile] != before:
                before = kind[tile]
                found.append(muster[tile])
    return found


def _act(s: KingState, f: Frame, action: KingAction) -> None:
    seat = f.seat
    if action.word == "muster":
        last = int(f.data[-1]) if f.data else -1
        become(s, "muster", seat, *f.data, chosen(s, eligible(s, seat), action.args[0], last))
        return
    s.frames.pop()
    if f.data:
        mask = muster_mask(s, seat)
        for tile in f.data:
            s.to_army(int(tile), seat, mask)
        if s.log is not None:
            s.note("mustered", "K12", seat=seat, tiles=len(f.data))
            s.note("mustering", "K12", only=(seat,), tiles=tuple(s.box.slug[int(tile)] for tile in f.data))


def leave_homeless(s: KingState, seat: int) -> None:
    """Characters whose terrain their owner no longer has leave the army, to the deck or the hand (K13)."""
    box = s.box
    gone = s.homeless(seat)
    for tile in gone:
        if box.homeless_to_hand:
            known = s.known[tile]
            s.to_hand(tile, seat)
            # who knew the tile in the army knows that it is in the hand now
            s.known[tile] = 0x55 if known == SHOWN else known >> 1 & 0x55 | known & 0x55
        else:
            s.to_cup(tile)
    if gone and s.log is not None:
        names = tuple(box.slug[tile] for tile in gone)
        s.note("homeless", "K13", seat=seat, tiles=len(gone))
        s.note("homeless-tiles", "K13", only=(seat,) if box.homeless_to_hand else None, seat=seat, tiles=names)
    mask = s.terrains(seat) | ARMS_BIT
    for tile in s.army[seat]:
        s.mask[tile] &= mask


register(flows={"muster-offer": _offer}, choices={"muster": Choice(_legal, _act, "K12")})
