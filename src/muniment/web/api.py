"""The JSON API, version 1: everything that the pages can do, for programs.

A caller is authorised by ``Authorization: Bearer SECRET`` (what making or joining a table gave it), or by a browser's
cookie. Every error has the form ``{"error": {"code", "message"}}``.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, FastAPI, Header, Path, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, StreamingResponse

from muniment import __version__
from muniment.games.catalog import GAME_NAMES
from muniment.tables.errors import NotFound, ServiceError, TooMany
from muniment.tables.service import Service
from muniment.tables.values import (
    Answer,
    Caller,
    Clock,
    GameInfo,
    Link,
    LogLine,
    NewTable,
    SeatPlan,
    Seen,
    TableInfo,
)
from muniment.web import schemas as s

__all__ = ["COOKIE", "api_app", "error_json"]

COOKIE = "muniment"
_bearer = HTTPBearer(auto_error=False, description="the secret of a seat")
_cookie = APIKeyCookie(name=COOKIE, auto_error=False, description="the secret of a browser")
_ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": s.ErrorModel, "description": text}
    for status, text in {
        400: "The request cannot be read.",
        403: "The caller may not do that.",
        404: "There is no such thing, or the caller may not know of it.",
        409: "Not now: stale, against the rules, or the table is not in a condition for it.",
        413: "The request is too large.",
        415: "The body is not JSON.",
        422: "What was sent cannot be used.",
        429: "A limit is reached.",
        503: "The server cannot do it now.",
    }.items()
}
router = APIRouter(responses=_ERRORS)
TableId = Annotated[str, Path(min_length=10, max_length=10, description="a table's id")]
Token = Annotated[str, Path(min_length=37, max_length=44, description="a link's token")]
SeatNumber = Annotated[int, Path(ge=0, le=15)]
Watch = Annotated[str | None, Query(max_length=64, description="the token of a watching link")]


class Json(Response):
    """A JSON answer that is written already, or is plain values."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The bytes; a viewer's own, which nobody may keep for another."""
        if isinstance(content, bytes):
            return content
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


async def _service(request: Request) -> Service:  # a plain function would be run in a thread
    service: Service = request.app.state.service
    return service


async def _secret(
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    cookie: Annotated[str | None, Depends(_cookie)],
) -> str | None:
    return bearer.credentials if bearer is not None else cookie


async def _caller(secret: Annotated[str | None, Depends(_secret)], watch: Watch = None) -> Caller:
    return Caller(secret, watch)


ServiceOf = Annotated[Service, Depends(_service)]
SecretOf = Annotated[str | None, Depends(_secret)]
CallerOf = Annotated[Caller, Depends(_caller)]


# -- as JSON


def _table(info: TableInfo) -> dict[str, Any]:
    return {
        "id": info.id, "game": info.game, "title": info.title, "status": info.status,
        "seats": [
            {
                "seat": one.seat, "kind": one.kind, "name": one.name, "bot": one.bot, "stand_in": one.stand_in,
                "present": one.present, "resigned": one.resigned,
            }
            for one in info.seats
        ],
        "options": dict(info.options), "edition": info.edition,
        "clock": None if info.clock is None else asdict(info.clock), "spectators": info.spectators,
        "typed": info.typed, "commitment": info.commitment, "created": info.created, "changed": info.changed,
        "moves": info.moves, "ending": None if info.ending is None else asdict(info.ending), "next": info.next,
    }  # fmt: skip


def _lines(lines: tuple[LogLine, ...]) -> list[dict[str, Any]]:
    return [{"number": one.number, "text": one.text, "rule": one.rule, "event": one.event} for one in lines]


def _game(info: GameInfo) -> dict[str, Any]:
    facts = info.facts
    return {
        "name": info.name, "title": facts.title, "designers": facts.designers, "seats": list(facts.seats),
        "hidden_information": facts.hidden_information, "editions": list(info.editions), "bots": list(info.bots),
        "default_bot": info.default_bot, "odds": info.odds,
        "levels": [
            {"name": one.name, "bot": one.agent, "sentence": one.sentence, "rating": one.rating} for one in info.levels
        ],
        "options": [
            {
                "name": one.name, "ruling": one.ruling, "default": one.default, "choices": list(one.choices),
                "minimum": one.minimum, "sentence": one.sentence,
            }
            for one in info.options
        ],
    }  # fmt: skip


def _seen(seen: Seen) -> dict[str, Any]:
    return {
        "table": _table(seen.info), "seat": seen.seat, "host": seen.host, "version": seen.version,
        "view": None if seen.view is None else seen.view.to_json(), "decision": seen.decision,
        "your_turn": seen.your_turn, "actions": [choice.to_json() for choice in seen.actions],
        "outcomes": None if seen.outcomes is None else list(seen.outcomes), "undo": seen.undo,
        "log": _lines(seen.log), "talk": [asdict(one) for one in seen.talk],
        "clocks": [asdict(one) for one in seen.clocks], "invite": seen.invite, "watch": seen.watch,
    }  # fmt: skip


class _Written:
    """The last views that were written as JSON, each once per viewer and revision."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, int | None, bool], tuple[Seen, bytes]] = OrderedDict()

    def write(self, seen: Seen) -> bytes:
        """The view as JSON."""
        key = (seen.info.id, seen.seat, seen.host)
        found = self._kept.get(key)
        if found is None or found[0] is not seen:
            found = self._kept[key] = (seen, Json().render(_seen(seen)))
            while len(self._kept) > 1000:
                self._kept.popitem(last=False)
        return found[1]


def _answer(answer: Answer) -> dict[str, Any]:
    return {
        "table": answer.table, "version": answer.version, "log": _lines(answer.log), "repeated": answer.repeated,
    }  # fmt: skip


# -- the house


@router.get("/games", response_model=s.GamesModel)
async def games(service: ServiceOf) -> Response:
    """The games that can be played here, their options, editions and bots."""
    return Json({"games": [_game(one) for one in service.games()], "needs_password": service.needs_password})


@router.get("/games/{game}/rules", response_model=s.RulesModel)
async def rules(game: Annotated[str, Path(max_length=40)]) -> Response:
    """The rules and rulings of a game, in our own words."""
    from muniment.games.catalog import rulebook_of

    if game not in GAME_NAMES:
        raise NotFound("there is no such game")
    return Json(
        {
            "rules": [
                {"id": one.id, "title": one.title, "text": one.text, "see": list(one.see), "option": one.option}
                for one in rulebook_of(game).rules
            ]
        }
    )


@router.get("/tables", response_model=s.TablesModel)
async def tables(
    service: ServiceOf, secret: SecretOf, which: Literal["mine", "running", "finished"] = "mine"
) -> Response:
    """The caller's tables, or those that anybody may watch."""
    if which == "mine":
        found = await service.my_tables(secret)
    else:
        found = await service.public_tables(finished=which == "finished")
    return Json({"tables": [_table(one) for one in found]})


@router.post("/tables", status_code=201, response_model=s.JoinedModel)
async def create(request: Request, body: s.NewTableBody, service: ServiceOf, secret: SecretOf) -> Response:
    """Make a table; it starts by itself once no seat is open."""
    new = NewTable(
        game=body.game, name=body.name, seats=[SeatPlan(one.kind, one.bot) for one in body.seats],
        options=body.options, edition=body.edition,
        clock=None if body.clock is None else Clock(body.clock.reserve, body.clock.increment),
        spectators=body.spectators, typed=body.typed, hold=body.hold, house_password=body.house_password,
    )  # fmt: skip
    source = request.client.host if request.client else ""
    return Json(asdict(await service.create(new, secret=secret, source=source)), 201)


# -- links


def _link(link: Link) -> dict[str, Any]:
    return {"kind": link.kind, "table": _table(link.table), "seat": link.seat}


@router.get("/links/{token}", response_model=s.LinkModel)
async def link(token: Token, service: ServiceOf) -> Response:
    """What a link gives; this changes nothing."""
    return Json(_link(await service.link(token)))


@router.post("/links/{token}/seat", response_model=s.JoinedModel)
async def take(token: Token, body: s.TakeBody, service: ServiceOf, secret: SecretOf) -> Response:
    """Take a seat with an invitation, or move a seat here with its private link."""
    if token.startswith("s"):
        return Json(asdict(await service.move_seat(token, secret=secret)))
    joined = await service.take_seat(token, body.name, seat=body.seat, secret=secret, nonce=body.nonce)
    return Json(asdict(joined))


# -- a table


@router.get("/tables/{table}", response_model=s.SeenModel, responses={304: {"description": "It has not changed."}})
async def look(
    request: Request,
    table: TableId,
    service: ServiceOf,
    caller: CallerOf,
    if_none_match: Annotated[str | None, Header(max_length=100)] = None,
) -> Response:
    """All that the caller sees of the table."""
    seen = await service.look(table, caller)
    headers = {"ETag": f'"{seen.version}"', "Cache-Control": "no-store", "Vary": "Authorization, Cookie"}
    if if_none_match == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Json(request.app.state.written.write(seen), headers=headers)


@router.get("/tables/{table}/log", response_model=s.LogModel)
async def log(
    table: TableId, service: ServiceOf, caller: CallerOf, since: Annotated[int, Query(ge=0, le=10**9)] = 0
) -> Response:
    """Everything that happened and the caller may know."""
    return Json({"lines": _lines(await service.log(table, caller, since))})


@router.get(
    "/tables/{table}/stream",
    response_class=StreamingResponse,
    responses={200: {"description": "Server-sent events.", "content": {"text/event-stream": {}}}},
)
async def stream(
    table: TableId,
    service: ServiceOf,
    caller: CallerOf,
    last_event_id: Annotated[str | None, Header(max_length=100)] = None,
    last: Annotated[str | None, Query(max_length=100, description="the version that is known")] = None,
    pace: Annotated[
        float, Query(ge=0, le=2, description="how slowly bots play while you look on: 1 for people, 0 without a pause")
    ] = 0,
) -> Response:
    """Server-sent events ``version``: the version of what the caller sees, whenever it changes."""
    await service.look(table, caller)  # what may not be seen is refused before the stream begins
    versions = service.watch(table, caller, last_event_id or last, pace)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_events(versions), media_type="text/event-stream", headers=headers)


async def _events(versions: AsyncIterator[str]) -> AsyncIterator[bytes]:
    yield b"retry: 2000\n\n"
    async for version in versions:
        yield f"id: {version}\nevent: version\ndata: {version}\n\n".encode() if version else b": still here\n\n"


@router.post("/tables/{table}/moves", response_model=s.AnswerModel)
async def move(table: TableId, body: s.MoveBody, service: ServiceOf, caller: CallerOf) -> Response:
    """Move: take actions, or type in what real dice showed."""
    actions: list[str | Mapping[str, Any]] = list(body.actions or ())
    if body.outcome is not None and not actions:
        answer = await service.enter(table, caller, body.outcome, decision=body.decision, key=body.key)
    else:
        answer = await service.act(table, caller, actions, decision=body.decision, key=body.key)
    return Json(_answer(answer))


@router.post("/tables/{table}/undo", response_model=s.AnswerModel)
async def undo(table: TableId, body: s.UndoBody, service: ServiceOf, caller: CallerOf) -> Response:
    """Take the last move back, if neither a die nor anybody else came between."""
    return Json(_answer(await service.undo(table, caller, key=body.key)))


@router.post("/tables/{table}/why-not", response_model=s.WhyNotModel)
async def why_not(table: TableId, body: s.LookUpBody, service: ServiceOf, caller: CallerOf) -> Response:
    """Why an action is not allowed now; no refusal if it is."""
    refusal = await service.why_not(table, caller, body.action)
    return Json({"refusal": None if refusal is None else refusal.to_json()})


@router.post("/tables/{table}/odds", response_model=s.OddsModel)
async def odds(table: TableId, body: s.LookUpBody, service: ServiceOf, caller: CallerOf) -> Response:
    """The odds of a legal action, where the game knows some."""
    found = await service.odds(table, caller, body.action)
    return Json({"odds": None if found is None else found.to_json()})


@router.post("/tables/{table}/talk", status_code=204)
async def say(table: TableId, body: s.TalkBody, service: ServiceOf, caller: CallerOf) -> Response:
    """Table talk, for the players of the table."""
    await service.say(table, caller, body.text)
    return Response(status_code=204)


# -- seats


@router.post("/tables/{table}/nonce", status_code=204)
async def mix(table: TableId, body: s.NonceBody, service: ServiceOf, caller: CallerOf) -> Response:
    """Before the start: mix a nonce into the dice, whose commitment the table's view shows; a held table starts."""
    await service.mix(table, caller, body.nonce)
    return Response(status_code=204)


@router.post("/tables/{table}/leave", status_code=204)
async def leave(table: TableId, service: ServiceOf, caller: CallerOf) -> Response:
    """Give a seat up before the start."""
    await service.leave(table, caller)
    return Response(status_code=204)


@router.post("/tables/{table}/resign", status_code=204)
async def resign(table: TableId, service: ServiceOf, caller: CallerOf) -> Response:
    """Give the game up."""
    await service.resign(table, caller)
    return Response(status_code=204)


@router.post("/tables/{table}/rematch", response_model=s.JoinedModel)
async def rematch(table: TableId, service: ServiceOf, caller: CallerOf) -> Response:
    """Play again with the same settings and seats."""
    return Json(asdict(await service.rematch(table, caller)))


@router.post("/tables/{table}/seat-link", status_code=201, response_model=s.TokenModel)
async def seat_link(table: TableId, service: ServiceOf, caller: CallerOf) -> Response:
    """The token of a link that moves the caller's seat to another device, once."""
    return Json({"token": await service.make_seat_link(table, caller)}, 201)


@router.post("/tables/{table}/tokens", status_code=201, response_model=s.TokenModel)
async def token(table: TableId, service: ServiceOf, caller: CallerOf) -> Response:
    """A further bearer token for the caller's seat."""
    return Json({"token": await service.make_token(table, caller)}, 201)


@router.put("/tables/{table}/seats/{seat}/bot", status_code=204)
async def seat_to_bot(
    table: TableId, seat: SeatNumber, body: s.BotBody, service: ServiceOf, caller: CallerOf
) -> Response:
    """Give an open or abandoned seat, or one's own, to a bot."""
    await service.seat_to_bot(table, caller, seat, body.bot)
    return Response(status_code=204)


@router.delete("/tables/{table}/seats/{seat}/bot", status_code=204)
async def seat_to_person(table: TableId, seat: SeatNumber, service: ServiceOf, caller: CallerOf) -> Response:
    """Give a seat back to the person for whom a bot stands in."""
    await service.seat_to_person(table, caller, seat)
    return Response(status_code=204)


# -- afterwards


@router.get(
    "/tables/{table}/record",
    response_class=PlainTextResponse,
    responses={200: {"description": "The record.", "content": {"text/plain": {}}}},
)
async def record(table: TableId, service: ServiceOf, caller: CallerOf) -> Response:
    """The record of a finished game, its seed revealed."""
    return PlainTextResponse(await service.record(table, caller), headers={"Cache-Control": "no-store"})


@router.get("/tables/{table}/replay", response_model=s.ReplayModel)
async def replay(table: TableId, service: ServiceOf, caller: CallerOf) -> Response:
    """A finished game step by step."""
    found = await service.replay(table, caller)
    steps = [
        {
            "number": one.number, "seat": one.seat, "notation": one.notation, "sentence": one.sentence,
            "log": _lines(one.log),
        }
        for one in found.steps
    ]  # fmt: skip
    return Json({"table": _table(found.info), "steps": steps, "seed": found.seed, "nonces": list(found.nonces)})


@router.get("/tables/{table}/replay/{step}", response_model=s.FrameModel)
async def frame(
    table: TableId, step: Annotated[int, Path(ge=0, le=10**6)], service: ServiceOf, caller: CallerOf
) -> Response:
    """The table of a finished game after so many steps, nothing hidden."""
    found = await service.frame(table, caller, step)
    return Json(
        {
            "step": found.step, "spectator": found.spectator.to_json(),
            "views": [view.to_json() for view in found.views], "position": dict(found.position),
        }
    )  # fmt: skip


# -- the application


def error_json(error: Exception) -> Response:
    """What is told of an error."""
    if isinstance(error, ServiceError):
        wait = error.retry_after if isinstance(error, TooMany) else 0
        headers = {"Retry-After": str(wait)} if wait else None
        return Json({"error": error.to_json()}, error.status, headers)
    if isinstance(error, RequestValidationError):
        places = sorted({".".join(str(part) for part in one["loc"][:3])[:60] for one in error.errors()})[:5]
        if any(one["type"] == "json_invalid" for one in error.errors()):
            return Json({"error": {"code": "not-json", "message": "the body is not JSON"}}, 422)
        return Json({"error": {"code": "invalid", "message": f"not as it should be: {', '.join(places)}"}}, 422)
    if isinstance(error, HTTPException):
        told = {404: "there is no such address", 405: "this address has no such method"}
        message = told.get(error.status_code, "the request cannot be read")
        return Json({"error": {"code": "http", "message": message}}, error.status_code, error.headers)
    raise error


async def _on_error(request: Request, error: Exception) -> Response:
    if isinstance(error, ServiceError):
        request.app.state.service.metrics.refusals.labels(error.code).inc()
    return error_json(error)


def api_app(service: Service) -> FastAPI:
    """The API as an application of its own, to be mounted at ``/api/v1``."""
    app = FastAPI(
        title="Muniment", version=f"1 ({__version__})", docs_url=None, redoc_url=None, openapi_url="/openapi.json",
        description=__doc__ or "", telemetry={"tracing": False, "metrics": False, "logs": False},
        max_body_size=service.config.body_limit, redirect_slashes=False,
    )  # fmt: skip
    app.state.service = service
    app.state.written = _Written()
    app.include_router(router)
    for kind in (ServiceError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _on_error)
    return app
