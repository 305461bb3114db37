"""Who rolls what, what hits, what forts absorb and when a land falls; each test names its rule or ruling."""

from __future__ import annotations

import pytest

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
    RANGED,
    RANGED_STAGE,
    SHOOTS,
    SIEGE_MASTER,
    SWORD,
    SWORD_MASTER,
    UNROLLED,
    Fighter,
    Forts,
    Terms,
    captures,
    charge_rollers,
    combat_value,
    counting,
    counts,
    fighter_dice,
    fort_dice,
    forts_of,
    hit_threshold,
    lords_among,
    may_choose_to_shoot,
    may_have_gear,
    rolls_in,
    saves,
    siege_hits,
    stage_dice,
    structures_at_stake,
    traits_of,
    undefended,
    volley_done,
)

FOREST, PLAINS = 2, 3
PLAIN = Terms()
WILDCAT = Fighter(1, 1, 3, terrain=FOREST)
BEAR = Fighter(2, 2, 2, terrain=FOREST)
BLACK_KNIGHT = Fighter(3, 3, 4, CHARGE)
ELVES_R = Fighter(4, 4, 3, RANGED | ELF, FOREST)
ELVES = Fighter(5, 5, 2, ELF, FOREST)
ELF_MAGE = Fighter(6, 6, 2, MAGIC | ELF, FOREST)
LORD = Fighter(7, 7, 6, RANGED | ELF_LORD)
DWARVES = Fighter(8, 8, 2, DWARF)
KING = Fighter(9, 9, 5, DWARF_KING)
CLAY = Fighter(10, 10, 9, GOLEM)
BARON = Fighter(11, 11, 4, SIEGE_MASTER)
DUKE = Fighter(12, 12, 4, SIEGE_MASTER)
DRUID = Fighter(13, 13, 3, MAGIC, FOREST)


def test_example_6_forts_and_characters_roll_nine_dice_and_the_fifth_hit_kills() -> None:
    """The rulebook's example 6: city 2, keep 2, Wildcat 3, Bear 2 (K35, K39)."""
    tom = (WILDCAT, BEAR)
    rob = (Fighter(20, 20, 6, RANGED), *(Fighter(n, n, 5) for n in range(21, 24)))
    forts = forts_of(2, 2)
    assert forts == Forts(4, 0)
    assert stage_dice(rob, tom, RANGED_STAGE, PLAIN) == ((6, 6),)
    assert stage_dice(tom, rob, RANGED_STAGE, PLAIN, forts=forts) == ()
    assert stage_dice(rob, tom, HAND_STAGE, PLAIN) == ((15, 6),)
    assert stage_dice(tom, rob, HAND_STAGE, PLAIN, forts=forts) == ((9, 6),)
    for ranged_hits in range(6):  # five hits in all, however they fall on the two stages
        first, through = forts.absorb(ranged_hits)
        second, more = first.absorb(5 - ranged_hits)
        assert second.neutralised
        assert through + more == 1
    assert not captures(rob, (WILDCAT,), Forts(4, 4))


def test_example_6_neutralised_forts_still_roll_unless_the_option_says_silent_k35() -> None:
    silent = Terms(silent_forts=True)
    for absorbed, expected in ((0, 4), (3, 4), (4, 0)):
        assert fort_dice(Forts(4, absorbed), HAND_STAGE, PLAIN) == 4
        assert fort_dice(Forts(4, absorbed), HAND_STAGE, silent) == expected
        assert stage_dice((), (), HAND_STAGE, silent, forts=Forts(4, absorbed)) == (((4, 6),) if expected else ())
    assert fort_dice(Forts(4), RANGED_STAGE, PLAIN) == 0


def test_k35_absorption_is_counted_over_both_stages() -> None:
    assert Forts(4).absorb(3) == (Forts(4, 3), 0)
    assert Forts(4, 3).absorb(3) == (Forts(4, 4), 2)
    assert Forts(4, 4).absorb(2) == (Forts(4, 4), 2)
    assert Forts(0).neutralised
    assert not Forts(1).neutralised
    assert Forts(4, 1).left == 3


def test_k35_k43_a_wall_of_fire_is_part_of_the_forts_until_its_caster_is_dispelled() -> None:
    assert forts_of(3, 1, 5) == Forts(9)
    assert forts_of(3, 1, 5, wall_dispelled=True) == Forts(4)
    after = forts_of(3, 1, 5, wall_dispelled=True, absorbed=6)  # hits already absorbed stay absorbed
    assert after.neutralised
    assert after.left == 0
    assert after.absorb(2) == (after, 2)


@pytest.mark.parametrize(
    ("attackers", "value", "hits"),
    [
        ((BARON,), 0, 0),
        ((BARON,), 1, 1),
        ((DUKE,), 4, 1),
        ((BARON, DUKE), 1, 1),
        ((BARON, DUKE), 2, 2),
        ((BEAR,), 4, 0),
    ],
)
def test_k36_siege_masters_hit_the_forts_before_the_dice(attackers: tuple[Fighter, ...], value: int, hits: int) -> None:
    assert siege_hits(attackers, Forts(value)) == hits


def test_k33_ranged_characters_roll_in_the_ranged_stage_only_everyone_else_hand_to_hand() -> None:
    army = (ELVES_R, WILDCAT, DRUID, CLAY)
    assert stage_dice(army, (), RANGED_STAGE, PLAIN) == ((3, 6),)
    assert stage_dice(army, (), HAND_STAGE, PLAIN) == ((12, 6), (3, 5))
    assert [rolls_in(f, RANGED_STAGE, False) for f in army] == [True, False, False, False]
    assert [rolls_in(f, HAND_STAGE, False) for f in army] == [False, True, True, True]


def test_k34_a_knight_rolls_five_to_ten_dice_with_his_charge() -> None:
    """The Black Knight (value 4) always rolls from 5 to 10 dice; K42: a charmed die adds 0 to 7."""
    assert charge_rollers((BEAR, BLACK_KNIGHT, BLACK_KNIGHT._replace(charge_die=3))) == (1,)
    numbers = [fighter_dice(BLACK_KNIGHT._replace(charge_die=d), HAND_STAGE, PLAIN, False)[0] for d in range(1, 7)]
    assert numbers == [5, 6, 7, 8, 9, 10]
    assert stage_dice((BLACK_KNIGHT._replace(charge_die=6),), (), HAND_STAGE, PLAIN) == ((10, 6),)
    assert stage_dice((BLACK_KNIGHT._replace(charge_die=1),), (), HAND_STAGE, PLAIN) == ((5, 6),)
    assert stage_dice((BLACK_KNIGHT._replace(charge_die=0),), (), HAND_STAGE, PLAIN) == ((4, 6),)
    assert stage_dice((BLACK_KNIGHT._replace(charge_die=7),), (), HAND_STAGE, PLAIN) == ((11, 6),)
    assert stage_dice((BLACK_KNIGHT,), (), HAND_STAGE, PLAIN) == ((4, 6),)
    assert stage_dice((BLACK_KNIGHT._replace(charge_die=6),), (), RANGED_STAGE, PLAIN) == ()
    assert charge_rollers((BLACK_KNIGHT._replace(charge_die=0),)) == ()


def test_k34_a_six_hits_and_magic_ability_hits_on_five() -> None:
    assert hit_threshold(BEAR, HAND_STAGE, False) == 6
    assert hit_threshold(ELVES_R, RANGED_STAGE, False) == 6
    assert hit_threshold(DRUID, HAND_STAGE, False) == 5


@pytest.mark.parametrize("traits", [0, MAGIC, RANGED, CHARGE])
@pytest.mark.parametrize("gear", [0, SWORD, BOW, SWORD | BOW])
@pytest.mark.parametrize("shoots", [NO_SHOT, SHOOTS])
def test_k48_k43_sword_and_bow(traits: int, gear: int, shoots: int) -> None:
    fighter = Fighter(0, 0, 3, traits, gear=gear, shoots=shoots)
    shooting = traits == RANGED or (shoots == SHOOTS and gear & BOW)
    if shooting:
        expected = {0: 6, CHARGE: 6, MAGIC: 5, RANGED: 5 if gear & BOW else 6}[traits]
        assert fighter_dice(fighter, RANGED_STAGE, PLAIN, False) == (3, expected)
        assert fighter_dice(fighter, HAND_STAGE, PLAIN, False)[0] == 0
        assert stage_dice((fighter,), (), RANGED_STAGE, PLAIN) == ((3, expected),)
        assert stage_dice((fighter,), (), HAND_STAGE, PLAIN) == ()
    else:
        expected = 4 if gear & SWORD and traits == MAGIC else 5 if gear & SWORD or traits == MAGIC else 6
        assert fighter_dice(fighter, HAND_STAGE, PLAIN, False) == (3, expected)
        assert stage_dice((fighter,), (), HAND_STAGE, PLAIN) == ((3, expected),)
        assert stage_dice((fighter,), (), RANGED_STAGE, PLAIN) == ()
    # dispelled: the items give nothing and magic ability hits on 6 only
    stage = RANGED_STAGE if traits == RANGED else HAND_STAGE
    assert stage_dice((fighter,), (), stage, PLAIN, dispelled=True) == ((3, 6),)
    assert stage_dice((fighter,), (), 1 - stage, PLAIN, dispelled=True) == ()


def test_k48_a_charge_die_adds_to_the_shooting_dice() -> None:
    knight = BLACK_KNIGHT._replace(gear=BOW, shoots=SHOOTS, charge_die=5)
    assert stage_dice((knight,), (), RANGED_STAGE, PLAIN) == ((9, 6),)
    assert stage_dice((knight,), (), HAND_STAGE, PLAIN) == ()


def test_k48_k44_who_may_choose_to_shoot_and_who_may_bear() -> None:
    assert may_choose_to_shoot(BEAR._replace(gear=BOW), dispelled=False)
    assert may_choose_to_shoot(DRUID._replace(gear=BOW | SWORD), dispelled=False)
    assert not may_choose_to_shoot(BEAR._replace(gear=BOW), dispelled=True)
    assert not may_choose_to_shoot(BEAR._replace(gear=SWORD), dispelled=False)
    assert not may_choose_to_shoot(ELVES_R._replace(gear=BOW), dispelled=False)
    assert may_have_gear(BEAR)
    assert not may_have_gear(CLAY)


def test_k48_who_has_shot_does_not_roll_again_even_without_the_bow_or_dispelled() -> None:
    archer = BEAR._replace(gear=BOW, shoots=SHOOTS)
    (after, other, born) = volley_done((archer, WILDCAT, ELVES_R), dispelled=False)
    assert after.shoots == HAS_SHOT
    assert (other, born) == (WILDCAT, ELVES_R)
    for fighter in (after, after._replace(gear=0)):
        for dispelled in (False, True):
            assert stage_dice((fighter,), (), HAND_STAGE, PLAIN, dispelled) == ()
            assert not rolls_in(fighter, HAND_STAGE, dispelled)


def test_k43_who_was_dispelled_before_shooting_fights_hand_to_hand() -> None:
    archer = BEAR._replace(gear=BOW, shoots=SHOOTS)
    assert stage_dice((archer,), (), RANGED_STAGE, PLAIN, dispelled=True) == ()
    (after,) = volley_done((archer,), dispelled=True)
    assert after.shoots == NO_SHOT
    assert stage_dice((after,), (), HAND_STAGE, PLAIN, dispelled=True) == ((2, 6),)


def test_k43_k44_a_golem_counts_unless_its_side_is_dispelled() -> None:
    assert stage_dice((CLAY, BEAR), (), HAND_STAGE, PLAIN) == ((11, 6),)
    assert stage_dice((CLAY, BEAR), (), HAND_STAGE, PLAIN, dispelled=True) == ((2, 6),)
    assert counts(CLAY, False)
    assert not counts(CLAY, True)
    assert counting((CLAY, BEAR), True) == (BEAR,)
    assert counting((CLAY, BEAR), False) == (CLAY, BEAR)
    assert not rolls_in(CLAY, HAND_STAGE, True)
    assert not rolls_in(CLAY, RANGED_STAGE, False)


def test_k50_royal_influence() -> None:
    terms = Terms(royal_influence=True)
    assert lords_among((LORD, KING, BEAR)) == ELF_LORD | DWARF_KING
    assert combat_value(ELVES, terms, friends=ELF_LORD) == 3
    assert combat_value(ELVES, terms, foes=ELF_LORD) == 1
    assert combat_value(ELF_MAGE, terms, friends=ELF_LORD | DWARF_KING) == 3
    assert combat_value(ELVES, terms, friends=DWARF_KING) == 2
    assert combat_value(DWARVES, terms, friends=DWARF_KING) == 3
    assert combat_value(DWARVES, terms, foes=DWARF_KING | ELF_LORD) == 1
    assert combat_value(LORD, terms, friends=ELF_LORD) == 6
    assert combat_value(BEAR, terms, friends=ELF_LORD | DWARF_KING) == 2
    assert combat_value(BEAR, terms, foes=ELF_LORD | DWARF_KING) == 2
    assert fighter_dice(ELVES, HAND_STAGE, terms, False) == (2, 6)
    assert fighter_dice(ELVES, HAND_STAGE, terms, False, ELF_LORD) == (3, 6)
    assert combat_value(ELVES._replace(value=0), terms, foes=ELF_LORD) == 0
    assert combat_value(ELVES, PLAIN, friends=ELF_LORD) == 2
    assert stage_dice((ELVES, ELF_MAGE), (LORD,), HAND_STAGE, terms) == ((1, 6), (1, 5))
    assert stage_dice((LORD, ELVES_R), (DWARVES,), RANGED_STAGE, terms) == ((10, 6),)
    assert stage_dice((ELVES, ELF_MAGE), (LORD,), HAND_STAGE, PLAIN) == ((2, 6), (2, 5))


def test_k51_terrain_bonus() -> None:
    terms = Terms(FOREST, terrain_bonus=True)
    assert combat_value(BEAR, terms) == 3
    assert combat_value(BEAR, Terms(PLAINS, terrain_bonus=True)) == 2
    assert combat_value(BEAR, Terms(FOREST)) == 2
    assert combat_value(CLAY, Terms(terrain_bonus=True)) == 9
    assert stage_dice((BEAR, WILDCAT, CLAY), (), HAND_STAGE, terms) == ((16, 6),)


def test_k50_k51_together_and_with_a_charge() -> None:
    terms = Terms(FOREST, royal_influence=True, terrain_bonus=True)
    assert combat_value(ELVES, terms, friends=ELF_LORD) == 4
    assert combat_value(ELVES._replace(value=0), terms, foes=ELF_LORD) == 0
    green_knight = Fighter(30, 30, 3, CHARGE, FOREST, charge_die=2)
    assert fighter_dice(green_knight, HAND_STAGE, terms, False) == (6, 6)


def test_k39_capture_needs_no_defender_neutralised_forts_and_a_living_attacker() -> None:
    assert captures((BEAR,), (), Forts())
    assert captures((BEAR,), (), Forts(4, 4))
    assert not captures((BEAR,), (), Forts(4, 3))
    assert not captures((BEAR,), (WILDCAT,), Forts())
    assert not captures((), (), Forts())


def test_k44_k43_a_golem_captures_and_holds_land_while_it_counts() -> None:
    assert captures((CLAY,), (), Forts())
    assert not captures((CLAY,), (), Forts(), attackers_dispelled=True)
    assert not captures((BEAR,), (CLAY,), Forts())
    assert captures((BEAR,), (CLAY,), Forts(), defenders_dispelled=True)


def test_k31_undefended_land_falls_without_dice() -> None:
    assert undefended((), Forts())
    assert not undefended((), Forts(1))
    assert not undefended((BEAR,), Forts())
    assert undefended((CLAY,), Forts(), dispelled=True)


def test_k39_saving_rolls_of_structures() -> None:
    assert structures_at_stake(4, 2, 0) == ("fort", "settlement")
    assert structures_at_stake(0, 0, 4) == ("mine",)
    assert structures_at_stake(0, 0, 0) == ()
    assert [saves(die) for die in range(8)] == [True, False] * 4


def test_traits_of_the_tiles_k34_k36_k37_k44_k50() -> None:
    assert traits_of("Elves", ["R"]) == ELF | RANGED
    assert traits_of("Elf Mage", ["magic"]) == ELF | MAGIC
    assert traits_of("Dwarves", []) == DWARF
    assert traits_of("White Knight", ["C"]) == CHARGE
    assert traits_of("Ghosts", ["flying"]) == FLYING
    assert traits_of("elf_lord", ["R"]) == ELF_LORD | RANGED
    assert traits_of("dwarf_king", []) == DWARF_KING
    assert traits_of("sword_master", []) == SWORD_MASTER
    assert traits_of("golem", []) == GOLEM
    assert traits_of("baron_munchausen", []) == traits_of("grand_duke", []) == SIEGE_MASTER
    assert traits_of("Goblins", []) == 0
    assert UNROLLED < 0
