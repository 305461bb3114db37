"""What the evaluation measures of each seat, in one fixed order (``FEATURES``).

All of it is what a player could note down at the table: public things, and the tiles of hands and armies. A player who
does not see all of these asks about states re-dealt from its view (``Game.redeal``), which hold guesses in place of
what is hidden; the weights were learned on such states.

A character's *hits* are the hits expected of all its dice, its *toughness* is the number of hits that it takes. Seats
that are out of the game are not measured.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Final

from muniment.games.king.box import Box
from muniment.games.king.combat import FLYING, SWORD_MASTER
from muniment.games.king.policy import worth
from muniment.games.king.state import ARMY, FIELD, NO_TILE, KingState
from muniment.games.king.tiles import MOUNTAIN
from muniment.games.king.turn import VICTORY_PRESTIGE
from muniment.games.king.war_state import Battle, War

__all__ = ["FEATURES", "FEATURE_VERSION", "Measures"]

FEATURE_VERSION: Final = 1
"""Raised whenever a feature is added, taken away or measured differently: weights of another version do not fit."""

FEATURES: Final = (
    # holdings
    "prestige",  # points (K11)
    "lands",
    "forts",  # the levels of all fortifications
    "greatest fort",  # 0 to 4
    "second fort",
    "settlements",  # their values
    "mines",  # their values
    "bare lands",  # without settlement or mine
    "terrains",  # 0 to 5
    # money, in tens of gold
    "gold",
    "treasures",  # in the hand
    "income to come",  # if it is still to be collected this turn
    # army, at home and in the field
    "nobles",  # special characters
    "tiles",
    "hits",
    "root of hits",
    "toughness",
    "arms",  # sword and bow, in army or hand
    "Dwarf King",
    "thief",
    "assassin",
    # hand
    "recruits",  # hits of characters that may enter the army once it musters
    "strangers",  # hits of characters whose terrain is missing
    "settlements in hand",  # their values
    "mines in hand",  # their values, with a mountain to place them on
    "idle mines",  # without one
    "magic",  # items other than sword and bow
    # time
    "building to come",  # whether phase 1 of this turn is still to come (1), under way (½) or over (0)
    "event to come",  # the same of phases 2 to 4
    "tiles to come",
    "war to come",
    "seats before",  # in the next turn
    "builds",  # levels to a Gran Muniment that cannot be built this turn
    "turns to win",  # by prestige and levels, if nobody interferes
    "close",  # falls from 1 with the turns to win
    "closer",  # the same, faster
    "prestige close",  # the same for prestige alone
    "fort close",  # the same for the Gran Muniment alone
    "prestige at limit",  # prestige, the more the nearer the turn limit is (K60)
    # the war under way
    "attacks",
    "is attacked",
    "worth at stake",  # the worth that the defender is expected to lose
    "worth in reach",  # the worth that the attacker is expected to capture
    "fort at stake",  # the level of the defender's greatest fort, times the chance of its fall
    "tiles at stake",  # toughness that either side is expected to lose
)

_PACE: Final = 1.7  # prestige that a turn brings beside the income, about
_PLACED: Final = 200  # places from here on are no lands


class Measures:
    """Measures positions of one edition; options change none of the features but the turn limit's."""

    def __init__(self, box: Box) -> None:
        self._box = box
        tiles = range(box.lands)
        fights, fighter = box.fights, box.fighter
        self._hits = tuple([worth(fighter[t]) / 12 if fights[t] else 0.0 for t in tiles])
        self._tough = tuple([_toughness(fighter[t].traits) if fights[t] else 0.0 for t in tiles])

    def of(self, s: KingState) -> list[list[float]]:
        """The features of every seat, in the order of ``FEATURES``; an empty list for a seat that is out."""
        war = self._war(s, s.war) if s.war is not None and not s.war.off else None
        return [[] if s.out >> seat & 1 else self._seat(s, seat, war) for seat in range(s.seats)]

    def _seat(self, s: KingState, seat: int, war: dict[int, list[float]] | None) -> list[float]:
        box, zone, hits, tough = self._box, s.zone, self._hits, self._tough
        value, lands = box.value, s.lands[seat]
        # holdings
        first = second = forts = settlements = mines = bare = 0
        fort, imp, first_mine = s.fort, s.imp, box.mines
        for land in lands:
            level, tile = fort[land], imp[land]
            forts += level
            if level > first:
                first, second = level, first
            elif level > second:
                second = level
            if tile == NO_TILE:
                bare += 1
            elif tile < first_mine:
                settlements += value[tile]
            else:
                mines += value[tile]
        # army
        army = s.army[seat]
        if s.field:
            mine = FIELD | seat
            army = army + [tile for tile in s.field if zone[tile] == mine]
        strength = sum([hits[tile] for tile in army])
        # hand
        recruits = strangers = 0.0
        hand_settlements = hand_mines = treasures = magic = arms = 0
        bit, soil = box.bit, s.soil[seat]
        for tile in s.hand[seat]:
            if tile < box.settlements:
                if bit[tile] & soil:
                    recruits += hits[tile]
                else:
                    strangers += hits[tile]
            elif tile < first_mine:
                hand_settlements += value[tile]
            elif tile < box.treasures:
                hand_mines += value[tile]
            elif tile < box.magic:
                treasures += value[tile]
            elif bit[tile]:
                arms += 1
            else:
                magic += 1
        homes = (ARMY | seat, FIELD | seat)
        arms += (box.sword >= 0 and zone[box.sword] in homes) + (box.bow >= 0 and zone[box.bow] in homes)
        mountain = soil >> MOUNTAIN & 1
        # time
        seats, gold = s.seats, s.gold[seat]
        prestige = s.worth[seat] + gold // 10 + s.nobles[seat]
        income = s.income(seat)
        turn = (seat - s.first) % seats
        acting = (s.acting - s.first) % seats
        now = 1.0 if turn > acting else 0.5 if turn == acting else 0.0
        phase = s.phase if s.turn else 0
        to_come = [1.0 if phase < part else now if phase == part else 0.0 for part in (1, 2, 3, 4)]
        building = to_come[0]
        builds = 4 - first
        if building == 1.0 or (building and any(fort[n] == first and not s.built >> n & 1 for n in lands)):
            builds = max(0, builds - 1)
        missing = VICTORY_PRESTIGE - prestige - treasures / 10
        by_prestige = missing / (_PACE + income / 10) if missing > 0 else 0.0
        by_fort = builds + 1.0 - building
        turns = max(by_prestige, by_fort)
        limit = box.turn_limit
        return [
            prestige, len(lands), forts, first, second,
            settlements, mines, bare, soil.bit_count(),
            gold / 10, treasures / 10, income * building / 10,
            s.nobles[seat], len(army), strength, sqrt(strength), sum([tough[tile] for tile in army]), arms,
            box.dwarf_king >= 0 and zone[box.dwarf_king] in homes, box.thief >= 0 and zone[box.thief] in homes,
            box.assassin >= 0 and zone[box.assassin] in homes,
            recruits, strangers, hand_settlements, hand_mines * mountain, hand_mines * (1 - mountain), magic,
            *to_come, (turn - 1) % seats, builds, turns, exp(-turns / 4), exp(-turns / 1.5), exp(-by_prestige / 1.5),
            exp(-by_fort / 1.5), 0.0 if limit is None else prestige / (1 + max(0, limit - s.turn)),
            *(_PEACE if war is None or seat not in war else war[seat]),
        ]  # fmt: skip

    # -- the war under way

    def _war(self, s: KingState, w: War) -> dict[int, list[float]]:
        """The last features for the attacker and the defender: over all battles that are lined up and not decided."""
        box, fort, imp = self._box, s.fort, s.imp
        places: dict[int, list[int]] = {}
        for tile in s.field:
            place = s.place[tile]
            if place < _PLACED:
                places.setdefault(place, []).append(tile)
        lands = s.lands[w.defender]
        greatest = max([fort[land] for land in lands], default=0)
        lost = captured = fallen = dead = killed = 0.0
        for land, attackers in places.items():
            b = s.battle if s.battle is not None and s.battle.land == land else None
            if land not in lands or (w.fought >> land & 1 and (b is None or b.ended)):
                continue
            defenders = [tile for tile in s.army[w.defender] if s.place[tile] == land]
            falls, a_dead, d_dead = self._battle(s, w, b, land, attackers, defenders)
            tile = imp[land]
            at_stake = 1 + fort[land] + (box.value[tile] if tile != NO_TILE else 0)
            lost += falls * at_stake
            captured += falls * (1 + at_stake) / 2  # each structure is saved on an even die (K39)
            fallen += falls * greatest if fort[land] == greatest else 0.0
            dead += a_dead
            killed += d_dead
        return {w.attacker: [1, 0, 0.0, captured, 0.0, dead], w.defender: [0, 1, lost, 0.0, fallen, killed]}

    def _battle(
        self, s: KingState, w: War, b: Battle | None, land: int, attackers: list[int], defenders: list[int]
    ) -> tuple[float, float, float]:
        """About the chance that the land falls, and the toughness that attacker and defender lose."""
        forts = s.fort[land] + s.settlement(land) + (w.wall_value if w.wall_land == land else 0)
        shield = forts if b is None else max(0, forts - b.absorbed)
        mine, theirs = self._dice(attackers, b), self._dice(defenders, b) + forts / 6
        if b is not None and b.rolled & 1:
            mine = b.hits[1]
        if b is not None and b.rolled & 2:
            theirs = b.hits[0]
        a_tough = sum([self._tough[tile] for tile in attackers])
        d_tough = sum([self._tough[tile] for tile in defenders])
        falls = _at_least(mine, shield + d_tough - 0.5) * (1 - _at_least(theirs, a_tough)) if a_tough else 0.0
        return falls, min(theirs, a_tough), min(max(0.0, mine - shield), d_tough)

    def _dice(self, tiles: list[int], b: Battle | None) -> float:
        """The hits that are still expected: after the ranged stage those who shot roll no more (K33)."""
        if b is None or b.stage != 1:
            return sum([self._hits[tile] for tile in tiles])
        ranged = self._box.ranged
        return sum([self._hits[tile] for tile in tiles if not ranged[tile]])


_PEACE: Final = (0, 0, 0.0, 0.0, 0.0, 0.0)


def _toughness(traits: int) -> float:
    """The hits that a character takes: half of those on flyers are saved (K37)."""
    return 1.5 if traits & FLYING else 2.0 if traits & SWORD_MASTER else 1.0


def _at_least(expected: float, needed: float) -> float:
    """About the chance of so many hits or more where so many are expected."""
    if needed <= 0:
        return 1.0
    if expected <= 0:
        return 0.0
    return 1 / (1 + exp(min(30.0, 1.7 * (needed - expected) / sqrt(expected))))
