"""King of the Tabletop as a PettingZoo AEC environment, ``king_v0``, for 2 to 4 players.

One step is one small choice of one player; dice, draws and everything that follows from the rules happen by themselves
up to the next decision. Agents are ``player_0`` to ``player_3``, by seat. Actions and observations are those of
``king_encoding``: ``{"observation": row of whole numbers, "action_mask": which actions are legal}``; an observation
comes from the player's view alone, and the mask is 0 throughout for whoever need not answer.

* **Out of turn** (K9): what a player may do out of turn is offered along with its own decisions, not in others'.
* **Stops** (K10): the holder of an item that could be used is selected, with *pass* among its actions. Nobody else's
  observation says whose answer is awaited, as long as a player is shown only its own.
* **Rewards** are 0 until the game is over, then each player's share of the victory: 1 for who wins alone.
* **Out of the game** (K14): terminated at once with reward 0; a last step with None removes the player.
* **An illegal action** ends the game: -1 for who took it, 0 for the others, all terminated and truncated (PettingZoo's
  wrapper for it, in ``env``); ``raw_env`` raises MunimentError and goes on.
* **max_steps**: after so many steps everybody is truncated, with reward 0. Without it every game ends with
  probability 1, but has no bound: dice that tie are thrown again, and a standing answer (K10) can be given for ever.

There is no parallel form: players decide one after the other, and each sees what the one before has done.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import gymnasium
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv  # it comes without types
from pettingzoo.utils import wrappers

from muniment.core.dice import SeededDice, new_seed, seed_from_text
from muniment.core.errors import MunimentError
from muniment.core.game import Chance, Decision, Over
from muniment.envs.king_encoding import ENCODING_VERSION, OWN_EDITIONS, KingEncoding, king_game, position_value
from muniment.envs.king_text import table_text
from muniment.envs.whole import whole
from muniment.games.king import King
from muniment.games.king.actions import KingAction
from muniment.games.king.state import KingState
from muniment.games.king.views import KingView

__all__ = ["env", "raw_env"]

ILLEGAL_REWARD = -1.0

Seen = dict[str, NDArray[Any]]


def env(**arguments: Any) -> AECEnv[str, Seen, int | None]:
    """``raw_env`` with these arguments in PettingZoo's usual wrappers: an illegal action ends the game with -1."""
    wrapped: AECEnv[str, Seen, int | None] = wrappers.TerminateIllegalWrapper(raw_env(**arguments), ILLEGAL_REWARD)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class raw_env(AECEnv[str, Seen, int | None]):  # type: ignore[misc]  # noqa: N801  # PettingZoo's name for it
    """The environment without wrappers.

    seats: 2 to 4. edition: a file of one's own tiles, None for the package's. options: as on the command line,
    ``{"trading": True}``. edition_digest: the digest that the edition must have, so that a version of the environment
    is always the same game; "own" for the package's editions, None for any. max_steps: when to truncate, None: never.
    Raises MunimentError for arguments that do not fit.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "king_v0", "render_modes": ["ansi"], "is_parallelizable": False,
    }  # fmt: skip

    def __init__(
        self,
        seats: int = 2,
        edition: str | Path | None = None,
        options: Mapping[str, object] | None = None,
        edition_digest: str | None = OWN_EDITIONS,
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise MunimentError(f'render_mode must be None or "ansi", not {render_mode!r}')
        if max_steps is not None and whole(max_steps, "max_steps") < 1:
            raise MunimentError(f"max_steps must be None or at least 1, not {max_steps!r}")
        seats = whole(seats, "seats")
        self.game: King = king_game(edition, options, edition_digest)
        self.encoding = KingEncoding(self.game)
        self.edition_digest = self.game.edition_digest
        self.encoding_version = ENCODING_VERSION
        self.max_steps = max_steps
        self.render_mode = render_mode
        self.game.initial(seats)  # refuses other numbers of seats
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        size = self.encoding.action_count
        layout = self.encoding.observations
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict({
                "observation": gymnasium.spaces.Box(layout.low, layout.high, dtype=np.int32),
                "action_mask": gymnasium.spaces.Box(0, 1, (size,), np.int8),
            })
            for agent in self.possible_agents
        }  # fmt: skip
        self.action_spaces = {agent: gymnasium.spaces.Discrete(size) for agent in self.possible_agents}
        self._seed = new_seed()
        self._episode = 0
        self._state: KingState | None = None
        self._numbered: dict[int, KingAction] = {}
        self._asked = ""
        self._steps = 0

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same for every agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The same for every agent."""
        return self.action_spaces[agent]

    # -- the cycle

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game, or one that goes on from a position: ``options={"position": JSON object or text}``.

        seed: of all dice and draws; without one the games go on from the seed given last. Other options mean nothing.
        Raises PositionError for a position that cannot occur; MunimentError if its game is over or has other seats.
        """
        if seed is not None:
            self._seed, self._episode = seed_from_text(f"king_v0 {seed}"), 0
        self._dice = SeededDice(self._seed, [self._episode.to_bytes(8, "big")])
        self._episode += 1
        position = (options or {}).get("position")
        state = self.game.initial(len(self.possible_agents)) if position is None else self._read(position)
        self._state = state
        self._steps = 0
        self.agents = [agent for seat, agent in enumerate(self.possible_agents) if not state.out >> seat & 1]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self.agent_selection = self.agents[0]
        self._go_on(state)

    def _read(self, position: object) -> KingState:
        state = self.game.state_from_json(position_value(position))
        if state.seats != len(self.possible_agents):
            raise MunimentError(f"the position has {state.seats} seats, the environment {len(self.possible_agents)}")
        if state.over is not None:
            raise MunimentError("a reset to a position whose game is over")
        return state

    def step(self, action: int | None) -> None:
        """Carry out the selected agent's action, or remove it with None if it is out.

        Raises MunimentError, and changes nothing, if the action is not legal.
        """
        state = self._table
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat, number = self._seat(agent), whole(action, "an action")
        chosen = self._numbered.get(number)
        if chosen is None:
            chosen = self.encoding.action_of(number, self.game.legal_actions(state, seat), seat, state.seats)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.game.apply(state, chosen, seat)
        self._steps += 1
        self._go_on(state)
        self._accumulate_rewards()

    def _go_on(self, state: KingState) -> None:
        """Chance has its way up to the next decision or the end; then whoever is out, or all, are told."""
        while isinstance(pending := self.game.pending(state), Chance):
            self.game.apply_outcome(state, self.game.sample(state, self._dice))
        self._numbered, self._asked = {}, ""
        for agent in self.agents:
            if isinstance(pending, Over):
                self.rewards[agent] = float(pending.returns[self._seat(agent)])
                self.terminations[agent] = True
            elif state.out >> self._seat(agent) & 1:
                self.terminations[agent] = True
            elif self.max_steps is not None and self._steps >= self.max_steps:
                self.truncations[agent] = True
        if isinstance(pending, Decision):
            seat = pending.seats[0]
            self._asked = self.agent_selection = self.possible_agents[seat]
            self._numbered = self.encoding.numbered(self.game.legal_actions(state, seat), seat, state.seats)
        self._deads_step_first()

    # -- what may be looked at

    @property
    def _table(self) -> KingState:
        if self._state is None:
            raise MunimentError("the environment must be reset before anything else")
        return self._state

    def _seat(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise MunimentError(f"there is no agent {agent!r}; there are: {', '.join(self.possible_agents)}")
        return self.possible_agents.index(agent)

    def observe(self, agent: str) -> Seen:
        """What the agent sees: its view encoded, and its legal actions if it must answer."""
        numbers = self._numbered if agent == self._asked and not self.truncations.get(agent) else {}
        return {
            "observation": self.encoding.encode(self.view(agent)),
            "action_mask": self.encoding.action_mask(numbers),
        }

    def view(self, agent: str) -> KingView:
        """The agent's view in full, for agents that read it instead of the observation."""
        return self.game.view(self._table, self._seat(agent))

    def legal(self, agent: str) -> dict[int, KingAction]:
        """The agent's legal actions by number, if it must answer; else none."""
        return dict(self._numbered) if agent == self._asked else {}

    def position(self) -> dict[str, Any]:
        """The position as a JSON object that ``reset`` takes: hidden tiles included, so not for agents."""
        return self.game.state_to_json(self._table)

    def render(self) -> str | None:
        """The table as everybody sees it, in text, if ``render_mode`` is "ansi"."""
        return table_text(self.game.view(self._table)) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""
