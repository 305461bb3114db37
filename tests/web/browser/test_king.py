"""King of the Tabletop in real browsers: two people, one of them invited by a link, and two bots."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.browser.test_access import check

OpenPage = Callable[..., Page]
SKIP = ":not(.any-time *)"
ART = """[...document.querySelectorAll("main use")].map((one) => one.getAttribute("href"))
  .filter((symbol) => !document.querySelector(symbol))"""


def make_table(page: Page, *, turns: str = "", others: str = "bot careless") -> None:
    """A table for four from the form: an open seat for a friend, and two bots."""
    page.fill("#name", "Ada")
    page.select_option("#seat-2", others)
    page.select_option("#seat-3", others)
    page.fill("#option-turn_limit", turns)
    page.get_by_role("button", name="Begin").click()


def answer(page: Page) -> bool:
    """Answer what this seat is asked, as a person would click; whether it was asked anything."""
    if page.locator("#ending").count() or not page.locator("main[data-turn=you]").count():
        return False
    before = page.locator("main").get_attribute("data-version") or ""
    if page.locator("#picks-done").count():
        for pick in page.locator(".pick").all()[: 2 if page.locator("[name=action][value^=send]").count() else 20]:
            pick.click()
        page.click("#picks-done")
    elif page.locator("#line-done").count():
        page.click("#line-done")
    else:
        page.locator(f"#actions button.primary{SKIP}, #actions button{SKIP}").first.click()
    expect(page.locator("main")).not_to_have_attribute("data-version", before)
    if page.locator(".notice").count():  # an army that is too dear: send nobody
        page.reload()
        page.locator(".pick").first.click()
        page.click("#picks-done")
        expect(page.locator(".notice")).to_have_count(0)
    return True


def play_to_the_end(pages: list[Page], seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if all(page.locator("#ending").count() for page in pages):
            return
        if not sum(answer(page) for page in pages):
            pages[0].wait_for_timeout(100)
    pytest.fail(f"the game has not ended after {seconds:.0f} seconds")


def invited(open_page: OpenPage, host: Page, **more: str) -> Page:
    """A friend who opens the invitation and takes the seat."""
    link = host.locator("#invite").input_value()
    friend = open_page(re.sub(r"https?://[^/]+", "", link), viewport={"width": 360, "height": 740}, **more)
    expect(host.locator("h1")).to_contain_text("waiting for players")
    friend.fill("#name", "Ben")
    friend.get_by_role("button", name="Take the seat").click()
    return friend


def test_two_people_and_two_bots_play_to_the_end(open_page: OpenPage) -> None:
    host = open_page("/new/king")
    make_table(host, turns="1")
    friend = invited(open_page, host)
    expect(host.locator(".realm")).to_have_count(4)
    expect(host.locator("#realm-1 h2")).to_contain_text("Ben")
    assert host.evaluate(ART) == []
    friend.fill("#say", "Good luck!")
    friend.get_by_role("button", name="Say").click()
    expect(host.locator(".messages")).to_contain_text("Good luck!")
    expect(friend.locator("#say")).to_have_value("")
    play_to_the_end([host, friend], 150)
    for page in (host, friend):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    host.get_by_role("link", name="Look back").click()
    expect(host.get_by_text("Verified.")).to_be_visible()
    host.get_by_role("link", name="Replay it").click()
    expect(host.locator(".own summary")).to_have_count(4)


def test_a_last_war_and_victory_from_a_late_position(open_page: OpenPage, late_address: str) -> None:
    """Two people and two bots; odds before battles, reasons for what cannot be done, and the end of the game."""
    host = open_page("/new/king", base=late_address)
    make_table(host)
    friend = invited(open_page, host, base=late_address)
    expect(host.locator("#actions-title")).to_have_text("War or peace?")
    host.click("#act-attack-1")
    expect(host.locator("#actions-title")).to_have_text("Send an army")
    while host.locator(".pick").count():
        for pick in host.locator(".pick").all():
            pick.click()
        host.click("#picks-done")
        expect(host.locator("#picks-done")).to_have_count(0)
    seen: set[str] = set()
    until = time.monotonic() + 90
    while not host.locator("#ending").count() and time.monotonic() < until:
        for page, who in ((host, "host"), (friend, "friend")):
            for part in ("#outlook", "#battle-odds", "#refusals"):
                if page.locator(part).count():
                    seen.add(f"{who} {part}")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        builds = host.locator("#land-act-fort-forest-1")
        if builds.count():
            builds.click()
            expect(host.locator("#ending")).to_be_visible()
        elif not answer(host) and not answer(friend):
            host.wait_for_timeout(50)
    expect(host.locator("#ending-title")).to_have_text("Ada")
    expect(friend.locator("#ending")).to_be_visible()
    assert {"host #outlook", "host #battle-odds", "friend #outlook", "friend #refusals"} <= seen


@pytest.mark.slow
def test_a_whole_game(open_page: OpenPage) -> None:
    host = open_page("/new/king")
    make_table(host, others="bot steward")
    friend = invited(open_page, host)
    play_to_the_end([host, friend], 3600)


def test_an_invitation_alone_takes_no_seat(open_page: OpenPage) -> None:
    host = open_page("/new/king")
    make_table(host)
    link = re.sub(r"https?://[^/]+", "", host.locator("#invite").input_value())
    open_page(link)
    other = open_page(link)
    expect(other.locator(".seat-open")).to_have_count(1)
    watching = re.sub(r"https?://[^/]+", "", host.locator("#watching").input_value())
    watcher = open_page(watching)
    expect(watcher.locator("h1")).to_contain_text("waiting for players")
    assert watcher.locator("form[method=post]:not(.theme)").count() == 0


def test_the_guided_first_turn(open_page: OpenPage) -> None:
    page = open_page("/learn")
    page.click("#learn-king")
    expect(page.locator("#guide")).to_contain_text("Your first army")
    expect(page.locator("#actions-title")).to_have_text("Muster your army")


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_access(open_page: OpenPage, axe: str, width: int, scheme: str) -> None:
    page = open_page("/new/king", viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
    check(page, axe)
    page.select_option("#seat-1", "bot careless")
    make_table(page)
    kinds: set[str] = set()
    until = time.monotonic() + 40
    while len(kinds) < 5 and time.monotonic() < until:
        kind = page.locator("#actions-title").inner_text()
        if kind not in kinds and page.locator("main[data-turn=you]").count():
            kinds.add(kind)
            check(page, axe)
        if not answer(page):
            page.wait_for_timeout(100)
    assert len(kinds) >= 4
