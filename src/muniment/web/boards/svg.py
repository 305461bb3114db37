"""A little SVG: elements with escaped text and attributes, and our own art by name."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from markupsafe import Markup, escape

__all__ = ["Child", "Drawing", "art", "art_defs", "tag", "text", "use"]

Child = Markup | str | None
Value = str | int | float | bool | None

_ART = ("siege", "king")


def tag(name: str, attributes: dict[str, Value] | None = None, *children: Child) -> Markup:
    """An element. Attributes that are None or False are left out; text is escaped, ``Markup`` is not."""
    written = "".join(
        f' {key}="{escape(_number(value))}"'
        for key, value in (attributes or {}).items()
        if value is not None and value is not False
    )
    inner = "".join(escape(child) for child in children if child is not None)
    return Markup(f"<{name}{written}>{inner}</{name}>")  # noqa: S704 - every part is escaped above


def _number(value: Value) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return "" if value is True else str(value)


def use(symbol: str, x: float, y: float, width: float, height: float | None = None, css: str | None = None) -> Markup:
    """A symbol of the art at a place inside a drawing."""
    box = {"x": x, "y": y, "width": width, "height": width if height is None else height}
    return tag("use", {"href": f"#{symbol}", **box, "class": css})


def text(x: float, y: float, content: str | int, css: str = "label", anchor: str = "middle") -> Markup:
    """A line of text inside a drawing."""
    return tag("text", {"x": x, "y": y, "class": css, "text-anchor": anchor}, str(content))


@cache
def art(symbol: str, css: str = "icon") -> Markup:
    """A symbol of the art as a picture of its own, without a name: text beside it says what it is."""
    return tag("svg", {"class": css, "aria-hidden": "true", "focusable": "false"}, tag("use", {"href": f"#{symbol}"}))


@cache
def art_defs(name: str) -> Markup:
    """The art of a game, to be put once into a page that uses it."""
    if name not in _ART:
        raise KeyError(name)
    drawn = files("muniment.web.boards").joinpath("art").joinpath(f"{name}.svg").read_text(encoding="utf-8")
    inner = drawn[drawn.index("<defs>") : drawn.index("</defs>") + len("</defs>")]
    hidden = f'<svg class="art-defs" id="art-of-{name}" width="0" height="0" aria-hidden="true" focusable="false">'
    return Markup(f"{hidden}{inner}</svg>")  # noqa: S704 - our own file


class Drawing:
    """An SVG under construction: a list of elements in painting order."""

    def __init__(self, width: int, height: int, css: str) -> None:
        self.width, self.height, self.css = width, height, css
        self._parts: list[Markup] = []

    def add(self, *parts: Markup) -> None:
        """Paint these on top."""
        self._parts.extend(parts)

    def path(self, css: str, d: str) -> None:
        """Paint a path."""
        self.add(tag("path", {"class": css, "d": d}))

    def rect(self, css: str, x: float, y: float, width: float, height: float, round_: float = 0) -> None:
        """Paint a rectangle."""
        box = {"x": x, "y": y, "width": width, "height": height, "rx": round_ or None}
        self.add(tag("rect", {"class": css, **box}))

    def circle(self, css: str, x: float, y: float, radius: float) -> None:
        """Paint a circle."""
        self.add(tag("circle", {"class": css, "cx": x, "cy": y, "r": radius}))

    def text(self, x: float, y: float, content: str | int, css: str = "label", anchor: str = "middle") -> None:
        """Paint a line of text."""
        self.add(text(x, y, content, css, anchor))

    def use(self, symbol: str, x: float, y: float, width: float, css: str | None = None) -> None:
        """Paint a symbol of the art."""
        self.add(use(symbol, x, y, width, css=css))

    def picture(self, label: str | None = None) -> Markup:
        """The whole drawing: with a label an image of that name, without one hidden from screen readers."""
        named: dict[str, Value] = {"role": "img", "aria-label": label} if label else {"aria-hidden": "true"}
        attributes = {"class": self.css, "viewBox": f"0 0 {self.width} {self.height}", **named, "focusable": "false"}
        return tag("svg", attributes, *self._parts)
