"""What cannot be on the table (K2, K3, K8, K17, K18): every violation of a position is named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from muniment.games.king.magic import ITEMS, STOPS
from muniment.games.king.state import ARMY, ASIDE, CALLED, FIELD, NO_TILE, NOWHERE, ON_LAND, OWNERS, RESERVE, KingState
from muniment.games.king.steps import CHANCES, CHOICES, FLOWS
from muniment.games.king.tiles import FORT_NAMES, MOUNTAIN
from muniment.games.king.volley import dice_agree

__all__ = ["Faults", "violations"]


_BEFORE_LANDS = ("deal-out", "start-lands", "start-land")
"""Frames of the set-up that still have to give somebody land."""

_DRAWN_LAND = ("for-sale", "auction", "bid", "fight", "owners-known", "commit", "fight-over")
"""Frames that hold a land which has been drawn."""


_WORDS = {"ask": STOPS, "stops": STOPS, "stop": STOPS, "magic": ITEMS}
"""What the first of the data can be where it is a word."""


class Faults:
    """The violations found so far, each a sentence, in the order found."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, sentence: str) -> None:
        """One more, unless it is known already."""
        if sentence not in self.found:
            self.found.append(sentence)

    def integer(self, value: object, name: str, low: int, high: int) -> int:
        """A whole number from low to high; the nearest one where it is not."""
        if type(value) is not int:
            self.add(f"{name} must be a whole number, not {value!r}")
            return low
        if not low <= value <= high:
            self.add(f"{name} must be from {low} to {high}, not {value}")
        return min(max(value, low), high)

    def keys(self, value: Mapping[str, object], known: Iterable[str], where: str) -> None:
        """Nothing but the known keys."""
        for key in value:
            if key not in known:
                self.add(f"{where}: {key!r} is not known here")


def violations(s: KingState, faults: Faults) -> None:
    """Add everything that cannot be."""
    _bank(s, faults)
    for seat in range(s.seats):
        _player(s, seat, faults)
    if not s.order(0):
        faults.add("nobody is in the game")
    if s.turn and not s.phase:
        faults.add("phase 0 is the set-up, before the first turn")
    _land(s, faults)
    _aside(s, faults)
    _sent(s, faults)
    _over(s, faults)
    _war(s, faults)
    _battle(s, faults)
    if not faults.found:
        _frames(s, faults)


def _bank(s: KingState, faults: Faults) -> None:
    for level in range(1, 5):
        if s.bank[level] < 0:
            faults.add(f"there are more {FORT_NAMES[level]} tiles on the table than the game has")


def _player(s: KingState, seat: int, faults: Faults) -> None:
    box, who = s.box, f"player {seat}"
    lands = s.lands[seat]
    if sum(s.fort[land] == 4 for land in lands) > 1:
        faults.add(f"{who} has two Gran Muniments")
    terrains = s.terrains(seat)
    w = s.war
    for tile in s.army[seat]:
        name = box.slug[tile]
        if tile == box.golem:
            if w is None or seat not in (w.attacker, w.defender):
                faults.add(f"{who}: the golem is in an army only during a war")
        elif not (box.fights[tile] or tile in (box.sword, box.bow)):
            faults.add(f"{who}: {name} cannot be in an army")
        elif box.bit[tile] & 31 & ~terrains and (w is None or seat != w.defender):
            faults.add(f"{who}: {name} is in the army without its terrain")
    if not s.alive(seat):
        if lands or s.hand[seat] or s.army[seat] or s.gold[seat]:
            faults.add(f"{who} is out, and yet has something")
    elif not lands and w is None and not any(f.kind in _BEFORE_LANDS for f in s.frames):
        faults.add(f"{who} has no land, and is not out")


def _land(s: KingState, faults: Faults) -> None:
    box = s.box
    for land in range(box.land_count):
        tile = s.imp[land]
        if tile != NO_TILE and tile >= box.mines and box.land_terrain[land] != MOUNTAIN:
            faults.add(f"{box.land_slug[land]}: a mine stands on mountain only")
        if s.owner(land) < 0 and (s.fort[land] or tile != NO_TILE):
            faults.add(f"{box.land_slug[land]} is nobody's, and yet something stands on it")
    for tile in range(box.deck):
        if s.zone[tile] == ON_LAND and s.imp[s.place[tile]] != tile:
            faults.add(f"{box.slug[tile]} stands on a land that has something else")
        if s.zone[tile] == ASIDE and tile not in (box.dispell, box.wall, box.golem):
            faults.add(f"{box.slug[tile]} cannot lie in the middle of the table")
    if box.dispell >= 0 and (s.zone[box.dispell] == ASIDE) < (s.dispelled >= 0):
        faults.add("somebody is dispelled without the scroll")
    if box.dispell >= 0 and (s.zone[box.dispell] == ASIDE) > (s.dispelled >= 0):
        faults.add("the scroll lies on the table, and nobody is dispelled")
    if s.dispelled >= s.seats:
        faults.add("there is no such player to be dispelled")


def _aside(s: KingState, faults: Faults) -> None:
    """What lies in the middle of the table must have a frame, or a war, after which it returns (K23, K44, K46)."""
    box = s.box
    for tile in (box.wall, box.golem):
        if tile >= 0 and s.zone[tile] == ASIDE and s.war is None:
            faults.add(f"{box.slug[tile]} lies on the table only during a war")
    kinds = {f.kind for f in s.frames}
    for tile in range(box.lands, box.size):
        if s.zone[tile] != ASIDE:
            continue
        if tile < box.instructions:
            name, land = box.land_slug[tile - box.lands], tile - box.lands
            back = any(f.kind in _DRAWN_LAND and land in f.data[:2] for f in s.frames)
        else:
            name = box.slug[tile]
            back = bool(kinds & {"land-tile", "start-land", "start-lands", "instructions-return"}) or any(
                f.kind == "instruction-returns" and f.data[0] == tile for f in s.frames
            )
        if not back:
            faults.add(f"{name} lies on the table, and nothing brings it back")


def _sent(s: KingState, faults: Faults) -> None:
    """Only tiles of armies can be in the field or among the dead, and those in the field have their terrain."""
    box, w = s.box, s.war
    for tile in (*s.field, *s.dead):
        seat, name = s.zone[tile] & 7, box.slug[tile]
        if not (box.fights[tile] or tile in (box.sword, box.bow)):
            faults.add(f"{name} cannot be sent out")
        elif s.zone[tile] == FIELD | seat and box.bit[tile] & 31 & ~s.terrains(seat):
            faults.add(f"{name} is in the field without its terrain")
        elif s.zone[tile] == FIELD | seat and tile == box.golem and w is None:
            faults.add(f"{name} is in the field only during a war")


def _over(s: KingState, faults: Faults) -> None:
    if s.over is not None:
        reason, winners = s.over
        if reason not in ("king", "last", "nobody", "turn-limit"):
            faults.add(f"no game ends by {reason!r}")
        if not winners or any(type(seat) is not int or not 0 <= seat < s.seats for seat in winners):
            faults.add("a game that is over has winners among the seats")
        if not s.frames or s.frames[-1].kind != "over":
            faults.add("a game that is over has the frame over on top")
    elif s.frames and s.frames[-1].kind == "over":
        faults.add("the frame over is on top of a game that is not")


def _war(s: KingState, faults: Faults) -> None:
    box, w, b = s.box, s.war, s.battle
    if w is None and (b is None or not b.fight) and (s.field or s.dead):
        faults.add("tiles are in the field, or dead, without a war or a fight")
    if w is None:
        for tile, place in enumerate(s.place):
            if place not in (NOWHERE, CALLED) and s.zone[tile] != ON_LAND:
                faults.add(f"{box.slug[tile]} is lined up without a war")
        return
    if w.attacker == w.defender or not s.alive(w.attacker) or not s.alive(w.defender):
        faults.add("a war is between two players who are in the game")
        return
    for tile, place in enumerate(s.place):
        if place == NOWHERE or s.zone[tile] == ON_LAND:
            continue
        if s.zone[tile] not in (FIELD | w.attacker, ARMY | w.defender):
            faults.add(f"{box.slug[tile]} is lined up, but is in neither army of the war")
        elif place == RESERVE and not box.may_reserve[tile]:
            faults.add(f"{box.slug[tile]} cannot be in reserve")
        elif place < box.land_count and s.owner(place) not in (w.defender, w.attacker):
            faults.add(f"{box.slug[tile]} is lined up at a land that is not the defender's")


def _battle(s: KingState, faults: Faults) -> None:
    box, b, w = s.box, s.battle, s.war
    if b is None:
        return
    if not b.fight and w is None:
        faults.add("a battle without a war")
        return
    zones = (FIELD | b.attacker, OWNERS if b.fight else ARMY | b.defender)
    seen: set[int] = set()
    for side, zone in zip(b.sides, zones, strict=True):
        for fighter in side:
            tile = fighter.tile
            if tile in seen or not box.fights[tile] or s.zone[tile] != zone:
                faults.add(f"{box.slug[tile]} cannot fight in this battle")
            elif not b.fight and s.place[tile] != b.land:
                faults.add(f"{box.slug[tile]} fights in a battle at which it is not lined up")
            seen.add(tile)
            if fighter.wounds and tile != box.sword_master:
                faults.add(f"{box.slug[tile]} cannot be wounded and live")


def _frames(s: KingState, faults: Faults) -> None:
    """The topmost decision must be one that can be made, a chance one that can come."""
    if not s.frames:
        faults.add("there is nothing to be done: frames are missing")
        return
    f = s.frames[-1]
    if f.kind in CHOICES and f.seat < 0:
        faults.add(f"the decision {f.kind} needs a seat")
        return
    if s.over is not None:
        return
    for frame in s.frames:
        if frame.kind in _WORDS and str(frame.data[0]) not in _WORDS[frame.kind]:
            faults.add(f"the frame {frame.kind} knows no {frame.data[0]!r}")
        if frame.kind == "phase" and frame.data[0] not in (1, 2, 3, 4):
            faults.add(f"there is no phase {frame.data[0]!r}")
    if faults.found:
        return
    kinds = [frame.kind for frame in s.frames]
    if kinds[0] not in ("turn", "turn-end"):
        faults.add("the first of the frames, the last thing to be done, must be turn or turn-end")
    if s.war is not None and "homecoming" not in kinds and "war-over" not in kinds:
        faults.add("a war ends with the frame homecoming")
    if s.battle is not None and ("fight-over" if s.battle.fight else "battle-over") not in kinds:
        faults.add("a battle ends with the frame battle-over, a fight with fight-over")
    if f.kind == "stop" and kinds[-2:-1] != ["stops"]:
        faults.add("a stop lies on the frame stops")
    if f.kind in FLOWS:
        return
    try:
        if f.kind in CHOICES:
            possible = bool(CHOICES[f.kind].legal(s, f))
        elif f.kind == "volley-dice" and not dice_agree(s, f):
            possible = False
        else:
            possible = f.kind in CHANCES and bool(CHANCES[f.kind].node(s, f).outcomes)
    except (AssertionError, IndexError, KeyError, StopIteration, TypeError, ValueError):
        possible = False
    if not possible:
        faults.add(f"the frame {f.kind} cannot be the next thing here")
