"""The application: the pages, the API, health and metrics, behind one guard."""

from __future__ import annotations

import importlib.util
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from muniment.core.errors import MunimentError
from muniment.tables.admin import Admin
from muniment.tables.config import Config
from muniment.tables.service import Service
from muniment.web.admin import admin_routes
from muniment.web.api import api_app
from muniment.web.security import Guard, Telling, is_admin

__all__ = ["create_app"]

API = "/api/v1"


async def health(request: Request) -> Response:
    """Whether this process can serve: its storage answers and it is not stopping."""
    healthy = await request.app.state.service.healthy()
    return JSONResponse({"status": "ok" if healthy else "unavailable"}, 200 if healthy else 503)


async def metrics(request: Request) -> Response:
    """What Prometheus reads."""
    service: Service = request.app.state.service
    allowed = service.config.metrics
    if allowed == "off" or (allowed == "secret" and not is_admin(service.config, request.headers.get("authorization"))):
        raise HTTPException(404)
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4")


async def leave_to_guard(_request: Request, error: Exception) -> Response:
    """Our own faults: the guard logs them, and answers."""
    raise error


def create_app(config: Config, service: Service | None = None) -> Any:
    """The whole application over a new service, which it starts and stops; or over one that runs already."""
    own = service is None
    served = service or Service(config)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if own:
            await served.start()
        app.state.admin = api.state.admin = Admin(served.house, served.keeper)
        yield
        if own:
            await served.stop()

    api = api_app(served)
    routes: list[BaseRoute] = [Route("/healthz", health), Route("/metrics", metrics), Mount(API, api)]
    routes += admin_routes()
    handlers: dict[Any, Callable[[Request, Any], Awaitable[Response]]] = {Exception: leave_to_guard}
    telling: Telling | None = None
    if importlib.util.find_spec("muniment.web.pages") is not None:
        from muniment.web import pages

        routes += pages.routes()
        handlers |= {MunimentError: pages.error_page, HTTPException: pages.error_page}
        telling = pages.error_html
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.router.redirect_slashes = False
    app.state.service = served
    app.state.config = config
    if service is not None and service.running:
        app.state.admin = api.state.admin = Admin(service.house, service.keeper)
    return Guard(app, config, served.metrics, telling)
