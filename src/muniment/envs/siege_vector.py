"""Thousands of games of 9 Card Siege at once, as a Gymnasium vector environment whose step is compiled.

Every game is one of ``muniment.envs.gymnasium.SiegeEnv``: the same actions, observations, masks, rewards, and the same
game for the same seed. With ``reset(seed=s)`` game *i* has the seed s + i and a random stream of its own, so that it
does not matter how games are split into batches. Needs the extra ``gymnasium``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

try:
    import gymnasium as gym
    import numba  # noqa: F401  # the kernel's
    import numpy as np
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError(
        f"the vector environment needs the extra 'gymnasium': pip install 'muniment[gymnasium]' ({error})"
    ) from None
from numpy.typing import NDArray

from muniment.core.dice import seed_from_text
from muniment.core.errors import MunimentError
from muniment.core.refusal import Refused
from muniment.envs import siege_kernel as kernel
from muniment.envs.siege_encoding import (
    ACTION_COUNT,
    ENCODING_VERSION,
    HIGH,
    LOW,
    OBSERVATION_SIZE,
    RESULT_NUMBERS,
    action_of,
    decode,
)
from muniment.envs.siege_setup import PRINTED_DIGEST, go_on, position_of, siege_game
from muniment.envs.siege_stream import SplitMix, first_state
from muniment.envs.siege_tables import codes_of, siege_tables
from muniment.envs.whole import whole
from muniment.games.siege.state import SiegeState
from muniment.games.siege.view import state_from_view
from muniment.solve.space import Space

__all__ = ["SiegeVectorEnv"]

_MODES = {
    gym.vector.AutoresetMode.NEXT_STEP: kernel.AUTORESET_NEXT,
    gym.vector.AutoresetMode.SAME_STEP: kernel.AUTORESET_SAME,
    gym.vector.AutoresetMode.DISABLED: kernel.AUTORESET_NEVER,
}
Observations = NDArray[np.int8]
Actions = NDArray[np.int64]


class SiegeVectorEnv(gym.vector.VectorEnv[Observations, Actions, NDArray[Any]]):
    """A batch of games.

    edition, options, edition_digest, illegal: as in ``SiegeEnv``. autoreset_mode: what becomes of a game that has
    ended, one of Gymnasium's three; the next game begins with the set-up. copy: whether every step returns arrays of
    its own; without, the arrays of a step are overwritten by the next. Raises MunimentError for what does not fit.

    ``infos`` has ``action_mask`` of shape (num_envs, 23) and ``refused``, true where an illegal action ended a game.
    With the mode "SameStep" ``final_obs`` has the last observations of the games where ``_final_obs`` is true.
    """

    def __init__(
        self,
        num_envs: int = 1,
        edition: str | Path | None = None,
        options: Mapping[str, object] | None = None,
        edition_digest: str | None = PRINTED_DIGEST,
        illegal: str = "lose",
        autoreset_mode: str | gym.vector.AutoresetMode = gym.vector.AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: None = None,
    ) -> None:
        num_envs = whole(num_envs, "num_envs")
        if num_envs < 1:
            raise MunimentError(f"num_envs must be at least 1, not {num_envs}")
        if render_mode is not None:
            raise MunimentError(f"the vector environment draws nothing: render_mode must be None, not {render_mode!r}")
        try:
            mode = gym.vector.AutoresetMode(autoreset_mode)
        except ValueError:
            known = ", ".join(mode.value for mode in gym.vector.AutoresetMode)
            raise MunimentError(f"autoreset_mode must be one of {known}, not {autoreset_mode!r}") from None
        self.game = siege_game(edition, options, edition_digest, illegal)
        self.edition_digest = self.game.edition_digest
        self.encoding_version = ENCODING_VERSION
        self.illegal, self.copy, self.num_envs = illegal, copy, num_envs
        self.metadata = {"autoreset_mode": mode}
        self._mode = _MODES[mode]
        self.single_action_space = gym.spaces.Discrete(ACTION_COUNT)
        self.single_observation_space = gym.spaces.Box(LOW, HIGH, dtype=np.int8)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._tables = siege_tables(self.game.edition, self.game.options)
        self._space = Space.of(self.game.edition)
        self._games = np.zeros((num_envs, kernel.COLUMNS), np.int32)
        self._streams = np.zeros(num_envs, np.uint64)
        self._choices = np.zeros(num_envs, np.uint64)
        self._begun = False
        self._observations = np.zeros((num_envs, OBSERVATION_SIZE), np.int8)
        self._finals = np.zeros((num_envs, OBSERVATION_SIZE), np.int8)
        self._masks = np.zeros((num_envs, ACTION_COUNT), np.int8)
        self._rewards = np.zeros(num_envs)
        self._ends = np.zeros(num_envs, np.bool_)
        self._refused = np.zeros(num_envs, np.bool_)
        self._never = np.zeros(num_envs, np.bool_)
        self._always = np.ones(num_envs, np.bool_)

    # -- resets

    def reset(
        self,
        *,
        seed: int | np.integer[Any] | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Observations, dict[str, Any]]:
        """New games, up to their first decisions.

        seed: of the first game, the others count up from it; or one for each. Without one the streams go on.
        options: ``position``, as in ``SiegeEnv``, in which all these games begin; ``reset_mask``, true for the games
        that are meant. Raises MunimentError for options or seeds that cannot be used.
        """
        if isinstance(seed, np.integer):
            seed = int(seed)
        super().reset(seed=seed if isinstance(seed, int) else None)
        given = dict(options or {})
        chosen = self._meant(given.pop("reset_mask", None))
        position = position_of(self.game, given)
        self._seed(seed, chosen)
        if position is None:
            kernel.start(*self._tables, self._games, self._streams, chosen)
        else:
            for i in chosen:
                self._place(i, position.copy())
        kernel.show(*self._tables, self._games, self._observations, self._masks)
        self._refused[chosen] = False
        return self._own(self._observations), self._infos()

    def _meant(self, mask: object) -> Actions:
        """The indices of the games that a reset is of."""
        if mask is None:
            return np.arange(self.num_envs)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise MunimentError(f"reset_mask must be an array of {self.num_envs} truth values")
        if not self._begun and not mask.all():
            raise MunimentError("the first reset must be of all games")
        return np.flatnonzero(mask)

    def _seed(self, seed: int | Sequence[int | None] | None, chosen: Actions) -> None:
        """Begin the streams of these games anew, where there is a seed, or none has begun yet."""
        seeds: Sequence[int | None]
        if isinstance(seed, Sequence | np.ndarray):
            seeds = [None if given is None else whole(given, "a seed") for given in seed]
        else:
            seeds = [None if seed is None else whole(seed, "a seed") + i for i in range(self.num_envs)]
        if any(given is not None and given < 0 for given in seeds):
            raise MunimentError("a seed is a whole number from 0")
        if len(seeds) != self.num_envs:
            raise MunimentError(f"there are {self.num_envs} games, and {len(seeds)} seeds")
        for i in chosen:
            given = seeds[i]
            if given is None and not self._begun:
                given = int(self.np_random.integers(2**63))
            if given is not None:
                self._streams[i] = first_state(given)
                self._choices[i] = int.from_bytes(seed_from_text(f"{given} choices")[:8], "big")
        self._begun = True

    def _place(self, i: int, state: SiegeState) -> None:
        """Let game i go on from a position."""
        source = SplitMix(int(self._streams[i]))
        go_on(self.game, state, source)
        self._streams[i] = source.state
        game = self._games[i]
        game[[kernel.GAME_BLOCK, kernel.GAME_ROW, kernel.GAME_CELL, kernel.GAME_FLAGS]] = codes_of(state, self._space)
        game[[kernel.GAME_DAY, kernel.GAME_DECK, kernel.GAME_CARD]] = state.day, state.deck, state.card
        game[kernel.GAME_RESULT] = RESULT_NUMBERS[state.result]
        game[[kernel.GAME_ROLLING, kernel.GAME_DONE]] = state.rolling, 0

    # -- steps

    def step(
        self, actions: Actions
    ) -> tuple[Observations, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take an action in every game; where a game has ended the step before, the mode "NextStep" begins the next.

        Raises MunimentError for anything but whole numbers from 0 to 22, one for each game, and with
        ``illegal="raise"`` for illegal ones; nothing has changed then. Raises ResetNeeded before the first reset, and
        for ended games in the mode "Disabled".
        """
        chosen = self._checked(actions)
        ended = kernel.step(
            *self._tables, self._games, self._streams, chosen, self._mode, self._observations, self._masks,
            self._rewards, self._ends, self._refused, self._finals,
        )  # fmt: skip
        infos = self._infos()
        if ended and self._mode == kernel.AUTORESET_SAME:
            ends = self._own(self._ends)
            infos |= {"final_obs": self._own(self._finals), "_final_obs": ends}
            infos |= {"final_info": {"refused": infos["refused"], "_refused": ends}, "_final_info": ends}
        own = self._own
        return own(self._observations), own(self._rewards), own(self._ends), own(self._never), infos

    def _checked(self, actions: object) -> Actions:
        given = np.asarray(actions)
        self._need_games()
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise MunimentError(f"actions are {self.num_envs} whole numbers, not {given.dtype} of shape {given.shape}")
        chosen = given.astype(np.int64)
        wrong = (chosen < 0) | (chosen >= ACTION_COUNT)
        if wrong.any():
            i = int(np.flatnonzero(wrong)[0])
            raise MunimentError(f"game {i}: action {chosen[i]}: the actions are 0 to {ACTION_COUNT - 1}")
        if self._mode == kernel.AUTORESET_NEVER and self._games[:, kernel.GAME_DONE].any():
            raise gym.error.ResetNeeded("games are over: reset them with the option reset_mask")
        if self.illegal == "raise":
            self._refuse(chosen)
        return chosen

    def _refuse(self, chosen: Actions) -> None:
        """Raise Refused for the first illegal action."""
        legal = self._masks[np.arange(self.num_envs), chosen] == 1
        going_on = (self._games[:, kernel.GAME_RESULT] == 0) & (self._games[:, kernel.GAME_DONE] == 0)
        for i in np.flatnonzero(going_on & ~legal)[:1]:
            action = action_of(int(chosen[i]))
            refusal = self.game.refusal(state_from_view(decode(self._observations[i], self.game)), action)
            assert refusal is not None
            raise Refused(refusal, f"game {i}: {action.notation}")

    def random_actions(self) -> Actions:
        """For every game one of its legal actions, each as likely, from streams apart from the games' own.

        Raises ResetNeeded before the first reset.
        """
        self._need_games()
        actions = np.empty(self.num_envs, np.int64)
        kernel.choose(self._masks, self._choices, actions)
        return actions

    def action_masks(self) -> NDArray[np.bool_]:
        """For each game and action whether it is legal, of shape (num_envs, 23). Raises ResetNeeded as above."""
        self._need_games()
        return self._masks.astype(np.bool_)

    def _need_games(self) -> None:
        if not self._begun:
            raise gym.error.ResetNeeded("there are no games yet: reset the environment")

    def _infos(self) -> dict[str, Any]:
        return {
            "action_mask": self._own(self._masks),
            "_action_mask": self._own(self._always),
            "refused": self._own(self._refused),
            "_refused": self._own(self._always),
        }

    def _own(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array
