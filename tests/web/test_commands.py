"""The commands for hosts, and what the documentation says of the settings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from muniment.cli import main
from muniment.tables.config import settings
from muniment.tables.migrate import head
from tests.tables.postgres import free_port

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def database(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'tables.sqlite3'}"


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, arguments)
    return done.exit_code, done.output


def test_migrate_backup_and_restore(database: str, tmp_path: Path) -> None:
    file = str(tmp_path / "backup")
    assert run("migrate", "--database", database) == (0, f"the storage is of version {head()}, it was empty\n")
    assert run("migrate", "--database", database) == (0, f"the storage is of version {head()}\n")
    assert run("backup", file, "--database", database) == (0, f"{file}: 0 tables\n")
    code, output = run("backup", file, "--database", database)
    assert code == 2
    assert "exists" in output
    assert run("restore", file, "--database", database) == (0, "0 tables restored\n")
    code, output = run("migrate", "--database", "mysql://x")
    assert code == 2
    assert "DATABASE_URL" in output


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muniment.web.commands.find_spec", lambda name: None)
    code, output = run("serve")
    assert code == 2
    assert "pip install 'muniment[web]'" in output


def test_serve_says_where_it_is_and_stops_when_told(database: str) -> None:
    port = free_port()
    command = [sys.executable, "-m", "muniment", "serve", "--port", str(port), "--database", database]
    environment = {**os.environ, "MUNIMENT_BOT_PROCESSES": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"Muniment is at http://127.0.0.1:{port}\n"
        assert httpx.get(f"http://127.0.0.1:{port}/healthz").json() == {"status": "ok"}
        taken = subprocess.run(
            [*command[:-1], f"{database}2"], capture_output=True, text=True, env=environment, check=False
        )
        assert taken.returncode == 2
        assert "Address already in use" in taken.stderr
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=20)
        assert process.returncode == 0, errors
        assert "stopped" in errors
        assert "Traceback" not in errors


def test_the_documentation_tells_of_every_setting() -> None:
    text = (ROOT / "docs" / "hosts.md").read_text(encoding="utf-8")
    for name, default, meaning in settings():
        shown = default if " " in default else f"`{default}`"
        assert f"| `{name}` | {shown} | {meaning} |" in text
