"""A handoff's briefing in a browser: sources open in place, lines are called wrong where they stand, and paper shows it all."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.site import DECISION, RULE, Site

# What stands between backticks is shown as code, without them.
SHOWN = RULE.partition("`")[0]
WIDER = "document.scrollingElement.scrollWidth > innerWidth"


@pytest.fixture
def handoff(site: Site) -> str:
    made = site.handoff(site.conversation("Read in the browser"))
    site.post(f"/handoffs/{made}/resume")
    return f"/handoffs/{made}"


def test_it_works(page: Page, handoff: str) -> None:
    page.goto(handoff)
    briefing = page.locator(".briefing")
    expect(briefing.get_by_role("heading").first).to_have_text("Now")
    line = briefing.locator("li", has_text=SHOWN).first
    line.locator(".ref").first.click()
    expect(line.locator(".opened")).to_contain_text("Please build the job queue.")
    for width in (390, 768, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert not page.evaluate(WIDER), width


def test_a_line_is_called_wrong_where_it_stands(page: Page, handoff: str) -> None:
    page.goto(handoff)
    line = page.locator(".briefing li", has_text=DECISION).first
    expect(line.get_by_role("link", name="Wrong?")).to_be_hidden()
    page.get_by_label("Report wrong lines").check()
    line.get_by_role("link", name="Wrong?").click()
    line.get_by_label("What is wrong").fill("It was Redis after all.")
    line.get_by_role("button", name="It is wrong").click()
    expect(line).to_contain_text("you marked this line as wrong")
    expect(page.locator("#ratings")).to_contain_text("It was Redis after all.")
    page.locator("#ratings").get_by_role("button", name="Yes").click()
    expect(page.locator("#ratings")).to_contain_text("Useful to 1 of 1")


def test_the_text_is_one_click_away(page: Page, handoff: str) -> None:
    page.goto(handoff)
    page.get_by_role("navigation", name="View").get_by_role("link", name="Text").click()
    expect(page.locator("#directive")).to_be_visible()
    expect(page.locator("#directive")).to_contain_text("--- SESSION CONTINUATION ---")


def test_paper_has_the_briefing_and_nothing_to_press(page: Page, handoff: str) -> None:
    page.goto(handoff)
    page.emulate_media(media="print")
    expect(page.locator(".briefing")).to_contain_text(SHOWN)
    for gone in ("View", "Style", "Parts of the handoff"):
        expect(page.get_by_role("navigation", name=gone)).to_be_hidden()
    expect(page.locator(".briefing .wrong").first).to_be_hidden()
    expect(page.get_by_text("Resume once more, as a branch")).to_be_hidden()
    expect(page.get_by_role("navigation", name="Sections")).to_be_hidden()


def test_every_section_is_one_click_away(page: Page, handoff: str) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(handoff)
    last = page.get_by_role("navigation", name="Sections").get_by_role("link").last
    heading = page.locator(".briefing").get_by_role("heading", name=last.inner_text())
    expect(heading).not_to_be_in_viewport()
    last.click()
    expect(heading).to_be_in_viewport()
    tabs = page.get_by_role("navigation", name="Parts of the handoff")
    assert tabs.evaluate("element => element.scrollWidth <= element.clientWidth")


def test_the_agents_verdicts_stay_within_a_narrow_window(page: Page, site: Site) -> None:
    conversation = site.conversation("Noted in the browser")
    site.post(f"/conversations/{conversation}/notes", {"now": ["The worker is written."], "rules": ["The user approved the release."]})
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"/handoffs/{site.handoff(conversation)}/note")
    expect(page.locator("#panel .chip")).to_have_count(2)
    for chip in page.locator("#panel .chip").all():
        assert chip.evaluate("element => element.getBoundingClientRect().right <= element.closest('li').getBoundingClientRect().right")
