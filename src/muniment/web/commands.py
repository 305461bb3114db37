"""The commands for hosts: ``muniment serve``, ``backup``, ``restore``, ``migrate``; all they need is imported late."""

from __future__ import annotations

import contextlib
import os
import sys
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from muniment.core.errors import MunimentError

if TYPE_CHECKING:
    from muniment.tables.config import Config

__all__ = ["COMMANDS", "show"]

_FILE = click.Path(path_type=Path, dir_okay=False)
_database = click.option(
    "--database",
    metavar="URL",
    help="Where tables are kept, instead of MUNIMENT_DATABASE_URL or the user's data folder.",
)


def _config(**given: Any) -> Config:
    """The environment's configuration and what was given. Raises MunimentError."""
    if any(find_spec(name) is None for name in ("fastapi", "sqlalchemy", "alembic", "uvicorn")):
        raise MunimentError("hosting needs more packages: pip install 'muniment[web]'")
    from muniment.tables.config import Config

    named = {"database": "database_url"}
    return Config.read(**{named.get(name, name): value for name, value in given.items() if value is not None})


@click.command()
@click.option("--host", metavar="ADDRESS", help="Listen on this address; 127.0.0.1 if not given.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help="Listen on this port; 8017, or the next free, if not given.",
)
@_database
@click.option(
    "--browser/--no-browser", default=None, help="Open a browser, or not; if not given, at a desktop's terminal only."
)
def serve(host: str | None, port: int | None, database: str | None, browser: bool | None) -> None:
    """Serve both games to browsers and programs, until it is stopped.

    Everything else is set by environment variables; docs/hosts.md lists them.
    """
    config = _config(host=host, port=port, database=database)
    from muniment.web.server import serve as run

    def ready(address: str) -> None:
        at_terminal = sys.stdout.isatty()
        click.echo(f"Muniment is at {address}" + ("  (Ctrl-C stops it)" if at_terminal else ""))
        sys.stdout.flush()
        if browser or (browser is None and at_terminal):
            show(address)

    run(config, ready, elsewhere=port is None and not os.environ.get("MUNIMENT_PORT"))


def show(address: str) -> None:
    """Open the address in the desktop's browser; nothing happens where there is none."""
    if sys.platform not in ("darwin", "win32") and not any(os.environ.get(n) for n in ("DISPLAY", "WAYLAND_DISPLAY")):
        return
    with contextlib.suppress(webbrowser.Error):
        found = webbrowser.get()
        # Of this very class are browsers that take the terminal over: w3m, lynx, links.
        if type(found) is not webbrowser.GenericBrowser:
            found.open(address)


@click.command()
@click.argument("file", type=_FILE)
@_database
def backup(file: Path, database: str | None) -> None:
    """Write a backup of all tables to FILE, also while they are served."""
    config = _config(database=database)
    from muniment.tables.backup import back_up

    click.echo(f"{file}: {back_up(config, file)} tables")


@click.command()
@click.argument("file", type=_FILE)
@_database
def restore(file: Path, database: str | None) -> None:
    """Fill an empty storage from the backup FILE."""
    config = _config(database=database)
    from muniment.tables.backup import restore as fill

    click.echo(f"{fill(config, file)} tables restored")


@click.command()
@_database
def migrate(database: str | None) -> None:
    """Bring the storage to this version; serving does so by itself."""
    config = _config(database=database)
    from muniment.tables.database import open_database
    from muniment.tables.migrate import migrate as run

    storage = open_database(config)
    try:
        before, after = run(storage.engine())
    finally:
        storage.close()
    click.echo(f"the storage is of version {after}" + ("" if before == after else f", it was {before or 'empty'}"))


COMMANDS = (serve, backup, restore, migrate)
