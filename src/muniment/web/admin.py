"""The administrator's part of the API, behind the secret as a bearer token; it is not there if there is none."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from muniment.tables.admin import Admin
from muniment.tables.errors import ServiceError
from muniment.tables.limits import Rate
from muniment.web.api import error_json
from muniment.web.security import is_admin

__all__ = ["admin_routes"]

_wrong = Rate(10, 300)
Handler = Callable[[Request, Admin], Awaitable[object]]


def _behind_secret(do: Handler) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        config = request.app.state.config
        source = request.client.host if request.client else ""
        if not config.admin_secret:
            raise HTTPException(404)
        if not is_admin(config, request.headers.get("authorization")):
            wait = _wrong.wait(source)
            status = 429 if wait else 401
            error = {"code": "not-the-administrator", "message": "this needs the administrator's secret"}
            return JSONResponse({"error": error}, status, {"WWW-Authenticate": "Bearer"})
        try:
            result: Any = await do(request, request.app.state.admin)
        except ServiceError as error:
            return error_json(error)
        return Response(status_code=204) if result is None else JSONResponse(result)

    return endpoint


def _number(request: Request, name: str, most: int, default: int) -> int:
    text = request.query_params.get(name, "")
    return min(int(text), most) if text.isascii() and text.isdigit() and len(text) < 10 else default


async def _tables(request: Request, admin: Admin) -> object:
    status = request.query_params.get("status", "")[:8]
    found = await admin.tables(status, _number(request, "limit", 200, 100), _number(request, "offset", 10**6, 0))
    return {"tables": [asdict(info) for info in found]}


async def _storage(_: Request, admin: Admin) -> object:
    return asdict(await admin.storage())


async def _talk(request: Request, admin: Admin) -> object:
    return {"talk": [asdict(message) for message in await admin.talk(request.path_params["table"])]}


async def _close(request: Request, admin: Admin) -> object:
    return await admin.close(request.path_params["table"])  # type: ignore[func-returns-value]


async def _delete(request: Request, admin: Admin) -> object:
    return await admin.delete(request.path_params["table"])  # type: ignore[func-returns-value]


async def _remove_player(request: Request, admin: Admin) -> object:
    return await admin.remove_player(request.path_params["table"], request.path_params["seat"])  # type: ignore[func-returns-value]


async def _remove_message(request: Request, admin: Admin) -> object:
    return await admin.remove_message(request.path_params["table"], request.path_params["message"])  # type: ignore[func-returns-value]


async def _sweep(_: Request, admin: Admin) -> object:
    return {"deleted": await admin.sweep()}


def admin_routes() -> list[BaseRoute]:
    """The administrator's addresses."""
    root, table = "/api/admin", "/api/admin/tables/{table}"
    return [
        Route(f"{root}/tables", _behind_secret(_tables)),
        Route(f"{root}/storage", _behind_secret(_storage)),
        Route(f"{root}/sweep", _behind_secret(_sweep), methods=["POST"]),
        Route(f"{table}/talk", _behind_secret(_talk)),
        Route(f"{table}/close", _behind_secret(_close), methods=["POST"]),
        Route(table, _behind_secret(_delete), methods=["DELETE"]),
        Route(f"{table}/seats/{{seat:int}}", _behind_secret(_remove_player), methods=["DELETE"]),
        Route(f"{table}/talk/{{message:int}}", _behind_secret(_remove_message), methods=["DELETE"]),
    ]
