"""Thief and assassin, and what others offer in trade (K41, K53)."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.agents.steward.table import GRAN, Table
from muniment.games.king.actions import ASK_GOLD, GIVE_GOLD, KingAction
from muniment.games.king.state import ARMY
from muniment.games.king.trade import ASK_LAND, GIVE_LAND, GIVE_TILE
from muniment.games.king.turn import VICTORY_PRESTIGE

__all__ = ["deal", "deed", "offer"]

_HIGHER = 15 / 36
_CAUGHT = 6 / 36 * 21 / 36
_STOLEN = 35 / 36  # gold, on average
_POINT = 1.2


def deed(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """Against whom it hurts most, if that is worth the risk of losing him."""
    assassin = int(t.frame.data[0])
    doer = t.box.slug[t.box.assassin if assassin else t.box.thief]
    risk = _CAUGHT * t.lore.cost(doer)
    best, found = 0.0, t.box.passing
    for action in legal:
        if action.word not in ("rob", "kill"):
            continue
        victim = int(action.args[0])
        value = (_murder(t, victim) if assassin else _theft(t, victim)) - risk
        if value > best:
            best, found = value, action
    return found


def _theft(t: Table, victim: int) -> float:
    """Gold is a tenth of a point to either side; more where it makes the difference now."""
    value = 0.1 * _STOLEN * (1 + t.menace(victim))
    view = t.view
    if view.prestige[victim] in (VICTORY_PRESTIGE - 1, VICTORY_PRESTIGE) and view.gold[victim] % 10 < 3:
        value += 0.1
    if t.best_fort(t.me) == GRAN and view.prestige[t.me] == VICTORY_PRESTIGE - 1 and view.gold[t.me] % 10 >= 7:
        value += 1.0
    return value


def _murder(t: Table, victim: int) -> float:
    size = t.view.army_sizes[victim]
    if not size:
        return 0.0
    open_tiles = [tile for tile in t.view.tiles if tile.zone == ARMY | victim]
    cost = sum(t.lore.cost(tile.tile) for tile in open_tiles)
    cost += t.unknown(victim).cost * (size - len(open_tiles))
    return _HIGHER * cost / size * (0.2 + t.menace(victim))


def offer(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """The steward offers nothing."""
    plain = (t.box.done, GIVE_GOLD(0), ASK_GOLD(0))
    return next(action for action in legal if action in plain)


def deal(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """Accepted only if it gives clearly more than it takes, and does not bring the other near victory."""
    partner = int(t.frame.data[0])
    gives, asks = int(t.frame.data[2]), int(t.frame.data[3])
    gain, price, helps = 0.1 * gives, 0.1 * asks, 0.1 * asks
    grans = False
    for code in t.frame.data[4:]:
        if isinstance(code, str):
            what, slug = code.split()
            if int(what) == GIVE_TILE:
                gain += _tile_worth(t, slug)
            else:
                price += t.lore.cost(slug)
                helps += 1
        else:
            what_number, land = divmod(code, 1000)
            worth = _POINT * (1 + t.structures(land)) if land in t.fort else 0.0
            if what_number == GIVE_LAND:
                gain += worth
            elif what_number == ASK_LAND:
                price += worth
                helps += 1 + t.structures(land)
                grans = grans or t.fort[land] >= GRAN - 1
    near = t.view.prestige[partner] + helps >= VICTORY_PRESTIGE - 4 or t.turns_to_win(partner) <= 1
    good = gain >= 1.5 * price + 0.3 and not grans and (not helps or not near) and len(t.lands(t.me)) > 2
    return t.box.accept if good and t.box.accept in legal else t.box.decline


def _tile_worth(t: Table, slug: str) -> float:
    tile = t.box.tiles_named(slug)[0]
    if t.box.fights[tile]:
        usable = tile >= t.box.deck or t.box.bit[tile] & t.terrains(t.me)
        return t.lore.cost(slug) * (0.9 if usable else 0.2)
    if tile < t.box.treasures:
        return 0.9 * t.box.value[tile]
    return t.box.value[tile] / 10 if tile < t.box.magic else 0.5
