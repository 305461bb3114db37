"""Events say what happened, for logs, animation and statistics. Each carries its audience."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Event", "EventLog", "Fact"]

Fact = int | str | bool | tuple["int | str", ...]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    kind: what, as a stable lower-case name of the game ("status", "hit", ...).
    rule: the rule or ruling that made it happen.
    facts: its particulars by name.
    audience: the seats that may know it, or None for everybody.
    """

    kind: str
    rule: str
    facts: tuple[tuple[str, Fact], ...] = ()
    audience: frozenset[int] | None = None

    def __getitem__(self, name: str) -> Fact:
        for key, value in self.facts:
            if key == name:
                return value
        raise KeyError(name)

    def seen_by(self, seat: int | None) -> bool:
        """Whether the seat (None: a spectator) may know of this event."""
        return self.audience is None or (seat is not None and seat in self.audience)

    def to_json(self) -> dict[str, object]:
        """The event as a JSON object; the audience is left out, it has been applied by then."""
        facts = {name: list(value) if isinstance(value, tuple) else value for name, value in self.facts}
        return {"event": self.kind, "rule": self.rule, **facts}


class EventLog:
    """Collects events while rules are carried out. Rules build events only if they are given a log."""

    __slots__ = ("events",)

    def __init__(self) -> None:
        self.events: list[Event] = []

    def add(self, kind: str, rule: str, *, audience: frozenset[int] | None = None, **facts: Fact) -> None:
        """Add an event; see ``Event`` for the meaning of the arguments."""
        self.events.append(Event(kind, rule, tuple(facts.items()), audience))

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)
