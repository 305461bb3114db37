"""What is shown and asked: a terminal with colour, one without, or a dumb pipe.

Everything is drawn in Unicode characters that are one column wide; where the encoding is not UTF-8 each becomes one
ASCII character, so that every drawing fits as well. Without colour nothing but text and line ends is written.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import ModuleType
from typing import Final

from rich.console import Console
from rich.text import Text

from muniment.core.words import printable

__all__ = ["HEIGHT", "WIDTH", "Line", "Screen", "shortened"]

WIDTH: Final = 80
HEIGHT: Final = 24

_WIPE: Final = "\x1b[H\x1b[2J\x1b[3J"
_OTHER_SCREEN: Final = "\x1b[?1049h"  # most terminals keep no lines that leave it
_FIRST_SCREEN: Final = "\x1b[?1049l"
_CLEAR_LINE: Final = "\r\x1b[2K"

_DEADLY: Final = ("SIGTERM", "SIGHUP")

Line = str | Text

_ASCII: Final = str.maketrans(
    {
        **dict.fromkeys("─━═–—−", "-"),
        **dict.fromkeys("│┃", "|"),
        **dict.fromkeys("’‘", "'"),
        **dict.fromkeys("“”", '"'),
        "☆": "*", "∞": "~", "▶": ">", "←": "<", "±": "~",
        "■": "#", "□": ".", "●": "#", "○": ".", "◆": "*", "▲": "^", "·": "-", "…": ".", "×": "x", "→": ">", "≥": ">",
    }
)  # fmt: skip


def shortened(text: str, most: int = 800) -> str:
    """The text, cut where it would be no message any more: a broken file can have a line of any length."""
    return text if len(text) <= most else f"{text[: most - 2]} …"


class Screen:
    """The standard streams of this process, as they are when it is made.

    colour: with or without, None to find out.
    """

    def __init__(self, *, colour: bool | None = None) -> None:
        self.interactive = sys.stdin.isatty() and sys.stdout.isatty()
        smart = os.environ.get("TERM", "") not in ("dumb", "unknown")
        found = smart and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        self.styled = found if colour is None else colour
        self.unicode = _is_unicode()
        for stream in (sys.stdin, sys.stdout):
            with suppress(AttributeError, ValueError):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        self._console = Console(
            file=sys.stdout,
            color_system=("auto" if found else "standard") if self.styled else None,
            force_terminal=self.styled,
            no_color=not self.styled,
            highlight=False,
            markup=False,
            emoji=False,
        )
        self._readline = _readline() if self.interactive and smart else None
        self._words: tuple[str, ...] = ()
        self._secret = False

    @property
    def height(self) -> int:
        """The lines there are; 24 on a pipe."""
        return shutil.get_terminal_size((WIDTH, HEIGHT)).lines if self.interactive else HEIGHT

    # -- showing

    def write(self, lines: Iterable[Line]) -> None:
        """Write lines, each as it is: nothing is wrapped or cut."""
        for line in lines:
            text = line.copy() if isinstance(line, Text) else Text(line)
            text.rstrip()
            if not self.unicode:
                text.plain = text.plain.translate(_ASCII)
            self._console.print(text, soft_wrap=True)

    def draw(self, lines: Iterable[Line]) -> None:
        """Write lines in place of what the terminal shows; on a pipe or without colour simply write them."""
        if self.styled and self.interactive:
            self._console.clear()
        self.write(lines)

    @property
    def pages(self) -> bool:
        """Whether there is a pager for what is longer than the screen."""
        pager = os.environ.get("MANPAGER") or os.environ.get("PAGER") or ""
        return self.interactive and self.styled and pager.partition(" ")[0].rpartition("/")[2] != "cat"

    def page(self, lines: Sequence[Line], spare: int = 0) -> None:
        """Write lines, through the user's pager if with ``spare`` others they are too many for the terminal."""
        if not self.pages or len(lines) + spare < self.height:
            self.write(lines)
            return
        with self._console.pager(styles=False):
            self.write(lines)
        if self._secret:  # most pagers have a screen of their own, and go back to the first one
            sys.stdout.write(_OTHER_SCREEN)
            sys.stdout.flush()

    # -- several people at one screen

    def enter_secret(self) -> None:
        """From now on what is shown leaves no trace above the screen, where the terminal can do that."""
        if self.styled and self.interactive and not self._secret:
            self._secret = True
            sys.stdout.write(_OTHER_SCREEN)
            sys.stdout.flush()
            for name in _DEADLY:
                with suppress(AttributeError, ValueError):
                    signal.signal(getattr(signal, name), self._struck)

    def _struck(self, number: int, _: object) -> None:
        """Killed: nobody's secrets stay on the screen."""
        with suppress(OSError):
            os.write(sys.stdout.fileno(), f"{_WIPE}{_FIRST_SCREEN}".encode())
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    def leave_secret(self) -> None:
        """Back to the screen as it was before ``enter_secret``."""
        if self._secret:
            self._secret = False
            sys.stdout.write(f"{_WIPE}{_FIRST_SCREEN}")
            sys.stdout.flush()
            for name in _DEADLY:
                with suppress(AttributeError, ValueError):
                    signal.signal(getattr(signal, name), signal.SIG_DFL)

    def wipe(self) -> None:
        """Leave nothing of what was shown or typed: not on the screen, above it, or among the lines to recall."""
        if self._readline is not None:
            self._readline.clear_history()
        self._words = ()
        if self.styled and self.interactive:
            sys.stdout.write(_WIPE)
            sys.stdout.flush()
        elif self.interactive:
            self.write([""] * self.height)

    def pause(self, seconds: float) -> bool:
        """Wait; returns whether a line was typed meanwhile, which ends the wait."""
        if not self.interactive or seconds <= 0:
            return False
        sys.stdout.flush()
        if sys.platform == "win32":
            time.sleep(seconds)
            return False
        if select.select([sys.stdin], [], [], seconds)[0]:
            sys.stdin.readline()
            return True
        return False

    @contextmanager
    def waiting(self, text: str, after: float = 1.0) -> Iterator[None]:
        """Show the text on a colour terminal while what is done meanwhile goes on for more than ``after`` seconds."""
        if not (self.styled and self.interactive):
            yield
            return
        shown = threading.Event()

        def show() -> None:
            shown.set()
            sys.stdout.write(text if self.unicode else text.translate(_ASCII))
            sys.stdout.flush()

        timer = threading.Timer(after, show)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            if shown.is_set():
                sys.stdout.write(_CLEAR_LINE)
                sys.stdout.flush()

    # -- asking

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str | None:
        """A line that was typed, or None at the end of the input. words: what the tab key may complete."""
        if not self.unicode:
            prompt = prompt.translate(_ASCII)
        if self.interactive:
            self._words = tuple(words)
            sys.stdout.flush()
            if self._readline is not None:
                self._readline.set_completer(self._complete)
                self._readline.set_completer_delims("")
            try:
                return input(prompt)
            except EOFError:
                sys.stdout.write("\n")
                return None
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        sys.stdout.write(printable(line.rstrip("\n")) + "\n")
        return line.rstrip("\n") if line else None

    def _complete(self, start: str, number: int) -> str | None:
        found = [word for word in self._words if word.startswith(start.lstrip())]
        return found[number] if number < len(found) else None


def _is_unicode() -> bool:
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "").replace("_", "")
    return encoding == "utf8" and os.environ.get("LC_ALL") not in ("C", "POSIX")


def _readline() -> ModuleType | None:
    """Line editing and completion for ``input``, where the system has them."""
    try:
        import readline
    except ImportError:
        return None
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    return readline
