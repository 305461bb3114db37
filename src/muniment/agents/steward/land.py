"""Phase 3: what a land is worth, for sale, at an auction, in a fight; tiles bought from the deck (K24 to K27)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from muniment.agents.steward.force import NOBODY, clash
from muniment.agents.steward.home import WAR_CHEST
from muniment.agents.steward.table import GRAN, Table
from muniment.games.king.actions import BID, KingAction
from muniment.games.king.build import LEVEL_COST
from muniment.games.king.forecast import forecast
from muniment.games.king.odds import Battle
from muniment.games.king.purchase import PRICES
from muniment.games.king.turn import VICTORY_PRESTIGE

__all__ = ["bid", "commit", "for_sale", "land_worth", "purchase", "squad"]

_ANY_TERRAIN: Final = 31
_DEALS: Final = 8  # sampled for a forecast
_LEAST_GAIN: Final = 0.05


def land_worth(t: Table, land: int) -> int:
    """The gold that a land is worth to the steward: a point is 10 gold, and income comes with it.

    Less while a level of the Gran Muniment would have to wait for it.
    """
    worth = 12
    if not t.terrains(t.me) >> t.box.land_terrain[land] & 1:
        worth += 1
    if t.best_fort(t.me) < GRAN:
        spare = t.gold + t.view.income[t.me] - LEVEL_COST
        worth = min(worth, max(7, spare))
    return worth


def for_sale(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """Bought, unless it costs more than it is worth."""
    land, price = int(t.frame.data[0]), int(t.frame.data[1])
    return t.box.buy if t.box.buy in legal and price <= land_worth(t, land) else t.box.passing


def bid(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """One more than the highest bid, as long as the land is worth it, or would make another king."""
    drawer, land, high, bidder = (int(d) for d in t.frame.data[:4])
    wanted = BID(high + 1)
    taker = bidder if bidder >= 0 else drawer
    worth = t.gold if taker != t.me and _would_win(t, taker, high) else land_worth(t, land)
    return wanted if high + 1 <= worth and wanted in legal else t.box.passing


def _would_win(t: Table, seat: int, price: int) -> bool:
    """Whether a land for this price would make an opponent king."""
    gold = t.view.gold[seat]
    after = t.view.prestige[seat] + 1 - gold // 10 + (gold - price) // 10
    return t.best_fort(seat) == GRAN and after >= VICTORY_PRESTIGE


def squad(t: Table) -> tuple[str, ...]:
    """Who fights for a land: as many of the strongest as pay, or nobody.

    A quick approximation proposes a number; a forecast over what the owners could be decides among it and its like.
    """
    land = int(t.frame.data[0])
    army = [tile.tile for tile in t.tiles_of(t.me)]
    order = sorted(army, key=lambda slug: (-t.force(slug, land).hits + 0.5 * t.lore.is_special(slug), slug))
    order = [slug for slug in order if t.lore.fights(slug)]
    number = t.view.owner_characters
    prize = 0.11 * land_worth(t, land)
    owners = t.lore.average(_ANY_TERRAIN).times(number)
    best, size = 0.0, 0
    force = NOBODY
    for at, slug in enumerate(order, 1):
        force = force.plus(t.force(slug, land))
        odds = clash(force, owners)
        value = prize * odds.capture - force.cost * odds.attacker_loss
        if value > best + 0.02:
            best, size = value, at
    if not size:
        return ()
    chosen: tuple[float, int] = (_LEAST_GAIN, 0)
    for at in sorted({max(1, size - 1), size, min(len(order), size + 2)}):
        chosen = max(chosen, (_fight_value(t, order[:at], land, number, prize), at))
    return tuple(order[: chosen[1]])


def _fight_value(t: Table, squad: Sequence[str], land: int, owners: int, prize: float) -> float:
    """What a fight promises, over a few samples of what the owners could be."""
    box = t.box
    fighters = tuple([t.lore.fighter(slug) for slug in squad])
    battle = Battle(fighters, (), terms=box.terms[box.land_terrain[land]])
    odds = forecast(battle, (), [t.lore.pool] * owners, limit=_DEALS, samples=_DEALS)
    cost = sum([t.lore.cost(slug) for slug in squad])
    return prize * odds.capture - cost * odds.attacker_losses / len(squad)


def commit(t: Table, legal: Sequence[KingAction], squad: Sequence[str]) -> KingAction:
    """The next of the squad, with sword and bow; or nobody."""
    picked = Counter(str(slug) for slug in t.frame.data[2:])
    if not squad:
        return t.box.decline
    wanted = Counter(squad)
    wanted.subtract(picked)
    for action in legal:
        if action.word == "commit" and (wanted[str(action.args[0])] > 0 or not t.lore.fights(str(action.args[0]))):
            return action
    return t.box.done


def purchase(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """Two tiles as a rule; fewer where the next level of the Gran Muniment needs the gold, more from plenty."""
    gold = t.gold
    keep = WAR_CHEST
    if t.best_fort(t.me) < GRAN:
        keep = max(keep, LEVEL_COST - t.view.income[t.me])
    number = 0
    for count in (1, 2):
        if gold - PRICES[count] >= keep:
            number = count
    wanted = t.box.purchase[number]
    while wanted not in legal:
        number -= 1
        wanted = t.box.purchase[number]
    return wanted
