"""The configuration of a server: every setting is an environment variable, and has a default that is safe."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from muniment.core.errors import MunimentError

__all__ = ["Config", "settings"]

_PREFIX = "MUNIMENT_"
_MOST_BOT_PROCESSES = 8


def _default_url() -> str:
    return f"sqlite:///{user_data_path('muniment') / 'muniment.sqlite3'}"


def _bot_processes() -> int:
    """One core is left to everything else."""
    return min(max((os.cpu_count() or 1) - 1, 1), _MOST_BOT_PROCESSES)


def _setting(default: object, text: str, *, low: float = 0, secret: bool = False, shown: str = "") -> Any:
    """shown: what the documentation says of a default that is worked out."""
    metadata = {"text": text, "low": low, "shown": shown}
    if callable(default):
        return field(default_factory=default, metadata=metadata, repr=not secret)
    return field(default=default, metadata=metadata, repr=not secret)


@dataclass(frozen=True)
class Config:
    """The settings; ``Config.read(os.environ)`` takes ``database_url`` from ``MUNIMENT_DATABASE_URL``, and so on."""

    database_url: str = _setting(
        _default_url,
        "Where tables are kept: sqlite:////path/to/file or postgresql://user:word@host/name.",
        secret=True,
        shown="the user's data folder",
    )
    host: str = _setting("127.0.0.1", "The address to listen on.")
    port: int = _setting(8017, "The port to listen on; 0 takes a free one.")
    public_url: str = _setting(
        "", "The address people use, as https://games.example.org/muniment; needed behind a reverse proxy."
    )
    trusted_proxies: str = _setting(
        "", "Addresses of reverse proxies, with commas between, whose X-Forwarded-For and -Proto are believed."
    )
    house_password: str = _setting("", "If set, making a table needs this password.", secret=True)
    admin_secret: str = _setting(
        "", "If set, at least 16 characters: opens the administration page and the metrics.", secret=True
    )
    metrics: str = _setting("secret", "Who may read /metrics: open, secret (the administrator) or off.")
    editions: str = _setting("", "A folder of edition files, GAME-NAME.toml, that tables may be played with.")
    max_tables: int = _setting(10_000, "How many tables are kept at most.", low=1)
    tables_per_hour: int = _setting(60, "How many tables one address may make in an hour; 0 for no limit.")
    requests_per_minute: int = _setting(1200, "How many requests one address may make in a minute; 0 for no limit.")
    streams_per_address: int = _setting(60, "How many live streams one address may have open; 0 for no limit.")
    body_limit: int = _setting(65_536, "The largest request body, in bytes.", low=1024)
    moves_limit: int = _setting(20_000, "The most moves of one table.", low=10)
    messages_limit: int = _setting(1_000, "The most messages of table talk kept at one table.", low=1)
    cached_tables: int = _setting(500, "How many tables a process keeps in memory.", low=1)
    connections: int = _setting(
        8, "How many connections to PostgreSQL a process stores moves with; half as many for all else.", low=1
    )
    bot_processes: int = _setting(
        _bot_processes, "How many processes think for bots; 0 lets no bot play.", shown="one less than cores, 1 to 8"
    )
    bot_seconds: float = _setting(10.0, "How long a bot may think about one decision.", low=0.05)
    bot_megabytes: int = _setting(1024, "How much memory a bot's process may use.", low=128)
    bot_pause: float = _setting(0.7, "How many seconds lie between the steps of bots while somebody looks on.")
    lease_seconds: float = _setting(10.0, "After how long another process takes a dead one's bots over.", low=0.2)
    interrupt_seconds: int = _setting(45, "With a clock: the time for a decision that is secretly asked.", low=1)
    away_seconds: int = _setting(120, "After how long unseen a person counts as away, so the host may seat a bot.")
    keep_finished_days: float = _setting(180.0, "How long finished and closed tables are kept; 0 for ever.")
    keep_idle_days: float = _setting(60.0, "How long tables are kept at which nothing happens; 0 for ever.")
    log_format: str = _setting("text", "The log's form: text or json.")
    log_level: str = _setting("info", "What is logged: debug, info, warning or error.")

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None, **given: Any) -> Config:
        """The settings of the environment, ``given`` ones first. Raises MunimentError naming a bad variable."""
        source = os.environ if environment is None else environment
        values: dict[str, Any] = {}
        for item in fields(cls):
            text = source.get(_PREFIX + item.name.upper(), "").strip()
            if item.name not in given and text:
                values[item.name] = _read(item.name, str(item.type), text, item.metadata["low"])
        config = cls(**values, **given)
        config.check()
        return config

    def check(self) -> None:
        """Raises MunimentError for values that do not go together or are unsafe."""
        if self.admin_secret and len(self.admin_secret) < 16:
            raise MunimentError(f"{_PREFIX}ADMIN_SECRET must have at least 16 characters")
        choices = {"metrics": ("open", "secret", "off"), "log_format": ("text", "json")}
        choices["log_level"] = ("debug", "info", "warning", "error")
        for name, allowed in choices.items():
            if getattr(self, name) not in allowed:
                raise MunimentError(f"{_PREFIX}{name.upper()} must be one of {', '.join(allowed)}")
        if not self.database_url.startswith(("sqlite:///", "postgresql://", "postgres://", "postgresql+psycopg://")):
            raise MunimentError(f"{_PREFIX}DATABASE_URL must begin with sqlite:/// or postgresql://")
        if self.public_url and not self.public_url.startswith(("http://", "https://")):
            raise MunimentError(f"{_PREFIX}PUBLIC_URL must begin with http:// or https://")

    @property
    def is_sqlite(self) -> bool:
        """Whether tables are kept in an SQLite file."""
        return self.database_url.startswith("sqlite")

    @property
    def sqlite_path(self) -> Path:
        """The file of an SQLite database."""
        return Path(self.database_url.removeprefix("sqlite:///"))

    @property
    def root_path(self) -> str:
        """The sub-path under which a reverse proxy serves this, without a slash at the end; usually empty."""
        rest = self.public_url.partition("://")[2]
        path = rest.partition("/")[2].strip("/")
        return f"/{path}" if path else ""


def _read(name: str, kind: str, text: str, low: float) -> object:
    if kind == "str":
        return text
    try:
        value: float = int(text) if kind == "int" else float(text)
    except ValueError:
        value = float("nan")
    if not low <= value < 1e9:
        raise MunimentError(f"{_PREFIX}{name.upper()} must be a number from {low:g}, not {text!r}")
    return value


def settings() -> tuple[tuple[str, str, str], ...]:
    """Every variable's name, default and meaning, for the documentation."""
    found = []
    for item in fields(Config):
        default = item.metadata["shown"] or str(item.default) or "not set"
        found.append((_PREFIX + item.name.upper(), default, str(item.metadata["text"])))
    return tuple(found)
