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
from muniment.terminal.face import Face, face_of, options_text, rule_line, wrap
from muniment.terminal.screen import HEIGHT, Line, Screen, printable

__all__ = ["Replay"]

_HELP = " n: next · p: back · a number: that move · end · start · quit"


@dataclass(frozen=True)
class _Moment:
    """The table after a move of the record. what: the move, as the record has it."""

    state: Any
    what: str
    events: tuple[Event, ...]


class Replay:
    """A record, checked and ready to be looked at. Moves are its lines: choices and what chance brought alike.

    Raises MunimentError if the record is of another game or edition, or does not replay.
    """

    def __init__(self, game: Game[Any, Any, Any, Any], record: Record) -> None:
        Match.from_record(game, record)
        self.game = game
        self.record = record
        self.face: Face = face_of(game)
        self._moments = list(self._walk())

    def _walk(self) -> Iterator[_Moment]:
        game, record = self.game, self.record
        start = game.initial(len(record.seats)) if record.position is None else game.state_from_json(record.position)
        yield _Moment(start.copy(), "the beginning", ())
        for entry in record.entries:
            log = EventLog()
            if entry.seat == CHANCE:
                game.apply_outcome(start, game.parse_outcome(entry.notation), log)
            else:
                game.apply(start, game.parse_action(entry.notation), entry.seat, log)
            who = "" if entry.seat == CHANCE or len(record.seats) == 1 else f"{record.seats[entry.seat]}: "
            yield _Moment(start.copy(), printable(f"{who}{entry.notation}"), tuple(log))

    def __len__(self) -> int:
        return len(self._moments) - 1

    def _at(self, move: int) -> _Moment:
        if not 0 <= move <= len(self):
            raise MunimentError(f"there is no move {move}; the record has {len(self)}")
        return self._moments[move]

    def position(self, move: int) -> dict[str, Any]:
        """The position after so many moves. Raises MunimentError if there are not so many."""
        return self.game.state_to_json(self._at(move).state)

    def picture(self, move: int, room: int = HEIGHT - 1) -> list[Line]:
        """The board after so many moves, what led there, and the end if it is that."""
        state = self._at(move).state
        view = self.game.view(state, None)
        board = self.face.board(view)
        pending = self.game.pending(state)
        ending = self.face.ending(view, pending) if isinstance(pending, Over) else []
        told = self.face.log([event for moment in self._moments[: move + 1] for event in moment.events])
        room -= len(board) + 1 + len(ending)
        lines = [Text(part, style="" if line is told[-1] else "dim") for line in told[-room:] for part in wrap(line)]
        return [*board, rule_line("", f"move {move} of {len(self)}: {self._at(move).what}"), *lines[-room:], *ending]

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
            told = " ".join(self.game.tell(event) for event in moment.events)
            yield from wrap(
                f"{number:>{width}}. {moment.what}: {told}" if told else f"{number:>{width}}. {moment.what}"
            )
        yield ""
        yield from self.picture(len(self))
        if self.record.result == RUNNING and not isinstance(self.game.pending(self._moments[-1].state), Over):
            yield " The game is not over."

    def step_through(self, screen: Screen) -> None:
        """Show move after move, as the person asks."""
        move, told = 0, _HELP
        while True:
            screen.draw([*self.picture(move, max(screen.height, HEIGHT) - 2), Text(told, style="dim")])
            told = _HELP
            line = screen.ask(f"{move}> ")
            word = None if line is None else line.strip().casefold()
            if word is None or word in ("q", "quit", "exit"):
                return
            if word in ("", "n", "next"):
                move = min(move + 1, len(self))
            elif word in ("p", "back", "previous"):
                move = max(move - 1, 0)
            elif word in ("e", "end"):
                move = len(self)
            elif word in ("s", "start"):
                move = 0
            elif word.isascii() and word.isdigit() and int(word[:6]) <= len(self):
                move = int(word)
            else:
                told = f" {printable(word)!r}?{_HELP}"
