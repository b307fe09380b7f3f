"""For who has no pointer, and for who has no scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opened
from tests.browser.people import sign_in
from tests.browser.site import DECISION, OWNER, Site

CONTROLS = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
  .filter((one) => one.checkVisibility() && !one.disabled && one.type !== "hidden" && !one.dataset.reached)
  .map((one) => one.outerHTML.slice(0, 120))"""
# Marks what has the focus now; tells what it is where nothing shows that it has.
FOCUSED = """() => {
  const one = document.activeElement;
  if (!one || one === document.body) return "";
  one.dataset.reached = "yes";
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  return outlineStyle === "none" || outlineWidth === "0px" ? one.outerHTML.slice(0, 120) : "";
}"""


def unreached(page: Page) -> list[str]:
    """Controls that Tab does not come to on two rounds through the page; fails where the focus can't be seen."""
    page.keyboard.press("Tab")
    for _ in range(2 * len(page.evaluate(CONTROLS)) + 20):
        assert page.evaluate(FOCUSED) == "", "the focus can't be seen"
        if not page.evaluate(CONTROLS):
            break
        page.keyboard.press("Tab")
    return list(page.evaluate(CONTROLS))


def test_it_works(opened: Opened) -> None:
    window = opened()
    window.goto("/login")
    assert unreached(window) == []


@pytest.mark.parametrize("path", ["", "/end", "/import", "/handoff", "/handoff/lines"])
def test_tab_reaches_every_control_and_shows_where_it_is(page: Page, site: Site, path: str) -> None:
    conversation = f"/conversations/{site.conversation('Without a pointer')}"
    if path == "/import":
        address = "/conversations/import"
    elif path.startswith("/handoff"):
        address = f"/handoffs/{site.handoff(conversation.rpartition('/')[2])}{path.removeprefix('/handoff')}"
    else:
        address = conversation + path
    page.goto(address)
    assert unreached(page) == []


def test_signing_in_reading_preparing_and_resuming_need_no_scripts(opened: Opened, site: Site) -> None:
    window = opened(java_script_enabled=False)
    sign_in(window, OWNER)
    window.goto(f"/conversations/{site.conversation('Without scripts')}")
    window.get_by_role("link", name="Transcript", exact=True).click()
    expect(window.get_by_text("Never write to the table")).to_be_visible()
    window.go_back()
    window.get_by_role("button", name="Prepare handoff").click()
    expect(window.locator("#panel")).to_contain_text(DECISION)
    window.get_by_text("Resume here, and copy the directive").click()
    window.get_by_role("button", name="Resume", exact=True).click()
    expect(window.get_by_text("Continues")).to_be_visible()


def test_the_keyboard_stays_where_it_was_when_a_part_of_the_page_comes_anew(page: Page, site: Site) -> None:
    handoff = site.handoff(site.conversation("Changed by keys"))
    page.goto(f"/handoffs/{handoff}")
    tab = page.locator("#panel").get_by_role("link", name="Edit history")
    tab.press("Enter")
    expect(page.get_by_text("Nobody changed this package")).to_be_visible()
    expect(tab).to_be_focused()
    page.goto(f"/handoffs/{handoff}/lines")
    page.get_by_role("button", name="Pin", exact=True).nth(1).press("Enter")
    expect(page.get_by_role("button", name="Unpin")).to_be_focused()


# Another part of the page comes anew while the one that the person asked for settles.
MEANWHILE = """() => document.addEventListener("htmx:afterSwap", () => {
  const xhr = { status: 200, getResponseHeader: () => null };
  document.dispatchEvent(new CustomEvent("htmx:beforeSwap", { detail: { xhr, target: document.querySelector("footer") } }));
}, { once: true })"""


def test_it_stays_there_also_when_another_part_comes_anew_meanwhile(page: Page, site: Site) -> None:
    handoff = site.handoff(site.conversation("Changed by keys, and watched"))
    page.goto(f"/handoffs/{handoff}")
    page.evaluate(MEANWHILE)
    tab = page.locator("#panel").get_by_role("link", name="Edit history")
    tab.press("Enter")
    expect(page.get_by_text("Nobody changed this package")).to_be_visible()
    expect(tab).to_be_focused()


def test_an_entry_tells_why_before_it_can_be_changed_and_the_keyboard_keeps_its_place(page: Page, site: Site) -> None:
    conversation = site.conversation("Corrected by keys")
    site.handoff(conversation)  # What was said is read for it.
    page.goto(f"/conversations/{conversation}/anchors")
    page.get_by_role("link", name="Why, and edit").first.press("Enter")
    expect(page.get_by_label("New wording")).to_be_hidden()
    edit = page.locator("summary", has_text="Correct, replace, pin or dismiss")
    expect(edit).to_be_focused()
    edit.press("Enter")
    page.locator("li").get_by_role("button", name="Dismiss").press("Enter")
    expect(page.get_by_role("button", name="Undo")).to_be_visible()
    expect(page.locator("li :focus")).to_have_count(1)  # Only once the page has settled.
