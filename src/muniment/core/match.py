"""A match drives a game: seats, dice, history, undo, and the record of it all.

The match alone holds the state and samples chance. Seats get views; a move names the decision it answers and may carry
an idempotency key, so that a retry gets the first answer and a late move is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from muniment.core.agent import Agent
from muniment.core.chance import Outcome
from muniment.core.dice import RandomStream, SeededDice, commitment_to, new_seed
from muniment.core.errors import MunimentError, NotationError, PositionError, RecordError
from muniment.core.events import Event, EventLog
from muniment.core.game import Action, Chance, Decision, Game, Over, Pending, State, View
from muniment.core.record import CHANCE, RUNNING, Entry, Record
from muniment.core.refusal import Refusal, Refused

__all__ = ["Bookmark", "Match", "verify"]

S = TypeVar("S", bound=State)
A = TypeVar("A", bound=Action)
O = TypeVar("O", bound=Outcome)
V = TypeVar("V", bound=View)


@dataclass(frozen=True, slots=True)
class _Past(Generic[S]):
    """What undo goes back to: the state, and how long the lists were."""

    state: S
    entries: int
    events: int
    decision: int


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Where a match stands: with its record and events up to there, enough to go on without replaying it.

    position: the whole state, hidden information included. entries, events, decision: how many there were. dice: how
    far the dice's stream has been read.
    """

    position: Mapping[str, Any]
    entries: int
    events: int
    decision: int
    dice: int


class Match(Generic[S, A, O, V]):
    """One match of a game.

    seats: the players' names in seat order. seed: 32 bytes for the dice, a fresh secret one if None. nonces: what the
    seats added after seeing ``commitment``. typed: no dice of its own; real ones are entered with ``enter``.
    position: where to begin, the set-up if None.

    With its own dice a match never rests at a chance node: ``act`` goes on to the next decision or the end.
    """

    def __init__(
        self,
        game: Game[S, A, O, V],
        seats: Sequence[str],
        *,
        seed: bytes | None = None,
        nonces: Sequence[bytes] = (),
        typed: bool = False,
        position: S | None = None,
    ) -> None:
        self._begin(game, tuple(seats), seed or new_seed(), tuple(nonces), typed, position)
        self._settle()

    def _begin(
        self,
        game: Game[S, A, O, V],
        seats: tuple[str, ...],
        seed: bytes,
        nonces: tuple[bytes, ...],
        typed: bool,
        position: S | None,
    ) -> None:
        self.game = game
        self.seats = seats
        self._typed = typed
        self._dice = None if typed else SeededDice(seed, nonces)
        self._commitment = None if self._dice is None else self._dice.commitment
        self._nonces = nonces
        self._seed = seed
        self._seed_known = True
        self._state = game.initial(len(seats)) if position is None else position.copy()
        if game.seats_of(self._state) != len(seats):
            raise MunimentError(f"the position has {game.seats_of(self._state)} seats, not {len(seats)}")
        self._position = None if position is None else game.state_to_json(position)
        self._entries: list[Entry] = []
        self._log = EventLog()
        self._past: list[_Past[S]] = []
        self._answers: dict[str, tuple[Event, ...]] = {}
        self._decision = 0

    # -- looking

    @property
    def typed(self) -> bool:
        """Whether real dice and cards are typed in."""
        return self._typed

    @property
    def commitment(self) -> str | None:
        """The commitment to the dice's seed, None with typed dice."""
        return self._commitment

    @property
    def decision(self) -> int:
        """The number of the decision that is awaited; a move may name it, and is refused when it has passed."""
        return self._decision

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All choices and outcomes so far."""
        return tuple(self._entries)

    @property
    def pending(self) -> Pending:
        """Whom or what the match waits for; for whoever runs it, since players learn this from their views."""
        return self.game.pending(self._state)

    @property
    def over(self) -> Over | None:
        """How the match ended, or None."""
        pending = self.pending
        return pending if isinstance(pending, Over) else None

    def view(self, seat: int | None = None) -> V:
        """What the seat, or a spectator, sees."""
        return self.game.view(self._state, seat)

    def legal_actions(self, seat: int) -> Sequence[A]:
        """What the seat may do now."""
        return self.game.legal_actions(self._state, seat)

    def refusal(self, seat: int, action: A) -> Refusal | None:
        """Why the seat may not take the action now, None if it may."""
        return self.game.refusal(self._state, action, seat)

    def events(self, seat: int | None = None, since: int = 0) -> tuple[Event, ...]:
        """The events that the seat, or a spectator, may know of, from the event number ``since`` on."""
        return tuple(event for event in self._log.events[since:] if event.seen_by(seat))

    @property
    def event_count(self) -> int:
        """How many events there have been, for ``events(since=...)``."""
        return len(self._log)

    @property
    def entry_count(self) -> int:
        """How many choices and outcomes there have been."""
        return len(self._entries)

    def journal(self, entries: int = 0, events: int = 0) -> tuple[tuple[Entry, ...], tuple[Event, ...]]:
        """The choices and outcomes from number ``entries`` on and all events from ``events`` on, whoever may know them.

        For storing a match; never for a player.
        """
        return tuple(self._entries[entries:]), tuple(self._log.events[events:])

    def position(self) -> dict[str, Any]:
        """The whole position as JSON, hidden information included: for saving and tools, never for a player."""
        return self.game.state_to_json(self._state)

    def state(self) -> S:
        """A copy of the whole state, hidden information included: for analysis, never for a player."""
        return self._state.copy()

    # -- moving

    def act(self, seat: int, action: A, *, decision: int | None = None, key: str | None = None) -> tuple[Event, ...]:
        """The seat takes the action; the match goes on to the next decision, die to be typed, or end.

        decision: the number of the decision this answers; key: an idempotency key.
        Returns the events the seat may know. Raises Refused, with nothing changed, if the action is not legal or the
        decision it answers has passed.
        """
        if key is not None and (answer := self._answers.get(key)) is not None:
            return answer
        if decision is not None and decision != self._decision:
            stale = Refusal("stale-decision", f"decision {decision} has passed, {self._decision} is awaited", "4.0")
            raise Refused(stale, action.notation)
        refusal = self.game.refusal(self._state, action, seat)
        if refusal is not None:
            raise Refused(refusal, action.notation)
        first = len(self._log)
        self._take(seat, action)
        self._settle()
        answer = self.events(seat, first)
        if key is not None:
            self._answers[key] = answer
        return answer

    def _take(self, seat: int, action: A) -> None:
        before = self.game.pending(self._state)
        if self._past and self._entries and self._entries[-1].seat != seat and not self.typed:
            self._past.clear()
        self._remember()
        first = len(self._log)
        self.game.apply(self._state, action, seat, self._log)
        self._entries.append(Entry(seat, action.notation))
        if not self.game.revealing.isdisjoint(event.kind for event in self._log.events[first:]):
            self._past.clear()  # undo never crosses a reveal
        out_of_turn = isinstance(before, Decision) and seat not in before.seats
        if not (out_of_turn and self.game.pending(self._state) == before):
            self._decision += 1

    def _remember(self) -> None:
        self._past.append(_Past(self._state.copy(), len(self._entries), len(self._log), self._decision))

    def _settle(self) -> None:
        """Let chance decide until the match waits for a seat, for typed dice, or is over."""
        if self._dice is None:
            return
        while isinstance(self.game.pending(self._state), Chance):
            outcome = self.game.sample(self._state, self._dice)
            self._happen(outcome)
            self._past.clear()  # undo never crosses what chance has shown

    def _happen(self, outcome: O) -> None:
        self.game.apply_outcome(self._state, outcome, self._log)
        self._entries.append(Entry(CHANCE, outcome.notation))

    def enter(self, outcome: O) -> tuple[Event, ...]:
        """What the real dice or cards brought. Returns the events everybody may know.

        Raises Refused if no die or card is awaited, or it cannot show that.
        """
        if not isinstance(self.pending, Chance) or not self._typed:
            raise Refused(Refusal("no-chance", "no die or card is awaited", "4.0"), outcome.notation)
        if not self.game.admits(self._state, outcome):
            what = self.pending.what
            raise Refused(
                Refusal("impossible-outcome", f"{what} cannot bring that", self.pending.rule), outcome.notation
            )
        first = len(self._log)
        self._remember()
        self._happen(outcome)
        return self.events(None, first)

    def undo_refusal(self, seat: int) -> Refusal | None:
        """Why the seat cannot undo now, None if it can."""
        if not self._past:
            return Refusal(
                "nothing-to-undo", "nothing can be undone: a die, a card or another player came between", "4.0"
            )
        if self._entries[-1].seat not in (seat, CHANCE):
            return Refusal("not-yours", "the last move was another player's", "4.0")
        return None

    def undo(self, seat: int) -> None:
        """Take back the last choice of the seat, or the last typed outcome. Raises Refused if that is not possible."""
        refusal = self.undo_refusal(seat)
        if refusal is not None:
            raise Refused(refusal, "undo")
        past = self._past.pop()
        self._state = past.state
        del self._entries[past.entries :]
        del self._log.events[past.events :]
        self._decision = past.decision
        self._answers.clear()

    def ask(self, seat: int, agent: Agent[A, V]) -> A:
        """The agent's choice for the seat: it is given the seat's view, its legal actions and its own random stream."""
        source = RandomStream.labelled(self._seed, "agent", seat, len(self._entries))
        return agent.choose(self.view(seat), self.legal_actions(seat), source)

    # -- records

    def record(self, *, seed: bool = True) -> Record:
        """The record so far. seed: whether to reveal the seed; a public record of a running match must not."""
        over = self.over
        return Record(
            game=self.game.facts.name,
            edition=self.game.edition_name,
            edition_digest=self.game.edition_digest,
            options=self.game.option_values,
            seats=self.seats,
            commitment=self.commitment,
            nonces=self._nonces,
            position=self._position,
            entries=tuple(self._entries),
            result=RUNNING if over is None else over.reason,
            seed=self._seed if seed and self._seed_known and not self._typed else None,
        )

    def bookmark(self) -> Bookmark | None:
        """Where the match stands, for ``reopen``; None while a move can still be undone, which would be lost."""
        if self._past or not self._seed_known:
            return None
        dice = 0 if self._dice is None else self._dice.at
        return Bookmark(self.position(), len(self._entries), len(self._log), self._decision, dice)

    @classmethod
    def reopen(
        cls, game: Game[S, A, O, V], record: Record, bookmark: Bookmark, events: Sequence[Event]
    ) -> Match[S, A, O, V]:
        """Go on from a bookmark. record: of the match, with its seed; events: of the match; both up to the bookmark.

        Trusts them, since replaying is what this saves. Raises RecordError if they do not fit together.
        """
        check_game(game, record)
        if (len(record.entries), len(events)) != (bookmark.entries, bookmark.events):
            raise RecordError("the bookmark is of another place in the match")
        if record.seed is None and not record.typed:
            raise RecordError("a match whose seed is withheld cannot go on")
        match = cls.__new__(cls)
        try:
            start = None if record.position is None else game.state_from_json(record.position)
            match._begin(game, record.seats, record.seed or new_seed(), record.nonces, record.typed, start)
            match._state = game.state_from_json(bookmark.position)
        except PositionError as error:
            raise RecordError(f"position: {error}") from None
        match._entries = list(record.entries)
        match._log.events = list(events)
        match._decision = bookmark.decision
        if match._dice is not None:
            match._dice.go_to(bookmark.dice)
        return match

    @classmethod
    def from_record(cls, game: Game[S, A, O, V], record: Record, moves: int | None = None) -> Match[S, A, O, V]:
        """Replay a record, all of it or its first ``moves`` moves; the match can go on from there.

        With seeded dice every outcome is checked against the seed if the record reveals it.
        Raises RecordError if the record is of another game or edition, a move is illegal, or the dice do not fit.
        """
        check_game(game, record)
        if record.seed is not None and record.commitment != commitment_to(record.seed):
            raise RecordError("the seed does not fit the commitment: the dice were tampered with")
        match = cls.__new__(cls)
        try:
            start = None if record.position is None else game.state_from_json(record.position)
            match._begin(game, record.seats, record.seed or new_seed(), record.nonces, record.typed, start)
        except PositionError as error:
            raise RecordError(f"position: {error}") from None
        match._replay(record, record.entries if moves is None else record.entries[:moves])
        if moves is None:
            match._check_result(record)
            match._settle()
        return match

    def _replay(self, record: Record, entries: Sequence[Entry]) -> None:
        if record.seed is None and not record.typed:  # a record that withholds its seed is looked at, not played on
            self._dice, self._seed_known, self._commitment = None, False, record.commitment
        for number, entry in enumerate(entries, 1):
            try:
                if entry.seat == CHANCE:
                    self._replay_outcome(self.game.parse_outcome(entry.notation))
                else:
                    action = self.game.parse_action(entry.notation)
                    refusal = self.game.refusal(self._state, action, entry.seat)
                    if refusal is not None:
                        raise Refused(refusal, entry.notation)
                    self._take(entry.seat, action)
            except (NotationError, Refused) as error:
                raise RecordError(f"move {number}: {error}") from None

    def _replay_outcome(self, outcome: O) -> None:
        if not isinstance(self.pending, Chance):
            raise Refused(Refusal("no-chance", "no die or card is awaited", "4.0"), outcome.notation)
        if not self.game.admits(self._state, outcome):
            raise Refused(
                Refusal("impossible-outcome", f"{self.pending.what} cannot bring that", "4.0"), outcome.notation
            )
        if self._dice is not None:
            fair = self.game.sample(self._state, self._dice)
            if fair != outcome:
                told = f"the seed gives {fair.notation!r}: the dice were tampered with"
                raise Refused(Refusal("tampered", told, "4.0"), outcome.notation)
            self._past.clear()
        else:
            self._remember()
        self._happen(outcome)

    def _check_result(self, record: Record) -> None:
        found = RUNNING if self.over is None else self.over.reason
        if record.result not in (found, RUNNING):
            raise RecordError(f"the record says {record.result!r}, its moves lead to {found!r}")


def check_game(game: Game[Any, Any, Any, Any], record: Record) -> None:
    """Raises RecordError unless the record is of this game, edition and options."""
    if record.game != game.facts.name:
        raise RecordError(f"the record is of the game {record.game!r}, not {game.facts.name!r}")
    if record.edition_digest != game.edition_digest:
        raise RecordError(
            f"the record is of the edition {record.edition!r} ({record.edition_digest[:12]}), "
            f"not {game.edition_name!r} ({game.edition_digest[:12]})"
        )
    if dict(record.options) != dict(game.option_values):
        raise RecordError("the record has other options than the game")


def verify(game: Game[S, A, O, V], record: Record) -> Mapping[str, object]:
    """Replay a finished record and check its dice.

    Returns what was found: ``moves``, ``outcomes``, ``result``, ``verified`` (False with typed dice, where there is
    nothing to check). Raises RecordError if anything does not fit, the seed is withheld, or the match is not over.
    """
    if not record.typed and record.seed is None:
        raise RecordError("the record does not reveal its seed, so its dice cannot be verified")
    match = Match.from_record(game, record)
    return {
        "moves": sum(entry.seat != CHANCE for entry in record.entries),
        "outcomes": sum(entry.seat == CHANCE for entry in record.entries),
        "result": RUNNING if match.over is None else match.over.reason,
        "verified": not record.typed,
    }
