"""Lists stay where they are while they come, a little at a time, to a slow machine."""

from __future__ import annotations

import pytest

from tests.browser.conftest import Opened
from tests.browser.inspecting import DRAWN, SHIFTS
from tests.browser.site import OWNER, Site
from tests.browser.slow import slowed

# What every page may move; without the reserved room, lists of three widths moved more under the same load.
STILL = 0.01
TITLES = ("x", "A longer title of a session, about the queue of the harbour and its many berths, " * 2, "Tides")
# The pages that are long lists, and home with its figures.
LISTS = ("/conversations", "/handoffs", "/team/audit", "/")


@pytest.fixture(scope="module")
def furnished(site: Site) -> Site:
    """Rows that want columns of very different widths, the widest not first."""
    for number in range(9):
        said = {
            "title": TITLES[number % 3],
            "source_tool": "x" if number % 2 else "claude-code",
            "model": "claude-sonnet-4-5" if number % 2 else "",
        }
        conversation = str(site.post("/conversations", said)["id"])
        site.say(conversation, "Hello. " * (20_000 if number == 4 else 10), "Yes.")
        if number % 3 == 0:
            site.handoff(conversation)
    return site


def moved(opened: Opened, address: str, path: str, width: int) -> list[tuple[float, str]]:
    window = opened(OWNER, viewport={"width": width, "height": 900})
    window.add_init_script(SHIFTS)
    window.goto(f"{address}/login")  # the styles are at hand, as they are to who has been here
    window.context.new_cdp_session(window).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    window.goto(f"{address}{path}")
    return [(value, what) for value, what in window.evaluate(DRAWN)]


def test_it_works(furnished: Site, opened: Opened) -> None:
    with slowed(furnished.address) as address:
        window = opened(OWNER)
        window.goto(f"{address}/conversations")
        assert window.locator("tbody tr").count() >= 9


# One list at each width, and home; the rest of them in `make test-long`.
SHORT = {("/conversations", 820), ("/handoffs", 390), ("/", 1440)}
PLACES = [(path, width) for path in LISTS for width in (390, 820, 1440)]


@pytest.mark.parametrize(("path", "width"), [pytest.param(*at, marks=[pytest.mark.long] if at not in SHORT else []) for at in PLACES])
def test_a_list_stays_where_it_is_while_it_comes(path: str, width: int, furnished: Site, opened: Opened) -> None:
    with slowed(furnished.address) as address:
        shifts = moved(opened, address, path, width)
    assert sum(value for value, _ in shifts) <= STILL, shifts
