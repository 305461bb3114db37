"""A game looked at again: what each decision cost, what luck brought, and how both make up the result.

The winning chance under perfect play goes along with the game: it begins at the value of the set-up, ends at 1 or 0,
and every step between is either a decision (it can only fall) or chance. Chances are kept as whole multiples of 2**-40,
of which sums in floating point are exact: ``initial + decisions + luck == final``, to the last bit.

A choice that is worse than the best by no more than the table's error may be as good, and counts as free of cost; what
it may have lost is then left to luck. The size of a cost has a name from 0.5 points on (of 100): ``slip``, ``mistake``
from 2, ``blunder`` from 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from muniment.core.match import Match
from muniment.core.record import CHANCE, RUNNING, Record
from muniment.games.siege.actions import SiegeAction
from muniment.solve.table import ERROR
from muniment.solve.values import Values

__all__ = ["GRADES", "Review", "Step", "grade_of", "review"]

# The least cost of each named size, in winning chance, the largest first.
GRADES: Final = (("blunder", 0.05), ("mistake", 0.02), ("slip", 0.005))
EQUAL: Final = 2 * ERROR
_GRAIN: Final = 2.0**40


def _grained(value: float) -> float:
    return round(value * _GRAIN) / _GRAIN


def grade_of(cost: float) -> str:
    """The name of a cost's size, "" if it is too small for one."""
    return next((name for name, least in GRADES if cost >= least), "")


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the record. number: of the move, from 1.

    action: the chosen action, None where chance decided. before, after: winning chances; best: the best action, with
    its winning chance ``best_value``; cost: what the choice lost against it; grade: see ``GRADES``.
    """

    number: int
    notation: str
    sentence: str
    day: int
    before: float
    after: float
    action: SiegeAction | None = None
    best: SiegeAction | None = None
    best_value: float = 0.0
    cost: float = 0.0

    @property
    def change(self) -> float:
        """What the step did to the winning chance."""
        return self.after - self.before

    @property
    def grade(self) -> str:
        """The name of the cost's size, or ""."""
        return grade_of(self.cost)

    def to_json(self) -> dict[str, Any]:
        """The step as a JSON object; the parts of a decision only where there was one."""
        common = {
            "move": self.number,
            "notation": self.notation,
            "sentence": self.sentence,
            "day": self.day,
            "before": self.before,
            "after": self.after,
            "change": self.change,
        }
        if self.action is None or self.best is None:
            return {"kind": "chance", **common}
        decision = {"best": self.best.notation, "best_value": self.best_value, "cost": self.cost}
        return {"kind": "decision", **common, **decision, "grade": self.grade or None}


@dataclass(frozen=True)
class Review:
    """A reviewed game. result: as in the record, ``RUNNING`` while it goes on."""

    initial: float
    final: float
    result: str
    steps: tuple[Step, ...]

    @property
    def decisions(self) -> float:
        """What the decisions cost together, 0 or less."""
        return sum(step.change for step in self.steps if step.action is not None)

    @property
    def luck(self) -> float:
        """What chance brought, above or below 0."""
        return sum(step.change for step in self.steps if step.action is None)

    @property
    def mistakes(self) -> tuple[Step, ...]:
        """The decisions whose cost has a name, the dearest first."""
        return tuple(sorted((s for s in self.steps if s.grade), key=lambda step: -step.cost))

    @property
    def course(self) -> tuple[float, ...]:
        """The winning chance at the beginning and after each move: what a plot shows."""
        return (self.initial, *(step.after for step in self.steps))

    def to_json(self) -> dict[str, Any]:
        """The review as a JSON object."""
        counts = {name: sum(step.grade == name for step in self.steps) for name, _ in GRADES}
        return {
            "initial": self.initial,
            "final": self.final,
            "result": self.result,
            "decisions": self.decisions,
            "luck": self.luck,
            "mistakes": counts,
            "thresholds": dict(GRADES),
            "equal_within": EQUAL,
            "course": list(self.course),
            "steps": [step.to_json() for step in self.steps],
        }


def review(record: Record, values: Values) -> Review:
    """Review a finished or running game. Raises RecordError if the record does not fit the table's game."""
    game = values.game
    match = Match.from_record(game, record)
    entries = match.entries[: len(record.entries)]
    state = game.initial() if record.position is None else game.state_from_json(record.position)
    now = initial = _grained(values.value(state))
    steps = []
    for number, entry in enumerate(entries, 1):
        day, before = state.day, now
        if entry.seat == CHANCE:
            game.apply_outcome(state, game.parse_outcome(entry.notation))
            now = _grained(values.value(state))
            steps.append(Step(number, entry.notation, _chance_sentence(entry.notation), day, before, now))
            continue
        action = game.parse_action(entry.notation)
        odds = values.odds(state)
        best = odds.best
        assert best is not None
        after = _grained(odds.of(action))
        game.apply(state, action)
        cost = _grained(odds.value) - after
        if state.result:
            cost = before - after  # the end is known exactly
        elif cost <= EQUAL:
            cost = 0.0
        now = before - cost
        steps.append(
            Step(number, action.notation, action.sentence, day, before, now, action, best.action, best.value, cost)
        )
    result = RUNNING if match.over is None else match.over.reason
    return Review(initial, now, result, tuple(steps))


def _chance_sentence(notation: str) -> str:
    verb, _, value = notation.partition(" ")
    return f"Card {value} is drawn" if verb == "draw" else f"The die shows {value}"
