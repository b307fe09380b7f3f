"""Journeys: sign in, import a session."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from continuity.services.accounts.bootstrap import DEMO_SESSION
from tests.browser.conftest import Opened
from tests.browser.people import sign_in
from tests.browser.site import OWNER, PASSWORD


def test_it_works(opened: Opened) -> None:
    window = opened()
    sign_in(window, OWNER)
    expect(window).to_have_title(re.compile(r"^(\(\d+\+?\) )?Home · Continuity$"))


def test_wrong_password_is_told_and_the_right_one_leads_to_where_one_wanted(opened: Opened) -> None:
    window = opened()
    window.goto("/handoffs")
    window.get_by_label("E-mail").fill(OWNER)
    window.get_by_label("Password").fill("not this one")
    window.get_by_role("button", name="Sign in").click()
    expect(window.locator(".errorlist")).to_be_visible()
    window.get_by_label("Password").fill(PASSWORD)
    window.get_by_role("button", name="Sign in").click()
    expect(window.get_by_role("heading", name="Handoffs", level=1)).to_be_visible()


def test_import_shows_progress_and_leads_to_the_conversation(page: Page) -> None:
    page.goto("/conversations")
    page.get_by_role("link", name="Import").first.click()
    page.get_by_label("Files").set_input_files(DEMO_SESSION)
    page.get_by_role("button", name="Import").click()
    page.get_by_role("link", name="Open the conversation").click()
    expect(page.get_by_role("heading", name="Tasks", exact=True)).to_be_visible()
