"""Every page's address. The pages ask the service and the engine, and hold no rule.

``routes()`` is what the application adds to itself; it must set ``app.state.service``. ``error_page`` renders what the
service refuses, and unknown addresses.
"""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Scope

from muniment.core.errors import MunimentError
from muniment.tables.errors import NotFound, ServiceError
from muniment.tables.values import Clock, NewTable, SeatPlan
from muniment.web import pages_admin, pages_after, pages_rules, pages_table, siege_pages
from muniment.web.render import (
    Notice,
    caller_of,
    form_nonce,
    form_text,
    keep_name,
    keep_secret,
    keep_theme,
    page,
    see_other,
    service_of,
)
from muniment.web.static_files import VersionedFiles

__all__ = ["error_html", "error_page", "routes"]

DEFAULT_NAME = "Commander"


async def home(request: Request) -> Response:
    """Start, go on, watch."""
    service = service_of(request)
    mine = await service.my_tables(caller_of(request).secret, limit=12)
    return page(
        request,
        "home.html",
        title="Home",
        games=service.games(),
        mine=mine,
        running=await service.public_tables(limit=6),
        finished=await service.public_tables(finished=True, limit=6),
        needs_password=service.needs_password,
    )


async def watch(request: Request) -> Response:
    """The tables that anybody may watch, running and finished."""
    service = service_of(request)
    running = await service.public_tables()
    finished = await service.public_tables(finished=True)
    return page(request, "watch.html", title="Watch", running=running, finished=finished)


async def mine(request: Request) -> Response:
    """All tables of this browser."""
    tables = await service_of(request).my_tables(caller_of(request).secret)
    return page(request, "mine.html", title="Your games", tables=tables)


async def new_page(request: Request) -> Response:
    """The form for a new table."""
    return _new_page(request)


def _new_page(request: Request, notice: Notice | None = None, status: int = 200) -> Response:
    name = str(request.path_params["game"])
    game = next((game for game in service_of(request).games() if game.name == name), None)
    if game is None:
        raise NotFound("there is no such game")
    return page(
        request,
        "new.html",
        status,
        title=f"A new table of {game.facts.title}",
        game=game,
        needs_password=service_of(request).needs_password,
        notice=notice,
    )


async def new(request: Request) -> Response:
    """Make a table and go there."""
    name = str(request.path_params["game"])
    service = service_of(request)
    game = next((game for game in service.games() if game.name == name), None)
    if game is None:
        raise NotFound("there is no such game")
    async with request.form() as form:
        player = form_text(form, "name", 60) or request.cookies.get("muniment_name", "") or DEFAULT_NAME
        options: dict[str, object] = {}
        for option in game.options:
            if (given := form_text(form, f"option-{option.name}")) != "":
                options[option.name] = given
        seats = _seats(
            form_text(form, "seats", 3), [form_text(form, f"seat-{n}") for n in range(1, game.facts.seats[1])]
        )
        guided = form_text(form, "guide") == "on"
        spectators = form_text(form, "spectators")
        wanted = NewTable(
            game=name,
            name=player,
            seats=seats,
            options=options,
            edition=form_text(form, "edition"),
            clock=_clock(form_text(form, "reserve", 4), form_text(form, "increment", 4)),
            spectators="public" if spectators == "public" else "none" if spectators == "none" else "link",
            typed=form_text(form, "dice") == "typed",
            hold=form_text(form, "hold") == "on",
            house_password=form_text(form, "house_password"),
        )
    try:
        joined = await service.create(wanted, secret=caller_of(request).secret, source=_source(request))
    except ServiceError as error:
        return _new_page(request, Notice.of(error), error.status)
    response = see_other(request, f"/t/{joined.table}")
    keep_secret(request, response, joined.secret)
    keep_name(request, response, player)
    if guided:
        pages_table.set_guide(request, response, on=True)
    return response


def _seats(number: str, others: list[str]) -> list[SeatPlan]:
    """The maker's seat and the others as the form has them: "open", or "bot" and its name."""
    wanted = int(number) if number.isascii() and number.isdigit() else 1
    plans = [SeatPlan("me")]
    for given in others[: max(wanted, 1) - 1]:
        kind, _, bot = given.partition(" ")
        plans.append(SeatPlan("bot", bot) if kind == "bot" else SeatPlan("open"))
    return plans


def _clock(minutes: str, seconds: str) -> Clock | None:
    """The clock of a form: no minutes, no clock."""
    if not (minutes.isascii() and minutes.isdigit() and int(minutes)):
        return None
    return Clock(int(minutes) * 60, int(seconds) if seconds.isascii() and seconds.isdigit() else 0)


def _source(request: Request) -> str:
    return request.client.host if request.client else ""


async def join_page(request: Request) -> Response:
    """What an invitation gives; opening it changes nothing."""
    return await _join_page(request)


async def _join_page(request: Request, notice: Notice | None = None, status: int = 200) -> Response:
    token = str(request.path_params["token"])
    link = await service_of(request).link(token)
    if link.kind != "invite":
        raise NotFound("this is not an invitation")
    title = f"You are invited to {link.table.title}"
    return page(
        request, "join.html", status, title=title, token=token, info=link.table, notice=notice, robots="noindex"
    )


async def join(request: Request) -> Response:
    """Take the seat."""
    token = str(request.path_params["token"])
    async with request.form() as form:
        name, seat, nonce = form_text(form, "name", 60), form_text(form, "seat", 3), form_nonce(form)
    try:
        joined = await service_of(request).take_seat(
            token,
            name or DEFAULT_NAME,
            seat=int(seat) if seat.isascii() and seat.isdigit() else None,
            secret=caller_of(request).secret,
            nonce=nonce,
        )
    except NotFound:
        raise
    except ServiceError as error:
        return await _join_page(request, Notice.of(error), error.status)
    response = see_other(request, f"/t/{joined.table}")
    keep_secret(request, response, joined.secret)
    keep_name(request, response, name)
    return response


async def seat_page(request: Request) -> Response:
    """What a seat's private link gives; opening it changes nothing."""
    token = str(request.path_params["token"])
    link = await service_of(request).link(token)
    if link.kind != "seat" or link.seat is None:
        raise NotFound("this is not a seat's link")
    info = link.table
    return page(
        request, "seat.html", title="Move your seat here", token=token, info=info, seat=link.seat, robots="noindex"
    )


async def move_seat(request: Request) -> Response:
    """Move the seat to this browser."""
    joined = await service_of(request).move_seat(str(request.path_params["token"]), secret=caller_of(request).secret)
    response = see_other(request, f"/t/{joined.table}")
    keep_secret(request, response, joined.secret)
    return response


async def theme(request: Request) -> Response:
    """Choose light or dark colours, or the system's."""
    async with request.form() as form:
        chosen, back = form_text(form, "theme"), form_text(form, "back", 300)
    safe = back if back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable() else "/"
    response = see_other(request, safe)
    keep_theme(request, response, chosen)
    return response


async def error_page(request: Request, error: Exception) -> Response:
    """A page for what went wrong: refused by the service, unknown, or our own fault (without particulars)."""
    status, text, retry = 500, "Something went wrong here. It has been noted; trying again may help.", 0
    if isinstance(error, ServiceError):
        status, text = error.status, str(error)
        retry = getattr(error, "retry_after", 0)
    elif isinstance(error, HTTPException):
        status, text = error.status_code, "There is no such page." if error.status_code == 404 else str(error.detail)
    elif isinstance(error, MunimentError):
        status, text = 422, str(error)
    response = page(request, "error.html", status, title="Not possible", status_code=status, text=text)
    if retry:
        response.headers["Retry-After"] = str(retry)
    return response


def error_html(scope: Scope, status: int, text: str) -> str:
    """The page for what was refused before it reached any page of ours; it tells the sentence and nothing else."""
    response = page(Request(scope), "error.html", status, title="Not possible", status_code=status, text=text)
    return bytes(response.body).decode()


def routes() -> list[BaseRoute]:
    """All addresses of pages, and of their style sheets and scripts."""
    return [
        Route("/", home),
        Route("/watch", watch),
        Route("/mine", mine),
        Route("/new/{game}", new_page),
        Route("/new/{game}", new, methods=["POST"]),
        Route("/join/{token}", join_page),
        Route("/join/{token}", join, methods=["POST"]),
        Route("/seat/{token}", seat_page),
        Route("/seat/{token}", move_seat, methods=["POST"]),
        Route("/theme", theme, methods=["POST"]),
        *pages_table.routes(),
        *pages_after.routes(),
        *siege_pages.routes(),
        *pages_rules.routes(),
        *pages_admin.routes(),
        Mount("/static", VersionedFiles(), name="static"),
    ]
