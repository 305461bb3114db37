"""The command in this process, with a state directory of its own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from muniment.cli import main

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where games are kept during a test."""
    folder = tmp_path / "state"
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(folder))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return folder


@pytest.fixture
def run() -> Run:
    """Runs the command with arguments; typed: what comes on the standard input."""

    def invoke(*arguments: object, typed: str = "") -> Result:
        return CliRunner().invoke(main, [str(argument) for argument in arguments], input=typed)

    return invoke


@pytest.fixture
def finished(run: Run, tmp_path: Path) -> Path:
    """The record of a finished game."""
    folder = tmp_path / "finished"
    run("play", "siege", "--seed", "7", "--autosave", folder / "game", typed="1\n" * 60)
    (record,) = folder.glob("*.record")
    return record
