"""The engine's battles against the exact odds (K33 to K39): the chance tree of small ones, samples of large ones."""

from collections import Counter, defaultdict
from fractions import Fraction

import pytest

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.events import EventLog
from muniment.core.game import Chance
from muniment.games.king import King
from muniment.games.king.actions import KingAction
from muniment.games.king.battle import forts_now
from muniment.games.king.casualties import BOW_TAKES, SWORD_TAKES, targets
from muniment.games.king.combat import BOW, SWORD
from muniment.games.king.losses import placing_of
from muniment.games.king.odds import Battle, battle_odds, exact_odds
from muniment.games.king.policy import cheapest_first
from muniment.games.king.state import KingState
from tests.king.scripts import Table
from tests.king.test_war import joined

End = tuple[int, int, bool]


def policy_choice(game: King, s: KingState, seat: int) -> KingAction:
    """What the casualty policy does at a "hit"; anywhere else nobody does anything special."""
    legal = game.legal_actions(s, seat)
    f, b = s.frames[-1], s.battle
    if f.kind != "hit" or b is None:
        return legal[0]
    side = int(f.data[0])
    wanted = cheapest_first(b.sides[side], b.stage, targets(b.sides[side], b.stage), b.hits[side])
    who, placing, recipients = placing_of(s, b, f)
    assert who == targets(b.sides[side], b.stage)
    for at, recipient in enumerate(recipients):
        if recipient in (SWORD_TAKES, BOW_TAKES):
            fits = bool(wanted.items & (SWORD if recipient == SWORD_TAKES else BOW))
        else:
            fits = bool((wanted.twice if placing.step == 2 else wanted.once) >> recipient & 1)
        if fits:
            return legal[at]
    raise AssertionError("the policy's placing has no path")


def fought(log: EventLog, so_far: tuple[int, int]) -> tuple[tuple[int, int], bool | None]:
    """The dead of both seats so far, and whether the land was captured once the battle is over."""
    dead, over = list(so_far), None
    for event in log:
        if event.kind == "losses":
            tiles = event["tiles"]
            assert isinstance(tiles, tuple)
            assert isinstance(event["seat"], int)
            dead[event["seat"]] += len([t for t in tiles if t not in ("magic-sword", "magic-bow")])
        elif event.kind == "battle-over":
            over = bool(event["captured"])
    return (dead[0], dead[1]), over


def tree(game: King, s: KingState, men: tuple[int, int]) -> dict[End, Fraction]:
    """The distribution of the battle's end by the engine's own chance tree."""
    found: dict[End, Fraction] = defaultdict(Fraction)
    todo = [(s.copy(), (0, 0), Fraction(1))]
    while todo:
        now, dead, weight = todo.pop()
        pending = game.pending(now)
        followers = []
        if isinstance(pending, Chance):
            for outcome, chance in game.chance(now).probabilities():
                follower, log = now.copy(), EventLog()
                game.apply_outcome(follower, outcome, log)
                followers.append((follower, log, weight * chance))
        else:
            seat = now.frames[-1].seat
            follower, log = now.copy(), EventLog()
            game.apply(follower, policy_choice(game, now, seat), seat, log)
            followers.append((follower, log, weight))
        for follower, log, share in followers:
            losses, captured = fought(log, dead)
            if captured is None:
                todo.append((follower, losses, share))
            else:
                found[men[0] - losses[0], men[1] - losses[1], captured] += share
    return found


def battle_of(table: Table) -> Battle:
    """The battle that is about to come to its first dice, as the odds see it."""
    b = table.state.battle
    assert b is not None
    terms = table.state.box.terms[table.state.box.land_terrain[b.land]]
    return Battle(b.sides[0], b.sides[1], forts_now(table.state, b), terms, begun=True)


@pytest.mark.parametrize(
    ("attackers", "defenders", "land", "give"),
    [
        ("bear-2", "elves-2", "forest-1", ()),
        ("giant-r4 goblins-1", "ghosts-f1 skeletons-1", "forest-1", ()),
        ("nomads-2", "", "forest-1:1:village", ()),
        ("baron-munchausen", "goblins-1", "forest-1:0:city", ()),
        ("vultures-f1 vultures-f1", "elves-r2", "forest-1", ()),
        ("sword-master goblins-1", "elves-2 elves-r2", "forest-1", ()),
        ("basilisk-m3", "sword-master pixies-f1", "forest-1", ()),
        ("nomads-2 magic-sword", "elves-2", "forest-1", ("bear magic-sword nomads-2",)),
        ("nomads-2 magic-bow", "bear-2", "forest-1", ("bear magic-bow nomads-2", "shoot nomads-2+bow")),
    ],
)
@pytest.mark.parametrize(
    "options", [{}, {"terrain_bonus": True, "royal_influence": True, "neutralised_forts": "silent"}]
)
def test_the_chance_tree_agrees_with_the_exact_odds(
    attackers: str, defenders: str, land: str, give: tuple[str, ...], options: dict[str, object]
) -> None:
    """K33 to K39, K48, K50, K51: every outcome of a small battle has exactly the probability that the odds give it."""
    table = joined(attackers, defenders, land, options=options)
    table.do(*give)
    battle = battle_of(table)
    found = tree(table.game, table.state, (len(battle.attackers), len(battle.defenders)))
    wanted = {tuple(outcome): chance for outcome, chance in exact_odds(battle).chances if chance}
    assert {end: chance for end, chance in found.items() if chance} == wanted
    assert sum(found.values()) == 1


def test_samples_of_a_large_battle_agree_with_the_odds() -> None:
    """K33 to K39: forty dice and more; a chi-square test over 1,500 battles."""
    table = joined(
        "giant-r4 dwarves-r3 black-knight-c4 cyclops-5 troll-4 sand-worm-3 vampire-f4 basilisk-m3",
        "walking-tree-5 walking-tree-5 elves-r3 great-hunter-r4 sir-launcelot buffalo-herd-4 pixies-f1",
        "forest-1:2:city",
    )
    battle = battle_of(table)
    men = (len(battle.attackers), len(battle.defenders))
    dice, counted, games = RandomStream(seed_from_text("large")), Counter[End](), 1500
    for _ in range(games):
        s, dead = table.state.copy(), (0, 0)
        captured: bool | None = None
        while captured is None:
            log = EventLog()
            if isinstance(table.game.pending(s), Chance):
                table.game.apply_outcome(s, table.game.sample(s, dice), log)
            else:
                seat = s.frames[-1].seat
                table.game.apply(s, policy_choice(table.game, s, seat), seat, log)
            dead, captured = fought(log, dead)
        counted[men[0] - dead[0], men[1] - dead[1], captured] += 1
    chances = {tuple(outcome): chance for outcome, chance in battle_odds(battle).chances}
    rest, square, freedom = 1.0, 0.0, 0
    left = games
    for end, chance in chances.items():
        if games * chance >= 8:
            number = counted[end]  # type: ignore[index]
            square += (number - games * chance) ** 2 / (games * chance)
            rest, left, freedom = rest - chance, left - number, freedom + 1
    square += (left - games * rest) ** 2 / (games * rest)
    assert square < freedom + 3.3 * (2 * freedom) ** 0.5
    assert set(counted) <= set(chances)
