"""The journal: where a running game is kept after every move, so that it can be killed at any moment and go on.

A journal is written whole, in a place beside it, synced and renamed. One process at a time may play with a journal.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from platformdirs import user_state_path

from muniment.core.errors import MunimentError, RecordError
from muniment.core.locks import try_lock
from muniment.core.record import CHANCE, Record
from muniment.terminal.files import read_text, reasons, refuse_special, write_whole

__all__ = ["Journal", "default_journal"]


def default_journal(game: str) -> Path:
    """Where a game is kept if nothing else is said: in the user's state directory."""
    return user_state_path("muniment", appauthor=False) / f"{game}.journal"


def _locked(path: Path) -> IO[bytes] | None:
    """The lock file, made and locked; None if another process has it."""
    while True:
        file = path.open("wb")
        if not try_lock(file):
            file.close()
            return None
        with suppress(OSError):
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        file.close()  # whoever had it before took it away in this very moment


class Journal:
    """One running game's file. Use it as a context manager: it is locked meanwhile.

    records: the folder for finished games.
    """

    def __init__(self, path: Path, records: Path | None = None) -> None:
        self.path = path
        self.records = records or path.parent
        self._lock: IO[bytes] | None = None

    @classmethod
    def at(cls, chosen: Path | None, game: str) -> Self:
        """The journal a user chose, or the default one, whose finished games go to a folder of their own."""
        if chosen is not None:
            return cls(chosen)
        path = default_journal(game)
        return cls(path, path.parent / "records")

    def __enter__(self) -> Self:
        with reasons(self.path, "the game cannot be kept there: "):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            refuse_special(self.path)
            self._lock = _locked(self._lock_path())
        if self._lock is None:
            raise MunimentError(f"{self.path}: another game is being played there; --autosave FILE for a second one")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._lock is not None:
            with suppress(OSError):  # some systems do not take an open file away
                self._lock_path().unlink()
            self._lock.close()
            self._lock = None

    def _lock_path(self) -> Path:
        return self.path.with_name(f".{self.path.name}.lock")

    def read(self) -> Record | None:
        """The game kept here, None if there is none. Raises MunimentError if the file is something else."""
        if not self.path.exists() or not (text := read_text(self.path)):
            return None
        try:
            return Record.read_journal(text)
        except RecordError as error:
            raise MunimentError(f"{self.path}: not a game to go on with: {error}") from None

    def write(self, record: Record) -> None:
        """Keep the game as it is now. It is on the disk when this returns. Raises MunimentError if it is not."""
        write_whole(self.path, record.write_journal())

    def set_aside(self) -> Path | None:
        """Keep what is here elsewhere, so that a new game can begin: a game as a record, anything else renamed.

        Returns where it is kept; None if nothing was worth it, as nobody has chosen anything yet.
        """
        try:
            kept = self.read()
            if kept is None or all(entry.seat == CHANCE for entry in kept.entries):
                return None
            return self.finish(kept)
        except MunimentError:
            number = 1
            while (aside := self.path.with_name(f"{self.path.name}.{number}")).exists():
                number += 1
            with reasons(self.path):
                self.path.rename(aside)
            return aside

    def finish(self, record: Record) -> Path:
        """Write the record of a game that is over or left, under a name of its own; the journal stays."""
        text = record.write()
        name = f"{record.game}-{record.result}-{hashlib.sha256(text.encode()).hexdigest()[:8]}.record"
        with reasons(self.records):
            self.records.mkdir(parents=True, exist_ok=True)
        path = self.records / name
        write_whole(path, text)
        return path

    def clear(self) -> None:
        """Nothing is going on any more."""
        with reasons(self.path):
            self.path.unlink(missing_ok=True)
