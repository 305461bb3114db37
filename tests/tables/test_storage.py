"""The storage: synced, owned by one process where it must be, migrated, backed up and restored."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import func, insert, select, text, update

from muniment.core.errors import MunimentError
from muniment.tables.backup import back_up, restore
from muniment.tables.config import Config, settings
from muniment.tables.database import StorageError, open_database
from muniment.tables.direct import Direct
from muniment.tables.errors import Busy, NotFound, Stale
from muniment.tables.migrate import alembic_config, current, head, migrate
from muniment.tables.models import MESSAGES, MOVES, TABLES, Base
from tests.tables.helpers import asynchronous, first_action, play_out, serving, siege


@asynchronous
async def test_the_live_connections_sync(config: Config) -> None:
    async with serving(config) as service:
        await siege(service)
        found = service.durability()
        if config.is_sqlite:
            assert (found["journal_mode"], found["synchronous"]) == ("wal", "2")  # 2 is FULL
            assert int(found["busy_timeout"]) > 0
            assert config.sqlite_path.stat().st_mode & 0o077 == 0
        else:
            assert found == {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}

            def show(connection: object) -> list[object]:
                names = ("synchronous_commit", "transaction_isolation")
                return [connection.execute(text(f"SHOW {name}")).scalar() for name in names]  # type: ignore[attr-defined]

            for _ in range(8):
                assert await service.database.write(show) == ["on", "read committed"]
            assert (await service.database.read(show))[1] == "repeatable read"


@asynchronous
async def test_a_second_process_on_the_file_is_refused(sqlite_config: Config) -> None:
    async with serving(sqlite_config):
        code = "import sys; from muniment.tables.config import Config; "
        code += "from muniment.tables.database import open_database; "
        code += "open_database(Config(database_url=sys.argv[1]))"
        ran = await asyncio.to_thread(
            subprocess.run, [sys.executable, "-c", code, sqlite_config.database_url], capture_output=True, text=True
        )
        assert ran.returncode
        assert "in use by another process" in ran.stderr
    async with serving(sqlite_config):
        pass


@asynchronous
async def test_writes_that_wait_are_committed_together_and_fail_alone(sqlite_config: Config) -> None:
    database = open_database(sqlite_config)
    migrate(database.engine())
    row = {
        "table_id": "x", "number": 1, "kind": "act", "seat": 0, "by": "person", "key": None, "body": "", "entries": "",
        "events": "", "entry_count": 0, "event_count": 0, "answer": None, "at": 0.0,
    }  # fmt: skip
    await database.write(lambda c: c.execute(text("PRAGMA foreign_keys")).scalar())

    def work(number: int):  # type: ignore[no-untyped-def]
        def do(connection):  # type: ignore[no-untyped-def]
            if number == 0:
                time.sleep(0.2)  # the others come meanwhile
            connection.execute(text("CREATE TABLE IF NOT EXISTS t (n INTEGER UNIQUE)"))
            connection.execute(text("INSERT INTO t VALUES (:n)"), {"n": number % 7})
            return number

        return do

    results = await asyncio.gather(*(database.write(work(n)) for n in range(10)), return_exceptions=True)
    assert results[:7] == list(range(7))
    assert all(isinstance(result, Exception) for result in results[7:])
    assert await database.read(lambda c: c.execute(text("SELECT count(*) FROM t")).scalar()) == 7
    with pytest.raises(Exception, match="FOREIGN KEY"):
        await database.write(lambda c: c.execute(insert(MOVES), row).rowcount)
    database.close()
    with pytest.raises(StorageError):
        await database.write(lambda c: None)


@asynchronous
async def test_a_failed_commit_has_no_effect_in_memory_either(config: Config) -> None:
    async with serving(config) as service:
        table, me = await siege(service)
        before = await service.look(table, me)
        whole = service.database.advance

        async def broken(*_: object) -> bool:
            raise StorageError("no space")

        service.database.advance = broken  # type: ignore[method-assign, assignment]
        with pytest.raises(Busy) as busy:
            await first_action(service, table, me)
        assert "space" not in str(busy.value)
        service.database.advance = whole  # type: ignore[method-assign]
        assert (await service.look(table, me)).version == before.version
        await first_action(service, table, me)


def test_migrations_lead_to_the_models(config: Config) -> None:
    database = open_database(config)
    engine = database.engine()
    assert migrate(engine) == (None, head())
    assert migrate(engine) == (head(), head())
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    with engine.begin() as connection:
        command.downgrade(alembic_config(connection), "base")
        assert current(connection) is None
    with engine.begin() as connection:
        connection.execute(text("DELETE FROM alembic_version"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('9999')"))
    with pytest.raises(MunimentError, match="update"):
        migrate(engine)
    database.close()


def test_processes_that_start_together_migrate_once(postgres_url: str) -> None:
    config = Config(database_url=postgres_url)

    def one(_: int) -> tuple[str | None, str]:
        database = open_database(config)
        try:
            return migrate(database.engine())
        finally:
            database.close()

    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(one, range(4)))
    assert sorted(found, key=str) == [("0001", "0001")] * 3 + [(None, "0001")]


@asynchronous
async def test_a_backup_is_restored(config: Config, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    async with serving(config) as service:
        table, me = await siege(service)
        await first_action(service, table, me)
        await service.say(table, me, "Before")
        assert await asyncio.to_thread(back_up, config, file) == 1  # while it is served
        seen = await service.look(table, me)
        await siege(service)
        await first_action(service, table, me)
        with pytest.raises(MunimentError, match="exists"):
            back_up(config, file)
    assert file.stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.glob("backup*")] == ["backup"]
    other = replace(config, database_url=f"sqlite:///{tmp_path / 'other.sqlite3'}")
    assert restore(other, file) == 1
    with pytest.raises(MunimentError, match="not empty"):
        restore(other, file)
    async with serving(other) as service:
        assert (await service.look(table, me)).version == seen.version
        await service.say(table, me, "After")
        await play_out(service, table, me)


@asynchronous
async def test_a_backup_of_sqlite_moves_to_postgresql(sqlite_config: Config, postgres_url: str, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    async with serving(sqlite_config) as service:
        table, me = await siege(service)
        await service.say(table, me, "Before")
        seen = await first_action(service, table, me)
    back_up(sqlite_config, file)
    config = Config(database_url=postgres_url, bot_processes=0)
    assert restore(config, file) == 1
    async with serving(config) as service:
        assert (await service.look(table, me)).version == seen.version
        await service.say(table, me, "After")
        assert [message.text for message in (await service.look(table, me)).talk] == ["Before", "After"]


def test_what_is_no_backup_is_refused(sqlite_config: Config, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    with pytest.raises(MunimentError, match="does not exist"):
        restore(sqlite_config, wrong)
    wrong.write_text("hello")
    with pytest.raises(MunimentError, match="not a backup"):
        restore(sqlite_config, wrong)
    with pytest.raises(MunimentError, match="does not exist"):
        back_up(replace(sqlite_config, database_url=f"sqlite:///{tmp_path / 'none'}"), tmp_path / "x")


@asynchronous
async def test_old_tables_are_deleted(config: Config) -> None:
    async with serving(config, keep_finished_days=10, keep_idle_days=20) as service:
        over, me = await siege(service)
        await service.say(over, me, "Bye")
        await service.resign(over, me)
        idle, him = await siege(service)
        day = 86_400

        async def age(table: str, days: float) -> None:
            aged = update(TABLES).where(TABLES.c.id == table).values(changed=time.time() - days * day)
            await service.database.write(lambda c: c.execute(aged).rowcount)

        await age(over, 11)
        await age(idle, 19)
        assert await service.keeper.sweep() == 1
        with pytest.raises(NotFound):
            await service.look(over, me)
        assert (await service.look(idle, him)).info.status == "running"
        for table in (MOVES, MESSAGES):
            counted = select(func.count()).select_from(table).where(table.c.table_id == over)
            assert await service.database.read(lambda c, counted=counted: c.execute(counted).scalar()) == 0  # type: ignore[misc]
        await age(idle, 21)
        assert await service.keeper.sweep() == 1


def test_the_configuration_is_read_from_the_environment(tmp_path: Path) -> None:
    assert Config.read({}) == Config()
    read = Config.read(
        {"MUNIMENT_PORT": "1", "MUNIMENT_BOT_SECONDS": "2.5", "MUNIMENT_HOST": " ::1 ", "MUNIMENT_X": ""}
    )
    assert (read.port, read.bot_seconds, read.host) == (1, 2.5, "::1")
    assert Config.read({"MUNIMENT_PORT": "1"}, port=2).port == 2
    assert Config.read({"MUNIMENT_PUBLIC_URL": "https://a.example/b/c/"}).root_path == "/b/c"
    for name, value in {
        "PORT": "x", "BOT_SECONDS": "nan", "MAX_TABLES": "0", "ADMIN_SECRET": "short", "LOG_FORMAT": "xml",
        "DATABASE_URL": "mysql://x", "PUBLIC_URL": "ftp://x", "LEASE_SECONDS": "-1", "METRICS": "perhaps",
    }.items():  # fmt: skip
        with pytest.raises(MunimentError, match=f"MUNIMENT_{name}"):
            Config.read({f"MUNIMENT_{name}": value})
    assert all(name.startswith("MUNIMENT_") and meaning.endswith(".") for name, _, meaning in settings())
    with pytest.raises(StorageError), contextlib.closing(open_database(Config(database_url=f"sqlite:///{tmp_path}"))):
        pass
    with pytest.raises(StorageError, match="does not answer"):
        open_database(Config(database_url="postgresql://someone:secret@127.0.0.1:1/x"))


@asynchronous
async def test_lost_connections_are_made_again(postgres_url: str) -> None:
    config = Config(database_url=postgres_url, bot_processes=0, connections=2)
    async with serving(config) as first, serving(config) as second:
        table, me = await siege(first)
        stream = second.watch(table, me)
        await anext(stream)
        others = "pid <> pg_backend_pid() AND datname = current_database()"
        ended = text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")
        with contextlib.suppress(Busy):
            await first.database.read(lambda c: c.execute(ended).rowcount)
        assert (await first.look(table, me)).seat == 0  # reading is repeated
        for _ in range(3):
            with contextlib.suppress(Busy):
                await first_action(first, table, me)
        await asyncio.sleep(1.5)  # the feed listens again
        await first_action(first, table, me)
        wanted = (await first.look(table, me)).version
        while await asyncio.wait_for(anext(stream), 10) != wanted:
            pass
        await stream.aclose()  # type: ignore[attr-defined]


@asynchronous
async def test_connections_that_died_while_idle_refuse_nobody(postgres_url: str) -> None:
    """As after a restart of PostgreSQL: the first move and the first new table find a new connection."""
    config = Config(database_url=postgres_url, bot_processes=0, connections=2)
    async with serving(config) as service:
        table, me = await siege(service)
        await first_action(service, table, me)
        with psycopg.connect(postgres_url, autocommit=True) as other:
            mine = "pid <> pg_backend_pid() AND datname = current_database()"
            other.execute(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE {mine}")
        await siege(service)
        await first_action(service, table, me)


@asynchronous
async def test_a_move_whose_answer_is_lost_is_made_once(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(database_url=postgres_url, bot_processes=0)
    async with serving(config) as service:
        table, me = await siege(service)
        seen = await service.look(table, me)
        action, decision = [seen.actions[0].notation], seen.decision
        assert decision is not None
        carried_out = Direct.execute

        async def lost(self: Direct, statement: str, values: Any, *, reads: bool = False) -> Any:
            await carried_out(self, statement, values, reads=reads)
            raise psycopg.OperationalError

        with monkeypatch.context() as patched:
            patched.setattr(Direct, "execute", lost)
            with pytest.raises(Busy):
                await service.act(table, me, action, decision=decision, key="k")
        with pytest.raises(Stale):
            await service.act(table, me, action, decision=decision)
        again = await service.act(table, me, action, decision=decision, key="k")
        assert again.repeated
        after = await service.look(table, me)
        assert after.version == again.version != seen.version


@asynchronous
async def test_one_of_two_moves_wins_under_a_stricter_isolation(postgres_url: str) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as admin:
        name = admin.info.dbname
        admin.execute(f'ALTER DATABASE "{name}" SET default_transaction_isolation = serializable')
    config = Config(database_url=postgres_url, bot_processes=0)
    async with serving(config) as first, serving(config) as second:
        table, me = await siege(first)
        await second.look(table, me)
        seen = await first.look(table, me)
        assert seen.decision is not None
        action = [seen.actions[0].notation]
        found = await asyncio.gather(
            *[(first, second)[at % 2].act(table, me, action, decision=seen.decision) for at in range(20)],
            return_exceptions=True,
        )
        assert sorted(type(one).__name__ for one in found) == ["Answer", *["Stale"] * 19]


def test_rates_refill_and_forget() -> None:
    from muniment.tables.limits import Rate

    rate = Rate(2, 0.2)
    assert [rate.wait("a") > 0 for _ in range(3)] == [False, False, True]
    assert rate.wait("b") == 0
    time.sleep(0.15)
    assert rate.wait("a") == 0
    rate.forget("a")
    assert [rate.wait("a") > 0 for _ in range(3)] == [False, False, True]
    assert not any(Rate(0, 1).wait("a") for _ in range(100))
