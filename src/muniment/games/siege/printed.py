"""What a division of a card says, in words for people: its events (7.0) and orders (8.0), in short and in sentences."""

from __future__ import annotations

from typing import Final

from muniment.core.words import capital, listed, signed
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

__all__ = ["event_sentences", "event_words", "order_sentence", "order_words"]

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


def event_words(division: Division) -> str:
    """What the division's events do, in a sentence."""
    if not division.events:
        return "No event."
    words = ", ".join(_short(event) for event in division.events)
    return f"{capital(words)}."


def _short(event: EventEffect) -> str:
    match event:
        case TrebuchetAttack():
            return "all trebuchets fire"
        case StatusChange(track, change):
            return f"{STATUS_NAMES[track]} {change:+d}"
        case TrebuchetChange(change):
            return f"trebuchets {change:+d}"
        case Drm(target, change):
            return f"{change:+d} on {target.replace('_', ' ')}"
        case Only(actions):
            return f"only {' and '.join(name.replace('_', ' ') for name in actions) or 'no action'} possible"
        case Collapse(unit):
            return f"{UNIT_NAMES[unit]} on its start leaves the game"


def order_words(division: Division) -> str:
    """Who advances, in a sentence."""
    if division.slowest:
        return "The slowest advance."
    if not division.orders:
        return "Nobody advances."
    names = [UNIT_NAMES[unit] for unit in division.orders]
    return f"Advance: {', '.join(names)}."


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
