"""Reading and writing the files of users: every failure is one clear line, and nothing is ever half written."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from muniment.core.errors import MunimentError, RecordError
from muniment.core.record import Record

__all__ = ["begins", "is_record", "read_json", "read_record", "read_text", "reasons", "refuse_special", "write_whole"]

_TOO_LARGE = 16 * 1024 * 1024
_FIRST_WORDS = (b"muniment record ", b"muniment journal ")


@contextmanager
def reasons(path: Path | str, doing: str = "") -> Iterator[None]:
    """Turn a failure of the system into a MunimentError that names the file."""
    try:
        yield
    except OSError as error:
        raise MunimentError(f"{path}: {doing}{error.strerror or error}") from None
    except UnicodeDecodeError:
        raise MunimentError(f"{path}: not a UTF-8 text file") from None
    except ValueError as error:
        if isinstance(error, MunimentError):
            raise
        raise MunimentError(f"{str(path)!r}: not a file name ({error})") from None


def read_text(path: Path) -> str:
    """A text file's content. Raises MunimentError if it cannot be read, is too large or is not text."""
    with reasons(path), path.open("rb") as file:
        content = file.read(_TOO_LARGE + 1)
        if len(content) > _TOO_LARGE:
            raise MunimentError(f"{path}: too large to be a file of this program")
        return content.decode("utf-8-sig")


def read_json(path: Path) -> object:
    """A JSON file's content. Raises MunimentError if it is not JSON."""
    text = read_text(path)
    try:
        value: object = json.loads(text)
    except json.JSONDecodeError as error:
        raise MunimentError(f"{path}: line {error.lineno}: not JSON: {error.msg}") from None
    except (ValueError, RecursionError) as error:
        raise MunimentError(f"{path}: not JSON: {error}") from None
    return value


def read_record(path: Path) -> Record:
    """A record or a journal. Raises MunimentError naming file and line."""
    text = read_text(path)
    try:
        if text.startswith("muniment journal "):
            return Record.read_journal(text)
        return Record.read(text)
    except RecordError as error:
        raise MunimentError(f"{path}: {error}") from None


def is_record(path: Path) -> bool:
    """Whether the file is a record or journal, as far as its first line tells."""
    return begins(path, *_FIRST_WORDS)


def begins(path: Path, *words: bytes) -> bool:
    """Whether the file begins with one of these words. Raises MunimentError if it cannot be read."""
    with reasons(path), path.open("rb") as file:
        return file.read(max(map(len, words))).startswith(words)


def refuse_special(path: Path) -> None:
    """Raise MunimentError if something is there that is no ordinary file: a folder, a device, a pipe.

    Whatever is written whole takes the place of what was there, which nobody wants of ``/dev/null``.
    """
    if Path(os.path.realpath(path)).is_symlink():
        raise MunimentError(f"{path}: a loop of symbolic links")
    if path.is_dir():
        raise MunimentError(f"{path}: is a directory")
    if path.exists() and not path.is_file():
        raise MunimentError(f"{path}: is not an ordinary file")


def write_whole(path: Path, text: str) -> None:
    """Write a file so that at every moment either the old or the new content is on the disk, whole.

    Raises MunimentError if that is not possible; then the old content is still there.
    """
    with reasons(path, "cannot be written: "):
        refuse_special(path)
        target = path.resolve()
        beside = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            with beside.open("wb") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            beside.replace(target)
        except BaseException:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make a renaming in the folder last; not every system can, or needs to."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
