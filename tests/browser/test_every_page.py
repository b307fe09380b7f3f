"""Every page, in light and dark and at three widths: accessible, quiet, small, steady, within the screen."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Opened
from tests.browser.inspecting import Inspector
from tests.browser.routes import crawled, names
from tests.browser.site import OWNER, Site

# One page of each kind; the others are opened by `make test-long`.
KINDS = {"home", "conversations", "conversation", "handoff", "handoff-lines", "revoke-key", "diagnostics", "login"}
# What is for who is not signed in; the last two follow a form.
STRANGERS = ("/login", "/password/reset/sent", "/password/reset/done")
FOR_STRANGERS = ("/login", "/password/reset")


@pytest.fixture(scope="module")
def reached() -> dict[str, list[str]]:
    return {}


@pytest.fixture
def addresses(reached: dict[str, list[str]], opened: Opened, site: Site) -> dict[str, list[str]]:
    """What the links of the site lead to, found once."""
    if not reached:
        reached.update(crawled(opened(OWNER).request, *site.furnished()))
        reached.update(crawled(opened().request, *STRANGERS))
    return reached


def test_it_works(addresses: dict[str, list[str]]) -> None:
    assert addresses.keys() >= KINDS


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] if name not in KINDS else []) for name in names()])
def test_page_has_no_fault(name: str, addresses: dict[str, list[str]], opened: Opened) -> None:
    assert addresses.get(name), "no link leads to this page"
    for address in addresses[name]:
        window = opened("" if address.startswith(FOR_STRANGERS) else OWNER, viewport={"width": 1440, "height": 900})
        assert not Inspector(window).faults(address), address


def test_page_that_is_not_there_has_no_fault(opened: Opened) -> None:
    faults = Inspector(opened(OWNER)).faults("/nothing/of/the/kind")
    assert [fault for fault in faults if "404" not in fault] == []
