"""Prospects: the odds of battles, as far as a view can know them (K2, K32).

In a battle under way all lies open, and the odds are exact but for rounding. Before it, face-down tiles are dealt many
times over as they could lie, and what is told is an expectation, said to be one. Both sides are assumed to take hits
where it costs them least, and nobody to use more magic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Final

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.errors import MunimentError
from muniment.games.king.combat import BOW, HAND_STAGE, NOWHERE, RANGED_STAGE, SWORD, Fighter, Forts, Terms, forts_of
from muniment.games.king.forecast import arm
from muniment.games.king.odds import Battle, battle_odds
from muniment.games.king.redeal import redeal
from muniment.games.king.state import ARMY, FIELD, KingState
from muniment.games.king.views import KingView
from muniment.games.king.war_state import War

__all__ = [
    "Prospect",
    "battle_forts",
    "battle_now",
    "deals_for",
    "land_prospects",
    "mean",
    "prospect",
    "settlement_value",
]

_DEALS: Final = 40
_FEW_DEALS: Final = 12
_MANY_FIGHTERS: Final = 30


@dataclass(frozen=True, slots=True)
class Prospect:
    """capture: the chance that the land falls. attacker_loss, defender_loss: characters expected to die.

    deals: how many ways to fill hidden tiles went into it; 1 if nothing is hidden. error: the standard error.
    """

    capture: float
    attacker_loss: float
    defender_loss: float
    deals: int = 1
    error: float = 0.0

    @property
    def label(self) -> str:
        """What kind of number this is."""
        if self.deals == 1:
            return "odds"
        return f"expectation over {self.deals} deals of hidden tiles"

    @property
    def text(self) -> str:
        """In a few words."""
        about = f" ±{100 * self.error:.0f}" if self.deals > 1 else ""
        return f"capture {self.capture:.0%}{about}, losses {self.attacker_loss:.1f} : {self.defender_loss:.1f}"


def prospect(battle: Battle) -> Prospect:
    """The odds of a battle in which all lies open."""
    # Without which very tile it is, nor what makes no difference, so that the same battle is worked out once.
    gone = {"tile": 0, "kind": 0} if battle.terms.terrain_bonus else {"tile": 0, "kind": 0, "terrain": NOWHERE}
    return _odds(
        battle._replace(
            attackers=tuple(sorted(f._replace(**gone) for f in battle.attackers)),
            defenders=tuple(sorted(f._replace(**gone) for f in battle.defenders)),
            terms=battle.terms if battle.terms.terrain_bonus else battle.terms._replace(terrain=NOWHERE),
        )
    )


@lru_cache(maxsize=2048)
def _odds(battle: Battle) -> Prospect:
    odds = battle_odds(battle)
    return Prospect(odds.capture, odds.attacker_losses, odds.defender_losses)


# -- the battle under way


def battle_forts(view: KingView) -> Forts:
    """The forts of the battle's land as they stand (K35, K46)."""
    b = view.battle
    if b is None or b.fight:
        return Forts()
    box = view.box
    land = next((x for lands in view.lands for x in lands if x.land == b.land), None)
    if land is None:
        return Forts(0, b.absorbed)
    wall = dict(zip(War.__slots__, view.war, strict=True)) if view.war is not None else {}
    burning = wall.get("wall_value", 0) if wall.get("wall_land", -1) == box.land_named[b.land] else 0
    return forts_of(
        land.fort, settlement_value(view, land.improvement), burning,
        wall_dispelled=view.dispelled >= 0 and wall.get("wall_caster", -1) == view.dispelled, absorbed=b.absorbed,
    )  # fmt: skip


def settlement_value(view: KingView, slug: str) -> int:
    """The value in a fight of what stands on a land, a mine's being 0 (K35)."""
    if not slug:
        return 0
    tile = view.box.tiles_named(slug)[0]
    return view.box.value[tile] if tile < view.box.mines else 0


def battle_now(view: KingView) -> Prospect | None:
    """The odds of the battle under way where a stage is about to begin; None in the middle of one."""
    b = view.battle
    if b is None or not b.attackers or b.ended:
        return None
    if b.stage >= 0 and view.stop not in ("stages", "fight-stages"):
        return None
    terms = view.box.terms[view.box.land_terrain[view.box.land_named[b.land]]]
    battle = Battle(
        tuple(b.attackers), tuple(b.defenders), battle_forts(view), terms, view.dispelled == b.attacker,
        view.dispelled == b.defender, b.stage >= 0, HAND_STAGE if b.stage >= 0 else RANGED_STAGE,
    )  # fmt: skip
    return prospect(battle)


# -- battles to come


@lru_cache(maxsize=32)
def land_prospects(view: KingView) -> Mapping[str, Prospect]:
    """The battles of the war still to be fought, by land: as everybody is lined up now."""
    if view.war is None:
        return {}
    war = dict(zip(War.__slots__, view.war, strict=True))
    lands = _attacked(view, war)
    if war["off"] or not lands:
        return {}
    hidden = any(
        place in lands for h in view.hidden for _, place, _ in h.lies if h.seat in (war["attacker"], war["defender"])
    )
    number = deals_for(view) if hidden else 1
    source = RandomStream(seed_from_text("prospects"))
    found: dict[int, list[Prospect]] = {land: [] for land in lands}
    for _ in range(number):
        try:
            state = redeal(view.box, view, source)
        except (MunimentError, ValueError, LookupError, AssertionError):
            return {}
        for land, dealt in found.items():
            dealt.append(_prospect(state, war, land))
    return {view.box.land_slug[land]: mean(dealt) for land, dealt in found.items()}


def deals_for(view: KingView) -> int:
    """How many deals of hidden tiles are worked out: fewer where the armies are large, so that nobody waits long."""
    return _FEW_DEALS if sum(view.army_sizes) > _MANY_FIGHTERS else _DEALS


def _attacked(view: KingView, war: Mapping[str, int]) -> list[int]:
    """The lands with attackers whose battle has not begun, nor is off."""
    zone = FIELD | war["attacker"]
    places = {tile.place for tile in view.tiles if tile.zone == zone}
    places |= {place for h in view.hidden for where, place, _ in h.lies if where == zone}
    box = view.box
    numbers = [box.land_named[land.land] for land in view.lands[war["defender"]]]
    return [land for land in numbers if land in places and not war["fought"] >> land & 1]


def _prospect(s: KingState, war: Mapping[str, int], land: int) -> Prospect:
    box = s.box
    dispelled = [s.dispelled == war["attacker"], s.dispelled == war["defender"]]
    armies: list[tuple[Fighter, ...]] = []
    for side, zone in ((0, FIELD | war["attacker"]), (1, ARMY | war["defender"])):
        there = [tile for tile in range(box.lands) if s.zone[tile] == zone and s.place[tile] == land]
        items = SWORD * (box.sword in there) + BOW * (box.bow in there)
        armies.append(arm(tuple(box.fighter[t] for t in there if box.fights[t]), items, dispelled[side]))
    wall = war["wall_value"] if war["wall_land"] == land else 0
    forts = forts_of(s.fort[land], s.settlement(land), wall, wall_dispelled=war["wall_caster"] == s.dispelled >= 0)
    if not armies[0]:
        return Prospect(0.0, 0.0, 0.0)
    terms: Terms = box.terms[box.land_terrain[land]]
    return prospect(Battle(armies[0], armies[1], forts, terms, dispelled[0], dispelled[1]))


def mean(dealt: Sequence[Prospect]) -> Prospect:
    """What may be expected if each of the deals is as likely."""
    number = len(dealt)
    capture = sum(one.capture for one in dealt) / number
    spread = sum((one.capture - capture) ** 2 for one in dealt) / number
    return Prospect(
        capture,
        sum(one.attacker_loss for one in dealt) / number,
        sum(one.defender_loss for one in dealt) / number,
        number,
        sqrt(spread / number) if number > 1 else 0.0,
    )
