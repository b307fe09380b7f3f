"""Signing in and joining, as people do it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.site import PASSWORD

expect.set_options(timeout=30_000)


def sign_in(page: Page, email: str, password: str = PASSWORD) -> None:
    page.goto("/login")
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("navigation", name="Main")).to_be_visible()
