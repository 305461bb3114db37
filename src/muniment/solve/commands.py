"""What the commands ``muniment solve``, ``odds`` and ``review`` do: plain functions that give data, and its text."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from muniment.core.game import Game
from muniment.games.siege.game import Siege
from muniment.solve.review import Review, Step
from muniment.solve.solving import lower_priority, open_table, solve
from muniment.solve.table import ERROR, Table
from muniment.solve.values import PositionValue, Values

__all__ = [
    "odds_text", "percent", "review_text", "solve_game", "solve_text", "values_of",
]  # fmt: skip


def percent(value: float) -> str:
    """A winning chance for people: two places, and never 0 or 100 for what is neither."""
    if 0 < value < 0.0001:
        return "under 0.01%"
    if 0.9999 < value < 1:
        return "over 99.99%"
    return f"{100 * value:.2f}%"


def solve_game(
    game: Siege,
    jobs: int | None,
    progress: Callable[[float, float], None] | None = None,
    announce: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Solve the game, at low priority, or find it solved. Raises MunimentError if the memory cannot be had."""
    lower_priority()
    began, cpu = time.perf_counter(), time.process_time()
    table = solve(game.edition, game.options, jobs=jobs, progress=progress, announce=announce)
    seconds = {"seconds": time.perf_counter() - began, "cpu_seconds": time.process_time() - cpu}
    return {**_about(table), **seconds}


def _about(table: Table) -> dict[str, Any]:
    return {
        "edition": table.rules.edition.name,
        "edition_digest": table.rules.edition.digest,
        "options": table.rules.options.values(),
        "value": table.initial,
        "table": str(table.path),
        "table_bytes": table.bytes,
        "table_error": ERROR,
    }


def solve_text(found: Mapping[str, Any]) -> list[str]:
    """The result in words."""
    return [
        f"{found['edition']}: perfect play wins {percent(found['value'])} of games ({found['value']:.12f})",
        f"table: {found['table']} ({found['table_bytes'] / 1e6:.0f} MB, each chance within {ERROR:.1e})",
        f"took {found['seconds']:.0f} s",
    ]


def values_of(game: Game[Any, Any, Any, Any], folder: Path | None = None) -> Values:
    """The solved game's answers. Raises MunimentError if it has not been solved."""
    assert isinstance(game, Siege)
    return Values(open_table(game.edition, game.options, folder))


def odds_text(odds: PositionValue) -> list[str]:
    """The chances in words, the best action first."""
    lines = [f"winning chance under perfect play: {percent(odds.value)}"]
    ranked = sorted(odds.actions, key=lambda a: (-a.value, a.action.index))
    width = max((len(a.action.sentence) for a in ranked), default=0)
    for found in ranked:
        loss = odds.value - found.value
        behind = f"  -{100 * loss:.2f}" if loss > 2 * ERROR else ""
        lines.append(f"  {found.action.sentence:<{width}}  {percent(found.value):>8}{behind}")
    return lines


def review_text(found: Review) -> list[str]:
    """The review in words: how the game went, its mistakes, and how the result came about."""
    lines = ["Move  Winning chance"]
    lines += [_step_line(step) for step in found.steps if step.action is not None or abs(step.change) >= 0.0005]
    lines += ["", f"At the start: {percent(found.initial)}; at the end: {percent(found.final)} ({found.result})"]
    lines.append(f"Decisions: {100 * found.decisions:+.2f} points; luck: {100 * found.luck:+.2f} points")
    lines.append(_mistakes(found.mistakes))
    return lines


def _step_line(step: Step) -> str:
    line = f"{step.number:>4}  {percent(step.after):>8} {100 * step.change:+7.2f}  {step.sentence}"
    if step.grade and step.best is not None:
        line += f"  [{step.grade}; better: {step.best.sentence}, {percent(step.best_value)}]"
    return line


def _mistakes(steps: Sequence[Step]) -> str:
    if not steps:
        return "No mistakes."
    return "Mistakes: " + "; ".join(f"move {s.number}, {s.grade} of {100 * s.cost:.2f} points" for s in steps)
