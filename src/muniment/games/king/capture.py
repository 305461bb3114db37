"""Capturing land (capture, K39): saving rolls for what stands there, then the land changes hands."""

from __future__ import annotations

from muniment.core.frames import Frame
from muniment.games.king.combat import saves, structures_at_stake
from muniment.games.king.muster import may_muster
from muniment.games.king.state import KingState
from muniment.games.king.steps import Roll, push, register, roll_for

__all__ = ["capture", "hand_over"]


def capture(s: KingState, seat: int, land: int) -> None:
    """A saving roll for each structure, and the land is the attacker's (K39)."""
    push(s, "captured", seat, land)
    for what in reversed(structures_at_stake(s.fort[land], s.settlement(land), s.mine(land))):
        roll_for(s, "capture-save", seat, 1, land, what)


def _save(s: KingState, f: Frame) -> None:
    """Even, captured with the land; odd, lost: forts to the bank, improvements to the deck (K39)."""
    land, what = int(f.data[0]), f.data[1]
    if saves(s.roll[0]):
        return
    s.note("structure-lost", "K39", land=s.box.land_slug[land], what=what)
    if what == "fort":
        s.set_fort(land, 0)
    else:
        s.remove_improvement(land)


def hand_over(s: KingState, seat: int, land: int) -> None:
    """The land with what stands on it becomes the seat's; a second Gran Muniment is reduced (K39, K53)."""
    if s.owner(land) >= 0:
        s.lose_land(land)
    if s.fort[land] == 4 and s.has_gran(seat):
        s.lower_fort(land)
    s.gain_land(seat, land)


def _captured(s: KingState, f: Frame) -> None:
    land = int(f.data[0])
    s.note("captured", "K39", seat=f.seat, land=s.box.land_slug[land])
    hand_over(s, f.seat, land)
    may_muster(s, f.seat)


register(
    flows={"capture-save": _save, "captured": _captured},
    rolls={
        "capture-save": Roll(
            "K39",
            "whether a structure is captured with its land",
            lambda s, f, seat: seat == f.seat or (s.war is not None and seat == s.war.defender),
            battle=True,
        )
    },
)
