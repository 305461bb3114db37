"""The guided first turn of King of the Tabletop: lessons by what the seat is asked and by the phase."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from muniment.games.king.views import KingView
from muniment.web.siege_guide import Guide, Lesson

__all__ = ["king_guide"]

_TURNS = 1  # the guide goes with the set-up and so many turns


@dataclass(frozen=True, slots=True)
class _When:
    lesson: Lesson
    ask: str
    phase: int


@cache
def _lessons() -> tuple[_When, ...]:
    content = tomllib.loads(files("muniment.web").joinpath("king_lessons.toml").read_text(encoding="utf-8"))
    return tuple(
        _When(
            Lesson(item["title"], " ".join(item["text"].split()), item["rule"], ""),
            item.get("ask", ""),
            item.get("phase", -1),
        )
        for item in content["lesson"]
    )


def king_guide(view: KingView) -> Guide | None:
    """The lessons that matter now; None once the first turn is over."""
    if view.turn > _TURNS or view.over is not None:
        return None
    asked = view.awaited.kind if view.awaited.you else ""
    now = tuple(one.lesson for one in _lessons() if (asked and one.ask == asked) or one.phase == view.phase)
    return Guide(now, (), sum(one.lesson not in now for one in _lessons()))
