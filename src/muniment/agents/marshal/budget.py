"""How long a search may take: a number of iterations, which plays the same every time, or seconds, for people."""

from __future__ import annotations

import time
from dataclasses import dataclass

from muniment.core.errors import MunimentError

__all__ = ["Budget", "Clock"]


@dataclass(frozen=True, slots=True)
class Budget:
    """What one decision may cost.

    iterations: how often a move is played on from a re-dealt state, at least 1; small decisions take a part of it.
    seconds: the search also ends after so long; None for never. With a limit of time a choice depends on the machine
    and on what else it does, so games cannot be played again.
    Raises MunimentError for numbers that are not positive.
    """

    iterations: int
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.iterations < 1:
            raise MunimentError(f"a search needs at least 1 iteration a decision, not {self.iterations}")
        if self.seconds is not None and not self.seconds > 0:
            raise MunimentError(f"a search needs some time, not {self.seconds} seconds")

    def start(self, share: float) -> Clock:
        """The budget of a decision that deserves this share of it, from now on."""
        return Clock(max(1, round(self.iterations * share)), None if self.seconds is None else self.seconds * share)


class Clock:
    """What is left of one decision's budget."""

    __slots__ = ("_end", "left")

    def __init__(self, iterations: int, seconds: float | None) -> None:
        self.left = iterations
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def over(self) -> bool:
        """Whether the search has to end."""
        return self.left <= 0 or (self._end is not None and time.monotonic() >= self._end)
