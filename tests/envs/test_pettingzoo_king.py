"""``king_v0``: PettingZoo's own conformance tests, then what the environment promises beyond them."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from muniment.agents.catalog import make_agent
from muniment.core.errors import MunimentError, PositionError
from muniment.envs.pettingzoo import Player, king_v0, play
from tests.king.scripts import Table, part, player
from tests.king.test_views import MINIATURE

# Said of every environment whose observations are dictionaries, but for a list of PettingZoo's own games.
of_dictionaries = (
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
)


def conforms(test: Any) -> Any:
    for mark in of_dictionaries:
        test = mark(test)
    return test


@conforms
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_api_test(seats: int) -> None:
    api_test(king_v0.env(seats=seats, render_mode="ansi"), num_cycles=60)
    api_test(king_v0.raw_env(seats=seats, max_steps=40), num_cycles=20)


def test_the_seed_test() -> None:
    seed_test(lambda: king_v0.env(seats=3), num_cycles=60)


@conforms
@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("edition", ["rulebook", "counters"])
def test_conformance_over_many_games(seats: int, edition: str) -> None:
    options = {"edition": edition, "trading": True, "army_reserves": True, "homeless": "hand"}
    api_test(king_v0.env(seats=seats, options=options), num_cycles=5000)
    seed_test(lambda: king_v0.env(seats=seats, options=options), num_cycles=2000)


def at(table: Table, **arguments: Any) -> king_v0.raw_env:
    """The environment at a table's position."""
    environment = king_v0.raw_env(seats=table.state.seats, **arguments)
    environment.reset(seed=1, options={"position": table.game.state_to_json(table.state)})
    return environment


def act(environment: Any, *wanted: str) -> None:
    """Steps of whoever is selected: the first of the wanted actions that is legal, in notation, as long as any is."""
    raw = environment.unwrapped
    while found := [
        number
        for text in wanted
        for number, action in raw.legal(raw.agent_selection).items()
        if action.notation == text
    ]:
        environment.step(found[0])


def invasion(**arguments: Any) -> king_v0.raw_env:
    """Seat 0 may attack seat 1, which has one land that nothing defends; seat 2 looks on."""
    return at(
        Table(
            player("swamp-1", army="crocodile-2", gold=5), player("forest-1"), player("desert-1", gold=9),
            frames=part(4, ["war", 0]), phase=4,
        ),
        **arguments,
    )  # fmt: skip


INVADE = ("attack 1", "send crocodile-2", "done", "add one", "stand", "line crocodile-2 forest-1", "battle forest-1")


def test_k14_whoever_is_out_is_removed_with_a_last_step() -> None:
    """K14: the player without land is terminated with reward 0; after its step with None the game goes on."""
    environment = invasion()
    act(environment, *INVADE)
    assert environment.agent_selection == "player_1"
    assert environment.terminations == {"player_0": False, "player_1": True, "player_2": False}
    observation, reward, terminated, truncated, _ = environment.last()
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert not observation["action_mask"].any()
    with pytest.raises(ValueError, match="the only valid action is None"):
        environment.step(0)
    environment.step(None)
    assert environment.agents == ["player_0", "player_2"]
    assert environment.agent_selection == "player_2"  # first player of the next turn (K54)
    assert environment.observe("player_2")["action_mask"].any()


def test_rewards_come_at_the_end_and_are_the_shares() -> None:
    """K14, K60: 0 on the way; at the turn limit the richest of equal prestige has 1, the other 0; equals share."""
    for gold, wanted in ((3, [1.0, 0.0]), (2, [0.5, 0.5])):
        table = Table(
            player("swamp-1", gold=gold), player("swamp-2", gold=2), frames=part(4, ["deeds", -1]), turn=1, phase=4,
            options={"turn_limit": 1},
        )  # fmt: skip
        assert table.over.returns == tuple(wanted)
        before = Table(
            player("swamp-1", gold=gold), player("swamp-2", gold=2, army="crocodile-2"),
            frames=part(4, ["war", 1], seat=1), turn=1, phase=4, options={"turn_limit": 1},
        )  # fmt: skip
        environment = at(before, options={"turn_limit": 1})
        assert environment.rewards == {"player_0": 0.0, "player_1": 0.0}
        act(environment, "peace")
        assert list(environment.rewards.values()) == wanted
        assert all(environment.terminations.values())


def test_k10_stops_are_secret() -> None:
    """K10: the holder of the mist is selected; the others have an empty mask and see the same as if it were another."""
    environments = []
    for holder in (1, 2):
        hands = ["", "", ""]
        hands[holder] = "the-mist"
        table = Table(
            player("swamp-1", army="crocodile-2", gold=5), player("forest-1", hand=hands[1] or "city"),
            player("desert-1", hand=hands[2] or "city"), frames=part(4, ["war", 0]), phase=4,
        )  # fmt: skip
        for seat in (1, 2):
            table.state.fill[table.state.hand[seat][0]] = seat  # both drew at the same time in both games
        environment = at(table)
        act(environment, "attack 1", "send crocodile-2", "done")
        assert environment.agent_selection == f"player_{holder}"
        names = [action.notation for action in environment.legal(f"player_{holder}").values()]
        assert names[:2] == ["pass", "mist"]
        environments.append(environment)
    one, two = (environment.observe("player_0") for environment in environments)
    assert (one["observation"] == two["observation"]).all()
    assert not one["action_mask"].any()
    assert not two["action_mask"].any()
    assert all(environment.infos == {f"player_{n}": {} for n in range(3)} for environment in environments)


def test_k9_out_of_turn_actions_come_with_one_s_own_decisions() -> None:
    """K9: a ruby is cashed at its owner's decision; while another decides it is not offered."""
    environment = at(Table(
        player("swamp-1", hand="ruby", gold=0), player("forest-1", hand="sapphire"), frames=part(1, ["build", 0]),
    ))  # fmt: skip
    assert environment.agent_selection == "player_0"
    assert [action.notation for action in environment.legal("player_0").values()] == ["done", "cash ruby"]
    assert environment.legal("player_1") == {}
    assert not environment.observe("player_1")["action_mask"].any()
    act(environment, "cash ruby")
    assert environment.agent_selection == "player_0"
    assert environment.view("player_0").gold == (10, 0)


def test_an_illegal_action_ends_the_game() -> None:
    """-1 for who took it, 0 for the others; ``raw_env`` refuses it, and nothing has changed."""
    environment = king_v0.env(seats=3)
    environment.reset(seed=5)
    offender = environment.agent_selection
    illegal = int(np.flatnonzero(environment.last()[0]["action_mask"] == 0)[0])
    environment.step(illegal)
    assert environment.rewards == {f"player_{n}": -1.0 if f"player_{n}" == offender else 0.0 for n in range(3)}
    assert all(environment.terminations.values())

    raw = king_v0.raw_env(seats=3)
    raw.reset(seed=5)
    before = raw.position()
    with pytest.raises(MunimentError, match=rf"^action {illegal} \(.*\) is not legal for seat \d now$"):
        raw.step(illegal)
    with pytest.raises(MunimentError, match=r"^action -1: the actions of the king game are 0 to 1756$"):
        raw.step(-1)
    legal = next(iter(raw.legal(raw.agent_selection)))
    action: Any
    for action in (None, legal + 0.5, str(legal), [legal], np.array([legal])):
        with pytest.raises(MunimentError, match=r"^an action is a whole number, not "):
            raw.step(action)
    assert raw.position() == before
    action = np.array(legal)  # without dimensions, as some libraries have it
    raw.step(action)
    assert raw.position() != before


def test_max_steps_truncates_everybody() -> None:
    environment = king_v0.raw_env(max_steps=3)
    environment.reset(seed=1)
    for _ in range(3):
        assert not any(environment.truncations.values())
        environment.step(next(iter(environment.legal(environment.agent_selection))))
    assert environment.truncations == {"player_0": True, "player_1": True}
    assert environment.rewards == {"player_0": 0.0, "player_1": 0.0}
    assert not any(environment.observe(agent)["action_mask"].any() for agent in environment.agents)


def test_reset_from_any_position() -> None:
    """From an object or a text; the game goes on from there, and the position comes back as it was."""
    table = Table(player("swamp-1", gold=12), player("forest-1"), frames=part(1, ["build", 0]))
    environment = at(table)
    assert environment.game.state_from_json(environment.position()).key() == table.state.key()
    other = king_v0.raw_env()
    other.reset(options={"position": json.dumps(environment.position())})
    assert other.position() == environment.position()
    other.reset(seed=3)
    assert other.view("player_0").turn == 0


def test_positions_that_do_not_fit_are_refused() -> None:
    three = Table(player("swamp-1"), player("forest-1"), player("desert-1"), frames=part(1, ["build", 0]))
    environment = king_v0.raw_env(seats=2)
    with pytest.raises(MunimentError, match=r"^the position has 3 seats, the environment 2$"):
        environment.reset(options={"position": three.game.state_to_json(three.state)})
    with pytest.raises(PositionError, match=r"^impossible position: "):
        environment.reset(options={"position": {"players": [{"gold": -1}, {}]}})
    with pytest.raises(MunimentError, match=r"^a position is JSON, which this is not: "):
        environment.reset(options={"position": "{"})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seats": 5}, "for 2 to 4 players, not 5"),
        ({"options": {"trade": True}}, "there is no option 'trade'"),
        ({"render_mode": "human"}, "render_mode must be None"),
        ({"max_steps": 0}, "max_steps must be None or at least 1"),
        ({"max_steps": "5"}, "max_steps is a whole number, not str"),
        ({"seats": 2.0}, "seats is a whole number, not float"),
        ({"edition_digest": "0" * 64}, "but the environment is of digest 0000"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(MunimentError, match=message):
        king_v0.raw_env(**arguments)


def test_another_edition_is_another_space(tmp_path: Path) -> None:
    file = tmp_path / "tiles.toml"
    file.write_text(MINIATURE, encoding="utf-8")
    environment = king_v0.raw_env(edition=file, edition_digest=None, options={"turn_limit": 3})
    assert environment.encoding.action_count == 292
    rewards = play(environment, [Player(make_agent(environment.game, "random"), n) for n in range(2)], seed=1)
    assert sum(rewards) == 1.0
    assert environment.edition_digest != king_v0.raw_env().edition_digest


def test_before_a_reset_there_is_nothing_to_see() -> None:
    with pytest.raises(MunimentError, match="must be reset"):
        king_v0.raw_env().observe("player_0")
    with pytest.raises(MunimentError, match="must be reset"):
        king_v0.raw_env().step(0)


def test_there_are_no_other_agents() -> None:
    environment = king_v0.raw_env()
    environment.reset(seed=1)
    with pytest.raises(MunimentError, match="there is no agent 'player_2'; there are: player_0, player_1"):
        environment.observe("player_2")


def test_games_go_on_from_the_seed_given_last() -> None:
    """Two environments with one seed have the same first and second game; the second is another than the first."""

    def games(environment: king_v0.raw_env) -> list[Any]:
        found = []
        for seed in (7, None):
            environment.reset(seed=seed)
            found.append(environment.position())
        return found

    one, two = games(king_v0.raw_env()), games(king_v0.raw_env())
    assert one == two
    assert one[0] != one[1]


@pytest.mark.parametrize("names", [("random", "steward"), ("careless", "random", "steward", "random")])
def test_shipped_agents_play(names: tuple[str, ...]) -> None:
    """By the view and the actions that have numbers; the rewards of a game sum to 1."""
    environment = king_v0.raw_env(seats=len(names), options={"turn_limit": 3})
    players: Callable[[], list[Player]] = lambda: [  # noqa: E731
        Player(make_agent(environment.game, name), seed) for seed, name in enumerate(names)
    ]
    first, again = (play(environment, players(), seed=11) for _ in range(2))
    assert first == again
    assert sum(first) == 1.0


def test_the_table_in_text() -> None:
    """What everybody sees: no hand, no ordinary tile of an army."""
    environment = at(
        Table(
            player("swamp-1:2:city", army="crocodile-2 crocodile-2 arch-mage", gold=7, hand="ruby"),
            player("forest-1"), frames=part(1, ["build", 0]),
        ),
        render_mode="ansi",
    )  # fmt: skip
    assert environment.render() == (
        "turn 1, phase 1, awaited: build (K17)\n"
        "seat 0: gold 7, prestige 6, first player\n"
        "  lands: swamp-1 keep city\n"
        "  hand: 1 hidden\n"
        "  army: arch-mage, 2 hidden\n"
        "seat 1: gold 0, prestige 1\n"
        "  lands: forest-1"
    )
    assert king_v0.raw_env().render() is None


@pytest.mark.parametrize(("module", "library"), [("pettingzoo", "pettingzoo"), ("openspiel", "pyspiel")])
def test_a_missing_extra_is_named(module: str, library: str) -> None:
    code = f"import sys; sys.modules[{library!r}] = None; import muniment.envs.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert re.fullmatch(
        rf"ImportError: the \w+ \w+ needs? the extra '{module}': pip install 'muniment\[{module}\]' \(.*\)",
        done.stderr.splitlines()[-1],
    )


@pytest.mark.parametrize("module", ["king_encoding", "siege_encoding", "trajectories"])
def test_missing_numpy_is_named(module: str) -> None:
    code = f"import sys; sys.modules['numpy'] = None; import muniment.envs.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert re.fullmatch(
        r"ImportError: (the encodings|trajectories) need NumPy, which comes with each environment: "
        r"pip install 'muniment\[gymnasium(,arena)?\]' \(.*\)",
        done.stderr.splitlines()[-1],
    )


@pytest.mark.parametrize(
    ("page", "section"),
    [("researchers", "## PettingZoo"), ("researchers", "## OpenSpiel"), ("encodings", "## King of the Tabletop")],
)
def test_the_documentation_s_examples_run(page: str, section: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[2] / "docs" / f"{page}.md").read_text(encoding="utf-8")
    chapter = text.split(f"\n{section}\n")[1].split("\n## ")[0]
    examples = re.findall(r"```python\n(.*?)```", chapter, re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, section, "exec"), {})
    assert capsys.readouterr().out
