"""The files that an arena is asked to write: each its own, and none in the way of what is read or kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from muniment.arena.store import GAMES, RECORDS
from muniment.core.errors import MunimentError

__all__ = ["check_outputs"]


def check_outputs(outputs: Mapping[str, Path], folder: Path | None, sources: Iterable[Path]) -> None:
    """Raise MunimentError naming the option for a file that would take the place of another.

    outputs: what is written, by the option that says so. folder: that of the ``Store``. sources: files that are read.
    Raises OSError or ValueError for what cannot be the name of a file.
    """
    before: dict[str, Path] = {}
    for option, file in outputs.items():
        for other, written in before.items():
            if _same(file, written):
                raise MunimentError(f"{file}: both {other} and {option} would write it")
        before[option] = file
        if any(_same(file, source) for source in sources):
            raise MunimentError(f"{file}: {option} would write over what is played with")
        if folder is not None and _in_the_way(file, folder):
            raise MunimentError(f"{file}: {option} would write where --out {folder} keeps its games")


def _same(one: Path, other: Path) -> bool:
    if one.resolve() == other.resolve():
        return True
    return one.exists() and other.exists() and one.samefile(other)  # two names on the disk


def _in_the_way(file: Path, folder: Path) -> bool:
    """Whether it is one of the folder's own files, the folder, or one that this lies in."""
    records = folder / RECORDS
    taken = (folder / GAMES, records, *folder.resolve().parents, folder)
    return any(_same(file, each) for each in taken) or records.resolve() in file.resolve().parents
