"""Journeys: prepare a handoff, edit it, hand it over, accept it, resume from it, erase all of it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.site import DECISION, Site

ADDED = "The harbour office closes at six."


def test_it_works(page: Page, site: Site) -> None:
    page.goto(f"/conversations/{site.conversation('Made in the browser')}")
    page.get_by_role("button", name="Prepare handoff").click()
    page.get_by_role("link", name="Open the handoff").click()
    expect(page.locator("#panel")).to_contain_text(DECISION)


def test_budget_slider_shows_what_fits_before_anything_is_made(page: Page, site: Site) -> None:
    page.goto(f"/conversations/{site.conversation('Sliding')}")
    page.get_by_text("More options").click()
    slider = page.get_by_label("Slide the budget")
    slider.focus()
    slider.press("End")
    preview = page.locator("#preview")
    expect(preview).to_contain_text("of 16,000 tokens")
    slider.press("Home")
    expect(preview).to_contain_text("of 500 tokens")
    expect(preview).to_contain_text("its check")
    expect(page.get_by_label("Budget in tokens")).to_have_value("500")
    expect(page.get_by_text("None yet.")).to_be_visible()


def test_line_that_is_added_stands_in_the_package_until_it_is_undone(page: Page, site: Site) -> None:
    page.goto(f"/handoffs/{site.handoff(site.conversation('Edited'))}")
    parts = page.get_by_role("navigation", name="Parts of the handoff")
    parts.get_by_role("link", name="Edit", exact=True).click()
    page.get_by_label("Text", exact=True).fill(ADDED)
    page.get_by_role("button", name="Add and pin").click()
    expect(page.locator("#panel .lines", has_text=ADDED)).to_be_visible()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_role("heading", name="Handoff 1")).to_be_visible()
    expect(page.locator("#panel .lines", has_text=ADDED)).to_have_count(0)


def test_teammate_accepts_what_is_handed_over_and_it_is_theirs(page: Page, opened: Opened, site: Site) -> None:
    address = f"/handoffs/{site.handoff(site.conversation('Handed to Jonas'))}"
    teammate = opened(site.teammate())
    page.goto(address)
    page.get_by_label("To whom").select_option("jonas@example.com")
    page.get_by_role("button", name="Offer").click()
    expect(page.get_by_text("Offered to Jonas").first).to_be_visible()
    teammate.goto("/")
    teammate.locator("#needs").get_by_role("link", name="Handoff 1 of Handed to Jonas", exact=True).click()
    teammate.get_by_role("button", name="Accept").click()
    expect(teammate.get_by_role("button", name="Accept")).to_have_count(0)
    expect(teammate.get_by_text("You have it now", exact=True)).to_be_visible()
    page.goto(address)
    expect(page.get_by_text("Jonas has it now")).to_be_visible()


def test_resuming_opens_a_conversation_that_knows_where_it_came_from(page: Page, site: Site) -> None:
    conversation = site.conversation("Goes on elsewhere")
    page.goto(f"/handoffs/{site.handoff(conversation)}")
    page.get_by_text("Resume here, and copy the directive").click()
    page.get_by_label("Tool", exact=True).fill("codex")
    page.get_by_role("button", name="Resume", exact=True).click()
    page.get_by_role("link", name="Open the new conversation").click()
    expect(page.get_by_text("Continues")).to_be_visible()
    expect(page.get_by_role("link", name="Goes on elsewhere")).to_be_visible()


def test_erased_conversation_is_gone_with_its_handoff(page: Page, site: Site) -> None:
    conversation = site.conversation("Not to be kept")
    handoff = site.handoff(conversation)
    page.goto(f"/conversations/{conversation}")
    page.get_by_role("link", name="End or erase").click()
    page.get_by_label("for good").check()
    page.get_by_role("button", name="Erase for good").click()
    page.wait_for_url(lambda address: conversation not in address)
    for gone in (f"/conversations/{conversation}", f"/handoffs/{handoff}"):
        answer = page.goto(gone)
        assert answer is not None
        assert answer.status in (404, 410)
