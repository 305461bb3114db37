"""Removing losses after a stage (hits, K33, K37, K38): the owner places the hits, flyers roll to be saved."""

from __future__ import annotations

from muniment.core.frames import Frame
from muniment.games.king.actions import HIT, KingAction
from muniment.games.king.battle import fighter_token, side_dispelled
from muniment.games.king.casualties import (
    BOW_TAKES,
    SWORD_TAKES,
    Losses,
    Placing,
    Targets,
    begin,
    forced,
    place,
    recipients,
    resumed,
    settle,
    survivors,
    targets,
)
from muniment.games.king.combat import BOW, SWORD, saves
from muniment.games.king.state import KingState
from muniment.games.king.steps import Choice, Roll, become, push, register, roll_for
from muniment.games.king.war_state import Battle

__all__ = ["placing_of"]


def _losses(s: KingState, f: Frame) -> None:
    b, side = s.battle, int(f.data[0])
    if b is None or b.ended or not b.hits[side]:
        return
    who = targets(b.sides[side], b.stage, side_dispelled(s, b, side))
    placing = forced(who, begin(who, b.hits[side]))
    if recipients(who, placing):
        push(s, "hit", f.seat, side)
    else:
        _placed(s, f.seat, side, placing)


def _placing(s: KingState, b: Battle, f: Frame) -> tuple[Targets, Placing]:
    """The hits as placed so far: the frame holds the choices made."""
    side = int(f.data[0])
    who = targets(b.sides[side], b.stage, side_dispelled(s, b, side))
    return who, resumed(who, b.hits[side], [int(recipient) for recipient in f.data[1:]])


def placing_of(s: KingState, b: Battle, f: Frame) -> tuple[Targets, Placing, tuple[int, ...]]:
    """Of a "hit" frame: who can take hits, the hits placed so far, and who may take the next one, in legal order."""
    who, placing = _placing(s, b, f)
    return who, placing, recipients(who, placing)


def _name(s: KingState, b: Battle, side: int, recipient: int) -> str:
    if recipient == SWORD_TAKES:
        return s.box.slug[s.box.sword]
    if recipient == BOW_TAKES:
        return s.box.slug[s.box.bow]
    return fighter_token(s.box, b.sides[side][recipient])


def _legal(s: KingState, f: Frame) -> list[KingAction]:
    b, side = s.battle, int(f.data[0])
    if b is None:
        return []
    return [HIT(_name(s, b, side, recipient)) for recipient in recipients(*_placing(s, b, f))]


def _act(s: KingState, f: Frame, action: KingAction) -> None:
    b, side = s.battle, int(f.data[0])
    if b is None:
        return
    who, placing = _placing(s, b, f)
    recipient = next(r for r in recipients(who, placing) if _name(s, b, side, r) == action.args[0])
    placing = forced(who, place(who, placing, recipient))
    if recipients(who, placing):
        become(s, "hit", f.seat, *f.data, recipient)
    else:
        s.frames.pop()
        _placed(s, f.seat, side, placing)


def _placed(s: KingState, seat: int, side: int, placing: Placing) -> None:
    """All hits are placed: flyers hit once roll to be saved, one by one, then the dead are removed (K37)."""
    push(s, "saves", seat, side, placing.once, placing.twice, placing.items, 0, 0)


def _judged(b: Battle, f: Frame) -> tuple[int, Losses]:
    side, once, twice, items = map(int, f.data[:4])
    return side, settle(b.sides[side], Placing(0, 2, 0, once, twice, items))


def _saves(s: KingState, f: Frame) -> None:
    """Data: side, who is hit once and twice, items hit, who is saved so far, how many have rolled."""
    b = s.battle
    if b is None:
        return
    side, losses = _judged(b, f)
    saved, rolled = int(f.data[4]), int(f.data[5])
    if rolled < len(losses.rolls):
        s.frames.append(f)
        roll_for(s, "flyer-save", f.seat, 1)
        return
    before = b.sides[side]
    b.sides[side] = after = survivors(before, losses, saved)
    b.hits[side] = 0
    alive = {fighter.tile for fighter in after}
    dead = [fighter.tile for fighter in before if fighter.tile not in alive]
    if losses.items & SWORD:
        dead.append(s.box.sword)
    if losses.items & BOW:
        dead.append(s.box.bow)
    for tile in dead:
        s.lay_dead(tile)
    if s.log is not None:
        s.note("losses", "K37", seat=f.seat, tiles=tuple(s.box.slug[tile] for tile in dead))


def _flyer_save(s: KingState, _f: Frame) -> None:
    """Even saves (K37)."""
    b, waiting = s.battle, s.frames[-1]
    if b is None:
        return
    _, losses = _judged(b, waiting)
    *head, saved, rolled = map(int, waiting.data)
    if saves(s.roll[0]):
        saved |= 1 << losses.rolls[rolled]
    become(s, "saves", waiting.seat, *head, saved, rolled + 1)


register(
    flows={"losses": _losses, "saves": _saves, "flyer-save": _flyer_save},
    choices={"hit": Choice(_legal, _act, "K37", public=1)},
    rolls={
        "flyer-save": Roll(
            "K37",
            "saving roll of a flying character",
            lambda s, _f, seat: s.battle is not None and seat in (s.battle.attacker, s.battle.defender),
            battle=True,
        )
    },
)
