"""The main menu, the search field and the account stand beside one another from tablets to desks: nothing is cut, nothing in two lines."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from tests.browser.conftest import Opened
from tests.browser.site import OWNER

# Where each part of the header is, which links of the menu are cut off by its edges, and whether words don't fit their place.
PLACES = """() => {
  const box = (one) => { const { left, right, top, bottom } = one.getBoundingClientRect(); return { left, right, top, bottom }; };
  const header = document.querySelector(".site-header > div"), menu = header.querySelector("nav");
  const links = [...menu.querySelectorAll("a")].filter((one) => one.checkVisibility()), edges = box(menu);
  const summary = header.querySelector(".menu > summary");
  return {
    lines: new Set(links.map((one) => Math.round(box(one).top))).size,
    cut: links.filter((one) => box(one).left < edges.left - 1 || box(one).right > edges.right + 1).map((one) => one.textContent),
    parts: [...header.children].filter((one) => one.checkVisibility()).map(box),
    short: summary.scrollWidth > summary.clientWidth,
    wide: document.documentElement.scrollWidth - innerWidth,
  };
}"""
WIDTHS = (820, 1024, 1199, 1200, 1280, 1440)
SHORT = {(820, "dark"), (1200, "light"), (1440, "dark")}
WINDOWS = [
    pytest.param(width, theme, marks=[] if (width, theme) in SHORT else [pytest.mark.long])
    for width in WIDTHS
    for theme in ("light", "dark")
]


def apart(one: dict[str, Any], other: dict[str, Any]) -> bool:
    beside = one["right"] <= other["left"] or other["right"] <= one["left"]
    return bool(beside or one["bottom"] <= other["top"] or other["bottom"] <= one["top"])


def looked_at(opened: Opened, width: int, theme: Literal["light", "dark"] = "light") -> dict[str, Any]:
    window = opened(OWNER, viewport={"width": width, "height": 800}, color_scheme=theme)
    window.goto("/")
    return dict(window.evaluate(PLACES))


def test_it_works(opened: Opened) -> None:
    seen = looked_at(opened, 1440)
    assert len(seen["parts"]) == 4, "name, menu, search and account"
    assert len({round((part["top"] + part["bottom"]) / 20) for part in seen["parts"]}) == 1, "all in one line"


@pytest.mark.parametrize(("width", "theme"), WINDOWS)
def test_nothing_of_the_menu_is_cut_or_wrapped(width: int, theme: Literal["light", "dark"], opened: Opened) -> None:
    seen = looked_at(opened, width, theme)
    assert (seen["lines"], seen["cut"], seen["short"], seen["wide"]) == (1, [], False, 0)
    parts = seen["parts"]
    assert all(apart(one, other) for at, one in enumerate(parts) for other in parts[at + 1 :])


def test_on_a_phone_every_link_of_the_menu_is_in_view(opened: Opened) -> None:
    seen = looked_at(opened, 390)
    assert (seen["cut"], seen["wide"]) == ([], 0)
