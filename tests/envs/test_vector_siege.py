"""The vector environment beside Gymnasium's own loop over single ones, and what it says of itself."""

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from muniment.core.errors import MunimentError
from muniment.core.refusal import Refused
from muniment.envs.gymnasium import SiegeEnv
from muniment.envs.siege_setup import SIEGE_ID
from muniment.envs.siege_vector import SiegeVectorEnv
from muniment.games.siege.actions import parse_action
from tests.envs.siege_batches import SHORT
from tests.siege.positions import form

END = parse_action("end").index
SABOTAGE = parse_action("sabotage").index
GAMES = 12


def both(mode: AutoresetMode, **kwargs: Any) -> tuple[SiegeVectorEnv, SyncVectorEnv[Any, Any]]:
    return (
        SiegeVectorEnv(GAMES, autoreset_mode=mode, **kwargs),
        SyncVectorEnv([lambda: SiegeEnv(**kwargs)] * GAMES, autoreset_mode=mode),
    )


def same(ours: Any, theirs: Any) -> None:
    """Two answers to a step or reset: the arrays, then the masks."""
    for mine, other in zip(ours[:-1], theirs[:-1], strict=True):
        assert mine.dtype == other.dtype
        assert (mine == other).all()
    assert (ours[-1]["action_mask"] == theirs[-1]["action_mask"]).all()


@pytest.mark.parametrize("mode", AutoresetMode, ids=lambda mode: mode.value)
def test_it_is_gymnasiums_loop_over_single_environments(mode: AutoresetMode) -> None:
    """The same games, step by step: in every tenth an illegal action; after the end as the mode says."""
    options = {"ones": "event_bonus_cancels"}
    ours, theirs = both(mode, options=options)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] is mode
    same(ours.reset(seed=7), theirs.reset(seed=7))
    ended = 0
    for number in range(80):
        actions = ours.random_actions()
        if number % 10 == 9:
            actions[number % GAMES] = SABOTAGE
        mine, other = ours.step(actions), theirs.step(actions)
        same(mine, other)
        ended += int(mine[2].sum())
        if mode is AutoresetMode.SAME_STEP and mine[2].any():
            assert (mine[-1]["_final_obs"] == other[-1]["_final_obs"]).all()
            for i in np.flatnonzero(mine[2]):
                assert (mine[-1]["final_obs"][i] == other[-1]["final_obs"][i]).all()
        if mode is AutoresetMode.DISABLED and mine[2].any():
            over = mine[2]
            same(ours.reset(options={"reset_mask": over}), _reset(theirs, over))
    assert ended > GAMES


def _reset(theirs: SyncVectorEnv[Any, Any], mask: Any) -> Any:
    """A reset of some games; the loop leaves out the masks of the others, so they are asked for."""
    seen, _ = theirs.reset(options={"reset_mask": mask})
    return seen, {"action_mask": np.array(theirs.call("action_masks"))}


def test_a_batch_can_be_split_anywhere() -> None:
    whole = SiegeVectorEnv(6)
    parts = [SiegeVectorEnv(2), SiegeVectorEnv(4)]
    seen = [whole.reset(seed=40)[0], np.concatenate([parts[0].reset(seed=40)[0], parts[1].reset(seed=42)[0]])]
    for _ in range(60):
        assert (seen[0] == seen[1]).all()
        actions = whole.random_actions()
        assert (actions == np.concatenate([part.random_actions() for part in parts])).all()
        split = [part.step(chosen)[0] for part, chosen in zip(parts, np.split(actions, [2]), strict=True)]
        seen = [whole.step(actions)[0], np.concatenate(split)]


def test_seeds_one_by_one_and_none() -> None:
    env = SiegeVectorEnv(3)
    first = env.reset(seed=[5, None, 9])[0]
    assert (first[[0, 2]] == SiegeVectorEnv(5).reset(seed=np.int64(5))[0][[0, 4]]).all()
    streams = env._streams.copy()
    env.reset(seed=[5, None, 9])
    assert (env._streams[[0, 2]] == streams[[0, 2]]).all()
    assert env._streams[1] != streams[1]  # it went on


def test_random_actions_are_legal_and_all_come_up() -> None:
    env = SiegeVectorEnv(2_000)
    env.reset(seed=1)
    mask = env.action_masks()
    actions = env.random_actions()
    assert mask[np.arange(2_000), actions].all()
    assert set(actions.tolist()) == set(np.flatnonzero(mask.any(axis=0)).tolist())


def test_a_reset_to_a_position_in_the_middle_of_a_turn() -> None:
    position = form(ladders=1, points=1, wall=3, soldiers="near tunnel", raided=1)
    single = SiegeEnv()
    seen, info = single.reset(options={"position": position})
    env = SiegeVectorEnv(3)
    env.reset(seed=1)
    others = env.reset(options={"position": position, "reset_mask": np.array([True, False, True])})
    assert (others[0][[0, 2]] == seen).all()
    assert (others[1]["action_mask"][[0, 2]] == info["action_mask"]).all()
    assert (others[0][1] == SiegeVectorEnv(3).reset(seed=1)[0][1]).all()


def test_a_position_that_awaits_a_die() -> None:
    position = form(step="roll", rolling="rally", points=1, morale=2)
    env, single = SiegeVectorEnv(20), SiegeEnv()
    seen, _ = env.reset(seed=1, options={"position": position})
    expected = [single.reset(seed=1 + i, options={"position": position})[0] for i in range(20)]
    assert (seen == np.array(expected)).all()
    assert set(seen[:, 4].tolist()) == {2, 3}


def test_an_edition_of_ones_own(tmp_path: Path) -> None:
    """11.0: a game of three quiet turns is won by ending them; the reward comes with the last."""
    path = tmp_path / "short.toml"
    path.write_text(SHORT, encoding="utf-8")
    env = SiegeVectorEnv(4, edition=path, edition_digest=None)
    env.reset(seed=1)
    rewards = [env.step(np.full(4, END))[1].tolist() for _ in range(4)]
    assert rewards == [[0.0] * 4, [0.0] * 4, [1.0] * 4, [0.0] * 4]


def test_gymnasium_makes_it() -> None:
    env = gym.make_vec(SIEGE_ID, num_envs=5, autoreset_mode="SameStep")
    assert isinstance(env, SiegeVectorEnv)
    assert env.spec is not None
    assert env.spec.kwargs["edition_digest"] == env.edition_digest
    counted = gym.wrappers.vector.RecordEpisodeStatistics(env)
    counted.reset(seed=1)
    assert any("episode" in _step(counted) for _ in range(80))


def _step(env: Any) -> dict[str, Any]:
    infos: dict[str, Any] = env.step(env.unwrapped.random_actions())[-1]
    return infos


def test_arrays_are_ones_own_unless_asked_otherwise() -> None:
    env, bare = SiegeVectorEnv(2), SiegeVectorEnv(2, copy=False)
    assert env.reset(seed=1)[0] is not env.step(env.random_actions())[0]
    assert bare.reset(seed=1)[0] is bare.step(bare.random_actions())[0]


def test_what_it_refuses() -> None:
    env = SiegeVectorEnv(3, illegal="raise", autoreset_mode="Disabled")
    with pytest.raises(gym.error.ResetNeeded):
        env.step(np.zeros(3, np.int64))
    with pytest.raises(MunimentError, match="first reset must be of all games"):
        env.reset(options={"reset_mask": np.array([True, False, True])})
    before, _ = env.reset(seed=1)
    with pytest.raises(MunimentError, match="3 whole numbers, not int64 of shape"):
        env.step(np.zeros(4, np.int64))
    with pytest.raises(MunimentError, match="3 whole numbers, not float64"):
        env.step(np.zeros(3))  # type: ignore[arg-type]
    with pytest.raises(MunimentError, match="game 1: action 23: the actions are 0 to 22"):
        env.step(np.array([END, 23, END]))
    with pytest.raises(Refused, match=r"game 2: sabotage.*enemy lines"):
        env.step(np.array([END, END, SABOTAGE]))
    assert (env._observations == before).all()
    with pytest.raises(MunimentError, match="3 games, and 2 seeds"):
        env.reset(seed=[1, 2])
    seeds: Any
    for seeds in (1.5, [1.5, 2, 3], np.array([1.0, 2.0, 3.0]), ["1", "2", "3"]):
        with pytest.raises(MunimentError, match="a seed is a whole number, not "):
            env.reset(seed=seeds)
    with pytest.raises(MunimentError, match="a seed is a whole number from 0"):
        env.reset(seed=[1, -2, 3])
    for masked in (SiegeVectorEnv(2).random_actions, SiegeVectorEnv(2).action_masks):
        with pytest.raises(gym.error.ResetNeeded):
            masked()
    with pytest.raises(MunimentError, match="array of 3 truth values"):
        env.reset(options={"reset_mask": [True, True, True]})
    with pytest.raises(MunimentError, match="autoreset_mode must be one of"):
        SiegeVectorEnv(3, autoreset_mode="later")
    with pytest.raises(MunimentError, match="draws nothing"):
        SiegeVectorEnv(3, render_mode="ansi")  # type: ignore[arg-type]
    with pytest.raises(MunimentError, match="at least 1"):
        SiegeVectorEnv(0)
    with pytest.raises(MunimentError, match="num_envs is a whole number, not float"):
        SiegeVectorEnv(2.5)  # type: ignore[arg-type]
    env.reset(options={"position": form(wall=0)})
    env.step(np.full(3, END))
    with pytest.raises(gym.error.ResetNeeded, match="reset_mask"):
        env.step(np.full(3, END))
