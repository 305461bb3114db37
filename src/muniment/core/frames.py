"""Decisions are a stack of frames: who may act, which kinds of action, what resumes afterwards.

A phase is a frame, a battle is a frame, an interrupt pushes a frame. Frames are data: plain tuples of whole numbers and
strings, so that a state that holds them can be copied, compared and written as JSON.
"""

from __future__ import annotations

from typing import NamedTuple

from muniment.core.errors import PositionError

__all__ = ["Frame"]


class Frame(NamedTuple):
    """One frame of a decision stack.

    kind: its name, from which the game knows what resumes when the frame above it is popped.
    seat: who decides in it, or -1 where chance or nobody does.
    data: particulars, whole numbers or strings, by position as the game documents.
    """

    kind: str
    seat: int = -1
    data: tuple[int | str, ...] = ()

    def to_json(self) -> list[object]:
        """The frame as a JSON array: kind, seat, then the data."""
        return [self.kind, self.seat, *self.data]

    @classmethod
    def from_json(cls, value: object) -> Frame:
        """Read ``to_json`` back. Raises PositionError for anything else."""
        if isinstance(value, list) and len(value) >= 2:
            kind, seat, *data = value
            if isinstance(kind, str) and type(seat) is int and all(type(d) in (int, str) for d in data):
                return cls(kind, seat, tuple(data))
        raise PositionError((f"a frame is [kind, seat, data...], not {value!r}",))
