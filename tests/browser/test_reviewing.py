"""Drafts of what sessions taught are decided about by keyboard alone: one key a draft, the next one is at hand."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.site import OWNER, Site

DRAFTS = 20


def statuses(page: Page) -> list[str | None]:
    return [item.get_attribute("data-artifact") for item in page.locator("[data-review] > li").all()]


def decide(page: Page, number: int, key: str, status: str) -> None:
    page.keyboard.press(key)
    expect(page.locator("[data-review] > li").nth(number)).to_have_attribute("data-artifact", status)


def test_it_works(opened: Opened, site: Site) -> None:
    """Twenty drafts take twenty keys."""
    address = site.drafts(site.conversation("Teaches much"), DRAFTS)
    page = opened(OWNER)
    page.goto(address)
    expect(page.locator("[data-review] > li")).to_have_count(DRAFTS)
    for number in range(DRAFTS):
        key, status = ("x", "rejected") if number % 4 == 3 else ("a", "accepted")
        decide(page, number, key, status)
        if number + 1 < DRAFTS:
            expect(page.locator("[data-review] > li").nth(number + 1)).to_be_focused()
    assert statuses(page).count("accepted") == 15
    page.reload()
    expect(page.get_by_role("heading", name="To decide: 0")).to_be_visible()
    expect(page.locator("[data-artifact=accepted]")).to_have_count(15)
    expect(page.locator("[data-artifact=rejected]")).to_have_count(5)


def test_moving_editing_and_taking_back(opened: Opened, site: Site) -> None:
    address = site.drafts(site.conversation("Teaches little"), 3)
    page = opened(OWNER)
    page.goto(address)
    items = page.locator("[data-review] > li")
    page.keyboard.press("j")
    expect(items.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(items.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(items.nth(0)).to_be_focused()
    page.keyboard.press("e")
    words = items.nth(0).get_by_label("In your words")
    expect(words).to_be_focused()
    words.fill("Harbour x opens at noon.")  # What is typed there is no command.
    assert statuses(page) == ["draft"] * 3
    page.keyboard.press("Tab")
    decide(page, 0, "a", "accepted")
    expect(items.nth(0)).to_contain_text("Harbour x opens at noon.")
    page.keyboard.press("k")
    decide(page, 0, "u", "draft")
