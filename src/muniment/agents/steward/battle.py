"""In a battle, where all lies open: who bears sword and bow, who shoots, who takes the hits (K32, K37, K38, K48)."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.agents.steward.table import Table
from muniment.games.king.actions import BEAR, HIT, KingAction
from muniment.games.king.casualties import (
    BOW_TAKES,
    SWORD_TAKES,
    Placing,
    Targets,
    recipients,
    resumed,
    targets,
)
from muniment.games.king.combat import BOW, FLYING, SHOOTS, SWORD, SWORD_MASTER, Fighter
from muniment.games.king.forecast import arm
from muniment.games.king.policy import worth
from muniment.games.king.views import BattleView

__all__ = ["bear", "hit", "shoot", "token"]

Army = tuple[Fighter, ...]


def token(t: Table, fighter: Fighter) -> str:
    """A fighter's name in a battle, as actions have it."""
    name = t.box.slug[fighter.tile]
    if fighter.gear:
        name += "+sword" * (fighter.gear & SWORD) + "+bow" * (fighter.gear >> 1 & 1)
    if fighter.charge_die >= 0:
        name += f"@{fighter.charge_die}"
    return name + "!" * bool(fighter.shoots)


def _side(battle: BattleView, side: int) -> Army:
    return battle.defenders if side else battle.attackers


def bear(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """To whom it adds most hits."""
    battle = t.view.battle
    side, item = int(t.frame.data[0]), t.frame.data[1]
    assert battle is not None
    fighters = _side(battle, side)
    gear = SWORD if t.box.tiles_named(str(item))[0] == t.box.sword else BOW
    for before, after in zip(fighters, arm(fighters, gear), strict=True):
        if after.gear != before.gear:
            wanted = BEAR(str(item), token(t, before))
            if wanted in legal:
                return wanted
    return next(action for action in legal if action.word == "bear")


def shoot(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """If it costs no hits: who shoots first may not live to roll later."""
    battle = t.view.battle
    side = int(t.frame.data[0])
    assert battle is not None
    archer = next(fighter for fighter in _side(battle, side) if fighter.gear & BOW)
    wanted = "shoot" if worth(archer._replace(shoots=SHOOTS)) >= worth(archer) else "hold"
    return next(action for action in legal if action.word == wanted)


def _price(t: Table, fighter: Fighter, *, excess: bool) -> float:
    """What a hit on the fighter costs in prestige points."""
    cost = t.lore.cost(t.box.slug[fighter.tile]) + 0.05 * worth(fighter) / 12
    if fighter.traits & SWORD_MASTER and not fighter.wounds and not excess:
        return 0.0
    return cost / 2 if fighter.traits & FLYING else cost


def hit(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """Each hit to whom it costs least; sword and bow only to leave somebody standing where nobody would."""
    battle = t.view.battle
    side = int(t.frame.data[0])
    assert battle is not None
    fighters = _side(battle, side)
    seat = battle.defender if side else battle.attacker
    who = targets(fighters, battle.stage, t.view.dispelled == seat)
    placing = resumed(who, battle.hits[side], [int(recipient) for recipient in t.frame.data[1:]])
    choices = recipients(who, placing)
    at = _next(t, fighters, who, placing, choices)
    name = t.box.slug[t.box.sword] if at == SWORD_TAKES else t.box.slug[t.box.bow] if at == BOW_TAKES else ""
    wanted = HIT(name or token(t, fighters[at]))
    return wanted if wanted in legal else next(action for action in legal if action.word == "hit")


def _next(t: Table, fighters: Army, who: Targets, placing: Placing, choices: tuple[int, ...]) -> int:
    """The recipient of the next hit: the first, in the order of the choices, of those whom it costs least to be hit."""
    items = [at for at in (BOW_TAKES, SWORD_TAKES) if at in choices]
    if items and placing.left >= len(who.first) == len(fighters):
        return items[0]
    excess = placing.step == 2
    rest = (who.excess if excess else who.first)[placing.at :]
    cheapest = sorted(rest, key=lambda at: (_price(t, fighters[at], excess=excess), rest.index(at)))[: placing.left]
    return next((at for at in rest if at in cheapest and at in choices), choices[0])
