"""The screen itself: what it writes on a terminal while something takes long."""

import io
import sys
import threading
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from muniment.core.game import Decision
from muniment.core.match import Match
from muniment.games.king import King
from muniment.games.siege import Siege
from muniment.terminal.journal import Journal
from muniment.terminal.screen import Screen
from muniment.terminal.session import Session
from muniment.terminal.table import TableSession

NEVER = 3600.0


class Terminal(io.StringIO):
    """Keeps what is written, and tells when anything is."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def write(self, text: str) -> int:
        number = super().write(text)
        self.written.set()
        return number


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Stands in for the standard output; no fixture, for pytest puts its own in place when a test begins."""
    found = Terminal()
    monkeypatch.setattr(sys, "stdout", found)
    return found


def screen_of(*, interactive: bool = True, styled: bool = True) -> Screen:
    screen = Screen(colour=styled)
    screen.interactive, screen.unicode = interactive, True
    return screen


def test_a_long_wait_is_told_of_and_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    with screen_of().waiting(" Thinking …", after=0.0):
        assert terminal.written.wait(10)
    assert terminal.getvalue() == " Thinking …\r\x1b[2K"


def test_it_ends_with_an_error_too(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    screen = screen_of()
    screen.unicode = False
    with pytest.raises(KeyError), screen.waiting(" Thinking …", after=0.0):  # noqa: PT012 - it must be shown first
        assert terminal.written.wait(10)
        raise KeyError
    assert terminal.getvalue() == " Thinking .\r\x1b[2K"


def test_a_short_wait_is_not_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    before = threading.active_count()
    with screen_of().waiting("Thinking", after=NEVER):
        pass
    assert terminal.getvalue() == ""
    assert threading.active_count() == before


@pytest.mark.parametrize(("interactive", "styled"), [(False, True), (True, False)])
def test_nothing_is_told_on_a_pipe_or_without_colour(
    monkeypatch: pytest.MonkeyPatch, interactive: bool, styled: bool
) -> None:
    terminal = terminal_of(monkeypatch)
    before = threading.active_count()
    with screen_of(interactive=interactive, styled=styled).waiting("Thinking", after=0.0):
        assert threading.active_count() == before
    assert terminal.getvalue() == ""


def test_who_thinks_is_not_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At some stops nobody may know whose answer is awaited (K10)."""
    texts: list[str] = []
    screen, waiting = screen_of(), Screen.waiting

    def noted(self: Screen, text: str) -> object:
        texts.append(text)
        return waiting(self, text, NEVER)

    monkeypatch.setattr(Screen, "waiting", noted)
    match = Match(King(), ["Cleo (steward)", "Ada", "Dora (careless)"], seed=bytes(32))
    session = TableSession(match, screen, Journal(tmp_path / "game"))
    monkeypatch.setattr(screen, "ask", lambda *_: None)
    session.run()
    pending = match.pending
    assert isinstance(pending, Decision)
    assert pending.seats == (1,)
    assert texts
    assert set(texts) == {" An agent is thinking …"}


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_hint_that_takes_long_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interrupted: bool) -> None:
    terminal = terminal_of(monkeypatch)
    screen, waiting = screen_of(), Screen.waiting

    def at_once(self: Screen, text: str) -> AbstractContextManager[None]:
        terminal.written.clear()
        return waiting(self, text, 0.0)

    def hint_lines(_: object) -> list[str]:
        assert terminal.written.wait(10)
        if interrupted:
            raise KeyboardInterrupt
        return ["rally: 41%"]

    monkeypatch.setattr(Screen, "waiting", at_once)
    monkeypatch.setattr(Screen, "pages", False)
    monkeypatch.setattr("muniment.terminal.session.hint_lines", hint_lines)
    typed = iter(["hint", "quit"])
    monkeypatch.setattr(screen, "ask", lambda *_: next(typed))
    match = Match(Siege(), ["Ada"], seed=bytes(32))
    session = Session(match, screen, Journal(tmp_path / "game"))
    if interrupted:
        with pytest.raises(KeyboardInterrupt):
            session.run()
        assert terminal.getvalue().endswith(" Weighing the choices …\r\x1b[2K")
    else:
        assert not session.run()
        shown = terminal.getvalue()
        assert " rally: 41%" in shown[shown.index(" Weighing the choices …\r\x1b[2K") :]
