"""Both games in OpenSpiel: its own tests and playthroughs, then chance, information, positions, and two algorithms."""

import pickle
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import absl.logging
import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import (
    generate_playthrough,
    mcts,
    outcome_sampling_mccfr,
)
from open_spiel.python.observation import make_observation

from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.errors import MunimentError
from muniment.core.game import Chance
from muniment.envs.openspiel import KingGame, SiegeGame
from muniment.envs.openspiel_king import fold_step, fold_steps, folded
from muniment.games.king.actions import KingOutcome
from muniment.games.king.volley import folds
from tests.king.scripts import Table, part, player
from tests.king.test_views import MINIATURE
from tests.king.test_war import joined, send_all, war

# Else absl, which OpenSpiel's algorithms import, closes pytest's own stream when somebody configures logging.
absl.logging.get_absl_handler().python_handler.stream = sys.__stderr__

HERE = Path(__file__).parent
SMALL_KING = "muniment_king(edition=miniature.toml,edition_digest=any,turn_limit=1)"


@pytest.fixture
def miniature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The miniature edition as a file in the working directory, as the names of games say it."""
    monkeypatch.chdir(tmp_path)
    Path("miniature.toml").write_text(MINIATURE, encoding="utf-8")


def random_states(game: Any, seed: str) -> Iterator[Any]:
    """The states of one game of uniformly random choices and chance by its probabilities."""
    source, state = RandomStream(seed_from_text(seed)), game.new_initial_state()
    while not state.is_terminal():
        yield state
        if state.is_chance_node():
            numbers, weights = zip(*state.chance_outcomes(), strict=True)
            at = source.below(10**9) / 10**9
            state.apply_action(numbers[min(int(np.searchsorted(np.cumsum(weights), at)), len(numbers) - 1)])
        else:
            state.apply_action(source.choice(state.legal_actions()))
    yield state


# -- OpenSpiel's own


def test_random_sim_test_of_the_siege_game() -> None:
    for parameters in ("", "(ones=event_bonus_cancels,close_combat_drives_back=all,bad_weather_free_movement=True)"):
        pyspiel.random_sim_test(pyspiel.load_game(f"muniment_siege{parameters}"), 2, True, False)


@pytest.mark.usefixtures("miniature")
@pytest.mark.parametrize("parameters", ["players=2", "players=3,trading=True,army_reserves=True"])
def test_random_sim_test_of_the_king_game(parameters: str) -> None:
    game = pyspiel.load_game(f"muniment_king(edition=miniature.toml,edition_digest=any,turn_limit=2,{parameters})")
    pyspiel.random_sim_test(game, 1, True, False)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_sim_test_of_whole_games(seats: int) -> None:
    game = pyspiel.load_game(f"muniment_king(players={seats},trading=True,army_reserves=True)")
    pyspiel.random_sim_test(game, 1, False, False)


@pytest.mark.usefixtures("miniature")
@pytest.mark.parametrize("name", ["siege", "king"])
def test_playthroughs_come_out_as_recorded(name: str) -> None:
    """OpenSpiel's record of a whole game, made anew from its actions. To keep another, write ``again`` to the file."""
    recorded = (HERE / "playthroughs" / f"muniment_{name}.txt").read_text(encoding="utf-8")
    lines = recorded.splitlines()
    actions = [int(line.removeprefix("action: ")) for line in lines if line.startswith("action: ")]
    again = generate_playthrough.playthrough(lines[0].removeprefix("game: "), actions)
    assert again == recorded


# -- what the games say of themselves


def test_facts_of_the_games() -> None:
    """Utilities are win shares: they sum to 1 with several players. The king's numbers are those of its encoding."""
    siege, king = pyspiel.load_game("muniment_siege"), pyspiel.load_game("muniment_king(players=4)")
    assert isinstance(siege, SiegeGame)
    assert isinstance(king, KingGame)
    assert (siege.num_players(), king.num_players()) == (1, 4)
    assert (siege.num_distinct_actions(), king.num_distinct_actions()) == (23, 1757)
    assert (siege.max_game_length(), king.max_game_length()) == (324, 10_000)
    assert (siege.utility_sum(), king.utility_sum()) == (None, 1.0)
    assert [(g.min_utility(), g.max_utility()) for g in (siege, king)] == [(0.0, 1.0)] * 2
    assert (siege.observation_tensor_size(), king.observation_tensor_size()) == (27, 10856)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("muniment_king(homeless=street)", "option homeless: 'street' is not one of deck, hand"),
        ("muniment_king(edition=nowhere.toml)", "nowhere.toml: No such file"),
        ("muniment_siege(edition_digest=abc)", "but the environment is of digest abc"),
        ("muniment_king(horizon=0)", "horizon must be at least 1, not 0"),
        ("muniment_king(turn_limit=-1)", "option turn_limit: -1 is not one of"),
    ],
)
def test_parameters_that_do_not_fit_are_refused(name: str, message: str) -> None:
    with pytest.raises(MunimentError, match=message):
        pyspiel.load_game(name)


def test_what_cannot_be_now_is_refused() -> None:
    """OpenSpiel itself asks ``apply_action`` for legal actions without checking."""
    first = pyspiel.load_game("muniment_siege").new_initial_state()
    first.apply_action(0)
    with pytest.raises(MunimentError, match="action 17 is not legal for player 0 now"):
        first.apply_action(17)
    with pytest.raises(MunimentError, match="no chance is awaited"):
        first.chance_outcomes()
    assert 17 not in first.legal_actions()


def test_the_horizon_ends_a_game_with_shared_victory() -> None:
    game = pyspiel.load_game("muniment_king(players=4,horizon=3)")
    *_, last = random_states(game, "horizon")
    assert last.is_terminal()
    assert last.returns() == [0.25] * 4


def test_returns_are_the_game_s() -> None:
    """0 before the end; the winner 1, or at the turn limit equal shares (K60)."""
    states = random_states(pyspiel.load_game("muniment_king(players=3,turn_limit=1)"), "returns")
    for state in states:
        assert sum(state.returns()) == (1.0 if state.is_terminal() else 0.0)


# -- chance


def at(table: Table, **parameters: Any) -> Any:
    """The state of a table, in OpenSpiel."""
    game = pyspiel.load_game("muniment_king", {"players": table.state.seats, **parameters})
    return game.new_initial_state(table.game.state_to_json(table.state))


def leaves(state: Any, chance: Fraction = Fraction(1)) -> Iterator[tuple[KingOutcome, Fraction]]:
    """The outcomes that a roll of several nodes comes to, with their exact probabilities."""
    held, coding = state.held, state.get_game().coding
    found, total = coding.chance(held.position, held.partial)
    for number, weight in found:
        outcome, here = coding.came(held.position, held.partial, number), chance * Fraction(weight, total)
        if outcome is not None:
            yield outcome, here
        else:
            child = state.clone()
            child.apply_action(number)
            yield from leaves(child, here)


def to_combat_dice(table: Table) -> Table:
    """On to the first combat dice; the first choice is taken, all dice show what comes first."""
    while not isinstance(pending := table.pending, Chance) or pending.kind != "volley-dice":
        if isinstance(pending, Chance):
            table.game.apply_outcome(table.state, table.game.chance(table.state).outcomes[0])
        else:
            table.do(table.legal()[0])
    return table


@pytest.mark.parametrize("attackers", ["elf-mage-m2", "arch-mage elves-2", "gypsies-m2 magic-sword"])
def test_combat_dice_in_steps_are_the_game_s_fold(attackers: str) -> None:
    """K34: the successive nodes have exactly the outcomes and probabilities of the game's one node."""
    table = to_combat_dice(joined(attackers, "sand-worm-3"))
    assert dict(leaves(at(table))) == dict(table.game.chance(table.state).probabilities())


def test_charge_dice_are_thrown_one_by_one() -> None:
    """K34, K59: three knights' dice are three nodes of six numbers, each of the 216 results as likely."""
    table = joined("yellow-knight-c3 blue-knight-c3 black-knight-c4", "sand-worm-3")
    assert table.rolls == "charge-dice"
    state = at(table)
    assert state.chance_outcomes() == [(face, 1 / 6) for face in range(6)]
    assert dict(leaves(state)) == dict(table.game.chance(table.state).probabilities())


def test_folds_of_many_dice() -> None:
    """K34, by hand and as the game has them: 3 dice on a 6, 2 on 5, 2 on 4, out of 6 to the 7th."""
    groups = ((3, 6), (2, 5), (2, 4))
    found: dict[KingOutcome, Fraction] = {}

    def walk(partial: tuple[int, ...], chance: Fraction) -> None:
        if len(partial) == len(fold_steps(groups)):
            found[folded(groups, partial)] = chance
            return
        numbers, total = fold_step(groups, partial)
        for number, weight in numbers:
            walk((*partial, number), chance * Fraction(weight, total))

    walk((), Fraction(1))
    assert found == dict(folds(groups).probabilities())
    all_over_or_exact = KingOutcome("fold", (6, 0, 3, 0, 0, 5, 2, 0, 0, 0, 4, 2, 0, 0, 0))
    assert found[all_over_or_exact] == Fraction(1, 6**3) * Fraction(1, 6**2) * Fraction(1, 3**2)


def test_every_chance_node_sums_to_one_and_is_within_bounds() -> None:
    """Dice and draws of a whole game; the bound on outcomes is the game's."""
    game = pyspiel.load_game("muniment_king(players=2,turn_limit=4)")
    for state in random_states(game, "sums"):
        if state.is_chance_node():
            numbers, chances = zip(*state.chance_outcomes(), strict=True)
            assert sum(chances) == pytest.approx(1.0, abs=1e-12)
            assert list(numbers) == sorted(set(numbers))
            assert min(chances) > 0
            assert numbers[-1] < game.max_chance_outcomes()


# -- what players know


def test_information_states_remember_everything() -> None:
    """What a player has seen and done is never forgotten, in order; others' secret draws are not in it (K2)."""
    game = pyspiel.load_game("muniment_king(turn_limit=2)")
    past = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True)).past
    before: dict[int, list[str]] = {0: [], 1: []}
    for state in random_states(game, "recall"):
        for seat in (0, 1):
            now = past(state, seat)
            assert now[: len(before[seat])] == before[seat]
            before[seat] = now
    for seat in (0, 1):
        drawn = [line for line in before[seat] if line.startswith("tile ")]
        assert len(drawn) >= 10
        assert all(line.startswith(f"tile seat={seat} ") for line in drawn)
        assert sum(line.startswith("> ") for line in before[seat]) == sum(
            player == seat for player in (entry.player for entry in state.full_history())
        )


def test_k2_equal_knowledge_has_equal_information_states() -> None:
    """K2: a position and another that looks the same to a seat; the other seat, who sees its hand, tells them apart."""
    table = Table(
        player("forest-1", hand="chest elves-3", army="elves-2"), player("desert-1", hand="ruby nomads-1"),
        frames=part(1, ["build", 0]),
    )  # fmt: skip
    other = table.game.redeal(table.game.view(table.state, 0), RandomStream(seed_from_text("other")))
    assert other != table.state
    game = pyspiel.load_game("muniment_king")
    one, two = (game.new_initial_state(table.game.state_to_json(s)) for s in (table.state, other))
    assert one.information_state_string(0) == two.information_state_string(0)
    assert one.observation_string(0) == two.observation_string(0)
    assert one.observation_tensor(0) == two.observation_tensor(0)
    assert one.information_state_string(1) != two.information_state_string(1)


def test_own_actions_and_public_events_are_in_the_information_state() -> None:
    """K16, K2: what a player does is remembered as done by it; dice are public."""
    state = at(Table(player("forest-1"), player("desert-1"), frames=part(1, ["special-offer", 0])))
    state.apply_action(state.string_to_action("seek sword-master"))
    state.apply_action(6 * 0 + 1)  # 1 and 2
    assert state.information_state_string(0).splitlines()[:3] == [
        "> seek sword-master",
        "roll seat=0 purpose=special-try dice=1,2",
        "special-try seat=0 tile=sword-master won=False",
    ]
    assert state.information_state_string(1).splitlines()[0] == "roll seat=0 purpose=special-try dice=1,2"


def test_k10_nobody_learns_who_is_asked() -> None:
    """K10: two players hold the mist in turn; the third's information state is the same, before and after a pass."""
    strings = []
    for holder in (1, 2):
        hands = ["", "city", "city"]
        hands[holder] = "the-mist"
        table = war(
            player("swamp-1", army="crocodile-2", gold=5), player("forest-1", hand=hands[1]),
            player("desert-1", hand=hands[2]),
        )  # fmt: skip
        for seat in (1, 2):
            table.state.fill[table.state.hand[seat][0]] = seat
        send_all(table.do("attack 1"))
        state = at(table)
        assert state.current_player() == holder
        strings.append([state.information_state_string(0)])
        state.apply_action(state.string_to_action("pass"))
        strings[-1].append(state.information_state_string(0))
    assert strings[0] == strings[1]


def kind(*, public: bool, private: Any, recall: bool = False) -> Any:
    return pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)


def test_observers() -> None:
    """Public information is the same for all; private is what the public does not have."""
    table = Table(
        player("forest-1", hand="ruby", army="elves-2 arch-mage"), player("desert-1", hand="village"),
        frames=part(1, ["build", 0]),
    )  # fmt: skip
    state = at(table)
    game, private = state.get_game(), pyspiel.PrivateInfoType
    public = make_observation(game, kind(public=True, private=private.NONE))
    assert public.string_from(state, 0) == public.string_from(state, 1)
    assert "ruby" not in public.string_from(state, 0)
    assert "tiles[arch-mage]: army, seat_0" in public.string_from(state, 0)
    own = make_observation(game, kind(public=False, private=private.SINGLE_PLAYER))
    assert "tiles[ruby]: hand, seat_0" in own.string_from(state, 0)
    assert "tiles[village]: hand, seat_0" in own.string_from(state, 1)
    assert "arch-mage" not in own.string_from(state, 0)
    nothing = make_observation(game, kind(public=False, private=private.NONE))
    assert nothing.string_from(state, 0) == "nothing"
    default = make_observation(game)
    default.set_from(state, 0)
    assert default.tensor.tolist() == state.observation_tensor(0)
    assert default.dict["seats"].shape == (4, 23)
    assert default.dict["seats"][0, :3].tolist() == [1, 0, table.state.gold[0]]
    own.set_from(state, 0)
    public.set_from(state, 0)
    assert (default.tensor[own.tensor != 0] == own.tensor[own.tensor != 0]).all()
    assert (default.tensor[own.tensor == 0] <= public.tensor[own.tensor == 0]).all()
    assert make_observation(game, kind(public=True, private=private.SINGLE_PLAYER, recall=True)).tensor is None
    with pytest.raises(ValueError, match="all players is not offered"):
        make_observation(game, kind(public=True, private=private.ALL_PLAYERS))
    with pytest.raises(ValueError, match="no parameters of observations"):
        make_observation(game, None, {"size": 3})


def test_actions_in_words_are_distinct_and_read_back() -> None:
    """Every legal action has a text of its own, the game's notation."""
    for state in random_states(pyspiel.load_game("muniment_king(trading=True,army_reserves=True)"), "words"):
        if not state.is_chance_node() and not state.is_terminal():
            seat = state.current_player()
            words = {state.action_to_string(seat, number): number for number in state.legal_actions()}
            assert len(words) == len(state.legal_actions())
            first = next(iter(words))
            assert state.string_to_action(seat, first) == words[first]


# -- positions, copies


@pytest.mark.parametrize("name", ["muniment_siege", "muniment_king(players=3,turn_limit=2)"])
def test_states_are_cloned_and_written_and_read(name: str) -> None:
    """Now and then in a random game: a clone goes its own way; what is pickled or serialized comes back the same."""
    game = pyspiel.load_game(name)
    for step, state in enumerate(random_states(game, "copies")):
        if step % 50 == 7 and not state.is_terminal():
            before = state.held.position.key()
            clone = state.clone()
            clone.apply_action(clone.legal_actions()[0])
            assert state.held.position.key() == before
            _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
            for copy in (read, pickle.loads(pickle.dumps(state))):
                assert copy.held.position.key() == before
                assert copy.held.partial == state.held.partial
                assert copy.history() == state.history()
                assert copy.information_state_string(0) == state.information_state_string(0)
                assert copy.legal_actions() == state.legal_actions()


def test_a_roll_in_the_making_is_kept() -> None:
    """Between the nodes of one roll a state can be cloned and pickled, and players see no part of the roll."""
    state = at(joined("yellow-knight-c3 blue-knight-c3 black-knight-c4", "sand-worm-3"))
    before = state.observation_string(0)
    state.apply_action(4)
    assert state.held.partial == (4,)
    assert state.observation_string(0) == before
    assert state.action_to_string(-1, 2) == "die 2: 3"
    for copy in (state.clone(), pickle.loads(pickle.dumps(state))):
        copy.apply_action(0)
        copy.apply_action(5)
        assert copy.information_state_string(0).splitlines()[0].endswith("dice=5,1,6")


def test_reset_from_any_position() -> None:
    siege = pyspiel.load_game("muniment_siege")
    *_, late = (state.clone() for state in random_states(siege, "late") if not state.is_terminal())
    again = siege.new_initial_state(late.position)
    assert again.held.position == late.held.position
    assert again.legal_actions() == late.legal_actions()
    king = pyspiel.load_game("muniment_king")
    three = Table(player("swamp-1"), player("forest-1"), player("desert-1"), frames=part(1, ["build", 0]))
    with pytest.raises(MunimentError, match=r"^the position has 3 seats, the game 2$"):
        king.new_initial_state(three.game.state_to_json(three.state))


# -- algorithms of OpenSpiel


def test_mcts_plays_the_siege_game() -> None:
    """A few simulations a move, over chance nodes, for the first day's decisions."""
    game = pyspiel.load_game("muniment_siege")
    random = np.random.RandomState(3)
    bot = mcts.MCTSBot(game, 1.0, 8, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    state, moves = game.new_initial_state(), 0
    while moves < 5:
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            moves += 1


@pytest.mark.usefixtures("miniature")
def test_outcome_sampling_learns_on_the_miniature() -> None:
    """Counterfactual regret by information states: it visits some, and its average policy is over legal actions."""
    game = pyspiel.load_game(SMALL_KING)
    np.random.seed(1)  # noqa: NPY002  # the algorithm draws from NumPy's own generator
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    for _ in range(5):
        solver.iteration()
    policy: Callable[[Any], dict[int, float]] = solver.average_policy().action_probabilities
    decided = 0
    for state in random_states(game, "policy"):
        if not state.is_terminal() and not state.is_chance_node():
            chances = policy(state)
            assert sorted(chances) == state.legal_actions()
            assert sum(chances.values()) == pytest.approx(1.0)
            decided += 1
    assert decided > 3
