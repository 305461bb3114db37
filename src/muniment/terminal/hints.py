"""Hints: the winning chance of every choice, where the game has been solved."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from muniment.core.errors import MunimentError
from muniment.games.siege.game import Siege

if TYPE_CHECKING:
    from muniment.core.match import Match
    from muniment.solve.values import Values

__all__ = ["hint_lines"]


def hint_lines(match: Match[Any, Any, Any, Any]) -> list[str]:
    """What perfect play would do, and what every other choice is worth. Raises MunimentError if that is not known."""
    game = match.game
    if not isinstance(game, Siege):
        raise MunimentError(f"there are no hints for {game.facts.title}: it has not been solved")
    if find_spec("numba") is None:
        raise MunimentError("hints need more packages: pip install 'muniment[solve]'")
    from muniment.solve.commands import odds_text

    return odds_text(_values(game).odds(match.state()))


@lru_cache(maxsize=1)
def _values(game: Siege) -> Values:
    from muniment.solve.commands import values_of

    return values_of(game)
