"""Rates: how often an address, or a seat, may do something. Each process counts for itself, in bounded memory."""

from __future__ import annotations

import time
from collections import OrderedDict

__all__ = ["Rate"]

_MOST = 20_000


class Rate:
    """So many at once, refilled evenly over ``seconds``; 0 means no limit."""

    def __init__(self, count: int, seconds: float) -> None:
        self._count = count
        self._seconds = seconds
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, who: str) -> float:
        """Take one: 0 if it is allowed, otherwise after how many seconds it would be."""
        if not self._count:
            return 0.0
        now = time.monotonic()
        left, at = self._left.pop(who, (float(self._count), now))
        left = min(float(self._count), left + (now - at) * self._count / self._seconds)
        allowed = left >= 1
        self._left[who] = (left - 1 if allowed else left, now)
        while len(self._left) > _MOST:
            self._left.popitem(last=False)
        return 0.0 if allowed else (1 - left) * self._seconds / self._count

    def forget(self, who: str) -> None:
        """Give all of it back."""
        self._left.pop(who, None)
