"""Laying hits on an army (K37, K38, K43, K44, example 7), and that every assignment has exactly one path."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations

import pytest

from muniment.core.dice import RandomStream, seed_from_text
from muniment.games.king.casualties import (
    BOW_TAKES,
    SWORD_TAKES,
    Losses,
    Placing,
    Targets,
    assigned,
    begin,
    forced,
    place,
    recipients,
    settle,
    survivors,
    targets,
)
from muniment.games.king.combat import (
    BOW,
    FLYING,
    GOLEM,
    HAND_STAGE,
    MAGIC,
    RANGED,
    RANGED_STAGE,
    STAGES,
    SWORD,
    SWORD_MASTER,
    Fighter,
)
from muniment.games.king.policy import Policy, cheapest_first, spent_first, worth

Army = tuple[Fighter, ...]
SNAKE = Fighter(0, 0, 3)
GHOST_1, GHOST_2 = Fighter(1, 1, 1, FLYING), Fighter(2, 1, 1, FLYING)
BEAR, WILDCAT = Fighter(3, 3, 2), Fighter(4, 4, 3)
MASTER = Fighter(5, 5, 4, SWORD_MASTER)
EAGLE = Fighter(6, 6, 2, FLYING)
CLAY = Fighter(7, 7, 9, GOLEM)
ARCHER = Fighter(8, 8, 3, RANGED)


def complete(who: Targets, placing: Placing) -> list[Placing]:
    """Every complete placing that can be reached, one for each path."""
    choices = recipients(who, placing)
    if not choices:
        return [placing]
    return [end for choice in choices for end in complete(who, place(who, placing, choice))]


def ends(army: Army, hits: int, stage: int = HAND_STAGE, dispelled: bool = False) -> list[Losses]:
    who = targets(army, stage, dispelled)
    return [settle(army, placing) for placing in complete(who, begin(who, hits))]


def test_example_7_the_fourth_hit_kills_a_ghost_and_the_other_rolls() -> None:
    """Giant Snake and two Ghosts take 4 hits: the snake and a ghost are dead, the other ghost rolls (K37)."""
    neil = (SNAKE, GHOST_1, GHOST_2)
    assert ends(neil, 4) == [Losses((0, 1), (2,), -1, 0)]
    assert ends(neil, 5) == [Losses((0, 1, 2), (), -1, 0)]
    assert ends(neil, 3) == [Losses((0,), (1, 2), -1, 0)]
    who = targets(neil, HAND_STAGE)
    assert forced(who, begin(who, 4)).left == 0  # no choice: the ghosts are interchangeable
    assert survivors(neil, Losses((0, 1), (2,), -1, 0), 1 << 2) == (GHOST_2,)
    assert survivors(neil, Losses((0, 1), (2,), -1, 0), 0) == ()


def test_k37_more_hits_than_anybody_can_take_are_lost() -> None:
    who = targets((SNAKE, GHOST_1), HAND_STAGE)
    done = forced(who, begin(who, 9))
    assert done.left == 6
    assert recipients(who, done) == ()
    assert settle((SNAKE, GHOST_1), done) == Losses((0, 1), (), -1, 0)
    nobody = targets((), HAND_STAGE)
    assert forced(nobody, begin(nobody, 3)).left == 3


def test_k37_the_owner_chooses_who_dies() -> None:
    assert ends((BEAR, WILDCAT, SNAKE), 1) == [Losses((at,), (), -1, 0) for at in range(3)]
    assert [losses.dead for losses in ends((BEAR, WILDCAT, SNAKE), 2)] == [(0, 1), (0, 2), (1, 2)]
    assert [losses.dead for losses in ends((BEAR, WILDCAT, SNAKE), 3)] == [(0, 1, 2)]
    who = targets((BEAR, WILDCAT), HAND_STAGE)
    assert forced(who, begin(who, 1)) == begin(who, 1)


def test_k37_the_sword_master_survives_one_hit_and_dies_of_the_second() -> None:
    (losses,) = ends((MASTER,), 1)
    assert losses == Losses((), (), 0, 0)
    (wounded,) = survivors((MASTER,), losses, 0)
    assert wounded.wounds == 1
    assert ends((wounded,), 1) == [Losses((0,), (), -1, 0)]  # by a later stage
    assert ends((MASTER,), 2) == [Losses((0,), (), -1, 0)]


def test_k37_the_sword_master_takes_a_second_hit_only_as_excess() -> None:
    assert ends((MASTER, BEAR), 2) == [Losses((1,), (), 0, 0)]
    assert ends((MASTER, BEAR), 3) == [Losses((0, 1), (), -1, 0)]
    wounded = MASTER._replace(wounds=1)
    assert {losses.dead for losses in ends((wounded, BEAR), 1)} == {(0,), (1,)}
    assert ends((wounded, BEAR), 3) == [Losses((0, 1), (), -1, 0)]


def test_k37_excess_goes_to_the_sword_master_or_to_flyers_as_the_owner_prefers() -> None:
    army = (MASTER, EAGLE, BEAR)
    assert ends(army, 4) == [Losses((0, 2), (1,), -1, 0), Losses((1, 2), (), 0, 0)]
    assert ends(army, 5) == [Losses((0, 1, 2), (), -1, 0)]
    pair = (MASTER, EAGLE, GHOST_1)
    assert {losses.dead for losses in ends(pair, 4)} == {(0,), (1,), (2,)}
    assert {losses.dead for losses in ends(pair, 5)} == {(0, 1), (0, 2), (1, 2)}


def test_k37_a_flyer_with_one_hit_in_a_stage_rolls_again_in_the_next() -> None:
    (losses,) = ends((EAGLE,), 1, RANGED_STAGE)
    assert losses.rolls == (0,)
    (again,) = survivors((EAGLE,), losses, 1)
    assert again == EAGLE
    assert ends((again,), 1) == [Losses((), (0,), -1, 0)]
    assert ends((again,), 2) == [Losses((0,), (), -1, 0)]


def test_k44_a_golem_takes_no_ranged_hits() -> None:
    assert ends((CLAY,), 3, RANGED_STAGE) == [Losses((), (), -1, 0)]
    assert ends((CLAY, MASTER), 2, RANGED_STAGE) == [Losses((1,), (), -1, 0)]
    assert {losses.dead for losses in ends((CLAY, BEAR), 1)} == {(0,), (1,)}


def test_k43_a_dispelled_golem_takes_no_hits_at_all() -> None:
    assert ends((CLAY, BEAR), 2, HAND_STAGE, dispelled=True) == [Losses((1,), (), -1, 0)]


def test_k38_sword_and_bow_may_take_a_hit_instead_of_a_character() -> None:
    army = (BEAR._replace(gear=SWORD | BOW), WILDCAT)
    who = targets(army, HAND_STAGE)
    assert recipients(who, begin(who, 1)) == (SWORD_TAKES, BOW_TAKES, 0, 1)
    assert [(losses.dead, losses.items) for losses in ends(army, 2)] == [
        ((), SWORD | BOW),
        ((0,), SWORD),
        ((1,), SWORD),
        ((0,), BOW),
        ((1,), BOW),
        ((0, 1), 0),
    ]
    # three hits: one item alone would save nobody, both together save one character
    assert [(losses.dead, losses.items) for losses in ends(army, 3)] == [
        ((0,), SWORD | BOW),
        ((1,), SWORD | BOW),
        ((0, 1), 0),
    ]
    # four hits are too many for all of them
    assert [(losses.dead, losses.items) for losses in ends(army, 4)] == [((0, 1), 0)]
    kept = survivors(army, Losses((1,), (), -1, SWORD), 0)
    assert kept == (BEAR._replace(gear=BOW),)


def test_k38_the_sword_can_save_the_sword_master_from_an_excess_hit() -> None:
    army = (MASTER._replace(gear=SWORD), BEAR)
    assert Losses((1,), (), 0, SWORD) in ends(army, 3)
    assert Losses((0, 1), (), -1, 0) in ends(army, 3)


def test_k38_items_of_the_dead_are_gone_with_them_and_take_no_hits() -> None:
    assert survivors((BEAR._replace(gear=SWORD), WILDCAT), Losses((0,), (), -1, 0), 0) == (WILDCAT,)
    assert targets((WILDCAT,), HAND_STAGE).items == 0


def test_k43_dispelled_items_take_no_hits() -> None:
    assert targets((BEAR._replace(gear=SWORD),), HAND_STAGE, dispelled=True).items == 0
    assert targets((BEAR._replace(gear=SWORD),), HAND_STAGE).items == SWORD


def test_interchangeable_fighters_are_merged_and_others_are_not() -> None:
    who = targets((GHOST_1, BEAR, GHOST_2), HAND_STAGE)
    assert who.first == (0, 2, 1)
    assert recipients(who, begin(who, 1)) == (0, 1)
    after = place(who, begin(who, 2), 0)
    assert recipients(who, after) == (2, 1)
    skeleton, frog = Fighter(20, 20, 1), Fighter(21, 21, 1)  # alike in battle, different tiles
    who = targets((skeleton, frog), HAND_STAGE)
    assert recipients(who, begin(who, 1)) == (0, 1)


@pytest.mark.parametrize(
    ("hits", "wanted", "choices", "left_over"),
    [
        (3, "dca", "acd", ""),
        (3, "edc", "c", ""),  # after c nobody can be passed over
        (3, "c", "c", ""),  # so it need not be said
        (3, "ea", "a", "e"),  # who takes the second is not said: that is where it stops
        (2, "aab", "ab", "a"),  # a second hit is laid only when everybody has one
        (5, "abcde", "", ""),  # everybody takes one
    ],
)
def test_k37_the_choices_that_lay_hits_so(hits: int, wanted: str, choices: str, left_over: str) -> None:
    """K37: of five different characters, in whatever order they are named."""
    army = tuple(Fighter(tile, tile, 2) for tile in range(5))
    who = targets(army, HAND_STAGE)
    assert assigned(who, begin(who, hits), wanted, lambda at: "abcde"[at]) == (list(choices), list(left_over))


def test_k38_the_choices_with_a_sword() -> None:
    """K38: the sword comes first; then one of the two characters is left without a hit."""
    who = targets((BEAR._replace(gear=SWORD), WILDCAT), HAND_STAGE)
    names = {SWORD_TAKES: "sword", 0: "bear", 1: "wildcat"}
    assert assigned(who, begin(who, 2), ["bear", "sword"], names.__getitem__) == (["sword", "bear"], [])
    assert assigned(who, begin(who, 2), ["wildcat", "bear"], names.__getitem__) == (["bear"], [])


def test_nothing_lost_returns_the_very_same_army() -> None:
    army = (BEAR, CLAY)
    assert survivors(army, settle(army, begin(targets(army, HAND_STAGE), 0)), 0) is army


# -- every assignment the ruling allows, from its words, against the paths


def allowed(army: Army, hits: int, stage: int, dispelled: bool) -> set[tuple[object, ...]]:
    """The final assignments K37 and K38 allow, as counts of interchangeable fighters by number of hits."""
    can = [at for at, f in enumerate(army) if not (f.traits & GOLEM and (dispelled or stage == RANGED_STAGE))]
    twice = [at for at in can if army[at].traits & FLYING or (army[at].traits & SWORD_MASTER and not army[at].wounds)]
    bits = [] if dispelled else [bit for bit in (SWORD, BOW) if any(f.gear & bit for f in army)]
    found: set[tuple[object, ...]] = set()
    for items in chain.from_iterable(combinations(bits, n) for n in range(len(bits) + 1)):
        left = hits - len(items)
        if left < 0 or (items and left >= len(can) + len(twice)):
            continue
        for one in combinations(can, min(left, len(can))):
            for two in combinations(twice, min(max(0, left - len(can)), len(twice))):
                found.add(described(army, one, two, sum(items)))
    return found


def described(army: Army, one: tuple[int, ...], two: tuple[int, ...], items: int) -> tuple[object, ...]:
    counted = Counter((army[at][1:], (at in one) + (at in two)) for at in range(len(army)))
    return items, tuple(sorted(counted.items()))


def of_placing(army: Army, placing: Placing) -> tuple[object, ...]:
    everyone = range(len(army))
    one = tuple(at for at in everyone if placing.once >> at & 1)
    two = tuple(at for at in everyone if placing.twice >> at & 1)
    return described(army, one, two, placing.items)


def some_army(stream: RandomStream) -> Army:
    kinds = (SNAKE, GHOST_1, EAGLE, BEAR, ARCHER, CLAY, MASTER, MASTER._replace(wounds=1), Fighter(0, 9, 2, MAGIC))
    army = [stream.choice(kinds)._replace(tile=at) for at in range(stream.below(6))]
    bearers = [at for at, fighter in enumerate(army) if not fighter.traits & GOLEM]
    for bit in (SWORD, BOW):
        if bearers and stream.below(3) == 0:
            at = stream.choice(bearers)
            army[at] = army[at]._replace(gear=army[at].gear | bit)
    return tuple(army)


def test_k37_k38_every_allowed_assignment_has_exactly_one_path_and_no_other_has_any() -> None:
    stream = RandomStream(seed_from_text("casualties"))
    for _ in range(400):
        army, hits, stage, dispelled = some_army(stream), stream.below(10), stream.choice(STAGES), stream.below(4) == 0
        who = targets(army, stage, dispelled)
        reached = [of_placing(army, placing) for placing in complete(who, begin(who, hits))]
        assert len(reached) == len(set(reached)), (army, hits)
        assert set(reached) == allowed(army, hits, stage, dispelled), (army, hits)


@pytest.mark.parametrize("policy", [cheapest_first, spent_first])
def test_a_policy_places_hits_as_the_rules_allow_k37_k38(policy: Policy) -> None:
    stream = RandomStream(seed_from_text("policies"))
    for _ in range(400):
        army, hits, stage, dispelled = some_army(stream), stream.below(10), stream.choice(STAGES), stream.below(4) == 0
        placing = policy(army, stage, targets(army, stage, dispelled), hits)
        assert of_placing(army, placing) in allowed(army, hits, stage, dispelled)
        assert placing.left == hits - (placing.once.bit_count() + placing.twice.bit_count() + placing.items.bit_count())


def test_forced_stops_only_at_real_choices() -> None:
    stream = RandomStream(seed_from_text("forced"))
    for _ in range(300):
        army, hits = some_army(stream), stream.below(10)
        who = targets(army, HAND_STAGE)
        reached = complete(who, begin(who, hits))
        stopped = forced(who, begin(who, hits))
        if len(reached) == 1:
            assert stopped == reached[0]
        else:
            assert len(recipients(who, stopped)) > 1
        assert complete(who, stopped) == reached


# -- the stated policies


def hit_by(policy: Policy, army: Army, hits: int, stage: int = HAND_STAGE) -> Losses:
    return settle(army, policy(army, stage, targets(army, stage), hits))


def test_cheapest_first_does_what_it_says() -> None:
    assert [worth(f) for f in (BEAR, WILDCAT, Fighter(0, 0, 3, MAGIC), BEAR._replace(gear=SWORD))] == [4, 6, 12, 8]
    army = (WILDCAT, BEAR, EAGLE, MASTER)
    assert hit_by(cheapest_first, army, 1) == Losses((), (), 3, 0)
    assert hit_by(cheapest_first, army, 2) == Losses((), (2,), 3, 0)
    assert hit_by(cheapest_first, army, 3) == Losses((1,), (2,), 3, 0)
    assert hit_by(cheapest_first, army, 4) == Losses((0, 1), (2,), 3, 0)
    assert hit_by(cheapest_first, army, 5) == Losses((0, 1, 2), (), 3, 0)
    assert hit_by(cheapest_first, army, 6) == Losses((0, 1, 2, 3), (), -1, 0)
    armed = (WILDCAT._replace(gear=SWORD | BOW), BEAR)
    assert hit_by(cheapest_first, armed, 1) == Losses((1,), (), -1, 0)
    assert hit_by(cheapest_first, armed, 2) == Losses((1,), (), -1, BOW)
    assert hit_by(cheapest_first, armed, 3) == Losses((1,), (), -1, SWORD | BOW)
    assert hit_by(cheapest_first, armed, 4) == Losses((0, 1), (), -1, 0)


def test_spent_first_sends_the_archers_first_in_the_ranged_stage() -> None:
    army = (BEAR, ARCHER, MASTER)
    assert hit_by(spent_first, army, 2, RANGED_STAGE) == Losses((1,), (), 2, 0)
    assert hit_by(cheapest_first, army, 2, RANGED_STAGE) == Losses((0,), (), 2, 0)
    assert hit_by(spent_first, army, 2, HAND_STAGE) == Losses((0,), (), 2, 0)
