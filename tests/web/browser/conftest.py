"""A real server and a real Chromium. Where Chromium is missing the tests say so and are skipped; in CI they fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

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
config = Config(database_url=f"sqlite:///{sys.argv[1]}", port=0, requests_per_minute=0, tables_per_hour=0,
                admin_secret="correct horse battery")
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
    database = tmp_path_factory.mktemp("server") / "tables.sqlite3"
    process = subprocess.Popen([sys.executable, "-c", _SERVE, str(database)], stdout=subprocess.PIPE, text=True)
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

    def opened(path: str = "/", *, motion: bool = False, **more: object) -> Page:
        settings: dict[str, object] = {"viewport": {"width": 1280, "height": 900}, **more}
        context = chromium.new_context(reduced_motion="no-preference" if motion else "reduce", **settings)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if "Content Security" in message.text else None)
        page.goto(address + path)
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
