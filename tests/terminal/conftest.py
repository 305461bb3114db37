"""A screen that answers from a script and remembers what it was shown."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text

from muniment.core.dice import seed_from_text
from muniment.core.match import Match
from muniment.games.siege import Siege
from muniment.terminal.journal import Journal
from muniment.terminal.screen import Line, Screen
from muniment.terminal.session import Session

WIPED = "(wiped)"


class Script(Screen):
    """Looks like a colour terminal of 80x24; answers what it is told to, then says that the input has ended."""

    def __init__(self, answers: Iterable[str] = ()) -> None:
        super().__init__(colour=False)
        self.interactive = self.styled = True
        self.answers = list(answers)
        self.shown: list[list[str]] = []
        self.offered: list[Sequence[str]] = []
        self.paged = 0

    def write(self, lines: Iterable[Line]) -> None:
        self.shown.append([line.plain.rstrip() if isinstance(line, Text) else line.rstrip() for line in lines])

    def draw(self, lines: Iterable[Line]) -> None:
        self.write(lines)

    @property
    def pages(self) -> bool:
        return True

    def page(self, lines: Sequence[Line], spare: int = 0) -> None:
        assert len(lines) + spare >= self.height
        self.paged += 1
        self.write(lines)

    def ask(self, prompt: str, words: Sequence[str] = ()) -> str | None:
        self.offered.append(words)
        return self.answers.pop(0) if self.answers else None

    def wipe(self) -> None:
        self.shown.append([WIPED])

    def enter_secret(self) -> None:
        pass

    def leave_secret(self) -> None:
        pass

    @property
    def text(self) -> str:
        """The last thing shown but the good-bye."""
        return "\n".join(self.shown[-2])


Start = Callable[..., tuple[Session, Script]]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Sets up a session of a new game with a script: position and typed as for a match."""

    def begin(*answers: str, position: Any = None, typed: bool = False, seed: str = "1") -> tuple[Session, Script]:
        game = Siege()
        state = None if position is None else game.state_from_json(position)
        match: Match[Any, Any, Any, Any] = Match(game, ["Ada"], seed=seed_from_text(seed), typed=typed, position=state)
        screen = Script(answers)
        return Session(match, screen, Journal(tmp_path / "a.journal")), screen

    return begin


@pytest.fixture
def full_position() -> dict[str, Any]:
    """The position with about as many choices as there can be."""
    return {
        "game": "siege", "day": 3, "deck": [1], "card": 7, "step": "actions",
        "units": {"ladders": 1, "battering_ram": 1, "siege_tower": 1}, "trebuchets": 2,
        "wall": 1, "morale": 1, "supplies": 1, "soldiers": "near tunnel", "raided": 1, "action_points": 3,
        "extra_used": False, "free_move": "left", "boiling_water_used": False, "rolling": None, "result": None,
    }  # fmt: skip
