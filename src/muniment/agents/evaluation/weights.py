"""What was learned, as a small JSON file that names everything it depends on.

``format`` and ``feature_version`` say how to read it, ``weights`` gives a number for every feature, for games of two
and for games of more, ``trained`` tells from which games, with which figures; ``editions`` are the digests of the
editions these were played with, and ``digest`` that of all the rest, so that damage is noticed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import isfinite
from pathlib import Path
from typing import Any, Final

from muniment.agents.evaluation.features import FEATURE_VERSION, FEATURES
from muniment.core.edition import digest_of
from muniment.core.errors import MunimentError

__all__ = ["TABLES", "Weights", "read_weights", "shipped_weights", "table_of"]

TABLES: Final = ("2 seats", "3 or 4 seats")
"""What is learned for each of: in a duel what one loses the other wins; with more seats somebody else may."""

_FORMAT: Final = "muniment king evaluation 2"
_DIGITS: Final = 5
_TOO_LARGE: Final = 1024 * 1024


def table_of(seats: int) -> int:
    """Which of ``TABLES`` a game of so many seats at its start is."""
    return 0 if seats == 2 else 1


@dataclass(frozen=True)
class Weights:
    """A number for each feature: a seat's score is the sum of features times weights.

    values: for each of ``TABLES``, in the order of ``FEATURES``. editions: digest by name. trained: how, and with
    which figures.
    """

    values: tuple[tuple[float, ...], ...]
    editions: Mapping[str, str] = field(default_factory=dict)
    trained: Mapping[str, Any] = field(default_factory=dict)

    def to_text(self) -> str:
        """The file: weights to five significant digits."""
        content: dict[str, Any] = {
            "format": _FORMAT,
            "feature_version": FEATURE_VERSION,
            "editions": dict(self.editions),
            "trained": dict(self.trained),
            "weights": {
                table: {name: float(f"{value:.{_DIGITS}g}") for name, value in zip(FEATURES, values, strict=True)}
                for table, values in zip(TABLES, self.values, strict=True)
            },
        }
        return json.dumps({**content, "digest": digest_of(content)}, indent=1, ensure_ascii=False) + "\n"


def read_weights(file: Path | Traversable) -> Weights:
    """Read weights. Raises MunimentError, naming the file, if they are damaged or of other features than these."""
    name = str(file) if isinstance(file, Path) else file.name
    try:
        with file.open("rb") as stream:
            text = stream.read(_TOO_LARGE)
    except OSError as error:
        raise MunimentError(f"{name}: {error.strerror or error}") from None
    except ValueError:
        raise MunimentError(f"{name!r}: not a file name") from None
    try:
        content = json.loads(text.decode())
        digest = content.pop("digest", None) if isinstance(content, dict) else None
        fitting = digest_of(content)  # goes as deep as the content, too
    except (ValueError, RecursionError):
        raise MunimentError(f"{name}: these are no weights of an evaluation: not JSON") from None
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise MunimentError(f"{name}: these are no weights of an evaluation: the format is not {_FORMAT!r}")
    if digest != fitting:
        raise MunimentError(f"{name}: damaged: the digest does not fit the content")
    version, weights = content.get("feature_version"), content.get("weights")
    editions, trained = content.get("editions"), content.get("trained")
    if (
        type(version) is not int
        or version != FEATURE_VERSION
        or not isinstance(weights, dict)
        or set(weights) != {*TABLES}
        or not all(isinstance(found, dict) and set(found) == {*FEATURES} for found in weights.values())
    ):
        raise MunimentError(f"{name}: learned for other features than this version's; train it anew")
    given = [[weights[table][feature] for feature in FEATURES] for table in TABLES]
    if not all(_is_finite(value) for found in given for value in found):
        raise MunimentError(f"{name}: a weight is not a finite number")
    if not isinstance(editions, dict) or not all(isinstance(each, str) for each in editions.values()):
        raise MunimentError(f"{name}: its editions are not digests by name")
    if not isinstance(trained, dict):
        raise MunimentError(f"{name}: it does not tell how it was trained")
    extra = sorted(set(content) - {"format", "feature_version", "editions", "trained", "weights"})
    if extra:
        raise MunimentError(f"{name}: {extra[0]!r} is not known here")
    return Weights(tuple([tuple(map(float, found)) for found in given]), editions, trained)


def _is_finite(value: object) -> bool:
    """Whether it is a number that a float can hold; a whole number of JSON can have thousands of digits."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    except OverflowError:
        return False


@cache
def shipped_weights() -> Weights:
    """The weights that come with the package."""
    return read_weights(files("muniment.agents.evaluation").joinpath("king.json"))
