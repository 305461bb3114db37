"""Odds before tiles are revealed: an expectation over what could lie there, said to be one (K2, K32).

What a face-down tile could be is a *pool*: entries with how many of each there are. A deal fills every hidden slot;
all deals of distinct tiles are equally likely (the prior of a re-deal). Where few battles can come of it they are
all worked out; otherwise a sample of stated size is, and the result carries its standard error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from typing import Final

from muniment.core.chance import Source
from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.errors import MunimentError
from muniment.games.king.combat import (
    BOW,
    DWARF,
    DWARF_KING,
    ELF,
    ELF_LORD,
    NO_SHOT,
    NOWHERE,
    RANGED,
    SHOOTS,
    SWORD,
    Fighter,
    may_have_gear,
)
from muniment.games.king.odds import Battle, Odds, Outcome, battle_odds
from muniment.games.king.policy import Policy, cheapest_first, worth

__all__ = ["Entry", "Forecast", "Pool", "arm", "forecast"]

Army = tuple[Fighter, ...]
Entry = Fighter | int
"""What a face-down tile can be: a character; ``SWORD`` or ``BOW``; or 0, a tile that has no part in a battle."""
Pool = tuple[tuple[Entry, int], ...]
"""The possible tiles of one hidden slot, with the number of each.

Entries that are equal in everything, in whatever pool, are one stock: who holds one of them leaves one less for
the others. Give the fighters their ``tile`` to tell every single tile apart."""

_MOST_DEALS: Final = 20_000
_ROYAL: Final = ELF | DWARF | ELF_LORD | DWARF_KING
_Deal = tuple[tuple[Entry, ...], tuple[Entry, ...]]


@dataclass(frozen=True, slots=True)
class Forecast:
    """What may be expected of a battle in which tiles are still hidden. Every number is an expectation.

    chances: the probability of every outcome, over dice and deals. attacker_losses, defender_losses: the expected
    number of characters killed. deals: how many deals went into it. exact: whether these are all there are, such
    as differ in nothing but which of equal tiles lies where being one. error: the standard error of ``capture``,
    0 if exact.
    """

    chances: tuple[tuple[Outcome, float], ...]
    attacker_losses: float
    defender_losses: float
    deals: int
    exact: bool
    error: float

    @property
    def capture(self) -> float:
        """The expected chance that the land is captured (K39)."""
        return sum([chance for outcome, chance in self.chances if outcome.captured])

    @property
    def attackers_wiped_out(self) -> float:
        """The expected chance that no attacking character is left."""
        return sum([chance for outcome, chance in self.chances if not outcome.attackers])

    @property
    def defenders_wiped_out(self) -> float:
        """The expected chance that no defending character is left."""
        return sum([chance for outcome, chance in self.chances if not outcome.defenders])

    @property
    def label(self) -> str:
        """What kind of number this is, for people."""
        if not self.exact:
            return f"expectation, estimated from {self.deals} sampled deals, ± {100 * self.error:.1f} points"
        if self.deals == 1:
            return "exact"
        return f"expectation over all {self.deals:,} ways to fill the hidden tiles"


def arm(fighters: Army, items: int, dispelled: bool = False) -> Army:
    """The army with the items (``SWORD``, ``BOW``, added up) borne where they add most hits to those expected (K48).

    Its owner may choose otherwise; this is what an odds display or a simple player assumes. A bow without gain still
    goes to the fighter who would roll most dice with it, since who shoots first may not live to roll later. Nobody
    to bear it, or a dispell (K43): the items stay idle.
    """
    bearers = [at for at, fighter in enumerate(fighters) if may_have_gear(fighter)]
    if not items or not bearers or dispelled:
        return fighters
    choices = [
        {at: gear for at, gear in ((sword, SWORD), (bow, BOW)) if gear & items}
        if sword != bow
        else {sword: items & (SWORD | BOW)}
        for sword in (bearers if items & SWORD else [-1])
        for bow in (bearers if items & BOW else [-1])
    ]
    best = max(choices, key=lambda choice: _gain(fighters, choice))
    return tuple([_equip(f, best[at])[0] if at in best else f for at, f in enumerate(fighters)])


def _gain(fighters: Army, choice: dict[int, int]) -> tuple[int, int]:
    gains = [_equip(fighters[at], gear) for at, gear in choice.items()]
    gained = sum([hits - worth(fighters[at]) for at, (_, hits) in zip(choice, gains, strict=True)])
    return gained, sum([hits for _, hits in gains])


def _equip(fighter: Fighter, gear: int) -> tuple[Fighter, int]:
    """The fighter with more gear, shooting if that costs him nothing, and twelve times his expected hits then."""
    armed = fighter._replace(gear=fighter.gear | gear, shoots=NO_SHOT)
    hits = worth(armed)
    if armed.gear & BOW and not fighter.traits & RANGED:
        archer = armed._replace(shoots=SHOOTS)
        if worth(archer) >= hits:
            return archer, worth(archer)
    return armed, hits


def forecast(
    battle: Battle,
    hidden_attackers: Sequence[Pool] = (),
    hidden_defenders: Sequence[Pool] = (),
    *,
    attackers: Policy = cheapest_first,
    defenders: Policy = cheapest_first,
    limit: int = 200,
    samples: int = 100,
    source: Source | None = None,
) -> Forecast:
    """What may be expected of a battle, given a pool for every hidden slot of either side.

    The battle holds the tiles that are known. Items dealt to a side are borne as in ``arm``. limit: how many different
    battles are worked out one by one; if more can come of the deals, ``samples`` deals are drawn from the source
    (a fixed one unless given, so that the same question has the same answer). Policies are as in ``battle_odds``;
    they see fighters without what makes no difference in this battle.

    Raises MunimentError if the pools cannot fill the slots.
    """
    slots = [*((0, pool) for pool in hidden_attackers), *((1, pool) for pool in hidden_defenders)]
    groups = Counter(slots)
    bound = 1
    for (_, pool), number in groups.items():
        bound *= comb(len(pool) + number - 1, number)
    draws: list[tuple[Battle, int]] = []
    if bound <= _MOST_DEALS:
        draws = [(_dealt(battle, deal), weight) for deal, weight in _every_deal(list(groups.items()), Counter())]
    exact = bound <= _MOST_DEALS and len({possible for possible, _ in draws}) <= limit
    if not exact:
        chosen = source or RandomStream(seed_from_text("forecast"))
        draws = [(_dealt(battle, deal), weight) for deal, weight in (_any_deal(slots, chosen) for _ in range(samples))]
    total = sum([weight for _, weight in draws])
    if not total:
        raise MunimentError("the hidden tiles cannot all be filled from their pools")
    known: dict[Battle, Odds[float]] = {}
    chances: dict[Outcome, float] = {}
    losses = [0.0, 0.0]
    captures: list[tuple[float, float]] = []
    for possible, weight in draws:
        if possible not in known:
            known[possible] = battle_odds(possible, attackers, defenders)
        odds, share = known[possible], weight / total
        for outcome, chance in odds.chances:
            chances[outcome] = chances.get(outcome, 0.0) + share * chance
        losses[0] += share * odds.attacker_losses
        losses[1] += share * odds.defender_losses
        captures.append((share, odds.capture))
    mean = sum([share * capture for share, capture in captures])
    error = 0.0 if exact else sqrt(sum([(share * (capture - mean)) ** 2 for share, capture in captures]))
    return Forecast(tuple(sorted(chances.items())), losses[0], losses[1], len(draws), exact, error)


def _every_deal(groups: list[tuple[tuple[int, Pool], int]], used: Counter[Entry]) -> Iterator[tuple[_Deal, int]]:
    """Every way to fill the slots, those with the same pool as one lot, with the number of ways to draw it."""
    if not groups:
        yield ((), ()), 1
        return
    ((side, pool), number), *others = groups
    for lot, ways in _every_lot(pool, 0, number, used):
        used.update(lot)
        for deal, more in _every_deal(others, used):
            yield ((lot + deal[0], deal[1]) if side == 0 else (deal[0], lot + deal[1])), ways * more
        used.subtract(lot)


def _every_lot(pool: Pool, at: int, number: int, used: Counter[Entry]) -> Iterator[tuple[tuple[Entry, ...], int]]:
    if not number:
        yield (), 1
        return
    if at == len(pool):
        return
    entry, stock = pool[at]
    there = max(0, stock - used[entry])
    for taken in range(min(there, number) + 1):
        for lot, ways in _every_lot(pool, at + 1, number - taken, used):
            yield (entry,) * taken + lot, comb(there, taken) * ways


def _any_deal(slots: Sequence[tuple[int, Pool]], source: Source) -> tuple[_Deal, int]:
    """One deal, drawn slot by slot, with the weight that makes every deal count alike; 0 if it came to a dead end."""
    used: Counter[Entry] = Counter()
    sides: tuple[list[Entry], list[Entry]] = [], []
    weight = 1
    for side, pool in slots:
        there = [max(0, stock - used[entry]) for entry, stock in pool]
        total = sum(there)
        weight *= total
        if not total:
            break
        rest = source.below(total)
        for (entry, _), number in zip(pool, there, strict=True):
            rest -= number
            if rest < 0:
                used[entry] += 1
                sides[side].append(entry)
                break
    return (tuple(sides[0]), tuple(sides[1])), weight


def _dealt(battle: Battle, deal: _Deal) -> Battle:
    """The battle with the hidden tiles filled in, without what makes no difference in it."""
    terms = battle.terms
    armies: list[Army] = []
    for known, dealt, dispelled in (
        (battle.attackers, deal[0], battle.attackers_dispelled),
        (battle.defenders, deal[1], battle.defenders_dispelled),
    ):
        items = 0
        army: list[Fighter] = list(known)
        for entry in dealt:
            if isinstance(entry, Fighter):
                army.append(entry)
            else:
                items |= entry
        plain = [
            fighter._replace(
                tile=0,
                kind=0,
                terrain=fighter.terrain if terms.terrain_bonus and fighter.terrain == terms.terrain else NOWHERE,
                traits=fighter.traits if terms.royal_influence else fighter.traits & ~_ROYAL,
            )
            for fighter in army
        ]
        armies.append(arm(tuple(sorted(plain)), items, dispelled))
    return battle._replace(attackers=armies[0], defenders=armies[1])
