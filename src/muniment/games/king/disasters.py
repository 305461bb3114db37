"""Fires, floods, earthquakes and sandstorms (events, K19, K56)."""

from __future__ import annotations

from typing import Final

from muniment.core.frames import Frame
from muniment.games.king.combat import saves
from muniment.games.king.state import NO_TILE, KingState
from muniment.games.king.steps import Roll, push, register, roll_for
from muniment.games.king.tiles import TERRAINS
from muniment.games.king.turn import land_lost

__all__ = ["DISASTERS", "disaster_concerns", "disaster_strikes"]

DISASTERS: Final = {
    "forest-fire": TERRAINS.index("forest"),
    "prairie-fire": TERRAINS.index("plains"),
    "floods": TERRAINS.index("swamp"),
    "earthquakes": TERRAINS.index("mountain"),
    "sandstorms": TERRAINS.index("desert"),
}


def disaster_strikes(s: KingState, roller: int, terrain: int) -> None:
    """Every land of the terrain in play: the roller's first, then clockwise, in the order acquired (K56)."""
    terrains = s.box.land_terrain
    lands = [land for seat in s.order(roller) for land in s.lands[seat] if terrains[land] == terrain]
    push(s, "disaster", roller, *lands)


def disaster_concerns(s: KingState, terrain: int, seat: int) -> bool:
    """Whether the seat has a land that could be struck."""
    terrains = s.box.land_terrain
    return any(terrains[land] == terrain for land in s.lands[seat])


def _next(s: KingState, f: Frame) -> None:
    if f.data:
        land, *rest = f.data
        push(s, "disaster", f.seat, *rest)
        if s.owner(int(land)) >= 0:
            roll_for(s, "disaster-dice", f.seat, 2, land)


def _dice(s: KingState, f: Frame) -> None:
    """On 7 the land is struck: the fort drops a level, an improvement rolls to be saved (K19)."""
    if sum(s.roll) != 7:
        return
    land = int(f.data[0])
    s.note("struck", "K19", land=s.box.land_slug[land], seat=s.owner(land))
    if s.fort[land]:
        s.lower_fort(land)
    push(s, "struck", -1, land)
    if s.imp[land] != NO_TILE:
        roll_for(s, "disaster-save", s.owner(land), 1, land)


def _save(s: KingState, f: Frame) -> None:
    land = int(f.data[0])
    if not saves(s.roll[0]):
        s.note("improvement-lost", "K19", land=s.box.land_slug[land], tile=s.box.slug[s.imp[land]])
        s.remove_improvement(land)


def _struck(s: KingState, f: Frame) -> None:
    """Where nothing is left standing, the land returns to the land deck (K19); what follows, at once (K56)."""
    land = int(f.data[0])
    if not s.fort[land] and s.imp[land] == NO_TILE:
        owner = s.owner(land)
        s.lose_land(land)
        s.to_land_cup(s.box.lands + land)
        s.note("land-lost", "K19", land=s.box.land_slug[land], seat=owner)
        land_lost(s, owner)


register(
    flows={"disaster": _next, "disaster-dice": _dice, "disaster-save": _save, "struck": _struck},
    rolls={
        "disaster-dice": Roll(
            "K19",
            "whether disaster strikes the land: 7",
            lambda s, f, seat: seat == s.owner(int(f.data[0])) and 6 <= sum(s.roll) <= 8,
        ),
        "disaster-save": Roll("K19", "saving roll of an improvement", lambda _s, f, seat: seat == f.seat),
    },
)
