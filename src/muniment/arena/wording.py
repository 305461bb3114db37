"""How the arena's reports write names, shares and what was played."""

from __future__ import annotations

from muniment.arena.standings import Standings
from muniment.arena.statistics import Interval
from muniment.games.catalog import TITLES

__all__ = ["NAME", "others", "short", "span", "title", "with_span"]

NAME = 24
"""The longest name that is written out in text."""


def short(name: str, most: int = NAME) -> str:
    """The name, or its end if it is longer than ``most``."""
    return name if len(name) <= most else f"…{name[1 - most :]}"


def span(rate: Interval) -> str:
    """An interval, as in ``20.1% to 30.2%``."""
    return f"{rate.low:.1%} to {rate.high:.1%}"


def with_span(rate: Interval) -> str:
    """A share with its interval, as in ``25.0% (20.1% to 30.2%)``."""
    return f"{rate.estimate:.1%} ({span(rate)})"


def others(name: str, seats: int) -> str:
    """Who sits in all seats but one, as in ``3 × steward``."""
    return short(name) if seats <= 2 else f"{seats - 1} × {short(name)}"


def title(found: Standings) -> str:
    """What was played, in a line."""
    plan = found.tournament.plan
    who = "one seat" if plan.seats == 1 else f"{plan.seats} seats"
    return f"{TITLES[plan.game]}: {found.games:,} games at {who}"
