"""Pages to read: the rules of both games with search, learning to play, about and credits."""

from __future__ import annotations

import re

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from muniment.core.rulebook import Rule
from muniment.games.catalog import TITLES, rulebook_of
from muniment.web.render import page, service_of

__all__ = ["routes"]

_RULING = re.compile(r"[A-Z]\d+")


async def rules_index(request: Request) -> Response:
    """Which rules there are."""
    return page(request, "rules_index.html", title="Rules", titles=TITLES)


async def rules(request: Request) -> Response:
    """All rules and rulings of a game, or those that a search finds."""
    name = str(request.path_params["game"])
    if name not in TITLES:
        raise HTTPException(404, "there is no such game")
    book = rulebook_of(name)
    words = request.query_params.get("q", "").strip()[:100]
    found: tuple[Rule, ...] = book.search(words) if words else book.rules
    return page(
        request,
        "rules.html",
        title=f"Rules of {TITLES[name]}",
        game=name,
        game_title=TITLES[name],
        titles=TITLES,
        book=book,
        words=words,
        found=found,
        sections=_sections(found),
    )


def _sections(found: tuple[Rule, ...]) -> list[tuple[str, list[Rule]]]:
    """Rules by chapter (the number before the first dot), rulings under their own heading."""
    sections: dict[str, list[Rule]] = {}
    for rule in found:
        chapter = "rulings" if _RULING.fullmatch(rule.id) else rule.id.partition(".")[0]
        sections.setdefault(chapter, []).append(rule)
    return list(sections.items())


async def learn(request: Request) -> Response:
    """Learning to play."""
    king = next((game for game in service_of(request).games() if game.name == "king"), None)
    needs_password = service_of(request).needs_password
    return page(request, "learn.html", title="Learn to play", king=king, needs_password=needs_password)


async def about(request: Request) -> Response:
    """What this is, and who made the games."""
    return page(request, "about.html", title="About and credits")


def routes() -> list[BaseRoute]:
    """The addresses of the pages to read."""
    return [
        Route("/rules", rules_index),
        Route("/rules/{game}", rules),
        Route("/learn", learn),
        Route("/about", about),
    ]
