"""The commands for hosts, and what the documentation says of the settings."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from muniment.cli import main
from muniment.core.errors import MunimentError
from muniment.tables.config import Config, settings
from muniment.tables.migrate import head
from muniment.web.commands import show
from muniment.web.server import listen
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


@contextmanager
def playing(*command: str, home: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server with a data folder of its own, and what it says first."""
    environment = {**os.environ, "XDG_DATA_HOME": str(home), "MUNIMENT_BOT_PROCESSES": "0", "DISPLAY": ""}
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
        start_new_session=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        said = process.stdout.readline()
        try:
            yield process, said
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)  # as Ctrl-C does
            process.communicate(timeout=30)


def test_make_play_serves_the_page(tmp_path: Path) -> None:
    """What the README begins with: the page's address is printed, games are kept in the user's data folder."""
    if not (ROOT / ".venv" / "bin" / "python").exists():
        pytest.skip("there is no .venv: make sets it up")
    command = ("make", "-o", ".venv/ready-to-play", "play", "ARGS=--no-browser --port 0")
    with playing(*command, home=tmp_path) as (_, said):
        found = re.fullmatch(r"Muniment is at (http://127\.0\.0\.1:\d+)\n", said)
        assert found, said
        assert "Start a siege" in httpx.get(found[1]).text
        assert (tmp_path / "muniment" / "muniment.sqlite3").exists()


def test_a_taken_port_gives_way_to_the_next_free_one_unless_it_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with closing(listen(Config(port=port), elsewhere=True)) as other:
            assert port < other.getsockname()[1] <= port + 20
        with pytest.raises(MunimentError, match=f"^cannot listen on 127.0.0.1:{port}: "):
            listen(Config(port=port))
    with pytest.raises(MunimentError, match="cannot listen"):
        listen(Config(host="203.0.113.1", port=0), elsewhere=True)  # no address of this machine


def test_no_browser_takes_the_terminal_over(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    class Window(webbrowser.BackgroundBrowser):
        def open(self, url: str, new: int = 0, autoraise: bool = True) -> bool:
            opened.append(url)
            return True

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(webbrowser, "get", lambda: webbrowser.GenericBrowser("w3m"))
    show("http://127.0.0.1/")
    assert opened == []
    monkeypatch.setattr(webbrowser, "get", lambda: Window("firefox"))
    show("http://127.0.0.1/")
    assert opened == ["http://127.0.0.1/"]
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    show("http://127.0.0.1/")
    assert len(opened) == 1


def test_the_commands_of_the_readme_and_of_the_players_page_are_commands(tmp_path: Path) -> None:
    """Each is understood, with its options; nothing is started."""
    file = tmp_path / "FILE"
    file.touch()
    found = set()
    for page in (ROOT / "README.md", ROOT / "docs" / "players.md", ROOT / "docs" / "hosts.md"):
        text = page.read_text(encoding="utf-8")
        found |= set(re.findall(r"`muniment ([^`]+)`|^ *muniment (.+)$", text, re.MULTILINE))
    lines = {one or other for one, other in found}
    assert len(lines) > 15
    for line in sorted(lines):
        name, *arguments = shlex.split(line)
        command = main.commands[name]
        given = [str(file) if one == "FILE" or one.endswith(".toml") else one for one in arguments]
        file.with_name("my-cards.toml").touch()
        with main.make_context("muniment", [name, *given]) as context:
            command.make_context(name, given, parent=context)
