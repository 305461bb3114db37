"""Rounds: courses of chance through which candidates are played on, all of them through the same ones.

A round begins with a candidate. The rest of its turn is played as ``turn`` finds best, some more turns as ``captain``
would with the learned judgement, and then the table is judged again. What the round adds to the *worth* of the
candidate is the difference between that judgement and the one at the end of the first turn: the luck of the first turn,
which the worth knows exactly already, does not blur it (a control variate).

Rounds are dealt evenly: in a row of rounds every card comes next equally often.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from math import sqrt
from typing import Final

from muniment.agents.sentry.judgement import Seasoned
from muniment.agents.sentry.turn import Turn
from muniment.core.dice import RandomStream
from muniment.games.siege.actions import END_TURN, SiegeAction
from muniment.games.siege.game import Siege
from muniment.games.siege.outcomes import D6, SiegeOutcome
from muniment.games.siege.state import ACTIONS_STEP, DRAW, LINE_CHECK, OVER, TREBUCHETS, SiegeState
from muniment.games.siege.view import SiegeView, state_from_view

__all__ = ["Candidate", "Estimate", "Rounds"]

_MORE_TURNS: Final = 1  # after the present one
_MOST_REMEMBERED: Final = 100_000
_UNSURE: Final = 0.05  # standard deviation of what a round adds, as long as there are too few to tell
_CERTAIN: Final = 1.96  # standard errors of a 95 % interval
_FRACTION: Final = 16  # bits of the fraction that stands for a card


class _Fate:
    """One round's course of chance: turn by turn the same card and enemy dice, whatever is done, then our dice."""

    def __init__(self, key: bytes, number: int) -> None:
        self._key = key
        self._number = number
        self._turn = -1
        self._drawn = False
        self.next_turn()

    def next_turn(self) -> None:
        self._turn += 1
        self._dice = RandomStream.labelled(self._key, self._number, self._turn)
        self._check, self._trebuchet = self._dice.below(6), self._dice.below(6)
        self._card = self._dice.below(1 << _FRACTION)

    def outcome(self, game: Siege, state: SiegeState) -> SiegeOutcome:
        """What chance brings in the state, which waits for it."""
        if state.step == DRAW:
            cards = game.chance(state).outcomes
            place = self._card * len(cards) >> _FRACTION if self._drawn else self._number % len(cards)
            self._drawn = True
            return cards[place]
        if state.step == LINE_CHECK:
            return D6[self._check]
        return D6[self._trebuchet if state.step == TREBUCHETS else self._dice.below(6)]


@dataclass(slots=True)
class Estimate:
    """A winning chance. worth: what the rest of the turn tells. added: what each round adds to that."""

    worth: float
    added: list[float]

    @property
    def value(self) -> float:
        """The estimate, 0 to 1."""
        return min(1.0, max(0.0, self.worth + sum(self.added) / max(1, len(self.added))))

    @property
    def error(self) -> float:
        """The standard error of the estimate, as far as chance goes: the judgement itself can be wrong besides."""
        return _error(self.added)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the estimate, within 0 to 1."""
        reach = _CERTAIN * self.error
        return max(0.0, self.value - reach), min(1.0, self.value + reach)

    def ahead_of(self, other: Estimate) -> tuple[float, float]:
        """What rounds add to it more than to another, on average over the rounds of both, and the standard error."""
        differences = [mine - its for mine, its in zip(self.added, other.added, strict=False)]
        return sum(differences) / max(1, len(differences)), _error(differences)


@dataclass(slots=True)
class Candidate(Estimate):
    """An action, or None for the position as it is, and what is known of it. start: the position after it."""

    action: SiegeAction | None
    start: SiegeState


def _error(values: list[float]) -> float:
    count = len(values)
    if count < 2:
        return _UNSURE
    mean = sum(values) / count
    # one observation of the usual size is added, so that a few equal rounds do not look certain
    return sqrt((sum((value - mean) ** 2 for value in values) + _UNSURE**2) / count / count)


class Rounds:
    """Plays candidates on. Safe to keep: what it remembers never changes what it answers."""

    def __init__(self, rules: Siege) -> None:
        """rules: the game as it is played, its edition and options; no position."""
        self._rules = rules
        self._captain = Seasoned(rules)
        self._turn = Turn(rules, self._captain)
        self._habits: dict[tuple[int | str, ...], SiegeAction] = {}

    def candidates(self, view: SiegeView, *, every: bool = False) -> list[Candidate]:
        """The actions worth a thought or every legal one, or the position if there are none; no rounds yet."""
        state = state_from_view(view)
        self._turn.begin(state)
        if state.step != ACTIONS_STEP:
            return [Candidate(self._turn.worth(state), [], None, state)]
        found = []
        for action in self._rules.legal_actions(state) if every else self._turn.choices(state):
            after = state.copy()
            self._rules.apply(after, action)
            found.append(Candidate(self._turn.after(state, action), [], action, after))
        return found

    def play(self, view: SiegeView, candidate: Candidate, count: int, first: int = 0) -> None:
        """Play so many more rounds of the view, from the first that the candidate has not had.

        first: the number of its first round.
        """
        key = _key(view)
        for _ in range(count):
            candidate.added.append(self._round(candidate, _Fate(key, first + len(candidate.added))))

    def _round(self, candidate: Candidate, fate: _Fate) -> float:
        rules, now = self._rules, candidate.start.copy()
        turns = 0
        judged: float | None = None
        if candidate.action is None or candidate.action.kind == END_TURN:
            judged = candidate.worth if now.step in (DRAW, LINE_CHECK) else None
        while now.step != OVER:
            if now.step != ACTIONS_STEP:
                rules.apply_outcome(now, fate.outcome(rules, now))
                continue
            action = self._turn.best(now) if judged is None else self._habit(now)
            rules.apply(now, action)
            if action.kind == END_TURN:
                if judged is not None:
                    turns += 1
                if turns == _MORE_TURNS:
                    break
                if judged is None:
                    judged = self._captain.judge(now)
                fate.next_turn()
        end = self._captain.judge(now)
        return end - judged if judged is not None else 0.0

    def _habit(self, state: SiegeState) -> SiegeAction:
        key = state.key()
        action = self._habits.get(key)
        if action is None:
            if len(self._habits) >= _MOST_REMEMBERED:
                self._habits.clear()
            action = self._habits[key] = self._captain.decide(state, self._rules.legal_actions(state))
        return action


def _key(view: SiegeView) -> bytes:
    """32 bytes that stand for everything on the table."""
    content = repr([getattr(view, field.name) for field in fields(view) if field.name not in ("edition", "awaited")])
    return hashlib.sha256(content.encode()).digest()
