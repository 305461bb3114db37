"""9 Card Siege as the OpenSpiel game ``muniment_siege``, for one player: numbers and parameters.

Parameters: ``edition``: a file, "" for the printed cards; ``edition_digest``: the digest that it must have, "own" for
the printed one, "any"; and every option of the game. Chance: a die has the numbers 0 to 5 for its faces, a draw the
card's place in the edition.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pyspiel

from muniment.envs.openspiel_base import (
    Coding,
    MunimentGame,
    Numbers,
    Partial,
    game_type,
    option_parameters,
    options_from,
)
from muniment.envs.siege_encoding import ACTION_COUNT, FIELDS, encode, named
from muniment.envs.siege_setup import PRINTED_DIGEST, siege_game
from muniment.games.siege import Siege
from muniment.games.siege.actions import ACTIONS, SiegeAction
from muniment.games.siege.edition import MAX_CARDS
from muniment.games.siege.outcomes import SiegeOutcome
from muniment.games.siege.state import DRAW, SiegeState

__all__ = ["SIEGE_TYPE", "SiegeCoding", "SiegeGame"]


class SiegeCoding(Coding):
    """The numbers of a game: actions and observations by ``siege_encoding``."""

    def __init__(self, game: Siege) -> None:
        self.rules: Siege = game
        self.action_count = ACTION_COUNT
        self.chance_count = max(6, MAX_CARDS)
        most = game.facts.max_decisions
        assert most is not None
        self.decisions = most
        self.parts = tuple((field.name, (field.size,)) for field in FIELDS)
        self._places = {card.number: place for place, card in enumerate(game.edition.cards)}

    def numbered(self, state: SiegeState, seat: int) -> dict[int, SiegeAction]:
        """The legal actions by number."""
        return {action.index: action for action in self.rules.legal_actions(state, seat)}

    def name(self, number: int) -> str:
        """The action's notation."""
        return ACTIONS[number].notation

    def observe(self, state: SiegeState, seat: int, *, spectator: bool) -> Numbers:
        """The encoded view, which is the same for a spectator."""
        return encode(self.rules.view(state, None if spectator else seat))

    def lines(self, observation: Numbers) -> list[str]:
        """Every field of the observation; none if there is nothing to see."""
        if not observation.any():
            return []
        return [
            f"{name}: {' '.join(map(str, numbers))}" for name, numbers in named(observation.astype(np.int8)).items()
        ]

    def chance(self, state: SiegeState, partial: Partial) -> tuple[list[tuple[int, int]], int]:
        """The faces of a die, or the places of the cards left."""
        node = self.rules.chance(state)
        return [(self._number(o), w) for o, w in zip(node.outcomes, node.weights, strict=True)], node.total

    def _number(self, outcome: SiegeOutcome) -> int:
        return self._places[outcome.value] if outcome.drawn else outcome.value - 1

    def came(self, state: SiegeState, partial: Partial, number: int) -> SiegeOutcome:
        """The face or the card."""
        if state.step == DRAW:
            return SiegeOutcome(True, self.rules.edition.cards[number].number)
        return SiegeOutcome(False, number + 1)

    def chance_name(self, state: SiegeState, partial: Partial, number: int) -> str:
        """The outcome's notation."""
        return self.came(state, partial, number).notation


_PARAMETERS: Final[Mapping[str, str | bool | int]] = {
    "edition": "", "edition_digest": "own", **option_parameters(Siege.option_definitions),
}  # fmt: skip
SIEGE_TYPE: Final = game_type(
    "muniment_siege",
    Siege.facts,
    pyspiel.GameType.Information.PERFECT_INFORMATION,
    pyspiel.GameType.Utility.GENERAL_SUM,
    _PARAMETERS,
)


class SiegeGame(MunimentGame):
    """The game; see the module's text for its parameters. Raises MunimentError for one that does not fit."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        digests = {"own": PRINTED_DIGEST, "any": None}
        digest = str(given["edition_digest"])
        game = siege_game(
            str(given["edition"]) or None, options_from(Siege.option_definitions, given), digests.get(digest, digest),
            "raise",
        )  # fmt: skip
        super().__init__(SIEGE_TYPE, SiegeCoding(game), 1, params or {})
