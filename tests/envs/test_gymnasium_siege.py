"""``muniment/Siege-v0``: Gymnasium's own checks, resets to any position, illegal actions, versions."""

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import muniment.envs.gymnasium as registered
from muniment.core.errors import MunimentError, OptionError, PositionError
from muniment.core.refusal import Refused
from muniment.envs.gymnasium import SiegeEnv
from muniment.envs.siege_encoding import OBSERVATION_SIZE, PLACES, decode
from muniment.envs.siege_setup import PRINTED_DIGEST, SIEGE_ID
from muniment.games.siege import standard_edition
from muniment.games.siege.actions import parse_action
from tests.envs.siege_batches import SHORT
from tests.siege.positions import form

END = parse_action("end").index


@pytest.fixture
def short(tmp_path: Path) -> Path:
    """Three quiet turns: who ends them wins."""
    path = tmp_path / "short.toml"
    path.write_text(SHORT, encoding="utf-8")
    return path


def made(**kwargs: Any) -> SiegeEnv:
    env = gym.make(SIEGE_ID, **kwargs).unwrapped
    assert isinstance(env, SiegeEnv)
    return env


@pytest.mark.parametrize("kwargs", [{}, {"mask_in_observation": True}, {"render_mode": "ansi"}], ids=str)
def test_gymnasiums_own_checks(kwargs: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(**kwargs))


def test_importing_the_module_or_naming_it_registers_the_environment() -> None:
    assert gym.spec(SIEGE_ID).entry_point == f"{registered.__name__}:SiegeEnv"
    assert isinstance(gym.make(f"{registered.__name__}:{SIEGE_ID}").unwrapped, SiegeEnv)


def test_masks_in_both_places_are_the_legal_actions() -> None:
    env = made(mask_in_observation=True)
    seen, info = env.reset(seed=1)
    assert isinstance(seen, dict)
    expected = [action.index for action in env.legal_actions]
    assert np.flatnonzero(seen["action_mask"]).tolist() == np.flatnonzero(info["action_mask"]).tolist() == expected
    assert np.flatnonzero(env.action_masks()).tolist() == expected
    assert env.action_space.contains(env.action_space.sample(mask=info["action_mask"]))


def test_a_game_won_is_worth_1_at_its_end(short: Path) -> None:
    """11.0: three quiet days, three times the turn ended."""
    env = made(edition=str(short), edition_digest=None)
    env.reset(seed=1)
    rewards = [env.step(END)[1:4] for _ in range(3)]
    assert rewards == [(0.0, False, False), (0.0, False, False), (1.0, True, False)]
    with pytest.raises(gym.error.ResetNeeded):
        env.step(END)


def test_a_game_lost_is_worth_0() -> None:
    """10.0: the wall at 0 at the end of a turn."""
    env = made()
    seen, _ = env.reset(options={"position": form(wall=0)})
    assert isinstance(seen, np.ndarray)
    seen, reward, terminated, truncated, info = env.step(END)
    assert isinstance(seen, np.ndarray)
    assert (reward, terminated, truncated, info["result"]) == (0.0, True, False, "wall-0")
    assert decode(seen, env.game).result == "wall-0"
    assert not info["action_mask"].any()


def test_a_position_in_the_middle_of_a_turn() -> None:
    env = made()
    position = form(ladders=1, battering_ram=2, points=1, wall=3, soldiers="near tunnel", raided=1)
    seen, _ = env.reset(options={"position": position})
    assert isinstance(seen, np.ndarray)
    assert env.view.to_json() == {**position, "awaited": {"kind": "actions", "rule": "9.0", "you": True}}
    assert decode(seen, env.game) == env.view


def test_a_position_that_awaits_a_die_goes_on_to_the_next_decision() -> None:
    """A rally whose die is awaited: morale rises to 3 on 5 and 6, so in some of these games and not in all."""
    env = made()
    position = form(step="roll", rolling="rally", points=1, morale=2)
    morale = []
    for seed in range(30):
        seen, _ = env.reset(seed=seed, options={"position": position})
        assert isinstance(seen, np.ndarray)
        assert seen[PLACES["step"]] == 3
        morale.append(int(seen[PLACES["status"]][1]))
    assert set(morale) == {2, 3}


def test_positions_and_options_that_cannot_be() -> None:
    env = made()
    with pytest.raises(PositionError, match="carry no raided supplies"):
        env.reset(options={"position": form(raided=1)})
    with pytest.raises(MunimentError, match="whose game is over"):
        env.reset(options={"position": form(step="over", result="wall-0", wall=0)})
    with pytest.raises(MunimentError, match="no option 'posiiton'"):
        env.reset(options={"posiiton": form()})
    with pytest.raises(OptionError, match="ones"):
        made(options={"ones": "never"})
    with pytest.raises(MunimentError, match='"lose" or "raise"'):
        made(illegal="ignore")


def test_an_illegal_action_loses_the_game_and_says_why() -> None:
    env = made()
    before, _ = env.reset(seed=1)
    seen, reward, terminated, truncated, info = env.step(parse_action("sabotage").index)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["refusal"]["code"] == "not-in-enemy-lines"
    assert np.array_equal(seen, before)  # type: ignore[arg-type]
    with pytest.raises(gym.error.ResetNeeded):
        env.step(END)


def test_an_illegal_action_can_be_an_error_instead() -> None:
    env = made(illegal="raise")
    env.reset(seed=1)
    with pytest.raises(Refused, match=r"sabotage.*enemy lines"):
        env.step(parse_action("sabotage").index)
    assert env.step(END)[1:3] == (0.0, False)
    with pytest.raises(MunimentError, match="action 23"):
        env.step(23)


@pytest.mark.parametrize("action", [22.0, 3.7, "22", None, [22], np.array([22]), np.array(3.5)], ids=repr)
def test_what_is_no_number_is_no_action(action: object) -> None:
    """A fraction least of all: it would become another action."""
    env = made()
    env.reset(seed=1)
    with pytest.raises(MunimentError, match=r"^an action is a whole number, not "):
        env.step(action)
    assert env.step(np.array(END))[1:3] == (0.0, False)


def test_a_version_is_of_one_edition(short: Path) -> None:
    env = made()
    assert env.edition_digest == PRINTED_DIGEST == standard_edition().digest
    assert gym.spec(SIEGE_ID).kwargs == {"edition_digest": PRINTED_DIGEST}
    with pytest.raises(MunimentError, match=r"its digest is .*, but the environment is of digest bf75f4f9"):
        made(edition=str(short))
    own = made(edition=str(short), edition_digest=None)
    assert made(edition=str(short), edition_digest=own.edition_digest).edition_digest == own.edition_digest


def test_options_change_the_game() -> None:
    """S13: with "all", close combat has one action against everybody."""
    position = form(ladders="close combat")
    one, all_ = made(), made(options={"close_combat_drives_back": "all"})
    assert one.reset(options={"position": position})[1]["action_mask"][6:10].tolist() == [1, 0, 0, 0]
    assert all_.reset(options={"position": position})[1]["action_mask"][6:10].tolist() == [0, 0, 0, 1]


def test_the_table_in_words() -> None:
    env = made(render_mode="ansi")
    env.reset(options={"position": form(ladders=2, card=4)})
    lines = str(env.render()).splitlines()
    assert "units                ladders 2, battering ram start, siege tower start" in lines
    assert lines[-1].startswith("Death of a Leader: ")
    assert made().render_mode is None


def test_before_the_first_reset_there_is_no_game() -> None:
    env = SiegeEnv()
    with pytest.raises(gym.error.ResetNeeded):
        env.step(END)
    assert env.reset(seed=3)[0] in env.observation_space
    assert env.observation_space.shape == (OBSERVATION_SIZE,)


def test_cards_that_end_the_game_before_its_first_decision(tmp_path: Path) -> None:
    """10.0: wall and morale fall to 0 by the first card; the mask is empty, and any step reports the end."""
    fallen = '{ status = "wall", change = -4 }, { status = "morale", change = -4 }'
    path = tmp_path / "fallen.toml"
    path.write_text(SHORT.replace("orders = [], events = []", f"orders = [], events = [{fallen}]"), encoding="utf-8")
    env = made(edition=str(path), edition_digest=None)
    _, info = env.reset(seed=1)
    assert not info["action_mask"].any()
    assert info["result"] == "collapse"
    assert env.step(END)[1:4] == (0.0, True, False)


@pytest.mark.parametrize("module", ["gymnasium", "siege_vector"])
def test_without_the_extra_one_line_says_so(module: str) -> None:
    code = f"import sys; sys.modules['gymnasium'] = None; import muniment.envs.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(
        "extra 'gymnasium': pip install 'muniment[gymnasium]' (import of gymnasium halted; None in sys.modules)"
    )
