"""Strength in numbers: what a group of characters can do in one battle, and what a battle between two groups may bring.

These are quick approximations for choosing among many line-ups; ``games.king.odds`` has the exact numbers. Dice of both
stages are counted as one roll; shots thin out the dice of the other side's later stage by what they are expected to
kill; toughness is the number of hits that a group takes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from muniment.games.king.combat import (
    CHARGE,
    FLYING,
    HAND_STAGE,
    NO_SHOT,
    RANGED,
    RANGED_STAGE,
    SWORD_MASTER,
    Fighter,
    Terms,
    combat_value,
    hit_threshold,
)

__all__ = ["NOBODY", "Clash", "Force", "clash", "force_of", "total"]

_CHARGE_MEAN = 3.5
_FLYER = 1.5  # hits that a flyer takes on average where there are hits enough
_TWICE = 2.0


class Force(NamedTuple):
    """The dice of a group by stage and threshold, the hits it takes, and what its loss would cost its owner."""

    shots6: float = 0.0
    shots5: float = 0.0
    hand6: float = 0.0
    hand5: float = 0.0
    hand4: float = 0.0
    tough: float = 0.0
    cost: float = 0.0

    def plus(self, other: Force) -> Force:
        """Both groups together."""
        a, b, c, d, e, f, g = other
        return Force(
            self[0] + a, self[1] + b, self[2] + c, self[3] + d, self[4] + e, self[5] + f, self[6] + g
        )  # fmt: skip

    def times(self, factor: float) -> Force:
        """So many of these."""
        a, b, c, d, e, f, g = self
        return Force(a * factor, b * factor, c * factor, d * factor, e * factor, f * factor, g * factor)

    @property
    def hits(self) -> float:
        """The hits expected of all its dice."""
        return (self.shots6 + self.hand6) / 6 + (self.shots5 + self.hand5) / 3 + self.hand4 / 2


NOBODY = Force()


def total(forces: list[Force]) -> Force:
    """All groups together."""
    found = NOBODY
    for force in forces:
        found = found.plus(force)
    return found


def force_of(fighter: Fighter, terms: Terms, cost: float, dispelled: bool = False) -> Force:
    """One character as a group of its own."""
    traits = fighter.traits
    dice = combat_value(fighter, terms) + (_CHARGE_MEAN if traits & CHARGE and fighter.charge_die < 0 else 0)
    dice += max(0, fighter.charge_die)
    tough = _FLYER if traits & FLYING else _TWICE if traits & SWORD_MASTER and not fighter.wounds else 1.0
    shoots = traits & RANGED or fighter.shoots != NO_SHOT
    threshold = hit_threshold(fighter, RANGED_STAGE if shoots else HAND_STAGE, dispelled)
    if shoots:
        return Force(shots6=dice, tough=tough, cost=cost) if threshold == 6 else Force(0, dice, 0, 0, 0, tough, cost)
    on6, on5, on4 = (dice if threshold == on else 0.0 for on in (6, 5, 4))
    return Force(0.0, 0.0, on6, on5, on4, tough, cost)


class Clash(NamedTuple):
    """What a battle may bring: the chance of capture, and the share of either side that is expected to die."""

    capture: float
    attacker_loss: float
    defender_loss: float


@lru_cache(maxsize=1 << 14)
def _tail(on6: int, on5: int, on4: int) -> tuple[float, ...]:
    """The chance of at least 0, 1, 2... hits with so many dice of each threshold."""
    chances = [1.0]
    for number, hit in ((on6, 1 / 6), (on5, 1 / 3), (on4, 1 / 2)):
        for _ in range(number):
            chances = [
                (chances[at] * (1 - hit) if at < len(chances) else 0.0) + (chances[at - 1] * hit if at else 0.0)
                for at in range(len(chances) + 1)
            ]
    tails, rest = [], 0.0
    for chance in reversed(chances):
        rest += chance
        tails.append(min(1.0, rest))
    return tuple(reversed(tails))


def _at_least(tails: tuple[float, ...], hits: float) -> float:
    """The chance of so many hits, between whole numbers in proportion."""
    if hits <= 0:
        return 1.0
    low = int(hits)
    part = hits - low
    below = tails[low] if low < len(tails) else 0.0
    if not part:
        return below
    above = tails[low + 1] if low + 1 < len(tails) else 0.0
    return below + (above - below) * part


def _share_lost(tails: tuple[float, ...], shield: int, tough: float) -> float:
    """The share of a group that takes ``tough`` hits expected to be lost behind a fort that absorbs ``shield``."""
    if tough <= 0:
        return 0.0
    first = shield + 1
    return min(1.0, sum(tails[first : first + int(tough + 0.999)]) / tough)


def clash(attackers: Force, defenders: Force, fort: int = 0, siege: int = 0) -> Clash:
    """A battle of two groups over a land whose forts have this value; siege: hits on them before the dice."""
    a_shots6, a_shots5, a_hand6, a_hand5, a_hand4, a_tough, _ = attackers
    d_shots6, d_shots5, d_hand6, d_hand5, d_hand4, d_tough, _ = defenders
    if a_tough <= 0:
        return _NO_BATTLE
    if d_tough <= 0 and fort <= 0:
        return _WALK_IN
    left = max(0, fort - siege)
    shot = a_shots6 / 6 + a_shots5 / 3 - left
    stands = (1 - min(1.0, shot / d_tough) if shot > 0 else 1.0) if d_tough else 0.0
    goes_on = 1 - min(1.0, (d_shots6 / 6 + d_shots5 / 3) / a_tough)
    return _melee(
        int(a_shots6 + a_hand6 * goes_on + 0.5),
        int(a_shots5 + a_hand5 * goes_on + 0.5),
        int(a_hand4 * goes_on + 0.5),
        int(d_shots6 + d_hand6 * stands + fort + 0.5),
        int(d_shots5 + d_hand5 * stands + 0.5),
        int(d_hand4 * stands + 0.5),
        left,
        int(4 * a_tough + 0.5),
        int(4 * d_tough + 0.5),
    )


_NO_BATTLE = Clash(0.0, 0.0, 0.0)
_WALK_IN = Clash(1.0, 0.0, 0.0)


@lru_cache(maxsize=1 << 16)
def _melee(
    mine6: int,
    mine5: int,
    mine4: int,
    their6: int,
    their5: int,
    their4: int,
    shield: int,
    tough4: int,
    their_tough4: int,
) -> Clash:
    """All dice at once; toughness is in quarters."""
    mine, theirs = _tail(mine6, mine5, mine4), _tail(their6, their5, their4)
    tough, their_tough = tough4 / 4, their_tough4 / 4
    capture = _at_least(mine, shield + their_tough) * (1 - _at_least(theirs, tough))
    return Clash(capture, _share_lost(theirs, 0, tough), _share_lost(mine, shield, their_tough))
