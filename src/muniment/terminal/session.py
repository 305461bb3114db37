"""A game at the terminal: choose, explain, take back, save and load, with every move on the disk before the next.

The session drives a ``Match`` and knows no game: what is drawn and how things are called is the ``Face``'s. This is the
session of one person alone; ``table`` has that of several seats.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from rich.text import Text

from muniment.core.errors import MunimentError
from muniment.core.game import Chance, Decision, Over
from muniment.core.match import Match
from muniment.core.record import CHANCE
from muniment.core.words import printable
from muniment.games.catalog import game_of_record
from muniment.terminal.choices import list_choices
from muniment.terminal.explain import explain
from muniment.terminal.face import face_of, rule_line, wrap
from muniment.terminal.files import is_record, read_record, write_whole
from muniment.terminal.hints import hint_lines
from muniment.terminal.journal import Journal
from muniment.terminal.screen import HEIGHT, WIDTH, Line, Screen, shortened

__all__ = ["Session", "save_record"]

AnyMatch = Match[Any, Any, Any, Any]

_HELP: Final = """\
 Choose by number or by name. A name may be shortened as long as it is clear:
 "a l" for "archers ladders". Beside each choice stand its price and its chance
 of success; "!" marks what can lose the game at once.

   ? 3, ? rally      explain a choice: odds, price, rule, or why not now
   ? S14, ? morale   look up rules by id or by words
   hint              the chance to win by each choice, exact if "solve" was run
   undo              take the last choice back, if no die or card has come since
   log               all that has happened
   board             the board again; Enter alone does the same
   save FILE         write the game as a record, to load, replay or verify
   load FILE         go on with a saved game
   quit              leave; "muniment play" goes on with the game

 The game is kept after every move: nothing is lost if the power fails.""".splitlines()
_HELP_TYPED: Final = [
    "",
    " You roll real dice and draw real cards, and type what they show; undo takes",
    " a typo back.",
]
_HINT: Final = "? explains · undo · help"
_PROMPT: Final = "> "
_WEIGHING: Final = " Weighing the choices …"
_LOG_MOST: Final = 14
_LOG_LEAST: Final = 3
_BELOW_PAGE: Final = 2  # an empty line and the hint; the prompt is in the screen's last line


def save_record(match: AnyMatch, path: Path) -> None:
    """Write the game so far as a record. Raises MunimentError, also rather than to overwrite what is no record."""
    if path.exists() and not path.is_dir() and not is_record(path):
        raise MunimentError(f"{path} exists and is no record; choose another name")
    write_whole(path, match.record().write())


def _short(path: Path) -> str:
    """A path as people write it."""
    with suppress(ValueError, RuntimeError):
        return str(Path("~") / path.relative_to(Path.home()))
    return str(path)


def _rows(lines: list[Line]) -> int:
    """How many rows the lines fill; a long path fills more than one."""
    return sum(max(len(line) - 1, 0) // WIDTH + 1 for line in lines)


class Session:
    """One person's game, until it is left. edition: the file of the cards, to load games with."""

    def __init__(self, match: AnyMatch, screen: Screen, journal: Journal, edition: Path | None = None) -> None:
        self.match = match
        self.face = face_of(match.game, match.seats)
        self.screen = screen
        self.journal = journal
        self.edition = edition
        self._messages: list[str] = []
        self._instead: list[Line] = []
        self._stale = True
        self._unkept: MunimentError | None = None
        self._finished: Path | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "help": self._help, "h": self._help, "log": self._log, "undo": self._undo, "u": self._undo,
            "save": self._save, "load": self._load, "board": self._board, "rules": self._explain, "hint": self._advise,
        }  # fmt: skip

    def tell(self, text: str) -> None:
        """Have something told together with the first picture."""
        self._say(text)

    # -- the loop

    def run(self) -> bool:
        """Play until the game is over or left. Returns whether another game is wanted.

        Raises MunimentError at the end if the game could not be kept.
        """
        self._keep()
        while True:
            line = None
            if self._ready():
                self._show()
                line = self.screen.ask(self._prompt, self._words())
            again = False if line is None else self._answer(line.strip())
            if again is None:
                continue
            self._leave()
            return again

    def _ready(self) -> bool:
        """Bring the game to where the person at the screen is asked; False if the input has ended meanwhile."""
        return True

    @property
    def _prompt(self) -> str:
        return _PROMPT

    def _answer(self, line: str) -> bool | None:
        """Do what was typed. Returns None to go on, else whether another game is wanted."""
        verb, _, rest = line.partition(" ")
        verb = verb.casefold()
        if verb in ("quit", "q", "exit"):
            return False
        try:
            if line.startswith("?"):
                self._explain(line[1:].strip())
            elif verb in self._commands:
                self._commands[verb](rest.strip())
            elif not line:
                self._board("")
            elif self.match.over:
                if verb in ("y", "yes", "n", "no"):
                    return verb[0] == "y"
                self._say(f"{printable(line)!r}? Please answer yes or no; help lists the commands.")
            elif isinstance(self.match.pending, Chance):
                self._enter(line)
            else:
                self._choose(line)
        except MunimentError as error:
            self._say(str(error))
        return None

    def _enter(self, line: str) -> None:
        self.match.enter(self.face.read_outcome(self.match.view(self._viewer), line))
        self._moved()

    @property
    def _seat(self) -> int:
        """Who sits at the screen."""
        pending = self.match.pending
        return pending.seats[0] if isinstance(pending, Decision) else 0

    @property
    def _viewer(self) -> int | None:
        """Whose view is shown; None: what everybody may see."""
        return self._seat

    def _words(self) -> list[str]:
        names = [self.face.name(action) for action in self.match.legal_actions(self._seat)]
        return [
            *names,
            "help",
            "hint",
            "log",
            "undo",
            "save ",
            "load ",
            "board",
            "quit",
            *(f"? {name}" for name in names),
        ]

    # -- moves

    def _choose(self, line: str) -> None:
        seat = self._seat
        legal = self.match.legal_actions(seat)
        if line.isascii() and line.isdigit():
            if not 1 <= int(line[:4]) <= len(legal):
                raise MunimentError(f"There is no choice {line[:20]}; they are numbered from 1 to {len(legal)}.")
            found = [legal[int(line) - 1]]
        else:
            found = self.face.matching(line, legal)
        if len(found) > 1:
            raise MunimentError(f"{line!r} can be: {', '.join(self.face.name(action) for action in found)}.")
        if not found:
            raise MunimentError(self._why_not(line))
        self.match.act(seat, found[0], decision=self.match.decision)
        self._moved()

    def _why_not(self, line: str) -> str:
        seat = self._seat
        others = self.face.matching(line, self.face.known_actions(self.match.view(seat)))
        if not others:
            return f"{printable(line)!r} is no choice and no command; help lists the commands."
        refusals = [(action, self.match.refusal(seat, action)) for action in others]
        told = dict.fromkeys(f"{why.sentence} ({why.rule})" for _, why in refusals if why is not None)
        name = self.face.name(others[0]) if len(others) == 1 else line
        return f"{printable(name)} is not possible now: {'; '.join(list(told)[:2])}."

    def _moved(self) -> None:
        self._stale = True
        self._keep()

    def _undo(self, _: str) -> None:
        refusal = self.match.undo_refusal(self._seat)
        if refusal is not None:
            raise MunimentError(f"{refusal.sentence[0].upper()}{refusal.sentence[1:]}.")
        self.match.undo(self._seat)
        if self._finished is not None:
            with suppress(OSError):
                self._finished.unlink()
            self._finished = None
        self._moved()
        self._say("Taken back.")

    # -- keeping

    def _keep(self) -> None:
        """Put the game on the disk; a finished one also as a record. A failure is told, and tried again next time."""
        record = self.match.record()
        try:
            self.journal.write(record)
            if self.match.over:
                self._finished = self.journal.finish(record)
            self._unkept = None
        except MunimentError as error:
            self._unkept = error
            self._say_unkept()

    def _say_unkept(self) -> None:
        if self._unkept is not None:
            self._say(f"The game is NOT kept: {self._unkept}. Use save FILE to keep it elsewhere.")

    def _leave(self) -> None:
        if self._unkept is not None:
            self._messages.clear()
            self._keep()
        if self._unkept is not None:
            raise self._unkept
        if self.match.over:
            self.journal.clear()
        else:
            self.screen.write([f"The game is kept in {_short(self.journal.path)}"])

    def _save(self, name: str) -> None:
        if not name:
            raise MunimentError("save needs the name of a file: save FILE")
        path = Path(name).expanduser()
        save_record(self.match, path)
        self._say(f"Saved as {path}.")

    def _load(self, name: str) -> None:
        if not name:
            raise MunimentError("load needs the name of a file: load FILE")
        path = Path(name).expanduser()
        record = read_record(path)
        try:
            game = game_of_record(record, self.edition)
            if game.facts.name != self.match.game.facts.name:
                raise MunimentError(f"a game of {game.facts.title}; muniment play {record.game} can load it")
            match = Match.from_record(game, record)
        except MunimentError as error:
            raise MunimentError(f"{path}: {error}") from None
        if not match.typed and record.seed is None:
            raise MunimentError(f"{path}: the record does not reveal its seed, so the game cannot go on")
        face = face_of(game, match.seats)
        aside = None if self.match.over else self.journal.set_aside()
        self.match, self.face, self._finished = match, face, None
        self._loaded()
        self._moved()
        self._say(f"Loaded {path}." + (f" The game before it is kept in {aside}." if aside else ""))

    def _loaded(self) -> None:
        """Another game has been loaded in place of the one before."""

    # -- showing

    def _say(self, text: str) -> None:
        self._messages.append(printable(shortened(text)))

    def _board(self, _: str) -> None:
        self._stale = True

    def _help(self, _: str) -> None:
        self._page_of([*_HELP, *(_HELP_TYPED if self.match.typed else [])])

    def _log(self, _: str) -> None:
        lines = [part for line in self.face.log(self.match.events(self._viewer)) for part in wrap(line)]
        self._page_of(list(lines) or [" Nothing has happened yet."])

    def _page_of(self, lines: list[Line]) -> None:
        """Show lines in place of the board, through the pager if the screen is too low for them."""
        if self.screen.pages and len(lines) + _BELOW_PAGE >= self.screen.height:
            self.screen.page(lines, _BELOW_PAGE)
            self._stale = True
        else:
            self._instead = lines

    def _advise(self, _: str) -> None:
        with self.screen.waiting(_WEIGHING):
            lines = hint_lines(self.match)
        self._page_of([f" {line}" for line in lines])

    def _explain(self, topic: str) -> None:
        if not topic:
            self._help("")
            return
        lines = explain(self.match, self.face, self._seat, topic)
        if lines is None:
            self._say(f"No choice and no rule is found for {topic!r}.")
        else:
            self._page_of(lines)

    def _show(self) -> None:
        """The board, or what was asked for in its place. A pipe is not sent the same board twice."""
        messages = [Text(part, style="bold yellow") for told in self._messages for part in wrap(told)]
        if self._instead:
            hint: list[Line] = ["", Text(" Enter: back to the board", style="dim")] if self.screen.interactive else []
            self.screen.draw([*self._instead, *messages, *hint])
        elif self._stale or (self.screen.interactive and self.screen.styled):
            self.screen.draw(self._picture(messages))
        else:
            self.screen.write(messages)
        self._messages, self._instead, self._stale = [], [], False

    def _picture(self, messages: list[Text]) -> list[Line]:
        """The board, the end of the log, what can be done, messages: 23 lines, so that the prompt fits below."""
        height = max(self.screen.height, HEIGHT) - 1
        view = self.match.view(self._viewer)
        board = self.face.board(view)
        pending = self.match.pending
        asked: list[Line]
        if isinstance(pending, Over):
            asked = [*self.face.ending(view, pending), *self._afterwards()]
        else:
            asked = self._asked(view, height - len(board) - 1 - len(messages) - _LOG_LEAST)
        taken = len(board) + 1 + _rows(asked) + len(messages)
        room = min(height - taken, _LOG_MOST)
        log = self._log_end(room)
        if self.screen.interactive:  # the prompt keeps its place
            log += [""] * (HEIGHT - 1 - taken - len(log))
        return [*board, rule_line("", self._hint), *log, *asked, *messages]

    @property
    def _hint(self) -> str:
        return _HINT

    def _asked(self, view: Any, room: int) -> list[Line]:
        """What is wanted of the person, in about so many lines."""
        if isinstance(self.match.pending, Chance):
            return [*wrap(f"{self.face.wanted(view)}.")]
        return list_choices(self.face, view, self.match.legal_actions(self._seat), room)

    def _log_end(self, room: int) -> list[Line]:
        """The last lines of the log; what came since the last choice stands out."""
        lines: list[Line] = []
        told = self.face.log(self.match.events(self._viewer))
        for number, line in enumerate(told[-room:] if room > 0 else []):
            newest = number == len(told[-room:]) - 1
            lines += [Text(part, style="" if newest else "dim") for part in wrap(line)]
        return lines[-room:] if room > 0 else []

    def _afterwards(self) -> list[Line]:
        where = f" The record: {_short(self._finished)}" if self._finished else " The record could not be written."
        choices = sum(entry.seat != CHANCE for entry in self.match.entries)
        checked = "" if self.match.typed else " The dice can be verified: muniment verify FILE."
        lines = wrap(f"{choices} choice{'' if choices == 1 else 's'}.{checked}")
        return [*lines, where, Text(" Another game? (yes or no)", style="bold")]
