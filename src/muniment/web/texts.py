"""Words of the pages: what a card does, what a chance is, how many of something. No rule is decided here."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from muniment.games.siege.edition import (
    Collapse,
    Division,
    Drm,
    EventEffect,
    Only,
    StatusChange,
    TrebuchetAttack,
    TrebuchetChange,
)
from muniment.games.siege.terms import STATUS_NAMES, UNIT_NAMES

__all__ = ["capital", "chance", "count", "event_sentences", "listed", "order_sentence", "percent", "signed"]

_TARGETS: Final = {
    "ladders": "attacks on the ladders",
    "battering_ram": "attacks on the battering ram",
    "siege_tower": "attacks on the siege tower",
    "circle": "attacks on units on the circle",
    "close_combat": "close combat",
    "all_attacks": "all attacks",
    "coupure": "coupure",
    "rally": "rally",
    "supply_raid": "supply raids",
    "sabotage": "sabotage",
}


def capital(words: str) -> str:
    """The words with a capital first letter."""
    return words[:1].upper() + words[1:]


def signed(change: int) -> str:
    """A change with its sign, a true minus."""
    return f"+{change}" if change >= 0 else f"−{-change}"


def count(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: "1 turn", "3 turns"."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words in a row: "a", "a and b", "a, b and c"."""
    found = list(words)
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"


def chance(probability: Fraction) -> str:
    """A probability as people write it: "5/6", "certain", "impossible"."""
    if probability == 1:
        return "certain"
    return "impossible" if probability == 0 else str(probability)


def percent(probability: Fraction) -> str:
    """A probability as a rounded percentage."""
    return f"{round(probability * 100)} %"


def event_sentences(division: Division) -> tuple[str, ...]:
    """What the events of a card's division do, a sentence each (7.0)."""
    return tuple(_sentence(event) for event in division.events) or ("No event.",)


def _sentence(event: EventEffect) -> str:
    match event:
        case TrebuchetAttack():
            return "All trebuchets fire at the wall."
        case StatusChange(track, change):
            return f"{capital(STATUS_NAMES[track])} {signed(change)}."
        case TrebuchetChange(change):
            return f"Trebuchets {signed(change)}."
        case Drm(target, change):
            return f"{signed(change)} on {_TARGETS[target]} this turn."
        case Only(actions):
            names = listed((name.replace("_", " ") for name in actions), "or")
            return f"Only {names} this turn." if names else "No action at all this turn."
        case Collapse(unit):
            return f"The {UNIT_NAMES[unit]} leaves the game if it stands on its start."


def order_sentence(division: Division) -> str:
    """Whom the card orders forward (8.0)."""
    if division.slowest:
        return "The slowest units advance."
    if not division.orders:
        return "Nobody advances."
    names = listed(UNIT_NAMES[unit] for unit in division.orders)
    many = len(division.orders) > 1 or division.orders[0] == 0
    return f"The {names} advance{'' if many else 's'}."
