"""What if: the odds of an attack before it is sent (K28, K30, K31), as far as the attacker's view can know them.

Nobody can say yet where the defender will stand. So each land is told twice, the army sent being lined up against that
land whole: with its forts alone, and with its owner's whole army there; whatever the owner does lies between the two.
Face-down tiles are dealt many times over as they could lie, and what is told is then an expectation, said to be one.
Both sides are assumed to take hits where it costs them least, and nobody to play magic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.errors import MunimentError
from muniment.games.king.box import Box
from muniment.games.king.combat import BOW, SWORD, Fighter, forts_of
from muniment.games.king.forecast import arm
from muniment.games.king.odds import Battle
from muniment.games.king.policy import worth
from muniment.games.king.prospects import Prospect, deals_for, mean, prospect, settlement_value
from muniment.games.king.redeal import redeal
from muniment.games.king.state import ARMY
from muniment.games.king.views import KingView, LandView
from muniment.games.king.war import cost

__all__ = ["Attack", "LandAttack", "army_to_send", "attacks", "may_attack", "what_if"]


@dataclass(frozen=True, slots=True)
class LandAttack:
    """A land under attack: ``alone`` with nobody but its forts there, ``met`` with its owner's whole army there."""

    land: str
    alone: Prospect
    met: Prospect


@dataclass(frozen=True, slots=True)
class Attack:
    """An attack on a seat with an army of tiles, by slug. gold: what it costs. lands: in the order of the defender's.

    deals: how many ways to fill the defender's face-down tiles went into ``met``; 1 if none is face down.
    """

    target: int
    army: tuple[str, ...]
    gold: int
    lands: tuple[LandAttack, ...]
    deals: int

    @property
    def label(self) -> str:
        """What kind of numbers these are."""
        if self.deals == 1:
            return "odds: all of that army lies open"
        return f"an expectation over {self.deals} ways in which that army's face-down tiles could lie, not odds"


def army_to_send(view: KingView) -> tuple[str, ...]:
    """The whole army of the view's seat, or of it the strongest tiles by ``policy.worth`` that its gold can pay (K28).

    Empty if no character can be paid for (K38).
    """
    box = view.box
    characters = [slug for slug in view.army if box.fights[box.tiles_named(slug)[0]]]
    if not characters or not view.gold[view.seat]:
        return ()
    characters.sort(key=lambda slug: worth(box.fighter[box.tiles_named(slug)[0]]), reverse=True)
    army = [*characters, *(slug for slug in view.army if not box.fights[box.tiles_named(slug)[0]])]
    while cost(len(army)) > view.gold[view.seat]:
        army.pop()
    return tuple(army)


def may_attack(view: KingView) -> bool:
    """Whether the view's seat decides now on an attack that it can pay for."""
    return view.awaited.you and view.awaited.kind in ("war", "send") and bool(army_to_send(view))


def attacks(view: KingView, army: Sequence[str] = ()) -> tuple[Attack, ...]:
    """The attacks that the view's seat decides on now: on whomever it may choose, or on whom it is sending an army to.

    army: what it would send; ``army_to_send`` if empty. Nothing if it decides on no attack, or can pay for none.
    """
    f = view.frames[-1]
    if not may_attack(view):
        return ()
    army = army or army_to_send(view)
    others = [(view.seat + step) % view.seats for step in range(1, view.seats)]
    targets = [int(f.data[0])] if f.kind == "send" else [other for other in others if not view.out >> other & 1]
    return tuple([what_if(view, target, army) for target in targets])


def what_if(view: KingView, target: int, army: Sequence[str], deals: int | None = None) -> Attack:
    """The odds of sending tiles of the view's army against a seat. deals: how many, as many as suit if not given.

    Raises MunimentError if the seat cannot be attacked, or these tiles are not in the army or cannot attack (K28, K38).
    """
    box, seat = view.box, view.seat
    if not 0 <= target < view.seats or target == seat or view.out >> target & 1:
        raise MunimentError(f"seat {target} cannot be attacked")
    missing = Counter(army) - Counter(view.army)
    if missing:
        raise MunimentError(f"{next(iter(missing))} is not in the army")
    attackers = _armed(box, [box.tiles_named(slug)[0] for slug in army], view.dispelled == seat)
    if not attackers:
        raise MunimentError("an army needs a character")
    hidden = any(h.seat == target and any(zone == ARMY | target for zone, _, _ in h.lies) for h in view.hidden)
    number = 1 if not hidden else deals or deals_for(view)
    source = RandomStream(seed_from_text("what if"))
    armies: list[tuple[Fighter, ...]] = []
    for _ in range(number):
        try:
            dealt = redeal(box, view, source)
        except ValueError as error:
            raise MunimentError(f"the face-down tiles cannot be dealt: {error}") from error
        armies.append(_armed(box, dealt.army[target], view.dispelled == target))
    lands = tuple(_land(view, target, land, attackers, armies) for land in view.lands[target])
    return Attack(target, tuple(army), cost(len(army)), lands, number)


def _armed(box: Box, tiles: Sequence[int], dispelled: bool) -> tuple[Fighter, ...]:
    items = SWORD * (box.sword in tiles) + BOW * (box.bow in tiles)
    return arm(tuple([box.fighter[tile] for tile in tiles if box.fights[tile]]), items, dispelled)


def _land(
    view: KingView, target: int, land: LandView, attackers: tuple[Fighter, ...], armies: Sequence[tuple[Fighter, ...]]
) -> LandAttack:
    box = view.box
    forts = forts_of(land.fort, settlement_value(view, land.improvement), 0)
    terms = box.terms[box.land_terrain[box.land_named[land.land]]]
    flags = (view.dispelled == view.seat, view.dispelled == target)
    alone, *met = [prospect(Battle(attackers, army, forts, terms, *flags)) for army in ((), *armies)]
    return LandAttack(land.land, alone, mean(met))
