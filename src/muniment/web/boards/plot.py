"""Plots drawn on the server: steps over turns, and counts of faces. The page has the same figures as a table."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from muniment.web.boards.svg import Drawing, tag

__all__ = ["faces_plot", "steps_plot"]

_MARKS = ("M-4,-4 H4 V4 H-4Z", "M0,-5 L5,4 H-5Z", "M-4,0 a4,4 0 1,0 8,0 a4,4 0 1,0 -8,0", "M0,-5 L5,0 L0,5 L-5,0Z")


def steps_plot(label: str, names: Sequence[str], series: Sequence[tuple[str, Sequence[int]]], top: int) -> Markup:
    """Lines over turns: each with its own dash, its own mark and its name at its end, so that none needs a colour."""
    width, height, left, right, upper, lower = 720, 300, 34, 116, 16, 34
    drawing = Drawing(width, height, "plot")
    across = width - left - right
    down = height - upper - lower
    last = max(len(names) - 1, 1)

    def x(turn: float) -> float:
        return left + across * turn / last

    def y(value: float) -> float:
        return upper + down * (1 - value / top)

    for value in range(0, top + 1, max(1, top // 6)):
        drawing.path("grid", f"M{left},{y(value):.1f} H{left + across}")
        drawing.text(left - 8, y(value) + 5, value, "small", "end")
    for turn, name in enumerate(names):
        day, _, first = name.partition(", ")
        if first == "turn 1":
            if turn > 1:
                drawing.path("grid day", f"M{x(turn - 0.5):.1f},{upper} V{upper + down}")
            drawing.text(x(turn) - 4, height - 10, day.capitalize(), "small", "start")
        elif not first and turn % max(1, len(names) // 12) == 0:
            drawing.text(x(turn), height - 10, name.rpartition(" ")[2], "small")
    ends = sorted((values[-1], place) for place, (_, values) in enumerate(series))
    label_y: dict[int, float] = {}
    lowest = float(height)
    for value, place in ends:
        lowest = min(y(value) + 5, lowest - 17)
        label_y[place] = lowest
    shift = max(0.0, 14 - min(label_y.values(), default=14.0))
    for place, (name, values) in enumerate(series):
        lift = (place - (len(series) - 1) / 2) * 3  # lines of equal value run side by side
        points = [(x(turn), y(value) + lift) for turn, value in enumerate(values)]
        d = "M" + " L".join(f"{px:.1f},{py:.1f}" for px, py in points)
        drawing.path(f"series series-{place}", d)
        for px, py in points:
            place_it = f"translate({px:.1f} {py:.1f})"
            drawing.add(tag("path", {"class": f"mark mark-{place}", "d": _MARKS[place % 4], "transform": place_it}))
        at = f"translate({points[-1][0] + 14:.1f} {label_y[place] + shift - 5:.1f})"
        drawing.add(tag("path", {"class": f"mark mark-{place}", "d": _MARKS[place % 4], "transform": at}))
        drawing.text(points[-1][0] + 24, label_y[place] + shift, name, "small", "start")
    return drawing.picture(label)


def faces_plot(label: str, counts: Sequence[int], expected: float) -> Markup:
    """A bar for each face of the die, and a dashed line where all would be if dice had no luck in them."""
    drawing = Drawing(360, 200, "plot")
    top = max((*counts, expected, 1))
    base, tall = 160, 130
    drawing.path("grid", f"M20,{base} H350")
    for face, times in enumerate(counts, 1):
        x = 32 + (face - 1) * 54
        bar = tall * times / top
        drawing.rect("bar", x, base - bar, 34, bar)
        drawing.rect("bar-hatch", x, base - bar, 34, bar)
        drawing.text(x + 17, base - bar - 6, times, "small")
        drawing.text(x + 17, base + 22, face, "strong")
    level = base - tall * expected / top
    drawing.path("expected", f"M20,{level:.1f} H350")
    return drawing.picture(label)
