"""The game behind the protocol of ``core.game``: what to ask of a King of the Tabletop."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar

from muniment.core.chance import ChanceNode, Source
from muniment.core.errors import MunimentError, PositionError
from muniment.core.events import Event, EventLog
from muniment.core.game import Awaited, Chance, Decision, Facts, Game, Over, Pending
from muniment.core.options import Option, OptionValue
from muniment.core.refusal import Refusal
from muniment.core.rulebook import Rulebook
from muniment.games.king import (
    build,
    capture,
    collect,
    deeds,
    events,
    fight,
    homecoming,
    land,
    lineup,
    losses,
    purchase,
    trade,
    volley,
    war,
)
from muniment.games.king.actions import KingAction, KingOutcome, action_from_json, parse_action, parse_outcome
from muniment.games.king.box import box_of
from muniment.games.king.legality import explain
from muniment.games.king.magic import ANY_TIME, any_time
from muniment.games.king.options import OPTIONS, KingOptions
from muniment.games.king.position import read_position
from muniment.games.king.redeal import redeal
from muniment.games.king.setup import starting_state
from muniment.games.king.state import KingState
from muniment.games.king.steps import CHANCES, CHOICES, FLOWS, ROLLS
from muniment.games.king.tell import sentence, tell
from muniment.games.king.tiles import KingEdition, standard_edition
from muniment.games.king.turn import somebody_wins
from muniment.games.king.views import KingView, view_of
from muniment.games.king.writing import write_position

__all__ = ["King"]

# Importing these registers their frames.
_RULE_MODULES = (
    build, capture, collect, deeds, events, fight, homecoming, land, lineup, losses, purchase, trade, volley, war,
)  # fmt: skip
_DECISIONS = {
    kind: tuple(Decision((seat,), kind, choice.rule) for seat in range(4)) for kind, choice in CHOICES.items()
}
_ENDINGS = {"king": "K11", "last": "K14", "nobody": "K14", "turn-limit": "K60"}


@cache
def _rolled(purpose: str) -> Chance:
    roll = ROLLS[purpose]
    return Chance(purpose, roll.rule, roll.what)


@cache
def _drawn(kind: str, audience: tuple[int, ...] | None) -> Chance:
    drawing = CHANCES[kind]
    return Chance(kind, drawing.rule, drawing.what, audience)


class King(Game[KingState, KingAction, KingOutcome, KingView]):
    """The game with an edition and options chosen; the package's own tiles and the rulings' defaults if not given."""

    facts: ClassVar[Facts] = Facts(
        name="king",
        title="King of the Tabletop",
        designers="Tom Wham and Robert Kuntz",
        seats=(2, 4),
        hidden_information=True,
        simultaneous=False,
        max_decisions=None,
    )
    option_definitions: ClassVar[tuple[Option, ...]] = OPTIONS
    # What shows others what was hidden (K2): tiles of a battle, of a hand, of an army, and where an army lines up.
    revealing: ClassVar[frozenset[str]] = frozenset(
        {"revealed", "magic", "gift", "treasure", "armed", "reserves", "lined-up", "homeless-tiles", "offer"}
    )

    def __init__(self, edition: KingEdition | None = None, options: KingOptions | None = None) -> None:
        self.options = options or KingOptions()
        self.edition = edition or standard_edition(self.options.edition)
        self.edition_name = self.edition.name
        self.edition_digest = self.edition.digest
        self.box = box_of(self.edition, self.options)

    @property
    def option_values(self) -> Mapping[str, OptionValue]:
        """The value of every option."""
        return self.options.values()

    @classmethod
    @cache
    def rulebook(cls) -> Rulebook:
        """The rules and rulings in our own words."""
        return Rulebook.load(files("muniment.games.king").joinpath("rules.toml"))

    # -- positions

    def initial(self, seats: int) -> KingState:
        """The table before anything has been rolled or drawn (K4, K6)."""
        if not 2 <= seats <= 4:
            raise MunimentError(f"King of the Tabletop is for 2 to 4 players, not {seats}")
        return starting_state(self.box, seats)

    def seats_of(self, state: KingState) -> int:
        """The number of seats."""
        return state.seats

    def state_to_json(self, state: KingState) -> dict[str, Any]:
        """The position in the form documented in ``position``."""
        return write_position(state)

    def state_from_json(self, value: object) -> KingState:
        """Read a position. Raises PositionError naming every violation."""
        state = read_position(self.box, value)
        kind = state.frames[-1].kind
        try:
            self._go_on(state)
            kind = state.frames[-1].kind
            self._try_out(state)
        except (AssertionError, IndexError, KeyError, StopIteration, TypeError, ValueError):
            raise PositionError((f"the frame {kind} does not fit the rest",)) from None
        return state

    def _try_out(self, state: KingState) -> None:
        """Carry out on a copy whatever may come next, so that frames that contradict a battle are found at once."""
        f = state.frames[-1]
        if state.over is not None:
            return
        if f.kind in CHOICES:
            for action in CHOICES[f.kind].legal(state, f):
                self.apply(state.copy(), action, f.seat)
        else:
            outcomes = self.chance(state).outcomes
            for outcome in (outcomes[0], outcomes[-1]):
                self.apply_outcome(state.copy(), outcome)

    # -- the state machine

    def pending(self, state: KingState) -> Pending:
        """What the game waits for. At a stop the holder asked is told here; views do not say (K10)."""
        f = state.frames[-1]
        decisions = _DECISIONS.get(f[0])
        if decisions is not None:
            return decisions[f[1]]
        if state.over is not None:
            reason, winners = state.over
            share = Fraction(1, len(winners))
            returns = tuple(share if seat in winners else Fraction(0) for seat in range(state.seats))
            return Over(returns, reason, _ENDINGS[reason])
        if f.kind == "roll":
            return _rolled(str(f.data[0]))
        return _drawn(f.kind, CHANCES[f.kind].audience(state, f))

    def legal_actions(self, state: KingState, seat: int = 0) -> list[KingAction]:
        """What the seat may do: answer if it is asked, and what any seat may do at any time (K9)."""
        f = state.frames[-1]
        choice = CHOICES.get(f[0])
        if choice is None or seat >= state.seats:
            return []
        found = choice[0](state, f) if f[1] == seat else []
        hand = state.hand[seat]
        if (hand and hand[-1] >= state.box.treasures) or state.owners:
            return found + any_time(state, seat)
        return found

    def refusal(self, state: KingState, action: KingAction, seat: int = 0) -> Refusal | None:
        """Why the action is not allowed now, or None if it is."""
        if action in self.legal_actions(state, seat):
            return None
        return explain(state, action, seat)

    def apply(self, state: KingState, action: KingAction, seat: int = 0, log: EventLog | None = None) -> None:
        """Carry out a legal action, in place."""
        state.log = log
        act = ANY_TIME.get(action[0])
        if act is not None:
            act(state, seat, action)
        else:
            f = state.frames[-1]
            CHOICES[f[0]][1](state, f, action)
        self._go_on(state)
        state.log = None

    def _go_on(self, state: KingState) -> None:
        """Carry out flow frames up to the next decision, chance node or end; victory is checked after each (K11)."""
        frames, flows = state.frames, FLOWS
        while True:
            if state.grans and state.over is None and somebody_wins(state):
                return
            f = frames[-1]
            flow = flows.get(f[0])
            if flow is not None:
                del frames[-1]
                flow(state, f)
            elif state.out and state.over is None and f.seat >= 0 and state.out >> f.seat & 1 and f.kind in CHOICES:
                frames.pop()  # nobody asks a player who is out
            else:
                return

    def chance(self, state: KingState) -> ChanceNode[KingOutcome]:
        """What can come: dice, a tile; a battle's roll as its fold (see ``volley``)."""
        f = state.frames[-1]
        return CHANCES[f.kind].node(state, f)

    def sample(self, state: KingState, source: Source) -> KingOutcome:
        """One outcome from the source; a battle's roll die by die."""
        f = state.frames[-1]
        return CHANCES[f[0]][1](state, f, source)

    def apply_outcome(self, state: KingState, outcome: KingOutcome, log: EventLog | None = None) -> None:
        """Carry out what chance brought, in place; a battle's roll die by die or as a fold."""
        state.log = log
        f = state.frames[-1]
        CHANCES[f[0]][2](state, f, outcome)
        self._go_on(state)
        state.log = None

    def admits(self, state: KingState, outcome: KingOutcome) -> bool:
        """Whether the outcome can come at this chance node; a battle's roll die by die or as a fold."""
        f = state.frames[-1]
        if f.kind == "volley-dice" and outcome.kind == "dice":
            folded = self.chance(state).outcomes[0].args
            number = sum(int(x) for at, x in enumerate(folded) if at % 5)
            return len(outcome.args) == number and all(x in (1, 2, 3, 4, 5, 6) for x in outcome.args)
        return outcome in self.chance(state).outcomes

    # -- what a seat knows

    def view(self, state: KingState, seat: int | None = None) -> KingView:
        """What the seat, or a spectator, sees and has seen (K2)."""
        return view_of(state, -1 if seat is None else seat, self._awaited(state, seat))

    def _awaited(self, state: KingState, seat: int | None) -> Awaited:
        pending = self.pending(state)
        if isinstance(pending, Over):
            return Awaited("over", pending.rule, you=False)
        if isinstance(pending, Chance):
            return Awaited(pending.kind, pending.rule, you=False)
        hidden = CHOICES[pending.kind].hidden
        you = seat in pending.seats
        return Awaited(pending.kind, pending.rule, you, () if hidden and not you else pending.seats)

    def redeal(self, view: KingView, source: Source) -> KingState:
        """A full state consistent with the view."""
        return redeal(self.box, view, source)

    # -- texts

    def parse_action(self, text: str) -> KingAction:
        """Read an action's notation. Raises NotationError."""
        return parse_action(self.edition, text)

    def action_from_json(self, value: object) -> KingAction:
        """Read an action's JSON form. Raises NotationError."""
        return action_from_json(self.edition, value)

    def parse_outcome(self, text: str) -> KingOutcome:
        """Read an outcome's notation. Raises NotationError."""
        return parse_outcome(self.edition, text)

    def sentence(self, action: KingAction) -> str:
        """The action in a sentence for people."""
        return sentence(self.edition, action)

    def tell(self, event: Event) -> str:
        """The event in a sentence for people."""
        return tell(self.edition, event)
