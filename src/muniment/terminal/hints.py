"""Hints: the winning chance of every choice, exact where the game has been solved, else estimated."""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from muniment.agents.sentry import estimates
from muniment.core.errors import MunimentError
from muniment.games.siege.game import Siege

if TYPE_CHECKING:
    from muniment.core.match import Match
    from muniment.solve.values import Values

__all__ = ["hint_lines"]

_ROLLOUTS: Final = 100  # of each choice: a second or two


def hint_lines(match: Match[Any, Any, Any, Any]) -> list[str]:
    """What perfect play would do and every other choice is worth, or estimates of that without a table.

    Raises MunimentError for a game without hints.
    """
    game = match.game
    if not isinstance(game, Siege):
        raise MunimentError(f"there are no hints for {game.facts.title}: it has not been solved")
    if find_spec("numba") is None:
        return _estimated(match, game)
    from muniment.solve.commands import odds_text
    from muniment.solve.table import TableFault

    try:
        values = _values(game)
    except TableFault:
        return _estimated(match, game)
    return odds_text(values.odds(match.state()))


def _estimated(match: Match[Any, Any, Any, Any], game: Siege) -> list[str]:
    """Estimates in words, the best first."""
    found = estimates(game, match.view(0), _ROLLOUTS)
    best = found[0]
    lines = [f"estimate of the winning chance: {best.value:.0%} ± {1.96 * best.error:.0%}"]
    width = max(len(game.sentence(one.action)) if one.action else 0 for one in found)
    for one in found:
        if one.action is not None:
            sentence = game.sentence(one.action)
            lines.append(f"  {sentence:<{width}}  {one.value:>4.0%} ± {1.96 * one.error:.0%}")
    return [
        *lines,
        f"Estimates by the agent sentry, from {_ROLLOUTS} rollouts of each choice. The interval (95%) is that of its",
        'dice; how it judges tables is learned, and can be wrong besides. "muniment solve siege" makes hints exact.',
    ]


@lru_cache(maxsize=1)
def _values(game: Siege) -> Values:
    from muniment.solve.commands import values_of

    return values_of(game)
