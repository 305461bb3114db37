"""Preparing for play (setup, K6 to K8): gold and the first player, hands and lands, the first armies."""

from __future__ import annotations

from muniment.core.frames import Frame
from muniment.games.king.actions import KingOutcome
from muniment.games.king.box import Box
from muniment.games.king.cups import draw_tiles, drawn_tile, land_node, land_sample, lands_left
from muniment.games.king.muster import may_muster
from muniment.games.king.state import ASIDE, KingState
from muniment.games.king.steps import Drawing, Roll, push, register, roll_for

__all__ = ["starting_state"]


def starting_state(box: Box, seats: int) -> KingState:
    """The table before anything has been rolled or drawn."""
    s = KingState(box, seats)
    push(s, "turn")
    push(s, "deal-out")
    push(s, "first-player", -1, (1 << seats) - 1)
    for seat in reversed(range(seats)):
        roll_for(s, "start-gold", seat, 2)
    return s


def _start_gold(s: KingState, f: Frame) -> None:
    """Two dice of gold for each player (K6)."""
    total = sum(s.roll)
    s.tally[f.seat] = total
    s.earn(f.seat, total)


def _start_seat(s: KingState, f: Frame) -> None:
    """A tie is rolled off for the seat alone (K6)."""
    s.tally[f.seat] = sum(s.roll)


def _first_player(s: KingState, f: Frame) -> None:
    """The highest roll is first player; the highest roll again if they tie (K6)."""
    among = int(f.data[0])
    seats = [seat for seat in range(s.seats) if among >> seat & 1]
    high = max(s.tally[seat] for seat in seats)
    tied = [seat for seat in seats if s.tally[seat] == high]
    if len(tied) == 1:
        s.first = s.acting = tied[0]
        s.tally = [0] * s.seats
        s.note("first-player", "K6", seat=s.first)
        return
    push(s, "first-player", -1, sum(1 << seat for seat in tied))
    for seat in reversed(tied):
        roll_for(s, "start-seat", seat, 2)


def _deal(s: KingState, _f: Frame) -> None:
    """From the first player on, each draws tiles and then lands; instructions stay out until all are done (K7)."""
    order = s.order(s.first)
    for seat in reversed(order):
        push(s, "first-army", seat)
    push(s, "instructions-return")
    for seat in reversed(order):
        push(s, "start-lands", seat)
        push(s, "start-hand", seat)


def _start_hand(s: KingState, f: Frame) -> None:
    draw_tiles(s, f.seat, s.box.edition.start_hand)


def _start_lands(s: KingState, f: Frame) -> None:
    if len(s.lands[f.seat]) < s.box.edition.start_lands and lands_left(s):
        push(s, "start-land", f.seat)


def _land_came(s: KingState, f: Frame, outcome: KingOutcome) -> None:
    tile = drawn_tile(s, outcome)
    s.take_from_land_cup(tile)
    s.frames.pop()
    s.note("land-drawn", "K7", seat=f.seat, tile=outcome.args[0])
    if tile < s.box.instructions:
        s.gain_land(f.seat, tile - s.box.lands)
    push(s, "start-lands", f.seat)


def _instructions_return(s: KingState, _f: Frame) -> None:
    for tile in range(s.box.instructions, s.box.size):
        if s.zone[tile] == ASIDE:
            s.to_land_cup(tile)


def _first_army(s: KingState, f: Frame) -> None:
    """Each player may put eligible characters into the army, secretly (K8)."""
    s.acting = f.seat
    may_muster(s, f.seat)


register(
    flows={
        "start-gold": _start_gold,
        "start-seat": _start_seat,
        "first-player": _first_player,
        "deal-out": _deal,
        "start-hand": _start_hand,
        "start-lands": _start_lands,
        "instructions-return": _instructions_return,
        "first-army": _first_army,
    },
    chances={"start-land": Drawing(land_node, land_sample, _land_came, "K7", "a tile of the land deck")},
    rolls={
        "start-gold": Roll("K6", "gold to begin with"),
        "start-seat": Roll("K6", "who is first player"),
    },
)
