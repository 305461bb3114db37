"""What a browser gets instead of a page; and static files, which are seen at once when they change."""

from __future__ import annotations

import re
from typing import Any

import pytest

from muniment.tables.config import Config
from muniment.web import pages
from muniment.web.static_files import static_version
from tests.tables.helpers import asynchronous
from tests.web.client import API, in_process
from tests.web.test_hostile import LEAKS

BROWSER = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}


@asynchronous
async def test_the_guard_answers_browsers_with_pages(sqlite_config: Config) -> None:
    async with in_process(sqlite_config, body_limit=2000, requests_per_minute=30) as (client, _):
        foreign = {**BROWSER, "Origin": "http://elsewhere.test"}
        refused = [
            await client.post("/theme", headers=foreign),
            await client.post("/theme", headers=BROWSER, data={"back": "x" * 5000}),
            await client.get("/nowhere", headers=BROWSER),
        ]
        plain = await client.post("/theme", headers={**foreign, "Accept": "*/*"})
        api = await client.post(f"{API}/tables", headers=foreign, json={})
        while (answer := await client.get("/", headers=BROWSER)).status_code == 200:
            pass
        refused.append(answer)
        assert [one.status_code for one in refused] == [403, 413, 404, 429]
        for one in refused:
            assert one.headers["content-type"] == "text/html; charset=utf-8"
            assert one.headers["cache-control"] == "no-store"
            assert "default-src 'none'" in one.headers["content-security-policy"]
            assert "<h1>" in one.text
            assert not LEAKS.search(one.content)
        assert int(refused[-1].headers["retry-after"]) > 0
        assert plain.json()["error"]["code"] == api.json()["error"]["code"] == "cross-site"


@asynchronous
async def test_our_own_fault_is_a_page_without_particulars(
    sqlite_config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("the secret particulars in some_file.py")

    async with in_process(sqlite_config) as (client, _):
        monkeypatch.setattr(pages, "caller_of", broken)
        answer = await client.get("/mine", headers=BROWSER)
        assert answer.status_code == 500
        assert "<h1>The bridge is down</h1>" in answer.text
        assert not LEAKS.search(answer.content)
        assert "particulars" not in answer.text
        assert (await client.get("/mine")).json()["error"]["code"] == "failed"


@asynchronous
async def test_static_files_carry_the_digest_of_them_all(sqlite_config: Config) -> None:
    async with in_process(sqlite_config, requests_per_minute=0) as (client, _):
        found = set(re.findall(r'"(/static/[^"]+)"', (await client.get("/")).text))
        main = f"/static/{static_version()}/js/main.js"
        assert main in found
        for address in found:
            answer = await client.get(address)
            assert answer.status_code == 200
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        for module in re.findall(r'from "\./([^"]+)"', (await client.get(main)).text):
            assert (await client.get(main.replace("main.js", module))).status_code == 200
        for address in ("/static/js/main.js", f"/static/{'0' * 12}/js/main.js"):
            answer = await client.get(address)
            assert answer.headers["cache-control"] == "no-cache"
            again = await client.get(address, headers={"If-None-Match": answer.headers["etag"]})
            assert again.status_code == 304
        for address in ("/static/", f"/static/{static_version()}/", "/static/%2e%2e/app.py", "/static/../app.py"):
            assert (await client.get(address)).status_code == 404
