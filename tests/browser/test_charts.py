"""A chart tells the values at each time by the keyboard alone, and is one stop on the way through the page."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.site import Site


def test_it_works(page: Page, site: Site) -> None:
    site.handoff(site.conversation("Drawn in a chart"))
    page.goto("/diagnostics?days=1")
    chart = page.get_by_role("radiogroup", name="Success: values")
    told = chart.locator("input:focus + span")
    chart.locator("input:checked").focus()
    expect(told).to_contain_text(re.compile(r"handoffs \d+\.\d%"))
    expect(told).to_have_css("opacity", "1")
    last = told.inner_text()
    page.keyboard.press("ArrowLeft")
    expect(told).to_have_css("opacity", "1")
    assert told.inner_text() != last
    page.keyboard.press("Tab")
    expect(chart.locator("input:focus")).to_have_count(0)
    expect(page.locator("summary:focus")).to_contain_text("Share that succeeded")
