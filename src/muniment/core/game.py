"""The protocol of a game: a game is data and a small state machine; everything else only asks it questions.

A ``Game`` is a rulebook with an edition and options chosen. It holds no match: every question takes the state (for
players: the view) it is asked of. The questions are

* whom or what does the game wait for? ``pending``
* what may a seat do, and why not? ``legal_actions``, ``refusal``
* what can chance bring, with what probability? ``chance``
* what does a seat see, and what could the rest be? ``view``, ``redeal``
* what happened, and who may know? the ``EventLog`` given to ``apply`` and ``apply_outcome``
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from muniment.core.chance import ChanceNode, Outcome, Source
from muniment.core.events import Event, EventLog
from muniment.core.options import Option, OptionValue
from muniment.core.refusal import Refusal, Refused
from muniment.core.rulebook import Rulebook

__all__ = ["Action", "Awaited", "Chance", "Decision", "Facts", "Game", "Over", "Pending", "State", "View"]


class Action(Protocol):
    """A choice of a seat: a frozen value that holds ids, never objects; comparable and hashable."""

    @property
    def notation(self) -> str:
        """The action on one line; ``Game.parse_action`` reads it back."""
        ...

    @property
    def rule(self) -> str:
        """The id of the rule that offers the action."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The action as a JSON object; ``Game.action_from_json`` reads it back."""
        ...


class State(Protocol):
    """What is on the table and nothing else: plain values, cheap to copy, comparable."""

    def copy(self) -> Self:
        """An independent copy."""
        ...

    def key(self) -> Hashable:
        """Everything in the state as one hashable value: equal states have equal keys, and only they."""
        ...


class View(Protocol):
    """What one seat (or a spectator) sees and has seen: a separate frozen type with no link to the state."""

    def to_json(self) -> dict[str, Any]:
        """The view as a JSON object, complete."""
        ...


@dataclass(frozen=True, slots=True)
class Decision:
    """The game waits for a choice.

    seats: who must answer (several: each chooses without knowing the others' choices). Games with interrupts may let
    further seats act out of turn; ``Game.legal_actions`` of a seat is the authority.
    kind: the name of the decision frame. rule: the rule that asks.
    """

    seats: tuple[int, ...]
    kind: str
    rule: str


@dataclass(frozen=True, slots=True)
class Chance:
    """The game waits for dice or a draw. kind: what for; rule: the rule that calls for it; what: in words.

    audience: who may see what comes, None for everybody.
    """

    kind: str
    rule: str
    what: str
    audience: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended. returns: each seat's result from 0 (lost) to 1 (won); reason: a stable code; rule: why."""

    returns: tuple[Fraction, ...]
    reason: str
    rule: str


Pending = Decision | Chance | Over


@dataclass(frozen=True, slots=True)
class Awaited:
    """What a view may say of ``Pending``: that the game waits for an answer, and for whose only if that is public.

    kind and rule as in ``Decision`` and ``Chance``; kind "over" at the end. you: whether this seat must answer.
    seats: who must answer, empty where that is a secret or chance.
    """

    kind: str
    rule: str
    you: bool
    seats: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """What a game says of itself once, so that algorithms can refuse games that do not fit.

    hidden_information: whether some seat sees less than the state. simultaneous: whether several seats may be asked at
    once. max_decisions: a bound on the decisions of a game, None if there is none.
    """

    name: str
    title: str
    designers: str
    seats: tuple[int, int]
    hidden_information: bool
    simultaneous: bool
    max_decisions: int | None


S = TypeVar("S", bound=State)
A = TypeVar("A", bound=Action)
O = TypeVar("O", bound=Outcome)
V = TypeVar("V", bound=View)


class Game(ABC, Generic[S, A, O, V]):
    """One game with its edition and options chosen; see the module's text for the questions it answers.

    ``apply`` and ``apply_outcome`` change the state in place and trust their arguments, which search needs;
    ``play`` checks first.
    """

    facts: ClassVar[Facts]
    option_definitions: ClassVar[tuple[Option, ...]]
    revealing: ClassVar[frozenset[str]] = frozenset()  # kinds of event that show what was hidden: undo stops there
    edition_name: str
    edition_digest: str

    @property
    @abstractmethod
    def option_values(self) -> Mapping[str, OptionValue]:
        """The value of every option."""

    @classmethod
    @abstractmethod
    def rulebook(cls) -> Rulebook:
        """The rules and rulings in our own words."""

    # -- positions

    @abstractmethod
    def initial(self, seats: int) -> S:
        """The state before anything is rolled, drawn or chosen. Raises MunimentError for a bad number of seats."""

    @abstractmethod
    def seats_of(self, state: S) -> int:
        """The number of seats."""

    @abstractmethod
    def state_to_json(self, state: S) -> dict[str, Any]:
        """The position as a documented JSON object."""

    @abstractmethod
    def state_from_json(self, value: object) -> S:
        """Read a position. Raises PositionError naming every violation if it cannot occur."""

    # -- the state machine

    @abstractmethod
    def pending(self, state: S) -> Pending:
        """Whom or what the game waits for."""

    @abstractmethod
    def legal_actions(self, state: S, seat: int = 0) -> Sequence[A]:
        """Every action the seat may take now, in a fixed order; empty if it may do nothing. Do not modify it."""

    @abstractmethod
    def refusal(self, state: S, action: A, seat: int = 0) -> Refusal | None:
        """Why the seat may not take the action now, or None if it may. The same predicates as ``legal_actions``."""

    @abstractmethod
    def apply(self, state: S, action: A, seat: int = 0, log: EventLog | None = None) -> None:
        """Carry out a legal action in place, up to the next decision, chance node or end; unchecked."""

    @abstractmethod
    def chance(self, state: S) -> ChanceNode[O]:
        """What chance can bring, at a chance node; elsewhere undefined."""

    def sample(self, state: S, source: Source) -> O:
        """One outcome of the chance node the state is at, drawn from the source."""
        return self.chance(state).sample(source)

    @abstractmethod
    def apply_outcome(self, state: S, outcome: O, log: EventLog | None = None) -> None:
        """Carry out an outcome of the chance node, in place. An outcome it does not have is undefined."""

    def play(self, state: S, action: A, seat: int = 0, log: EventLog | None = None) -> None:
        """``apply`` after checking. Raises Refused, and changes nothing, if the action is not legal."""
        refusal = self.refusal(state, action, seat)
        if refusal is not None:
            raise Refused(refusal, action.notation)
        self.apply(state, action, seat, log)

    def admits(self, state: S, outcome: O) -> bool:
        """Whether the outcome can come at this chance node."""
        return outcome in self.chance(state).outcomes

    # -- what a seat knows

    @abstractmethod
    def view(self, state: S, seat: int | None = None) -> V:
        """What the seat, or a spectator (None), sees and has seen."""

    @abstractmethod
    def redeal(self, view: V, source: Source) -> S:
        """A full state consistent with the view: the prior given what the seat has seen, ignoring others' motives."""

    # -- texts

    @abstractmethod
    def parse_action(self, text: str) -> A:
        """Read an action's notation. Raises NotationError."""

    @abstractmethod
    def action_from_json(self, value: object) -> A:
        """Read an action's JSON form. Raises NotationError."""

    @abstractmethod
    def parse_outcome(self, text: str) -> O:
        """Read an outcome's notation. Raises NotationError."""

    @abstractmethod
    def sentence(self, action: A) -> str:
        """The action in a sentence for people."""

    @abstractmethod
    def tell(self, event: Event) -> str:
        """The event in a sentence for people."""
