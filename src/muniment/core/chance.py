"""Chance is explicit: a chance node lists its outcomes with exact probabilities; applying one is deterministic.

Probabilities are integer weights over a common denominator, so that nothing is ever rounded; ``Fraction`` on request.
Only a match samples (from its seeded dice); search enumerates, and a person with real dice types the outcome in.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Generic, Protocol, TypeVar, runtime_checkable

__all__ = ["ChanceNode", "Outcome", "Source"]


@runtime_checkable
class Source(Protocol):
    """A source of uniform whole numbers: the match's dice, an agent's own stream, a test's script."""

    def below(self, n: int) -> int:
        """A uniform integer from 0 to n - 1; n is at least 1."""
        ...


@runtime_checkable
class Outcome(Protocol):
    """What chance brought: dice rolled or a tile or card drawn. A frozen value, comparable and hashable."""

    @property
    def notation(self) -> str:
        """The outcome on one line; ``Game.parse_outcome`` reads it back."""
        ...


O = TypeVar("O")


@dataclass(frozen=True)
class ChanceNode(Generic[O]):
    """The outcomes that chance can bring now, each with an integer weight.

    The probability of ``outcomes[i]`` is ``weights[i] / total``; weights are positive. Outcomes are distinct.
    """

    outcomes: tuple[O, ...]
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        if not self.outcomes or len(self.outcomes) != len(self.weights) or min(self.weights) < 1:
            raise ValueError("a chance node needs at least one outcome and one positive weight for each")

    @classmethod
    def uniform(cls, outcomes: tuple[O, ...]) -> ChanceNode[O]:
        """A node whose outcomes are equally likely."""
        return cls(outcomes, (1,) * len(outcomes))

    @cached_property
    def total(self) -> int:
        """The common denominator: the sum of the weights."""
        return sum(self.weights)

    def probabilities(self) -> tuple[tuple[O, Fraction], ...]:
        """Every outcome with its exact probability; they sum to exactly 1."""
        return tuple((o, Fraction(w, self.total)) for o, w in zip(self.outcomes, self.weights, strict=True))

    def sample(self, source: Source) -> O:
        """One outcome drawn with its probability, using a single ``source.below(total)``."""
        rest = source.below(self.total)
        if self.total == len(self.outcomes):  # all weights are 1
            return self.outcomes[rest]
        for outcome, weight in zip(self.outcomes, self.weights, strict=True):
            rest -= weight
            if rest < 0:
                return outcome
        raise AssertionError("weights sum to total")
