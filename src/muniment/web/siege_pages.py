"""Winning chances at a siege table, as addresses: the switch, computing the table, the review of a finished game."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from muniment.games.siege import Siege
from muniment.solve.plots import course_plot
from muniment.tables.errors import Forbidden, NotFound
from muniment.tables.values import Seen
from muniment.web.chances import shown
from muniment.web.pages_table import At, at_table
from muniment.web.render import base_of, form_text, page, see_other, service_of
from muniment.web.siege_chances import chances_of, compute_panel, keep_switch

__all__ = ["routes"]


async def _seen(request: Request) -> tuple[At, Seen, Siege]:
    """The siege table of the address. Raises NotFound if it is none, or may not be seen."""
    at = await at_table(request)
    seen = await service_of(request).look(at.table, at.caller)
    if not isinstance(seen.game, Siege):
        raise NotFound("winning chances are known of the siege only")
    return at, seen, seen.game


async def switch(request: Request) -> Response:
    """Show winning chances in this browser, or not."""
    at = await at_table(request)
    async with request.form() as form:
        on = form_text(form, "chances") == "on"
    response = see_other(request, at.here.removeprefix(base_of(request)))
    keep_switch(request, response, on=on)
    return response


async def compute(request: Request) -> Response:
    """Start to compute the table, or stop; for who has a seat."""
    at, seen, game = await _seen(request)
    if seen.seat is None:
        raise Forbidden("only who plays here may do that")
    async with request.form() as form:
        wanted, back = form_text(form, "compute"), form_text(form, "back")
    chances = chances_of(request)
    if wanted == "stop":
        chances.cancel()
    elif wanted == "start":
        chances.start(game)
    here = at.here.removeprefix(base_of(request))
    return see_other(request, f"{here}/review" if back == "review" else here)


async def review(request: Request) -> Response:
    """A finished siege, decision by decision."""
    at, seen, game = await _seen(request)
    text = await service_of(request).record(at.table, at.caller)
    found, ready = None, True
    try:
        found = await chances_of(request).review(game, text)
    except TimeoutError:
        ready = False
    content: dict[str, Any] = {
        "title": f"Review · {seen.info.title}", "info": seen.info, "here": at.here, "review": found,
        "robots": "noindex", "shown": shown, "points": _points, "ready": ready,
    }  # fmt: skip
    if found is None:
        panel = compute_panel(request, game, None, may_compute=seen.seat is not None)
        response = page(request, "siege_review.html", chances=panel, **content)
        if not ready or (panel.computing is not None and panel.computing.alive):
            response.headers["Refresh"] = "3"
        return response
    marks = [(step.number, f"Move {step.number}: {step.sentence}, {step.grade}") for step in found.mistakes]
    plot = course_plot("The winning chance after every move", found.course, marks)
    return page(request, "siege_review.html", chances=None, plot=Markup(plot), **content)  # noqa: S704 - escaped there


def _points(change: float) -> str:
    """A change in points of a hundred, signed, a true minus."""
    return f"{100 * change:+.2f}".replace("-", "−") if change else "0"


def routes() -> list[BaseRoute]:
    """The addresses, by a table's id and by a watching link."""
    found: list[BaseRoute] = [Route("/t/{table}/compute", compute, methods=["POST"])]
    for prefix in ("/t/{table}", "/watch/{token}"):
        found += [Route(f"{prefix}/chances", switch, methods=["POST"]), Route(f"{prefix}/review", review)]
    return found
