"""Agents of one's own, good and bad, as somebody might write them."""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.game import Game

MARK = "killed"  # a file beside a copy of this one


class First(Agent[Any, Any]):
    """Always the first action."""

    def choose(self, view: Any, legal: Sequence[Any], source: Source) -> Any:
        return legal[0]


class Spoiler(Agent[Any, Any]):
    """As First, but tries to change what it was given."""

    def choose(self, view: Any, legal: Sequence[Any], source: Source) -> Any:
        first = legal[0]
        if isinstance(legal, list):
            legal.clear()
        return first


class Talking(First):
    """Prints."""

    def choose(self, view: Any, legal: Sequence[Any], source: Source) -> Any:
        print("hm")  # noqa: T201
        return legal[0]


class Knowing(First):
    """Wants the game."""

    def __init__(self, game: Game[Any, Any, Any, Any]) -> None:
        self.title = game.facts.title


class Crashing(First):
    """Fails at its third choice."""

    def __init__(self) -> None:
        self.choices = 0

    def choose(self, view: Any, legal: Sequence[Any], source: Source) -> Any:
        self.choices += 1
        if self.choices == 3:
            raise ZeroDivisionError("three")
        return legal[0]


class Cheating(Agent[Any, Any]):
    """Does what is not allowed now."""

    def __init__(self, game: Game[Any, Any, Any, Any]) -> None:
        self.game = game

    def choose(self, view: Any, legal: Sequence[Any], source: Source) -> Any:
        return self.game.parse_action("bid 1")


class Quitting(Agent[Any, Any]):
    """Would end the program, as if all were well."""

    def choose(self, view: Any, legal: Sequence[Any], source: Source) -> Any:
        sys.exit(0)


class Mute(Agent[Any, Any]):
    """Says nothing."""

    def choose(self, view: Any, legal: Sequence[Any], source: Source) -> Any:
        return None


class Unmakeable(First):
    """Cannot be made."""

    def __init__(self) -> None:
        raise RuntimeError("no weights")


class Fragile(Agent[Any, Any]):
    """Plays at random; kills the first process in which it chooses for the 700th time, or every one early if LOST."""

    choices = 0

    def choose(self, view: Any, legal: Sequence[Any], source: Source) -> Any:
        Fragile.choices += 1
        mark = Path(__file__).with_name(MARK)
        lost = "LOST" in os.environ
        if lost or (Fragile.choices >= 700 and not mark.exists()):
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return legal[source.below(len(legal))]


class NoAgent:
    """Is none."""


def maker() -> object:
    """Gives none."""
    return NoAgent()
