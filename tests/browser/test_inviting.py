"""Journey: somebody is invited, and joins the team."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.inspecting import Inspector
from tests.browser.people import sign_in

EMAIL, PASSWORD = "aylin@example.com", "the second bridge is closed"


def test_it_works(page: Page, opened: Opened) -> None:
    page.goto("/team")
    page.get_by_role("link", name="Invite somebody").click()
    page.get_by_role("button", name="Make the link").click()
    link = page.locator("#link").inner_text()
    guest = opened(viewport={"width": 1440, "height": 900})
    assert Inspector(guest).faults(link) == []
    guest.get_by_label("Your name").fill("Aylin")
    guest.get_by_label("E-mail address").fill(EMAIL)
    guest.get_by_label("Password").fill(PASSWORD)
    guest.get_by_role("button", name="Make my account and join").click()
    expect(guest.get_by_role("navigation", name="Main")).to_be_visible()
    page.goto("/team")
    expect(page.get_by_role("row", name="Aylin")).to_be_visible()
    again = opened()
    sign_in(again, EMAIL, PASSWORD)
    answer = opened().goto(link)
    assert answer is not None
    assert answer.status in (404, 410)
