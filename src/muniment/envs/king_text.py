"""The table of King of the Tabletop in a few lines of plain text, as a seat or a spectator sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from muniment.games.king.state import ARMY, FIELD, HAND
from muniment.games.king.tiles import FORT_NAMES
from muniment.games.king.views import KingView

__all__ = ["table_text"]


def table_text(view: KingView) -> str:
    """The turn, what is awaited, and for every seat its gold, prestige, lands and tiles, as far as they are seen."""
    return "\n".join((_heading(view), *(line for seat in range(view.seats) for line in _seat(view, seat))))


def _heading(view: KingView) -> str:
    if view.over is not None:
        return f"over ({view.over[0]}), won by: {', '.join(map(str, view.over[1]))}"
    return f"turn {view.turn}, phase {view.phase}, awaited: {view.awaited.kind} ({view.awaited.rule})"


def _seat(view: KingView, seat: int) -> Iterator[str]:
    if view.out >> seat & 1:
        yield f"seat {seat}: out"
        return
    first = ", first player" if seat == view.first else ""
    yield f"seat {seat}: gold {view.gold[seat]}, prestige {view.prestige[seat]}{first}"
    lands = (
        land.land
        + (f" {FORT_NAMES[land.fort]}" if land.fort else "")
        + (f" {land.improvement}" * bool(land.improvement))
        for land in view.lands[seat]
    )
    yield f"  lands: {', '.join(lands) or 'none'}"
    for name, zone, size in (
        ("hand", HAND, view.hand_sizes[seat]),
        ("army", ARMY, view.army_sizes[seat]),
        ("field", FIELD, None),
    ):
        seen = [tile.tile for tile in view.tiles if tile.zone == zone | seat]
        hidden = _face_down(view, zone | seat) if size is None else size - len(seen)
        if seen or hidden:
            yield f"  {name}: {_counted(seen, hidden)}"


def _face_down(view: KingView, zone: int) -> int:
    """How many tiles lie face down in a zone."""
    return sum(number for hidden in view.hidden for at, _, number in hidden.lies if at == zone)


def _counted(slugs: Iterable[str], hidden: int) -> str:
    """Equal tiles together, then how many are hidden."""
    parts = [slug if n == 1 else f"{n} {slug}" for slug, n in Counter(slugs).items()]
    return ", ".join((*parts, f"{hidden} hidden") if hidden else parts)
