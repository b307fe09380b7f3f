"""Pages that come from packages, with our rows and words in them: the admin, and the description of the API; and pages behind a letter."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.browser.conftest import Opened
from tests.browser.inspecting import DESK, MOVING, WEIGHT, Inspector
from tests.browser.people import sign_in
from tests.browser.site import OWNER, Site
from tests.platform.running import eventually

# What unfold breaks on every page of the admin, whatever is on it.
OF_UNFOLD = {
    "landmark-one-main": "its frame has no main element",
    "landmark-unique": "the panels that it scrolls are regions of one name",
    "region": "its headings and its search stand outside of all landmarks",
    WEIGHT: "it brings its letters, icons and scripts, 1.3 to 1.9 MB",
    MOVING: "rows move when its icons, which are letters, have come",
}
OF_SWAGGER = {
    "page-has-heading-one": "it names the API in a heading of the second level",
    WEIGHT: "it brings itself, 1.7 MB",
}
# One for each kind of column that we draw; their frame is the same on all.
LISTS = ("conversation", "message", "anchor", "foldstate", "job", "auditentry")


@pytest.fixture(scope="module")
def furnished(site: Site) -> Site:
    site.furnished()
    return site


def test_it_works(opened: Opened, furnished: Site) -> None:
    """The first page of the admin, with its tables filled."""
    assert Inspector(opened(OWNER)).faults(reverse("admin:index"), OF_UNFOLD) == []


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] if name != "conversation" else []) for name in LISTS])
def test_a_list_of_the_admin_has_no_fault_of_ours(opened: Opened, furnished: Site, name: str) -> None:
    assert Inspector(opened(OWNER)).faults(reverse(f"admin:continuity_{name}_changelist"), OF_UNFOLD) == []


def test_the_description_of_the_api_has_no_fault_of_ours(opened: Opened) -> None:
    assert Inspector(opened(OWNER)).faults(reverse("api-docs"), OF_SWAGGER) == []


def test_a_new_password_is_set_on_a_page_without_fault(opened: Opened, site: Site) -> None:
    window = opened(viewport=DESK)
    window.goto("/password/reset")
    window.get_by_label("E-mail").fill(OWNER)
    window.get_by_role("button").click()
    expect(window.get_by_role("heading", level=1)).to_be_visible()
    letter = re.compile(r"/password/reset/[\w-]+/[\w-]+")
    assert eventually(lambda: letter.search(site.output()) is not None), site.output()
    found = letter.findall(site.output())[-1]
    assert Inspector(opened(viewport=DESK)).faults(found) == []


def test_the_strip_of_the_demo_is_without_fault(opened: Opened, site: Site) -> None:
    site.demo()
    window = opened(viewport=DESK)
    sign_in(window, OWNER)
    window.locator(".menu > summary").click()
    window.get_by_label("Team").select_option("demo")
    window.get_by_role("button", name="Switch team").click()
    expect(window.get_by_role("complementary", name="Demo")).to_be_visible()
    assert Inspector(window).faults("/conversations") == []
