"""The compiled games against the engine, transition by transition: every face of every die, every edition, option."""

from random import Random

import numpy as np
import pytest

from muniment.core.dice import RandomStream
from muniment.envs.siege_encoding import RESULT_NUMBERS
from muniment.envs.siege_kernel import GAME_RESULT
from muniment.envs.siege_stream import SplitMix, first_state
from muniment.games.siege import Siege
from muniment.games.siege.actions import ACTIONS
from muniment.games.siege.position import violations
from muniment.games.siege.state import ACTIONS_STEP, OVER, SiegeState
from muniment.games.siege.terms import REMOVED, UNITS
from tests.envs.siege_batches import Batch, engine_step, same_as_engine, stream_with
from tests.siege.positions import at, with_card
from tests.siege.random_games import OPTIONS, wild_game


def mid_turn(game: Siege, random: Random) -> SiegeState:
    """A position in which an action is awaited, whether or not play leads there, but one that the rules allow."""
    while True:
        state = game.initial()
        state.step = ACTIONS_STEP
        state.day, state.card = random.randint(1, 3), random.randrange(len(game.edition.cards))
        state.deck = random.choice((0, random.randint(0, game.full_deck))) & ~(1 << state.card)
        state.units = [random.choice((REMOVED, 0, 0, 1, 1, 2, 3, 4)) for _ in UNITS]
        state.status = [random.choice((0, 0, 1, 2, 3, 4, 4)) for _ in range(3)]
        state.trebuchets, state.soldiers, state.raided = (random.randint(0, high) for high in (3, 3, 2))
        state.extra_used, state.boiled = random.random() < 0.5, random.random() < 0.5
        state.points, state.free_move = random.randint(0, 4), random.randint(0, 2)
        if random.random() < 0.1:  # two in close combat may end the turn only then (S14)
            state.units[1:], state.points = [0, 0], 0
        if not violations(state, game.edition):
            return state


def check(game: Siege, random: Random, count: int) -> set[str]:
    """Every legal action of random positions, with every face of the first die: the results that came up."""
    cases = []
    for salt in range(count):
        state = mid_turn(game, random)
        cases += [
            (state, action, stream_with(face, salt)) for action in game.legal_actions(state) for face in range(1, 7)
        ]
    batch = Batch(game, [state for state, *_ in cases], [stream for *_, stream in cases])
    for i, (state, *_) in enumerate(cases):
        same_as_engine(batch, i, state)
    rewards, ends, refused = batch.step([action.index for _, action, _ in cases])
    assert not refused.any()
    results = set()
    for i, (state, action, stream) in enumerate(cases):
        after, rest = engine_step(game, state, action, stream)
        same_as_engine(batch, i, after)
        assert int(batch.streams[i]) == rest
        assert (ends[i], rewards[i]) == (after.step == OVER, float(after.result == "won"))
        results.add(after.result)
    return results


@pytest.mark.parametrize("number", range(8))
def test_every_transition_of_the_printed_cards_is_the_engines(number: int) -> None:
    results = check(Siege(options=OPTIONS[number]), Random(number), 70)
    assert results >= {"", "collapse", "close-combat-held", "wall-0", "morale-0", "supplies-0", "won"}


@pytest.mark.parametrize("number", range(4))
def test_every_transition_of_wild_cards_is_the_engines(number: int) -> None:
    game = wild_game(RandomStream.labelled(bytes(32), "wild", number), OPTIONS[2 * number + 1])
    check(game, Random(number), 40)


@pytest.mark.parametrize("number", range(4))
def test_whole_games_are_the_engines(number: int) -> None:
    """From the set-up to the end, with actions by chance; a game that is over stays as it ended."""
    source = RandomStream.labelled(bytes(32), "batch", number)
    game = Siege(options=OPTIONS[number]) if number < 2 else wild_game(source, OPTIONS[number])
    streams = [first_state(seed) for seed in range(25)]
    states = []
    for i, stream in enumerate(streams):
        start, dice = game.initial(), SplitMix(stream)
        while start.step not in (ACTIONS_STEP, OVER):
            game.apply_outcome(start, game.sample(start, dice))
        states.append(start)
        streams[i] = dice.state
    batch = Batch(game, states, streams)
    while not (batch.games[:, GAME_RESULT] != 0).all():
        for i, state in enumerate(states):
            same_as_engine(batch, i, state)
        actions = []
        for i, state in enumerate(states):
            legal = game.legal_actions(state)
            actions.append(legal[source.below(len(legal))].index if legal else 0)
            if legal:
                states[i], streams[i] = engine_step(game, state, ACTIONS[actions[i]], streams[i])
        batch.step(actions)
    for i, state in enumerate(states):
        same_as_engine(batch, i, state)


def test_dice_and_cards_come_as_often_as_they_should() -> None:
    """S2, S29: of 40,000 sabotages a sixth shows each face; of 40,000 draws each of seven cards a seventh.

    A sabotage succeeds with 5 or 6, a third, and is captured with a 1, a sixth; within five standard errors.
    """
    play = at(card=3, soldiers="enemy lines", points=2, trebuchets=2)
    count = 40_000
    streams = [first_state(seed) for seed in range(count)]
    batch = Batch(play.game, [play.state] * count, streams)
    batch.step([17] * count)  # sabotage
    fewer = int((batch.observations[:, 6] == 1).sum())
    captured = int((batch.observations[:, 7] == 0).sum())
    assert abs(fewer - count / 3) < 5 * (count * 2 / 9) ** 0.5
    assert abs(captured - count / 6) < 5 * (count * 5 / 36) ** 0.5
    seven = Batch(play.game, [at(card=3, deck=[], day=1).state] * count, streams)
    seven.step([22] * count)  # the end of the turn, and of the day
    cards = np.bincount(seven.observations[:, 19], minlength=7)
    assert (abs(cards - count / 7) < 5 * (count * 6 / 49) ** 0.5).all()


def test_an_illegal_action_changes_nothing_but_ends_the_game() -> None:
    play = at(card=3, points=2)
    batch = Batch(play.game, [play.state], [1])
    before = batch.observations.copy()
    rewards, ends, refused = batch.step([17])  # sabotage, from the castle
    assert (rewards[0], ends[0], refused[0], int(batch.streams[0])) == (-1.0, True, True, 1)
    assert (batch.observations == before).all()


def test_a_price_that_ends_the_game_leaves_the_die_unrolled() -> None:
    """S16, 10.0: the last supply, paid for a rally while the wall is at 0."""
    play = at(card=3, wall=0, morale=2, supplies=1, points=1)
    batch = Batch(play.game, [play.state], [1])
    _, ends, refused = batch.step([12])
    after, _ = engine_step(play.game, play.state, ACTIONS[12], 1)
    assert (after.result, bool(ends[0]), bool(refused[0])) == ("collapse", True, False)
    assert batch.games[0, GAME_RESULT] == RESULT_NUMBERS["collapse"]
    same_as_engine(batch, 0, after)
    assert int(batch.streams[0]) == 1


def test_nine_cards_of_six_points() -> None:
    """The largest edition there can be: nine cards, six action points, and a seventh bought (9.2)."""
    game = with_card(actions=6, cards=9)
    assert check(game, Random(9), 40) >= {"", "won"}
    play = at(game, card=1, deck=[], points=6)
    batch = Batch(game, [play.state], [5])
    batch.step([20])
    assert batch.observations[0, 21] == 7


def test_the_stream_is_split_mix_64() -> None:
    """The generator's published numbers for the state 1234567: 6457827717110365317, 3203168211198807973."""
    stream = SplitMix(1234567)
    assert [stream.below(1 << 31) for _ in range(2)] == [6457827717110365317 >> 33, 3203168211198807973 >> 33]
