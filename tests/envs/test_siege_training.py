"""The example that trains an agent on the siege game: a short lesson helps, the whole training beats ``captain``."""

import numpy as np
import pytest
from numpy.typing import NDArray

from examples import train_siege as example
from muniment.arena.statistics import wilson
from muniment.envs.siege_vector import SiegeVectorEnv
from tests.slices import ROOT, once

PACKAGE = ROOT / "src" / "muniment"


def turns_survived(weights: NDArray[np.float32] | None) -> float:
    """The mean number of turns begun before the end: by the agent with these weights, or by random actions."""
    env = SiegeVectorEnv(512, autoreset_mode="Disabled")
    seen, infos = env.reset(seed=10_000)
    turns = np.zeros(512, np.int64)
    rows, actions = np.zeros((512, len(example.TABLES)), np.int64), np.zeros(512, np.int64)
    best, some = np.full(512, 2, np.float32), np.zeros(512, np.float32)
    running = np.ones(512, np.bool_)
    while running.any():
        turns = np.where(running, example.turn_of(seen), turns)
        if weights is None:
            actions = env.random_actions()
        else:
            example.look_up(seen, example.PARTS, example.FIRST, rows)
            example.decide(weights, rows, infos["action_mask"], best, actions, some, some.copy())
        seen, _, ends, _, infos = env.step(actions)
        running &= ~ends
        if ends.any():
            seen, infos = env.reset(options={"reset_mask": ends})
    return float(turns.mean())


def test_a_short_training_helps() -> None:
    """Random play is over within the first day; after a few lessons the agent gets through it."""
    weights = example.train(40, tell=False)
    assert turns_survived(None) < 6
    assert turns_survived(weights) > 9


@pytest.mark.slow
def test_the_training_beats_captain() -> None:
    """``captain`` wins 60.78 % of its games, at most 61.1 % with 95 % confidence."""

    def work() -> None:
        assert wilson(example.victories(example.train(tell=False), 40_960), 40_960).low > 0.611

    once("envs-training", [ROOT / "examples" / "train_siege.py", PACKAGE / "envs", PACKAGE / "games" / "siege"], work)
