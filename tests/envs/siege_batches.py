"""Batches of siege games beside the engine: the same positions, actions and random streams in both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muniment.envs import siege_kernel as kernel
from muniment.envs.siege_encoding import ACTION_COUNT, OBSERVATION_SIZE, RESULT_NUMBERS, action_mask, encode
from muniment.envs.siege_setup import go_on
from muniment.envs.siege_stream import SplitMix
from muniment.envs.siege_tables import codes_of, siege_tables
from muniment.games.siege import Siege
from muniment.games.siege.actions import SiegeAction
from muniment.games.siege.state import SiegeState
from muniment.solve.space import Space

# Three quiet turns: who ends them wins (11.0).
SHORT = """
name = "short"
strength = { ladders = 2, battering_ram = 3, siege_tower = 4, close_combat = 4 }
start = { trebuchets = 0, wall = 4, morale = 4, supplies = 4 }
raise_at_least = { wall = 5, morale = 5 }
[[card]]
number = 1
day1 = { title = "Quiet", actions = 1, orders = [], events = [] }
day2 = { title = "Quiet", actions = 1, orders = [], events = [] }
day3 = { title = "Quiet", actions = 1, orders = [], events = [] }
"""


class Batch:
    """Arrays for the kernel, filled with positions in which an action is awaited."""

    def __init__(self, game: Siege, states: Sequence[SiegeState], streams: Sequence[int]) -> None:
        self.game, self.size = game, len(states)
        self.tables = siege_tables(game.edition, game.options)
        space = Space.of(game.edition)
        self.games = np.zeros((self.size, kernel.COLUMNS), np.int32)
        self.streams = np.array(streams, np.uint64)
        for row, state in zip(self.games, states, strict=True):
            row[:4] = codes_of(state, space)
            row[[kernel.GAME_DAY, kernel.GAME_DECK, kernel.GAME_CARD]] = state.day, state.deck, state.card
            row[[kernel.GAME_RESULT, kernel.GAME_ROLLING]] = RESULT_NUMBERS[state.result], state.rolling
        self.observations = np.zeros((self.size, OBSERVATION_SIZE), np.int8)
        self.masks = np.zeros((self.size, ACTION_COUNT), np.int8)
        self.show()

    def show(self) -> None:
        kernel.show(*self.tables, self.games, self.observations, self.masks)

    def step(self, actions: Sequence[int]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Rewards, ends and refusals."""
        rewards, ends, refused = np.zeros(self.size), np.zeros(self.size, np.bool_), np.zeros(self.size, np.bool_)
        kernel.step(
            *self.tables, self.games, self.streams, np.array(actions, np.int64), kernel.AUTORESET_NEVER,
            self.observations, self.masks, rewards, ends, refused, np.zeros_like(self.observations),
        )  # fmt: skip
        return rewards, ends, refused


def engine_step(game: Siege, state: SiegeState, action: SiegeAction, stream: int) -> tuple[SiegeState, int]:
    """The engine's position after the action and all that chance brings, and the stream's state then."""
    after, source = state.copy(), SplitMix(stream)
    game.apply(after, action)
    go_on(game, after, source)
    return after, source.state


def same_as_engine(batch: Batch, i: int, state: SiegeState) -> None:
    """Game i of the batch shows what the engine's position shows."""
    assert batch.observations[i].tolist() == encode(batch.game.view(state, 0)).tolist(), state
    assert batch.masks[i].tolist() == action_mask(batch.game.legal_actions(state)).tolist(), state


def stream_with(face: int, salt: int) -> int:
    """The state of a stream whose next die shows the face."""
    state = salt * 0x1234567
    while SplitMix(state).below(6) != face - 1:
        state += 1
    return state
