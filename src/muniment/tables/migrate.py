"""Migrations of the storage: run at every start, under a lock, and by ``muniment migrate``."""

from __future__ import annotations

import warnings

from alembic import command
from alembic.config import Config as AlembicConfig
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from muniment.core.errors import MunimentError

__all__ = ["alembic_config", "current", "head", "migrate"]

_LOCK = 0x6D756E69  # the advisory lock of PostgreSQL under which one process migrates; "muni"


def alembic_config(connection: Connection | None = None) -> AlembicConfig:
    """Alembic's configuration; there is no file of it."""
    config = AlembicConfig()
    config.set_main_option("script_location", "muniment.tables:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def head() -> str:
    """The newest version of the storage that this program knows."""
    found = ScriptDirectory.from_config(alembic_config()).get_current_head()
    assert found is not None
    return found


def current(connection: Connection) -> str | None:
    """The version of a storage, None if it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def migrate(engine: Engine) -> tuple[str | None, str]:
    """Bring the storage to the newest version, as one transaction; the versions before and after.

    Processes that start together wait for each other. Raises MunimentError if a newer program has written the storage.
    """
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            connection.execute(text("SET LOCAL statement_timeout = 0"))  # a large storage takes its time
        before = current(connection)
        known = {script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()}
        if before is not None and before not in known:
            raise MunimentError(f"the storage is of version {before}, which this Muniment does not know: update it")
        if before != head():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                command.upgrade(alembic_config(connection), "head")
        return before, head()
