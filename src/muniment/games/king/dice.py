"""Rolls of dice and the lucky charm's window after each (K10, K42, K59).

Every roll that is not a battle's goes through the frame "roll"; when the dice are there, the flow named by its purpose
judges them. A battle's own dice are in ``volley``.
"""

from __future__ import annotations

from itertools import product

from muniment.core.chance import ChanceNode, Source
from muniment.core.frames import Frame
from muniment.games.king.actions import CHARM, KingAction, KingOutcome
from muniment.games.king.box import DICE, DIE, PAIR
from muniment.games.king.state import OWNERS, KingState
from muniment.games.king.steps import ROLLS, Choice, Drawing, become, push, register

__all__ = ["CHARM_ALWAYS", "CHARM_MINE", "CHARM_NEVER", "charm_uses", "item_holder", "offer_charm"]

CHARM_MINE = 1
CHARM_ALWAYS = 2
CHARM_NEVER = 3
_NODES: dict[int, ChanceNode[KingOutcome]] = dict(DICE)


def _node(_s: KingState, f: Frame) -> ChanceNode[KingOutcome]:
    number = int(f.data[1])
    if number not in _NODES:
        _NODES[number] = ChanceNode.uniform(
            tuple(KingOutcome("dice", dice) for dice in product(range(1, 7), repeat=number))
        )
    return _NODES[number]


def _sample(_s: KingState, f: Frame, source: Source) -> KingOutcome:
    number = f.data[1]
    if number == 2:
        return PAIR[source.below(36)]
    if number == 1:
        return DIE[source.below(6)]
    return KingOutcome("dice", tuple([source.below(6) + 1 for _ in range(int(number))]))


def _came(s: KingState, f: Frame, outcome: KingOutcome) -> None:
    s.roll = list(outcome.args)  # type: ignore[arg-type]
    purpose = str(f.data[0])
    become(s, purpose, f.seat, *f.data[2:])
    roll = ROLLS[purpose]
    if s.log is not None:
        s.note("roll", roll.rule, seat=f.seat, purpose=purpose, dice=outcome.args)
    if roll.concerns is not None:
        offer_charm(s, s.frames[-1])


def item_holder(s: KingState, tile: int) -> int:
    """The seat that could play a magic item: its hand holds it, or it lies among the owners it plays (K26); or -1."""
    if tile < 0 or not s.zone[tile]:
        return -1
    if s.zone[tile] == OWNERS and s.battle is not None:
        return s.battle.defender
    return s.holder(tile)


def offer_charm(s: KingState, settling: Frame, *, insist: bool = False) -> None:
    """Stop for the holder of the lucky charm, unless its standing answer or K10's default says otherwise.

    insist: ask also where nothing that concerns the holder could change, because it has just been given the charm.
    """
    seat = item_holder(s, s.box.charm)
    if seat < 0 or s.dispelled == seat:
        return
    roll = ROLLS[settling.kind]
    if roll.concerns is None:
        return
    mode = s.standing[seat] & 3
    if mode == CHARM_NEVER or (mode == CHARM_MINE and not roll.battle):
        return
    if mode == CHARM_ALWAYS or insist or roll.concerns(s, settling, seat):
        s.frames.append(Frame("charm", seat))


def charm_uses(s: KingState) -> list[KingAction]:
    """Every change of one pip that the roll just made allows (K42): the dice are counted from 1."""
    purpose = s.frames[-2].kind
    if purpose == "volley":
        return [
            CHARM(sign, s.roll[at])
            for at in range(0, len(s.roll), 5)
            for sign, place in (("+1", 3), ("-1", 2))
            if s.roll[at + place]
        ]
    clamped = ROLLS[purpose].clamped
    return [
        CHARM(sign, at)
        for at, die in enumerate(s.roll, 1)
        for sign, change in (("+1", 1), ("-1", -1))
        if not clamped or 1 <= die + change <= 6
    ]


def _legal(s: KingState, f: Frame) -> list[KingAction]:
    return [s.box.passing] if s.dispelled == f.seat else [s.box.passing, *charm_uses(s)]


def _act(s: KingState, f: Frame, action: KingAction) -> None:
    s.frames.pop()
    if action.word == "charm":
        sign, die = action.args
        s.note("magic", "K42", seat=f.seat, item=s.box.slug[s.box.charm], change=sign, die=die)
        s.to_cup(s.box.charm)
        push(s, "charmed", f.seat, 1 if sign == "+1" else -1, die)
        push(s, "stops", -1, "answer", 0)


def _charmed(s: KingState, f: Frame) -> None:
    """The die shows one pip more or less; dispelled, nothing happens (K42, K43)."""
    change, die = int(f.data[0]), int(f.data[1])
    if s.dispelled == f.seat:
        s.note("fizzled", "K43", seat=f.seat)
        return
    if s.frames[-1].kind == "volley":
        at = next(i for i in range(0, len(s.roll), 5) if s.roll[i] == die)
        if change > 0:  # a miss by one becomes an exact hit
            s.roll[at + 3] -= 1
            s.roll[at + 2] += 1
        else:  # an exact hit becomes a miss by one
            s.roll[at + 2] -= 1
            s.roll[at + 3] += 1
    else:
        s.roll[die - 1] += change


register(
    flows={"charmed": _charmed},
    choices={"charm": Choice(_legal, _act, "K42", hidden=True)},
    chances={"roll": Drawing(_node, _sample, _came, "K59", "dice")},
)
