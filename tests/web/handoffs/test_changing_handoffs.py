"""Changing a package in the browser: lines, options, life, offers, receipts."""

import pytest

from continuity.client.commands.tools import start
from continuity.models import Anchor, Membership, Role
from handoffs.models import EditAction, Handoff, HandoffEdit, HandoffStatus
from handoffs.services.chains import receipts, resumption
from handoffs.services.packages import preparation
from handoffs.services.packages.authors import Author
from tests.cast import person
from tests.handoffs.story import RULE, story
from tests.web import rows
from tests.web.reading import read
from tests.web.world import browser

HTMX = {"HX-Request": "true"}


@pytest.fixture
def handoff(team, owner):
    return preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of(budget=4000), owner=owner)


def key_of(handoff, words):
    """The key of the anchor that a line states."""
    lines = [item for section in handoff.package["sections"] for item in section["items"] if words in item["text"]]
    return next(item["key"] for item in lines if item["reference"].startswith("a"))


def change(client, handoff, headers=None, **fields):
    return client.post(f"/handoffs/{handoff.id}/lines", {"version": handoff.version, **fields}, headers=headers or {})


def test_it_works(handoff, owner):
    client, key = browser(owner), key_of(handoff, RULE)
    answer = change(client, handoff, action="edit", key=key, text="Never change the wire format.")
    assert answer.headers["Location"] == f"/handoffs/{handoff.id}/lines"
    page = client.get(answer.headers["Location"]).content.decode()
    assert "Reworded." in page and "Never change the wire format." in page
    assert Anchor.objects.get(key=key).text == "Never change the wire format."


def test_under_htmx_the_page_around_the_line_comes_with_it(handoff, owner):
    answer = change(browser(owner), handoff, HTMX, action="pin", key=key_of(handoff, RULE))
    page = answer.content.decode()
    assert "<html" not in page and "pinned</span>" in page and "Undo “pin”" in page
    assert 'id="notices"' in page


def test_what_nobody_said_is_added_and_undone(handoff, owner):
    client = browser(owner)
    change(client, handoff, action="add", type="Constraint", text="Ask before you deploy.")
    assert "Ask before you deploy." in client.get(f"/handoffs/{handoff.id}").content.decode()
    edit = HandoffEdit.objects.get()
    client.post(f"/handoffs/{handoff.id}/history", {"edit": edit.id})
    assert "Ask before you deploy." not in client.get(f"/handoffs/{handoff.id}").content.decode()
    assert b"undone" in client.get(f"/handoffs/{handoff.id}/history").content


def test_a_change_of_what_somebody_else_changed_is_refused(handoff, owner):
    key = key_of(handoff, RULE)
    change(browser(owner), handoff, action="pin", key=key)
    assert change(browser(owner), handoff, action="unpin", key=key).status_code == 412


@pytest.mark.parametrize("sent", [{"action": "explode"}, {"action": "pin"}, {"action": "add", "type": "Nonsense", "text": "x"}])
def test_what_makes_no_sense_is_said_to(sent, handoff, owner):
    assert change(browser(owner), handoff, **sent).status_code == 422
    assert not HandoffEdit.objects.exists()


def test_it_is_made_again_in_another_style_with_a_note(handoff, owner):
    client, fields = browser(owner), {"budget": 3000, "style": "concise", "note": "The README is next."}
    client.post(f"/handoffs/{handoff.id}/remake", fields)
    handoff.refresh_from_db()
    assert (handoff.token_budget, handoff.style) == (3000, "concise")
    assert "The README is next." in handoff.text
    assert client.post(f"/handoffs/{handoff.id}/remake", {"budget": 1}).status_code == 422


def test_the_directive_is_shown_in_the_style_asked_for(handoff, owner):
    client = browser(owner)
    texts = {style: client.get(f"/handoffs/{handoff.id}?style={style}").context["text"] for style in ("structured", "concise", "narrative")}
    assert len(set(texts.values())) == 3
    assert client.get(f"/handoffs/{handoff.id}?style=verse").status_code == 422


def test_a_draft_is_made_ready_withdrawn_and_put_back(handoff, owner):
    client = browser(owner)
    Handoff.objects.update(status=HandoffStatus.DRAFT)
    for step, status in (("ready", HandoffStatus.READY), ("withdraw", HandoffStatus.WITHDRAWN)):
        client.post(f"/handoffs/{handoff.id}/steps", {"step": step})
        handoff.refresh_from_db()
        assert handoff.status == status
    assert b"Resume</button>" not in client.get(f"/handoffs/{handoff.id}").content
    client.post(f"/handoffs/{handoff.id}/history", {"edit": HandoffEdit.objects.get(action=EditAction.WITHDRAW).id})
    handoff.refresh_from_db()
    assert handoff.status == HandoffStatus.READY


def test_a_teammate_gets_it_and_accepts(handoff, owner, teammate):
    page = browser(owner).get(f"/handoffs/{handoff.id}").content.decode()
    assert "teammate@example.com" in page
    browser(owner).post(f"/handoffs/{handoff.id}/offer", {"to": teammate.email})
    assert b"offers this to you" in browser(teammate).get(f"/handoffs/{handoff.id}").content
    assert b"offers this to you" not in browser(owner).get(f"/handoffs/{handoff.id}").content
    assert browser(owner).post(f"/handoffs/{handoff.id}/steps", {"step": "accept"}).status_code == 403
    browser(teammate).post(f"/handoffs/{handoff.id}/steps", {"step": "accept"})
    handoff.refresh_from_db()
    assert (handoff.owner, handoff.offered_to) == (teammate, None)


def test_an_offer_is_declined_or_taken_back(handoff, owner, teammate):
    for who, step in ((teammate, "decline"), (owner, "take_back")):
        browser(owner).post(f"/handoffs/{handoff.id}/offer", {"to": teammate.email})
        browser(who).post(f"/handoffs/{handoff.id}/steps", {"step": step})
        handoff.refresh_from_db()
        assert (handoff.owner, handoff.offered_to) == (owner, None)


def test_what_was_left_out_is_put_in(team, owner):
    small = preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of(budget=200))
    client = browser(owner)
    page = read(client.get(f"/handoffs/{small.id}/difference").content)
    keys = [field.attributes["value"] for field in page.all("input") if field.attributes.get("name") == "key"]
    assert keys
    change(client, small, action="pin", key=keys[0])
    small.refresh_from_db()
    assert keys[0] in {item["key"] for section in small.package["sections"] for item in section["items"]}


def test_it_is_compared_with_the_one_before(handoff, team, owner):
    client = browser(owner)
    assert b"first handoff of its chain" in client.get(f"/handoffs/{handoff.id}/changes").content
    change(client, handoff, action="add", type="Constraint", text="The port is 8731.")
    new = preparation.prepare(team=team, conversation_id=handoff.conversation_id, options=preparation.options_of(budget=4000))
    assert "/handoffs/" + str(handoff.id) in client.get(f"/handoffs/{new.id}/changes").content.decode()
    for wrong in ("nothing", new.id, rows.handoff(story(team)).id):
        assert client.get(f"/handoffs/{new.id}/changes?against={wrong}").status_code == 422
    change(client, new, action="add", type="Constraint", text="The host is tide.example.")
    third = preparation.prepare(team=team, conversation_id=handoff.conversation_id, options=preparation.options_of(budget=4000))
    address = f"/handoffs/{third.id}/changes?against={handoff.id}"
    assert address in client.get(f"/handoffs/{third.id}/changes").content.decode()
    found = client.get(address).content.decode().split("New</h2>")[1]
    assert "The host is tide.example." in found.split("Changed</h2>")[0]
    older_link = client.get(f"/handoffs/{third.id}/difference?against=previous").content.decode()
    assert "Compared with" in older_link


def test_the_head_keeps_up_and_is_not_sent_again_where_nothing_changed(handoff, owner):
    client, address = browser(owner), f"/handoffs/{handoff.id}"
    live = {"HX-Request": "true", "HX-Target": "handoff-head"}
    first = client.get(address, headers=live)
    assert b"<html" not in first.content and b"ready</span>" in first.content
    seen = live | {"If-None-Match": first.headers["ETag"]}
    assert client.get(address, headers=seen).status_code == 304
    client.post(f"{address}/steps", {"step": "withdraw"})
    assert b"withdrawn</span>" in client.get(address, headers=seen).content


def test_each_tool_is_started_in_one_step(handoff, owner):
    """The command of the client that resumes and starts, as long as nobody resumed it."""
    page = browser(owner).get(f"/handoffs/{handoff.id}").content.decode()
    for tool in start.TOOLS:
        assert f">continuity start {tool} {handoff.id}</pre>" in page


def test_the_receipt_is_shown_afterwards(handoff, team, owner):
    resumed = resumption.resume(team=team, handoff_id=handoff.id, resumed_by=owner)
    address = f"/handoffs/{handoff.id}/receipts/{resumed.resumption.id}"
    client = browser(owner)
    assert b"gave no receipt" in client.get(address).content
    receipts.give(team=team, handoff_id=handoff.id, author=Author(user=owner), acknowledged=["a1", "a999"])
    page = client.get(address).content.decode()
    assert "2 lines" in page and "a999" in page
    assert f"continuity resume {handoff.id} --print" in client.get(f"/handoffs/{handoff.id}").content.decode()


def test_a_viewer_changes_nothing(handoff, team):
    viewer = person("viewer")
    Membership.objects.create(team=team, user=viewer, role=Role.VIEWER)
    client = browser(viewer)
    lines = client.get(f"/handoffs/{handoff.id}/lines").content.decode()
    assert RULE in lines and "<textarea" not in lines
    sent = {"lines": {"action": "pin", "key": "x"}, "steps": {"step": "withdraw"}, "offer": {"to": "a@b.c"}, "remake": {}, "history": {}}
    for page, body in sent.items():
        assert client.post(f"/handoffs/{handoff.id}/{page}", body).status_code == 403, page
    assert not HandoffEdit.objects.exists()
