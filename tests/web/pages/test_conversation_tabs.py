"""A conversation's tabs: its one action, its name, what is done with several anchors at once, its files and its words."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from continuity.models import Anchor, Conversation, Message
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from handoffs.models import Handoff, HandoffStatus
from handoffs.next_action import ActionKind, next_action
from tests.factories import ConversationFactory
from tests.handoffs.story import story
from tests.web import rows
from tests.web.world import browser
from tests.words import answered, called, said


@pytest.fixture
def conversation(team, owner):
    conversation = story(team, owner=owner)
    fold_runner.catch_up(conversation_id=conversation.id)
    return conversation


def page(user, conversation, rest=""):
    return browser(user).get(f"/conversations/{conversation.id}{rest}").content.decode()


def test_it_works(conversation, owner):
    for tab in ("", "/anchors", "/course", "/messages", "/files"):
        shown = page(owner, conversation, tab)
        assert shown.count('aria-current="page">') == 2  # of the site, and of the conversation
        assert "Prepare a handoff</a>" in shown


def of(status=None, *, resumed=False, over=False):
    now = timezone.now()
    if status is None:
        return None
    return Handoff(status=status, number=2, resumed_at=now if resumed else None, expires_at=now + timedelta(days=-1 if over else 1))


def test_what_is_offered_waits_for_whom_it_is_offered_to(conversation, owner, teammate):
    found, latest = Conversation(status="active", last_seq=3), of(HandoffStatus.READY)
    latest.offered_to = teammate
    kinds = [next_action(found, latest, now=timezone.now(), may=True, reader=each.id).kind for each in (owner, teammate)]
    assert kinds == [ActionKind.NONE, ActionKind.REVIEW]


@pytest.mark.parametrize(
    ("status", "latest", "kind"),
    [
        ("active", of(), ActionKind.PREPARE),
        ("idle", of(), ActionKind.PREPARE),
        ("active", of(HandoffStatus.READY), ActionKind.RESUME),
        ("expired", of(HandoffStatus.READY), ActionKind.RESUME),
        ("active", of(HandoffStatus.DRAFT), ActionKind.REVIEW),
        ("active", of(HandoffStatus.FAILED), ActionKind.REVIEW),
        ("active", of(HandoffStatus.READY, over=True), ActionKind.PREPARE),
        ("handed_off", of(HandoffStatus.RESUMED, resumed=True), ActionKind.NONE),
        ("expired", of(), ActionKind.NONE),
        ("active", of(HandoffStatus.WITHDRAWN), ActionKind.PREPARE),
    ],
    ids=["active", "idle", "ready", "ready of one that is over", "draft", "failed", "lapsed", "resumed", "over", "withdrawn"],
)
def test_the_action_is_the_one_that_is_left(status, latest, kind):
    found = Conversation(status=status, last_seq=3, context_tokens=90, max_context_tokens=100)
    assert next_action(found, latest, now=timezone.now(), may=True).kind is kind
    assert next_action(found, latest, now=timezone.now(), may=False).kind is ActionKind.NONE


@pytest.mark.parametrize(("status", "primary"), [(None, "<button"), ("ready", ">Resume</a>"), ("failed", ">Review the handoff</a>")])
def test_one_button_of_the_overview_stands_out(status, primary, conversation, owner):
    if status:
        rows.handoff(conversation, status=status)
    shown = page(owner, conversation).partition("<main")[2]
    assert [tag for tag in shown.split("\n") if "primary" in tag and primary in tag]
    assert shown.count("primary") == 1
    assert ("Prepare another handoff</summary>" in shown) is bool(status)
    assert "Prepare handoff</span>" in shown


def test_one_renames_it_in_place(conversation, owner, outsider):
    address = f"/conversations/{conversation.id}/title"
    assert browser(owner).post(address, {"title": "  The   queue "}).status_code == 302
    assert browser(outsider).post(address, {"title": "Mine"}).status_code in (403, 404)
    assert browser(owner).post(address, {"title": " "}).status_code == 302
    conversation.refresh_from_db()
    assert conversation.title == "The queue"


def test_several_anchors_are_pinned_dismissed_and_found(conversation, owner):
    keys = list(Anchor.objects.filter(conversation=conversation, state="current").values_list("key", flat=True)[:2])
    client, address = browser(owner), f"/conversations/{conversation.id}/anchors"
    assert "2 pinned" in client.post(address, {"key": keys, "change": "pin"}, follow=True).content.decode()
    assert Anchor.objects.filter(conversation=conversation, pinned=True).count() == 2
    assert "2 dismissed" in client.post(address, {"key": keys, "change": "dismiss"}, follow=True).content.decode()
    assert "2 current again" in client.post(address, {"key": keys, "change": "restore"}, follow=True).content.decode()
    assert "Choose anchors first" in client.post(address, {"change": "pin"}, follow=True).content.decode()
    assert client.post(address, {"key": keys, "change": "correct"}).status_code == 422
    words = Anchor.objects.get(conversation=conversation, key=keys[0]).text.split()[-1].strip(".")
    assert f'id="anchor-{keys[0]}"' in client.get(address, {"q": words}).content.decode()
    assert "No entry matches" in client.get(address, {"q": "neverwritten"}).content.decode()


def test_ranked_pages_of_anchors_follow_one_another(conversation, owner, monkeypatch):
    monkeypatch.setattr("continuity.views.anchors.PAGE_SIZE", 2)
    client, address, seen = browser(owner), f"/conversations/{conversation.id}/anchors?state=current", []
    while address:
        answer = client.get(address)
        seen += [anchor.key for anchor in answer.context["page"].rows]
        after = answer.context["page"].next
        address = f"/conversations/{conversation.id}/anchors?state=current&after={after}" if after else ""
    ranked = Anchor.objects.filter(conversation=conversation, state="current")
    assert seen == list(ranked.order_by("-critical", "-importance", "-source_seq", "-id").values_list("key", flat=True))


def test_words_are_read_as_markdown_and_changes_of_files_as_lines(team, owner):
    conversation = ConversationFactory.create(team=team)
    edit = called("Edit", {"file_path": "a.py", "old_string": "x = 1", "new_string": "x = <2>"}, call_id="c1")
    said_so = answered("It is **done** <script>alert(1)</script>")
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("Change `x`."), edit, said_so])
    shown = page(owner, conversation, "/messages")
    assert "Change <code>x</code>." in shown
    assert "<strong>done</strong> &lt;script&gt;" in shown
    assert "Edit a.py +1 −1" in shown
    assert '<span class="goes">- ' in shown
    assert "&lt;" in shown.split('<span class="comes">')[1]
    assert 'class="mi"' not in shown, "colours take as long as all the rest, and come when it is unfolded"
    client, address = browser(owner), f"/conversations/{conversation.id}/messages/2"
    assert f'hx-get="{address}?part=0"' in shown
    htmx = {"HX-Request": "true"}
    assert 'class="mi"' in client.get(f"{address}?part=0", headers=htmx).content.decode()
    assert 'class="mi"' in client.get(address).content.decode()
    assert [client.get(f"{address}?part={wrong}", headers=htmx).status_code for wrong in ("1", "x", "")] == [404, 404, 404]


def test_each_entry_says_who_said_it_and_what_the_marks_mean(conversation, owner):
    for number, (anchor, truth) in enumerate(
        zip(Anchor.objects.filter(conversation=conversation), ("stated", "claimed", "observed"), strict=False)
    ):
        Anchor.objects.filter(id=anchor.id).update(truth=truth, state="current", pinned=number == 0, critical=True)
    shown = page(owner, conversation, "/anchors?state=current")
    for words in (
        f"said by {owner}",
        "said by the agent",
        "shown by a tool",
        "pinned: in every handoff",
        ">in every handoff",
        "in order of importance (0 to 1)",
    ):
        assert words in shown


def test_an_entry_is_told_in_words_that_everybody_knows(conversation, owner):
    one, other = Anchor.objects.filter(conversation=conversation)[:2]
    Anchor.objects.filter(id=one.id).update(state="superseded", type="UnresolvedQuestion", method="decision.accepted")
    Anchor.objects.filter(id=other.id).update(state="resolved", type="UserPreference")
    shown = page(owner, conversation, "/anchors")
    entries = shown.split('id="results"')[1]
    for words in ("<strong>Question</strong>", "<strong>Preference</strong>", ">replaced</span>", ">settled</span>", ">Why, and edit</a>"):
        assert words in entries
    assert "superseded" not in entries and ">Open</a>" not in entries
    assert '<option value="superseded">replaced</option>' in shown
    opened = page(owner, conversation, f"/anchors/{one.key}")
    assert "The agent proposed it, and the person agreed." in opened and "decision.accepted" not in opened


def test_the_timeline_and_the_transcript_tell_times_and_whose_session_it_is(conversation, owner):
    at = datetime(2026, 11, 25, 14, 3, tzinfo=UTC)
    Message.objects.filter(conversation=conversation).update(at=at)
    for tab in ("/course?level=0", "/messages", "/messages/1"):
        assert ">25 Nov 2026, 14:03</time>" in page(owner, conversation, tab), tab
    Conversation.objects.filter(id=conversation.id).update(owner=owner)
    assert f"recorded by {owner}" in page(owner, conversation, "/messages")
    Anchor.objects.filter(conversation=conversation).update(truth="stated")
    for tab in ("/anchors", ""):
        assert f"said by {owner}</span>" in page(owner, conversation, tab), tab


def test_what_a_person_said_in_an_earlier_session_says_in_whose(conversation, owner, teammate, team):
    Conversation.objects.filter(id=conversation.id).update(owner=teammate)
    later = ConversationFactory.create(team=team, owner=owner)
    Anchor.objects.filter(conversation=conversation).update(truth="stated", conversation=later, origin_conversation=conversation)
    assert f"said by {teammate}</span>" in page(owner, later, "/anchors")
    Conversation.objects.filter(id=conversation.id).update(owner=None)
    assert "said by a person</span>" in page(owner, later, "/anchors").split('id="results"')[1]


def test_what_the_agents_instructions_say_is_not_put_into_a_persons_mouth(conversation, owner):
    Conversation.objects.filter(id=conversation.id).update(owner=owner)
    Anchor.objects.filter(conversation=conversation).update(truth="stated", method="system.constraint.must")
    assert f"said by {owner}" not in page(owner, conversation, "/anchors")


def test_a_full_session_whose_handoff_is_made_is_not_told_to_hand_off_now(conversation, owner):
    Conversation.objects.filter(id=conversation.id).update(context_tokens=95, max_context_tokens=100)
    assert "Hand off now" in page(owner, conversation, "")
    rows.handoff(conversation, status="ready", number=3)
    shown = page(owner, conversation, "")
    assert "Hand off now" not in shown
    assert ">Handoff 3 is made<" in shown
