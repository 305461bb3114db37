"""A PostgreSQL server for tests: Debian's, started by hand on loopback under a temporary folder, as no superuser.

The workers of one run share it; whoever comes first starts it, whoever leaves last stops it.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg

USER = "muniment"


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, None if they are not installed."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: -int(path.parent.name))
    found = shutil.which("initdb")
    candidates = [*folders, *([Path(found).parent] if found else [])]
    return next((path for path in candidates if (path / "initdb").exists() and (path / "postgres").exists()), None)


def unprivileged() -> dict[str, str]:
    """Whom to run the server as: PostgreSQL refuses to be root."""
    if os.geteuid():
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    name = "postgres" if "postgres" in names else "nobody"
    return {"user": name, "group": str(pwd.getpwnam(name).pw_gid)}


def _run_as() -> dict[str, int]:
    who = unprivileged()
    return {"user": pwd.getpwnam(who["user"]).pw_uid, "group": int(who["group"])} if who else {}


def free_port() -> int:
    """A port of loopback that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(folder: Path, port: int) -> int:
    """Make a cluster in the folder and start it; the server's process id."""
    bin_ = programs()
    assert bin_ is not None
    folder.mkdir(mode=0o700)
    as_whom = _run_as()
    if as_whom:
        os.chown(folder, as_whom["user"], as_whom["group"])
    data = folder / "data"
    options: dict[str, object] = {"cwd": folder, "env": {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, **as_whom}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    subprocess.run(  # type: ignore[call-overload]
        [bin_ / "initdb", "--no-sync", "--auth=trust", f"--username={USER}", "--encoding=UTF8", "-D", data],
        check=True, **quiet, **options,
    )  # fmt: skip
    # Through a shell that ends at once: whoever uses the server last stops it, which need not be who started it.
    server = [
        "/bin/sh", "-c", '"$@" >log 2>&1 & echo $!', "sh", bin_ / "postgres", "-D", data, "-p", str(port),
        "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200",
        "-c", "shared_buffers=64MB",
    ]  # fmt: skip
    started = subprocess.run(  # type: ignore[call-overload]
        server, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True, check=True, **options
    )
    pid = int(started.stdout)
    for _ in range(300):
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(url(port, "postgres")):
            return pid
        time.sleep(0.1)
    raise RuntimeError((folder / "log").read_text())


def url(port: int, database: str) -> str:
    """The address of a database of the server."""
    return f"postgresql://{USER}@127.0.0.1:{port}/{database}"


@contextlib.contextmanager
def shared_server(lock: Path) -> Iterator[int]:
    """The port of the server that all who name the same lock file share."""

    @contextlib.contextmanager
    def state() -> Iterator[dict[str, int | str]]:
        with lock.open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            value = json.loads(file.read() or "{}")
            yield value
            file.seek(0)
            file.truncate()
            file.write(json.dumps(value))

    with state() as value:
        if not value.get("users"):
            port = free_port()
            folder = Path(tempfile.mkdtemp(prefix="muniment-pg-", dir="/tmp"))
            folder.chmod(0o711)
            value.update(port=port, folder=str(folder), pid=start(folder / "pg", port), users=0)
        value["users"] = int(value["users"]) + 1
        port = int(value["port"])
    try:
        yield port
    finally:
        with state() as value:
            value["users"] = int(value["users"]) - 1
            if not value["users"]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(value["pid"]), signal.SIGQUIT)  # at once: what it holds is thrown away
                _wait_until_gone(int(value["pid"]))
                shutil.rmtree(str(value["folder"]), ignore_errors=True)


def _wait_until_gone(pid: int) -> None:
    """Until the process has ended; nobody may have asked for its exit code."""
    for _ in range(300):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        time.sleep(0.1)
