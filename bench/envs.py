"""The environments: steps a second of one and of thousands of siege games on one core, and Gymnasium's checks."""

import warnings
from collections.abc import Iterator

import gymnasium as gym
import numpy as np
from gymnasium.utils.env_checker import check_env

from bench.registry import Row, benchmark, rate
from muniment.envs.gymnasium import SiegeEnv
from muniment.envs.siege_setup import SIEGE_ID
from muniment.envs.siege_vector import SiegeVectorEnv

BATCH = 4096
STEPS = 200


@benchmark
def vector() -> Iterator[Row]:
    """Steps of a batch of games: choosing legal actions at random alone, stepping alone, and both."""
    env = SiegeVectorEnv(BATCH, copy=False)
    env.reset(seed=1)
    count = BATCH * STEPS

    def choose() -> None:
        for _ in range(STEPS):
            env.random_actions()

    def both() -> None:
        for _ in range(STEPS):
            env.step(env.random_actions())

    together = rate(both, count)
    choosing = rate(choose, count)
    note = f"batch of {BATCH:,}, one core"
    yield Row("envs: siege vector steps", 1 / (1 / together - 1 / choosing), "steps/s", f"{note}; without choosing")
    yield Row("envs: siege actions chosen", choosing, "actions/s", f"{note}; legal ones at random")
    yield Row("envs: siege vector steps, actions chosen", together, "steps/s", f"{note}; both")
    own = SiegeVectorEnv(BATCH)
    own.reset(seed=1)

    def copied() -> None:
        for _ in range(STEPS):
            own.step(own.random_actions())

    yield Row("envs: siege vector steps, copied", rate(copied, count), "steps/s", f"{note}; both, arrays of one's own")


@benchmark
def single() -> Iterator[Row]:
    """Steps of one game at a time."""
    env = SiegeEnv()
    random = np.random.default_rng(1)

    def play() -> None:
        _, info = env.reset(seed=1)
        for _ in range(2_000):
            _, _, end, _, info = env.step(random.choice(np.flatnonzero(info["action_mask"])))
            if end:
                _, info = env.reset()

    yield Row("envs: muniment/Siege-v0", rate(play, 2_000, repeats=5), "steps/s", "one game, actions chosen and resets")


@benchmark
def conformance() -> Iterator[Row]:
    """Gymnasium's checks with every warning an error: it raises where one fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for arguments in ({"render_mode": "ansi"}, {"mask_in_observation": True}):
            check_env(gym.make(SIEGE_ID, **arguments).unwrapped)
    yield Row("envs: gymnasium check_env", 2, "passed", "muniment/Siege-v0, both forms of observations")
