"""What connections to PostgreSQL are told, and what comes of a server that says nothing."""

import socket

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from muniment.core.errors import MunimentError
from muniment.tables.config import Config
from muniment.tables.connecting import connection_text, manners
from muniment.tables.database import StorageError, open_database

SILENCE = {
    "connect_timeout": "10", "tcp_user_timeout": "30000", "keepalives": "1", "keepalives_idle": "30",
    "keepalives_interval": "10", "keepalives_count": "3",
}  # fmt: skip
OPTIONS = "-c lock_timeout=15s -c statement_timeout=60s -c synchronous_commit=on"


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_a_silent_server_is_given_up(scheme: str) -> None:
    url = f"{scheme}://someone:p%40ss@db.example:5433/muniment?sslmode=require"
    where = {"user": "someone", "password": "p@ss", "host": "db.example", "port": "5433", "dbname": "muniment"}
    assert manners(url) == {**SILENCE, "options": OPTIONS}
    assert conninfo_to_dict(connection_text(url)) == {**where, "sslmode": "require", **SILENCE, "options": OPTIONS}


def test_what_the_url_says_goes_before() -> None:
    url = "postgresql://db/x?connect_timeout=3&keepalives_idle=7&options=-c%20statement_timeout%3D5s"
    rest = {name: value for name, value in SILENCE.items() if name not in ("connect_timeout", "keepalives_idle")}
    # of two settings of one name in "options" the server takes the later
    options = "-c lock_timeout=15s -c statement_timeout=60s -c statement_timeout=5s -c synchronous_commit=on"
    assert manners(url) == {**rest, "options": options}
    found = conninfo_to_dict(connection_text(url))
    assert (found["connect_timeout"], found["keepalives_idle"], found["options"]) == ("3", "7", options)


def test_every_kind_of_connection_has_the_limits(postgres_url: str) -> None:
    names = ("lock_timeout", "statement_timeout", "synchronous_commit")
    with psycopg.connect(connection_text(f"{postgres_url}?options=-c%20lock_timeout%3D2s")) as connection:
        found = [connection.execute(f"SHOW {name}").fetchone() for name in names]
    assert found == [("2s",), ("1min",), ("on",)]
    database = open_database(Config(database_url=postgres_url))
    try:
        with database.engine().connect() as connection:
            raw = connection.connection.driver_connection
            assert isinstance(raw, psycopg.Connection)
            assert {**raw.info.get_parameters(), **SILENCE, "options": OPTIONS} == raw.info.get_parameters()
    finally:
        database.close()


def test_a_server_that_takes_the_call_and_says_nothing_is_told_in_a_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://someone:secret@127.0.0.1:{silent.getsockname()[1]}/x?connect_timeout=2"
        with pytest.raises(StorageError, match=r"^PostgreSQL at 127\.0\.0\.1:\d+ does not answer: .*timeout") as told:
            open_database(Config(database_url=url))
    assert "\n" not in str(told.value)
    assert "secret" not in str(told.value)


def test_a_url_that_cannot_be_read_is_refused_without_telling_it() -> None:
    with pytest.raises(MunimentError) as told:
        open_database(Config(database_url="postgresql://someone:secret@db/x?no_such_thing=1"))
    assert str(told.value) == "MUNIMENT_DATABASE_URL is not a URL that PostgreSQL can read"
