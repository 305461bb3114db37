"""Rendering: the templates, what every page knows, cookies, and what a page says when something was refused."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from muniment.agents.levels import level_of
from muniment.core.words import capital
from muniment.tables.errors import MoveRefused, ServiceError
from muniment.tables.service import Service
from muniment.tables.values import Caller, TableInfo
from muniment.web.boards.dice import die
from muniment.web.boards.svg import art, art_defs
from muniment.web.king_texts import named, seat_names
from muniment.web.static_files import static_version
from muniment.web.texts import count

__all__ = [
    "NAME_COOKIE", "SEAT_COOKIE", "Notice", "base_of", "caller_of", "fresh_key", "keep_name", "keep_secret", "page",
    "see_other", "service_of",
]  # fmt: skip

SEAT_COOKIE: Final = "muniment"
NAME_COOKIE: Final = "muniment_name"
THEME_COOKIE: Final = "muniment_theme"
_YEAR: Final = 365 * 24 * 3600
_THEMES: Final = ("light", "dark")


@dataclass(frozen=True, slots=True)
class Notice:
    """What a page says at its top. kind: "bad" or "good". rule: the rule behind it, if one is."""

    text: str
    kind: str = "bad"
    rule: str = ""

    @classmethod
    def of(cls, error: ServiceError) -> Notice:
        """The notice that tells of an error."""
        rule = error.refusal.rule if isinstance(error, MoveRefused) else ""
        return cls(f"{capital(str(error)).rstrip('.')}.", rule=rule)


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%-d %B %Y, %H:%M UTC")


def _bot_title(game: str, bot: str) -> str:
    """What people call a bot: its level's name if it is one."""
    level = level_of(game, bot)
    return bot if level is None else level.name


def _ending(info: TableInfo) -> str:
    """How a game ended, with players' names."""
    if info.ending is None:
        return ""
    return f"{capital(named(info.ending.sentence, seat_names(info.seats))).rstrip('.')}."


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("muniment.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(bot_title=_bot_title, art=art, art_defs=art_defs, ending=_ending, die=die, count=count)
    made.filters.update(capital=capital, when=_when)
    return made


def service_of(request: Request) -> Service:
    """The service of this process."""
    service: Service = request.app.state.service
    return service


def base_of(request: Request) -> str:
    """The path before all our addresses: empty, or the sub-path behind a reverse proxy."""
    return str(request.scope.get("root_path", "")).rstrip("/")


def caller_of(request: Request, watch: str | None = None) -> Caller:
    """Who asks: the browser's secret, and the watching link it came by."""
    return Caller(secret=request.cookies.get(SEAT_COOKIE), watch=watch)


def fresh_key() -> str:
    """A new idempotency key for the moves of one page."""
    return secrets.token_urlsafe(18)


def page(request: Request, template: str, status: int = 200, **content: Any) -> HTMLResponse:
    """A page from a template. Pages are a viewer's own: nobody may keep them for another."""
    base = base_of(request)

    def static(name: str) -> str:
        return f"{base}/static/{static_version()}/{name}"

    theme = request.cookies.get(THEME_COOKIE, "")
    known: dict[str, Any] = {
        "base": base,
        "origin": f"{request.url.scheme}://{request.url.netloc}",
        "path": request.url.path.removeprefix(base) or "/",
        "static": static,
        "theme": theme if theme in _THEMES else "",
        "player_name": request.cookies.get(NAME_COOKIE, "")[:40],
        "notice": None,
    }
    html = _environment().get_template(template).render(known | content)
    return HTMLResponse(html, status, {"Cache-Control": "no-store"})


def see_other(request: Request, path: str) -> RedirectResponse:
    """Go on to another of our pages."""
    return RedirectResponse(f"{base_of(request)}{path}", 303)


def _cookie(request: Request, response: Response, name: str, value: str, *, hidden: bool) -> None:
    response.set_cookie(
        name,
        value,
        max_age=_YEAR,
        path=f"{base_of(request)}/",
        httponly=hidden,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def keep_secret(request: Request, response: Response, secret: str) -> None:
    """Let the browser keep what its seats are authorised by."""
    _cookie(request, response, SEAT_COOKIE, secret, hidden=True)


def keep_name(request: Request, response: Response, name: str) -> None:
    """Let the browser keep the player's name for the next table."""
    safe = re.sub(r"[^\w .'-]", "", name)[:40]
    if safe.isascii() and safe:
        _cookie(request, response, NAME_COOKIE, safe, hidden=True)


def keep_theme(request: Request, response: Response, theme: str) -> None:
    """Let the browser keep which colours its reader likes."""
    _cookie(request, response, THEME_COOKIE, theme if theme in _THEMES else "", hidden=True)


def form_text(form: Mapping[str, Any], name: str, most: int = 200) -> str:
    """A text field of a form; empty if it is missing or not a text."""
    value = form.get(name, "")
    return value.strip()[:most] if isinstance(value, str) else ""


def form_nonce(form: Mapping[str, Any]) -> str:
    """The words a player mixes into the dice, in the letters that a nonce may have."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", form_text(form, "nonce"))[:64]
