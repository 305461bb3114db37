"""Clients of the application: in-process, and of a server in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Self

import httpx

from muniment.tables.config import Config
from muniment.tables.service import Service
from muniment.web.app import create_app
from tests.tables.helpers import serving

ROOT = Path(__file__).parent.parent.parent
API = "/api/v1"
JSON = dict[str, Any]


class Player:
    """A seat at a table, over the API."""

    def __init__(self, client: httpx.AsyncClient, joined: Mapping[str, Any]) -> None:
        self.client = client
        self.table = joined["table"]
        self.headers = {"Authorization": f"Bearer {joined['secret']}"}

    async def look(self) -> JSON:
        """What the seat sees."""
        answer = await self.client.get(f"{API}/tables/{self.table}", headers=self.headers)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def send(self, method: str, path: str, body: object = None) -> httpx.Response:
        """A request for the table."""
        return await self.client.request(method, f"{API}/tables/{self.table}{path}", json=body, headers=self.headers)

    async def move(self, decision: str, *actions: object, key: str | None = None) -> httpx.Response:
        """A move."""
        return await self.send("POST", "/moves", {"decision": decision, "actions": list(actions), "key": key})


async def make(client: httpx.AsyncClient, game: str = "siege", **more: Any) -> Player:
    """A new table and its maker."""
    answer = await client.post(f"{API}/tables", json={"game": game, "name": "Ada", **more})
    assert answer.status_code == 201, answer.text
    return Player(client, answer.json())


@asynccontextmanager
async def in_process(config: Config, **changes: Any) -> AsyncIterator[tuple[httpx.AsyncClient, Service]]:
    """A client of the application over a running service."""
    async with serving(config, **changes) as service:
        app = create_app(service.config, service)
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=True)
        async with httpx.AsyncClient(transport=transport, base_url="http://games.test") as client:
            yield client, service


class Server:
    """A server in a process of its own, which can be killed and started again at the same address."""

    def __init__(self, environment: Mapping[str, str], port: int, log: Path) -> None:
        self._environment = {
            **os.environ, "MUNIMENT_BOT_PROCESSES": "0", "MUNIMENT_REQUESTS_PER_MINUTE": "0",
            "MUNIMENT_STREAMS_PER_ADDRESS": "0", "MUNIMENT_TABLES_PER_HOUR": "0", "MUNIMENT_PORT": str(port),
            "PYTHONPATH": str(ROOT), **environment,
        }  # fmt: skip
        self.url = f"http://127.0.0.1:{port}"
        self._log = log
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it answers."""
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.web.serve_toys"], cwd=ROOT, env=self._environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
            )  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        assert line.startswith("http"), self._log.read_text()

    def kill(self) -> None:
        """SIGKILL: nothing of it runs any more."""
        assert self.process is not None
        self.process.kill()
        self._gone()

    def stop(self, seconds: float = 20) -> int:
        """SIGTERM; the exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(seconds)
        self._gone()
        return code

    def _gone(self) -> None:
        assert self.process is not None
        self.process.wait(10)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None


@contextmanager
def server(environment: Mapping[str, str], port: int, folder: Path) -> Iterator[Server]:
    """A running server."""
    made = Server(environment, port, folder / f"server-{port}.log")
    made.start()
    try:
        yield made
    finally:
        if made.process is not None:
            made.kill()


class OwnLoop:
    """A service and its application in an event loop in a thread, callable as an application from any other loop."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self.service = Service(self._config)
        self.run(self.service.start())
        self._app = create_app(self._config, self.service)
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self.service.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, work: Any) -> Any:
        """The result of a coroutine in that loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one request whose answer ends."""
        if scope["type"] != "http":
            return
        parts = []
        while True:
            message = await receive()
            parts.append(message)
            if not message.get("more_body"):
                break
        sent: list[Any] = []

        async def give() -> Any:
            return parts.pop(0) if parts else {"type": "http.disconnect"}

        async def take(message: Any) -> None:
            sent.append(message)

        work = asyncio.run_coroutine_threadsafe(self._app(dict(scope), give, take), self._loop)
        await asyncio.wrap_future(work)
        for message in sent:
            await send(message)


async def events(url: str, path: str, headers: Mapping[str, str], last: str | None = None) -> AsyncIterator[str]:
    """The versions of a live stream, which reconnects by itself as a browser's does."""
    while True:
        try:
            async with httpx.AsyncClient(base_url=url, timeout=httpx.Timeout(5, read=30)) as client:
                more = {"Last-Event-ID": last} if last else {}
                async with client.stream("GET", path, headers={**headers, **more}) as answer:
                    async for line in answer.aiter_lines():
                        if line.startswith("id: "):
                            last = line.removeprefix("id: ")
                            yield last
        except httpx.HTTPError:
            pass
        await asyncio.sleep(0.05)


def written(value: object) -> str:
    """As JSON, for messages."""
    with contextlib.suppress(TypeError):
        return json.dumps(value)
    return repr(value)
