"""9 Card Siege in a real browser, played as people play it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

OpenPage = Callable[..., Page]


def start(page: Page) -> None:
    page.click("#start-siege")
    expect(page.locator("#turnbar h1")).to_contain_text("Day 1")


def version(page: Page) -> str:
    return page.locator("main").get_attribute("data-version") or ""


def played(page: Page, before: str) -> None:
    """Wait until the move is shown."""
    expect(page.locator("main")).not_to_have_attribute("data-version", before)


def focus_is_in(page: Page, selector: str) -> bool:
    return bool(page.evaluate("(s) => Boolean(document.activeElement?.closest(s))", selector))


def tab_to(page: Page, selector: str, most: int = 80) -> None:
    for _ in range(most):
        if focus_is_in(page, selector):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the keyboard does not reach {selector}")


def test_a_whole_siege_with_the_keyboard_alone(open_page: OpenPage) -> None:
    page = open_page()
    tab_to(page, "#start-siege")
    page.keyboard.press("Enter")
    expect(page.locator("#turnbar")).to_be_visible()
    for _ in range(300):
        if page.locator("#ending").count():
            break
        wanted = "#actions .act" if page.locator("#actions .act:not([value^=extra])").count() else "#act-end"
        if not focus_is_in(page, wanted):
            tab_to(page, wanted)
        before = version(page)
        page.keyboard.press("Enter")
        played(page, before)
    expect(page.locator("#ending h2")).to_contain_text(re.compile("The fortress has"))
    expect(page.locator("#ending .rule-link")).to_be_visible()
    tab_to(page, ".ending-links a")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Verified.")).to_be_visible()
    tab_to(page, "a[href$='/replay']")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/replay$"))
    tab_to(page, "#step")
    page.keyboard.press("End")
    total = page.locator("#step").get_attribute("max") or ""
    expect(page).to_have_url(re.compile(f"step={total}$"))
    expect(page.locator(".replay-now")).to_contain_text(re.compile("Victory|Defeat"))


def test_the_board_is_played_by_touching_it(open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 360, "height": 740}, has_touch=True)
    start(page)
    before = version(page)
    page.locator(".board-status .badge.tunnel.p1").tap()
    played(page, before)
    expect(page.locator("#piece-soldiers")).to_have_accessible_name(re.compile("near tunnel"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_undo_takes_back_what_no_die_followed(open_page: OpenPage) -> None:
    page = open_page()
    start(page)
    expect(page.locator("#undo")).to_be_disabled()
    before = version(page)
    page.click("#act-enter")
    played(page, before)
    page.click("#undo")
    expect(page.locator("#piece-soldiers")).to_have_accessible_name(re.compile("castle"))
    expect(page.locator("#undo")).to_be_disabled()


def test_a_piece_tells_what_can_be_done_and_why_not(open_page: OpenPage) -> None:
    page = open_page()
    start(page)
    page.click("#piece-soldiers")
    about = page.locator("#about-piece-soldiers")
    expect(about).to_be_visible()
    expect(about).to_contain_text("The soldiers are not in the enemy lines")
    link = about.locator(".rule-link").last
    target = link.get_attribute("href") or ""
    assert re.fullmatch(r"/rules/siege#[\w.]+", target)
    page.keyboard.press("Escape")
    expect(about).to_be_hidden()


def test_dice_tumble_before_the_board_changes(open_page: OpenPage) -> None:
    page = open_page(motion=True)
    start(page)
    for _ in range(40):
        shots = page.locator("#actions .act[value^=archers]")
        before = version(page)
        if shots.count():
            shots.first.click()
            expect(page.locator(".tray.rolling .die")).to_be_visible()
            break
        page.click("#act-end")
        played(page, before)
    expect(page.locator("main")).not_to_have_attribute("data-version", before)
    expect(page.locator("#rolls .roll-what")).to_contain_text("Archers shoot")
    expect(page.locator(".tray")).to_have_count(0)


def test_dice_of_ones_own(open_page: OpenPage) -> None:
    page = open_page("/new/siege")
    page.get_by_label(re.compile("I roll my own dice")).check()
    page.get_by_role("button", name="Begin").click()
    expect(page.locator("#own-title")).to_contain_text("Draw the top card")
    page.click("#own-3")
    expect(page.locator("#card-title")).to_have_text("Supplies Spoiled")
    page.click("#act-archers-ladders")
    expect(page.locator("#own-title")).to_have_text("Roll your die")
    expect(page.locator(".own-dice")).to_contain_text("Archers shoot at the ladders")
    page.click("#own-6")
    expect(page.locator("#piece-ladders")).to_have_accessible_name(re.compile("on the start"))
    page.click("#undo")
    expect(page.locator("#own-title")).to_have_text("Roll your die")


def test_a_watcher_sees_moves_as_they_come_and_cannot_move(open_page: OpenPage) -> None:
    player = open_page()
    start(player)
    player.locator(".table-tools > details > summary").click()
    link = player.locator(".tools a[href*='/watch/']").get_attribute("href") or ""
    watcher = open_page(link)
    expect(watcher.locator("#actions-title")).to_have_text("What the player can do")
    assert watcher.locator("button[name=action]").count() == 0
    before = version(watcher)
    player.click("#act-enter")
    played(watcher, before)
    expect(watcher.locator("#piece-soldiers")).to_have_accessible_name(re.compile("near tunnel"))


def test_a_seat_moves_to_another_device_once(open_page: OpenPage) -> None:
    page = open_page()
    start(page)
    table = page.url
    page.locator(".table-tools > details > summary").click()
    page.get_by_role("button", name="Play on another device").click()
    link = page.locator("#link").input_value()
    other = open_page("/about")
    other.goto(link)
    other.get_by_role("button", name="Move the seat here").click()
    expect(other).to_have_url(table)
    expect(other.locator("#act-end")).to_be_visible()
    page.goto(table)
    assert page.locator("#act-end").count() == 0
    other.goto(link)
    expect(other.locator("h1")).to_have_text("Not here")


def test_without_scripts_a_turn_is_played_by_plain_forms(open_page: OpenPage) -> None:
    page = open_page(java_script_enabled=False)
    start(page)
    first = page.locator(".turnbar h1").inner_text()
    page.click("#act-enter")
    expect(page.locator("#piece-soldiers")).to_have_accessible_name(re.compile("near tunnel"))
    page.click("#act-end")
    expect(page.locator(".turnbar h1")).not_to_have_text(first)


def test_two_tabs_of_one_player_stay_together_and_a_late_move_is_refused(open_page: OpenPage) -> None:
    page = open_page(java_script_enabled=False)
    start(page)
    late = page.context.new_page()
    late.goto(page.url)
    page.click("#act-enter")
    late.click("#act-end")
    expect(late.locator(".notice")).to_contain_text("has passed")
    expect(late.locator("#piece-soldiers")).to_have_accessible_name(re.compile("near tunnel"))


def test_the_guide_explains_things_when_they_first_matter(open_page: OpenPage) -> None:
    page = open_page("/learn")
    page.click("#learn-siege")
    guide = page.locator("#guide")
    expect(guide).to_contain_text("You hold a castle for three days")
    page.click("#act-enter")
    expect(guide).to_contain_text("Into the tunnel")
    expect(guide.locator(".lessons")).not_to_contain_text("three days")
    guide.get_by_role("button", name="I know enough").click()
    expect(guide).to_have_count(0)


SHARES_SHOWN = """window.shown = [];
  new MutationObserver(() => {
    const text = document.querySelector("#share")?.textContent;
    if (text && text !== shown.at(-1)) shown.push(text);
  }).observe(document, {childList: true, subtree: true, characterData: true});"""


def test_what_is_being_computed_is_followed_by_itself(open_page: OpenPage) -> None:
    """A part of the table's page that says it is not ready yet is asked for again, alone, until it is."""
    page = open_page()
    start(page)
    asked = 0

    def unready(route: Route) -> None:
        nonlocal asked
        asked += 1
        mark = f'<p data-again="0.1" id="share">{asked} %</p></section>' if asked < 4 else "</section>"
        answer = route.fetch()
        head, chances, tail = answer.text().partition('<section class="chances"')
        assert chances
        route.fulfill(response=answer, body=head + chances + tail.replace("</section>", mark, 1))

    page.route(page.url, unready)
    page.add_init_script(SHARES_SHOWN)  # each stands for a moment only
    page.reload()
    expect(page.locator("#share")).to_have_count(0)
    assert page.evaluate("shown") == ["1 %", "2 %", "3 %"]
    assert asked == 4
