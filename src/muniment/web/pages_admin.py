"""The administration page, behind the administrator's secret: tables, storage, closing, deleting, removing.

The secret itself is never kept in the browser: entering it gives a cookie that proves it for eight hours.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from typing import Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from muniment.tables.admin import Admin
from muniment.tables.errors import ServiceError, TooMany
from muniment.tables.limits import Rate
from muniment.web.render import Notice, base_of, form_text, page, see_other

__all__ = ["routes"]

COOKIE: Final = "muniment_admin"
_HOURS: Final = 8
_tries = Rate(10, 300)


def _secret(request: Request) -> bytes:
    """The administrator's secret. Raises 404 if there is none: then there is no administration."""
    secret = str(request.app.state.config.admin_secret)
    if not secret:
        raise HTTPException(404)
    return secret.encode()


def _proof(secret: bytes, until: int) -> str:
    return f"{until}.{hmac.new(secret, f'muniment admin until {until}'.encode(), hashlib.sha256).hexdigest()}"


def _entered(request: Request) -> bool:
    secret = _secret(request)
    given = request.cookies.get(COOKIE, "")
    until = given.partition(".")[0]
    if not (until.isascii() and until.isdigit() and len(until) < 12 and int(until) > time.time()):
        return False
    return hmac.compare_digest(given.encode("utf-8", "replace"), _proof(secret, int(until)).encode())


def _admin(request: Request) -> Admin:
    """The administrator's side of the service. Raises 403 for whoever has not entered the secret."""
    if not _entered(request):
        raise HTTPException(403, "this needs the administrator's secret")
    admin: Admin = request.app.state.admin
    return admin


async def show(request: Request) -> Response:
    """Tables and storage; or the door."""
    if not _entered(request):
        return page(request, "admin_door.html", title="Administration", robots="noindex")
    return await _show(request)


async def _show(request: Request, notice: Notice | None = None, status: int = 200) -> Response:
    admin = _admin(request)
    wanted = request.query_params.get("status", "")[:8]
    return page(
        request,
        "admin.html",
        status,
        title="Administration",
        tables=await admin.tables(wanted, 100, 0),
        storage=await admin.storage(),
        config=request.app.state.config,
        wanted=wanted,
        notice=notice,
        robots="noindex",
    )


async def enter(request: Request) -> Response:
    """Check the secret, and let the browser keep a proof of it for a while."""
    secret = _secret(request)
    async with request.form() as form:
        given = form_text(form, "secret", 500)
    source = request.client.host if request.client else ""
    if wait := _tries.wait(source):
        raise TooMany("too many tries from here", int(wait) + 1)
    if not hmac.compare_digest(given.encode("utf-8", "replace"), secret):
        notice = Notice("That is not the administrator's secret.")
        return page(request, "admin_door.html", 403, title="Administration", notice=notice, robots="noindex")
    _tries.forget(source)
    until = int(time.time()) + _HOURS * 3600
    response = see_other(request, "/admin")
    response.set_cookie(
        COOKIE, _proof(secret, until), max_age=_HOURS * 3600, path=f"{base_of(request)}/admin", httponly=True,
        samesite="strict", secure=request.url.scheme == "https",
    )  # fmt: skip
    return response


async def leave(request: Request) -> Response:
    """Forget the proof."""
    response = see_other(request, "/")
    response.delete_cookie(COOKIE, path=f"{base_of(request)}/admin")
    return response


async def table(request: Request) -> Response:
    """One table: its seats and its talk."""
    admin = _admin(request)
    wanted = str(request.path_params["table"])
    info = next((one for one in await admin.tables("", 10_000, 0) if one.id == wanted), None)
    if info is None:
        raise HTTPException(404)
    talk = await admin.talk(wanted)
    return page(request, "admin_table.html", title="A table", info=info, talk=talk, robots="noindex")


async def change(request: Request) -> Response:
    """Close or delete a table, remove a player or a message, clear out what is old."""
    admin = _admin(request)
    async with request.form() as form:
        do, wanted = form_text(form, "do", 20), form_text(form, "table", 20)
        number = form_text(form, "number", 12)
    which = int(number) if number.isascii() and number.isdigit() else -1
    try:
        if do == "close":
            await admin.close(wanted)
        elif do == "delete":
            await admin.delete(wanted)
        elif do == "remove-player":
            await admin.remove_player(wanted, which)
        elif do == "remove-message":
            await admin.remove_message(wanted, which)
        elif do == "sweep":
            deleted = await admin.sweep()
            return await _show(request, Notice(f"Tables deleted: {deleted}.", "good"))
        else:
            raise HTTPException(422, "that is nothing an administrator does")
    except ServiceError as error:
        return await _show(request, Notice.of(error), error.status)
    back = f"/admin/table/{wanted}" if do.startswith("remove-") else "/admin"
    return see_other(request, back)


def routes() -> list[BaseRoute]:
    """The administrator's pages."""
    return [
        Route("/admin", show),
        Route("/admin", enter, methods=["POST"]),
        Route("/admin/leave", leave, methods=["POST"]),
        Route("/admin/change", change, methods=["POST"]),
        Route("/admin/table/{table}", table),
    ]
