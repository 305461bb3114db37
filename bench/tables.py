"""Hosted tables: acknowledged, synced moves a second, and the wait for a move while many tables are live.

The server is one process, the load another (`bench.load`), both on this machine: each one's CPU is told. Traffic
goes to 127.0.0.1 only.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg

from bench.registry import Row, benchmark
from tests.tables import postgres

FAST_TABLES, FAST_SECONDS = 32, 8.0
LIVE_TABLES, LIVE_SECONDS, PAUSE = 200, 24.0, 3.0
SERVE = """
from muniment.tables.config import Config
from muniment.web.server import serve
serve(Config.read(), lambda address: print(address, flush=True))
"""


@contextlib.contextmanager
def served(url: str) -> Iterator[tuple[int, int]]:
    """A server on the storage: its port and process."""
    port = postgres.free_port()
    environment = {
        **os.environ, "MUNIMENT_DATABASE_URL": url, "MUNIMENT_PORT": str(port), "MUNIMENT_BOT_PROCESSES": "0",
        "MUNIMENT_REQUESTS_PER_MINUTE": "0", "MUNIMENT_TABLES_PER_HOUR": "0", "MUNIMENT_STREAMS_PER_ADDRESS": "0",
        "MUNIMENT_LOG_LEVEL": "error",
    }  # fmt: skip
    with subprocess.Popen([sys.executable, "-c", SERVE], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield port, process.pid
        finally:
            process.terminate()


def cpu(pid: int) -> float:
    """The seconds of processor time a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def load(kind: str, port: int, tables: int, seconds: float) -> dict[str, Any]:
    """Run the load generator."""
    command = [sys.executable, "-m", "bench.load", kind, "--port", str(port), "--tables", str(tables)]
    command += ["--seconds", str(seconds), "--pause", str(PAUSE)]
    ran = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=400)
    return dict(json.loads(ran.stdout))


def measured(storage: str, url: str) -> Iterator[Row]:
    """All figures of one storage."""
    with served(url) as (port, pid):
        before = cpu(pid)
        found = load("fast", port, FAST_TABLES, FAST_SECONDS)
        used = f"CPU: server {(cpu(pid) - before) / found['seconds']:.2f}, load {found['cpu']:.2f} cores"
        note = f"{FAST_TABLES} tables, one after another at each; a look before every move; {used}"
        yield Row(f"tables: durable moves, {storage}", found["per_second"], "moves/s", note)
        yield Row(f"tables: their 99th percentile, {storage}", found["p99"] * 1000, "ms", f"{found['errors']} errors")
        before = cpu(pid)
        found = load("steady", port, LIVE_TABLES, LIVE_SECONDS)
        used = f"CPU: server {(cpu(pid) - before) / (found['seconds'] + 3):.2f}, load {found['cpu']:.2f} cores"
        note = f"{LIVE_TABLES} live tables, {found['streams']} streams that fetch their views; {used}"
        yield Row(f"tables: 99th percentile of a move, {storage}", found["p99"] * 1000, "ms", note)
        yield Row(
            f"tables: median of a move, {storage}", found["p50"] * 1000, "ms", f"worst {found['worst'] * 1000:.0f}"
        )
        note = f"median {found['delay_p50'] * 1000:.1f}; from sending the move to the watcher's event"
        yield Row(f"tables: 99th percentile to the stream, {storage}", found["delay_p99"] * 1000, "ms", note)


@benchmark
def on_sqlite() -> Iterator[Row]:
    """Over an SQLite file."""
    with tempfile.TemporaryDirectory() as folder:
        yield from measured("SQLite", f"sqlite:///{folder}/bench.sqlite3")


@benchmark
def on_postgresql() -> Iterator[Row]:
    """Over PostgreSQL, if it is installed."""
    if postgres.programs() is None:
        yield Row("tables: PostgreSQL", float("nan"), "-", "not installed")
        return
    with tempfile.TemporaryDirectory() as folder, postgres.shared_server(Path(folder) / "lock") as port:
        with psycopg.connect(postgres.url(port, "postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE bench")
        yield from measured("PostgreSQL", postgres.url(port, "bench"))
