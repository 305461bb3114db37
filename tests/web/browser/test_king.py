"""King of the Tabletop in real browsers: two people, one of them invited by a link, and two bots."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Locator, Page, expect

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


def pick(page: Page, most: int) -> None:
    """Tap so many tiles, one after the other: each goes from the first place to the second."""
    waiting = page.locator(".place").first.locator(".pick")
    for _ in range(min(most, waiting.count())):
        waiting.first.click()


def answer(page: Page) -> bool:
    """Answer what this seat is asked, as a person would click; whether it was asked anything."""
    if page.locator("#ending").count() or not page.locator("main[data-turn=you]").count():
        return False
    before = page.locator("main").get_attribute("data-version") or ""
    if page.locator("#picks-done").count():
        pick(page, 2 if page.locator("[name=action][value^=send]").count() else 20)
        page.click("#picks-done")
    elif page.locator("#hits-done").count():
        pick(page, int(page.locator("form:has(#hits-done)").get_attribute("data-most") or 0))
        page.click("#hits-done")
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
        pick(host, 20)
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


def against_bots(open_page: OpenPage, base: str, **more: object) -> Page:
    """A table of one person and three bots."""
    page = open_page("/new/king", base=base, **more)
    page.select_option("#seat-1", "bot careless")
    make_table(page)
    return page


def drag(page: Page, tile: Locator, place: Locator) -> None:
    """Take a tile and drop it on a place."""
    tile.scroll_into_view_if_needed()
    start, end = tile.bounding_box(), place.bounding_box()
    assert start
    assert end
    page.mouse.move(start["x"] + 12, start["y"] + 12)
    page.mouse.down()
    page.mouse.move(start["x"] + 30, start["y"] + 30, steps=3)
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + 14, steps=5)
    page.mouse.up()


def posted(page: Page, press: Callable[[], None]) -> list[str]:
    """The actions of the one request that pressing sends."""
    with page.expect_request(lambda request: request.method == "POST") as sent:
        press()
    return parse_qs(sent.value.post_data or "")["action"]


def test_hits_are_dragged_and_tapped_and_sent_as_one(open_page: OpenPage, hits_address: str) -> None:
    """K37: five hits on an army of seven, in one request."""
    page = against_bots(open_page, hits_address)
    expect(page.locator("#actions-title")).to_have_text("Place the hits")
    stand, hit = page.locator(".place").all()
    drag(page, stand.locator("li", has_text="Giant"), hit)
    expect(hit.locator("li")).to_have_count(1)
    for name in ("Dwarves", "Bear", "Elves", "Ghosts"):
        stand.locator("li", has_text=name).click()
    expect(hit.locator(".place-count")).to_have_text("5 / 5")
    drag(page, stand.locator("li", has_text="Troll"), stand)  # back to where it was: no click
    stand.locator("li", has_text="Troll").click()  # a sixth does not go there
    expect(hit.locator("li")).to_have_count(5)
    drag(page, hit.locator("li", has_text="Elves"), stand)
    page.locator("#hit-1").focus()
    page.keyboard.press("Space")
    expect(hit.locator("li")).to_have_count(5)
    actions = posted(page, lambda: page.click("#hits-done"))
    assert sorted(actions) == ["hit bear-2", "hit dwarves-3", "hit elves-2", "hit ghosts-f1", "hit giant-r4"]
    expect(page.locator("#hits-done")).to_have_count(0)
    expect(page.locator(".notice")).to_have_count(0)
    expect(page.locator("#log")).to_contain_text(re.compile(r"Ada loses .*elves", re.IGNORECASE))


def test_hits_without_scripts(open_page: OpenPage, hits_address: str) -> None:
    page = against_bots(open_page, hits_address, java_script_enabled=False)
    for number in (1, 2, 5, 6, 7):
        page.locator(f"#hit-{number}").check()
    page.click("#hits-done")
    expect(page.locator(".notice.bad")).to_have_count(0)
    expect(page.locator("#log")).to_contain_text(re.compile(r"Ada loses .*elves", re.IGNORECASE))


def test_an_army_is_sent_and_lined_up_by_dragging_and_tapping(open_page: OpenPage, late_address: str) -> None:
    """K30: by pointer, by tapping a tile and then a land, and by the list; each time one request."""
    page = against_bots(open_page, late_address)
    page.click("#act-attack-1")
    expect(page.locator("#picks-done")).to_be_visible()
    home, war = page.locator(".place").all()
    drag(page, home.locator("li", has_text="Cyclops"), war)
    home.locator("li", has_text="Giant").or_(home.locator("li", has_text="Great Hunter")).first.click()
    home.locator("li", has_text="Elves").first.click()
    assert len(posted(page, lambda: page.click("#picks-done"))) == 4  # three tiles, and that is all
    expect(page.locator("#picks-done")).to_have_count(0)
    while not page.locator("#line-done").count():
        answer(page)
        page.wait_for_timeout(50)
    first, second = page.locator(".place").all()
    expect(first.locator("li")).to_have_count(3)
    drag(page, first.locator("li", has_text="Cyclops"), second)
    expect(second.locator("li")).to_have_count(1)
    first.locator("li", has_text="Elves").locator(".tile").click()
    second.locator(".place-head").click()
    expect(second.locator("li")).to_have_count(2)
    second.locator("li", has_text="Cyclops").locator("select").select_option(label="Desert 2")
    expect(first.locator("li")).to_have_count(2)
    actions = posted(page, lambda: page.click("#line-done"))
    assert sorted(action.rsplit(" ", 1)[1] for action in actions) == ["desert-2", "desert-2", "plains-2"]
    expect(page.locator("#line-done")).to_have_count(0)
    expect(page.locator(".notice")).to_have_count(0)
    expect(page.locator("#log")).to_contain_text("Ada lines up")


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
    page.click("#this-table > summary")
    check(page, axe)
    page.click("#give-up > summary")
    page.click("#give-up button")
    expect(page.locator("#actions-title")).not_to_have_text("")
    check(page, axe)


def test_a_trade_is_offered_declined_accepted_and_withdrawn(open_page: OpenPage, late_address: str) -> None:
    """K53: instead of war one deal, between two browsers; only what is agreed changes hands."""
    host = open_page("/new/king", base=late_address)
    host.select_option("#option-trading", "true")
    make_table(host)
    friend = invited(open_page, host, base=late_address)
    gold = host.locator("#realm-1 dd").first

    def offer(page: Page, partner: int, amount: str) -> None:
        page.click(f"#act-trade-{partner}")
        page.select_option("#offer-gold-1", amount)
        page.click("#offer-done")

    offer(host, 1, "5")
    expect(friend.locator("#actions-title")).to_have_text("An offer for you")
    friend.click("#act-decline")
    expect(friend.locator("#actions-title")).to_have_text("War or peace?")
    expect(gold).to_contain_text("2")
    offer(friend, 0, "1")
    expect(host.locator("#actions-title")).to_have_text("An offer for you")
    host.click("#act-accept")
    expect(gold).to_contain_text("1")
    again = open_page("/new/king", base=late_address)
    again.select_option("#option-trading", "true")
    again.select_option("#seat-1", "bot careless")
    make_table(again)
    offer(again, 1, "0")
    expect(again.locator("#log")).to_contain_text("Ada withdraws")


SMALL = """[...document.querySelectorAll("main :is(button, select, summary, .button, input:not([type]))")]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 39.5).map((one) => one.outerHTML)"""


def test_a_table_with_all_lands_owned_is_usable_on_a_phone(open_page: OpenPage, crowded_address: str) -> None:
    """Forty lands, all that there are, twelve of them attacked: no sideways scrolling, everything to be tapped big."""
    page = against_bots(open_page, crowded_address, viewport={"width": 360, "height": 740}, has_touch=True)
    expect(page.locator(".land")).to_have_count(40)

    def usable() -> None:
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert page.evaluate(SMALL) == []

    usable()
    page.locator("#act-attack-1").tap()
    page.locator(".pick").nth(2).tap()
    page.locator(".pick").nth(4).tap()
    usable()
    page.locator("#picks-done").tap()
    expect(page.locator("#picks-done")).to_have_count(0)
    while not page.locator("#line-done").count():
        if page.locator("#act-stand").count():  # asked where the server's dice were low: away is no war
            page.click("#act-stand")
        else:
            answer(page)
        page.wait_for_timeout(50)
    expect(page.locator(".place")).to_have_count(12)
    usable()
    page.locator(".place li .tile").first.tap()
    page.locator(".place-head", has_text="Swamp 2").tap()
    expect(page.locator(".place", has_text="Swamp 2").last.locator("li")).to_have_count(1)
