"""The pages over the real service: what they show, that nothing in them breaks the content policy, that forms work."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html.parser import HTMLParser

import httpx
import pytest

from muniment.games.catalog import TITLES, rulebook_of
from muniment.games.siege import Siege
from muniment.games.siege.actions import ACTIONS
from muniment.tables.config import Config
from tests.tables.helpers import asynchronous
from tests.web.client import in_process

BROWSER = {"Origin": "http://games.test", "Sec-Fetch-Site": "same-origin"}
VOID = {"meta", "link", "input", "br", "hr", "img", "path", "circle", "rect", "ellipse", "use"}


class Checker(HTMLParser):
    """Collects what the policy forbids, ids, labels' targets, and elements that were never closed."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if "style" in given or any(name.startswith("on") for name in given):
            self.faults.append(f"<{tag} {attrs}>")
        if tag in ("script", "style") and not given.get("src"):
            self.faults.append(f"<{tag}> of its own")
        for name in ("src", "href", "action"):
            address = given.get(name) or ""
            if re.match(r"(https?:)?//", address) and not address.startswith("http://games.test/"):
                self.faults.append(f"another site: {address}")
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if tag == "label" and given.get("for"):
            self.targets.append(str(given["for"]))
        if given.get("popovertarget"):
            self.targets.append(str(given["popovertarget"]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes something else")


def checked(answer: httpx.Response, status: int = 200) -> str:
    """The text of a page, after checking what holds for every page."""
    assert answer.status_code == status, answer.text[:2000]
    text = answer.text
    checker = Checker()
    checker.feed(text)
    assert not checker.faults
    assert not checker.open
    assert len(checker.ids) == len(set(checker.ids))
    assert set(checker.targets) <= set(checker.ids)
    assert answer.headers["cache-control"] == "no-store"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    return text


def field(text: str, name: str) -> str:
    """The value of the first field of this name."""
    found = re.search(rf'name="{name}" value="([^"]*)"', text)
    assert found is not None
    return html.unescape(found[1])


@asynccontextmanager
async def browser(config: Config) -> AsyncIterator[httpx.AsyncClient]:
    """A client that behaves as a browser does."""
    async with in_process(config) as (client, _):
        client.headers.update(BROWSER)
        client.follow_redirects = True
        yield client


async def start(client: httpx.AsyncClient, **form: str) -> tuple[str, str]:
    """A siege's address and page."""
    answer = await client.post("/new/siege", data=form)
    return answer.url.path, checked(answer)


async def move(client: httpx.AsyncClient, path: str, text: str, *actions: str, status: int = 200) -> str:
    """Send actions as the page's form does."""
    data = {"decision": field(text, "decision"), "key": field(text, "key"), "action": list(actions)}
    return checked(await client.post(f"{path}/act", data=data), status)


@asynchronous
async def test_pages_to_read(sqlite_config: Config) -> None:
    async with browser(sqlite_config) as client:
        for path in ("/", "/rules", "/learn", "/about", "/watch", "/mine", "/new/siege"):
            checked(await client.get(path))
        assert "no such page" in checked(await client.get("/nowhere"), 404)
        checked(await client.get("/t/0123456789"), 404)
        checked(await client.get("/new/chess"), 404)
        checked(await client.get("/rules/chess"), 404)
        checked(await client.get("/join/nothing"), 404)
        checked(await client.get("/admin"), 404)


@asynchronous
async def test_every_rule_and_ruling_has_its_anchor(sqlite_config: Config) -> None:
    async with browser(sqlite_config) as client:
        for game in TITLES:
            text = checked(await client.get(f"/rules/{game}"))
            for rule in rulebook_of(game).rules:
                assert f'id="{rule.id}"' in text
        found = checked(await client.get("/rules/siege", params={"q": "S12"}))
        assert 'id="S12"' in found
        assert 'id="S13"' not in found
        hostile = checked(await client.get("/rules/siege", params={"q": "<script>alert(1)</script>"}))
        assert "&lt;script&gt;" in hostile


@asynchronous
async def test_a_siege_shows_every_action_with_its_odds_or_the_reason(sqlite_config: Config) -> None:
    async with browser(sqlite_config) as client:
        _, text = await start(client)
        plain = html.unescape(text)
        offered = [action for action in ACTIONS if action.notation != "fight all"]  # an option, off by default
        for action in offered:
            if action.notation == "end":
                assert 'id="act-end"' in text
            else:
                assert action.sentence in plain
        refused = re.search(r"Not possible now, and why \((\d+)\)", plain)
        assert refused is not None
        possible = len(set(re.findall(r'id="act-([a-z-]+)"', text)))
        assert possible + int(refused[1]) == len(offered)
        rules = set(re.findall(r'/rules/siege#([\w.]+)"', text))
        assert rules <= {rule.id for rule in Siege.rulebook().rules}


@asynchronous
async def test_moves_by_form(sqlite_config: Config) -> None:
    async with browser(sqlite_config) as client:
        path, text = await start(client)
        moved = await move(client, path, text, "enter")
        assert "in the near tunnel" in moved
        again = await move(client, path, text, "enter")  # the same key: a retry, and no second move
        assert again.count("Soldiers enter the tunnel.") == moved.count("Soldiers enter the tunnel.")
        refused = await move(client, path, moved, "raid", status=409)
        assert "The soldiers are not in the enemy lines" in refused
        nonsense = await move(client, path, moved, "dance", status=422)
        assert 'class="notice bad"' in nonsense
        undone = checked(await client.post(f"{path}/undo", data={"key": field(moved, "key") + "u"}))
        assert "in the castle" in undone


@asynchronous
async def test_a_name_is_only_ever_text(sqlite_config: Config) -> None:
    async with browser(sqlite_config) as client:
        await start(client, name='<b>"Ada" & {{ base }}</b>')
        text = checked(await client.get("/mine"))
        assert "<b>&#34;Ada" not in text.replace("&lt;b&gt;", "")
        assert "&lt;b&gt;" in text


@asynchronous
async def test_a_finished_siege_is_looked_back_at(sqlite_config: Config) -> None:
    async with browser(sqlite_config) as client:
        path, text = await start(client, hold="on")
        seal = re.search(r'<code class="seal-code">([0-9a-f]{64})</code>', text)
        assert seal
        text = checked(await client.post(f"{path}/mix", data={"nonce": "my own words"}))
        checked(await client.get(f"{path}/after"), 409)
        while 'id="ending"' not in text:
            fights = re.search(r'value="(fight [a-z-]+)"', text)  # it may be mandatory
            text = await move(client, path, text, fights[1] if fights else "end")
        assert "rule" in text
        after = checked(await client.get(f"{path}/after"))
        assert "Verified." in after
        assert seal[1] in after
        assert "my-own-words" in after
        assert f'href="{path}/review"' in after
        record = await client.get(f"{path}/record")
        assert record.text.startswith("muniment record 1")
        assert "attachment" in record.headers["content-disposition"]
        first = checked(await client.get(f"{path}/replay"))
        assert "The set-up." in first
        last = checked(await client.get(f"{path}/replay", params={"step": "999999"}))
        assert re.search(r"(\d+) / \1<", last)
        checked(await client.get(f"{path}/replay", params={"step": "-1"}))


@asynchronous
async def test_guide_theme_and_names_are_kept(sqlite_config: Config) -> None:
    async with browser(sqlite_config) as client:
        path, text = await start(client, guide="on", name="Ada")
        assert 'id="guide"' in text
        text = checked(await client.post(f"{path}/guide", data={"guide": "off"}))
        assert 'id="guide"' not in text
        text = checked(await client.post("/theme", data={"theme": "dark", "back": "/about"}))
        assert '<html lang="en" data-theme="dark">' in text
        away = await client.post("/theme", data={"theme": "", "back": "//evil.test/"}, follow_redirects=False)
        assert away.headers["location"] == "/"
        assert 'value="Ada"' in checked(await client.get("/new/siege"))


@asynchronous
async def test_who_only_watches_gets_no_form_to_move_with(sqlite_config: Config) -> None:
    async with browser(sqlite_config) as client:
        path, text = await start(client)
        watching = re.search(r"/watch/([\w-]+)", text)
        assert watching is not None
        client.cookies.clear()
        checked(await client.get(path), 404)
        seen = checked(await client.get(f"/watch/{watching[1]}"))
        assert 'name="action" value' not in seen
        assert 'name="decision" value=""' in seen
        checked(await client.post(f"{path}/act", data={"decision": "1", "action": "end"}), 404)


@asynchronous
async def test_a_sub_path(sqlite_config: Config) -> None:
    from dataclasses import replace

    config = replace(sqlite_config, public_url="https://games.test/muniment")
    async with in_process(config) as (client, _):
        client.headers.update({"Origin": "https://games.test"})
        made = await client.post("/muniment/new/siege", follow_redirects=False)
        assert made.headers["location"].startswith("/muniment/t/")
        cookie = made.headers["set-cookie"]
        assert "Path=/muniment/" in cookie
        assert "HttpOnly" in cookie
        assert "SameSite=lax" in cookie
        assert "Secure" in cookie
        text = (await client.get("/muniment/about")).text
        for address in re.findall(r'(?:href|src|action)="([^"#]+)"', text):
            assert address.startswith("/muniment/"), address
        sheet = re.search(r'href="([^"]+base\.css[^"]*)"', text)
        assert sheet is not None
        assert (await client.get(sheet[1])).status_code == 200


@asynchronous
async def test_the_administrators_page_needs_the_secret(sqlite_config: Config) -> None:
    from dataclasses import replace

    async with browser(replace(sqlite_config, admin_secret="correct horse battery")) as client:
        path, _ = await start(client)
        table = path.rpartition("/")[2]
        assert "secret" in checked(await client.get("/admin"))
        checked(await client.get(f"/admin/table/{table}"), 403)
        checked(await client.post("/admin/change", data={"do": "delete", "table": table}), 403)
        checked(await client.post("/admin", data={"secret": "wrong"}), 403)
        assert table in checked(await client.post("/admin", data={"secret": "correct horse battery"}))
        checked(await client.get(f"/admin/table/{table}"))
        closed = checked(await client.post("/admin/change", data={"do": "close", "table": table}))
        assert "closed" in closed
        checked(await client.post("/admin/change", data={"do": "delete", "table": table}))
        checked(await client.get(path), 404)
        client.cookies.set("muniment_admin", "99999999999.00", path="/admin")
        client.cookies.delete("muniment_admin", path="/admin", domain="games.test")
        assert "secret" in checked(await client.get("/admin"))


@pytest.mark.parametrize("tries", [12])
@asynchronous
async def test_the_administrators_secret_cannot_be_guessed_fast(sqlite_config: Config, tries: int) -> None:
    from dataclasses import replace

    async with browser(replace(sqlite_config, admin_secret="correct horse battery")) as client:
        answers = [(await client.post("/admin", data={"secret": f"guess {n}"})).status_code for n in range(tries)]
        assert answers[-1] == 429
