"""A hostile client: forged, replayed, oversized and malformed requests. No 5xx, no leak, no effect."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings

from muniment.tables.config import Config
from muniment.tables.values import Caller
from tests.tables.helpers import asynchronous, pair
from tests.web.client import API, OwnLoop, Player, in_process, make

QUICK = 8
SLOW = 400
# What nobody may ever be told: traces, paths, statements, stored secrets.
LEAKS = re.compile(rb"Traceback|File \"|sqlalchemy|psycopg|sqlite3|SELECT |INSERT |/src/muniment|\.py\b")


def harmless(answer: httpx.Response) -> None:
    """Whether the answer is a plain refusal."""
    assert 400 <= answer.status_code < 500, (answer.status_code, answer.text)
    assert not LEAKS.search(answer.content), answer.text


@asynchronous
async def test_forged_and_replayed_moves_have_no_effect(sqlite_config: Config) -> None:
    async with in_process(sqlite_config) as (client, _):
        victim, other = await make(client), await make(client)
        seen = await victim.look()
        forged = [
            {}, {"Authorization": "Bearer "}, {"Authorization": "Bearer " + "A" * 43}, {"Authorization": "Basic eDp5"},
            {"Cookie": "muniment=" + "A" * 43}, {"Cookie": "muniment"}, {"Authorization": "Bearer \u00e9"},
            other.headers, {"Authorization": other.headers["Authorization"] + "A"},
        ]  # fmt: skip
        for headers in forged:
            player = Player(client, {"table": victim.table, "secret": "x"})
            player.headers = {name: value.encode("latin-1") for name, value in headers.items()}  # type: ignore[misc]
            player.headers["Origin"] = "http://games.test"
            harmless(await player.move(seen["decision"], "end"))
            for method, path, body in (
                ("GET", "", None), ("GET", "/stream", None), ("GET", "/log", None), ("GET", "/record", None),
                ("GET", "/replay", None), ("GET", "/replay/0", None), ("POST", "/undo", {}),
                ("POST", "/talk", {"text": "x"}), ("POST", "/resign", None), ("POST", "/leave", None),
                ("POST", "/rematch", None), ("POST", "/seat-link", None), ("POST", "/tokens", None),
                ("PUT", "/seats/0/bot", {}), ("DELETE", "/seats/0/bot", None), ("POST", "/why-not", {"action": "end"}),
                ("POST", "/odds", {"action": "end"}),
            ):  # fmt: skip
                harmless(await player.send(method, path, body))
        assert (await victim.look()) == seen
        moved = await victim.move(seen["decision"], "end", key="k")
        after = await victim.look()
        for key in ("k2", None):
            harmless(await victim.move(seen["decision"], "end", key=key))
        assert (await victim.move(seen["decision"], "end", key="k")).json()["version"] == moved.json()["version"]
        harmless(await other.send("POST", f"/../{victim.table}/resign"))
        assert (await victim.look()) == after


@asynchronous
async def test_malformed_requests_are_refused(sqlite_config: Config) -> None:
    async with in_process(sqlite_config) as (client, _):
        me = await make(client)
        seen = await me.look()
        decision = seen["decision"]
        bodies: list[Any] = [
            None, [], "x", 1, {}, {"decision": decision}, {"decision": decision, "actions": []},
            {"decision": decision, "actions": "end"}, {"decision": decision, "actions": [1]},
            {"decision": 7, "actions": ["end"]}, {"decision": decision, "actions": ["end"], "seat": 0},
            {"decision": decision, "actions": ["end"], "key": "é"},
            {"decision": decision, "actions": ["end"], "key": ""},
            {"decision": decision, "actions": ["\ud800"]}, {"decision": "\ud800", "actions": ["end"]},
            {"decision": decision, "actions": ["end\n0 end"]},
            {"decision": decision, "actions": [{"action": "end", "x": {}}]},
            {"decision": decision, "actions": [{"action": {"$ne": 1}}]}, {"decision": decision, "outcome": "roll 6"},
            {"decision": decision, "actions": ["end"] * 201}, {"decision": decision, "actions": ["end", "end"]},
            {"decision": decision, "actions": [{"a": [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]}]},
        ]  # fmt: skip
        for body in bodies:
            content = json.dumps(body).encode()
            headers = {**me.headers, "Content-Type": "application/json"}
            harmless(await client.post(f"{API}/tables/{me.table}/moves", content=content, headers=headers))
        for content, kind in (
            (b"", "application/json"), (b"{", "application/json"), (b"\xff\xfe", "application/json"),
            (b'{"decision": "a", "actions": ["end"]}', "text/plain"),
            (b"decision=a&actions=end", "application/x-www-form-urlencoded"),
            (b"[" * 20_000, "application/json"),
            (b'{"decision": 1e999999, "actions": [1' + b"0" * 9000 + b"]}", "application/json"),
            (b"x", "multipart/form-data"), (b"x", "multipart/form-data; boundary=x"),
        ):  # fmt: skip
            headers = {**me.headers, "Content-Type": kind}
            harmless(await client.post(f"{API}/tables/{me.table}/moves", content=content, headers=headers))
        for path in (
            "/tables/..%2f..%2fetc", "/tables/%00%00%00%00%00%00%00%00%00%00", "/links/%ff%fe", "/tables/" + "a" * 5000,
            f"/tables/{me.table}/replay/-1", f"/tables/{me.table}/replay/1e9", f"/tables/{me.table}/log?since=-1",
            f"/tables/{me.table}/log?since=99999999999999999999", "/games/..%2f/rules", "/tables?which=all",
            f"/tables/{me.table}?watch={'x' * 100}",
        ):  # fmt: skip
            harmless(await client.get(API + path, headers=me.headers))
        assert (await me.look()) == seen


@asynchronous
async def test_nothing_hidden_is_in_any_answer(sqlite_config: Config) -> None:
    async with in_process(sqlite_config) as (client, service):
        table, ada, ben = await pair(service, spectators="public")
        data = service.house._cache[table].data
        hands = [(await service.look(table, caller)).view.to_json()["hand"] for caller in (ada, ben)]  # type: ignore[union-attr]
        secrets = [data.seed.hex(), data.key.hex(), str(ada.secret), str(ben.secret)]
        for caller in (ben, Caller()):
            headers = {"Authorization": f"Bearer {caller.secret}"} if caller.secret else {}
            for path in ("", "/log", "/record", "/replay", "/replay/0"):
                answer = await client.get(f"{API}/tables/{table}{path}", headers=headers)
                text = answer.text + json.dumps(dict(answer.headers))
                assert not any(secret in text for secret in secrets)
                if not path:
                    assert answer.json()["view"]["hand"] == (hands[1] if caller.secret else 0)
                assert f'"card":{hands[0]}' not in text
        lists = await client.get(f"{API}/tables?which=running")
        assert not any(secret in lists.text for secret in secrets)


@asynchronous
async def test_the_log_holds_no_secret(sqlite_config: Config, capsys: pytest.CaptureFixture[str]) -> None:
    from muniment.tables.logs import set_up_logs

    config = Config(
        database_url=sqlite_config.database_url, bot_processes=0, log_level="debug", log_format="json",
        house_password="sesame", admin_secret="the administrator",
    )  # fmt: skip
    set_up_logs(config)
    async with in_process(config) as (client, _):
        await client.post(f"{API}/tables", json={"game": "siege", "name": "Ada", "house_password": "wrong word"})
        me = await make(client, house_password="sesame")
        seen = await me.look()
        await client.get(f"{API}/links/{seen['watch']}")
        await client.get(f"/watch/{seen['watch']}")
        await me.move(seen["decision"], "end", key="some-key")
        link = (await me.send("POST", "/seat-link")).json()["token"]
        await client.post(f"{API}/links/{link}/seat", json={})
    logged = capsys.readouterr().err
    assert '"route": "/tables/{table}/moves"' in logged
    for secret in (
        "sesame",
        "wrong word",
        "administrator",
        me.headers["Authorization"][7:],
        seen["watch"],
        link,
        "Ada",
    ):
        assert secret not in logged


# -- every operation of the OpenAPI document


@pytest.fixture
def loop(sqlite_config: Config) -> Iterator[OwnLoop]:
    config = Config(
        database_url=sqlite_config.database_url, bot_processes=0, requests_per_minute=0, tables_per_hour=0,
        max_tables=40, admin_secret="the administrator",
    )  # fmt: skip
    with OwnLoop(config) as made:
        yield made


def fuzz(loop: OwnLoop, examples: int, inside: bool) -> int:
    """Send every operation so many generated requests, without a secret or as a player of the table named."""
    schema = schemathesis.openapi.from_asgi(f"{API}/openapi.json", loop)
    table, me = loop.run(_siege(loop))
    before = loop.run(loop.service.look(table, me))
    count = 0
    for result in schema.get_all_operations():
        operation = result.ok()  # type: ignore[union-attr]
        if inside and operation.path.endswith("/stream"):
            continue  # it does not end

        def one(case: Any) -> None:
            nonlocal count
            count += 1
            if inside and "table" in (case.path_parameters or {}):
                case.path_parameters["table"] = table
                case.headers = {**(case.headers or {}), "Authorization": f"Bearer {me.secret}"}
            else:
                case.headers = {k: v for k, v in (case.headers or {}).items() if k.lower() != "origin"}
            answer = case.call()
            assert answer.status_code < 500, (case.as_curl_command(), answer.text)
            assert not LEAKS.search(answer.content), (case.as_curl_command(), answer.text)
            if answer.status_code >= 400 and answer.headers.get("content-type", [""])[0].startswith("application/json"):
                assert set(answer.json()) == {"error"}, answer.text
            case.validate_response(answer, checks=[schemathesis.checks.not_a_server_error, conforms()])

        from hypothesis import given

        test = given(case=operation.as_strategy())(one)
        settings(
            max_examples=examples, deadline=None, database=None, derandomize=True, phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )(test)()  # fmt: skip
    if not inside:
        after = loop.run(loop.service.look(table, me))
        assert after.version == before.version
    assert loop.run(loop.service.healthy())
    return count


def conforms() -> Any:
    """The check that an answer is as the document says."""
    return schemathesis.checks.CHECKS.get_one("response_schema_conformance")


async def _siege(loop: OwnLoop) -> tuple[str, Caller]:
    from tests.tables.helpers import siege

    return await siege(loop.service)


@pytest.mark.parametrize("inside", [False, True], ids=["a stranger", "a player"])
def test_generated_requests_do_no_harm(loop: OwnLoop, inside: bool) -> None:
    assert fuzz(loop, QUICK, inside) > 100


@pytest.mark.slow
@pytest.mark.parametrize("inside", [False, True], ids=["a stranger", "a player"])
def test_many_generated_requests_do_no_harm(loop: OwnLoop, inside: bool) -> None:
    assert fuzz(loop, SLOW, inside) > 1000
