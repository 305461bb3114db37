"""The pages of one table: the game itself, its moves as plain forms, its live stream, its links."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from muniment.games.king import King
from muniment.games.king.views import KingView
from muniment.games.siege import Siege
from muniment.games.siege.view import SiegeView
from muniment.tables.errors import NotFound, ServiceError
from muniment.tables.values import Caller, Seen
from muniment.web.king_guide import king_guide
from muniment.web.king_odds import outlook_of
from muniment.web.king_picks import in_order
from muniment.web.king_refusals import questions, why_not
from muniment.web.king_scene import king_scene
from muniment.web.king_story import king_story
from muniment.web.king_texts import PHASES, seat_names
from muniment.web.render import (
    Notice,
    base_of,
    caller_of,
    form_nonce,
    form_text,
    fresh_key,
    keep_secret,
    page,
    see_other,
    service_of,
)
from muniment.web.siege_chances import siege_panel
from muniment.web.siege_guide import guide_of
from muniment.web.siege_scene import siege_scene
from muniment.web.siege_story import story_of

__all__ = ["At", "at_table", "routes"]

GUIDE_COOKIE = "muniment_guide"


@dataclass(frozen=True, slots=True)
class At:
    """Which table a request is about, who asks, and the address of what they see of it."""

    table: str
    caller: Caller
    here: str


async def at_table(request: Request) -> At:
    """The table of the address: by its id, or by a watching link. Raises NotFound."""
    token = request.path_params.get("token")
    if token is None:
        table = str(request.path_params["table"])
        return At(table, caller_of(request), f"{base_of(request)}/t/{table}")
    link = await service_of(request).link(token)
    if link.kind != "watch":
        raise NotFound("this is not a watching link")
    return At(link.table.id, caller_of(request, watch=token), f"{base_of(request)}/watch/{token}")


async def table_page(request: Request) -> Response:
    """The table as the caller sees it."""
    return await _show(request, await at_table(request))


async def _show(request: Request, at: At, notice: Notice | None = None, status: int = 200) -> HTMLResponse:
    service = service_of(request)
    seen = await service.look(at.table, at.caller)
    shared: dict[str, Any] = {
        "title": seen.info.title,
        "info": seen.info,
        "seen": seen,
        "here": at.here,
        "stream": f"{at.here}/stream",
        "bots": next(game for game in service.games() if game.name == seen.info.game),
        "key": fresh_key(),
        "notice": notice,
        "robots": "noindex",
    }
    if seen.view is None or seen.info.status in ("open", "closed"):
        return page(request, "lobby.html", status, **shared)
    if isinstance(seen.view, SiegeView):
        return page(request, "siege.html", status, **shared, **await _siege(request, at, seen, seen.view))
    if isinstance(seen.view, KingView):
        return page(request, "king.html", status, **shared, **await _king(request, at, seen, seen.view))
    raise NotFound("this game has no page")


async def _siege(request: Request, at: At, seen: Seen, view: SiegeView) -> dict[str, Any]:
    """What the siege page shows beyond what every table page shows."""
    assert isinstance(seen.game, Siege)
    lines = await service_of(request).log(at.table, at.caller)
    mine = seen.seat is not None and seen.info.status == "running"
    chances = None
    if seen.info.status == "running":
        chances = await siege_panel(request, seen.game, view, may_compute=seen.seat is not None)
    wins = chances.wins if chances else None
    scene = siege_scene(seen.game, view, may_act=mine and seen.outcomes is None, wins=wins)
    guided = seen.seat is not None and request.cookies.get(GUIDE_COOKIE) == "on"
    return {
        "scene": scene,
        "chances": chances,
        "story": story_of(lines),
        "guide": guide_of(lines) if guided else None,
        "card_titles": {card.number: card.divisions[view.day - 1].title for card in view.edition.cards},
    }


async def _king(request: Request, at: At, seen: Seen, view: KingView) -> dict[str, Any]:
    """What the King page shows beyond what every table page shows."""
    assert isinstance(seen.game, King)
    lines = await service_of(request).log(at.table, at.caller)
    mine = seen.seat is not None and seen.info.status == "running"
    names = seat_names(seen.info.seats)
    asked = questions(view, seen.actions) if mine else []
    refused = why_not(view, await service_of(request).refusals(at.table, at.caller, asked), names) if asked else ()
    outlook = await outlook_of(view, attack=request.query_params.get("odds") == "attack")
    scene = king_scene(seen.game, view, seen.actions, seen.info.seats, may_act=mine, outlook=outlook, refused=refused)
    return {
        "scene": scene,
        "story": king_story(lines, scene.names, 6),
        "phases": PHASES,
        "guide": king_guide(view) if seen.seat is not None and request.cookies.get(GUIDE_COOKIE) == "on" else None,
    }


async def chronicle(request: Request) -> Response:
    """All that happened, on a page of its own."""
    at = await at_table(request)
    seen = await service_of(request).look(at.table, at.caller)
    lines = await service_of(request).log(at.table, at.caller)
    story = king_story(lines, seat_names(seen.info.seats))
    title = f"Chronicle of {seen.info.title}"
    return page(request, "chronicle.html", title=title, here=at.here, info=seen.info, story=story, robots="noindex")


async def _moved(request: Request, at: At, error: ServiceError | None) -> Response:
    """After a move: back to the table; a refusal is told there, and nothing has changed."""
    if error is None:
        return see_other(request, at.here.removeprefix(base_of(request)))
    return await _show(request, at, Notice.of(error), error.status)


async def act(request: Request) -> Response:
    """One action, or several (the field may come more than once) that are accepted or refused as one."""
    at = await at_table(request)
    async with request.form() as form:
        actions = [value for value in form.getlist("action") if isinstance(value, str)][:500]
        decision, key = form_text(form, "decision"), form_text(form, "key", 64)
    error: ServiceError | None = None
    try:
        await service_of(request).act(at.table, at.caller, actions, decision=decision, key=key or None, order=_in_order)
    except ServiceError as refused:
        error = refused
    return await _moved(request, at, error)


def _in_order(view: object, actions: Sequence[str]) -> Sequence[str]:
    """A sequence in the order in which the engine asks for its parts."""
    return in_order(view, actions) if isinstance(view, KingView) else actions


async def enter(request: Request) -> Response:
    """What a real die or card showed."""
    at = await at_table(request)
    async with request.form() as form:
        outcome, decision, key = form_text(form, "outcome"), form_text(form, "decision"), form_text(form, "key", 64)
    error: ServiceError | None = None
    try:
        await service_of(request).enter(at.table, at.caller, outcome, decision=decision, key=key or None)
    except ServiceError as refused:
        error = refused
    return await _moved(request, at, error)


async def undo(request: Request) -> Response:
    """Take the last choice back."""
    at = await at_table(request)
    async with request.form() as form:
        key = form_text(form, "key", 64)
    error: ServiceError | None = None
    try:
        await service_of(request).undo(at.table, at.caller, key=key or None)
    except ServiceError as refused:
        error = refused
    return await _moved(request, at, error)


async def say(request: Request) -> Response:
    """Table talk."""
    at = await at_table(request)
    async with request.form() as form:
        text = form_text(form, "text", 2000)
    error: ServiceError | None = None
    try:
        await service_of(request).say(at.table, at.caller, text)
    except ServiceError as refused:
        error = refused
    return await _moved(request, at, error)


async def resign(request: Request) -> Response:
    """Give the game up."""
    at = await at_table(request)
    error: ServiceError | None = None
    try:
        await service_of(request).resign(at.table, at.caller)
    except ServiceError as refused:
        error = refused
    return await _moved(request, at, error)


async def leave(request: Request) -> Response:
    """Give a seat up before the start."""
    at = await at_table(request)
    try:
        await service_of(request).leave(at.table, at.caller)
    except ServiceError as refused:
        return await _show(request, at, Notice.of(refused), refused.status)
    return see_other(request, "/")


async def mix(request: Request) -> Response:
    """Words of one's own, mixed into the dice before the game begins."""
    at = await at_table(request)
    async with request.form() as form:
        nonce = form_nonce(form)
    error: ServiceError | None = None
    try:
        await service_of(request).mix(at.table, at.caller, nonce)
    except ServiceError as refused:
        error = refused
    return await _moved(request, at, error)


async def seat_player(request: Request) -> Response:
    """Give a seat to a bot, or back to its person."""
    at = await at_table(request)
    seat = int(request.path_params["seat"])
    async with request.form() as form:
        to, bot = form_text(form, "to"), form_text(form, "bot")
    error: ServiceError | None = None
    try:
        if to == "person":
            await service_of(request).seat_to_person(at.table, at.caller, seat)
        else:
            await service_of(request).seat_to_bot(at.table, at.caller, seat, bot)
    except ServiceError as refused:
        error = refused
    return await _moved(request, at, error)


async def rematch(request: Request) -> Response:
    """A new table with the same seats."""
    at = await at_table(request)
    joined = await service_of(request).rematch(at.table, at.caller)
    response = see_other(request, f"/t/{joined.table}")
    keep_secret(request, response, joined.secret)
    return response


async def seat_link(request: Request) -> Response:
    """A private link that moves the seat to another device; shown this once."""
    at = await at_table(request)
    service = service_of(request)
    token = await service.make_seat_link(at.table, at.caller)
    seen = await service.look(at.table, at.caller)
    return page(
        request, "seat_link.html", title="Your seat on another device", token=token, here=at.here, info=seen.info
    )


async def guide(request: Request) -> Response:
    """Turn the guide on or off in this browser."""
    at = await at_table(request)
    async with request.form() as form:
        on = form_text(form, "guide") == "on"
    response = see_other(request, at.here.removeprefix(base_of(request)))
    set_guide(request, response, on=on)
    return response


def set_guide(request: Request, response: Response, *, on: bool) -> None:
    """Let the browser keep whether its player wants lessons."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        GUIDE_COOKIE, "on" if on else "off", path=f"{base_of(request)}/", httponly=True, samesite="lax", secure=secure,
        max_age=30 * 24 * 3600,
    )  # fmt: skip


async def stream(request: Request) -> Response:
    """Server-sent events: the version of what the caller sees, whenever it changes."""
    at = await at_table(request)
    last = request.headers.get("last-event-id") or request.query_params.get("last")
    await service_of(request).look(at.table, at.caller)  # a table that may not be seen is refused before the stream
    versions = service_of(request).watch(at.table, at.caller, last, _pace(request.query_params.get("pace", "")))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_lines(versions), media_type="text/event-stream", headers=headers)


def _pace(text: str) -> float:
    """How slowly bots play for this watcher, as the page's script says it; the usual pace for anything else."""
    return float(text) if text in ("0", "0.4", "2") else 1.0


async def _lines(versions: AsyncIterator[str]) -> AsyncIterator[str]:
    yield "retry: 2000\n\n"
    async for version in versions:
        yield f"id: {version}\nevent: version\ndata: {version}\n\n" if version else ": still here\n\n"


def routes() -> list[BaseRoute]:
    """The addresses of a table, by its id and by a watching link."""
    posts = {
        "act": act, "enter": enter, "undo": undo, "say": say, "resign": resign, "leave": leave, "mix": mix,
        "rematch": rematch, "seat-link": seat_link, "guide": guide,
    }  # fmt: skip
    found: list[BaseRoute] = [Route(f"/t/{{table}}/{name}", do, methods=["POST"]) for name, do in posts.items()]
    found.append(Route("/t/{table}/seat/{seat:int}", seat_player, methods=["POST"]))
    for prefix in ("/t/{table}", "/watch/{token}"):
        found += [
            Route(prefix, table_page),
            Route(f"{prefix}/stream", stream),
            Route(f"{prefix}/chronicle", chronicle),
        ]
    return found
