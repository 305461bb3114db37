"""The odds of a battle against the enumeration of every face of every die, against printed numbers and sampling."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from time import perf_counter

import pytest

from muniment.core.dice import RandomStream, seed_from_text
from muniment.games.king.casualties import Placing, Targets, begin, place, recipients, settle, survivors, targets
from muniment.games.king.combat import (
    BOW,
    CHARGE,
    DWARF,
    DWARF_KING,
    ELF,
    ELF_LORD,
    FLYING,
    GOLEM,
    HAND_STAGE,
    HAS_SHOT,
    MAGIC,
    NO_SHOT,
    NOWHERE,
    RANGED,
    RANGED_STAGE,
    SHOOTS,
    SIEGE_MASTER,
    STAGES,
    SWORD,
    SWORD_MASTER,
    Dice,
    Fighter,
    Forts,
    Terms,
    captures,
    charge_rollers,
    counting,
    saves,
    siege_hits,
    stage_dice,
    undefended,
    volley_done,
)
from muniment.games.king.odds import Battle, Odds, Outcome, battle_odds, exact_odds, hit_weights, roll_of
from muniment.games.king.policy import Policy, cheapest_first, spent_first

Army = tuple[Fighter, ...]
Position = tuple[Army, Army, Forts]
FACES = range(1, 7)


# -- every face of every die, stage by stage, in the words of the rulings


@cache
def faces(dice: Dice) -> tuple[tuple[int, Fraction], ...]:
    """Hits with their probability, from all 6^n faces."""
    thresholds = [threshold for number, threshold in dice for _ in range(number)]
    seen = Counter(
        sum(die >= threshold for die, threshold in zip(roll, thresholds, strict=True))
        for roll in product(FACES, repeat=len(thresholds))
    )
    return tuple((hits, Fraction(ways, 6 ** len(thresholds))) for hits, ways in seen.items())


@cache
def struck(army: Army, stage: int, hits: int, dispelled: bool, policy: Policy) -> tuple[tuple[Army, Fraction], ...]:
    """What is left of an army, with its probability, from all faces of its saving rolls."""
    losses = settle(army, policy(army, stage, targets(army, stage, dispelled), hits))
    seen = Counter(
        survivors(army, losses, sum(1 << at for at, die in zip(losses.rolls, dice, strict=True) if saves(die)))
        for dice in product(FACES, repeat=len(losses.rolls))
    )
    return tuple((left, Fraction(ways, 6 ** len(losses.rolls))) for left, ways in seen.items())


def stages(battle: Battle, start: Position, ours: Policy, theirs: Policy) -> dict[Position, Fraction]:
    left: dict[Position, Fraction] = {start: Fraction(1)}
    for stage in STAGES[battle.stage :]:
        then: dict[Position, Fraction] = {}
        for (attackers, defenders, forts), chance in left.items():
            first = stage_dice(attackers, defenders, stage, battle.terms, battle.attackers_dispelled)
            second = stage_dice(defenders, attackers, stage, battle.terms, battle.defenders_dispelled, forts)
            ours_now, theirs_now = attackers, defenders
            if stage == RANGED_STAGE:
                ours_now = volley_done(attackers, battle.attackers_dispelled)
                theirs_now = volley_done(defenders, battle.defenders_dispelled)
            for (hits, p), (answer, q) in product(faces(first), faces(second)):
                after, through = forts.absorb(hits)
                for mine, r in struck(ours_now, stage, answer, battle.attackers_dispelled, ours):
                    for other, s in struck(theirs_now, stage, through, battle.defenders_dispelled, theirs):
                        key = mine, other, after
                        then[key] = then.get(key, Fraction(0)) + chance * p * q * r * s
        left = then
    return left


def brute(
    battle: Battle, ours: Policy, theirs: Policy
) -> tuple[dict[Outcome, Fraction], dict[tuple[int, int], Fraction]]:
    """The chance of every outcome, and of each fighter, by side and tile, to live: dice counted one by one."""
    sides = (
        counting(battle.attackers, battle.attackers_dispelled),
        counting(battle.defenders, battle.defenders_dispelled),
    )
    forts = battle.forts if battle.begun else battle.forts.absorb(siege_hits(sides[0], battle.forts))[0]
    chances: dict[Outcome, Fraction] = {}
    alive: dict[tuple[int, int], Fraction] = {}
    rollers = [(side, at) for side in (0, 1) for at in charge_rollers(sides[side])]
    for dice in product(FACES, repeat=len(rollers)):
        armies = [list(side) for side in sides]
        for (side, at), die in zip(rollers, dice, strict=True):
            armies[side][at] = armies[side][at]._replace(charge_die=die)
        start = tuple(armies[0]), tuple(armies[1]), forts
        ended = {start: Fraction(1)} if undefended(sides[1], battle.forts) else stages(battle, start, ours, theirs)
        for (attackers, defenders, after), p in ended.items():
            chance = p / 6 ** len(rollers)
            captured = captures(attackers, defenders, after, battle.attackers_dispelled, battle.defenders_dispelled)
            outcome = Outcome(len(attackers), len(defenders), captured)
            chances[outcome] = chances.get(outcome, Fraction(0)) + chance
            for number, army in enumerate((attackers, defenders)):
                for fighter in army:
                    key = number, fighter.tile
                    alive[key] = alive.get(key, Fraction(0)) + chance
    return chances, alive


def agree(battle: Battle, ours: Policy = cheapest_first, theirs: Policy = cheapest_first) -> Odds[Fraction]:
    attackers = tuple(f._replace(tile=at) for at, f in enumerate(battle.attackers))
    defenders = tuple(f._replace(tile=at) for at, f in enumerate(battle.defenders))
    battle = battle._replace(attackers=attackers, defenders=defenders)
    chances, alive = brute(battle, ours, theirs)
    odds = exact_odds(battle, ours, theirs)
    assert dict(odds.chances) == {outcome: chance for outcome, chance in chances.items() if chance}
    assert sum(chance for _, chance in odds.chances) == 1
    for side, (army, survival, dispelled) in enumerate(
        (
            (attackers, odds.attacker_survival, battle.attackers_dispelled),
            (defenders, odds.defender_survival, battle.defenders_dispelled),
        )
    ):
        for at, fighter in enumerate(army):
            alike = [other.tile for other in army if other[1:] == fighter[1:]]
            expected = sum((alive.get((side, tile), Fraction(0)) for tile in alike), Fraction(0)) / len(alike)
            assert survival[at] == (1 if fighter.traits & GOLEM and dispelled else expected)
    near = battle_odds(battle, ours, theirs)
    assert [outcome for outcome, _ in near.chances] == [outcome for outcome, _ in odds.chances]
    for (_, floating), (_, exact) in zip(near.chances, odds.chances, strict=True):
        assert abs(floating - exact) < 1e-12
    return odds


F = Fighter
BEAR, FARMER, GHOST, PIXIE = F(0, 1, 2), F(0, 2, 1), F(0, 3, 1, FLYING), F(0, 4, 1, FLYING)
ELVES, ELVES_R, LORD = F(0, 5, 2, ELF), F(0, 6, 2, ELF | RANGED), F(0, 7, 2, ELF_LORD | RANGED)
DWARVES, KING = F(0, 8, 1, DWARF), F(0, 9, 2, DWARF_KING)
MASTER, BARON, DUKE = F(0, 10, 2, SWORD_MASTER), F(0, 11, 2, SIEGE_MASTER), F(0, 12, 1, SIEGE_MASTER)
KNIGHT, DRYAD, CLAY, FORESTER = F(0, 13, 1, CHARGE), F(0, 14, 1, MAGIC), F(0, 15, 3, GOLEM), F(0, 16, 2, RANGED)
EAGLE = F(0, 17, 2, FLYING)
ROYAL, HOME, SILENT = Terms(royal_influence=True), Terms(2, terrain_bonus=True), Terms(silent_forts=True)

CASES = {
    "K34 plain": Battle((BEAR, FARMER), (BEAR,)),
    "K31 undefended": Battle((BEAR,), ()),
    "K31 nobody attacks": Battle((), (BEAR,)),
    "K33 ranged first": Battle((FORESTER, FARMER), (BEAR, FARMER)),
    "K33 archers on both sides": Battle((FORESTER, FARMER), (FORESTER, DRYAD)),
    "K34 charge": Battle((KNIGHT,), (BEAR,)),
    "K34 charges on both sides": Battle((KNIGHT,), (KNIGHT,)),
    "K34 charge rolled": Battle((KNIGHT._replace(charge_die=4),), (BEAR, GHOST)),
    "K34 the knight may fall to arrows": Battle((KNIGHT,), (FORESTER,)),
    "K34 magic ability": Battle((DRYAD, BEAR), (DRYAD, FARMER)),
    "K35 a fort alone": Battle((BEAR, FARMER), (), Forts(1)),
    "K35 a fort alone, silent": Battle((FORESTER, FARMER), (), Forts(1), SILENT),
    "K35 over both stages": Battle((FORESTER, BEAR), (FARMER,), Forts(2)),
    "K35 over both stages, silent": Battle((FORESTER, BEAR), (FARMER,), Forts(2), SILENT),
    "K35 partly absorbed, hand to hand": Battle((BEAR, BEAR), (FARMER,), Forts(3, 2), begun=True, stage=HAND_STAGE),
    "K36 Baron": Battle((BARON, FARMER), (FARMER,), Forts(2)),
    "K36 both at a tower": Battle((BARON, DUKE), (FARMER,), Forts(1)),
    "K36 both at a tower, silent": Battle((BARON, DUKE), (FARMER,), Forts(1), SILENT),
    "K36 both at a keep": Battle((BARON, DUKE), (), Forts(2)),
    "K36 already applied": Battle((BARON,), (), Forts(2, 1), begun=True),
    "K37 flyers": Battle((EAGLE, GHOST), (EAGLE, FORESTER)),
    "K37 interchangeable flyers": Battle((GHOST, FARMER, GHOST), (FORESTER, BEAR)),
    "K37 nearly interchangeable flyers": Battle((GHOST, PIXIE), (FORESTER, BEAR)),
    "K37 Sword Master": Battle((MASTER,), (FORESTER, BEAR)),
    "K37 Sword Master and flyers": Battle((MASTER, GHOST), (FORESTER, BEAR)),
    "K37 wounded Sword Master": Battle((MASTER._replace(wounds=1), FARMER), (FORESTER, BEAR)),
    "K38 K48 sword": Battle((BEAR._replace(gear=SWORD),), (FORESTER, BEAR)),
    "K38 K48 sword of magic, bow of an archer": Battle(
        (DRYAD._replace(gear=SWORD), FORESTER), (FORESTER._replace(gear=BOW), FARMER)
    ),
    "K48 shooting with the bow": Battle((BEAR._replace(gear=BOW, shoots=SHOOTS), FARMER), (FORESTER, FARMER)),
    "K48 a charge shot": Battle((KNIGHT._replace(gear=BOW, shoots=SHOOTS),), (FARMER, GHOST)),
    "K48 has shot": Battle((BEAR._replace(shoots=HAS_SHOT), FARMER), (BEAR,), stage=HAND_STAGE),
    "K38 both items": Battle((BEAR._replace(gear=SWORD | BOW), FARMER), (FORESTER, DRYAD)),
    "K44 golem": Battle((CLAY,), (FORESTER, BEAR)),
    "K44 golem holds": Battle((FORESTER, BEAR), (CLAY, FARMER)),
    "K43 attackers dispelled": Battle(
        (CLAY, DRYAD, BEAR._replace(gear=BOW, shoots=SHOOTS)), (BEAR, FARMER), attackers_dispelled=True
    ),
    "K43 defenders dispelled": Battle((FORESTER, FARMER), (CLAY, DRYAD._replace(gear=SWORD)), defenders_dispelled=True),
    "K43 only a dispelled golem": Battle((FARMER,), (CLAY,), defenders_dispelled=True),
    "K43 the wall gone, hits absorbed": Battle((BEAR, FARMER), (FARMER,), Forts(1, 3), begun=True, stage=HAND_STAGE),
    "K50 Elf Lord": Battle((LORD, ELVES), (ELVES_R, ELVES), terms=ROYAL),
    "K50 Elf Lord may fall before the melee": Battle((LORD, ELVES), (FORESTER, ELVES, ELVES), terms=ROYAL),
    "K50 Dwarf King": Battle((DWARVES, DWARVES), (KING, FORESTER), terms=ROYAL),
    "K50 both": Battle((LORD, DWARVES), (KING, ELVES), terms=ROYAL),
    "K51": Battle((BEAR._replace(terrain=2), FARMER._replace(terrain=1)), (FARMER._replace(terrain=2),), terms=HOME),
}


@pytest.mark.parametrize("name", CASES)
def test_the_odds_equal_the_enumeration_of_all_dice(name: str) -> None:
    agree(CASES[name])


@pytest.mark.parametrize(
    "name", ["K33 archers on both sides", "K37 Sword Master and flyers", "K48 shooting with the bow"]
)
def test_the_odds_follow_the_policies_given(name: str) -> None:
    agree(CASES[name], spent_first, cheapest_first)
    agree(CASES[name], cheapest_first, spent_first)
    agree(CASES[name], first_listed, spent_first)


def first_listed(fighters: Army, stage: int, who: Targets, hits: int) -> Placing:
    """A policy of somebody's own: whoever comes first, swords and bows included."""
    placing = begin(who, hits)
    while choices := recipients(who, placing):
        placing = place(who, placing, choices[0])
    return placing


def some_battle(stream: RandomStream) -> Battle:
    kinds = (BEAR, FARMER, GHOST, PIXIE, ELVES, ELVES_R, LORD, DWARVES, KING, MASTER, BARON, KNIGHT, DRYAD, CLAY)
    armies = []
    for most in (3, 3):
        army: list[Fighter] = []
        dice = 0
        for _ in range(stream.below(most + 1)):
            kind = stream.choice(kinds)
            if kind.traits & CHARGE:
                kind = kind._replace(charge_die=stream.below(3))
            if dice + kind.value <= 4:
                dice += kind.value
                army.append(kind._replace(terrain=stream.choice((NOWHERE, 1, 2))))
        for bit in (SWORD, BOW):
            if army and not stream.below(3):
                at = stream.below(len(army))
                if not army[at].traits & GOLEM:
                    shoots = stream.choice((SHOOTS, NO_SHOT)) if bit == BOW and not army[at].traits & RANGED else 0
                    army[at] = army[at]._replace(gear=army[at].gear | bit, shoots=shoots)
        armies.append(tuple(army))
    value = stream.below(3)
    yes_or_no = [stream.below(2) == 1 for _ in range(4)]
    return Battle(
        armies[0],
        armies[1],
        Forts(value, stream.below(value + 1)),
        Terms(2, *yes_or_no[:3]),
        not stream.below(4),
        not stream.below(4),
        yes_or_no[3],
    )


def test_random_tiny_battles_agree_with_the_enumeration() -> None:
    stream = RandomStream(seed_from_text("odds"))
    for _ in range(60):
        policies = (
            stream.choice((cheapest_first, spent_first, first_listed)),
            stream.choice((cheapest_first, first_listed)),
        )
        agree(some_battle(stream), *policies)


# -- by hand


def test_one_against_one_by_hand_k34() -> None:
    """Value 1 each: an attacker's 6 (1/6) captures unless the defender rolls a 6 as well."""
    odds = exact_odds(Battle((FARMER,), (FARMER,)))
    assert dict(odds.chances) == {
        Outcome(0, 0, False): Fraction(1, 36),
        Outcome(0, 1, False): Fraction(5, 36),
        Outcome(1, 0, True): Fraction(5, 36),
        Outcome(1, 1, False): Fraction(25, 36),
    }
    assert odds.capture == Fraction(5, 36)
    assert odds.attackers_wiped_out == odds.defenders_wiped_out == Fraction(1, 6)
    assert odds.attacker_losses == odds.defender_losses == Fraction(1, 6)


def test_a_flyer_against_arrows_by_hand_k37() -> None:
    """One arrow hits with 1/6 and kills with 1/12; if the ghost lives it hits with 1/6 hand to hand."""
    odds = exact_odds(Battle((F(0, 0, 1, RANGED),), (GHOST,)))
    assert odds.capture == Fraction(1, 12)
    assert odds.attackers_wiped_out == Fraction(11, 12) * Fraction(1, 6)


def test_example_6_the_chance_of_five_or_more_hits() -> None:
    """The attack of example 6: 21 dice, at 4 hits the forts are neutralised, at 6 both defenders are dead (K35)."""
    rob = (F(0, 0, 6, RANGED), F(0, 1, 5), F(0, 2, 5), F(0, 3, 5))
    odds = exact_odds(Battle(rob, (F(0, 4, 3), F(0, 5, 2)), Forts(4)))
    weights, total = hit_weights((((21, 6),), ()))
    six_or_more = Fraction(sum(weights[6:]), total)
    assert abs(odds.defenders_wiped_out - six_or_more) < Fraction(1, 100)  # losses in the ranged stage matter little
    nobody_shoots = exact_odds(Battle(tuple(f._replace(traits=0) for f in rob), (F(0, 4, 3), F(0, 5, 2)), Forts(4)))
    assert nobody_shoots.defenders_wiped_out == six_or_more


def test_hit_weights_are_exact_for_any_number_of_dice_k34() -> None:
    assert hit_weights((((2, 6),), ())) == ((25, 10, 1), 36)
    assert hit_weights((((1, 5),), ())) == ((4, 2), 6)
    weights, total = hit_weights((((30, 6), (10, 4)), ()))
    assert total == 6**40 == sum(weights)
    weights, total = hit_weights(((), (6,)))
    assert Fraction(weights[0], total) == sum(Fraction(5, 6) ** n for n in FACES) / 6
    assert roll_of((KNIGHT, BEAR), (), HAND_STAGE, Terms()) == (((3, 6),), (6,))
    assert roll_of((KNIGHT._replace(charge_die=2),), (), HAND_STAGE, Terms()) == (((3, 6),), ())
    assert roll_of((KNIGHT,), (), RANGED_STAGE, Terms()) == ((), ())


# -- large


SIX = (
    F(0, 1, 6, MAGIC),
    F(0, 2, 4, RANGED),
    F(0, 3, 3, CHARGE),
    F(0, 4, 3, FLYING),
    F(0, 5, 2),
    F(0, 6, 4, SWORD_MASTER),
)
OTHER_SIX = (F(0, 7, 5, RANGED), F(0, 8, 3), F(0, 9, 1, FLYING), F(0, 10, 2, FLYING), F(0, 11, 2, MAGIC), F(0, 12, 5))
FORTY = (*SIX, F(0, 20, 5), F(0, 21, 5), F(0, 22, 4), F(0, 23, 4, RANGED))


def test_six_against_six_in_floating_point_is_the_exact_value() -> None:
    for battle in (
        Battle(SIX, OTHER_SIX),
        Battle(SIX, OTHER_SIX, Forts(4), SILENT),
        Battle(FORTY, OTHER_SIX, Forts(6)),
    ):
        near, exact = battle_odds(battle), exact_odds(battle)
        assert sum(chance for _, chance in exact.chances) == 1
        assert abs(near.capture - exact.capture) < 1e-12
        assert abs(near.attacker_losses - exact.attacker_losses) < 1e-12
        assert abs(near.defender_losses - exact.defender_losses) < 1e-12
        alive = sum(chance * outcome.attackers for outcome, chance in exact.chances)
        assert exact.attacker_losses == len(battle.attackers) - alive


def test_an_ordinary_battle_takes_far_less_than_50_ms() -> None:
    def once() -> float:
        start = perf_counter()
        battle_odds(Battle(SIX, OTHER_SIX, Forts(4)))
        return perf_counter() - start

    assert min(once() for _ in range(5)) < 0.05


def fought(battle: Battle, stream: RandomStream) -> Outcome:
    """One battle with dice, move by move."""

    def hits(dice: Dice) -> int:
        return sum(stream.below(6) + 1 >= threshold for number, threshold in dice for _ in range(number))

    def after(army: Army, stage: int, number: int) -> Army:
        losses = settle(army, cheapest_first(army, stage, targets(army, stage), number))
        return survivors(army, losses, sum(1 << at for at in losses.rolls if saves(stream.below(6) + 1)))

    attackers, defenders = (
        tuple(f._replace(charge_die=stream.below(6) + 1) if f.traits & CHARGE else f for f in army)
        for army in (battle.attackers, battle.defenders)
    )
    forts = battle.forts.absorb(siege_hits(attackers, battle.forts))[0]
    for stage in STAGES:
        scored = hits(stage_dice(attackers, defenders, stage, battle.terms))
        suffered = hits(stage_dice(defenders, attackers, stage, battle.terms, forts=forts))
        forts, through = forts.absorb(scored)
        attackers, defenders = after(attackers, stage, suffered), after(defenders, stage, through)
    return Outcome(len(attackers), len(defenders), captures(attackers, defenders, forts))


def test_forty_dice_agree_with_sampling() -> None:
    battle = Battle(FORTY, OTHER_SIX, Forts(2))
    odds = battle_odds(battle)
    assert sum(number for number, _ in stage_dice(FORTY, OTHER_SIX, HAND_STAGE, Terms())) >= 30
    stream = RandomStream(seed_from_text("forty dice"))
    trials = 4000
    seen = [fought(battle, stream) for _ in range(trials)]
    captured = sum(outcome.captured for outcome in seen) / trials
    assert abs(captured - odds.capture) < 4 * sqrt(odds.capture * (1 - odds.capture) / trials)
    for count, expected in (
        (sum(outcome.attackers for outcome in seen) / trials, len(FORTY) - odds.attacker_losses),
        (sum(outcome.defenders for outcome in seen) / trials, len(OTHER_SIX) - odds.defender_losses),
    ):
        assert abs(count - expected) < 4 * 2 / sqrt(trials)
