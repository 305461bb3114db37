"""Phase 1, d (building): fortifications for gold, settlements and mines from the hand (K17, K18)."""

from __future__ import annotations

from typing import Final

from muniment.core.frames import Frame
from muniment.core.refusal import Refusal
from muniment.games.king.actions import KingAction
from muniment.games.king.muster import draw_then_muster
from muniment.games.king.state import NO_TILE, KingState
from muniment.games.king.steps import Choice, push, register
from muniment.games.king.tiles import FORT_NAMES, MOUNTAIN

__all__ = ["LEVEL_COST", "improvement_refusal", "level_refusal", "raise_fort"]

LEVEL_COST: Final = 10

_NOT_YOURS = Refusal("not-your-land", "the land is not yours", "K17")
_GREATEST = Refusal("greatest-fort", "a Gran Muniment cannot be improved", "K17")
_SECOND_GRAN = Refusal("second-gran-muniment", "a player can have one Gran Muniment only", "K17")
_NONE_IN_BANK = tuple(Refusal("none-in-bank", f"the bank has no {name} left", "K17") for name in FORT_NAMES)
_BUILT = Refusal("built-this-turn", "one level a land a turn: this land has had its level", "K17")
_GOLD = Refusal("not-enough-gold", "a level costs 10 gold", "K17")
_ONLY_MOUNTAIN = Refusal("mines-on-mountain", "a mine can be placed on a mountain only", "K18")
_NO_REPLACING = Refusal("no-replacing", "this cannot replace what stands on the land", "K18")


def level_refusal(s: KingState, seat: int, land: int) -> Refusal | None:
    """Why the land's fort cannot be raised by one level, gold and turn apart (K17, K20)."""
    if land not in s.lands[seat]:
        return _NOT_YOURS
    level = s.fort[land] + 1
    if level > 4:
        return _GREATEST
    if not s.bank[level]:
        return _NONE_IN_BANK[level]
    if level == 4 and s.has_gran(seat):
        return _SECOND_GRAN
    return None


def fort_refusal(s: KingState, seat: int, land: int) -> Refusal | None:
    """Why the seat cannot build a level on the land now (K17)."""
    refused = level_refusal(s, seat, land)
    if refused is not None:
        return refused
    if s.built >> land & 1:
        return _BUILT
    return _GOLD if s.gold[seat] < LEVEL_COST else None


def improvement_refusal(s: KingState, seat: int, tile: int, land: int) -> Refusal | None:
    """Why the settlement or mine cannot be placed on the land (K18)."""
    box = s.box
    if land not in s.lands[seat]:
        return _NOT_YOURS
    mine = tile >= box.mines
    if mine and box.land_terrain[land] != MOUNTAIN:
        return _ONLY_MOUNTAIN
    old = s.imp[land]
    if old == NO_TILE or (old >= box.mines) != mine:
        return None
    if mine or box.value[tile] <= box.value[old]:  # village by city, and nothing else of the same sort
        return _NO_REPLACING
    return None


def raise_fort(s: KingState, land: int) -> None:
    """One level more; the replaced tile returns to the bank (K17)."""
    s.set_fort(land, s.fort[land] + 1)


def _begin(s: KingState, f: Frame) -> None:
    push(s, "build", f.seat)


def _legal(s: KingState, f: Frame) -> list[KingAction]:
    seat, box = f.seat, s.box
    found = [box.done]
    if s.gold[seat] >= LEVEL_COST:
        found += [box.fort[land] for land in s.lands[seat] if fort_refusal(s, seat, land) is None]
    kind, before = box.kind, -1
    for tile in s.hand[seat]:
        if box.settlements <= tile < box.treasures and kind[tile] != before:
            before = kind[tile]
            put = box.put[tile]
            found += [put[land] for land in s.lands[seat] if improvement_refusal(s, seat, tile, land) is None]
    return found


def _act(s: KingState, f: Frame, action: KingAction) -> None:
    seat = f.seat
    if action.word == "fort":
        land = s.box.land_named[str(action.args[0])]
        s.pay(seat, LEVEL_COST)
        s.built |= 1 << land
        raise_fort(s, land)
        s.note("fort", "K17", seat=seat, land=action.args[0], level=s.fort[land])
    elif action.word == "place":
        slugs = s.box.slug
        tile = next(tile for tile in s.hand[seat] if slugs[tile] == action.args[0])
        s.note("placed", "K18", seat=seat, tile=action.args[0], land=action.args[1])
        s.put_improvement(s.box.land_named[str(action.args[1])], tile)
        draw_then_muster(s, seat, 1)
    else:
        s.frames.pop()


register(
    flows={"build-begin": _begin},
    choices={"build": Choice(_legal, _act, "K17")},
)
