"""Draws from the two cups (K1, K5): uniform over the tiles in the cup, equal tiles merged into one outcome."""

from __future__ import annotations

from muniment.core.chance import ChanceNode, Source
from muniment.core.frames import Frame
from muniment.games.king.actions import KingOutcome
from muniment.games.king.state import KingState
from muniment.games.king.steps import Drawing, become, push, register

__all__ = ["cup_node", "cup_sample", "draw_tiles", "drawn_tile", "land_node", "land_sample", "lands_left"]


def _node(s: KingState, cup: list[int]) -> ChanceNode[KingOutcome]:
    box = s.box
    counts: dict[int, int] = {}
    for tile in cup:
        kind = box.kind[tile]
        counts[kind] = counts.get(kind, 0) + 1
    tiles_of = box.edition.tiles_of
    return ChanceNode(tuple(box.drawn[tiles_of[kind][0]] for kind in counts), tuple(counts.values()))


def cup_node(s: KingState, _f: Frame) -> ChanceNode[KingOutcome]:
    """Every kind of tile in the cup of the playing deck, weighted by the number of its tiles there."""
    return _node(s, s.cup)


def cup_sample(s: KingState, _f: Frame, source: Source) -> KingOutcome:
    """A tile of the playing deck's cup."""
    cup = s.cup
    return s.box.drawn[cup[source.below(len(cup))]]


def land_node(s: KingState, _f: Frame) -> ChanceNode[KingOutcome]:
    """Every kind of tile in the cup of the land deck."""
    return _node(s, s.land_cup)


def land_sample(s: KingState, _f: Frame, source: Source) -> KingOutcome:
    """A tile of the land deck's cup."""
    cup = s.land_cup
    return s.box.drawn[cup[source.below(len(cup))]]


def drawn_tile(s: KingState, outcome: KingOutcome) -> int:
    """The tile that an outcome brings: the first of its kind in the cup."""
    return s.in_cup(s.box.edition.by_slug[outcome.args[0]])  # type: ignore[index]


def lands_left(s: KingState) -> bool:
    """Whether a land tile is left in the land deck's cup (K5, K23)."""
    return bool(s.land_cup) and s.land_cup[0] < s.box.instructions


def draw_tiles(s: KingState, seat: int, number: int) -> None:
    """Have a seat draw tiles of the playing deck into its hand, as far as the cup goes (K5)."""
    number = min(number, len(s.cup))
    if number:
        push(s, "draw", seat, number)


def _came(s: KingState, f: Frame, outcome: KingOutcome) -> None:
    seat, left = f.seat, int(f.data[0])
    s.draw(seat, drawn_tile(s, outcome))
    if s.log is not None:
        s.note("drawn", "K27" if s.turn else "K7", seat=seat)
        s.note("tile", "K2", only=(seat,), seat=seat, tile=outcome.args[0])
    if left > 1:
        become(s, "draw", seat, left - 1)
    else:
        s.frames.pop()


register(
    chances={
        "draw": Drawing(cup_node, cup_sample, _came, "K1", "a tile of the playing deck", lambda _s, f: (f.seat,)),
    }
)
