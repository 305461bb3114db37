"""A game's face at the terminal: what is drawn and worded differently in every game. Sessions do the rest."""

from __future__ import annotations

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.cells import cell_len
from rich.text import Text

from muniment.core.chance import Outcome
from muniment.core.errors import MunimentError
from muniment.core.events import Event
from muniment.core.game import Action, Game, Over
from muniment.core.odds import Odds
from muniment.terminal.screen import WIDTH, Line
from muniment.terminal.seats import seat_of

__all__ = ["Face", "face_of", "keep_together", "options_text", "rule_line", "wrap"]

_KEPT_SPACE: Final = "\N{NO-BREAK SPACE}"
_SECOND_COLUMN: Final = "\ue000"  # stands in for the second column of a wide character while lines are measured


class Face(ABC):
    """Draws the views of one game. It knows nothing but views, events and what the game answers."""

    game: Game[Any, Any, Any, Any]

    @abstractmethod
    def board(self, view: Any) -> list[Line]:
        """What is on the table, 80 columns wide, and at most 12 lines high."""

    def open_hands(self, views: Sequence[Any]) -> list[Line]:
        """What the seats hold in secret, for a game that is over. views: of all seats, in their order."""
        return []

    def name(self, action: Action) -> str:
        """What an action is called: its notation, unless the game has a friendlier one."""
        return action.notation

    def sentence(self, action: Action) -> str:
        """The action in a sentence."""
        return self.game.sentence(action)

    def matching(self, typed: str, actions: Sequence[Any]) -> list[Any]:
        """The actions a text can mean: that of this very notation, else all whose words begin with the words typed."""
        words = typed.casefold().split()
        for action in actions:
            if action.notation.casefold().split() == words:
                return [action]
        found = []
        for action in actions:
            named = action.notation.casefold().split()
            if words and len(words) <= len(named) and all(n.startswith(w) for n, w in zip(named, words, strict=False)):
                found.append(action)
        return found

    @abstractmethod
    def known_actions(self, view: Any) -> Sequence[Action]:
        """Every action a person may ask about, legal now or not."""

    @abstractmethod
    def odds(self, view: Any, action: Action) -> Odds | None:
        """What a legal action costs and brings, None if the game does not say."""

    @abstractmethod
    def decides(self, effect: str) -> str:
        """Whether an effect in some odds ends the game for who acts: "lost" or "won", else an empty text."""

    @abstractmethod
    def wanted(self, view: Any) -> str:
        """What a person with real dice and cards is asked for: "Draw the top card. Its number"."""

    @abstractmethod
    def read_outcome(self, view: Any, text: str) -> Outcome:
        """The outcome that was typed. Raises MunimentError if it is none."""

    @abstractmethod
    def ending(self, view: Any, over: Over) -> list[Line]:
        """How the game ended and why, in a few lines."""

    @abstractmethod
    def starts_line(self, event: Event) -> bool:
        """Whether an event begins a new line of the log."""

    def log(self, events: Sequence[Event]) -> list[str]:
        """What happened, a line of text for everything that belongs together."""
        lines: list[list[str]] = []
        for event in events:
            if not lines or self.starts_line(event):
                lines.append([])
            lines[-1].append(self.game.tell(event))
        return [" ".join(line) for line in lines]


def face_of(game: Game[Any, Any, Any, Any], seats: Sequence[str] = ()) -> Face:
    """The face of a game. seats: the players' names as a record has them. Raises MunimentError if it has none."""
    from muniment.games.siege import Siege

    if isinstance(game, Siege):
        from muniment.terminal.siege import SiegeFace

        return SiegeFace(game)
    if game.facts.name == "king":
        from muniment.games.king import King
        from muniment.terminal.king.face import KingFace

        assert isinstance(game, King)
        return KingFace(game, [seat_of(kept).name for kept in seats])
    raise MunimentError(f"{game.facts.title} cannot be played at the terminal")


def wrap(
    text: str, *, width: int = WIDTH - 2, most: int | None = None, indent: str = " ", hang: str = "  "
) -> list[str]:
    """The text in lines, each indented, later ones also by ``hang``; what ``most`` lines do not hold is cut off."""
    later = indent + hang
    if not text.isascii():
        text = "".join(c + _SECOND_COLUMN if cell_len(c) > 1 else c for c in text)
    lines = textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=later, max_lines=most, placeholder=" …")
    return [line.replace(_KEPT_SPACE, " ").replace(_SECOND_COLUMN, "") for line in lines] or [""]


def options_text(values: Mapping[str, object]) -> str:
    """The options of a game as the command line writes them."""
    return ", ".join(f"{name}={str(value).lower()}" for name, value in sorted(values.items())) or "none"


def keep_together(text: str) -> str:
    """The text so that ``wrap`` does not part its words."""
    return text.replace(" ", _KEPT_SPACE)


def rule_line(left: str, right: Line = "", style: str = "bold") -> Text:
    """A horizontal line across the board with words in it."""
    end = right.copy() if isinstance(right, Text) else Text(right, style=style)
    tail = end.cell_len + 3 if end.cell_len else 0
    line = Text().append("─ " if left else "─", style="dim")
    line.append(f"{left} " if left else "", style=style)
    line.truncate(WIDTH - tail - 1, overflow="ellipsis")
    line.append("─" * (WIDTH - line.cell_len - tail), style="dim")
    if tail:
        line.append(" ")
        line.append_text(end)
        line.append(" ─", style="dim")
    return line
