"""A progress bar on the standard error, if that is a terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress_bar", "share_bar"]


@contextmanager
def progress_bar(total: int) -> Iterator[Callable[[int], None]]:
    """Gives what is to be told how much is done."""
    if not sys.stderr.isatty() or os.environ.get("TERM", "") in ("dumb", "unknown"):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    console = Console(stderr=True, no_color=bool(os.environ.get("NO_COLOR")) or None)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("games", total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def share_bar(doing: str) -> Iterator[Callable[[float, float], None]]:
    """Gives what is to be told the share that is done and the seconds left; shown once the work goes on for a while."""
    if not sys.stderr.isatty() or os.environ.get("TERM", "") in ("dumb", "unknown"):
        yield lambda _share, _left: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    columns = (TextColumn(doing), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[left]}"))
    console = Console(stderr=True, no_color=bool(os.environ.get("NO_COLOR")) or None)
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(doing, total=1.0, left="")

        def tell(share: float, left: float) -> None:
            bar.update(task, completed=share, left=f"{left // 60:.0f}:{left % 60:02.0f} left")

        yield tell
