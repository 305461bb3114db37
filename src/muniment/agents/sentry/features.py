"""What ``sentry`` looks at when it judges a table at the start of a turn: about 70 figures, each of the order of 1.

``captain``'s arguments come first; then what the cards hold in store; then the table, place by place; then what is
printed, so that an edition of anybody's own is judged by its own figures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from muniment.agents.captain import Captain
from muniment.games.siege.edition import SiegeEdition
from muniment.games.siege.game import Siege
from muniment.games.siege.state import SiegeState
from muniment.games.siege.terms import (
    DAYS,
    ENEMY_LINES,
    MAX_RAIDED,
    MAX_STATUS,
    MAX_TREBUCHETS,
    REMOVED,
    STATUS_NAMES,
    TUNNEL_NAMES,
    UNIT_NAMES,
)

__all__ = ["FEATURES", "FEATURE_VERSION", "Features"]

FEATURE_VERSION: Final = 1

_SPACES: Final = ("removed", "close combat", "circle", "2", "3")  # a unit on its start is none of these

FEATURES: Final = (
    *(f"captain: {name}" for name in ("time", "wall", "food", "morale", "enemy", "errand")),
    "turns", "cards today", "attacks", "attack next", "losses today",
    *(f"orders: {unit}" for unit in UNIT_NAMES),
    *(f"next order: {unit}" for unit in UNIT_NAMES),
    *(f"losses: {track}" for track in STATUS_NAMES),
    "points today", "points to come",
    *(f"{track} {level}" for track in STATUS_NAMES for level in range(1, MAX_STATUS + 1)),
    *(f"raided {number}" for number in range(1, MAX_RAIDED + 1)),
    *(f"soldiers: {place}" for place in TUNNEL_NAMES[1:]),
    *(f"trebuchets {number}" for number in range(1, MAX_TREBUCHETS + 1)),
    *(f"day {day}" for day in range(2, DAYS + 1)),
    *(f"{unit}: {space}" for unit in UNIT_NAMES for space in _SPACES),
    *(f"strength: {unit}" for unit in UNIT_NAMES), "strength: close combat", "wall at", "morale at",
    "ones cancelled", "all driven back",
)  # fmt: skip
"""What each figure is."""


class Features:
    """Measures positions of one game."""

    def __init__(self, rules: Siege, captain: Captain) -> None:
        self._captain = captain
        self._edition = rules.edition
        options = rules.options
        edition = rules.edition
        self._printed = [
            *(strength / 4 for strength in edition.strength),
            edition.close_combat_strength / 4,
            edition.raise_wall_at / 4,
            edition.raise_morale_at / 4,
            float(options.ones == "event_bonus_cancels"),
            float(options.close_combat_drives_back == "all"),
        ]
        self._ahead: dict[tuple[int, int], list[float]] = {}

    def of(self, state: SiegeState) -> list[float]:
        """The figures of a table at the start of a turn, in the order of ``FEATURES``."""
        key = (state.day, state.deck)
        ahead = self._ahead.get(key)
        if ahead is None:
            ahead = self._ahead[key] = self._in_store(state)
        found = [*self._captain.arguments(state), *ahead]
        for level in state.status:
            found += _one_of(level, MAX_STATUS)
        found += _one_of(state.raided, MAX_RAIDED)
        found += _one_of(state.soldiers, ENEMY_LINES)
        found += _one_of(state.trebuchets, MAX_TREBUCHETS)
        found += _one_of(state.day - 1, DAYS - 1)
        for space in state.units:
            found += _one_of(space - REMOVED + 1, len(_SPACES))
        return found + self._printed

    def _in_store(self, state: SiegeState) -> list[float]:
        ahead = self._captain.forecast(state)
        return [
            ahead.turns / 9,
            ahead.cards_left / 9,
            ahead.attacks / 3,
            ahead.next_attack * 3,
            ahead.losses_today / 3,
            *(orders / 4 for orders in ahead.orders),
            *(orders * 2 for orders in ahead.next_orders),
            *(losses / 3 for losses in ahead.losses),
            *_points(self._edition, state.day, state.deck),
        ]


def _points(edition: SiegeEdition, day: int, deck: int) -> Sequence[float]:
    """The action points of the average card today, and of all cards to come."""
    today = [card.divisions[day - 1].actions for index, card in enumerate(edition.cards) if deck >> index & 1]
    later = [card.divisions[other].actions for card in edition.cards for other in range(day, DAYS)]
    return sum(today) / len(today) / 2, (sum(today) + sum(later)) / 40


_ROWS: Final = {
    most: [tuple(float(value == level) for level in range(1, most + 1)) for value in range(most + 2)]
    for most in {MAX_STATUS, MAX_RAIDED, ENEMY_LINES, MAX_TREBUCHETS, DAYS - 1, len(_SPACES)}
}


def _one_of(value: int, most: int) -> tuple[float, ...]:
    """1 at the value's place of 1 to most, else 0."""
    return _ROWS[most][value]
