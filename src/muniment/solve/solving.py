"""Solving a game: how much memory, how far, and whatever may come between."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import psutil

from muniment.core.errors import MunimentError
from muniment.games.siege.edition import SiegeEdition, standard_edition
from muniment.games.siege.options import SiegeOptions
from muniment.solve.ruleset import Ruleset, ruleset
from muniment.solve.solver import Progress, Stage, backward, initial_value, memory_needed
from muniment.solve.table import Table, TableFault, Writer, header_of, table_bytes, table_path

__all__ = ["lower_priority", "open_table", "solve"]

_SAVE_SECONDS = 20.0
_PARTIAL = ".partial"
_STAGE = ".stage.npz"
_LOCK = ".lock"


def lower_priority() -> None:
    """Let everything else on the machine go first: for a process that does nothing but solve."""
    process = psutil.Process()
    with suppress(psutil.AccessDenied):
        process.nice(psutil.BELOW_NORMAL_PRIORITY_CLASS if psutil.WINDOWS else max(10, process.nice()))


def open_table(
    edition: SiegeEdition | None = None, options: SiegeOptions | None = None, folder: Path | None = None
) -> Table:
    """The table of a game that was solved before. Raises TableFault if there is none that is sound."""
    edition, options = edition or standard_edition(), options or SiegeOptions()
    return Table.open(ruleset(edition, options), table_path(edition, options, folder))


def solve(
    edition: SiegeEdition | None = None,
    options: SiegeOptions | None = None,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
    announce: Callable[[str], None] | None = None,
    folder: Path | None = None,
) -> Table:
    """The table of the game: the one on disk if it is sound, else computed, which takes a minute or two.

    jobs: how many threads, one for each core if None, fewer if memory is short. progress: called with the share done
    and the seconds left. announce: told in words what it will take, before it begins. folder: where tables are kept,
    the user's cache directory if None.
    An interruption (Ctrl-C) leaves what is done, and the next call goes on from there.
    Raises MunimentError if the memory cannot be had, or another process is solving the same game.
    """
    edition, options = edition or standard_edition(), options or SiegeOptions()
    rules = ruleset(edition, options)
    path = table_path(edition, options, folder)
    with suppress(TableFault):
        return Table.open(rules, path)
    threads = _threads(rules, jobs)
    if announce is not None:
        announce(_needs(rules, threads))
    path.parent.mkdir(parents=True, exist_ok=True)
    with _alone(path.with_suffix(_LOCK)):
        try:
            _compute(rules, path, threads, progress)
        except MemoryError:
            raise MunimentError(_memory_refused(rules, threads)) from None
    return Table.open(rules, path)


def _threads(rules: Ruleset, jobs: int | None) -> int:
    """How many threads there will be. Raises MunimentError if memory is too short for them, or for one."""
    available = psutil.virtual_memory().available
    threads = jobs or os.cpu_count() or 1
    while jobs is None and threads > 1 and memory_needed(rules, threads) > available:
        threads -= 1
    if memory_needed(rules, threads) > available:
        raise MunimentError(_memory_refused(rules, threads))
    return threads


def _memory_refused(rules: Ruleset, threads: int) -> str:
    return f"{_needs(rules, threads)}; {psutil.virtual_memory().available / 1e9:.1f} GB of memory are free"


def _needs(rules: Ruleset, threads: int) -> str:
    cards, jobs = f"{rules.cards} card{'s' * (rules.cards > 1)}", f"{threads} job{'s' * (threads > 1)}"
    needed = f"{memory_needed(rules, threads) / 1e9:.1f} GB of memory and {table_bytes(rules) / 1e9:.2f} GB of disk"
    return f"solving {rules.edition.name!r} ({cards}) with {jobs} needs {needed}"


def _compute(rules: Ruleset, path: Path, threads: int, progress: Progress | None) -> None:
    partial, kept = path.with_suffix(_PARTIAL), path.with_suffix(_STAGE)
    begun = partial.is_file() and partial.stat().st_size == table_bytes(rules)
    last = _resume(rules, kept) if begun else None
    writer = Writer(rules, partial)
    saved = time.monotonic()
    try:
        for stage in backward(rules, threads, progress, last):
            writer.write(stage)
            last = stage
            if time.monotonic() - saved > _SAVE_SECONDS:
                _keep(rules, kept, writer, stage)
                saved = time.monotonic()
    except KeyboardInterrupt:
        if last is not None:
            _keep(rules, kept, writer, last)
        raise
    assert last is not None
    writer.finish(initial_value(rules, last), path)
    kept.unlink(missing_ok=True)


def _keep(rules: Ruleset, path: Path, writer: Writer, stage: Stage) -> None:
    """Put the stage on disk, to go on from it."""
    writer.flush()
    new = path.with_suffix(".new")
    with new.open("wb") as file:
        about = json.dumps({**header_of(rules), "day": stage.day, "size": stage.size})
        arrays: dict[str, Any] = {str(deck): values for deck, values in stage.values.items()}
        np.savez(file, about=np.array(about), **arrays)
    new.replace(path)


def _resume(rules: Ruleset, path: Path) -> Stage | None:
    """The stage that was kept, if it is of the same game and whole."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as content:
            about = json.loads(str(content["about"]))
            day, size = about.pop("day"), about.pop("size")
            values = {int(name): content[name] for name in content.files if name != "about"}
    except (OSError, ValueError, KeyError, EOFError, AttributeError, BadZipFile):
        return None
    sound = about == header_of(rules) and all(
        values[deck].shape == rules.shape(day, deck) for deck in rules.decks(size) if deck in values
    )
    return Stage(day, size, values) if sound and set(values) == set(rules.decks(size)) else None


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Let no two processes compute the same table. A lock whose process has gone is broken."""
    me = psutil.Process()
    mark = f"{me.pid} {me.create_time()}"
    while True:
        try:
            with lock.open("x", encoding="utf-8") as file:
                file.write(mark)
            break
        except FileExistsError:
            if (pid := _holder(lock)) is not None:
                raise MunimentError(f"the game is being solved already, by process {pid} ({lock})") from None
            lock.unlink(missing_ok=True)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


def _holder(lock: Path) -> int | None:
    try:
        pid, created = lock.read_text(encoding="utf-8").split()
        return int(pid) if abs(psutil.Process(int(pid)).create_time() - float(created)) < 1 else None
    except (OSError, ValueError, psutil.Error):
        return None
