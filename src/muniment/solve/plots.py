"""Reports of one HTML file, and their plots as SVG, drawn by ourselves. Readable without colour, and aloud."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import ceil, log

__all__ = ["bars", "budget_plot", "course_plot", "interval_plot", "line_plot", "page", "section"]

_ROW = 24
_LABEL = 270
_WIDTH = 760


_PAGE_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
body { color: #1c1a17; background: #fffdf8; }
svg { width: 100%; height: auto; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { padding: .2rem .8rem .2rem 0; text-align: left; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
@media (prefers-color-scheme: dark) { body { color: #e9e4da; background: #1b1a18; } }
"""

_PLOT_STYLE = """
svg { font: 13px system-ui, sans-serif; }
.bar { fill: #35618f; } .below { fill: #a5482f; } .axis, .grid { stroke: #b9b2a4; }
.course { fill: none; stroke: #35618f; stroke-width: 2; } .second { stroke: #a5482f; stroke-dasharray: 6 3; }
.reach { stroke: #35618f; stroke-width: 2; } .even { stroke: currentColor; stroke-dasharray: 3 4; }
text { fill: currentColor; }
@media (prefers-color-scheme: dark) {
  .bar { fill: #7fb0e0; } .below { fill: #e08a6e; } .grid { stroke: #5c574e; }
  .course, .reach { stroke: #7fb0e0; } .second { stroke: #e08a6e; }
}
"""

# A picture of its own stands on a page that it does not know, so it brings its ground along, light or dark.
_ALONE_STYLE = """
svg { color: #1c1a17; } .ground { fill: #fffdf8; } .heading { font-size: 17px; font-weight: 600; }
@media (prefers-color-scheme: dark) { svg { color: #e9e4da; } .ground { fill: #1b1a18; } }
"""
_HEADING = 58  # above the plot in a picture of its own
_MARGIN = 14


def page(title: str, sections: Iterable[str]) -> str:
    """A whole HTML page that needs nothing else, light or dark as its reader has it. sections: HTML."""
    body = "\n".join(sections)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_PAGE_STYLE}{_PLOT_STYLE}</style></head>\n'
        f"<body><h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def section(heading: str, content: str) -> str:
    """A part of a page. content: HTML."""
    return f"<h2>{escape(heading)}</h2>\n{content}"


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


def interval_plot(
    title: str,
    rows: Sequence[tuple[str, float, float, float, str]],
    *,
    even: float | None = None,
    along: str = "",
    note: str = "",
    alone: bool = False,
) -> str:
    """Shares from 0 to 1 with their intervals. rows: label, low, estimate, high, in words. even: a line to compare.

    along: what the axis counts, if that is to be written. note, alone: see ``budget_plot``.
    """
    wide = _WIDTH - _LABEL - 190
    height = _ROW * len(rows) + 22

    def x(value: float) -> float:
        return _LABEL + wide * value

    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<line class="grid" x1="{x(share):.1f}" x2="{x(share):.1f}" y1="0" y2="{height - 18}"/>')
        parts.append(f'<text class="label" x="{x(share):.1f}" y="{height - 4}" text-anchor="middle">{share:.0%}</text>')
    if even is not None:
        parts.append(f'<line class="even" x1="{x(even):.1f}" x2="{x(even):.1f}" y1="0" y2="{height - 18}"/>')
    for number, (label, low, estimate, high, words) in enumerate(rows):
        y = _ROW * number + 14
        parts.append(f'<text class="label" x="{_LABEL - 12}" y="{y + 4}" text-anchor="end">{escape(label)}</text>')
        parts.append(f'<line class="reach" x1="{x(low):.1f}" x2="{x(high):.1f}" y1="{y}" y2="{y}"/>')
        parts.append(f'<circle class="bar" cx="{x(estimate):.1f}" cy="{y}" r="5"/>')
        parts.append(f'<text class="value" x="{x(1) + 16:.1f}" y="{y + 4}">{escape(words)}</text>')
    if along:
        height += 20
        parts.append(
            f'<text class="label" x="{x(0.5):.1f}" y="{height - 4}" text-anchor="middle">{escape(along)}</text>'
        )
    return _svg(title, _WIDTH, height, parts, note=note, values=[(row[0], row[4]) for row in rows], alone=alone)


def budget_plot(
    title: str,
    points: Sequence[tuple[int, float, float, float, str]],
    *,
    even: float,
    along: str,
    up: str,
    note: str,
    alone: bool = False,
) -> str:
    """How a share from 0 to 1 grows with a budget, on a logarithmic axis, with its intervals.

    points: budget (from 1, ascending, at least two), low, estimate, high, in words. even: a line to compare.
    along, up: what the axes count. note: what the numbers are, in a line. alone: as a picture of its own, with title,
    note and ground, not as a part of a page.
    """
    left, right, top, bottom = 64, 336, 8, 46
    tall = max(250, _ROW * (len(points) + 1))
    height = top + tall + bottom
    highest = round(100 * max(even, *(point[3] for point in points)), 6)
    step = next(step for step in (5, 10, 20) if highest <= 6 * step)
    most = step * ceil(highest / step)
    first, last = log(points[0][0]), log(points[-1][0])
    inset = 18  # so that no interval lies on the axis
    end = _WIDTH - right

    def x(budget: int) -> float:
        return left + inset + (end - left - 2 * inset) * (log(budget) - first) / (last - first)

    def y(share: float) -> float:
        return top + tall * (1 - 100 * share / most)

    parts = []
    for percent in range(0, most + 1, step):
        at = y(percent / 100)
        parts.append(f'<line class="grid" x1="{left}" x2="{end}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(f'<text class="label" x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{percent}%</text>')
    parts.append(f'<line class="even" x1="{left}" x2="{end}" y1="{y(even):.1f}" y2="{y(even):.1f}"/>')
    parts.append(f'<text class="label" x="{end + 5}" y="{y(even) + 4:.1f}">even</text>')
    drawn = " ".join(f"{x(budget):.1f},{y(estimate):.1f}" for budget, _, estimate, _, _ in points)
    parts.append(f'<polyline class="course" points="{drawn}"/>')
    free = 0.0  # where the next budget's number may begin
    for row, (budget, low, estimate, high, words) in enumerate(points, 1):
        at, label = x(budget), f"{budget:,}"
        half = 4 * len(label)
        parts.append(f'<line class="reach" x1="{at:.1f}" x2="{at:.1f}" y1="{y(high):.1f}" y2="{y(low):.1f}"/>')
        for bound in (low, high):
            parts.append(
                f'<line class="reach" x1="{at - 5:.1f}" x2="{at + 5:.1f}" y1="{y(bound):.1f}" y2="{y(bound):.1f}"/>'
            )
        parts.append(f'<circle class="bar" cx="{at:.1f}" cy="{y(estimate):.1f}" r="5"/>')
        if at - half >= free:
            parts.append(f'<text class="label" x="{at:.1f}" y="{top + tall + 18}" text-anchor="middle">{label}</text>')
            free = at + half + 6
        below = top + 12 + _ROW * row
        parts.append(f'<text class="label" x="{end + 126}" y="{below}" text-anchor="end">{label}</text>')
        parts.append(f'<text class="value" x="{end + 142}" y="{below}">{escape(words)}</text>')
    parts.append(f'<text class="label" x="{end + 126}" y="{top + 12}" text-anchor="end">budget</text>')
    parts.append(f'<text class="label" x="{end + 142}" y="{top + 12}">{escape(up)}</text>')
    middle = (left + end) / 2
    parts.append(f'<text class="label" x="{middle:.1f}" y="{height - 6}" text-anchor="middle">{escape(along)}</text>')
    parts.append(
        f'<text class="label" transform="translate(16 {top + tall / 2:.1f}) rotate(-90)" '
        f'text-anchor="middle">{escape(up)}</text>'
    )
    values = [(f"{point[0]:,}", point[4]) for point in points]
    return _svg(title, _WIDTH, height, parts, note=note, values=values, alone=alone)


def line_plot(
    title: str, lines: Sequence[tuple[str, Sequence[tuple[float, float]]]], *, along: str, marks: Sequence[float] = ()
) -> str:
    """At most two lines. lines: name and points, x ascending. along: what x counts. marks: heights to point out."""
    width, height, left, right = _WIDTH, 260, 56, 150
    xs = [x for _, points in lines for x, _ in points]
    ys = [y for _, points in lines for _, y in points] + list(marks)
    low, high = min(0.0, *ys), max(0.0, *ys)
    first, last = min(xs), max(xs)

    def at(x: float, y: float) -> tuple[float, float]:
        over = (x - first) / ((last - first) or 1.0)
        up = (y - low) / ((high - low) or 1.0)
        return left + (width - left - right) * over, 10 + (height - 44) * (1 - up)

    parts = []
    for mark in (0.0, *marks):
        _, y = at(first, mark)
        tone = "even" if mark else "axis"
        parts.append(f'<line class="{tone}" x1="{left}" x2="{width - right}" y1="{y:.1f}" y2="{y:.1f}"/>')
        parts.append(f'<text class="label" x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{mark:.2f}</text>')
    for number, (name, points) in enumerate(lines):
        drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in (at(*point) for point in points))
        x, y = at(*points[-1])
        parts.append(f'<polyline class="{"course second" if number else "course"}" points="{drawn}"/>')
        parts.append(f'<text class="value" x="{x + 6:.1f}" y="{y + 4:.1f}">{escape(name)}</text>')
    for x in (first, last):
        place = at(x, low)[0]
        parts.append(f'<text class="label" x="{place:.1f}" y="{height - 18}" text-anchor="middle">{x:,.0f}</text>')
    parts.append(f'<text class="label" x="{width - right}" y="{height - 2}" text-anchor="end">{escape(along)}</text>')
    return _svg(title, width, height, parts)


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


def _svg(
    title: str,
    width: int,
    height: int,
    parts: Sequence[str],
    *,
    note: str = "",
    values: Sequence[tuple[str, str]] = (),
    alone: bool = False,
) -> str:
    """The parts as a picture. note, values: read aloud after the title. alone: with all that a page would give it."""
    body = "\n".join(parts)
    said = ". ".join([*filter(None, [note]), *(f"{label}: {words}" for label, words in values)]) if note else ""
    told = f"<title>{escape(title)}</title>" + (f"\n<desc>{escape(said)}.</desc>" if said else "")
    size = ""
    if alone:
        body = (
            f"<style>{_PLOT_STYLE}{_ALONE_STYLE}</style>\n"
            f'<rect class="ground" width="100%" height="100%" rx="6"/>\n'
            f'<text class="heading" x="{_MARGIN}" y="26">{escape(title)}</text>\n'
            f'<text class="label" x="{_MARGIN}" y="46">{escape(note)}</text>\n'
            f'<g transform="translate({_MARGIN} {_HEADING})">\n{body}\n</g>'
        )
        width, height = width + 2 * _MARGIN, height + _HEADING + _MARGIN
        size = f'width="{width}" height="{height}" '
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(title, quote=True)}">\n{told}\n{body}\n</svg>'
    )
