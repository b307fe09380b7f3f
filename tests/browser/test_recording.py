"""Journeys: sign in, import a session, read a change in a transcript."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from continuity.services.accounts.bootstrap import DEMO_SESSION
from tests.browser.conftest import Opened
from tests.browser.people import sign_in
from tests.browser.site import OWNER, PASSWORD, Site
from tests.platform.running import eventually

LINES_HIGH = """(change) => {
  const drawn = getComputedStyle(change);
  return (change.scrollHeight - parseFloat(drawn.paddingTop) - parseFloat(drawn.paddingBottom)) / parseFloat(drawn.lineHeight);
}"""


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


def test_a_line_of_a_change_that_stays_is_one_line_high(page: Page, site: Site) -> None:
    conversation = site.conversation("Shows a change in colours")
    edit = {"file_path": "quiet.py", "old_string": "assert gateway.sent == [1]\nx = 1", "new_string": "assert gateway.sent == [1]\nx = 2"}
    call = {"type": "tool_use", "id": "t1", "name": "Edit", "input": edit}
    site.post(f"/conversations/{conversation}/messages", {"messages": [{"role": "assistant", "content": [call]}]})
    page.goto(f"/conversations/{conversation}/messages")
    page.get_by_text("quiet.py").first.click()
    change = page.locator("pre.change")
    expect(change).to_be_visible()
    # The page may put a new list in the place of this one at any moment; what was taken out of it has no height.
    assert eventually(lambda: change.evaluate(LINES_HIGH) == pytest.approx(3, abs=0.5), seconds=20)
