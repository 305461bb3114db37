"""What stands before every address: the outer address, origins, limits, headers, and errors that tell nothing.

Plain ASGI, so that streams pass through as they are.
"""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Callable, Iterable
from typing import Any, Final
from urllib.parse import urlsplit

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muniment.tables.config import Config
from muniment.tables.limits import Rate
from muniment.tables.metrics import Metrics

__all__ = ["CONTENT_SECURITY_POLICY", "Guard", "is_admin"]

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS: Final = (
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=()"),
    (b"x-frame-options", b"DENY"),
)
_HSTS: Final = (b"strict-transport-security", b"max-age=31536000")
_SAFE: Final = frozenset(("GET", "HEAD", "OPTIONS"))
_UNLIMITED: Final = ("/static/", "/healthz")
Telling = Callable[[Scope, int, str], str]
"""A page that tells a browser what was refused: of the request's scope, the status and a sentence."""
_log = structlog.get_logger("muniment.web")


class _TooLarge(Exception):
    """The body is larger than it may be."""


class Guard:
    """The one middleware."""

    def __init__(self, app: ASGIApp, config: Config, metrics: Metrics, telling: Telling | None = None) -> None:
        self._app = app
        self._telling = telling
        self._config = config
        self._metrics = metrics
        self._requests = Rate(config.requests_per_minute, 60)
        self._streams: dict[str, int] = {}
        self._public = urlsplit(config.public_url) if config.public_url else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1000})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        await _Request(self, scope, receive, send).serve()

    def adjust(self, scope: Scope) -> None:
        """Make the scope say what the outer address is, whether or not the proxy took the sub-path off."""
        root = self._config.root_path
        if root:
            path = scope["path"]
            if path != root and not path.startswith(f"{root}/"):
                scope["path"] = root + path
                scope["raw_path"] = root.encode() + (scope.get("raw_path") or path.encode())
            scope["root_path"] = root
        if self._public is not None:
            scope["scheme"] = self._public.scheme
            headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
            scope["headers"] = [*headers, (b"host", self._public.netloc.encode())]

    def foreign(self, scope: Scope, headers: dict[bytes, bytes]) -> bool:
        """Whether a request that changes something may come from another site's page."""
        origin = headers.get(b"origin")
        if origin is not None:
            return not self._is_own(scope, headers, origin.decode("latin-1"))
        site = headers.get(b"sec-fetch-site")
        if site is not None:
            return site not in (b"same-origin", b"none")
        if b"cookie" not in headers:
            return False  # no browser, or nothing that it could be made to use
        referrer = headers.get(b"referer", b"").decode("latin-1")
        return not self._is_own(scope, headers, referrer)

    @staticmethod
    def _is_own(scope: Scope, headers: dict[bytes, bytes], address: str) -> bool:
        try:
            parts = urlsplit(address)
        except ValueError:
            return False
        own = headers.get(b"host", b"").decode("latin-1").lower()
        return (parts.scheme, parts.netloc.lower()) == (scope["scheme"], own) and bool(own)


class _Request:
    """One request on its way."""

    def __init__(self, guard: Guard, scope: Scope, receive: Receive, send: Send) -> None:
        self._guard, self._scope, self._inner_receive, self._inner_send = guard, dict(scope), receive, send
        self._config, self._metrics = guard._config, guard._metrics
        self._status = 0
        self._read = 0
        self._over = False
        self._started = time.perf_counter()
        self._streaming: str | None = None
        client = scope.get("client")
        self._source = str(client[0]) if client else ""

    async def serve(self) -> None:
        scope, guard = self._scope, self._guard
        guard.adjust(scope)
        headers = dict(scope["headers"])
        try:
            if (refused := self._refusal(headers)) is not None:
                await self._answer(*refused)
            else:
                await guard._app(scope, self._receive, self._send)
        except _TooLarge:
            pass
        except Exception:  # noqa: BLE001 - whatever it is, it is logged here and told to nobody
            self._metrics.failures.inc()
            _log.exception("request_failed", route=self._route(), method=scope["method"])
            if not self._over:
                await self._answer(500, "failed", "something went wrong here; it has been noted")
        finally:
            if self._over:
                self._over = False
                await self._answer(413, "too-large", f"a request may have at most {self._config.body_limit} bytes")
            self._done()

    def _refusal(self, headers: dict[bytes, bytes]) -> tuple[int, str, str, int] | None:
        scope, config = self._scope, self._config
        path = str(scope["path"]).removeprefix(config.root_path)
        if not path.startswith(_UNLIMITED) and (wait := self._guard._requests.wait(self._source)):
            return 429, "too-many", "too many requests from here", int(wait) + 1
        length = headers.get(b"content-length", b"")
        if length and (not length.isdigit() or int(length[:12]) > config.body_limit):
            return 413, "too-large", f"a request may have {config.body_limit} bytes", 0
        if scope["method"] not in _SAFE and self._guard.foreign(scope, headers):
            return 403, "cross-site", "that came from another site, or from a browser too old to tell", 0
        if path.endswith("/stream") and scope["method"] == "GET":
            streams = self._guard._streams
            count = streams.get(self._source, 0)
            if config.streams_per_address and count >= config.streams_per_address:
                return 429, "too-many", "too many live streams from here", 5
            streams[self._source] = count + 1
            self._streaming = self._source
        return None

    async def _receive(self) -> Message:
        message = await self._inner_receive()
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            if self._read > self._config.body_limit:
                self._over = not self._status  # whatever the application makes of it is not sent
                raise _TooLarge
        return message

    async def _send(self, message: Message) -> None:
        if self._over:
            return
        if message["type"] == "http.response.start":
            self._status = message["status"]
            headers = list(message.get("headers", ()))
            known = {name.lower() for name, _ in headers}
            extra: Iterable[tuple[bytes, bytes]] = _HEADERS
            if self._scope["scheme"] == "https":
                extra = (*_HEADERS, _HSTS)
            headers += [(name, value) for name, value in extra if name not in known]
            if b"cache-control" not in known:
                headers.append((b"cache-control", b"no-store"))
            message = {**message, "headers": headers}
        await self._inner_send(message)

    async def _answer(self, status: int, code: str, text: str, retry: int = 0) -> None:
        """An answer of our own, unless one has begun."""
        if self._status:
            return
        body, kind = json.dumps({"error": {"code": code, "message": text}}).encode(), b"application/json"
        if self._guard._telling is not None and self._is_browser():
            body, kind = self._guard._telling(self._scope, status, text).encode(), b"text/html; charset=utf-8"
        headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
        if retry:
            headers.append((b"retry-after", str(retry).encode()))
        if status == 413:
            headers.append((b"connection", b"close"))
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": body if self._scope["method"] != "HEAD" else b""})

    def _is_browser(self) -> bool:
        """Whether somebody will read the answer: pages are asked for, and it is no address of the API."""
        path = str(self._scope["path"]).removeprefix(self._config.root_path)
        accepted = next((value for name, value in self._scope["headers"] if name == b"accept"), b"")
        return b"text/html" in accepted and not path.startswith("/api/")

    def _route(self) -> str:
        """The pattern of the address: an address itself may hold a link's token, which no log or metric may."""
        route: Any = self._scope.get("route")
        pattern = getattr(route, "path", None) or self._scope.get("muniment.route")
        return str(pattern) if pattern else "-"

    def _done(self) -> None:
        seconds = time.perf_counter() - self._started
        if self._streaming is not None:
            streams = self._guard._streams
            streams[self._streaming] -= 1
            if not streams[self._streaming]:
                del streams[self._streaming]
        else:
            self._metrics.request_seconds.labels(self._route(), str(self._status)).observe(seconds)
        level = _log.warning if self._status >= 500 else _log.debug
        level(
            "request", method=self._scope["method"], route=self._route(), status=self._status,
            milliseconds=round(seconds * 1000, 1),
        )  # fmt: skip


def is_admin(config: Config, authorization: str | None) -> bool:
    """Whether a request's Authorization header has the administrator's secret."""
    scheme, _, given = (authorization or "").partition(" ")
    if not config.admin_secret or scheme.lower() != "bearer":
        return False
    return hmac.compare_digest(given.strip().encode("utf-8", "replace"), config.admin_secret.encode())
