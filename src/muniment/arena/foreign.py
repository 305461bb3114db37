"""Code of others: whatever it gives, raises or does when it is asked for its name becomes a line of words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from muniment.core.errors import MunimentError
from muniment.core.words import printable

__all__ = ["shown", "told", "watched"]


def told(error: BaseException, where: str = "") -> str:
    """An error in a line: its type, where it was, and its message if it has one."""
    name = _line(lambda: type(error).__name__, "an error")
    message = _line(lambda: str(error), "its message cannot be told")
    return f"{name}{where}: {message}" if message else f"{name}{where}"


def shown(value: object) -> str:
    """A value in a line, as Python writes it."""
    return _line(lambda: repr(value), "something that cannot be shown")


def _line(words: Callable[[], str], otherwise: str) -> str:
    try:
        return printable(" ".join(words().split()))
    except KeyboardInterrupt:
        raise
    except BaseException:  # noqa: BLE001 - a method of others may raise anything
        return otherwise


@contextmanager
def watched(words: str) -> Iterator[None]:
    """Turn whatever is raised meanwhile into a MunimentError that begins with these words; not an interrupt."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise MunimentError(f"{words}: {told(error)}") from error
