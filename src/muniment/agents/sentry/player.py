"""The agent ``sentry``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from muniment.agents.sentry.rounds import Candidate, Rounds
from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.errors import MunimentError
from muniment.games.siege.actions import SiegeAction
from muniment.games.siege.game import Siege
from muniment.games.siege.view import SiegeView

__all__ = ["ROLLOUTS", "Sentry", "estimates"]

ROLLOUTS: Final = 100
"""The usual budget of a decision."""

_CLOSE: Final = 0.03  # only candidates whose worth is that close to the best are played on
_DOUBT: Final = 0.01  # how wrong the difference of two worths is, as a standard deviation: rounds weigh against it


class Sentry(Agent[SiegeAction, SiegeView]):
    """Takes the action that is worth most, after rounds have been played with those that are close to it.

    rollouts: how many rounds a decision may cost in all, each with one candidate, at least 1; decisions that are clear
    cost none. The rounds' dice come from a key made of the view: the choice depends on the view and the budget alone.
    Raises MunimentError for a budget below 1.
    """

    name = "sentry"

    def __init__(self, rules: Siege, rollouts: int = ROLLOUTS) -> None:
        """rules: the game as it is played, its edition and options; no position."""
        if rollouts < 1:
            raise MunimentError(f"a search needs at least 1 rollout a decision, not {rollouts}")
        self._rollouts = rollouts
        self._rounds = Rounds(rules)

    def choose(self, view: SiegeView, legal: Sequence[SiegeAction], source: Source) -> SiegeAction:
        """The action that comes out best; the source is not used."""
        if len(legal) == 1:
            return legal[0]
        found = self._rounds.candidates(view)
        first = max(found, key=lambda one: one.worth)
        field = [one for one in found if first.worth - one.worth <= _CLOSE]
        field.sort(key=lambda one: -one.worth)  # stable: the first of equals stays first
        left = self._rollouts
        stages = (len(field) - 1).bit_length()
        for stage in range(stages, 0, -1):  # sequential halving
            each = left // stage // len(field)
            for one in field:
                self._rounds.play(view, one, each)
            left -= each * len(field)
            field.sort(key=lambda one: -_lead(one, first))
            del field[(len(field) + 1) // 2 :]
            if first not in field:
                field.append(first)
        best = max(field, key=lambda one: _lead(one, first))
        assert best.action is not None
        return best.action


def _lead(one: Candidate, first: Candidate) -> float:
    """By how much one is better than the first, or worse: what rounds add counts the more, the surer it is."""
    added, error = one.ahead_of(first)
    return one.worth - first.worth + added * _DOUBT**2 / (_DOUBT**2 + error**2)


def estimates(rules: Siege, view: SiegeView, rollouts: int) -> list[Candidate]:
    """Every legal action with its estimate from so many rounds each, the best first.

    If there is nothing to choose, the position itself is the only one, without an action.
    """
    rounds = Rounds(rules)
    found = rounds.candidates(view, every=True)
    for one in found:
        rounds.play(view, one, rollouts)
    return sorted(found, key=lambda one: -one.value)
