"""Results kept on disk as they come, so that a tournament can be killed at any moment and go on.

A folder holds ``games.jsonl``: a header line, then one line of JSON for each game in order; lines are only ever added.
A last line that was cut short is dropped. ``records`` holds each game's record, if wished for.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

from muniment.core.errors import MunimentError
from muniment.core.locks import try_lock

__all__ = ["GAMES", "RECORDS", "Store", "kept_seed"]

GAMES: Final = "games.jsonl"
"""The file of results in a folder."""
RECORDS: Final = "records"
"""The folder of records in a folder."""

_FORMAT = "muniment arena 1"
_BEGINNING = b'{"format":"' + _FORMAT.encode()  # of a file, as it is written


class Store:
    """A tournament's folder. Use it as a context manager: it is locked meanwhile.

    folder: made if it is not there. header: what the results depend on; a seed of None takes the folder's.
    records: whether records are kept.
    Raises MunimentError if the folder cannot be used, holds another tournament, or another process works with it.
    """

    def __init__(self, folder: Path, header: Mapping[str, Any], *, records: bool = False) -> None:
        self.folder = folder
        self.path = folder / GAMES
        self.records = records
        self._header = {"format": _FORMAT, **header, "records": records}
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            (self.folder / RECORDS if self.records else self.folder).mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab+")
            if not try_lock(self._file):
                raise MunimentError(f"{self.folder}: another arena is at work there")
            self._prepare(self._file)
        except OSError as error:
            self._close()
            raise MunimentError(f"{error.filename or self.path}: {error.strerror or error}") from None
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        assert self._file is not None
        os.fsync(self._file.fileno())
        self._close()

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _prepare(self, file: IO[bytes]) -> None:
        """Check the header or write it, and drop a line that was cut short; a file of others stays as it is."""
        file.seek(0)
        first = file.readline()
        if first.endswith(b"\n"):
            check_header(self.path, _read(self.path, 1, first), self._header)
        elif first[: len(_BEGINNING)] != _BEGINNING[: len(first)]:
            raise MunimentError(f"{self.path}: is no file of an arena")
        file.seek(0)
        whole = 0
        for line in file:
            if not line.endswith(b"\n"):
                file.truncate(whole)
                break
            whole += len(line)
        if not whole:
            self._write(self._header)

    def _write(self, value: Mapping[str, Any]) -> None:
        assert self._file is not None
        self._file.write(json.dumps(value, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def results(self) -> Iterator[dict[str, Any]]:
        """The games that are kept, in order. Raises MunimentError naming the line at fault."""
        assert self._file is not None
        self._file.seek(0)
        self._file.readline()
        for number, line in enumerate(self._file, 1):
            value = _read(self.path, number + 1, line)
            if value.get("game") != number:
                raise MunimentError(f"{self.path}: line {number + 1}: game {number} is missing")
            yield value

    def add(self, number: int, value: Mapping[str, Any], record: str | None) -> None:
        """Keep a game; its record first, so that no game is kept without."""
        try:
            if record is not None:
                (self.folder / RECORDS / f"{number:06}.record").write_text(record, encoding="utf-8", newline="\n")
            self._write(value)
        except OSError as error:
            raise MunimentError(f"{self.folder}: {error.strerror or error}") from None


def kept_seed(folder: Path) -> str | None:
    """The seed of the tournament that a folder holds, None if it holds none. Raises MunimentError if it is broken."""
    path = folder / GAMES
    try:
        with path.open("rb") as file:
            line = file.readline()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise MunimentError(f"{path}: {error.strerror or error}") from None
    if not line.endswith(b"\n"):
        return None
    seed = _read(path, 1, line).get("seed")
    return seed if isinstance(seed, str) else None


def check_header(path: Path, found: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Raise MunimentError naming the first difference."""
    if found.get("format") != _FORMAT:
        raise MunimentError(f"{path}: is no file of an arena")
    for name, value in wanted.items():
        if found.get(name) != json.loads(json.dumps(value)):  # what is new is null, and old folders do not have it
            raise MunimentError(
                f"{path}: holds another tournament: its {name.replace('_', ' ')} is "
                f"{json.dumps(found.get(name))}, not {json.dumps(value)}; choose another folder"
            )


def _read(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise MunimentError(f"{path}: line {number}: not a line of an arena's games")
    return value
