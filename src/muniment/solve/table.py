"""The solved game on disk: the winning chance before every draw, memory-mapped.

A table is one file: a header of 4096 bytes, one line of JSON filled up with spaces, then 16-bit little-endian numbers.
A number n stands for the winning chance n / 65535, the nearest to the exact one, so that no stored value is off by more
than half a step, ``ERROR`` = 7.63e-6. Everything worked out from stored values is a mean or a maximum of them, and
neither can be off by more than the values it is taken of.

The numbers are in blocks by day, then deck (as bits, from 1 on), then as ``Ruleset.shape`` says.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import platformdirs
from numpy.typing import NDArray

from muniment.core.errors import MunimentError
from muniment.games.siege.edition import SiegeEdition
from muniment.games.siege.options import SiegeOptions
from muniment.games.siege.terms import DAYS
from muniment.solve.ruleset import Ruleset
from muniment.solve.solver import Stage

__all__ = ["ERROR", "Table", "TableFault", "Writer", "cache_folder", "header_of", "table_bytes", "table_path"]

STEPS: Final = 65535
ERROR: Final = 0.5 / STEPS + 1e-12  # a half step, and the rounding of the computation itself
HEADER_BYTES: Final = 4096
FORMAT: Final = "muniment siege table 1"
_NUMBERS = np.dtype("<u2")


class TableFault(MunimentError):
    """A table file is missing, damaged or of another game: it has to be computed."""


def cache_folder() -> Path:
    """Where tables are kept: in the user's cache directory."""
    return platformdirs.user_cache_path("muniment") / "siege"


def table_path(edition: SiegeEdition, options: SiegeOptions, folder: Path | None = None) -> Path:
    """The file of the table of an edition with these options."""
    key = json.dumps([edition.digest, options.values()], sort_keys=True)
    name = "".join(c if c.isalnum() else "-" for c in edition.name.lower())[:40]
    return (folder or cache_folder()) / f"{name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}.table"


def header_of(rules: Ruleset) -> dict[str, Any]:
    """What says which game a table is of."""
    return {
        "format": FORMAT,
        "edition": rules.edition.name,
        "edition_digest": rules.edition.digest,
        "options": rules.options.values(),
        "rules": rules.digest,
        "numbers": sum(_sizes(rules)),
    }


def _keys(rules: Ruleset) -> Iterator[tuple[int, int]]:
    for day in range(1, DAYS + 1):
        for deck in range(1, rules.full_deck + 1):
            yield day, deck


def _sizes(rules: Ruleset) -> Iterator[int]:
    for day, deck in _keys(rules):
        blocks, length = rules.shape(day, deck)
        yield blocks * length


def table_bytes(rules: Ruleset) -> int:
    """The size of the game's table on disk."""
    return HEADER_BYTES + _NUMBERS.itemsize * sum(_sizes(rules))


def _places(rules: Ruleset) -> dict[tuple[int, int], int]:
    places, at = {}, 0
    for key, size in zip(_keys(rules), _sizes(rules), strict=True):
        places[key] = at
        at += size
    return places


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(HEADER_BYTES)
        return hashlib.file_digest(file, "sha256").hexdigest()


class Writer:
    """Writes a table to a file of its own until it is whole; a stage can be written again after an interruption."""

    def __init__(self, rules: Ruleset, path: Path) -> None:
        self.rules, self.path = rules, path
        self._places = _places(rules)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.truncate(table_bytes(rules))
        self._numbers = np.memmap(path, _NUMBERS, "r+", HEADER_BYTES)

    def write(self, stage: Stage) -> None:
        """The values of a stage, rounded."""
        for deck, values in stage.values.items():
            at = self._places[stage.day, deck]
            self._numbers[at : at + values.size] = np.rint(values.ravel() * STEPS)

    def flush(self) -> None:
        """What was written is on disk."""
        self._numbers.flush()

    def finish(self, initial: float, to: Path) -> None:
        """The table is whole: it gets its header and its name. initial: the exact value of the set-up."""
        self.flush()
        del self._numbers
        header = {**header_of(self.rules), "initial": initial.hex(), "sha256": _digest(self.path)}
        text = json.dumps(header).encode()
        with self.path.open("r+b") as file:
            file.write(text.ljust(HEADER_BYTES - 1) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self.path.replace(to)


@dataclass(frozen=True)
class Table:
    """A solved game. initial: the exact value of the set-up, in double precision."""

    rules: Ruleset
    path: Path
    initial: float
    digest: str
    numbers: NDArray[np.uint16]
    places: dict[tuple[int, int], int]

    @classmethod
    def open(cls, rules: Ruleset, path: Path) -> Table:
        """Open a table and check all of it. Raises TableFault if it is missing, damaged or of another game."""
        try:
            with path.open("rb") as file:
                text = file.read(HEADER_BYTES)
            size = path.stat().st_size
        except FileNotFoundError:
            raise TableFault(
                "the game has not been solved on this machine yet: muniment solve siege does it, once, in a minute or "
                f"two, and writes {path}"
            ) from None
        except OSError as error:
            raise TableFault(f"{path}: {error.strerror or error}") from None
        expected = header_of(rules)
        try:
            header = json.loads(text)
            initial, digest = float.fromhex(header["initial"]), str(header["sha256"])
            fits = {key: header[key] for key in expected} == expected
        except (ValueError, KeyError, TypeError):
            raise TableFault(f"{path}: damaged: its header cannot be read") from None
        if not fits:
            raise TableFault(f"{path}: of another edition, other options or another version of the rules")
        if size != table_bytes(rules) or _digest(path) != digest:
            raise TableFault(f"{path}: damaged: its content does not have the digest that its header says")
        numbers = np.memmap(path, _NUMBERS, "r", HEADER_BYTES)
        return cls(rules, path, initial, digest, numbers, _places(rules))

    @property
    def bytes(self) -> int:
        """The size of the file."""
        return HEADER_BYTES + self.numbers.nbytes

    def draws(self, day: int, deck: int) -> NDArray[np.float64]:
        """The winning chances before all draws from the deck, by block and place in the layout."""
        blocks, length = self.rules.shape(day, deck)
        at = self.places[day, deck]
        stored = self.numbers[at : at + blocks * length].reshape(blocks, length)
        return stored.astype(np.float64) / STEPS

    def after(self, day: int, deck: int) -> NDArray[np.float64]:
        """The winning chances with which a turn ends that leaves this deck: of the next draws, or the victory's."""
        if deck:
            return self.draws(day, deck)
        return self.rules.victory() if day == DAYS else self.draws(day + 1, self.rules.full_deck)

    def draw(self, day: int, deck: int, block: int, row: int, cell: int) -> float:
        """The winning chance before one draw."""
        slot = int(self.rules.starts(day, deck).slots[block])
        offset = int(self.rules.layout(deck).offsets[row])
        if slot < 0 or offset < 0 or cell >= self.rules.layout(deck).cells[row]:
            raise MunimentError("the position cannot occur at the beginning of a turn")
        at = self.places[day, deck] + slot * self.rules.layout(deck).length + offset + cell
        return int(self.numbers[at]) / STEPS
