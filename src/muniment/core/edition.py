"""Editions: a game's cards and tiles as TOML, read through a schema that names the place of every fault.

A game reads its edition through ``Table``: every key is asked for with its type and range, and what nobody asked for is
an error, so that a misspelt key in somebody's own card set is never silently ignored.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path

from muniment.core.errors import EditionError

__all__ = ["Table", "digest_of", "read_toml"]

_TOO_LARGE = 1024 * 1024


def digest_of(content: Mapping[str, object]) -> str:
    """The digest of an edition: SHA-256 of its content as canonical JSON, so that comments and layout do not matter."""
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)
    return hashlib.sha256(canonical.encode()).hexdigest()


def read_toml(file: Path | Traversable) -> Table:
    """The root table of an edition file. Raises EditionError if it cannot be read or is not TOML."""
    name = str(file) if isinstance(file, Path) else file.name
    try:
        with file.open("rb") as stream:
            content = stream.read(_TOO_LARGE + 1)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise EditionError(f"{name}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise EditionError(f"{name}: not a UTF-8 text file") from None
    if len(content) > _TOO_LARGE:
        raise EditionError(f"{name}: too large to be an edition")
    try:
        return Table(tomllib.loads(text), name)
    except RecursionError:
        raise EditionError(f"{name}: not valid TOML: nested too deeply") from None
    except ValueError as error:  # TOMLDecodeError, or a number of thousands of digits
        raise EditionError(f"{name}: not valid TOML: {error}") from None


class Table:
    """A table of an edition file together with its place, from which typed values are taken."""

    def __init__(self, content: Mapping[str, object], place: str) -> None:
        self.content = content
        self.place = place
        self._asked: set[str] = set()

    def fault(self, reason: str) -> EditionError:
        """The error for something wrong in this table."""
        return EditionError(f"{self.place}: {reason}")

    def has(self, key: str) -> bool:
        """Whether the key is present."""
        return key in self.content

    def _take(self, key: str) -> object:
        self._asked.add(key)
        if key not in self.content:
            raise self.fault(f"{key!r} is missing")
        return self.content[key]

    def text(self, key: str, *, choices: Sequence[str] | None = None) -> str:
        """A one-line text that is not blank, one of the choices if these are given."""
        value = self._take(key)
        if not isinstance(value, str) or not value.strip() or len(value.splitlines()) != 1 or not value.isprintable():
            raise self.fault(f"{key} must be a line of text, not {value!r}")
        if choices is not None and value not in choices:
            raise self.fault(f"{key} must be one of {', '.join(choices)}, not {value!r}")
        return value

    def integer(self, key: str, low: int, high: int) -> int:
        """A whole number from low to high."""
        value = self._take(key)
        if type(value) is not int or not low <= value <= high:
            raise self.fault(f"{key} must be a whole number from {low} to {high}, not {value!r}")
        return value

    def true(self, key: str) -> None:
        """The value ``true``, for keys that are given or left out."""
        if (value := self._take(key)) is not True:
            raise self.fault(f"{key} can only be true, not {value!r}")

    def table(self, key: str) -> Table:
        """A sub-table."""
        value = self._take(key)
        if not isinstance(value, dict):
            raise self.fault(f"{key} must be a table, not {value!r}")
        return Table(value, f"{self.place}, {key}")

    def tables(self, key: str, low: int, high: int) -> list[Table]:
        """A list of low to high tables."""
        value = self._take(key)
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.fault(f"{key} must be a list of tables, not {value!r}")
        if not low <= len(value) <= high:
            raise self.fault(f"there must be {low} to {high} of {key}, not {len(value)}")
        return [Table(item, f"{self.place}, {key} {number}") for number, item in enumerate(value, 1)]

    def texts(self, key: str, choices: Sequence[str]) -> tuple[str, ...]:
        """A list of distinct texts, each one of the choices."""
        value = self._take(key)
        if not isinstance(value, list):
            raise self.fault(f"{key} must be a list, not {value!r}")
        for item in value:
            if item not in choices:
                raise self.fault(f"{key} must be of {', '.join(choices)}, not {item!r}")
        if len(set(value)) != len(value):
            raise self.fault(f"{key} names something twice")
        return tuple(value)

    def done(self) -> None:
        """Everything has been asked for: any other key is an error."""
        for key in self.content:
            if key not in self._asked:
                raise self.fault(f"{key!r} is not known here; expected: {', '.join(sorted(self._asked))}")
