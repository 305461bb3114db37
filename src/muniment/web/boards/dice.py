"""A six-sided die of bone, and the strip of six faces that shows at a glance what each of them would do."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache

from markupsafe import Markup

from muniment.web.boards.svg import Drawing, tag

__all__ = ["die", "faces_strip"]

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
_MARKS = {
    "success": "M-5,0 L-1.5,3.5 L5,-4",  # a tick
    "failure": "M-3.5,0 H3.5",  # a dash
    "captured": "M-4,-4 L4,4 M4,-4 L-4,4",  # a cross
}


@cache
def die(face: int, css: str = "die") -> Markup:
    """The die showing a face, seen a little from above; named by the number it shows."""
    drawing = Drawing(64, 64, css)
    drawing.path("die-side", "M8,14 Q8,6 16,6 H52 Q60,6 60,14 V50 Q60,60 50,60 H16 Q6,60 6,50Z")
    drawing.rect("die-top", 5, 4, 50, 50, 9)
    drawing.path("hairline", "M57,16 V48 M59,20 V44")
    for x, y in _PIPS[face]:
        drawing.circle("pip", 30 + x * 13.5, 29 + y * 13.5, 5)
    return drawing.picture(f"The die shows {face}")


def faces_strip(labels: Mapping[int, str]) -> Markup:
    """Six small faces, each with a mark under it: tick, dash or cross. labels: of ``OddsCase`` by face.

    Hidden from screen readers: the odds beside it say the same in words.
    """
    return _strip(tuple(labels.get(face, "failure") for face in range(1, 7)))


@lru_cache(maxsize=512)
def _strip(labels: tuple[str, ...]) -> Markup:
    drawing = Drawing(6 * 22, 36, "faces")
    for face, label in enumerate(labels, 1):
        x = (face - 1) * 22 + 11
        pips = [
            tag("circle", {"class": "pip", "cx": x + dx * 5, "cy": 11 + dy * 5, "r": 1.9}) for dx, dy in _PIPS[face]
        ]
        mark = tag("path", {"class": "mark", "d": _MARKS[label], "transform": f"translate({x} 30)"})
        square = tag("rect", {"class": "face", "x": x - 9, "y": 2, "width": 18, "height": 18, "rx": 3.5})
        drawing.add(tag("g", {"class": f"face-{label}"}, square, *pips, mark))
    return drawing.picture()
