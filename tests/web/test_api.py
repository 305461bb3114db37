"""The JSON API: everything the pages can do, the guard before it, health, metrics, administration."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from muniment.agents.levels import levels
from muniment.core.record import Record
from muniment.tables.config import Config
from muniment.web.security import CONTENT_SECURITY_POLICY
from tests.tables.helpers import asynchronous
from tests.web.client import API, Player, in_process, make

ADMIN = "an administrator's secret"
PAIR = {"seats": [{"kind": "me"}, {"kind": "open"}]}


@asynchronous
async def test_a_siege_over_the_api(config: Config) -> None:
    async with in_process(config) as (client, _):
        (game, *_) = (await client.get(f"{API}/games")).json()["games"]
        assert game["name"] == "siege"
        assert (await client.get(f"{API}/games/siege/rules")).json()["rules"]
        me = await make(client, options={"ones": "natural"}, hold=True)
        held = (await me.look())["table"]
        assert (held["status"], held["moves"]) == ("open", 0)
        assert (await me.send("POST", "/nonce", body={"nonce": "not good!"})).status_code == 422
        assert (await me.send("POST", "/nonce", body={"nonce": "mine"})).status_code == 204
        assert (await me.look())["table"]["commitment"] == held["commitment"]  # it stood before the nonce was sent
        assert (await me.send("POST", "/nonce", body={"nonce": "later"})).status_code == 409
        for number in range(300):
            seen = await me.look()
            if seen["table"]["status"] == "finished":
                break
            action = seen["actions"][number % len(seen["actions"])]
            answer = await me.move(
                seen["decision"], action["notation"] if number % 2 else action["action"], key=f"k{number}"
            )
            assert answer.status_code == 200, answer.text
        repeated = await me.move("x" * 26, action["notation"], key=f"k{number - 1}")
        assert repeated.json() == {**answer.json(), "repeated": True}
        record = Record.read((await me.send("GET", "/record")).text)
        assert record.nonces == (b"mine",)
        assert record.commitment == held["commitment"]
        replay = (await me.send("GET", "/replay")).json()
        assert replay["seed"]
        frame = (await me.send("GET", f"/replay/{len(replay['steps'])}")).json()
        assert frame["position"]["result"] == record.result
        assert (await me.send("GET", "/log?since=3")).json()["lines"][0]["number"] == 3
        again = Player(client, (await me.send("POST", "/rematch")).json())
        assert (await again.look())["table"]["status"] == "running"


@asynchronous
async def test_a_table_for_two_over_the_api(sqlite_config: Config) -> None:
    async with in_process(sqlite_config) as (client, _):
        ada = await make(client, "standoff", **PAIR, spectators="public", clock={"reserve": 60})
        seen = await ada.look()
        link = await client.get(f"{API}/links/{seen['invite']}")
        assert link.json()["kind"] == "invite"
        assert link.json()["table"]["seats"][1]["kind"] == "open"
        joined = await client.post(f"{API}/links/{seen['invite']}/seat", json={"name": "Ben", "seat": 1})
        ben = Player(client, joined.json())
        assert (await client.post(f"{API}/links/{seen['invite']}/seat", json={"name": "Eve"})).status_code == 409
        public = (await client.get(f"{API}/tables?which=running")).json()["tables"]
        assert [one["id"] for one in public] == [ada.table]
        mine = await client.get(f"{API}/tables", headers=ben.headers)
        assert [one["id"] for one in mine.json()["tables"]] == [ada.table]
        assert (await ben.send("POST", "/talk", {"text": "Hello"})).status_code == 204
        assert [one["text"] for one in (await ada.look())["talk"]] == ["Hello"]
        moved = await ben.send("POST", "/seat-link")
        there = await client.post(f"{API}/links/{moved.json()['token']}/seat", json={})
        assert (await ben.send("GET", "")).json()["seat"] is None  # anybody may watch this table
        ben = Player(client, there.json())
        token = (await ben.send("POST", "/tokens")).json()["token"]
        assert (await Player(client, {"table": ada.table, "secret": token}).look())["seat"] == 1
        for player, choice in ((ada, "stake"), (ben, "fold")):
            seen = await player.look()
            assert (await player.send("POST", "/why-not", {"action": choice})).json() == {"refusal": None}
            assert (await player.send("POST", "/odds", {"action": choice})).json() == {"odds": None}
            assert (await player.move(seen["decision"], choice)).status_code == 200
        seen = await ada.look()
        assert seen["table"]["ending"]["returns"] == ["1", "0"]
        assert (await ada.send("POST", "/resign")).status_code == 409
        assert (await ada.send("POST", "/undo", {})).status_code == 409
        assert (await ada.send("PUT", "/seats/1/bot", {})).status_code == 422
        assert (await ada.send("DELETE", "/seats/1/bot")).status_code == 409
        assert (await ada.send("POST", "/leave")).status_code == 409


@asynchronous
async def test_real_dice_over_the_api(sqlite_config: Config) -> None:
    async with in_process(sqlite_config) as (client, _):
        me = await make(client, typed=True)
        seen = await me.look()
        body = {"decision": seen["decision"], "outcome": "draw 2"}
        assert (await me.send("POST", "/moves", body)).status_code == 200
        assert (await me.send("POST", "/moves", body)).json()["error"]["code"] == "stale-decision"
        assert (await me.send("POST", "/undo", {})).status_code == 200


@asynchronous
async def test_a_view_has_a_version_and_is_nobody_elses(sqlite_config: Config) -> None:
    async with in_process(sqlite_config) as (client, _):
        me = await make(client)
        first = await client.get(f"{API}/tables/{me.table}", headers=me.headers)
        assert first.headers["etag"] == f'"{first.json()["version"]}"'
        assert first.headers["cache-control"] == "no-store"
        again = await client.get(
            f"{API}/tables/{me.table}", headers={**me.headers, "If-None-Match": first.headers["etag"]}
        )
        assert (again.status_code, again.content) == (304, b"")
        by_cookie = await client.get(
            f"{API}/tables/{me.table}", headers={"Cookie": f"muniment={me.headers['Authorization'][7:]}"}
        )
        assert by_cookie.json()["seat"] == 0
        assert (await client.get(f"{API}/tables/{me.table}")).status_code == 404
        watched = await client.get(f"{API}/tables/{me.table}?watch={first.json()['watch']}")
        assert watched.json()["seat"] is None


@asynchronous
async def test_every_answer_has_the_safe_headers(sqlite_config: Config) -> None:
    async with in_process(sqlite_config) as (client, _):
        for path in (
            "/healthz",
            f"{API}/games",
            f"{API}/tables/nope",
            "/nowhere",
            f"{API}/nowhere",
            f"{API}/openapi.json",
        ):
            answer = await client.get(path)
            assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
            assert "unsafe" not in answer.headers["content-security-policy"]
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "same-origin"
            assert answer.headers["cache-control"] == "no-store"
            assert "server" not in answer.headers


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),
        ({"Origin": "http://games.test"}, True),
        ({"Origin": "http://evil.test"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": "http://games.test.evil.test"}, False),
        ({"Origin": "https://games.test"}, False),
        ({"Origin": "http://[bad"}, False),
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "none"}, True),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Cookie": "muniment=x"}, False),
        ({"Cookie": "muniment=x", "Referer": "http://games.test/t/x"}, True),
        ({"Cookie": "muniment=x", "Referer": "http://evil.test/"}, False),
    ],
)
@asynchronous
async def test_cross_site_posts_are_refused(sqlite_config: Config, headers: dict[str, str], allowed: bool) -> None:
    async with in_process(sqlite_config) as (client, service):
        answer = await client.post(f"{API}/tables", json={"game": "siege", "name": "Ada"}, headers=headers)
        assert answer.status_code == (201 if allowed else 403), answer.text
        assert sum((await _storage(service)).values()) == allowed


async def _storage(service: Any) -> dict[str, int]:
    from muniment.tables.admin import Admin

    return (await Admin(service.house, service.keeper).storage()).tables


@asynchronous
async def test_sizes_and_rates_are_limited(sqlite_config: Config) -> None:
    async with in_process(sqlite_config, body_limit=2000, requests_per_minute=30) as (client, _):
        big = await client.post(f"{API}/tables", json={"game": "siege", "name": "A" * 5000})
        assert big.status_code == 413

        async def drip() -> Any:
            for _ in range(50):
                yield b"x" * 100

        dripped = await client.post(f"{API}/tables", content=drip(), headers={"Content-Type": "application/json"})
        assert dripped.status_code == 413
        codes = [(await client.get(f"{API}/games")).status_code for _ in range(40)]
        assert codes[0] == 200
        assert codes[-1] == 429
        assert (await client.get("/healthz")).status_code == 200


@asynchronous
async def test_health_metrics_and_administration(sqlite_config: Config) -> None:
    async with in_process(sqlite_config, admin_secret=ADMIN) as (client, service):
        admin = {"Authorization": f"Bearer {ADMIN}"}
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        assert (await client.get("/metrics")).status_code == 404
        ada = await make(client, "standoff", **PAIR)
        joined = await client.post(f"{API}/links/{(await ada.look())['invite']}/seat", json={"name": "Ben"})
        ben = Player(client, joined.json())
        await ben.send("POST", "/talk", {"text": "Rude"})
        await ben.send("POST", "/talk", {"text": "Kind"})
        root = "/api/admin"
        assert (await client.get(f"{root}/tables")).status_code == 401
        assert (await client.get(f"{root}/tables", headers={"Authorization": "Bearer wrong"})).status_code == 401
        (table,) = (await client.get(f"{root}/tables", headers=admin)).json()["tables"]
        assert table["id"] == ada.table
        storage = (await client.get(f"{root}/storage", headers=admin)).json()
        assert storage["durability"]["synchronous"] == "2"
        talk = (await client.get(f"{root}/tables/{ada.table}/talk", headers=admin)).json()["talk"]
        gone = await client.delete(f"{root}/tables/{ada.table}/talk/{talk[0]['id']}", headers=admin)
        assert gone.status_code == 204
        assert [one["text"] for one in (await ada.look())["talk"]] == ["Kind"]
        service.house.bots = lambda game: ("random",)  # type: ignore[method-assign]
        assert (await client.delete(f"{root}/tables/{ada.table}/seats/1", headers=admin)).status_code == 204
        assert (await ben.send("GET", "")).status_code == 404
        seen = await ada.look()
        assert seen["table"]["seats"][1]["name"] == "removed"
        assert [one["name"] for one in seen["talk"]] == ["removed"]
        assert (await client.post(f"{root}/tables/{ada.table}/close", headers=admin)).status_code == 204
        assert (await client.post(f"{root}/tables/{ada.table}/close", headers=admin)).status_code == 409
        assert (await ada.look())["table"]["status"] == "closed"
        assert (await client.post(f"{root}/sweep", headers=admin)).json() == {"deleted": 0}
        assert (await client.delete(f"{root}/tables/{ada.table}", headers=admin)).status_code == 204
        assert (await ada.send("GET", "")).status_code == 404
        text = (await client.get("/metrics", headers=admin)).text
        assert 'route="/tables/{table}"' in text
        assert ada.table not in text
        for _ in range(12):
            wrong = await client.get(f"{root}/tables", headers={"Authorization": "Bearer wrong"})
        assert wrong.status_code == 429


@asynchronous
async def test_without_a_secret_there_is_no_administration(sqlite_config: Config) -> None:
    async with in_process(sqlite_config) as (client, _):
        for header in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer x"}):
            assert (await client.get("/api/admin/tables", headers=header)).status_code == 404
            assert (await client.get("/metrics", headers=header)).status_code == 404


@asynchronous
async def test_under_a_sub_path_behind_a_proxy(sqlite_config: Config) -> None:
    async with in_process(sqlite_config, public_url="https://example.org/games") as (client, _):
        for prefix in ("", "/games"):
            assert (await client.get(f"{prefix}{API}/games")).status_code == 200
        body = {"game": "siege", "name": "Ada"}
        own = await client.post(f"{API}/tables", json=body, headers={"Origin": "https://example.org"})
        assert own.status_code == 201
        assert "strict-transport-security" in own.headers
        other = await client.post(f"{API}/tables", json=body, headers={"Origin": "http://games.test"})
        assert other.status_code == 403


@asynchronous
async def test_streams_resume_and_end(sqlite_config: Config) -> None:
    async with in_process(sqlite_config) as (client, service):
        me = await make(client)
        from muniment.tables.values import Caller

        caller = Caller(me.headers["Authorization"][7:])
        seen = await me.look()
        stream = service.watch(me.table, caller, seen["version"])
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        answer = await me.move(seen["decision"], "end")
        assert await waiting == answer.json()["version"]
        resumed = service.watch(me.table, caller, seen["version"])
        assert await anext(resumed) == answer.json()["version"]
        service.close_streams()
        with pytest.raises(StopAsyncIteration):
            await anext(stream)
        with pytest.raises(StopAsyncIteration):
            await anext(resumed)
        refused = await me.move("x", "end")
        assert refused.status_code == 503
        assert (await client.get("/healthz")).status_code == 503
        service.house.stopping = False


@asynchronous
async def test_levels_over_the_api(sqlite_config: Config) -> None:
    async with in_process(sqlite_config, bot_processes=1) as (client, _):
        king = next(game for game in (await client.get(f"{API}/games")).json()["games"] if game["name"] == "king")
        assert [(level["name"], level["bot"]) for level in king["levels"]] == [
            ("Squire", "careless"), ("Castellan", "steward"), ("Regent", "marshal"),
        ]  # fmt: skip
        assert king["levels"][1]["rating"] == 1000
        schema = (await client.get(f"{API}/openapi.json")).json()["components"]["schemas"]
        assert set(schema["LevelModel"]["properties"]) == set(king["levels"][0])
        me = await make(client, "king", seats=[{"kind": "me"}, {"kind": "bot", "bot": "squire"}])
        assert (await me.look())["table"]["seats"][1]["bot"] == "careless"
        assert (await me.send("GET", "/stream?pace=3")).status_code == 422


@asynchronous
async def test_the_forms_offer_levels_first(sqlite_config: Config) -> None:
    async with in_process(sqlite_config, bot_processes=1) as (client, _):
        form = (await client.get("/new/king")).text
        values = re.findall(r'<option value="([^"]+)"', form.split('name="seat-1"')[1].split("</select>")[0])
        assert values == ["open", "bot careless", "bot steward", "bot marshal", "bot random"]
        assert all(level.sentence in form and f">{level.rating}<" in form for level in levels("king"))
        answer = await client.post("/new/king", data={"seats": "2", "seat-1": "open"})
        table = answer.headers["location"]
        lobby = (await client.get(table)).text
        assert re.search(r'<option value="steward" selected>Castellan ', lobby)
        await client.post(f"{table}/seat/1", data={"to": "bot", "bot": "marshal"})
        assert "<h2" in (page := (await client.get(table)).text)
        assert "Regent" in page
