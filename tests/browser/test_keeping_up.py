"""A page keeps up with what happens, by the stream or by asking, only while somebody looks, and nobody's reading is disturbed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.site import Site
from tests.platform.running import eventually

ASKED = "And count the queued jobs too."
# live.js asks every fifteen seconds where the stream is cut, and gathers events for less than one.
POLL_MS, GATHERED_MS = 16_000, 1_000
WITHOUT_POLLING = "window.setInterval = () => 0"
# Whether the page is seen is the test's to say.
LOOKED_AT = """
window.away = false;
Object.defineProperty(document, "hidden", { get: () => window.away });
"""
# Whether the stream has begun, before which no event is heard, and how many events came by it.
LISTENED_TO = """
window.listens = false; window.told = 0;
window.EventSource = class extends EventSource {
  constructor(address) { super(address); this.addEventListener("ready", () => { window.listens = true; }); }
  set onmessage(heard) { super.onmessage = (event) => { heard(event); window.told += 1; }; }
};
"""


def watched(page: Page, site: Site, title: str, *, stream: bool = True) -> str:
    """The page of a new conversation, all of whose messages are read, so that nothing else happens to it."""
    conversation = site.conversation(title)
    assert eventually(lambda: site.read(conversation)), site.output()
    page.add_init_script(LISTENED_TO)
    page.goto(f"/conversations/{conversation}")
    expect(count(page)).to_have_text("4")
    if stream:
        # A function, which is kept: an expression is evaluated at each look, which the page's content policy forbids after the first.
        page.wait_for_function("() => window.listens")
    return conversation


def count(page: Page) -> Locator:
    return page.locator("#use .figures div", has_text="Messages").locator("dd")


def look(page: Page, *, away: bool) -> None:
    page.evaluate("away => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); }", away)


def test_it_works(page: Page, site: Site) -> None:
    page.add_init_script(WITHOUT_POLLING)
    conversation = watched(page, site, "Told by the stream")
    with page.expect_response(lambda answer: answer.url.endswith(conversation) and "hx-request" in answer.request.headers):
        site.say(conversation, ASKED, "I'll add a counter.")
    expect(count(page)).to_have_text("6")


def test_what_happens_between_a_page_and_its_stream_is_shown(page: Page, site: Site) -> None:
    page.add_init_script(WITHOUT_POLLING)
    conversation = site.conversation("Told before the stream")
    assert eventually(lambda: site.read(conversation)), site.output()
    held: list[Route] = []
    page.route(re.compile(r"/live/?(\?|$)"), lambda route: held.append(route))
    with page.expect_request(re.compile(r"/live/?(\?|$)")):
        page.goto(f"/conversations/{conversation}")
    expect(count(page)).to_have_text("4")
    site.say(conversation, ASKED, "I'll add a counter.")
    assert eventually(lambda: site.read(conversation)), site.output()
    held[0].continue_()
    expect(count(page)).to_have_text("6")


def test_where_the_stream_is_cut_the_page_asks_and_gets_only_what_changed(page: Page, site: Site) -> None:
    page.clock.install()
    page.route(re.compile(r"/live/?(\?|$)"), lambda route: route.abort())
    conversation = watched(page, site, "Asked for", stream=False)
    for status in (200, 304):
        with page.expect_response(lambda answer: answer.url.endswith(conversation)) as answer:
            page.clock.fast_forward(POLL_MS)
        assert answer.value.status == status
    site.say(conversation, ASKED, "I'll add a counter.")
    page.clock.fast_forward(POLL_MS)
    expect(count(page)).to_have_text("6")


def test_a_page_that_nobody_sees_asks_for_nothing_and_is_right_when_it_is_seen_again(page: Page, site: Site) -> None:
    page.clock.install()
    page.add_init_script(LOOKED_AT)
    conversation = watched(page, site, "In another tab")
    look(page, away=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    site.say(conversation, ASKED, "I'll add a counter.")
    for _ in range(4):
        page.clock.fast_forward(POLL_MS)
    assert page.evaluate("document.title")
    assert asked == []
    look(page, away=False)
    page.clock.fast_forward(GATHERED_MS)
    expect(count(page)).to_have_text("6")


@pytest.mark.parametrize(
    ("taken", "left"),
    [
        ("getSelection().selectAllChildren(document.querySelector('#use .figures'))", "getSelection().removeAllRanges()"),
        ("document.querySelector('#use summary').focus()", "document.activeElement.blur()"),
    ],
    ids=["marks", "stands in"],
)
def test_a_panel_waits_while_somebody(taken: str, left: str, page: Page, site: Site) -> None:
    page.clock.install()
    page.add_init_script(LOOKED_AT)
    conversation = watched(page, site, "In use")
    page.evaluate(taken)
    site.say(conversation, ASKED, "I'll add a counter.")
    page.wait_for_function("() => window.told > 0")
    page.clock.fast_forward(GATHERED_MS)
    expect(count(page)).to_have_text("4")
    page.evaluate(left)
    page.clock.fast_forward(GATHERED_MS)
    expect(count(page)).to_have_text("6")


def test_what_is_open_stays_open_and_what_is_read_stays_where_it_is(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 1100, "height": 500})
    conversation = watched(page, site, "Read meanwhile")
    figures = page.locator("#use details", has_text="More figures")
    figures.locator("summary").click()
    below = page.get_by_role("heading", name="Must not be lost")
    below.evaluate("element => { scrollBy(0, element.getBoundingClientRect().top - 20); document.activeElement.blur(); }")
    before = below.bounding_box()
    assert before is not None
    todos = [{"content": f"Paint buoy {number}", "status": "pending"} for number in range(12)]
    call = {"type": "tool_use", "id": "t1", "name": "TodoWrite", "input": {"todos": todos}}
    site.post(f"/conversations/{conversation}/messages", {"messages": [{"role": "assistant", "content": [call]}]})
    expect(page.get_by_text("Paint buoy 3")).to_have_count(1)
    expect(figures).to_have_attribute("open", "")
    after = below.bounding_box()
    assert after is not None
    assert after["y"] == pytest.approx(before["y"], abs=2)


def test_what_stands_within_a_panel_stays_where_it_is_read(page: Page, site: Site) -> None:
    page.set_viewport_size({"width": 1100, "height": 500})
    conversation = watched(page, site, "Read within")
    below = page.get_by_role("heading", name="Tasks")
    below.evaluate("element => scrollBy(0, element.getBoundingClientRect().top - 20)")
    before = below.bounding_box()
    run = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "python -m pytest tests/test_lease.py"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "1 passed in 0.02s"}
    said = [
        {"role": "user", "content": "Now show me the lease."},
        {"role": "assistant", "content": [run]},
        {"role": "user", "content": [result]},
    ]
    site.post(f"/conversations/{conversation}/messages", {"messages": said})
    expect(page.get_by_text("Last check")).to_have_count(1)
    after = below.bounding_box()
    assert before is not None
    assert after is not None
    assert after["y"] == pytest.approx(before["y"], abs=2)


def test_what_changes_for_the_reader_is_told_aloud(page: Page, site: Site) -> None:
    conversation = watched(page, site, "Told aloud")
    usage = {"input_tokens": 180_000, "output_tokens": 100}
    site.post(f"/conversations/{conversation}/messages", {"messages": [{"role": "assistant", "content": "Nearly full.", "usage": usage}]})
    # Which of the two: a handoff is made by itself meanwhile.
    expect(page.locator("#announcer")).to_have_text(re.compile("^(Hand off now|Handoff 1 is made)$"))


def test_the_events_come_as_they_happen_and_the_filter_holds(page: Page, site: Site) -> None:
    page.add_init_script(WITHOUT_POLLING + ";" + LISTENED_TO)
    page.goto("/events")
    page.get_by_role("searchbox", name="Topic").fill("tide:*")
    page.get_by_role("searchbox", name="Topic").press("Enter")
    expect(page.locator("#tail")).to_contain_text("No such event")
    page.wait_for_function("() => window.listens")
    site.post("/events", {"events": [{"topic": "tide:turned"}, {"topic": "berth:left"}]})
    expect(page.locator("#tail tbody tr")).to_contain_text(["tide:turned"])
    expect(page.locator("#tail")).not_to_contain_text("berth:left")
    site.post("/events", {"events": [{"topic": "tide:fell", "critical": True}]})
    expect(page.locator("#tail tbody tr")).to_contain_text(["tide:fell critical", "tide:turned"])
    page.get_by_label("Events", exact=True).select_option("Critical events")
    expect(page.locator("#tail tbody tr")).to_have_count(1)
    site.post("/events", {"events": [{"topic": "tide:rose", "critical": True}, {"topic": "tide:stood"}]})
    expect(page.locator("#tail tbody tr")).to_contain_text(["tide:rose critical", "tide:fell critical"])
