"""Thinking time, as plain arithmetic: what a seat has left, whose clock runs, when the next time is up.

Only the clocks of seats that everybody knows to be asked run. A decision that is asked in secret (an interrupt) has a
time of its own, which is taken from nobody's clock: a clock that stopped would tell who was asked.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace

from muniment.tables.values import Clock

__all__ = ["ClockState"]


@dataclass(frozen=True, slots=True)
class ClockState:
    """left: each seat's seconds at the time ``since``; running: whose clock runs; secret: the end of a secret time."""

    left: tuple[float, ...]
    since: float
    running: tuple[int, ...] = ()
    secret: float | None = None

    @classmethod
    def begin(cls, clock: Clock, seats: int, now: float) -> ClockState:
        """All seats' clocks before the first decision: the reserve, and the increment for the first answer."""
        return cls((float(clock.reserve + clock.increment),) * seats, now)

    @classmethod
    def read(cls, text: str) -> ClockState:
        """What ``write`` wrote."""
        value = json.loads(text)
        return cls(tuple(value["left"]), value["since"], tuple(value["running"]), value["secret"])

    def write(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))

    def now_left(self, seat: int, now: float) -> float:
        """The seconds that the seat has left now; below 0 if its time is up."""
        return self.left[seat] - (now - self.since if seat in self.running else 0.0)

    def moved(
        self,
        clock: Clock,
        mover: int | None,
        public: Sequence[int],
        asked: Collection[int],
        now: float,
        secret_seconds: float,
    ) -> ClockState:
        """The clocks after a move. public: whose clock runs now; asked: all the people who must answer now.

        What is shown of the clocks does not change while the same seats are asked: a choice of many small steps, some
        of them secret, is one answer, for which the increment comes at its end.
        """
        running = tuple(seat for seat in public if seat in asked)
        hidden = any(seat not in running for seat in asked)
        secret = now + secret_seconds if hidden else None
        if running == self.running:
            return replace(self, secret=secret)
        left = [max(0.0, self.now_left(seat, now)) for seat in range(len(self.left))]
        if mover is not None and mover in self.running and mover not in running:
            left[mover] += clock.increment
        return ClockState(tuple(left), now, running, secret)

    def deadline(self) -> float | None:
        """When the next time is up, if nobody moves before."""
        ends = [self.since + self.left[seat] for seat in self.running]
        if self.secret is not None:
            ends.append(self.secret)
        return min(ends, default=None)

    def expired(self, seat: int, now: float) -> bool:
        """Whether the time of this seat, of which an answer is awaited, is up."""
        if seat in self.running:
            return self.now_left(seat, now) <= 0
        return self.secret is not None and self.secret <= now
