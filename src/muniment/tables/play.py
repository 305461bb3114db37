"""A match at a table: moves come in as commands, go out as rows to be stored, and are replayed from them.

It knows no storage and no seats' secrets. A command is worked out in memory first; if storing it fails, the whole
``Play`` is thrown away and read again, so that nobody ever sees what was not stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from muniment.core.errors import MunimentError, NotationError
from muniment.core.events import Event, Fact
from muniment.core.game import Chance, Decision, Game, Over
from muniment.core.match import Bookmark, Match
from muniment.core.record import CHANCE, Entry, Record
from muniment.core.refusal import Refusal, Refused
from muniment.tables.errors import Invalid, MoveRefused
from muniment.tables.values import LogLine

__all__ = ["ACT", "ENTER", "START", "UNDO", "Command", "Play", "Stored", "replayed"]

START, ACT, ENTER, UNDO = "start", "act", "enter", "undo"
AnyGame = Game[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Command:
    """What a seat wants: kind is act, enter or undo; texts: the notations of its actions, or of one outcome."""

    kind: str
    seat: int
    texts: tuple[str, ...] = ()

    def body(self) -> str:
        """As it is stored, and compared with when its key comes again."""
        return json.dumps(list(self.texts))


@dataclass(frozen=True, slots=True)
class Stored:
    """A move as a row of the storage has it; see ``models.Move``."""

    number: int
    kind: str
    seat: int
    body: str
    entries: str
    events: str
    entry_count: int
    event_count: int


class Play:
    """One match. asked: for each seat, the number of the move since which it is asked what it is asked, 0 if nothing.

    A decision stays the same for a seat while neither what it is asked nor what it may do changes and it does not move
    itself: moves of others in between do not make its answer stale.
    """

    def __init__(self, match: Match[Any, Any, Any, Any], number: int, asked: Sequence[int] | None = None) -> None:
        self.match = match
        self.game: AnyGame = match.game
        self.number = number
        self._events: list[Event] = []
        self._lines: dict[int | None, list[LogLine]] = {}
        self._scanned: dict[int | None, int] = {}
        self._starts: list[int] = []
        self._public: tuple[int, tuple[int, ...]] | None = None
        count = len(match.seats)
        self._signs: list[object] = [None] * count
        self.asked = [0] * count
        if asked is None:
            self._ask(CHANCE)
        else:
            self._signs = [self._sign(seat) for seat in range(count)]
            self.asked = list(asked)

    # -- beginning

    @classmethod
    def start(cls, game: AnyGame, names: Sequence[str], seed: bytes, nonces: Sequence[bytes], typed: bool,
              position: Mapping[str, Any] | None) -> tuple[Play, Stored]:  # fmt: skip
        """A new match, and its first move to be stored: what chance brought before anybody chose."""
        state = None if position is None else game.state_from_json(position)
        match = Match(game, names, seed=seed, nonces=nonces, typed=typed, position=state)
        play = cls(match, 1)
        return play, play._stored(Command(START, CHANCE), 0, 0)

    @classmethod
    def read(
        cls,
        game: AnyGame,
        names: Sequence[str],
        seed: bytes,
        nonces: Sequence[bytes],
        typed: bool,
        position: Mapping[str, Any] | None,
        moves: Sequence[Stored],
        snapshot: tuple[int, str] | None = None,
    ) -> Play:
        """The match again, from all its stored moves and perhaps a snapshot (its move's number and its body)."""
        if snapshot is None:
            play, first = cls.start(game, names, seed, nonces, typed, position)
            _must_agree(first, moves[0])
            play.follow(moves[1:])
            return play
        number, text = snapshot
        body = json.loads(text)
        asked = body.pop("asked")
        before = [move for move in moves if move.number <= number]
        entries, events = replayed(before)
        blank = Match(game, names, seed=seed, typed=typed).record()
        head = Record(
            blank.game, blank.edition, blank.edition_digest, blank.options, blank.seats, blank.commitment,
            tuple(nonces), position, tuple(entries), seed=None if typed else seed,
        )  # fmt: skip
        match = Match.reopen(game, head, Bookmark(**body), events)
        play = cls(match, number, asked)
        play.follow([move for move in moves if move.number > number])
        return play

    def follow(self, moves: Iterable[Stored]) -> None:
        """Carry out moves that were stored elsewhere. Raises MunimentError if they do not lead where they led."""
        for move in moves:
            _must_agree(self.carry_out(Command(move.kind, move.seat, tuple(json.loads(move.body)))), move)

    def snapshot(self) -> str | None:
        """A snapshot after the last move, None where undo is possible or the position cannot be written exactly."""
        bookmark = self.match.bookmark()
        if bookmark is None:
            return None
        names = ("position", "entries", "events", "decision", "dice")
        return json.dumps({**{name: getattr(bookmark, name) for name in names}, "asked": self.asked})

    # -- moving

    def read_action(self, value: str | Mapping[str, Any]) -> Any:
        """An action from its notation or JSON form. Raises Invalid."""
        try:
            return self.game.parse_action(value) if isinstance(value, str) else self.game.action_from_json(value)
        except NotationError:
            raise Invalid("that is not an action of the game", "notation") from None
        except (ValueError, TypeError, KeyError, IndexError, RecursionError, AttributeError):
            raise Invalid("that is not an action of the game", "notation") from None

    def carry_out(self, command: Command) -> Stored:
        """Do it, all of it or nothing. Raises MoveRefused, Invalid."""
        entries, events = self.match.entry_count, self.match.event_count
        if command.kind == UNDO:
            self._undo(command.seat)
        else:
            try:
                if command.kind == ENTER:
                    self._enter(command.texts)
                else:
                    self._act(command.seat, command.texts)
            except Refused as refused:
                raise MoveRefused(refused.refusal) from None
            self._starts.append(entries)
        self.number += 1
        self._ask(command.seat)
        return self._stored(command, entries, events)

    def _act(self, seat: int, texts: Sequence[str]) -> None:
        actions = [self.read_action(text) for text in texts]
        if len(actions) > 1:  # try it out first: the sequence is accepted or refused as one
            state = self.match.state()
            for action in actions:
                self.game.play(state, action, seat)
        for action in actions:
            self.match.act(seat, action)

    def _enter(self, texts: Sequence[str]) -> None:
        try:
            (outcome,) = (self.game.parse_outcome(text) for text in texts)
        except (NotationError, ValueError):
            raise Invalid("that is nothing a die or a card can show", "notation") from None
        self.match.enter(outcome)

    def _undo(self, seat: int) -> None:
        refusal = self.undo_refusal(seat)
        if refusal is not None:
            raise MoveRefused(refusal)
        start = self._starts.pop() if self._starts else self.match.entry_count - 1
        while self.match.entry_count > start and self.match.undo_refusal(seat) is None:
            self.match.undo(seat)
        del self._events[self.match.event_count :]
        self._lines.clear()
        self._scanned.clear()

    def _stored(self, command: Command, entries: int, events: int) -> Stored:
        match = self.match
        new_entries, new_events = ((), ()) if command.kind == UNDO else match.journal(entries, events)
        return Stored(
            self.number, command.kind, command.seat, command.body(), json.dumps([str(entry) for entry in new_entries]),
            json.dumps([write_event(event) for event in new_events]), match.entry_count, match.event_count,
        )  # fmt: skip

    # -- what is asked of whom

    def _sign(self, seat: int) -> object:
        pending = self.match.pending
        if isinstance(pending, Over):
            return None
        if isinstance(pending, Chance):
            return (pending.kind, seat) if seat == 0 else None  # typed dice; tables with them have one seat
        legal = tuple(self.match.legal_actions(seat))
        return (pending.kind, seat in pending.seats, legal) if legal else None

    def _ask(self, mover: int) -> None:
        for seat, before in enumerate(self._signs):
            sign = self._sign(seat)
            if sign is None:
                self.asked[seat] = 0
            elif seat == mover or sign != before or not self.asked[seat]:
                self.asked[seat] = self.number
            self._signs[seat] = sign

    def must_answer(self) -> tuple[int, ...]:
        """The seats the game waits for, secret or not: for clocks and bots."""
        pending = self.match.pending
        if isinstance(pending, Decision):
            return pending.seats
        return (0,) if isinstance(pending, Chance) else ()

    def publicly_asked(self) -> tuple[int, ...]:
        """The seats of which everybody knows that the game waits for them."""
        if self._public is None or self._public[0] != self.number:
            awaited = getattr(self.match.view(None), "awaited", None)
            seats = (0,) if isinstance(self.match.pending, Chance) else () if awaited is None else tuple(awaited.seats)
            self._public = (self.number, seats)
        return self._public[1]

    def undo_refusal(self, seat: int) -> Refusal | None:
        """Why the seat cannot undo now, None if it can.

        While others are asked as well it cannot: that it no longer could would betray that one of them has moved.
        """
        refusal = self.match.undo_refusal(seat)
        if refusal is None and self.publicly_asked() != (seat,):
            return Refusal("others-asked", "the game waits for others now", "4.0")
        return refusal

    # -- what a viewer may know

    def log(self, viewer: int | None) -> list[LogLine]:
        """What the viewer may know of all that happened; do not modify it."""
        if len(self._events) < self.match.event_count:
            self._events += self.match.journal(self.match.entry_count, len(self._events))[1]
        lines = self._lines.setdefault(viewer, [])
        for event in self._events[self._scanned.get(viewer, 0) :]:
            if event.seen_by(viewer):
                lines.append(LogLine(len(lines), self.game.tell(event), event.rule, event.to_json()))
        self._scanned[viewer] = len(self._events)
        return lines


def _must_agree(found: Stored, wanted: Stored) -> None:
    if found != wanted:
        raise MunimentError(f"move {wanted.number} of the stored match does not lead where it led when it was made")


def write_event(event: Event) -> list[Any]:
    """An event as plain JSON values, its audience included."""
    audience = None if event.audience is None else sorted(event.audience)
    return [event.kind, event.rule, [[name, value] for name, value in event.facts], audience]


def read_event(value: Sequence[Any]) -> Event:
    """What ``write_event`` wrote."""
    kind, rule, facts, audience = value
    plain: list[tuple[str, Fact]] = [(name, tuple(v) if isinstance(v, list) else v) for name, v in facts]
    return Event(kind, rule, tuple(plain), None if audience is None else frozenset(audience))


def read_entry(text: str) -> Entry:
    """An entry from its line."""
    mark, _, notation = text.partition(" ")
    return Entry(CHANCE if mark == "*" else int(mark), notation)


def replayed(moves: Sequence[Stored]) -> tuple[list[Entry], list[Event]]:
    """The record's lines and the events that all these moves left, without playing them."""
    entries: list[Entry] = []
    events: list[Event] = []
    for move in moves:
        if move.kind == UNDO:
            del entries[move.entry_count :], events[move.event_count :]
        else:
            entries += [read_entry(text) for text in json.loads(move.entries)]
            events += [read_event(value) for value in json.loads(move.events)]
    return entries, events
