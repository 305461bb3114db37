"""Battle arithmetic: who rolls how many dice, what hits, what forts absorb, when a land falls (K31 to K51).

Pure functions over small tuples. A ``Fighter`` is one character as it stands in one battle; an army is a
tuple of them, the living ones only. How hits are laid on an army is next door, in ``casualties``; the odds
of a battle in ``odds``.

A stage is ``RANGED_STAGE`` or ``HAND_STAGE`` (K33). Dice come in groups ``(number of dice, threshold)``: a
die of the group hits if it shows the threshold or more (K34), a charmed 7 included and a charmed 0 not
(K42).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

__all__ = [
    "BOW",
    "CHARGE",
    "DWARF",
    "DWARF_KING",
    "ELF",
    "ELF_LORD",
    "FLYING",
    "GOLEM",
    "HAND_STAGE",
    "HAS_SHOT",
    "MAGIC",
    "NOWHERE",
    "NO_SHOT",
    "RANGED",
    "RANGED_STAGE",
    "SHOOTS",
    "SIEGE_MASTER",
    "STAGES",
    "SWORD",
    "SWORD_MASTER",
    "UNROLLED",
    "Dice",
    "Fighter",
    "Forts",
    "Terms",
    "captures",
    "charge_rollers",
    "combat_value",
    "counting",
    "counts",
    "fighter_dice",
    "fort_dice",
    "forts_of",
    "hit_threshold",
    "lords_among",
    "may_choose_to_shoot",
    "may_have_gear",
    "rolls_in",
    "saves",
    "siege_hits",
    "stage_dice",
    "structures_at_stake",
    "traits_of",
    "undefended",
    "volley_done",
]

# -- stages

RANGED_STAGE: Final = 0
HAND_STAGE: Final = 1
STAGES: Final = (RANGED_STAGE, HAND_STAGE)

# -- traits of a fighter, one bit each

RANGED: Final = 1  # R: rolls in the ranged stage only (K33)
CHARGE: Final = 2  # C: a charge die is added (K34)
MAGIC: Final = 4  # the star: hits on 5 and 6 (K34)
FLYING: Final = 8  # a saving roll when hit once in a stage (K37)
ELF: Final = 16  # follows the Elf Lord (K50)
DWARF: Final = 32  # follows the Dwarf King (K50)
ELF_LORD: Final = 64
DWARF_KING: Final = 128
SWORD_MASTER: Final = 256  # dies of the second hit (K37)
SIEGE_MASTER: Final = 512  # Baron Munchausen, the Grand Duke (K36)
GOLEM: Final = 1024  # takes no ranged hits, bears nothing (K44)

# -- gear a fighter bears, one bit each (K48)

SWORD: Final = 1
BOW: Final = 2

# -- whether the bearer of a bow shoots with it (K48)

NO_SHOT: Final = 0
SHOOTS: Final = 1  # has chosen to shoot in the ranged stage of this battle
HAS_SHOT: Final = 2  # has done so: no other roll in this battle, whatever becomes of the bow

UNROLLED: Final = -1  # of a charge die
NOWHERE: Final = -1  # the terrain of those that have none: special characters, golem

Dice = tuple[tuple[int, int], ...]
"""Groups of dice: (number of dice, lowest result that hits), a group a threshold, 6 before 5 before 4."""


class Fighter(NamedTuple):
    """A character in one battle.

    tile: the owner's name for this very tile, not interpreted here. kind: equal for tiles that nobody needs
    to tell apart; fighters that differ in ``tile`` only are interchangeable. value: the printed combat
    value. traits: ``RANGED``, ``CHARGE``... added up. terrain: as the owner of the tiles numbers terrains,
    or ``NOWHERE``. gear: ``SWORD`` and ``BOW`` borne, added up. shoots: ``NO_SHOT``, ``SHOOTS``,
    ``HAS_SHOT``. charge_die: the result, 0 to 7 with the charm, or ``UNROLLED``. wounds: hits the Sword
    Master has survived.
    """

    tile: int
    kind: int
    value: int
    traits: int = 0
    terrain: int = NOWHERE
    gear: int = 0
    shoots: int = NO_SHOT
    charge_die: int = UNROLLED
    wounds: int = 0


class Terms(NamedTuple):
    """What holds for every fighter of a battle: the terrain of the land, and the options in force."""

    terrain: int = NOWHERE
    royal_influence: bool = False  # K50
    terrain_bonus: bool = False  # K51
    silent_forts: bool = False  # K35, option neutralised_forts = "silent"


class Forts(NamedTuple):
    """The forts of a land as one: their combined value, and the hits absorbed in this battle (K35)."""

    value: int = 0
    absorbed: int = 0

    @property
    def left(self) -> int:
        """The hits they still absorb."""
        return self.value - self.absorbed if self.value > self.absorbed else 0

    @property
    def neutralised(self) -> bool:
        """Whether they absorb nothing more; where no fort stands this is true."""
        return self.absorbed >= self.value

    def absorb(self, hits: int) -> tuple[Forts, int]:
        """The forts after these hits, and the hits that go on to the characters (K35, K37)."""
        taken = min(hits, self.left)
        return Forts(self.value, self.absorbed + taken), hits - taken


_ABILITIES: Final = {"R": RANGED, "C": CHARGE, "magic": MAGIC, "flying": FLYING}
_NAMES: Final = {
    "Elves": ELF,
    "Elf Mage": ELF,
    "Dwarves": DWARF,
    "elf_lord": ELF_LORD,
    "dwarf_king": DWARF_KING,
    "sword_master": SWORD_MASTER,
    "baron_munchausen": SIEGE_MASTER,
    "grand_duke": SIEGE_MASTER,
    "golem": GOLEM,
}


def traits_of(name: str, abilities: Iterable[str]) -> int:
    """The traits of a tile of the edition file, by name and abilities (K34, K36, K37, K44, K50)."""
    traits = _NAMES.get(name, 0)
    for ability in abilities:
        traits |= _ABILITIES[ability]
    return traits


# -- who is there


def counts(fighter: Fighter, dispelled: bool) -> bool:
    """Whether the fighter counts at all: a golem does not while the side it joined is dispelled (K43)."""
    return not (dispelled and fighter.traits & GOLEM)


def counting(fighters: tuple[Fighter, ...], dispelled: bool) -> tuple[Fighter, ...]:
    """The fighters of a side that count (K43)."""
    if not dispelled:
        return fighters
    return tuple([fighter for fighter in fighters if not fighter.traits & GOLEM])


def lords_among(fighters: tuple[Fighter, ...]) -> int:
    """``ELF_LORD`` and ``DWARF_KING``, added up, as far as they are alive and there (K50)."""
    lords = 0
    for fighter in fighters:
        lords |= fighter.traits
    return lords & (ELF_LORD | DWARF_KING)


# -- gear and stages


def may_have_gear(fighter: Fighter) -> bool:
    """Whether the fighter may be given a magic sword or bow; one may have both (K44, K48)."""
    return not fighter.traits & GOLEM


def may_choose_to_shoot(fighter: Fighter, dispelled: bool) -> bool:
    """Whether the fighter has the choice of the bow: any bearer without ranged weapons (K48, K43)."""
    return bool(fighter.gear & BOW) and not dispelled and not fighter.traits & RANGED


def rolls_in(fighter: Fighter, stage: int, dispelled: bool) -> bool:
    """Whether the fighter rolls his dice in this stage (K33, K48); dispelled, a bow gives nothing (K43)."""
    if not counts(fighter, dispelled) or (fighter.shoots == HAS_SHOT and not fighter.traits & RANGED):
        return False
    shooting = fighter.traits & RANGED or (fighter.shoots == SHOOTS and fighter.gear & BOW and not dispelled)
    return bool(shooting) == (stage == RANGED_STAGE)


def volley_done(fighters: tuple[Fighter, ...], dispelled: bool) -> tuple[Fighter, ...]:
    """The same fighters after the dice of the ranged stage: who shot with a bow has shot (K48).

    To be called once the ranged dice are rolled, before losses: afterwards neither the bow's loss nor a
    dispell gives the archer a second roll. One who was dispelled before he could shoot fights hand to hand.
    """
    if SHOOTS not in [fighter.shoots for fighter in fighters]:
        return fighters
    done = tuple([f._replace(shoots=NO_SHOT if dispelled else HAS_SHOT) for f in fighters])
    return tuple([new if old.shoots == SHOOTS else old for old, new in zip(fighters, done, strict=True)])


# -- dice


def charge_rollers(fighters: tuple[Fighter, ...]) -> tuple[int, ...]:
    """The positions of those who roll a charge die before the stages, in order (K32, K34)."""
    return tuple([at for at, f in enumerate(fighters) if f.traits & CHARGE and f.charge_die == UNROLLED])


def combat_value(fighter: Fighter, terms: Terms, friends: int = 0, foes: int = 0) -> int:
    """The combat value in this land: royal influence (K50), terrain bonus (K51), never below 0.

    friends, foes: ``lords_among`` the fighter's own side and the other. The charge die is not part of it.
    """
    value = fighter.value
    if terms.terrain_bonus and fighter.terrain == terms.terrain and fighter.terrain != NOWHERE:
        value += 1
    if terms.royal_influence and fighter.traits & (ELF | DWARF):
        lord = ELF_LORD if fighter.traits & ELF else DWARF_KING
        value += bool(friends & lord) - bool(foes & lord)
    return max(0, value)


def hit_threshold(fighter: Fighter, stage: int, dispelled: bool) -> int:
    """The lowest die with which the fighter hits, if he rolls in this stage (K34, K43, K48)."""
    if dispelled:
        return 6
    threshold = 5 if fighter.traits & MAGIC else 6
    if stage == HAND_STAGE:
        return threshold - 1 if fighter.gear & SWORD else threshold
    return 5 if fighter.gear & BOW and fighter.traits & RANGED else threshold


def fighter_dice(
    fighter: Fighter, stage: int, terms: Terms, dispelled: bool, friends: int = 0, foes: int = 0
) -> tuple[int, int]:
    """One fighter's dice in a stage: (number, threshold); number 0 if he does not roll (K33, K34).

    A charge die that has not been rolled adds nothing yet.
    """
    threshold = hit_threshold(fighter, stage, dispelled)
    if not rolls_in(fighter, stage, dispelled):
        return 0, threshold
    return combat_value(fighter, terms, friends, foes) + max(0, fighter.charge_die), threshold


def stage_dice(
    fighters: tuple[Fighter, ...],
    foes: tuple[Fighter, ...],
    stage: int,
    terms: Terms,
    dispelled: bool = False,
    forts: Forts | None = None,
) -> Dice:
    """The dice a side rolls in a stage, grouped by threshold; empty if none (K33 to K35, K43, K48, K50, K51).

    forts: the defender's, as they stand when the stage begins; None for an attacker, who has none.
    """
    friend_lords = foe_lords = 0
    if terms.royal_influence:
        friend_lords, foe_lords = lords_among(fighters), lords_among(foes)
    ranged = RANGED if stage == RANGED_STAGE else 0
    printed = not (terms.royal_influence or terms.terrain_bonus)
    on6 = 0 if forts is None else fort_dice(forts, stage, terms)
    on5 = on4 = 0
    for fighter in fighters:
        if fighter.gear or fighter.shoots or dispelled:
            number, threshold = fighter_dice(fighter, stage, terms, dispelled, friend_lords, foe_lords)
        else:  # the common case, without calls
            traits = fighter.traits
            if traits & RANGED != ranged:
                continue
            threshold = 5 if traits & MAGIC else 6
            number = fighter.value if printed else combat_value(fighter, terms, friend_lords, foe_lords)
            if fighter.charge_die > 0:
                number += fighter.charge_die
        if threshold == 6:
            on6 += number
        elif threshold == 5:
            on5 += number
        else:
            on4 += number
    return tuple([group for group in ((on6, 6), (on5, 5), (on4, 4)) if group[0]])


# -- forts


def forts_of(
    fortification: int, settlement: int, wall: int = 0, *, wall_dispelled: bool = False, absorbed: int = 0
) -> Forts:
    """The forts of a land from the values of what stands there; 0 for what does not (K35).

    A wall of fire is part of them, unless its caster is dispelled; what was absorbed stays absorbed, so that
    hits which a wall took before it stopped counting still count against the rest (K43). Mines have no part
    in it.
    """
    return Forts(fortification + settlement + (0 if wall_dispelled else wall), absorbed)


def fort_dice(forts: Forts, stage: int, terms: Terms) -> int:
    """The number of dice the forts roll, each hitting on a 6: hand to hand only, their whole value (K35).

    With ``terms.silent_forts`` those neutralised before the stage are silent.
    """
    if stage == RANGED_STAGE or (terms.silent_forts and forts.neutralised):
        return 0
    return forts.value


def siege_hits(attackers: tuple[Fighter, ...], forts: Forts) -> int:
    """The hits on the forts before any dice: one a siege master attacking, at most the forts' value (K36)."""
    masters = 0
    for fighter in attackers:
        if fighter.traits & SIEGE_MASTER:
            masters += 1
    return min(masters, forts.value)


# -- saving rolls and capture


def saves(die: int) -> bool:
    """Whether a saving roll succeeds: an even die (K37, K39); a charmed 0 is even, a 7 odd (K42)."""
    return die % 2 == 0


def undefended(defenders: tuple[Fighter, ...], forts: Forts, dispelled: bool = False) -> bool:
    """Whether the land is captured without combat dice: no defending character and no fort (K31)."""
    return forts.value == 0 and not counting(defenders, dispelled)


def captures(
    attackers: tuple[Fighter, ...],
    defenders: tuple[Fighter, ...],
    forts: Forts,
    attackers_dispelled: bool = False,
    defenders_dispelled: bool = False,
) -> bool:
    """Whether the attackers capture the land, given who is alive after the battle (K39, K44, K43).

    No defending character left, the forts neutralised, at least one attacking character; a golem that counts
    is one.
    """
    return (
        not counting(defenders, defenders_dispelled)
        and forts.neutralised
        and bool(counting(attackers, attackers_dispelled))
    )


def structures_at_stake(fortification: int, settlement: int, mine: int) -> tuple[str, ...]:
    """The structures of a captured land that need a saving roll each, in the order rolled (K39).

    The arguments are the values of what stands there, 0 for nothing. A wall of fire is no structure.
    """
    found = (("fort", fortification), ("settlement", settlement), ("mine", mine))
    return tuple([name for name, value in found if value])
