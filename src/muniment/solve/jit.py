"""Numba's compiler as a decorator with types: compiled once, kept on disk, free of Python's lock."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

__all__ = ["compiled", "source_of"]

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile the function at its first call. It must call no function of another module, see ``kernel``."""
    return cast(Callable[P, R], numba.njit(cache=True, nogil=True)(function))


def source_of(function: Callable[..., object]) -> str:
    """The source of a compiled function."""
    return inspect.getsource(inspect.unwrap(function, stop=inspect.isfunction))
