"""The combat dice of one side in one stage, and the hits they make (K33 to K35, combat-dice).

The dice are thrown and recorded one by one; the state keeps the *fold*: for each hit threshold how many dice hit by
more than needed, hit exactly, missed by one, missed by more. That is all that a charm could matter to, whoever holds
it, and what chance is enumerated by.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import comb

from muniment.core.chance import ChanceNode, Source
from muniment.core.frames import Frame
from muniment.games.king.actions import KingOutcome
from muniment.games.king.battle import forts_now, side_dispelled
from muniment.games.king.combat import Dice, counting, stage_dice
from muniment.games.king.dice import offer_charm
from muniment.games.king.state import KingState
from muniment.games.king.steps import Drawing, Roll, become, push, register
from muniment.games.king.war_state import Battle

__all__ = ["dice_agree", "fold_of", "folds", "side_dice"]


def side_dice(s: KingState, b: Battle, side: int) -> Dice:
    """The dice of a side in this stage: groups of a number and the lowest result that hits, the highest first."""
    return stage_dice(
        b.sides[side], b.sides[1 - side], b.stage, s.box.terms[s.box.land_terrain[b.land]], side_dispelled(s, b, side),
        forts_now(s, b, b.stood) if side else None,
    )  # fmt: skip


def _begin(s: KingState, f: Frame) -> None:
    """Dice that could hit nothing are not thrown."""
    b, side = s.battle, int(f.data[0])
    if b is None or b.ended:
        return
    groups = side_dice(s, b, side)
    if not groups:
        return
    foes = counting(b.sides[1 - side], side_dispelled(s, b, 1 - side))
    if foes or (not side and not forts_now(s, b).neutralised):
        push(s, "volley-dice", f.seat, side, *[number for group in groups for number in group])


def fold_of(dice: tuple[int, ...], groups: Dice) -> list[int]:
    """The fold of dice thrown for these groups, in their order."""
    folded: list[int] = []
    at = 0
    for number, threshold in groups:
        over = exact = near = 0
        for die in dice[at : at + number]:
            if die >= threshold:
                if die == threshold:
                    exact += 1
                else:
                    over += 1
            elif die == threshold - 1:
                near += 1
        folded += (threshold, over, exact, near, number - over - exact - near)
        at += number
    return folded


@cache
def _group(number: int, threshold: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Every fold of a group with its weight, out of 6 to the power of number."""
    found = []
    high, low = 6 - threshold, threshold - 2
    for over in range(number + 1 if high else 1):
        for exact in range(number - over + 1):
            for near in range(number - over - exact + 1):
                far = number - over - exact - near
                weight = comb(number, over) * comb(number - over, exact) * comb(number - over - exact, near)
                weight *= high**over * low**far
                found.append(((threshold, over, exact, near, far), weight))
    return tuple(found)


@cache
def folds(groups: Dice) -> ChanceNode[KingOutcome]:
    """Every fold of a roll with its exact probability."""
    outcomes, weights = [], []
    for parts in product(*(_group(*group) for group in groups)):
        weight = 1
        args: list[int | str] = []
        for part, times in parts:
            args += part
            weight *= times
        outcomes.append(KingOutcome("fold", tuple(args)))
        weights.append(weight)
    return ChanceNode(tuple(outcomes), tuple(weights))


def _groups(f: Frame) -> Dice:
    """The dice as the frame has them: nothing can come between counting and throwing them."""
    data: tuple[int, ...] = f.data  # type: ignore[assignment]
    return tuple([(data[at], data[at + 1]) for at in range(1, len(data), 2)])


def dice_agree(s: KingState, f: Frame) -> bool:
    """Whether the dice in a frame are those of the battle; for positions."""
    return s.battle is not None and _groups(f) == side_dice(s, s.battle, int(f.data[0]))


def _node(_s: KingState, f: Frame) -> ChanceNode[KingOutcome]:
    return folds(_groups(f))


def _sample(_s: KingState, f: Frame, source: Source) -> KingOutcome:
    number = sum(f.data[1::2])  # type: ignore[arg-type]
    below = source.below
    return KingOutcome("dice", tuple([below(6) + 1 for _ in range(number)]))


def _came(s: KingState, f: Frame, outcome: KingOutcome) -> None:
    if outcome.kind == "dice":
        s.roll = fold_of(outcome.args, _groups(f))  # type: ignore[arg-type]
    else:
        s.roll = list(outcome.args)  # type: ignore[arg-type]
    if s.log is not None:
        s.note("volley", "K33", seat=f.seat, thrown=outcome.kind, dice=outcome.args)
    become(s, "volley", f.seat, f.data[0])
    offer_charm(s, s.frames[-1])


def _volley(s: KingState, f: Frame) -> None:
    """Hits go to the forts first (K35), the rest to the characters (K37)."""
    b, side = s.battle, int(f.data[0])
    if b is None:
        return
    roll = s.roll
    hits = sum(roll[1::5]) + sum(roll[2::5])
    b.rolled |= 1 << side
    absorbed = 0
    if not side:
        absorbed = min(hits, forts_now(s, b).left)
        b.absorbed += absorbed
    b.hits[1 - side] = hits - absorbed
    if s.log is not None:
        s.note("hits", "K37", seat=f.seat, hits=hits, absorbed=absorbed)


def _concerns(s: KingState, f: Frame, seat: int) -> bool:
    b = s.battle
    if b is None or seat not in (b.attacker, b.defender):
        return False
    mine = (seat == b.attacker) == (f.data[0] == 0) or b.attacker == b.defender
    return any(s.roll[3::5]) if mine else any(s.roll[2::5])


register(
    flows={"volley-begin": _begin, "volley": _volley},
    chances={"volley-dice": Drawing(_node, _sample, _came, "K34", "combat dice")},
    rolls={"volley": Roll("K34", "combat dice", _concerns, battle=True)},
)
