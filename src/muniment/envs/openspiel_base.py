"""What both games have in common as Python games of OpenSpiel; a ``Coding`` says how one of them is numbered.

* Chance is explicit: every die and draw is a chance node with exact probabilities. A roll that has too many outcomes
  for one node is several nodes in a row, see ``Coding.chance``.
* The player to move is the one whose decision it is; what can be done out of turn is offered along with one's own
  decisions. So nobody learns from another's move that somebody was asked at a stop.
* An information state is all that the player could see and all that it did, in order, then what it sees now: perfect
  recall. It is what events say to their audience, with absolute seats, and the observation in words.
* An observation is the encoded view as numbers (``tensor``) and its rows that are not 0 in words (``string``).
* Observers take every combination but the private information of all players. Public information is what a spectator
  sees, as from seat 0; private is what of the player's observation a spectator in its place would not see so.
* A game that is not over after ``max_game_length`` decisions, the parameter ``horizon`` where there is one, ends there,
  and the victory is shared by all.
* States can begin at any position, ``game.new_initial_state(JSON object or text)``, and be cloned and pickled.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from muniment.core.errors import MunimentError
from muniment.core.events import Event, EventLog
from muniment.core.game import Chance, Decision, Facts, Game, Over
from muniment.core.options import Option
from muniment.envs.king_encoding import position_value

__all__ = ["Coding", "MunimentGame", "MunimentState", "Observer", "game_type", "option_parameters", "options_from"]

Partial = tuple[int, ...]
Numbers = NDArray[Any]


def game_type(
    short_name: str, facts: Facts, information: Any, utility: Any, parameters: Mapping[str, Any]
) -> pyspiel.GameType:
    """What OpenSpiel wants to know of a game before it is made."""
    return pyspiel.GameType(
        short_name=short_name,
        long_name=facts.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=facts.seats[1],
        min_num_players=facts.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=dict(parameters),
    )


def option_parameters(options: Sequence[Option]) -> dict[str, str | bool | int]:
    """OpenSpiel's parameters for a game's options, with their defaults: 0 for a number that is not set."""
    return {option.name: 0 if option.default is None else option.default for option in options}


def options_from(options: Sequence[Option], parameters: Mapping[str, Any]) -> dict[str, object]:
    """The options that parameters say, those at their defaults left out."""
    defaults = option_parameters(options)
    return {name: parameters[name] for name in defaults if parameters.get(name, defaults[name]) != defaults[name]}


class Coding(ABC):
    """How a game is numbered. rules: the game; decisions: after how many decisions it ends at the latest."""

    rules: Game[Any, Any, Any, Any]
    action_count: int
    chance_count: int
    decisions: int
    parts: tuple[tuple[str, tuple[int, ...]], ...]
    """The names and shapes of an observation's parts, in order."""

    @abstractmethod
    def numbered(self, state: Any, seat: int) -> dict[int, Any]:
        """The seat's legal actions by number."""

    @abstractmethod
    def name(self, number: int) -> str:
        """What an action's number means, whether it is legal or not."""

    @abstractmethod
    def chance(self, state: Any, partial: Partial) -> tuple[list[tuple[int, int]], int]:
        """The numbers that chance can bring and their weights, and the sum of these; partial: of this roll so far."""

    @abstractmethod
    def came(self, state: Any, partial: Partial, number: int) -> Any | None:
        """The outcome that is complete with this number, None while more is to come."""

    @abstractmethod
    def chance_name(self, state: Any, partial: Partial, number: int) -> str:
        """What a number of a chance node means."""

    @abstractmethod
    def observe(self, state: Any, seat: int, *, spectator: bool) -> Numbers:
        """The encoded view of the seat, or a spectator's as from that seat."""

    @abstractmethod
    def lines(self, observation: Numbers) -> list[str]:
        """An observation in words, a line a row that is not 0 throughout."""


class _Held:
    """What a state holds beside OpenSpiel's own: the position, a roll in the making, and what happened.

    Copies share the coding; pickled, the position is its JSON form, read again when a game is at hand.
    """

    __slots__ = ("coding", "decisions", "happened", "numbered", "partial", "position")

    def __init__(self, coding: Coding, position: Any) -> None:
        self.coding: Coding | None = coding
        self.position = position
        self.partial: Partial = ()
        self.decisions = 0
        self.happened: list[tuple[frozenset[int] | None, str]] = []
        self.numbered: dict[int, Any] | None = None

    def __deepcopy__(self, memo: dict[int, Any]) -> _Held:
        new = _Held.__new__(_Held)
        new.coding, new.partial, new.decisions = self.coding, self.partial, self.decisions
        new.position = self.position if self.coding is None else self.position.copy()
        new.happened = self.happened[:]
        new.numbered = self.numbered
        return new

    def __getstate__(self) -> tuple[Any, ...]:
        position = self.position if self.coding is None else self.coding.rules.state_to_json(self.position)
        return position, self.partial, self.decisions, self.happened

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.position, self.partial, self.decisions, self.happened = state
        self.coding = self.numbered = None


class MunimentGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of this package. ``coding`` says how it is numbered, ``coding.rules`` is the game itself."""

    def __init__(self, game_type: Any, coding: Coding, seats: int, parameters: Mapping[str, Any]) -> None:
        self.coding = coding
        info = pyspiel.GameInfo(
            num_distinct_actions=coding.action_count,
            max_chance_outcomes=coding.chance_count,
            num_players=seats,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0 if seats > 1 else None,
            max_game_length=coding.decisions,
        )
        super().__init__(game_type, info, dict(parameters))
        self.seats = seats
        self._first = coding.rules.initial(seats)

    def new_initial_state(self, position: object = None) -> MunimentState:
        """The set-up, or a position as JSON object or text. Raises PositionError, MunimentError for other seats."""
        if position is None:
            return MunimentState(self, self._first.copy())
        rules = self.coding.rules
        read = rules.state_from_json(position_value(position))
        if rules.seats_of(read) != self.seats:
            raise MunimentError(f"the position has {rules.seats_of(read)} seats, the game {self.seats}")
        return MunimentState(self, read)

    def max_chance_nodes_in_history(self) -> int:
        """More than ever come; there is no strict bound where ties are rolled again."""
        return 100 * self.coding.decisions + 1000

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """An observer of this kind; None is the default observation. Raises ValueError for what there is not."""
        return Observer(self.coding, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class MunimentState(pyspiel.State):  # type: ignore[misc]
    """A state in play."""

    def __init__(self, game: MunimentGame, start: Any) -> None:
        super().__init__(game)
        self._held = _Held(game.coding, start)

    @property
    def held(self) -> _Held:
        """The position and what belongs to it; not for players."""
        held = self._held
        if held.coding is None:
            held.coding = self.get_game().coding
            held.position = held.coding.rules.state_from_json(held.position)
        return held

    @property
    def position(self) -> Any:
        """The position as a JSON object that ``new_initial_state`` takes: hidden tiles included, so not for players."""
        return self._coding.rules.state_to_json(self.held.position)

    @property
    def _coding(self) -> Coding:
        coding = self.held.coding
        assert coding is not None
        return coding

    def _pending(self) -> Decision | Chance | Over:
        return self._coding.rules.pending(self.held.position)

    def _cut_short(self) -> bool:
        """Whether as many decisions have been made as there can be."""
        return self.held.decisions >= self._coding.decisions

    def is_terminal(self) -> bool:
        """Whether the game is over, or has been as long as it can be."""
        pending = self._pending()
        return isinstance(pending, Over) or (isinstance(pending, Decision) and self._cut_short())

    def current_player(self) -> int:
        """Whose decision it is, or OpenSpiel's number for chance or the end."""
        pending = self._pending()
        if isinstance(pending, Chance):
            return int(pyspiel.PlayerId.CHANCE)
        if isinstance(pending, Over) or self._cut_short():
            return int(pyspiel.PlayerId.TERMINAL)
        return pending.seats[0]

    def _now(self) -> dict[int, Any]:
        """The legal actions by number, at a decision."""
        held = self.held
        if held.numbered is None:
            held.numbered = self._coding.numbered(held.position, self.current_player())
        return held.numbered

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._now()) if player == self.current_player() else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every number that can come, with its probability. Raises MunimentError at a decision and at the end."""
        held = self.held
        if not isinstance(self._pending(), Chance):
            raise MunimentError(f"no chance is awaited: {self}")
        found, total = self._coding.chance(held.position, held.partial)
        return [(number, weight / total) for number, weight in found]

    def _apply_action(self, number: int) -> None:
        held, coding, log = self.held, self._coding, EventLog()
        player = self.current_player()
        if player == pyspiel.PlayerId.CHANCE:
            outcome = coding.came(held.position, held.partial, number)
            if outcome is None:
                held.partial = (*held.partial, number)
                return
            held.partial = ()
            coding.rules.apply_outcome(held.position, outcome, log)
        else:
            action = self._now().get(number)
            if action is None:
                raise MunimentError(f"action {number} is not legal for player {player} now")
            held.happened.append((frozenset((player,)), f"> {action.notation}"))
            coding.rules.apply(held.position, action, player, log)
            held.decisions += 1
        held.numbered = None
        held.happened += [(event.audience, _told(event)) for event in log.events]

    def _action_to_string(self, player: int, number: int) -> str:
        held = self.held
        if player == pyspiel.PlayerId.CHANCE:
            return self._coding.chance_name(held.position, held.partial, number)
        action = self._now().get(number) if player == self.current_player() else None
        return self._coding.name(number) if action is None else str(action.notation)

    def returns(self) -> list[float]:
        """Each player's share of the victory, 0 before the end."""
        pending, seats = self._pending(), self.num_players()
        if isinstance(pending, Over):
            return [float(share) for share in pending.returns]
        return [1 / seats if seats > 1 and self.is_terminal() else 0.0] * seats

    def __str__(self) -> str:
        pending = self._pending()
        what = pending.reason if isinstance(pending, Over) else pending.kind
        return f"{what} after {self.held.decisions} decisions"


class Observer:
    """OpenSpiel's observer. ``tensor`` and its parts in ``dict`` are float32, None where all of the past is to be seen.

    Raises ValueError for parameters, and for the private information of all players.
    """

    def __init__(self, coding: Coding, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations; given: {params}")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("a view of the private information of all players is not offered")
        self._coding = coding
        self._recall: bool = kind.perfect_recall
        self._public: bool = kind.public_info
        self._private: bool = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self.tensor: Numbers | None = None
        self.dict: dict[str, Numbers] = {}
        if not self._recall:
            sizes = [int(np.prod(shape, dtype=np.int64)) for _, shape in coding.parts]
            self.tensor = np.zeros(sum(sizes), np.float32)
            at = 0
            for (name, shape), size in zip(coding.parts, sizes, strict=True):
                self.dict[name] = self.tensor[at : at + size].reshape(shape)
                at += size

    def set_from(self, state: MunimentState, player: int) -> None:
        """Put the player's observation of the state into ``tensor``."""
        if self.tensor is not None:
            self.tensor[:] = self._observed(state, player)

    def _observed(self, state: MunimentState, player: int) -> Numbers:
        position = state.held.position
        if not self._private:  # the same for everybody
            return self._coding.observe(position, 0, spectator=True) * self._public
        own = self._coding.observe(position, player, spectator=False)
        if self._public:
            return own
        return np.where(own == self._coding.observe(position, player, spectator=True), 0, own)

    def string_from(self, state: MunimentState, player: int) -> str:
        """The player's observation of the state in words; with perfect recall, after all that it has seen and done."""
        lines = self.past(state, player) if self._recall else []
        return "\n".join((*lines, *self._coding.lines(self._observed(state, player)))) or "nothing"

    def past(self, state: MunimentState, player: int) -> list[str]:
        """All that the player has seen happen, and what it did itself, marked with ``>``, a line each."""
        return [
            line
            for audience, line in state.held.happened
            if (self._public if audience is None else self._private and player in audience)
        ]


def _told(event: Event) -> str:
    return " ".join((event.kind, *(f"{name}={_plain(value)}" for name, value in event.facts)))


def _plain(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
