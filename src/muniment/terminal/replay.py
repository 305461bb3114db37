"""Records at the terminal: stepped through, printed, or shown at one moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.text import Text

from muniment.core.errors import MunimentError
from muniment.core.events import Event, EventLog
from muniment.core.game import Game, Over
from muniment.core.match import Match
from muniment.core.record import CHANCE, RUNNING, Record
from muniment.core.words import printable
from muniment.terminal.face import Face, face_of, options_text, rule_line, wrap
from muniment.terminal.screen import HEIGHT, Line, Screen

__all__ = ["Replay"]

_APART = 64  # moves between the states that are kept
_LOG_LEAST = 2
_HELP = " n: next · p: back · a number: that move · end · start · quit"


@dataclass(frozen=True)
class _Moment:
    """A move of the record. what: the move, as the record has it, if it may be shown. events: what came of it."""

    what: str
    events: tuple[Event, ...]


class Replay:
    """A record, checked and ready to be looked at. Moves are its lines: choices and what chance brought alike.

    secrets: whether to show also what was hidden; without it that is shown only of a game that is over.
    Raises MunimentError if the record is of another game or edition, or does not replay.
    """

    def __init__(self, game: Game[Any, Any, Any, Any], record: Record, *, secrets: bool = True) -> None:
        over = Match.from_record(game, record).over is not None
        self.game = game
        self.record = record
        self.face: Face = face_of(game, record.seats)
        self.open = secrets or over or not game.facts.hidden_information
        """Whether everything is shown."""
        self._states: list[Any] = []
        self._moments = list(self._walk())

    def _walk(self) -> Iterator[_Moment]:
        game, record = self.game, self.record
        state = game.initial(len(record.seats)) if record.position is None else game.state_from_json(record.position)
        self._states.append(state.copy())
        yield _Moment("the beginning", ())
        for number, entry in enumerate(record.entries, 1):
            log = EventLog()
            self._play(state, number, log)
            if number % _APART == 0:
                self._states.append(state.copy())
            who = "" if entry.seat == CHANCE or len(record.seats) == 1 else f"{record.seats[entry.seat]}: "
            events = tuple(event for event in log if self.open or event.seen_by(None))
            what = entry.notation if self.open else "a choice" if entry.seat != CHANCE else "dice or a draw"
            yield _Moment(printable(f"{who if self.open else ''}{what}"), events)

    def _play(self, state: Any, number: int, log: EventLog | None = None) -> None:
        entry = self.record.entries[number - 1]
        if entry.seat == CHANCE:
            self.game.apply_outcome(state, self.game.parse_outcome(entry.notation), log)
        else:
            self.game.apply(state, self.game.parse_action(entry.notation), entry.seat, log)

    def __len__(self) -> int:
        return len(self._moments) - 1

    def _at(self, move: int) -> Any:
        """The state after so many moves."""
        if not 0 <= move <= len(self):
            raise MunimentError(f"there is no move {move}; the record has {len(self)}")
        state = self._states[move // _APART].copy()
        for number in range(move // _APART * _APART + 1, move + 1):
            self._play(state, number)
        return state

    def position(self, move: int) -> dict[str, Any]:
        """The position after so many moves. Raises MunimentError if there are not so many."""
        return self.game.state_to_json(self._at(move))

    def hands(self, move: int) -> list[Line]:
        """What the seats hold in secret after so many moves; nothing if that is not shown."""
        if not self.open or not self.game.facts.hidden_information:
            return []
        state = self._at(move)
        return self.face.open_hands([self.game.view(state, seat) for seat in range(self.game.seats_of(state))])

    def picture(self, move: int, room: int = HEIGHT - 1, *, hands: bool = True) -> list[Line]:
        """The board after so many moves, hands if wanted, what led there, and the end if it is that."""
        state = self._at(move)
        view = self.game.view(state, None)
        board = self.face.board(view)
        pending = self.game.pending(state)
        ending = self.face.ending(view, pending) if isinstance(pending, Over) else []
        held = self.hands(move) if hands else []
        told = self.face.log([event for moment in self._moments[: move + 1] for event in moment.events])
        room = max(room - len(board) - len(held) - 1 - len(ending), _LOG_LEAST)
        lines = [Text(part, style="" if line is told[-1] else "dim") for line in told[-room:] for part in wrap(line)]
        head = rule_line("", f"move {move} of {len(self)}: {self._moments[move].what}")
        return [*board, *held, head, *lines[-room:], *ending]

    def head(self) -> list[Line]:
        """What the record says before its moves."""
        record = self.record
        lines: list[Line] = [
            Text.assemble((f" {self.game.facts.title}", "bold"), f", edition {record.edition}"),
            *wrap(f"Players: {printable(', '.join(record.seats))}"),
            *wrap(f"Options: {options_text(record.options)}"),
        ]
        if record.typed:
            return [*lines, " Dice: real ones, typed in"]
        return [*lines, " Dice: committed to as", f"   {printable(str(record.commitment))}"]

    def everything(self) -> Iterator[Line]:
        """The whole game in words, a line for each move, the board at its end."""
        yield from self.head()
        yield ""
        width = len(str(len(self)))
        for number, moment in enumerate(self._moments[1:], 1):
            told = " ".join(self.face.log(moment.events))
            yield from wrap(
                f"{number:>{width}}. {moment.what}: {told}" if told else f"{number:>{width}}. {moment.what}"
            )
        yield ""
        yield from self.picture(len(self))
        if self.record.result == RUNNING and not isinstance(self.game.pending(self._at(len(self))), Over):
            yield " The game is not over."

    def step_through(self, screen: Screen) -> None:
        """Show move after move, as the person asks."""
        hands = " · hands" if self.hands(0) else ""
        move, told = 0, _HELP + hands
        while True:
            screen.draw([*self.picture(move, max(screen.height, HEIGHT) - 2, hands=False), Text(told, style="dim")])
            told = _HELP + hands
            line = screen.ask(f"{move}> ")
            word = None if line is None else line.strip().casefold()
            if word is None or word in ("q", "quit", "exit"):
                return
            if word in ("", "n", "next"):
                move = min(move + 1, len(self))
            elif word in ("p", "back", "previous"):
                move = max(move - 1, 0)
            elif word == "hands" and hands:
                screen.draw([*self.hands(move), "", Text(" Enter: back", style="dim")])
                screen.ask(f"{move}> ")
            elif word in ("e", "end"):
                move = len(self)
            elif word in ("s", "start"):
                move = 0
            elif word.isascii() and word.isdigit() and int(word[:6]) <= len(self):
                move = int(word)
            else:
                told = f" {printable(word)!r}?{_HELP}"
