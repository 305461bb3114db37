"""Serving: one process with its event loop, started by ``muniment serve``, stopped gracefully by SIGTERM or SIGINT."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator

import uvicorn

from muniment.core.errors import MunimentError
from muniment.tables.config import Config
from muniment.tables.logs import set_up_logs
from muniment.tables.service import Service
from muniment.web.app import create_app

__all__ = ["serve"]

_GRACE_SECONDS = 20
_MORE_PORTS = 20  # tried after the usual one


class _Server(uvicorn.Server):
    """A server that ends its live streams first when it is told to stop: they would never end by themselves."""

    def __init__(self, config: uvicorn.Config, service: Service, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._service = service
        self._ready = ready

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop gracefully at SIGTERM and SIGINT, at once at the second; unlike uvicorn's, ends with exit code 0."""
        loop = asyncio.get_running_loop()
        signals = (signal.SIGTERM, signal.SIGINT) if threading.current_thread() is threading.main_thread() else ()
        for number in signals:
            loop.add_signal_handler(number, self._stop)
        try:
            yield
        finally:
            for number in signals:
                loop.remove_signal_handler(number)

    def _stop(self) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True
        self._service.close_streams()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve, and say so."""
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()


def listen(config: Config, elsewhere: bool = False) -> socket.socket:
    """The listening socket; elsewhere: on the next free port if the port is taken.

    Raises MunimentError if the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    more = _MORE_PORTS if elsewhere else 0
    for port in range(config.port, min(config.port + more, 65535) + 1):
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((config.host, port))
            made.listen(1024)
        except OSError as error:
            made.close()
            if error.errno == errno.EADDRINUSE and port < config.port + more:
                continue
            where = f"[{config.host}]" if ":" in config.host else config.host
            raise MunimentError(f"cannot listen on {where}:{port}: {error.strerror or error}") from None
        made.set_inheritable(False)
        return made
    raise AssertionError("the last port was had or refused")


def serve(config: Config, ready: Callable[[str], None] | None = None, *, elsewhere: bool = False) -> None:
    """Serve until the process is told to stop. ready: told the address once it answers.

    elsewhere: whether the next free port will do if the configured one is taken. Raises MunimentError if the address
    or the storage cannot be had.
    """
    config.check()
    set_up_logs(config)
    sys.setswitchinterval(0.001)  # the storage's threads hold the event loop up less
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(config, ready, elsewhere))


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop
    return uvloop.new_event_loop


async def _serve(config: Config, ready: Callable[[str], None] | None, elsewhere: bool) -> None:
    listening = listen(config, elsewhere)
    service = Service(config)
    try:
        await service.start()
    except BaseException:
        listening.close()
        raise
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    address = config.public_url or f"http://{shown}:{port}"
    settings = uvicorn.Config(
        create_app(config, service),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(config.trusted_proxies),
        forwarded_allow_ips=config.trusted_proxies or None,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        timeout_keep_alive=30,
        ws="none",
        lifespan="on",
    )
    server = _Server(settings, service, lambda: None if ready is None else ready(address))
    try:
        await server.serve([listening])
    finally:
        await service.stop()
