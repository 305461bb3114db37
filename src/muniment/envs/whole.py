"""Whole numbers that users of the environments give, in whatever type their libraries have for them."""

from __future__ import annotations

import operator
from typing import Any

from muniment.core.errors import MunimentError

__all__ = ["whole"]


def whole(value: Any, what: str) -> int:
    """The value as an int: one of Python's or NumPy's, or an array of one without dimensions.

    what: what it is, for the message. Raises MunimentError for anything else, a fraction or a text above all.
    """
    try:
        return int(operator.index(value))
    except TypeError:
        raise MunimentError(f"{what} is a whole number, not {type(value).__name__}") from None
