"""Words of the pages: what a chance is, how many of something. No rule is decided here."""

from __future__ import annotations

from fractions import Fraction

__all__ = ["chance", "count", "percent"]


def count(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: "1 turn", "3 turns"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def chance(probability: Fraction) -> str:
    """A probability as people write it: "5/6", "certain", "impossible"."""
    if probability == 1:
        return "certain"
    return "impossible" if probability == 0 else str(probability)


def percent(probability: Fraction) -> str:
    """A probability as a rounded percentage."""
    return f"{round(probability * 100)} %"
