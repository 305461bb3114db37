"""No page has a serious fault of accessibility, in light and dark, at phone and desktop width; nothing overflows."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

OpenPage = Callable[..., Page]
RUN = """async () => (await axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa",
  "best-practice"]})).violations.map((v) => `${v.impact} ${v.id}: ${v.nodes[0].html.slice(0, 200)}`)"""
PAGES = ("/", "/learn", "/rules", "/rules/siege", "/rules/siege?q=wall", "/rules/king", "/about", "/watch", "/mine",
         "/new/siege", "/nowhere", "/admin")  # fmt: skip


def check(page: Page, axe: str) -> None:
    """Raises if axe finds anything, or the page is wider than its window."""
    page.evaluate("scrollTo(0, 0)")  # what the fixed head of a page covers just now is no smaller for it
    page.evaluate(axe)
    found = page.evaluate(RUN)
    assert not found, f"{page.url}: {found}"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages(open_page: OpenPage, axe: str, width: int, scheme: str) -> None:
    page = open_page(viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
    for path in PAGES:
        page.goto(re.sub(r"(https?://[^/]+).*", r"\1", page.url) + path)
        check(page, axe)


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (1280, "dark")])
def test_a_siege_from_its_beginning_to_looking_back(open_page: OpenPage, axe: str, width: int, scheme: str) -> None:
    page = open_page("/learn", viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
    page.click("#learn-siege")
    expect(page.locator("#turnbar")).to_be_visible()
    check(page, axe)
    page.click("#piece-battering-ram")
    check(page, axe)
    page.keyboard.press("Escape")
    page.click("#refusals > summary")
    page.locator("#actions .more summary").first.click()
    check(page, axe)
    for number in range(300):
        if page.locator("#ending").count():
            break
        before = page.locator("main").get_attribute("data-version") or ""
        page.locator("#actions .act:not([value^=extra]), #act-end").last.click()
        expect(page.locator("main")).not_to_have_attribute("data-version", before)
        if number == 9:
            check(page, axe)
    check(page, axe)
    table = page.url
    for path in ("/after", "/replay?step=7"):
        page.goto(table + path)
        check(page, axe)
