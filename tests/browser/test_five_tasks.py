"""Five things that people come for, each done from the pages alone, by what stands on them."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.site import DECISION, Site


def test_it_works(page: Page, site: Site) -> None:
    """Find what needs me."""
    site.handoff(site.conversation("Needs a review"), draft=True)
    page.goto("/")
    expect(page).to_have_title(re.compile(r"^\(\d+\+?\) Home"))
    page.get_by_role("link", name="Review: Needs a review").click()
    expect(page.get_by_text("read the draft, change what is wrong, and make it ready.")).to_be_visible()
    page.get_by_role("button", name="Make ready").click()
    expect(page.get_by_role("link", name="Resume now")).to_be_visible()


def test_hand_a_session_to_a_colleague(page: Page, opened: Opened, site: Site) -> None:
    teammate = opened(site.teammate())
    page.goto(f"/conversations/{site.conversation('For Jonas')}")
    page.get_by_role("link", name="Hand over to a teammate").click()
    page.get_by_label("To whom").select_option("jonas@example.com")
    page.get_by_label("Note for them").fill("The lease test is left.")
    page.get_by_role("button", name="Prepare and offer it").click()
    expect(page.get_by_text("Waiting for Jonas")).to_be_visible()
    teammate.goto("/")
    teammate.get_by_role("link", name="Review: For Jonas").click()
    expect(teammate.get_by_text("“The lease test is left.”")).to_be_visible()
    teammate.get_by_role("button", name="Accept").click()
    expect(teammate.get_by_text("Accepted: you have it now.")).to_be_in_viewport()
    expect(teammate.get_by_text("“The lease test is left.”")).to_be_in_viewport()
    teammate.goto("/")
    teammate.get_by_role("link", name="Resume: For Jonas").click()
    expect(teammate.get_by_role("heading", name="Resume", exact=True)).to_be_in_viewport()


def test_find_out_why_a_decision_was_taken(page: Page, site: Site) -> None:
    conversation = site.conversation("A choice of stores")
    site.handoff(conversation)  # What was said is read for it.
    page.goto(f"/conversations/{conversation}")
    page.get_by_role("link", name="Knowledge", exact=True).click()
    page.get_by_label("Contains").fill("Postgres")
    page.get_by_label("Contains").press("Enter")
    decided = page.locator("#results li", has_text=DECISION).first
    decided.get_by_role("link", name=re.compile(r"^message \d+$")).click()
    expect(page.locator(".message.found")).to_contain_text(DECISION)
    expect(page.get_by_text("Should the queue live in Redis or in Postgres?")).to_be_visible()


def test_see_what_changed_between_two_handoffs(page: Page, site: Site) -> None:
    conversation = site.conversation("Two handoffs")
    site.handoff(conversation)
    site.say(conversation, "Never delete a lease by hand.", "I won't.")
    site.handoff(conversation)
    page.goto(f"/conversations/{conversation}")
    page.get_by_text("1 earlier version").click()
    page.get_by_role("link", name="Handoff 2").click()
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(page.locator("#panel")).to_contain_text("2 new, 1 changed.")
    new = page.get_by_role("region", name="New", exact=True)
    expect(new).to_contain_text("Never delete a lease by hand.")
    expect(new).to_contain_text("Wait for the user")


def test_set_when_handoffs_happen(page: Page, site: Site) -> None:
    page.goto("/")
    page.keyboard.press("Control+k")
    page.keyboard.type("when to hand")
    page.keyboard.press("Enter")
    page.get_by_label("Slide: Hand off at (% of the window)").evaluate(
        "slider => { slider.value = 88; slider.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    expect(page.locator("#past")).to_contain_text("reached 88%")
    page.get_by_label("Hand off at (% of the window)", exact=True).evaluate(
        "field => { field.value = 89; field.dispatchEvent(new Event('change', { bubbles: true })); }"
    )
    expect(page.locator("#past")).to_contain_text("reached 89%")
    expect(page.locator("#past")).to_contain_text("Preview: not saved yet")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("It holds for every session")).to_be_visible()
    expect(page.get_by_label("Hand off at (% of the window)", exact=True)).to_have_value("89")


def test_the_keyboard_is_offered_the_buttons_words_that_are_seen(page: Page, site: Site) -> None:
    conversation = site.conversation("By the keyboard")
    page.goto(f"/conversations/{conversation}/prepare")
    page.keyboard.press("Control+k")
    page.keyboard.type("prepare")
    expect(page.locator("#palette-found")).to_contain_text("Prepare handoffdo")
    page.goto(f"/conversations/{conversation}")
    page.keyboard.press("Control+k")
    page.keyboard.type("prepare")
    expect(page.locator("#palette-found")).to_contain_text("Prepare a handoffhere")
    expect(page.locator("#palette-found")).not_to_contain_text("Prepare handoff")  # The same, told twice.


def test_the_theme_is_chosen_by_the_keyboard(page: Page, site: Site) -> None:
    page.goto("/")
    page.keyboard.press("Control+k")
    page.keyboard.type("theme dark")
    expect(page.locator("#palette-found")).to_contain_text("Theme: darkdo")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
