"""What the rest of a turn is worth: every action and every die is thought through, up to the end of the turn."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.agents.captain import Captain
from muniment.games.siege.actions import END_TURN, EXTRA_MORALE, EXTRA_SUPPLIES, SiegeAction
from muniment.games.siege.game import Siege
from muniment.games.siege.state import ACTIONS_STEP, DRAW, LINE_CHECK, OVER, TREBUCHETS, SiegeState

__all__ = ["Turn"]

_EXTRA = (EXTRA_MORALE, EXTRA_SUPPLIES)
_DEEPEST = 4  # points that are thought through: all that the printed cards can give, but not all that others can


class Turn:
    """Answers for the turn that it began with last; what it remembers never changes what it answers."""

    def __init__(self, rules: Siege, judge: Captain) -> None:
        """judge: asked for the chance at the start of the next turn."""
        self._rules = rules
        self._judge = judge
        self._now = (0, 0, 0, 0)
        self._spare = 0
        self._known: dict[tuple[int | bool, ...], float] = {}

    def begin(self, state: SiegeState) -> None:
        """Think from here on: points beyond the first four from here stay unused, as if the turn ended before."""
        division = self._rules.division(state)
        points = division.actions if division and state.step == TREBUCHETS else state.points
        self._spare = max(0, points - _DEEPEST)
        now = (state.day, state.deck, state.card, self._spare)
        if now != self._now:
            self._now = now
            self._known = {}

    def choices(self, state: SiegeState) -> Sequence[SiegeAction]:
        """The legal actions but an additional one while points are left: it can wait until they are spent (9.2)."""
        legal = self._rules.legal_actions(state)
        return [action for action in legal if action.kind not in _EXTRA] if state.points else legal

    def best(self, state: SiegeState) -> SiegeAction:
        """The action of the highest worth, the first of equals."""
        choices = self.choices(state)
        return choices[0] if len(choices) == 1 else max(choices, key=lambda action: self.after(state, action))

    def after(self, state: SiegeState, action: SiegeAction) -> float:
        """The worth of an action, before its die: the chance of what comes of it."""
        if action.kind == END_TURN:
            return self._judge.chance(state)
        return sum(share * self.worth(after) for share, after in self._judge.results(state, action))

    def worth(self, state: SiegeState) -> float:
        """The chance to hold out, 0 to 1, from any position: what is best in this turn, judged at its end."""
        if state.step in (OVER, DRAW, LINE_CHECK):
            return self._judge.judge(state)
        if state.step != ACTIONS_STEP:
            return self._averaged(state)
        if 0 < state.points <= self._spare:
            return self._judge.chance(state)
        key = (
            *state.units, *state.status, state.trebuchets, state.soldiers, state.raided, state.points,
            state.extra_used, state.free_move, state.boiled,
        )  # fmt: skip
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = max(self.after(state, action) for action in self.choices(state))
        return found

    def _averaged(self, state: SiegeState) -> float:
        node = self._rules.chance(state)
        total = 0.0
        for outcome, weight in zip(node.outcomes, node.weights, strict=True):
            after = state.copy()
            self._rules.apply_outcome(after, outcome)
            total += weight * self.worth(after)
        return total / node.total
