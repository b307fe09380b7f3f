"""A running product and a browser to look at it with; without Chromium these tests are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import site as sites
from tests.browser.people import sign_in
from tests.browser.site import OWNER, Site
from tests.whole_application import lasting

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MISSING = "no Chromium: apt-get install chromium"
PATIENCE_MS = 30_000

Opened = Callable[..., Page]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, begun: Path) -> Iterator[Site]:
    if CHROMIUM is None:
        pytest.skip(MISSING)
    running = sites.start(tmp_path_factory.mktemp("browser"), begun)
    lasting.append(running.application)
    yield running
    running.application.end()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """One browser for a module: while it is open its event loop runs in this thread, which tests elsewhere couldn't bear."""
    if CHROMIUM is None:
        pytest.skip(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        yield browser
        browser.close()


@pytest.fixture
def opened(site: Site, chromium: Browser) -> Iterator[Opened]:
    """Opens a window of its own (cookies, cache) for someone who is signed in, or for nobody."""
    contexts = []

    def open_for(email: str = "", **options: Any) -> Page:
        if email and email not in site.states:
            with chromium.new_context(base_url=site.address) as signing:
                page = signing.new_page()
                page.set_default_timeout(PATIENCE_MS)
                sign_in(page, email)
                site.states[email] = signing.storage_state()
        context = chromium.new_context(base_url=site.address, storage_state=site.states.get(email), **options)
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        return context.new_page()

    yield open_for
    for context in contexts:
        context.close()


@pytest.fixture
def page(opened: Opened) -> Page:
    """The owner's window."""
    return opened(OWNER)
