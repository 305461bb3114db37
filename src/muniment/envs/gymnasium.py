"""9 Card Siege as a Gymnasium environment, ``muniment/Siege-v0``; importing this module registers it.

One step is one action of the player; dice, cards and the enemy follow by themselves up to the next decision. Actions
and observations are those of ``siege_encoding``; ``info["action_mask"]`` says which actions are legal. The reward is 1
for the step that wins the game and 0 for every other; a game always ends, and is never truncated.

An illegal action ends the game: the reward is -1, ``terminated`` is true, the table stays as it was, and
``info["refusal"]`` says why. With ``illegal="raise"`` it is an error instead, and the game goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

try:
    import gymnasium as gym
    import numpy as np
except ImportError as error:
    raise ImportError(
        f"the Gymnasium environments need the extra 'gymnasium': pip install 'muniment[gymnasium]' ({error})"
    ) from None
from numpy.typing import NDArray

from muniment.core.errors import MunimentError
from muniment.core.refusal import Refused
from muniment.envs.siege_encoding import ACTION_COUNT, ENCODING_VERSION, HIGH, LOW, action_mask, action_of, encode
from muniment.envs.siege_setup import ILLEGAL_REWARD, PRINTED_DIGEST, SIEGE_ID, go_on, position_of, siege_game
from muniment.envs.siege_stream import SplitMix, first_state
from muniment.envs.whole import whole
from muniment.games.siege.actions import SiegeAction
from muniment.games.siege.endings import WON
from muniment.games.siege.printed import event_words, order_words
from muniment.games.siege.state import OVER, SiegeState
from muniment.games.siege.view import SiegeView

__all__ = ["SiegeEnv"]

Seen = NDArray[np.int8] | dict[str, NDArray[np.int8]]


class SiegeEnv(gym.Env[Seen, Any]):
    """The game for one player.

    edition: the file of a card set of one's own, None for the printed cards. options: as on the command line,
    ``{"close_combat_drives_back": "all"}``. edition_digest: the digest that the edition must have, so that a version of
    the environment is always the same game; None for any. illegal: what an illegal action does, "lose" or "raise".
    mask_in_observation: whether observations are ``{"observation": ..., "action_mask": ...}``, for libraries that look
    for the mask there. Raises MunimentError for arguments that do not fit.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  # as the base class has it

    def __init__(
        self,
        edition: str | Path | None = None,
        options: Mapping[str, object] | None = None,
        edition_digest: str | None = PRINTED_DIGEST,
        illegal: str = "lose",
        mask_in_observation: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise MunimentError(f'render_mode must be None or "ansi", not {render_mode!r}')
        self.game = siege_game(edition, options, edition_digest, illegal)
        self.edition_digest = self.game.edition_digest
        self.encoding_version = ENCODING_VERSION
        self.illegal = illegal
        self.mask_in_observation = mask_in_observation
        self.render_mode = render_mode
        self.action_space = gym.spaces.Discrete(ACTION_COUNT)
        box = gym.spaces.Box(LOW, HIGH, dtype=np.int8)
        mask = gym.spaces.MultiBinary(ACTION_COUNT)
        seen = gym.spaces.Dict({"observation": box, "action_mask": mask}) if mask_in_observation else box
        self.observation_space = seen  # type: ignore[assignment]  # a Box or a Dict, as ``Seen`` says
        self._stream: SplitMix | None = None
        self._state: SiegeState | None = None
        self._done = False

    # -- what an agent may look at

    @property
    def view(self) -> SiegeView:
        """The player's view of the table. Raises ResetNeeded before the first reset."""
        return self.game.view(self._now(), 0)

    @property
    def legal_actions(self) -> tuple[SiegeAction, ...]:
        """The legal actions, in the order of their numbers; none when the game is over."""
        return self.game.legal_actions(self._now())

    def action_masks(self) -> NDArray[np.bool_]:
        """For each action whether it is legal, under the name by which some libraries ask for it."""
        return action_mask(self.legal_actions).astype(np.bool_)

    # -- the environment

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """A new game, up to its first decision.

        seed: begins the random stream anew (``siege_stream``); without one it goes on. options: ``{"position": ...}``,
        the JSON form of any position that is not over, begins there instead, in the middle of a turn or of a roll.
        Should chance end the game before the first decision, the mask is empty and any step reports the end.
        Raises MunimentError for options that cannot be used.
        """
        super().reset(seed=seed)
        state = position_of(self.game, options) or self.game.initial()
        if seed is not None or self._stream is None:
            self._stream = SplitMix(first_state(int(self.np_random.integers(2**63)) if seed is None else seed))
        go_on(self.game, state, self._stream)
        self._state = state
        self._done = False
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Take the action with this number, then let chance have its way up to the next decision.

        Raises MunimentError for a number that is no action, and with ``illegal="raise"`` Refused, a kin of it; both
        change nothing. Raises ResetNeeded after the end.
        """
        chosen = action_of(whole(action, "an action"))
        state = self._now()
        if self._done:
            raise gym.error.ResetNeeded("the game is over: reset the environment")
        assert self._stream is not None
        if state.step != OVER:
            refusal = self.game.refusal(state, chosen)
            if refusal is not None:
                if self.illegal == "raise":
                    raise Refused(refusal, chosen.notation)
                self._done = True
                why = {"code": refusal.code, "sentence": refusal.sentence, "rule": refusal.rule}
                return self._seen(), ILLEGAL_REWARD, True, False, {**self._info(), "refusal": why}
            self.game.apply(state, chosen)
            go_on(self.game, state, self._stream)
        self._done = state.step == OVER
        return self._seen(), float(state.result == WON), self._done, False, self._info()

    def render(self) -> str | None:
        """With ``render_mode="ansi"`` the table in a few lines of text, else nothing."""
        return _table(self.view) if self.render_mode == "ansi" else None

    def _now(self) -> SiegeState:
        if self._state is None:
            raise gym.error.ResetNeeded("there is no game yet: reset the environment")
        return self._state

    def _mask(self) -> NDArray[np.int8]:
        return action_mask(self.legal_actions)

    def _seen(self) -> Seen:
        observation = encode(self.view)
        return {"observation": observation, "action_mask": self._mask()} if self.mask_in_observation else observation

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self._mask()}
        if self._now().step == OVER:
            info["result"] = self._now().result
        return info


def _table(view: SiegeView) -> str:
    """The position's own JSON form, line by line, and what the card in play says."""
    lines = [f"{key.replace('_', ' '):<20} {_words(value)}" for key, value in view.to_json().items()]
    division = view.division
    if division is not None:
        lines.append(f"{division.title}: {event_words(division)} {order_words(division)}")
    return "\n".join(lines) + "\n"


def _words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name.replace('_', ' ')} {_words(part)}" for name, part in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value)) or "-"
    return str(value).lower() if isinstance(value, bool) else "-" if value is None else str(value)


if SIEGE_ID not in gym.registry:
    gym.register(
        id=SIEGE_ID,
        entry_point="muniment.envs.gymnasium:SiegeEnv",
        vector_entry_point="muniment.envs.siege_vector:SiegeVectorEnv",
        kwargs={"edition_digest": PRINTED_DIGEST},
    )
