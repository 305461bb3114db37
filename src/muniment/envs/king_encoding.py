"""King of the Tabletop as whole numbers of fixed shape: actions by ``king_actions``, views by ``king_observation``.

Both depend on the edition's tiles alone, and are the same for every state, number of seats and option.
``ENCODING_VERSION`` changes whenever any of this does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

try:
    import numpy as np
except ImportError as error:
    raise ImportError(
        f"the encodings need NumPy, which comes with each environment: pip install 'muniment[gymnasium]' ({error})"
    ) from None
from numpy.typing import NDArray

from muniment.core.errors import MunimentError
from muniment.envs.king_actions import KingActions
from muniment.envs.king_observation import KingObservations, Observation
from muniment.games.catalog import make_game
from muniment.games.king import King
from muniment.games.king.actions import KingAction
from muniment.games.king.views import KingView

__all__ = [
    "EDITION_DIGESTS",
    "ENCODING_VERSION",
    "OWN_EDITIONS",
    "KingEncoding",
    "king_game",
    "position_value",
]

ENCODING_VERSION: Final = 1
# Version 0 of the environments is the game with the package's own editions, of these digests, and encoding version 1.
EDITION_DIGESTS: Final[Mapping[str, str]] = {
    "rulebook": "47c1408e79ca5acaa185a937b482c9c9c4ab4d730169caed02f9dc54556b927a",
    "counters": "acc0cf46b7f01c0c335f695ed2c9de01f2f4e723e661cabfa39206b68c55365a",
}
OWN_EDITIONS: Final = "own"


class KingEncoding:
    """The encoding of a game: ``action_count`` numbers for actions, ``observation_size`` numbers an observation."""

    def __init__(self, game: King) -> None:
        self.edition_digest = game.edition_digest
        self.actions = KingActions(game.box)
        self.observations = KingObservations(game)
        self.action_count = self.actions.size
        self.observation_size = self.observations.size

    def numbered(self, legal: Sequence[KingAction], seat: int, seats: int) -> dict[int, KingAction]:
        """The legal actions of a seat by number, in the same order; those beyond a cap are left out."""
        return self.actions.numbered(legal, seat, seats)

    def action_of(self, number: int, legal: Sequence[KingAction], seat: int, seats: int) -> KingAction:
        """The action that a number stands for among the legal ones. Raises MunimentError if it is none of them."""
        if not 0 <= number < self.action_count:
            raise MunimentError(f"action {number}: the actions of the king game are 0 to {self.action_count - 1}")
        found = self.numbered(legal, seat, seats).get(number)
        if found is None:
            raise MunimentError(f"action {number} ({self.actions.names[number]}) is not legal for seat {seat} now")
        return found

    def action_mask(self, numbers: Iterable[int]) -> NDArray[np.int8]:
        """For each action number 1 if it is among these, else 0."""
        mask = np.zeros(self.action_count, np.int8)
        mask[list(numbers)] = 1
        return mask

    def encode(self, view: KingView) -> Observation:
        """The view as an observation of shape (``observation_size``,)."""
        return self.observations.encode(view)


def king_game(edition: str | Path | None, options: Mapping[str, object] | None, edition_digest: str | None) -> King:
    """The game with this edition file (None: the package's own) and these options.

    edition_digest: what the edition's digest must be; ``OWN_EDITIONS`` for one of the package's own, None if any will
    do. Raises MunimentError.
    """
    game = make_game("king", None if edition is None else Path(edition), options)
    assert isinstance(game, King)
    wanted = EDITION_DIGESTS.values() if edition_digest == OWN_EDITIONS else (str(edition_digest),)
    if edition_digest is not None and game.edition_digest not in wanted:
        raise MunimentError(
            f"{edition or game.edition_name}: its digest is {game.edition_digest}, but the environment is of digest "
            f"{' or '.join(wanted)}; give edition_digest to say that another edition is meant, or None for any"
        )
    return game


def position_value(position: object) -> object:
    """A position as a JSON object, which may be given as a text. Raises MunimentError for a text that is not JSON."""
    if not isinstance(position, str):
        return position
    try:
        return json.loads(position)
    except ValueError as error:
        raise MunimentError(f"a position is JSON, which this is not: {error}") from None
