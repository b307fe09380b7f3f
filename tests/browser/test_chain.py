"""The picture of a chain is read whole at each width: nothing is cut, no line of it lies over another."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Opened
from tests.browser.site import OWNER, Site

CUT = """() => [...document.querySelectorAll(".tree li *")].filter((one) => !one.closest("svg"))
  .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth || one.getBoundingClientRect().right > innerWidth
    || getComputedStyle(one).textOverflow === "ellipsis").map((one) => one.outerHTML)"""
OVER = """() => {
  const boxes = (one) => [one, one.querySelector("div")].map((box) => box.getBoundingClientRect());
  const rows = [...document.querySelectorAll(".tree li")].map(boxes);
  return rows.filter(([row, words], at) => words.bottom > row.bottom + 1 || (at && row.top < rows[at - 1][0].bottom - 1)).length;
}"""
# From the middle of a stop the line goes down to the end of its row, however tall the words beside it are.
REACHES = """() => {
  const bottom = (one) => one.getBoundingClientRect().bottom;
  const rows = [...document.querySelectorAll(".tree li")].slice(0, -1);
  return rows.every((row) => Math.abs(bottom([...row.querySelectorAll("line")].at(-1)) - bottom(row)) < 2);
}"""


@pytest.fixture(scope="module")
def chain(site: Site) -> str:
    began = site.conversation("A title that is longer than one line of a phone, as titles of real work are")
    handoff = site.handoff(began)
    goes_on = site.post(f"/handoffs/{handoff}/resume", {"source_tool": "codex"})["conversation"]["id"]
    site.post(f"/handoffs/{handoff}/resume", {"source_tool": "gemini-cli", "fork": True})
    site.say(goes_on, "Go on with the worker.", "The worker takes a lease now.")
    site.handoff(goes_on)
    return f"/chains/{began}"


@pytest.mark.parametrize("width", [390, 820, 1440])
def test_it_works(width: int, chain: str, opened: Opened) -> None:
    page = opened(OWNER, viewport={"width": width, "height": 900})
    page.goto(chain)
    assert page.locator(".tree li").count() == 5
    assert page.locator(".tree path").count() == 1
    assert page.evaluate(CUT) == []
    assert page.evaluate(OVER) == 0
    assert page.evaluate(REACHES)
