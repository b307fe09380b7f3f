"""What is wrong with a page: for those who can't see it well, for the console, for its size, for its steadiness."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Error, Page, ViewportSize

FIRST_LOAD_BYTES = 150_000
WIDTHS = (390, 820)
DESK: ViewportSize = {"width": 1440, "height": 900}
WEIGHT, MOVING = "weight", "moving"
# A tenth of the layout shift that is called good: a busy machine may draw the head of a page before the rest of it has come.
STEADY = 0.01
ALL = {"resultTypes": ["violations"]}
# Only these rules depend on colours; the others need not be asked again in the dark.
OF_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}, "resultTypes": ["violations"]}
SHIFTS = """
  window.shifted = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      if (!hadRecentInput) shifted.push([value, `${sources.map(({ node }) => node?.outerHTML?.slice(0, 80)).join(", ")}`]);
    }
  }).observe({ type: "layout-shift", buffered: true });
"""
DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(window.shifted))))"
TOO_WIDE = """() => [...document.querySelectorAll("body *")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest(".scrolling, .scroll, pre, nav, .visually-hidden"))
  .slice(0, 3).map((one) => `${one.tagName.toLowerCase()}.${one.className?.baseVal ?? one.className}`)"""

OPENED = "() => document.querySelectorAll('main details').forEach((each) => { each.open = true; })"
# What nobody can see or scroll to: it lies beyond the edge, and nothing around it scrolls, or shows by "…" that there is more.
CUT_OFF = """() => {
  const goes_on = ({ overflowX, textOverflow }) => ["auto", "scroll"].includes(overflowX) || textOverflow === "ellipsis";
  const scrolls = (one) => one && (goes_on(getComputedStyle(one)) || scrolls(one.parentElement));
  return [...document.querySelectorAll("main *")]
    .filter((one) => one.getBoundingClientRect().width && one.getBoundingClientRect().right > innerWidth + 1)
    .filter((one) => !one.closest("svg, .visually-hidden") && !scrolls(one.parentElement) && !scrolls(one))
    .slice(0, 3).map((one) => `${one.tagName.toLowerCase()}.${one.className}`);
}"""


@dataclass
class Inspector:
    """Listens to a page from before its first load; `faults` tells all that is wrong, empty where nothing is."""

    page: Page
    said: list[str] = field(default_factory=list)
    transferred: float = 0.0

    def __post_init__(self) -> None:
        self.page.on("console", self._console)
        self.page.on("pageerror", self._error)
        self.page.add_init_script(SHIFTS)
        session = self.page.context.new_cdp_session(self.page)
        session.send("Network.enable")
        session.on("Network.loadingFinished", self._loaded)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.said.append(f"console: {message.text}")

    def _error(self, error: Error) -> None:
        self.said.append(f"error: {error.message}")

    def _loaded(self, event: dict[str, Any]) -> None:
        self.transferred += event["encodedDataLength"]

    def faults(self, address: str, excused: Collection[str] = ()) -> list[str]:
        """`excused` are rules of axe, WEIGHT or MOVING that somebody else's package breaks."""
        self.page.set_viewport_size(DESK)
        self.page.emulate_media(color_scheme="light")
        answer = self.page.goto(address)
        assert answer is not None
        found = [] if answer.status == 200 else [f"answers {answer.status}"]
        if self.transferred > FIRST_LOAD_BYTES and WEIGHT not in excused:
            found.append(f"transfers {self.transferred:,.0f} bytes at first")
        shifts = self.page.evaluate(DRAWN)
        if sum(value for value, _ in shifts) > STEADY and MOVING not in excused:
            found.append(f"moves while it loads: {shifts}")
        found += _violations("light", Axe().run(self.page, options=ALL).response, excused)
        self.page.emulate_media(color_scheme="dark")
        found += _violations("dark", self.page.evaluate("(options) => axe.run(options)", OF_COLOURS), excused)
        self.page.evaluate(OPENED)
        for width in WIDTHS:
            self.page.set_viewport_size({"width": width, "height": 900})
            if cut_off := self.page.evaluate(CUT_OFF):
                found.append(f"cuts off at {width} px: {', '.join(cut_off)}")
            if self.page.evaluate("document.scrollingElement.scrollWidth > innerWidth"):
                found.append(f"is wider than {width} px: {', '.join(self.page.evaluate(TOO_WIDE))}")
        return found + self.said


def _violations(theme: str, response: dict[str, Any], excused: Collection[str]) -> list[str]:
    return [
        f"{theme}: {violation['id']}: {'; '.join(' '.join(map(str, node['target'])) for node in violation['nodes'][:4])}"
        for violation in response["violations"]
        if violation["id"] not in excused
    ]
