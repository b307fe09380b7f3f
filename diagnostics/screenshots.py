"""`make screenshots`: starts the product with its demo data and takes the main pages as pictures, for the documentation."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page, ViewportSize

PROJECT = Path(__file__).resolve().parent.parent
FOLDER = PROJECT / "docs" / "screenshots"
EMAIL, PASSWORD = "owner@example.com", "only for pictures"
DEMO_SECONDS = 180
START_SECONDS = 180.0
DESK: ViewportSize = {"width": 1440, "height": 720}
PHONE: ViewportSize = {"width": 390, "height": 844}
# Where a picture's page is: an address, then links to follow, each the first that fits the selector.
PAGES: dict[str, tuple[str, ...]] = {
    "home": ("/",),
    "conversations": ("/conversations",),
    "conversation": ("/conversations", "#results .name"),
    "handoff": ("/handoffs?status=resumed&q=Move+readings", "#results a.name"),
    "chain": ("/handoffs?status=resumed&q=Move+readings", "#results a.name", 'a[href^="/chains/"]'),
    "diagnostics": ("/diagnostics",),
}
ON_PHONES = "handoff"


class Unable(Exception):
    """The pictures can't be taken; the message says why."""


@contextmanager
def running() -> Iterator[tuple[str, Path]]:
    """A product of its own in a folder of its own; gives its address and the folder. Raises Unable where it does not start."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="continuity-screenshots-"))
    folder.chmod(0o711)
    own = {"PORT": str(port), "CONTINUITY_DATA_DIR": str(folder / "data")}
    own |= {"CONTINUITY_OWNER_EMAIL": EMAIL, "CONTINUITY_OWNER_PASSWORD": PASSWORD}
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")} | own
    with (folder / "log").open("wb") as log:
        product = subprocess.Popen([sys.executable, "-m", "config.supervision.supervisor"], cwd=PROJECT, env=env, stdout=log, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}"
        deadline = time.monotonic() + START_SECONDS
        while not _ready(address):
            if product.poll() is not None or time.monotonic() > deadline:
                raise Unable(f"the product did not start: {(folder / 'log').read_text(encoding='utf-8', errors='replace')[-2000:]}")
            time.sleep(0.2)
        yield address, folder
    finally:
        product.send_signal(signal.SIGTERM)
        product.wait(90)
        shutil.rmtree(folder, ignore_errors=True)


def _ready(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/ready", timeout=5) as answer:  # noqa: S310  (our own address)
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def take(folder: Path) -> list[Path]:
    """Takes every page in light and dark, and one as a phone shows it; returns the files. Raises Unable without a browser."""
    try:
        from playwright.sync_api import sync_playwright  # A tool of development: nothing that serves needs it.
    except ImportError as error:
        raise Unable("playwright is missing: make venv-dev installs it") from error
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise Unable("Chromium is missing: apt-get install chromium")
    folder.mkdir(parents=True, exist_ok=True)
    taken = []
    with running() as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(base_url=address, viewport=DESK)
        _sign_in(page)
        _go_to_the_demo(page)
        for name, way in PAGES.items():
            _go(page, way)
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme=theme)
                taken.append(_picture(page, folder / f"{name}-{theme}.png"))
            if name == ON_PHONES:
                page.set_viewport_size(PHONE)
                taken.append(_picture(page, folder / f"{name}-phone.png"))
                page.set_viewport_size(DESK)
        browser.close()
    return taken


def _sign_in(page: Page) -> None:
    page.goto("/login")
    page.get_by_label("E-mail").fill(EMAIL)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("navigation", name="Main").wait_for()


def _go_to_the_demo(page: Page) -> None:
    """A first start loads it in a job; Home tells when it is there."""
    look_around, strip = page.get_by_role("button", name="Look at the demo"), page.get_by_role("complementary", name="Demo")
    look_around.or_(strip).first.wait_for(timeout=DEMO_SECONDS * 1000)
    if look_around.is_visible():
        look_around.click()
        strip.wait_for()


def _go(page: Page, way: tuple[str, ...]) -> None:
    page.goto(way[0])
    for link in way[1:]:
        page.goto(page.locator(link).first.get_attribute("href") or "")


def _picture(page: Page, path: Path) -> Path:
    page.screenshot(path=path, animations="disabled", caret="hide")
    return path


def main() -> int:
    try:
        taken = take(FOLDER)
    except Unable as error:
        sys.stderr.write(f"continuity: {error}\n")
        return 1
    size = sum(path.stat().st_size for path in taken) / 1024
    sys.stdout.write(f"{len(taken)} pictures, {size:,.0f} KB, in {FOLDER.relative_to(PROJECT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
