"""Two tiny games that show how a game is written, with values that can be worked out by hand.

``Standoff``: hidden hands and a simultaneous choice. Each of two seats is dealt one card of 1, 2, 3; both stake or fold
without knowing the other's choice. Both fold: half each. One folds: the other wins. Both stake: the higher card wins.

``Charm``: an interrupt. One of two seats secretly holds a charm. Seat 0 rolls a die and wins with 5 or more; first the
holder may change it by one, up if it is seat 0, down if it is seat 1. With best play seat 0 wins with probability
(3/6 + 1/6) / 2 = 1/3: its own charm makes a 4 good, the other's makes a 5 bad.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

from muniment.core.chance import ChanceNode, Source
from muniment.core.errors import MunimentError, NotationError, PositionError
from muniment.core.events import Event, EventLog
from muniment.core.frames import Frame
from muniment.core.game import Awaited, Chance, Decision, Facts, Game, Over, Pending
from muniment.core.options import Option, OptionValue
from muniment.core.refusal import Refusal
from muniment.core.rulebook import Rule, Rulebook


@dataclass(frozen=True, slots=True)
class Word:
    """An action or outcome that is one word, perhaps with a number."""

    notation: str
    rule: str = "1"

    def to_json(self) -> dict[str, Any]:
        return {"action": self.notation}


def word_from(text: object, words: Sequence[Word]) -> Word:
    for word in words:
        if text in (word.notation, word.to_json()):
            return word
    raise NotationError(f"{text!r} is not one of {', '.join(word.notation for word in words)}")


@dataclass(slots=True)
class Table:
    """The state of both games: a stack of frames, a card or charm per seat, secret choices, the die."""

    stack: list[Frame]
    hands: list[int] = field(default_factory=lambda: [0, 0])
    choices: list[str] = field(default_factory=lambda: ["", ""])
    die: int = 0

    def copy(self) -> Table:
        return Table(self.stack[:], self.hands[:], self.choices[:], self.die)

    def key(self) -> tuple[object, ...]:
        return (tuple(self.stack), tuple(self.hands), tuple(self.choices), self.die)


@dataclass(frozen=True, slots=True)
class TableView:
    """What a seat sees: its own hand and choice, the die; never whose answer is awaited."""

    seat: int | None
    hand: int
    choice: str
    die: int
    awaited: Awaited

    def to_json(self) -> dict[str, Any]:
        return {"seat": self.seat, "hand": self.hand, "choice": self.choice, "die": self.die}


class _Toy(Game[Table, Word, Word, TableView]):
    option_definitions: ClassVar[tuple[Option, ...]] = ()
    edition_name = "toy"
    edition_digest = "0" * 64
    actions: ClassVar[tuple[Word, ...]]
    outcomes: ClassVar[tuple[Word, ...]]

    @property
    def option_values(self) -> Mapping[str, OptionValue]:
        return {}

    @classmethod
    def rulebook(cls) -> Rulebook:
        return Rulebook((Rule("1", "Toy", "A toy game."),))

    def seats_of(self, state: Table) -> int:
        return 2

    def _check(self, seats: int) -> None:
        if seats != 2:
            raise MunimentError(f"{self.facts.title} is for 2 players, not {seats}")

    def state_to_json(self, state: Table) -> dict[str, Any]:
        return {
            "stack": [frame.to_json() for frame in state.stack],
            "hands": state.hands[:],
            "choices": state.choices[:],
            "die": state.die,
        }

    def state_from_json(self, value: object) -> Table:
        match value:
            case {"stack": [*stack], "hands": [int(), int()] as hands, "choices": [*choices], "die": int(die)}:
                return Table([Frame.from_json(frame) for frame in stack], list(hands), list(choices), die)
        raise PositionError((f"not a toy position: {value!r}",))

    def refusal(self, state: Table, action: Word, seat: int = 0) -> Refusal | None:
        if action in self.legal_actions(state, seat):
            return None
        return Refusal("not-now", "this seat has no such choice now", "1")

    def redeal(self, view: TableView, source: Source) -> Table:
        raise AssertionError("each toy has its own")

    def parse_action(self, text: str) -> Word:
        return word_from(text, self.actions)

    def action_from_json(self, value: object) -> Word:
        return word_from(value, self.actions)

    def parse_outcome(self, text: str) -> Word:
        return word_from(text, self.outcomes)

    def sentence(self, action: Word) -> str:
        return action.notation.capitalize()

    def tell(self, event: Event) -> str:
        return f"{event.kind} {dict(event.facts)}"


STAKE, FOLD = Word("stake"), Word("fold")
CARDS = (Word("card 1"), Word("card 2"), Word("card 3"))


class Standoff(_Toy):
    facts: ClassVar[Facts] = Facts("standoff", "Standoff", "nobody", (2, 2), True, True, 2)
    actions = (STAKE, FOLD)
    outcomes = CARDS

    def initial(self, seats: int) -> Table:
        self._check(seats)
        return Table([Frame("choose"), Frame("deal", 1), Frame("deal", 0)])

    def pending(self, state: Table) -> Pending:
        if not state.stack:
            return Over(self._returns(state), "shown", "1")
        top = state.stack[-1]
        if top.kind == "deal":
            return Chance("deal", "1", f"the card of seat {top.seat}", (top.seat,))
        return Decision(tuple(seat for seat in (0, 1) if not state.choices[seat]), "choose", "1")

    @staticmethod
    def _returns(state: Table) -> tuple[Fraction, ...]:
        staked = [choice == STAKE.notation for choice in state.choices]
        if staked[0] == staked[1]:
            first = Fraction(state.hands[0] > state.hands[1]) if staked[0] else Fraction(1, 2)
        else:
            first = Fraction(staked[0])
        return first, 1 - first

    def legal_actions(self, state: Table, seat: int = 0) -> Sequence[Word]:
        pending = self.pending(state)
        return self.actions if isinstance(pending, Decision) and seat in pending.seats else ()

    def apply(self, state: Table, action: Word, seat: int = 0, log: EventLog | None = None) -> None:
        state.choices[seat] = action.notation
        if all(state.choices):
            state.stack.pop()
            if log is not None:
                log.add("shown", "1", choices=tuple(state.choices))

    def chance(self, state: Table) -> ChanceNode[Word]:
        return ChanceNode.uniform(tuple(CARDS[card - 1] for card in (1, 2, 3) if card not in state.hands))

    def apply_outcome(self, state: Table, outcome: Word, log: EventLog | None = None) -> None:
        seat = state.stack.pop().seat
        state.hands[seat] = CARDS.index(outcome) + 1
        if log is not None:
            log.add("dealt", "1", audience=frozenset((seat,)), card=state.hands[seat])

    def view(self, state: Table, seat: int | None = None) -> TableView:
        pending = self.pending(state)
        you = isinstance(pending, Decision) and seat in pending.seats
        awaited = Awaited(state.stack[-1].kind if state.stack else "over", "1", you)
        mine = (0, "") if seat is None else (state.hands[seat], state.choices[seat])
        return TableView(seat, *mine, state.die, awaited)

    def redeal(self, view: TableView, source: Source) -> Table:
        state = Table([Frame("choose")])
        cards = [1, 2, 3]
        for seat in (0, 1):
            if seat == view.seat:
                state.hands[seat], state.choices[seat] = view.hand, view.choice
                cards.remove(view.hand)
        for seat in (0, 1):
            if seat != view.seat:
                state.hands[seat] = cards.pop(source.below(len(cards)))
        return state


USE, PASS = Word("use"), Word("pass")
HOLDERS = (Word("holder 0"), Word("holder 1"))
FACES = tuple(Word(f"roll {face}") for face in range(1, 7))


class Charm(_Toy):
    facts: ClassVar[Facts] = Facts("charm", "Charm", "nobody", (2, 2), True, False, 1)
    actions = (USE, PASS)
    outcomes = (*HOLDERS, *FACES)

    def initial(self, seats: int) -> Table:
        self._check(seats)
        return Table([Frame("judge"), Frame("roll", 0), Frame("holder")])

    def pending(self, state: Table) -> Pending:
        if not state.stack:
            first = Fraction(state.die >= 5)
            return Over((first, 1 - first), "rolled", "1")
        top = state.stack[-1]
        if top.kind == "charm":
            return Decision((top.seat,), "charm", "1")
        return Chance(top.kind, "1", "the holder" if top.kind == "holder" else "the die")

    def legal_actions(self, state: Table, seat: int = 0) -> Sequence[Word]:
        return self.actions if state.stack and state.stack[-1] == Frame("charm", seat) else ()

    def apply(self, state: Table, action: Word, seat: int = 0, log: EventLog | None = None) -> None:
        state.stack.pop()  # the interrupt is over: what lies beneath resumes
        if action == USE:
            state.hands[seat] = 0
            state.die += 1 if seat == 0 else -1
            if log is not None:
                log.add("charmed", "1", seat=seat, die=state.die)
        assert state.stack.pop().kind == "judge"

    def chance(self, state: Table) -> ChanceNode[Word]:
        return ChanceNode.uniform(HOLDERS if state.stack[-1].kind == "holder" else FACES)

    def apply_outcome(self, state: Table, outcome: Word, log: EventLog | None = None) -> None:
        if state.stack.pop().kind == "holder":
            state.hands[HOLDERS.index(outcome)] = 1
            return
        state.die = FACES.index(outcome) + 1
        state.stack.append(Frame("charm", state.hands.index(1)))
        if log is not None:
            log.add("rolled", "1", die=state.die)

    def view(self, state: Table, seat: int | None = None) -> TableView:
        pending = self.pending(state)
        you = isinstance(pending, Decision) and seat in pending.seats
        awaited = Awaited(state.stack[-1].kind if state.stack else "over", "1", you)
        return TableView(seat, 0 if seat is None else state.hands[seat], "", state.die, awaited)

    def redeal(self, view: TableView, source: Source) -> Table:
        holder = source.below(2) if view.seat is None else view.seat if view.hand else 1 - view.seat
        state = self.initial(2)
        self.apply_outcome(state, HOLDERS[holder])
        if view.die:
            self.apply_outcome(state, FACES[view.die - 1])
        return state


def without_whose(view: TableView) -> TableView:
    """The view as somebody who is not asked must see it."""
    return replace(view, awaited=replace(view.awaited, you=False))
