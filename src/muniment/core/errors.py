"""The errors of the package: each message is one line that names what is wrong and where."""

from __future__ import annotations

__all__ = ["EditionError", "MunimentError", "NotationError", "OptionError", "PositionError", "RecordError"]


class MunimentError(ValueError):
    """Something a user or caller gave cannot be used; the message is one clear line."""


class EditionError(MunimentError):
    """An edition file is not usable: the message names file, place and reason."""


class OptionError(MunimentError):
    """An option's name or value is not one the game has."""


class NotationError(MunimentError):
    """A text or JSON form is not an action or outcome of the game."""


class PositionError(MunimentError):
    """A position cannot occur in the game; ``violations`` lists every reason."""

    def __init__(self, violations: tuple[str, ...]) -> None:
        super().__init__("impossible position: " + "; ".join(violations))
        self.violations = violations


class RecordError(MunimentError):
    """A record is broken, truncated, tampered with, or of another game or edition.

    ``line`` is the 1-based line of the record at fault, or None where the whole record is.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line
