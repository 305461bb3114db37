"""The games by name, made from what a command line or a record says of them; a game is imported when it is opened."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from muniment.core.errors import MunimentError
from muniment.core.game import Game
from muniment.core.options import Option
from muniment.core.record import Record
from muniment.core.rulebook import Rulebook

__all__ = ["GAME_NAMES", "TITLES", "game_of_record", "make_game", "options_of", "rulebook_of"]

TITLES: Final = {"siege": "9 Card Siege", "king": "King of the Tabletop"}
GAME_NAMES: Final = ("siege", "king")


def make_game(
    name: str, edition: Path | None = None, options: Mapping[str, object] | None = None
) -> Game[Any, Any, Any, Any]:
    """The game with this edition file (None: as printed) and these options (others at their defaults).

    King of the Tabletop also takes the name of one of its own editions in place of a file.
    Raises MunimentError for an unknown game, EditionError, OptionError.
    """
    if name == "siege":
        from muniment.games.siege import Siege, SiegeOptions, load_edition

        return Siege(None if edition is None else load_edition(edition), SiegeOptions.read(options or {}))
    if name == "king":
        from muniment.games.king import King, KingOptions
        from muniment.games.king.tiles import EDITIONS, read_edition

        given = dict(options or {})
        if edition is not None and str(edition) in EDITIONS and not edition.exists():
            given["edition"], edition = str(edition), None
        chosen = KingOptions.read(given)
        return King(None if edition is None else read_edition(edition, chosen.edition), chosen)
    raise _unknown(name)


def game_of_record(record: Record, edition: Path | None = None) -> Game[Any, Any, Any, Any]:
    """The game that a record is of, with the record's options; its edition file if it is not the printed one.

    Raises MunimentError as ``make_game`` does; whether the edition is the record's, ``Match.from_record`` checks.
    """
    return make_game(record.game, edition, record.options)


def options_of(name: str) -> tuple[Option, ...]:
    """The options a game offers. Raises MunimentError for an unknown game."""
    return make_game(name).option_definitions


@cache
def rulebook_of(name: str) -> Rulebook:
    """The rules of a game in our own words. Raises MunimentError for an unknown game."""
    if name not in TITLES:
        raise _unknown(name)
    return Rulebook.load(files(f"muniment.games.{name}").joinpath("rules.toml"))


def _unknown(name: str) -> MunimentError:
    if name in TITLES:
        return MunimentError(f"{TITLES[name]} cannot be played yet; only its rules are here")
    return MunimentError(f"there is no game {name!r}; the games are: {', '.join(TITLES)}")
