"""The odds of a battle: the exact distribution of its outcome under a stated casualty policy (K31 to K39).

The dice of a stage are counted with whole numbers, so that a distribution of hits is exact whatever the
number of dice. ``exact_odds`` carries on in fractions, for small battles and for proofs; ``battle_odds`` in
floating point: everything is a sum of products of numbers that are not negative and the first of which are
correctly rounded, so that no digits cancel; every result is within 1e-12 of the exact one.

What is not a die is a choice, and is settled beforehand: who bears sword and bow and who shoots is in the
fighters, and a ``Policy`` says who takes the hits. No magic is played and no charm used in the course of the
battle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Generic, NamedTuple, TypeVar

from muniment.games.king.casualties import Losses, settle, survivors, targets
from muniment.games.king.combat import (
    CHARGE,
    HAND_STAGE,
    RANGED_STAGE,
    UNROLLED,
    Dice,
    Fighter,
    Forts,
    Terms,
    counting,
    counts,
    hit_threshold,
    lords_among,
    rolls_in,
    siege_hits,
    stage_dice,
    undefended,
    volley_done,
)
from muniment.games.king.policy import Policy, cheapest_first

__all__ = ["Battle", "Odds", "Outcome", "Roll", "battle_odds", "exact_odds", "hit_weights", "roll_of"]

N = TypeVar("N", Fraction, float)
Army = tuple[Fighter, ...]
Roll = tuple[Dice, tuple[int, ...]]
"""What a side rolls in a stage: its dice, and the thresholds of the knights whose charge die is still to come."""


class Battle(NamedTuple):
    """A battle about to be fought, or one under way.

    attackers, defenders: the living, with their gear. begun: whether the siege masters' hits are already
    among those the forts have absorbed (K36). stage: the next one to be rolled. Knights whose charge die is
    unrolled will roll it.
    """

    attackers: Army
    defenders: Army
    forts: Forts = Forts()
    terms: Terms = Terms()
    attackers_dispelled: bool = False
    defenders_dispelled: bool = False
    begun: bool = False
    stage: int = RANGED_STAGE


class Outcome(NamedTuple):
    """How a battle can end: the characters alive on either side, and whether the land is captured (K39).

    A golem is among them, unless its side is dispelled (K43, K44).
    """

    attackers: int
    defenders: int
    captured: bool


@dataclass(frozen=True, slots=True)
class Odds(Generic[N]):
    """What can come of a battle.

    chances: every possible outcome with its probability, outcomes ascending. attacker_survival,
    defender_survival: for each fighter, as the battle lists them, the chance to be alive at the end;
    fighters that differ in nothing share alike.
    """

    chances: tuple[tuple[Outcome, N], ...]
    attacker_survival: tuple[N, ...]
    defender_survival: tuple[N, ...]

    @property
    def capture(self) -> N:
        """The chance that the land is captured (K39)."""
        return self._chance(lambda outcome: outcome.captured)

    @property
    def attackers_wiped_out(self) -> N:
        """The chance that no attacking character is left."""
        return self._chance(lambda outcome: not outcome.attackers)

    @property
    def defenders_wiped_out(self) -> N:
        """The chance that no defending character is left; certain where there was none."""
        return self._chance(lambda outcome: not outcome.defenders)

    @property
    def attacker_losses(self) -> N:
        """The expected number of attacking characters killed."""
        return self._deaths(self.attacker_survival)

    @property
    def defender_losses(self) -> N:
        """The expected number of defending characters killed."""
        return self._deaths(self.defender_survival)

    def _chance(self, wanted: Callable[[Outcome], bool]) -> N:
        total = self.chances[0][1] * 0
        for outcome, chance in self.chances:
            if wanted(outcome):
                total += chance
        return total

    def _deaths(self, survival: tuple[N, ...]) -> N:
        total = self.chances[0][1] * 0
        for chance in survival:
            total += 1 - chance
        return total


def battle_odds(battle: Battle, attackers: Policy = cheapest_first, defenders: Policy = cheapest_first) -> Odds[float]:
    """The odds of a battle in floating point, within 1e-12, each side taking its hits by its policy."""
    return _Solver(battle, attackers, defenders, lambda weight, total: weight / total).odds()


def exact_odds(
    battle: Battle, attackers: Policy = cheapest_first, defenders: Policy = cheapest_first
) -> Odds[Fraction]:
    """The odds of a battle in fractions: the same numbers with nothing rounded, some ten times slower."""
    return _Solver(battle, attackers, defenders, Fraction).odds()


# -- dice


def roll_of(
    fighters: Army, foes: Army, stage: int, terms: Terms, dispelled: bool = False, forts: Forts | None = None
) -> Roll:
    """What a side rolls in a stage, with the charge dice that are still to come (K33, K34)."""
    knights = [
        hit_threshold(fighter, stage, dispelled)
        for fighter in fighters
        if fighter.traits & CHARGE and fighter.charge_die == UNROLLED and rolls_in(fighter, stage, dispelled)
    ]
    return stage_dice(fighters, foes, stage, terms, dispelled, forts), tuple(sorted(knights))


@lru_cache(maxsize=4096)
def hit_weights(roll: Roll) -> tuple[tuple[int, ...], int]:
    """The distribution of the number of hits: a whole-number weight for 0, 1, 2... hits, and the sum of the weights.

    A die with threshold t hits with probability (7 - t)/6; a knight throws 1 to 6 more dice, as likely each
    (K34).
    """
    dice, knights = roll
    weights = [1]
    for number, threshold in dice:
        weights = _convolve(weights, _binomial(number, threshold))
    for threshold in knights:
        more = [0] * 7
        for number in range(1, 7):
            for hits, weight in enumerate(_binomial(number, threshold)):
                more[hits] += weight * 6 ** (6 - number)
        weights = _convolve(weights, more)
    return tuple(weights), sum(weights)


def _binomial(number: int, threshold: int) -> list[int]:
    good = 7 - threshold
    return [comb(number, hits) * good**hits * (6 - good) ** (number - hits) for hits in range(number + 1)]


def _convolve(left: list[int], right: list[int]) -> list[int]:
    result = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            result[i + j] += a * b
    return result


# -- armies under fire

_End = tuple[int, int, tuple[int, ...], tuple[int, ...]]  # sure survivors, saving rolls; who they are, by tile


class _Force(Generic[N]):
    """One side of a battle: what so many hits in a stage leave of it, worked out once for each army and number."""

    def __init__(self, policy: Policy, dispelled: bool, number: Callable[[int, int], N]) -> None:
        self.policy = policy
        self.dispelled = dispelled
        self.number: Callable[[int, int], N] = number
        self._struck: dict[tuple[Army, int], list[Losses]] = {}
        self._ends: dict[Army, list[_End]] = {}
        self._hits: dict[tuple[Roll, int, int], list[N]] = {}

    def struck(self, army: Army, stage: int) -> list[Losses]:
        """The losses by 0, 1, 2... hits, up to as many as make a difference."""
        known = self._struck.get((army, stage))
        if known is None:
            who = targets(army, stage, self.dispelled)
            most = len(who.first) + len(who.excess) + who.items.bit_count()
            known = [settle(army, self.policy(army, stage, who, hits)) for hits in range(most + 1)]
            self._struck[army, stage] = known
        return known

    def hits(self, roll: Roll, absorbed: int, most: int) -> list[N]:
        """The chances of 0, 1... ``most`` or more hits on characters, when forts absorb the first of them (K35)."""
        key = roll, absorbed, most
        known = self._hits.get(key)
        if known is None:
            weights, total = hit_weights(roll)
            tally = [0] * (most + 1)
            for hits, weight in enumerate(weights):
                tally[min(most, max(0, hits - absorbed))] += weight
            known = [self.number(weight, total) for weight in tally]
            self._hits[key] = known
        return known

    def after(self, army: Army, stage: int, hits: int) -> Iterator[tuple[Army, int, int]]:
        """What can be left of the army: (army, weight, total weight); which of interchangeable flyers is no matter."""
        losses = self.struck(army, stage)[hits]
        alike: dict[Fighter, list[int]] = {}
        for at in losses.rolls:
            alike.setdefault(army[at], []).append(at)
        ways = [(0, 1)]
        for group in alike.values():
            masks = [sum([1 << at for at in group[:lucky]]) for lucky in range(len(group) + 1)]
            ways = [(s | mask, w * comb(len(group), k)) for s, w in ways for k, mask in enumerate(masks)]
        for saved, weight in ways:
            yield survivors(army, losses, saved), weight, 1 << len(losses.rolls)

    def ends(self, army: Army) -> list[_End]:
        """For 0, 1, 2... hits in the last stage: how many survive, how many roll for it, and who."""
        known = self._ends.get(army)
        if known is None:
            known = [_end(army, losses) for losses in self.struck(army, HAND_STAGE)]
            self._ends[army] = known
        return known


def _end(army: Army, losses: Losses) -> _End:
    gone = {*losses.rolls, *losses.dead}
    sure = tuple([fighter.tile for at, fighter in enumerate(army) if at not in gone])
    return len(sure), len(losses.rolls), sure, tuple([army[at].tile for at in losses.rolls])


_Position = tuple[Army, Forts]  # what is left of a side after the ranged stage; an attacker's forts are Forts()
_Mood = tuple[int, tuple[Roll, ...]]  # its lords, and what it rolls against each set of lords the other may have


class _Solver(Generic[N]):
    """One battle: positions after the ranged stage, then the hand-to-hand stage for sides that roll alike at once."""

    def __init__(self, battle: Battle, attackers: Policy, defenders: Policy, number: Callable[[int, int], N]) -> None:
        self.battle = battle
        self.number: Callable[[int, int], N] = number
        self.zero: N = number(0, 1)
        self.one: N = number(1, 1)
        self.attack: _Force[N] = _Force(attackers, battle.attackers_dispelled, number)
        self.defend: _Force[N] = _Force(defenders, battle.defenders_dispelled, number)

    def odds(self) -> Odds[N]:
        """The whole calculation."""
        battle = self.battle
        attackers = counting(_numbered(battle.attackers), battle.attackers_dispelled)
        defenders = counting(_numbered(battle.defenders), battle.defenders_dispelled)
        forts = battle.forts
        if undefended(defenders, forts):  # K31
            outcome = Outcome(len(attackers), 0, bool(attackers))
            return Odds(
                ((outcome, self.one),),
                (self.one,) * len(battle.attackers),
                (self.one,) * len(battle.defenders),
            )
        if not battle.begun:
            forts = forts.absorb(siege_hits(attackers, forts))[0]
        left, right = {(attackers, Forts()): self.one}, {(defenders, forts): self.one}
        if battle.stage == RANGED_STAGE:
            terms = battle.terms
            fire = roll_of(attackers, defenders, RANGED_STAGE, terms, battle.attackers_dispelled)
            reply = roll_of(defenders, attackers, RANGED_STAGE, terms, battle.defenders_dispelled, forts)
            left = self._volley(self.attack, attackers, Forts(), reply)
            right = self._volley(self.defend, defenders, forts, fire)
        return self._melee(left, right)

    def _volley(self, force: _Force[N], army: Army, forts: Forts, roll: Roll) -> dict[_Position, N]:
        """The positions of a side after the ranged stage."""
        army = volley_done(army, force.dispelled)
        most = len(force.struck(army, RANGED_STAGE)) - 1 + forts.left
        positions: dict[_Position, N] = {}
        for hits, chance in enumerate(force.hits(roll, 0, most)):
            if chance:
                after, through = forts.absorb(hits)
                for left, weight, total in force.after(army, RANGED_STAGE, through):
                    position = left, after
                    share = chance if total == 1 else chance * self.number(weight, total)
                    positions[position] = positions.get(position, self.zero) + share
        return positions

    def _moods(
        self, positions: dict[_Position, N], foes: dict[_Position, N], dispelled: bool, attacking: bool
    ) -> tuple[dict[_Mood, list[tuple[_Position, N]]], list[int]]:
        """The positions of a side, grouped by what matters to the other; and the lords the other may have."""
        terms = self.battle.terms
        faced: dict[int, Army] = {}
        for foe, _ in foes:
            faced.setdefault(lords_among(foe) if terms.royal_influence else 0, foe)
        groups: dict[_Mood, list[tuple[_Position, N]]] = {}
        for position, chance in positions.items():
            army, forts = position
            own = None if attacking else forts
            rolls = tuple([roll_of(army, foe, HAND_STAGE, terms, dispelled, own) for foe in faced.values()])
            mood = (lords_among(army) if terms.royal_influence else 0), rolls
            groups.setdefault(mood, []).append((position, chance))
        return groups, list(faced)

    def _melee(self, left: dict[_Position, N], right: dict[_Position, N]) -> Odds[N]:
        battle, zero = self.battle, self.zero
        attackers, met = self._moods(left, right, battle.attackers_dispelled, attacking=True)
        defenders, faced = self._moods(right, left, battle.defenders_dispelled, attacking=False)
        alive = [zero] * len(battle.attackers), [zero] * len(battle.defenders)
        sizes = len(battle.attackers) + 2, len(battle.defenders) + 2
        joint = [[zero] * sizes[1] for _ in range(sizes[0])]
        known: tuple[dict[tuple[_Mood, Roll], list[list[N]]], dict[tuple[_Mood, Roll], list[list[N]]]] = {}, {}
        shares = [
            {mood: sum([chance for _, chance in group], zero) for mood, group in side.items()}
            for side in (attackers, defenders)
        ]
        for mine, my_group in attackers.items():
            for theirs, their_group in defenders.items():
                blows, answer = mine[1][met.index(theirs[0])], theirs[1][faced.index(mine[0])]
                key = mine, answer
                if key not in known[0]:
                    known[0][key] = self._last(self.attack, my_group, answer, sizes[0], len(alive[0]))
                key = theirs, blows
                if key not in known[1]:
                    known[1][key] = self._last(self.defend, their_group, blows, sizes[1], len(alive[1]))
                (my_counts, my_alive), (their_counts, their_alive) = known[0][mine, answer], known[1][key]
                for row, chance in zip(joint, my_counts, strict=True):
                    if chance:
                        for at, other in enumerate(their_counts):
                            row[at] += chance * other
                for total, part, share in (
                    (alive[0], my_alive, shares[1][theirs]),
                    (alive[1], their_alive, shares[0][mine]),
                ):
                    for at, chance in enumerate(part):
                        total[at] += chance * share
        return self._tell(joint, alive)

    def _last(
        self, force: _Force[N], group: list[tuple[_Position, N]], roll: Roll, size: int, fighters: int
    ) -> list[list[N]]:
        """What the last stage leaves of a group of positions.

        First the chances of each number alive; that of none with neutralised forts comes last, in a place of
        its own. Then each fighter's chance to be alive.
        """
        numbers = [self.zero] * size
        alive = [self.zero] * fighters
        for (army, forts), chance in group:
            ends = force.ends(army)
            if not army:  # only forts are left: are they neutralised?
                weights, total = hit_weights(roll)
                enough = sum(weights[forts.left :])
                numbers[-1] += chance * self.number(enough, total)
                numbers[0] += chance * self.number(total - enough, total)
                continue
            for hits, likely in enumerate(force.hits(roll, forts.left, len(ends) - 1)):
                if not likely:
                    continue
                sure, rolls, safe, rolling = ends[hits]
                share = chance * likely
                for tile in safe:
                    alive[tile] += share
                if not rolls:
                    numbers[sure or -1] += share
                    continue
                half = share * self.number(1, 2)
                for tile in rolling:
                    alive[tile] += half
                part = share * self.number(1, 1 << rolls)
                for lucky in range(rolls + 1):
                    numbers[sure + lucky or -1] += part * comb(rolls, lucky)
        return [numbers, alive]

    def _tell(self, joint: list[list[N]], alive: tuple[list[N], list[N]]) -> Odds[N]:
        """The odds from the table of numbers alive, in which the last row and column are side wiped out in the open."""
        chances: dict[Outcome, N] = {}
        for i, row in enumerate(joint):
            for j, chance in enumerate(row):
                if chance:
                    left, right = (0 if i == len(joint) - 1 else i), (0 if j == len(row) - 1 else j)
                    outcome = Outcome(left, right, left > 0 and j == len(row) - 1)
                    chances[outcome] = chances.get(outcome, self.zero) + chance
        battle = self.battle
        return Odds(
            tuple(sorted(chances.items(), key=lambda item: item[0])),
            self._shared(battle.attackers, alive[0], battle.attackers_dispelled),
            self._shared(battle.defenders, alive[1], battle.defenders_dispelled),
        )

    def _shared(self, army: Army, alive: list[N], dispelled: bool) -> tuple[N, ...]:
        """Survival by position: equals share alike, and a golem that does not count is in no danger."""
        numbers = [fighter.tile for fighter in _numbered(army)]
        return tuple(
            [
                alive[number] * self.number(1, numbers.count(number)) if counts(fighter, dispelled) else self.one
                for number, fighter in zip(numbers, army, strict=True)
            ]
        )


def _numbered(army: Army) -> Army:
    """The army with the place of the first interchangeable fighter as every fighter's tile."""
    looks = [fighter[1:] for fighter in army]
    return tuple([fighter._replace(tile=looks.index(fighter[1:])) for fighter in army])
