"""What the siege game's environments have in common: which game is played, where it begins, what a reset may say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from muniment.core.chance import Source
from muniment.core.errors import MunimentError
from muniment.games.catalog import make_game
from muniment.games.siege import Siege
from muniment.games.siege.state import ACTIONS_STEP, OVER, SiegeState

__all__ = ["ILLEGAL_REWARD", "PRINTED_DIGEST", "SIEGE_ID", "go_on", "position_of", "siege_game"]

SIEGE_ID: Final = "muniment/Siege-v0"
# Version 0 is the environment of the printed cards with this digest and of encoding version 1.
PRINTED_DIGEST: Final = "bf75f4f9c64421e7968f46067a090903cad30e5cd57108de354e3c28cc7cdc30"
ILLEGAL_REWARD: Final = -1.0


def siege_game(
    edition: str | Path | None, options: Mapping[str, object] | None, edition_digest: str | None, illegal: str
) -> Siege:
    """The game with this edition file (None: as printed) and these options.

    edition_digest: what the edition's digest must be; None if any will do. illegal: checked to be "lose" or "raise".
    Raises MunimentError.
    """
    if illegal not in ("lose", "raise"):
        raise MunimentError(f'illegal must be "lose" or "raise", not {illegal!r}')
    game = make_game("siege", None if edition is None else Path(edition), options)
    assert isinstance(game, Siege)
    if edition_digest is not None and game.edition_digest != edition_digest:
        raise MunimentError(
            f"{edition or 'the printed edition'}: its digest is {game.edition_digest}, but the environment is of "
            f"digest {edition_digest}; give edition_digest to say that another edition is meant, or None for any"
        )
    return game


def position_of(game: Siege, options: Mapping[str, Any] | None) -> SiegeState | None:
    """The position that the options of a reset name, None for the set-up.

    Raises PositionError for one that cannot occur; MunimentError for one whose game is over, and for other options.
    """
    given = dict(options or {})
    position = given.pop("position", None)
    if given:
        raise MunimentError(f"a reset has no option {next(iter(given))!r}; there is: position")
    if position is None:
        return None
    state = game.state_from_json(position)
    if state.step == OVER:
        raise MunimentError("a reset to a position whose game is over")
    return state


def go_on(game: Siege, state: SiegeState, source: Source) -> None:
    """Let chance have its way with the state until an action is awaited or the game is over."""
    while state.step not in (ACTIONS_STEP, OVER):
        game.apply_outcome(state, game.sample(state, source))
