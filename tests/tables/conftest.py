"""The storages on which the service is tested."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import structlog

from muniment.tables.config import Config
from tests.tables import postgres
from tests.tables.helpers import needs_postgres, play_toys

_numbers = itertools.count()


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    play_toys(monkeypatch)
    yield
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def postgres_port(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Iterator[int]:
    needs_postgres()
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    with postgres.shared_server(shared / "postgres.lock") as port:
        yield port


@pytest.fixture
def postgres_url(postgres_port: int, worker_id: str) -> str:
    """A database of its own for the test."""
    name = f"test_{worker_id}_{next(_numbers)}"
    with psycopg.connect(postgres.url(postgres_port, "postgres"), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return postgres.url(postgres_port, name)  # it goes with the server


@pytest.fixture
def sqlite_config(tmp_path: Path) -> Config:
    return Config(
        database_url=f"sqlite:///{tmp_path / 'tables.sqlite3'}", bot_processes=0, bot_pause=0, lease_seconds=1.0
    )


@pytest.fixture(params=["sqlite", "postgresql"])
def config(request: pytest.FixtureRequest, sqlite_config: Config) -> Config:
    """The service's settings on each of the two storages."""
    if request.param == "sqlite":
        return sqlite_config
    url = request.getfixturevalue("postgres_url")
    return Config(database_url=url, bot_processes=0, bot_pause=0, lease_seconds=1.0, connections=4)
