"""Whole trees of single turns: all that can come of them is counted, and its probabilities sum to exactly 1.

Counts are pinned as chess engines pin theirs (perft). Those marked "by hand" were counted on paper first.
"""

from collections.abc import Hashable
from fractions import Fraction

import pytest

from muniment.core.explore import best_value, frontier
from muniment.core.game import Chance, Decision
from muniment.games.siege.state import ACTIONS_STEP, DRAW, LINE_CHECK, OVER, SiegeState
from tests.siege.positions import Play, at, before_card, last_turn, with_options

IN = "close combat"


def turn_begins(state: SiegeState) -> bool:
    return state.step in (DRAW, LINE_CHECK)


TURNS: list[tuple[str, Play, int, int, int]] = [
    # By hand. One AP bought, one left; two units in close combat must be fought. Whichever is fought: it is driven back
    # (2 ends, by unit), or it stays with morale 4 or 3, the die being 2 to 4 or 1: both lose at once when the turn
    # ends. Decisions: 1 to fight, 4 to end. Dice: 1 for each of the 2 units.
    ("must fight", at(ladders=IN, siege_tower=IN, points=1, extra_used=True), 4, 5, 2),
    # By hand. Ladders on 2, two AP, one AP bought already, tracks full. After 0, 1 or 2 hits the ladders stand on 2, 3
    # or start. On 2: soldiers in the castle, in the near tunnel (1 AP) or in the enemy lines (2 AP). On 3: castle or
    # near tunnel. On start: castle. 3 + 2 + 1 = 6 ends.
    # Decisions: 1 with two AP; 3 with one (nothing done that shows, a hit, entered); 7 with none (ladders 2: castle,
    # near, castle again and lines by fast movement; 3: castle, near; start: castle). Dice: where archers are legal, 4.
    ("ladders on 2", at(ladders=2, extra_used=True), 6, 11, 4),
    # By hand. Bad Weather, soldiers with two supplies in the enemy lines, one trebuchet, nothing bought any more, one
    # AP: end at once (trebuchet 1), or sabotage: hit (0), miss (1, the same end) or captured. 3 ends.
    # Decisions: 1, and 3 more with no AP left. Dice: 1.
    ("bad weather", at(day=2, card=3, soldiers="enemy lines", raided=2, trebuchets=1, points=1, extra_used=True),
     3, 4, 1),
    ("first turn", before_card(1, more=[2, 3, 4, 5, 6, 7]), 589, 1300, 1347),
    ("single trebuchet", before_card(1, day=3, trebuchets=1, wall=1, soldiers="far tunnel", raided=1), 378, 546, 407),
    ("turn of 15.0", before_card(2, day=2, more=[1, 3, 4, 5], soldiers="enemy lines", trebuchets=2, wall=2,
                                 battering_ram=3, siege_tower=3), 1532, 2486, 3490),
    ("last turn", last_turn(day=3, card=7, ladders=IN, battering_ram=1, siege_tower=1, wall=2, morale=1, supplies=1),
     1757, 1731, 3362),
    ("all driven back", at(with_options(close_combat_drives_back="all"), day=3, card=6, ladders=IN, siege_tower=IN,
                           battering_ram=1, soldiers="near tunnel", raided=1, supplies=2), 453, 1631, 2356),
]  # fmt: skip
IDS = [turn[0] for turn in TURNS]


@pytest.mark.parametrize(("name", "play", "ends", "decisions", "chances"), TURNS, ids=IDS)
def test_the_number_of_ends_of_a_turn(name: str, play: Play, ends: int, decisions: int, chances: int) -> None:
    """4.0, 9.0: distinct positions at the beginning of the next turn or the end of the game, and nodes on the way."""
    found = frontier(play.game, play.state, turn_begins)
    position = play.game.state_to_json(play.state)
    assert (len(found.ends), found.decisions, found.chances) == (ends, decisions, chances), f"{name}: {position}"


def distribution(play: Play) -> dict[Hashable, Fraction]:
    """The exact probability of every end of the turn for a player who chooses uniformly."""
    found: dict[Hashable, Fraction] = {}
    states: dict[Hashable, SiegeState] = {play.state.key(): play.state}
    chances: dict[Hashable, Fraction] = {play.state.key(): Fraction(1)}
    while chances:  # a turn has no cycles; states with the same key that meet again are just gone through again
        key = next(iter(chances))
        chance, state = chances.pop(key), states[key]
        if state.step == OVER or (state is not play.state and turn_begins(state)):
            found[key] = found.get(key, Fraction(0)) + chance
            continue
        followers = []
        if state.step == ACTIONS_STEP:
            legal = play.game.legal_actions(state)
            for action in legal:
                follower = state.copy()
                play.game.apply(follower, action)
                followers.append((follower, Fraction(1, len(legal))))
        else:
            for outcome, probability in play.game.chance(state).probabilities():
                follower = state.copy()
                play.game.apply_outcome(follower, outcome)
                followers.append((follower, probability))
        assert sum(probability for _, probability in followers) == 1
        for follower, probability in followers:
            states.setdefault(follower.key(), follower)
            chances[follower.key()] = chances.get(follower.key(), Fraction(0)) + chance * probability
    return found


@pytest.mark.parametrize("name", IDS)
def test_probabilities_sum_to_exactly_1(name: str) -> None:
    """S2: over all ends of the turn, which are those of the tree; any sure thing has the value 1."""
    play = TURNS[IDS.index(name)][1]
    found = distribution(play)
    assert sum(found.values()) == 1
    assert min(found.values()) > 0
    assert found.keys() == frontier(play.game, play.state, turn_begins).ends.keys()
    sure = best_value(
        play.game, play.state, lambda s: Fraction(1) if turn_begins(s) or s.step == OVER else None, Fraction
    )
    assert sure == 1


def survives(state: SiegeState) -> Fraction | None:
    return Fraction(1) if turn_begins(state) else None


@pytest.mark.parametrize(
    ("play", "value"),
    [
        (at(ladders=IN, siege_tower=IN, points=1, extra_used=True), Fraction(1, 3)),  # one roll of 5 or 6
        (at(ladders=IN, siege_tower=IN, points=1), Fraction(5, 9)),  # two rolls, one of them bought
        (at(ladders=IN, siege_tower=IN, points=2), Fraction(19, 27)),  # three
        (at(ladders=IN, siege_tower=IN, day=3, card=6, points=1, extra_used=True), Fraction(1, 2)),  # Rally! +1
        (at(wall=0), Fraction(19, 27)),  # three coupures
        (at(wall=0, points=0, extra_used=True), Fraction(0)),
        (at(morale=0, extra_used=True, points=1), Fraction(1, 2)),  # one rally with a supply: 4, 5 or 6
        (at(supplies=0, soldiers="near tunnel", raided=1), Fraction(1)),  # walk home
    ],
)
def test_the_best_chance_of_seeing_another_turn(play: Play, value: Fraction) -> None:
    """9.1.3, 9.1.4, 9.1.5, 9.2, 10.0: exact values worked out by hand."""
    assert best_value(play.game, play.state, survives, Fraction) == value


def test_the_best_chance_of_winning_the_last_turn() -> None:
    """7.2, 9.1.4, 10.0, 11.0: the single trebuchet misses (1/2), or one of two coupures mends the wall (5/9): 7/9."""
    play = before_card(1, day=3, more=[], trebuchets=1, wall=1, morale=2, supplies=2)
    assert best_value(play.game, play.state, lambda state: None, Fraction) == Fraction(7, 9)
    assert best_value(play.game, play.state, lambda state: None, float) == pytest.approx(7 / 9)


def test_trees_leave_the_state_alone() -> None:
    play = at(ladders=2)
    before = play.state.key()
    frontier(play.game, play.state, turn_begins)
    best_value(play.game, play.state, survives, Fraction)
    assert play.state.key() == before
    assert isinstance(play.game.pending(play.state), Decision)
    assert isinstance(play.game.pending(before_card(1).state), Chance)
