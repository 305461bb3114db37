"""The work of ``muniment.arena.workers`` on a Ray cluster, with the extra ``cluster``.

Every machine of the cluster needs the same version of Muniment, and an agent of one's own in the same place. Ray does
the work of a lost process or machine again by itself.
"""

from __future__ import annotations

import os
import socket
import sys
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from muniment.arena.workers import AHEAD, LOSSES, Task, Work, worker_lost
from muniment.core.errors import MunimentError

__all__ = ["LOCAL", "on_cluster"]

LOCAL = "local"
_PATIENCE = 10  # seconds
_STORE_BYTES = 80 * 1024 * 1024  # Ray's smallest is 75 MB; a result is some hundred bytes

T = TypeVar("T")


def on_cluster(task: Task[T], ranges: Iterator[range], address: str, jobs: int) -> Generator[list[T], None, None]:
    """The results of the ranges, in their order.

    address: of a running cluster, as ``host:6379`` or ``auto``, or "local" to start one of ``jobs`` workers here,
    which ends with the generator. What Ray has to say meanwhile goes to the standard error.
    Raises MunimentError if Ray is not installed, or the cluster cannot be reached.
    """
    if find_spec("ray") is None:
        raise MunimentError("a cluster needs more packages: pip install 'muniment[cluster]'")
    _knock(address)
    return _played(task, ranges, address, jobs)


def _knock(address: str) -> None:
    """Raise MunimentError at once if nobody listens at host and port: Ray would try for minutes."""
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdigit() or "/" in host:
        return
    try:
        socket.create_connection((host, int(port)), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise MunimentError(f"the cluster {address!r} cannot be reached: {error}") from None


def _played(task: Task[T], ranges: Iterator[range], address: str, jobs: int) -> Generator[list[T], None, None]:
    with redirect_stdout(sys.stderr), _connected(address, jobs) as ray:
        from ray.exceptions import RayError, RayTaskError, WorkerCrashedError

        remote = ray.remote(max_retries=LOSSES - 1)(_work)
        ahead = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        sent = ray.put(task)
        waiting: deque[tuple[range, Any]] = deque()
        while True:
            for numbers in islice(ranges, ahead - len(waiting)):
                waiting.append((numbers, remote.remote(sent, numbers)))
            if not waiting:
                return
            try:
                results = ray.get(waiting[0][1])
            except WorkerCrashedError:
                raise worker_lost(waiting[0][0]) from None
            except RayTaskError as error:
                if isinstance(error.cause, MunimentError):
                    raise error.cause from None
                raise
            except RayError as error:
                raise MunimentError(f"the cluster failed: {str(error).strip().splitlines()[0]}") from None
            waiting.popleft()
            yield results


@contextmanager
def _connected(address: str, jobs: int) -> Iterator[Any]:
    """The module ``ray``, connected to the cluster."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would report to its makers
    import ray

    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    with TemporaryDirectory(prefix="muniment-", ignore_cleanup_errors=True) as folder:
        own: dict[str, Any] = {"num_cpus": jobs, "object_store_memory": _STORE_BYTES, "include_dashboard": False}
        if sys.platform == "linux":  # elsewhere the names of Ray's sockets would be too long
            own["_temp_dir"] = str(Path(folder) / "ray")
        try:
            ray.init(address=address, **(own if address == LOCAL else {}), **quiet)
        except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            raise MunimentError(f"the cluster {address!r} cannot be used: {_why(error, address)}") from None
        try:
            yield ray
        finally:
            ray.shutdown()


def _why(error: Exception, address: str) -> str:
    """An error of connecting in a line. Ray does not say there that it was a token that was missing or wrong."""
    words = str(error).strip().partition("\n")[0]
    return words if address == LOCAL else f"{words}; if it wants a token: RAY_AUTH_MODE=token RAY_AUTH_TOKEN=..."


def _work(task: Task[Any], numbers: range) -> list[Any]:
    """Done by a process of the cluster, which gets ready at its first work."""
    return _prepared(task)(numbers, lambda: False)


_ready: list[tuple[Task[Any], Work[Any]]] = []  # the task this process last got ready for


def _prepared(task: Task[Any]) -> Work[Any]:
    if not _ready or _ready[0][0] != task:
        _ready[:] = [(task, task.prepare())]
    return _ready[0][1]
