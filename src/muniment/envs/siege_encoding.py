"""9 Card Siege as whole numbers of fixed shape: actions as 0 to 22, a view as a row of 27 small numbers.

Both are the same for every edition and all options. An action's number is its place in ``ACTIONS`` (``index``), which
holds every action that any edition or option can offer. An observation has a place for each of the nine cards that an
edition can have at most; an edition with fewer leaves the last places of the deck at 0. Cards are told by their place
in the edition's file, not by the number printed on them.

An observation is the view, field by field and in its order, see ``FIELDS``; the numbers are those of ``SiegeView``. A
result is its place among ``RESULTS``. What is printed on the cards is not in it: that is the edition's, and known.
``ENCODING_VERSION`` changes whenever any of this does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

try:
    import numpy as np
except ImportError as error:
    raise ImportError(
        f"the encodings need NumPy, which comes with each environment: pip install 'muniment[gymnasium]' ({error})"
    ) from None
from numpy.typing import NDArray

from muniment.core.errors import MunimentError
from muniment.games.siege import Siege
from muniment.games.siege.actions import ACTIONS, SiegeAction
from muniment.games.siege.edition import MAX_CARDS
from muniment.games.siege.endings import ENDINGS
from muniment.games.siege.state import FREE_MOVE_ENTERED, OVER, SiegeState
from muniment.games.siege.terms import (
    DAYS,
    ENEMY_LINES,
    MAX_RAIDED,
    MAX_STATUS,
    MAX_TREBUCHETS,
    REMOVED,
    START,
    STATUSES,
    UNITS,
)
from muniment.games.siege.view import SiegeView

__all__ = [
    "ACTION_COUNT", "ENCODING_VERSION", "FIELDS", "HIGH", "LOW", "MAX_POINTS", "OBSERVATION_SIZE", "PLACES", "RESULTS",
    "RESULT_NUMBERS", "Field", "action_mask", "action_of", "decode", "encode", "named",
]  # fmt: skip

ENCODING_VERSION: Final = 1
ACTION_COUNT: Final = len(ACTIONS)
MAX_POINTS: Final = 7  # six of a card, and one more (9.2)
RESULTS: Final = ("", *ENDINGS)  # "" while the game goes on

Observation = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Field:
    """A part of an observation: so many numbers, each from low to high. Its name is the view's."""

    name: str
    size: int
    low: int
    high: int
    meaning: str


FIELDS: Final = (
    Field("units", len(UNITS), REMOVED, START, "space of ladders, battering ram, siege tower: 4 start, 0 close combat"),
    Field("status", len(STATUSES), 0, MAX_STATUS, "wall, morale, supplies"),
    Field("trebuchets", 1, 0, MAX_TREBUCHETS, "trebuchets left"),
    Field("soldiers", 1, 0, ENEMY_LINES, "0 castle, 1 near tunnel, 2 far tunnel, 3 enemy lines"),
    Field("raided", 1, 0, MAX_RAIDED, "supplies the soldiers carry"),
    Field("day", 1, 1, DAYS, "the day"),
    Field("deck", MAX_CARDS, 0, 1, "for each card of the edition, in its order: 1 if it is not yet played this day"),
    Field("card", 1, -1, MAX_CARDS - 1, "place of the card in play, -1 before the draw"),
    Field("step", 1, 0, OVER, "0 line check, 1 draw, 2 trebuchets' die, 3 actions, 4 an action's die, 5 over"),
    Field("points", 1, 0, MAX_POINTS, "action points left"),
    Field("extra_used", 1, 0, 1, "1 if the additional action was taken"),
    Field(
        "free_move", 1, 0, FREE_MOVE_ENTERED, "free movement: 0 left, 1 used, 2 gone, as soldiers entered the tunnel"
    ),
    Field("boiled", 1, 0, 1, "1 if boiling water was used this turn"),
    Field("rolling", 1, -1, ACTION_COUNT - 1, "the action whose die is awaited, or -1"),
    Field("result", 1, 0, len(RESULTS) - 1, "place of the ending in RESULTS, 0 while the game goes on"),
)
OBSERVATION_SIZE: Final = sum(field.size for field in FIELDS)
PLACES: Final[Mapping[str, slice]] = {
    field.name: slice(end - field.size, end)
    for field, end in zip(FIELDS, accumulate(field.size for field in FIELDS), strict=True)
}
LOW: Final[Observation] = np.repeat(np.array([f.low for f in FIELDS], np.int8), [f.size for f in FIELDS])
HIGH: Final[Observation] = np.repeat(np.array([f.high for f in FIELDS], np.int8), [f.size for f in FIELDS])
RESULT_NUMBERS: Final = {code: number for number, code in enumerate(RESULTS)}


def action_of(number: int) -> SiegeAction:
    """The action with this number. Raises MunimentError if there is none."""
    if not 0 <= number < ACTION_COUNT:
        raise MunimentError(f"action {number}: the actions of the siege game are 0 to {ACTION_COUNT - 1}")
    return ACTIONS[number]


def action_mask(legal: Iterable[SiegeAction]) -> NDArray[np.int8]:
    """For each action number 1 if the action is among the legal ones, else 0."""
    mask = np.zeros(ACTION_COUNT, np.int8)
    mask[[action.index for action in legal]] = 1
    return mask


def encode(view: SiegeView) -> Observation:
    """The view as an observation of shape (27,)."""
    return np.array(
        [
            *view.units, *view.status, view.trebuchets, view.soldiers, view.raided, view.day,
            *(view.deck >> index & 1 for index in range(MAX_CARDS)), view.card, view.step, view.points,
            view.extra_used, view.free_move, view.boiled, view.rolling, RESULT_NUMBERS[view.result],
        ],
        np.int8,
    )  # fmt: skip


def named(observation: Observation) -> dict[str, list[int]]:
    """The observation's numbers by the names of ``FIELDS``. Raises MunimentError for a wrong shape or range."""
    if observation.shape != (OBSERVATION_SIZE,):
        raise MunimentError(f"an observation has the shape ({OBSERVATION_SIZE},), not {observation.shape}")
    numbers: list[int] = observation.tolist()
    for field in FIELDS:
        for number in numbers[PLACES[field.name]]:
            if not field.low <= number <= field.high:
                raise MunimentError(f"{field.name} is a number from {field.low} to {field.high}, not {number}")
    return {name: numbers[place] for name, place in PLACES.items()}


def decode(observation: Observation, game: Siege) -> SiegeView:
    """The player's view that the observation is of, in this game. Raises MunimentError as ``named`` does."""
    fields = named(observation)
    state = SiegeState()
    state.units, state.status = fields["units"], fields["status"]
    for name in ("trebuchets", "soldiers", "raided", "day", "card", "step", "points", "free_move", "rolling"):
        setattr(state, name, fields[name][0])
    state.deck = sum(bit << index for index, bit in enumerate(fields["deck"]))
    if state.deck > game.full_deck or state.card >= len(game.edition.cards):
        raise MunimentError(f"the edition {game.edition_name} has {len(game.edition.cards)} cards")
    state.extra_used, state.boiled = fields["extra_used"] == [1], fields["boiled"] == [1]
    state.result = RESULTS[fields["result"][0]]
    return game.view(state, 0)
