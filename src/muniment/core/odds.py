"""Odds: what choosing an action costs, and what can come of it with which exact probability."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

__all__ = ["Odds", "OddsCase"]

SUCCESS = "success"


@dataclass(frozen=True, slots=True)
class OddsCase:
    """One way an action can turn out.

    label: "success", "failure", "captured", or "certain" where no die is rolled. faces: the natural dice that lead
    here. effects: what changes, in words, beyond the price.
    """

    label: str
    probability: Fraction
    faces: tuple[int, ...]
    effects: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Odds:
    """price: what is paid whatever the die shows, in words. cases: their probabilities sum to exactly 1."""

    price: tuple[str, ...]
    cases: tuple[OddsCase, ...]

    @property
    def success(self) -> Fraction:
        """The chance that the action does what it is meant to do; 1 where nothing is rolled."""
        good = [case.probability for case in self.cases if case.label in (SUCCESS, "certain")]
        return sum(good, Fraction(0))

    def to_json(self) -> dict[str, Any]:
        """The odds as a JSON object; probabilities as texts like "1/3"."""
        return {
            "price": list(self.price),
            "success": str(self.success),
            "cases": [
                {
                    "label": case.label,
                    "probability": str(case.probability),
                    "faces": list(case.faces),
                    "effects": list(case.effects),
                }
                for case in self.cases
            ],
        }
