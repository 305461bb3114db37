"""How every connection to PostgreSQL is made: what it is told, and how long it waits for a server that is silent.

A server that ends says so. One whose machine or network is gone says nothing, and libpq would wait for it for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from muniment.core.errors import MunimentError

__all__ = ["connection_text", "manners"]

# Seconds, but for tcp_user_timeout: milliseconds until what was sent must have arrived.
_MANNERS: Final[Mapping[str, str]] = {
    "connect_timeout": "10",
    "tcp_user_timeout": "30000",
    "keepalives": "1",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
}
_OPTIONS: Final = "-c lock_timeout=15s -c statement_timeout=60s"
_ALWAYS: Final = "-c synchronous_commit=on"  # what is acknowledged is on the disk, whatever the URL says


def manners(url: str) -> dict[str, str]:
    """What a connection is told beside what the URL itself says, which goes before; of "options" all together.

    Raises MunimentError, which holds nothing of the URL, for one that PostgreSQL's library cannot read.
    """
    given = _read(url)
    missing = {name: value for name, value in _MANNERS.items() if name not in given}
    return {**missing, "options": " ".join((_OPTIONS, *filter(None, [given.get("options")]), _ALWAYS))}


def connection_text(url: str) -> str:
    """What PostgreSQL's own library connects with. Raises MunimentError as ``manners`` does."""
    return make_conninfo("", **{**_read(url), **manners(url)})


def _read(url: str) -> dict[str, Any]:
    try:
        return conninfo_to_dict(f"postgresql://{url.partition('://')[2]}")
    except psycopg.ProgrammingError:
        raise MunimentError("MUNIMENT_DATABASE_URL is not a URL that PostgreSQL can read") from None
