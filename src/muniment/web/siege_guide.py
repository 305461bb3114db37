"""The guided siege: lessons that come when they first matter, found from the log alone.

A lesson is due from the choice that first made it matter until the next choice. Nothing has to be stored: the same log
gives the same lessons.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from muniment.tables.values import LogLine

__all__ = ["Guide", "Lesson", "guide_of", "lessons"]


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing to know. rule: where to read more. on, facts, begins: which line of the log makes it matter."""

    title: str
    text: str
    rule: str
    on: str
    facts: Mapping[str, object] = field(default_factory=dict)
    begins: Mapping[str, str] = field(default_factory=dict)

    def matters_at(self, line: LogLine) -> bool:
        """Whether the line makes it matter."""
        event = line.event
        return (
            event["event"] == self.on
            and all(event.get(name) == value for name, value in self.facts.items())
            and all(str(event.get(name, "")).startswith(start) for name, start in self.begins.items())
        )


@cache
def lessons() -> tuple[Lesson, ...]:
    """All lessons, in the order in which they are shown when several are due."""
    content = tomllib.loads(files("muniment.web").joinpath("siege_lessons.toml").read_text(encoding="utf-8"))
    return tuple(Lesson(**{**item, "text": " ".join(item["text"].split())}) for item in content["lesson"])


@dataclass(frozen=True, slots=True)
class Guide:
    """now: what matters for the first time at this moment. before: earlier lessons. left: how many are to come."""

    now: tuple[Lesson, ...]
    before: tuple[Lesson, ...]
    left: int


def guide_of(lines: Sequence[LogLine]) -> Guide:
    """The lessons due after these lines."""
    last_choice = max((place for place, line in enumerate(lines) if line.event["event"] == "action"), default=0)
    now: list[Lesson] = []
    before: list[Lesson] = []
    for lesson in lessons():
        first = next((place for place, line in enumerate(lines) if lesson.matters_at(line)), None)
        if first is not None:
            (now if first >= last_choice else before).append(lesson)
    return Guide(tuple(now), tuple(before), len(lessons()) - len(now) - len(before))
