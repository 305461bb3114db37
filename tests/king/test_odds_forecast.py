"""Odds while tiles are hidden: exact expectations, samples of stated size, and who bears sword and bow (K2, K48)."""

from __future__ import annotations

from itertools import permutations

import pytest

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.errors import MunimentError
from muniment.games.king.combat import BOW, CHARGE, FLYING, GOLEM, MAGIC, NO_SHOT, RANGED, SHOOTS, SWORD, Fighter, Forts
from muniment.games.king.forecast import Pool, arm, forecast
from muniment.games.king.odds import Battle, battle_odds
from muniment.games.king.policy import spent_first

F = Fighter
BEAR, FARMER, GHOST, DRUID = F(0, 1, 2), F(0, 2, 1), F(0, 3, 1, FLYING), F(0, 4, 3, MAGIC)
ARCHER, KNIGHT, CLAY = F(0, 5, 3, RANGED), F(0, 6, 3, CHARGE), F(0, 7, 9, GOLEM)
ARMY = (F(0, 20, 4), F(0, 21, 3, RANGED))
POOL: Pool = ((BEAR, 1), (FARMER, 3), (GHOST, 2), (SWORD, 1), (0, 1))


def by_hand(pool: Pool, slots: int) -> tuple[float, float, float]:
    """The mean over every order in which so many single tiles of the pool can lie there."""
    tiles = [entry for entry, number in pool for _ in range(number)]
    seen = []
    for deal in permutations(tiles, slots):
        army = tuple(entry for entry in deal if isinstance(entry, Fighter))
        items = sum(entry for entry in deal if not isinstance(entry, Fighter))
        odds = battle_odds(Battle(ARMY, arm(tuple(sorted(army)), items), Forts(1)))
        seen.append((odds.capture, odds.attacker_losses, odds.defender_losses))
    captures, ours, theirs = zip(*seen, strict=True)
    return sum(captures) / len(seen), sum(ours) / len(seen), sum(theirs) / len(seen)


@pytest.mark.parametrize("slots", [1, 2, 3])
def test_a_forecast_is_the_mean_over_all_deals(slots: int) -> None:
    told = forecast(Battle(ARMY, (), Forts(1)), (), [POOL] * slots)
    assert told.exact
    assert told.error == 0
    assert "expectation over all" in told.label
    expected = by_hand(POOL, slots)
    assert told.capture == pytest.approx(expected[0], abs=1e-12)
    assert told.attacker_losses == pytest.approx(expected[1], abs=1e-12)
    assert told.defender_losses == pytest.approx(expected[2], abs=1e-12)
    assert sum(chance for _, chance in told.chances) == pytest.approx(1, abs=1e-12)


def test_without_hidden_tiles_a_forecast_is_the_odds() -> None:
    battle = Battle(ARMY, (BEAR, GHOST), Forts(2))
    told, odds = forecast(battle), battle_odds(battle)
    assert told.label == "exact"
    assert told.capture == odds.capture
    assert told.attackers_wiped_out == odds.attackers_wiped_out
    assert told.defenders_wiped_out == odds.defenders_wiped_out
    policies = forecast(battle, attackers=spent_first, defenders=spent_first)
    assert policies.capture == battle_odds(battle, spent_first, spent_first).capture


def test_slots_with_different_pools_share_the_tiles_they_have_in_common() -> None:
    """Two slots, one sure to be the only Bear: the other cannot be a Bear."""
    told = forecast(Battle(ARMY, ()), (), [((BEAR, 1),), ((BEAR, 1), (FARMER, 1))])
    assert told.capture == pytest.approx(battle_odds(Battle(ARMY, (BEAR, FARMER))).capture, abs=1e-12)
    sampled = forecast(Battle(ARMY, ()), (), [((BEAR, 1),), ((BEAR, 1), (FARMER, 1))], limit=0)
    assert sampled.capture == pytest.approx(told.capture, abs=1e-12)
    both = forecast(Battle((), ()), [((ARCHER, 1),)], [((ARCHER, 1), (BEAR, 1))])
    assert both.capture == pytest.approx(battle_odds(Battle((ARCHER,), (BEAR,))).capture, abs=1e-12)


def test_a_sampled_forecast_says_so_and_is_near_the_exact_one() -> None:
    battle = Battle(ARMY, (), Forts(1))
    pools = [POOL, POOL, ((FARMER, 3), (DRUID, 2))]
    exact = forecast(battle, (), pools)
    told = forecast(battle, (), pools, limit=0, samples=400)
    assert exact.exact
    assert not told.exact
    assert told.deals == 400
    assert 0 < told.error < 0.02
    assert "400 sampled deals" in told.label
    assert abs(told.capture - exact.capture) < 4 * told.error
    assert told.capture == forecast(battle, (), pools, limit=0, samples=400).capture
    other = forecast(battle, (), pools, limit=0, samples=400, source=RandomStream(seed_from_text("other")))
    assert other.capture != told.capture


def test_pools_that_cannot_fill_the_slots_are_refused() -> None:
    for limit in (0, 400):
        with pytest.raises(MunimentError, match="cannot all be filled"):
            forecast(Battle(ARMY, ()), (), [((BEAR, 1),), ((BEAR, 1),)], limit=limit)


def test_arm_gives_the_sword_where_it_adds_most_k48() -> None:
    assert [f.gear for f in arm((FARMER, BEAR, ARCHER), SWORD)] == [0, SWORD, 0]
    assert [f.gear for f in arm((BEAR, KNIGHT), SWORD)] == [0, SWORD]
    assert arm((CLAY,), SWORD) == (CLAY,)
    assert arm((), SWORD | BOW) == ()
    assert arm((BEAR,), SWORD, dispelled=True) == (BEAR,)
    assert arm((BEAR,), 0) == (BEAR,)


def test_arm_gives_the_bow_to_an_archer_or_lets_somebody_shoot_k48() -> None:
    army = arm((BEAR, ARCHER), BOW)
    assert [(f.gear, f.shoots) for f in army] == [(0, NO_SHOT), (BOW, NO_SHOT)]
    army = arm((FARMER, DRUID), BOW)
    assert [(f.gear, f.shoots) for f in army] == [(0, NO_SHOT), (BOW, SHOOTS)]
    army = arm((BEAR, ARCHER), SWORD | BOW)
    assert [f.gear for f in army] == [SWORD, BOW]
    (both,) = arm((BEAR,), SWORD | BOW)
    assert (both.gear, both.shoots) == (SWORD | BOW, NO_SHOT)
