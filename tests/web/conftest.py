"""The web's tests use the storages and toys of the tables' tests."""

from __future__ import annotations

from tests.tables.conftest import _toys, config, postgres_port, postgres_url, sqlite_config

__all__ = ["_toys", "config", "postgres_port", "postgres_url", "sqlite_config"]
