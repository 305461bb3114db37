"""A real server and a real Chromium. Where Chromium is missing the tests say so and are skipped; in CI they fail."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.king.scripts import player

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_SERVE = """
import sys
from muniment.tables.config import Config
from muniment.web.server import serve
config = Config(database_url=f"sqlite:///{sys.argv[1]}", port=0, bot_pause=0, requests_per_minute=0, tables_per_hour=0,
                admin_secret="correct horse battery")
if len(sys.argv) > 2:  # tables of the king game begin late: no request can ask for that
    import json
    from dataclasses import replace
    from muniment.tables.service import Service
    create, position = Service.create, json.loads(sys.argv[2])
    Service.create = lambda self, new, **more: create(self, replace(new, position=position), **more)
serve(config, lambda address: print(address, flush=True))
"""


def missing(what: str) -> None:
    """A test cannot run because something is not installed."""
    message = f"{what} is not installed: `.ci/run` installs it"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of its own for this test process."""
    with _server(tmp_path_factory.mktemp("server")) as served:
        yield served


@pytest.fixture(scope="session")
def late_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same of a server whose tables, all of the king game with four seats, begin late in a game."""
    with _server(tmp_path_factory.mktemp("late"), json.dumps(late_position())) as served:
        yield served


@pytest.fixture(scope="session")
def hits_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same of a server whose tables begin in a battle: seat 0, with an army of seven, has five hits to place."""
    with _server(tmp_path_factory.mktemp("hits"), json.dumps(hits_position())) as served:
        yield served


@pytest.fixture(scope="session")
def crowded_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same of a server at whose tables all forty lands are owned, one seat with twelve of them."""
    with _server(tmp_path_factory.mktemp("crowded"), json.dumps(crowded_position())) as served:
        yield served


def crowded_position() -> dict[str, Any]:
    """Seat 0 may go to war with an army of nine against seat 1, which has twelve lands."""
    terrains = ("forest", "plains", "mountain", "desert", "swamp")
    lands = [f"{terrain}-{number}" for number in range(1, 9) for terrain in terrains]
    shares = (lands[31:], lands[:12], lands[12:22], lands[22:31])
    own = [" ".join([f"{first}:2:village", f"{second}:1", *rest]) for first, second, *rest in shares]
    army = "elves-2 bear-2 pixies-f1 troll-4 dwarves-3 giant-r4 ghosts-f1 cyclops-5 nomads-2"
    return {
        "turn": 9, "phase": 4, "first": 0, "acting": 0,
        "frames": [["turn-end", -1], ["part", 3], ["part", 2], ["part", 1], ["part-end", 0], ["war-begin", 0]],
        "players": [
            player(own[0], army=army, hand="sphinx-m4 talisman-of-deliverance", gold=30),
            player(own[1], army="sand-worm-3 dwarves-2 great-hunter-r4 elves-r3", hand="giant-snake-3", gold=12),
            player(own[2], army="lion-pride-4", gold=2),
            player(own[3], army="wildcat-3", gold=4),
        ],
    }  # fmt: skip


def hits_position() -> dict[str, Any]:
    """Seat 1 has attacked seat 0 and hit five times hand to hand."""
    army = "elves-2 bear-2 pixies-f1 troll-4 dwarves-3 giant-r4 ghosts-f1"
    return {
        "turn": 5, "phase": 4, "first": 1, "acting": 1,
        "players": [
            player("forest-1:2:city mountain-1", army=army, gold=20), player("desert-1:1", gold=9),
            player("swamp-1", gold=2), player("mountain-2:1", gold=4),
        ],
        "field": ["sand-worm-3"],
        "war": {"attacker": 1, "defender": 0, "higher": 0, "lined": 3, "fought": 256},
        "line_up": dict.fromkeys(["sand-worm-3", *army.split()], "forest-1"),
        "battle": {
            "land": "forest-1", "attacker": 1, "defender": 0, "sides": [["sand-worm-3"], army.split()],
            "stage": 1, "rolled": 3, "hits": [0, 5],
        },
        "frames": [
            ["turn-end", -1], ["part", 3], ["part", 2], ["part-end", 1], ["homecoming", 1], ["battles", 1],
            ["battle-over", 1], ["losses", 0, 1],
        ],
    }  # fmt: skip


def late_position() -> dict[str, Any]:
    """Seat 0 may go to war once more; a Gran Muniment in the turn to come wins."""
    lands = "forest-1:3:city forest-2:2:city mountain-1:3:gold-mine desert-1:2 plains-1:1:village swamp-1:1:village"
    army = "elves-r3 great-hunter-r4 cyclops-5 elves-2"
    return {
        "turn": 11, "phase": 4, "first": 0, "acting": 0,
        "frames": [["turn-end", -1], ["part", 3], ["part", 2], ["part", 1], ["part-end", 0], ["war-begin", 0]],
        "players": [
            player(lands, army=army, hand="sphinx-m4 the-mist", gold=60),
            player("desert-2:1 plains-2:0:village", army="nomads-2 lion-pride-4", hand="giant-r4", gold=2),
            player("swamp-2:1", gold=0),
            player("mountain-2:1", gold=0),
        ],
    }  # fmt: skip


@contextmanager
def _server(folder: Path, *more: str) -> Iterator[str]:
    command = [sys.executable, "-c", _SERVE, str(folder / "tables.sqlite3"), *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:  # the log's lines come before
        if line.startswith("http://"):
            yield line.strip()
            break
    else:
        pytest.fail("the server did not start")
    process.terminate()
    process.stdout.close()
    process.wait(40)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium."""
    program = shutil.which("chromium")
    if program is None:
        missing("Chromium (Debian's package chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium: Browser, address: str) -> Iterator[Callable[..., Page]]:
    """Opens a page in a browser of its own. Any error of a script, or refusal by the CSP, fails the test."""
    contexts = []
    faults: list[str] = []

    def opened(path: str = "/", *, motion: bool = False, base: str = address, **more: object) -> Page:
        settings: dict[str, object] = {"viewport": {"width": 1280, "height": 900}, **more}
        context = chromium.new_context(reduced_motion="no-preference" if motion else "reduce", **settings)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if "Content Security" in message.text else None)
        page.goto(base + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not faults


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core, from npm into a temporary folder."""
    npm = shutil.which("npm")
    if npm is None:
        missing("npm, which brings axe-core,")
    folder: Path = tmp_path_factory.mktemp("axe")
    done = subprocess.run(
        ["npm", "pack", "axe-core@4", "--silent"], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        missing("axe-core (npm pack axe-core)")
    shutil.unpack_archive(folder / done.stdout.split()[-1], folder, "gztar")
    return (folder / "package" / "axe.min.js").read_text(encoding="utf-8")
