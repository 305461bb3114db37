"""Plots as SVG, drawn by ourselves: bars, and the course of a game. Readable without colour, and by a screen reader."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["bars", "course_plot"]

_ROW = 24
_LABEL = 270
_WIDTH = 760


def bars(title: str, rows: Sequence[tuple[str, float, str]], *, zero: float = 0.0, top: float | None = None) -> str:
    """Horizontal bars. rows: label, value, and the value in words. zero: where bars begin; top: end of the scale."""
    values = [value for _, value, _ in rows]
    low = min([zero, *values])
    high = max([zero, *values]) if top is None else top
    span = (high - low) or 1.0
    wide = _WIDTH - _LABEL - 90

    def x(value: float) -> float:
        return _LABEL + wide * (value - low) / span

    height = _ROW * len(rows) + 8
    parts = [f'<line class="axis" x1="{x(zero):.1f}" x2="{x(zero):.1f}" y1="0" y2="{height}"/>']
    for number, (label, value, words) in enumerate(rows):
        y = _ROW * number + 4
        left, right = sorted((x(zero), x(value)))
        tone = "bar" if value >= zero else "bar below"
        parts.append(f'<text class="label" x="{_LABEL - 8}" y="{y + 14}" text-anchor="end">{escape(label)}</text>')
        parts.append(
            f'<rect class="{tone}" x="{left:.1f}" y="{y + 2}" width="{right - left:.1f}" height="{_ROW - 8}"/>'
        )
        parts.append(f'<text class="value" x="{right + 6:.1f}" y="{y + 14}">{escape(words)}</text>')
    return _svg(title, _WIDTH, height, parts)


def course_plot(title: str, course: Sequence[float], marks: Sequence[tuple[int, str]] = ()) -> str:
    """The winning chance over the moves of a game. course: see ``Review.course``. marks: moves to point out."""
    width, height, left = 760, 240, 44
    step = (width - left - 10) / max(len(course) - 1, 1)

    def at(move: int) -> tuple[float, float]:
        return left + step * move, 10 + (height - 40) * (1 - course[move])

    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = 10 + (height - 40) * (1 - share)
        parts.append(f'<line class="grid" x1="{left}" x2="{width - 10}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="label" x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(at, range(len(course))))
    parts.append(f'<polyline class="course" points="{points}"/>')
    for move, words in marks:
        x, y = at(move)
        parts.append(f'<circle class="mark" cx="{x:.1f}" cy="{y:.1f}" r="4"><title>{escape(words)}</title></circle>')
    parts.append(f'<text class="label" x="{width - 10}" y="{height - 8}" text-anchor="end">moves</text>')
    return _svg(title, width, height, parts)


def _svg(title: str, width: int, height: int, parts: Sequence[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(title, quote=True)}">\n<title>{escape(title)}</title>\n{body}\n</svg>'
    )
