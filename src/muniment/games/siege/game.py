"""9 Card Siege as a ``Game``: the sequence of play (4.0) strung together from the rules modules."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar

from muniment.core.chance import ChanceNode, Source
from muniment.core.errors import MunimentError
from muniment.core.events import Event, EventLog
from muniment.core.game import Awaited, Chance, Decision, Facts, Game, Over, Pending
from muniment.core.odds import Odds, OddsCase
from muniment.core.options import Option, OptionValue
from muniment.core.refusal import Refusal
from muniment.core.rulebook import Rulebook
from muniment.games.siege.actions import (
    ACTIONS,
    ARCHERS,
    BOILING_WATER,
    END_TURN,
    EXTRA_MORALE,
    EXTRA_SUPPLIES,
    RALLY_SUPPLY,
    SiegeAction,
    action_from_json,
    parse_action,
)
from muniment.games.siege.edition import Division, SiegeEdition, standard_edition
from muniment.games.siege.endings import ENDINGS, WON
from muniment.games.siege.enemy import events_happen, trebuchet_roll, units_advance
from muniment.games.siege.legality import legal_actions, refusal
from muniment.games.siege.odds import case_label, changes, merged
from muniment.games.siege.options import OPTIONS, SiegeOptions
from muniment.games.siege.outcomes import D6, D6_NODE, SiegeOutcome, draws, parse_outcome
from muniment.games.siege.player_actions import carry_out, resolve_roll
from muniment.games.siege.position import read_position, rolling_fault, write_position
from muniment.games.siege.rolls import Judgement, Modifiers, judge, modifiers
from muniment.games.siege.state import (
    ACTIONS_STEP,
    DRAW,
    LINE_CHECK,
    OVER,
    ROLL,
    TREBUCHETS,
    SiegeState,
    starting_state,
)
from muniment.games.siege.tell import tell
from muniment.games.siege.terms import CIRCLE, MAX_STATUS, MORALE, SUPPLIES, WALL
from muniment.games.siege.turn import end_turn, line_check
from muniment.games.siege.view import SiegeView, state_from_view, view_of

__all__ = ["Siege"]

_ACTIONS_PENDING = Decision((0,), "actions", "9.0")
_CHANCES = {
    LINE_CHECK: Chance("line-check", "5.1", "the enemy line check's die"),
    DRAW: Chance("draw", "6.0", "the top event card"),
    TREBUCHETS: Chance("trebuchets", "7.2", "the die for the single trebuchet"),
}
_ROLLS = tuple(Chance("roll", action.rule, f"the die for: {action.sentence}") for action in ACTIONS)
_LOST, _WIN = (Fraction(0),), (Fraction(1),)


class Siege(Game[SiegeState, SiegeAction, SiegeOutcome, SiegeView]):
    """The game with an edition and options chosen; the printed cards and the rulings' defaults if not given."""

    facts: ClassVar[Facts] = Facts(
        name="siege",
        title="9 Card Siege",
        designers="Chris Hansen",
        seats=(1, 1),
        hidden_information=False,
        simultaneous=False,
        max_decisions=27 * 12,
    )
    option_definitions: ClassVar[tuple[Option, ...]] = OPTIONS

    def __init__(self, edition: SiegeEdition | None = None, options: SiegeOptions | None = None) -> None:
        self.edition = edition or standard_edition()
        self.options = options or SiegeOptions()
        self.edition_name = self.edition.name
        self.edition_digest = self.edition.digest
        self.full_deck = (1 << len(self.edition.cards)) - 1
        self._index = {card.number: index for index, card in enumerate(self.edition.cards)}
        self._legal: dict[tuple[object, ...], tuple[SiegeAction, ...]] = {}
        self._modifiers: dict[tuple[int, int, int, bool], Modifiers] = {}
        self._draws: dict[int, ChanceNode[SiegeOutcome]] = {}

    def __copy__(self) -> Siege:
        return Siege(self.edition, self.options)  # with memories of its own

    @property
    def option_values(self) -> Mapping[str, OptionValue]:
        """The value of every option."""
        return self.options.values()

    @classmethod
    @cache
    def rulebook(cls) -> Rulebook:
        """The rules and rulings in our own words."""
        return Rulebook.load(files("muniment.games.siege").joinpath("rules.toml"))

    # -- positions

    def initial(self, seats: int = 1) -> SiegeState:
        """The set-up (3.0), waiting for the first card."""
        if seats != 1:
            raise MunimentError(f"9 Card Siege is for 1 player, not {seats}")
        return starting_state(self.edition.start_status, self.edition.start_trebuchets, len(self.edition.cards))

    def seats_of(self, state: SiegeState) -> int:
        """Always 1."""
        return 1

    def state_to_json(self, state: SiegeState) -> dict[str, Any]:
        """The position in the form documented in ``position``."""
        return write_position(state, self.edition)

    def state_from_json(self, value: object) -> SiegeState:
        """Read a position. Raises PositionError naming every violation."""
        state = read_position(value, self.edition)
        if state.step == ROLL:
            chosen = ACTIONS[state.rolling]
            before = state.copy()
            before.step = ACTIONS_STEP
            before.points += 1
            if chosen.kind == BOILING_WATER:
                if not state.boiled:
                    raise rolling_fault(Refusal("not-used", "boiling water counts as used once it is chosen", "S12"))
                before.boiled = False
            elif chosen.kind == RALLY_SUPPLY:
                if state.status[SUPPLIES] == MAX_STATUS:
                    raise rolling_fault(Refusal("not-paid", "the extra supply is paid before the roll", "S16"))
                before.status[SUPPLIES] += 1
            if not chosen.rolls or (refused := self.refusal(before, chosen)) is not None:
                raise rolling_fault(refused if chosen.rolls and refused else Refusal("no-roll", "it has no die", "9.1"))
        return state

    # -- the state machine

    def division(self, state: SiegeState) -> Division | None:
        """The division of the card in play, None before the draw."""
        return self.edition.division(state.card, state.day) if state.card >= 0 else None

    def pending(self, state: SiegeState) -> Pending:
        """What the game waits for."""
        step = state.step
        if step == ACTIONS_STEP:
            return _ACTIONS_PENDING
        if step == ROLL:
            return _ROLLS[state.rolling]
        if step == OVER:
            ending = ENDINGS[state.result]
            return Over(_WIN if state.result == WON else _LOST, state.result, ending.rule)
        return _CHANCES[step]

    def legal_actions(self, state: SiegeState, seat: int = 0) -> tuple[SiegeAction, ...]:
        """Every legal action, in the order of ``ACTIONS``."""
        if state.step != ACTIONS_STEP or seat != 0:
            return ()
        status = state.status
        # All that the predicates of ``legality`` look at, and nothing more: few sets ever have to be worked out.
        key = (
            *state.units, state.points > 0, state.card, state.day, status[WALL] == MAX_STATUS,
            status[MORALE] == MAX_STATUS, status[MORALE] > 0, status[SUPPLIES] > 0, state.trebuchets > 0,
            state.soldiers, state.raided, state.extra_used, state.free_move, state.boiled,
        )  # fmt: skip
        found = self._legal.get(key)
        if found is None:
            found = self._legal[key] = legal_actions(state, self.division(state), self.options)
        return found

    def refusal(self, state: SiegeState, action: SiegeAction, seat: int = 0) -> Refusal | None:
        """Why the action is not allowed now, or None if it is."""
        if seat != 0:
            return Refusal("no-such-seat", "the game has one seat", "3.0")
        return refusal(state, action, self.division(state), self.options)

    def apply(self, state: SiegeState, action: SiegeAction, seat: int = 0, log: EventLog | None = None) -> None:
        """Carry out a legal action, in place."""
        if action.kind == END_TURN:
            if log is not None:
                log.add("action", action.rule, action=action.notation)
            end_turn(state, self.full_deck, log)
        else:
            carry_out(state, action, log)
        if state.step == OVER and log is not None:
            self._log_end(state, log)

    def chance(self, state: SiegeState) -> ChanceNode[SiegeOutcome]:
        """A die, or a card of the deck."""
        if state.step != DRAW:
            return D6_NODE
        node = self._draws.get(state.deck)
        if node is None:
            node = self._draws[state.deck] = draws(
                tuple(number for number, index in self._index.items() if state.deck >> index & 1)
            )
        return node

    def sample(self, state: SiegeState, source: Source) -> SiegeOutcome:
        """One outcome of the chance node, from the source."""
        if state.step != DRAW:
            return D6[source.below(6)]
        outcomes = self.chance(state).outcomes
        return outcomes[source.below(len(outcomes))]

    def apply_outcome(self, state: SiegeState, outcome: SiegeOutcome, log: EventLog | None = None) -> None:
        """Carry out a die or a drawn card, in place."""
        step, value = state.step, outcome.value
        if log is not None and step != DRAW:
            log.add("die", self.pending(state).rule, face=value)
        if step == ROLL:
            resolve_roll(state, self.judgement(state, value), log)
        elif step == DRAW:
            self._card_drawn(state, self._index[value], log)
        elif step == LINE_CHECK:
            line_check(state, value, log)
        else:
            trebuchet_roll(state, value, log)
            if state.step != OVER:
                self._actions_begin(state, self.edition.division(state.card, state.day))
        if state.step == OVER and log is not None:
            self._log_end(state, log)

    def _card_drawn(self, state: SiegeState, card: int, log: EventLog | None) -> None:
        """Card play, event and enemy movement (6.0, 7.0, 8.0), up to the actions or a trebuchet's die."""
        state.deck &= ~(1 << card)
        state.card = card
        division = self.edition.division(card, state.day)
        if log is not None:
            log.add("card", "6.0", number=self.edition.cards[card].number, title=division.title, day=state.day)
        state.step = ACTIONS_STEP
        events_happen(state, division, log)
        if state.step != ACTIONS_STEP:
            return
        units_advance(state, division, log)
        if state.step != OVER:
            self._actions_begin(state, division)

    @staticmethod
    def _actions_begin(state: SiegeState, division: Division) -> None:
        state.step = ACTIONS_STEP
        state.points = division.actions

    def _log_end(self, state: SiegeState, log: EventLog) -> None:
        log.add("over", ENDINGS[state.result].rule, result=state.result)

    # -- dice

    def modifiers(self, state: SiegeState, action: SiegeAction) -> Modifiers:
        """The DRMs of the action's roll in this turn (S2)."""
        on_circle = action.kind in (ARCHERS, BOILING_WATER) and state.units[action.unit] == CIRCLE
        key = (state.card, state.day, action.index, on_circle)
        found = self._modifiers.get(key)
        if found is None:
            division = self.edition.division(state.card, state.day)
            found = self._modifiers[key] = modifiers(action, division, on_circle)
        return found

    def judgement(self, state: SiegeState, face: int) -> Judgement:
        """What the natural face does for the action whose die is awaited."""
        action = ACTIONS[state.rolling]
        return judge(action, face, self.modifiers(state, action), self.edition, self.options)

    def odds(self, view: SiegeView, action: SiegeAction) -> Odds:
        """What the action costs, and every way it can turn out with its exact probability.

        Worked out by the rules themselves on copies. Raises Refused if the action is not legal.
        """
        before = state_from_view(view)
        chosen = before.copy()
        self.play(chosen, action)
        points = before.points - chosen.points if action.costs_point else 0
        price: tuple[str, ...] = (f"{points} AP",) if points else ()
        if not action.rolls or chosen.step != ROLL:  # paying can lose the game at once (S16)
            effects = changes(before, chosen)
            if action.kind in (EXTRA_MORALE, EXTRA_SUPPLIES):
                effects = ("AP +1", *effects)
            label = "failure" if action.rolls else "certain"
            return Odds(price, (OddsCase(label, Fraction(1), (), effects),))
        price += changes(before, chosen)
        faces = []
        for outcome in D6:
            after = chosen.copy()
            self.apply_outcome(after, outcome)
            faces.append((outcome.value, case_label(self.judgement(chosen, outcome.value)), changes(chosen, after)))
        return merged(price, faces)

    # -- what the player knows

    def view(self, state: SiegeState, seat: int | None = None) -> SiegeView:
        """What is on the table; the same for the player and a spectator but for whose answer is awaited."""
        pending = self.pending(state)
        if isinstance(pending, Over):
            awaited = Awaited("over", pending.rule, you=False)
        elif isinstance(pending, Decision):
            awaited = Awaited(pending.kind, pending.rule, you=seat == 0, seats=(0,))
        else:
            awaited = Awaited(pending.kind, pending.rule, you=False)
        return view_of(state, self.edition, awaited)

    def redeal(self, view: SiegeView, source: Source) -> SiegeState:
        """The state that looks like the view; nothing is hidden, so the source is not used."""
        return state_from_view(view)

    # -- texts

    def parse_action(self, text: str) -> SiegeAction:
        """Read an action's notation. Raises NotationError."""
        return parse_action(text)

    def action_from_json(self, value: object) -> SiegeAction:
        """Read an action's JSON form. Raises NotationError."""
        return action_from_json(value)

    def parse_outcome(self, text: str) -> SiegeOutcome:
        """Read an outcome's notation. Raises NotationError."""
        return parse_outcome(text)

    def sentence(self, action: SiegeAction) -> str:
        """The action in a sentence for people."""
        return action.sentence

    def tell(self, event: Event) -> str:
        """The event in a sentence for people."""
        return tell(event)
