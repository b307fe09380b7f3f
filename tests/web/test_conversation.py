"""The page of one conversation: its curve, its course, its anchors, what a budget holds, and its end."""

import pytest
from django.utils import timezone

from continuity.knowledge.model import AnchorType, TaskStatus
from continuity.models import Anchor, Conversation, FoldState, Message, Role, Tier
from continuity.services.accounts import accounts
from continuity.services.knowledge import curation, fold_runner
from continuity.services.recording import conversations
from continuity.services.segments import segments
from continuity.templatetags.figures import in_transcript
from handoffs.models import Handoff
from tests.cast import person
from tests.factories import ConversationFactory, TaskFactory
from tests.handoffs.story import DECISION, story
from tests.web.world import browser
from tests.words import answered, said

HTMX = {"HX-Request": "true"}
SECRET = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"


@pytest.fixture
def conversation(team, owner):
    conversation = story(team, owner=owner)
    fold_runner.catch_up(conversation_id=conversation.id)
    segments.summarise_pending(conversation_id=conversation.id)
    conversation.refresh_from_db()
    return conversation


def at(conversation, rest=""):
    return f"/conversations/{conversation.id}{rest}"


def text(answer):
    return answer.content.decode()


def test_it_works(conversation, owner):
    page = text(browser(owner).get(at(conversation)))
    for words in ("Where it stands", "In progress", "Must not be lost", "Timeline", "Tokens in the window, by message", "Write the worker"):
        assert words in page


@pytest.mark.parametrize(("status", "goes_on"), [("active", True), ("idle", False), ("handed_off", False), ("expired", False)])
def test_only_in_an_active_session_the_agent_goes_on(status, goes_on, conversation, owner, team):
    messages = [said("Now write the worker."), answered("I'll write the worker now, and then its test.")]
    conversations.append(team=team, conversation_id=conversation.id, messages=messages)
    fold_runner.catch_up(conversation_id=conversation.id)
    Conversation.objects.filter(id=conversation.id).update(status=status)
    page = text(browser(owner).get(at(conversation)))
    assert ("The agent’s work is in progress" in page, "still at work when it stopped" in page) == (goes_on, not goes_on)


def test_where_what_was_asked_is_done_the_goal_is_the_work_in_progress(conversation, owner):
    def goal():
        return text(browser(owner).get(at(conversation))).split("<dt>Goal</dt><dd>")[1].split("</dd>")[0].strip()

    before = goal()
    conversation.tasks.all().delete()
    TaskFactory.create(conversation=conversation, status=int(TaskStatus.IN_PROGRESS), description="Move the months", first_seq=0)
    assert goal() == before
    assert "#m1" in before, "what message 3 decides belongs to that"
    TaskFactory.create(conversation=conversation, status=int(TaskStatus.COMPLETED), description="What was asked", first_seq=3)
    assert goal() == "Move the months"


@pytest.mark.parametrize(("status", "waits"), [(TaskStatus.BLOCKED, True), (TaskStatus.COMPLETED, False)])
def test_only_what_is_not_over_waits(status, waits, conversation, owner):
    TaskFactory.create(conversation=conversation, status=int(status), blocking_reason="the word of the harbour")
    page = text(browser(owner).get(at(conversation)))
    assert "the word of the harbour" in page
    assert ("<strong>Waits for</strong> the word of the harbour" in page) is waits


def test_the_live_panel_is_asked_for_only_when_something_changed(conversation, owner, team):
    client = browser(owner)
    first = client.get(at(conversation), headers=HTMX)
    assert 'id="use"' in text(first)
    assert "<html" not in text(first)
    seen = HTMX | {"If-None-Match": first.headers["ETag"]}
    assert client.get(at(conversation), headers=seen).status_code == 304
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("And now the worker.")])
    assert client.get(at(conversation), headers=seen).status_code == 200


def test_a_long_conversation_takes_no_more_queries(conversation, owner, team, django_assert_max_num_queries):
    client = browser(owner)
    client.get(at(conversation))
    many = [said(f"Please add part {number} of the report.") for number in range(300)]
    conversations.append(team=team, conversation_id=conversation.id, messages=many)
    fold_runner.catch_up(conversation_id=conversation.id)
    segments.summarise_pending(conversation_id=conversation.id)
    with django_assert_max_num_queries(30):
        client.get(at(conversation))


def test_a_segment_is_told_at_every_level(conversation, owner):
    client, segment = browser(owner), conversation.segments.first()
    assert text(client.get(at(conversation, "/course"))).count('class="stack tight segment"') == conversation.segments.count()
    told = {level: text(client.get(at(conversation, f"/segments/{segment.id}?level={level}"), headers=HTMX)) for level in range(4)}
    assert DECISION in told[0].replace("&#x27;", "'")
    assert len(set(told.values())) == 4
    assert client.get(at(conversation, f"/segments/{segment.id}?level=7")).status_code == 422


def test_a_tier_without_tags_still_gets_the_page(conversation, owner, team):
    team.tier = Tier.CORE
    team.save()
    assert browser(owner).get(at(conversation)).status_code == 200


def test_the_words_that_a_rule_found_hold_no_secret(conversation, owner):
    words = f"Use {SECRET}, not the old one."
    found = Anchor.objects.filter(conversation=conversation, text=DECISION).get()
    Anchor.objects.filter(id=found.id).update(text=words, truth="stated", method="correction.contrast")
    page = text(browser(owner).get(at(conversation, f"/anchors/{found.key}")))
    assert "(rule <code>correction.contrast</code>)" in page
    assert SECRET.lower() not in page.lower()


def test_what_nobody_said_names_no_message(conversation, owner):
    curation.add_anchor(conversation=conversation, type=AnchorType.CONSTRAINT, text="Only at night.", by=owner, now=timezone.now())
    (page,) = [row for row in text(browser(owner).get(at(conversation, "/anchors"))).split("<li ") if "Only at night." in row]
    assert f"added by {owner}" in page
    assert "nobody said it" in page
    assert ">message " not in page


@pytest.mark.parametrize("carried", [False, True])
def test_a_decision_that_the_agent_proposed_leads_to_the_message_that_agreed(carried, conversation, owner, team):
    offer = answered("I recommend Valkey instead of RabbitMQ for the queue. Shall I use Valkey?")
    conversations.append(team=team, conversation_id=conversation.id, messages=[offer, said("Yes, use Valkey."), said("Thank you.")])
    fold_runner.catch_up(conversation_id=conversation.id)
    anchor = Anchor.objects.get(conversation=conversation, method="decision.accepted")
    shown = ConversationFactory.create(team=team, owner=owner) if carried else conversation
    Anchor.objects.filter(id=anchor.id).update(conversation=shown, origin_conversation=conversation if carried else None)
    client = browser(owner)
    link = f'<a href="{in_transcript(conversation.id, anchor.source_seq + 1)}">message {anchor.source_seq + 1}</a>'
    assert f"agreed to by {owner} in {link}" in text(client.get(at(shown, "/anchors")))
    assert f"<strong>{owner}:</strong> Yes, use Valkey. {link}" in text(client.get(at(shown, f"/anchors/{anchor.key}")))
    Message.objects.filter(conversation=conversation, seq=anchor.source_seq + 1).update(parts=[])
    assert "agreed to by Owner in <a" not in text(client.get(at(shown, f"/anchors/{anchor.key}"))), "what is not there is not pointed at"


def test_an_anchor_is_corrected_in_place_and_back(conversation, owner):
    client, anchor = browser(owner), Anchor.objects.get(conversation=conversation, text=DECISION)
    address = at(conversation, f"/anchors/{anchor.key}")
    form = text(client.get(address, headers=HTMX))
    assert "<textarea" in form
    assert f"#m{anchor.source_seq}" in form, "why it holds is read in its message"
    assert f"(rule <code>{anchor.method}</code>)" in form
    changed = text(client.post(address, {"change": "correct", "text": "Use Postgres 15."}, headers=HTMX))
    assert "Use Postgres 15." in changed
    assert "Undo" in changed
    client.post(address, {"change": "correct", "text": DECISION}, headers=HTMX)
    anchor.refresh_from_db()
    assert anchor.text == DECISION
    assert client.post(address, {"change": "dismiss"}).headers["Location"] == address  # without scripts


def test_replacing_an_anchor_is_shown_and_undone(conversation, owner):
    client, anchor = browser(owner), Anchor.objects.get(conversation=conversation, text=DECISION)
    address = at(conversation, f"/anchors/{anchor.key}")
    replaced = text(client.post(address, {"change": "supersede", "text": "Use SQLite."}, headers=HTMX))
    assert '<button class="quiet" name="change" value="restore">Undo' in replaced
    new = Anchor.objects.get(conversation=conversation, text="Use SQLite.")
    page = text(client.get(address))
    assert ">replaced</span>" in page
    assert at(conversation, f"/anchors/{new.key}") in page
    for shown in (at(conversation, "/anchors"), at(conversation, f"/anchors/{new.key}")):
        assert f'Replaces:</strong> <a href="{address}">' in text(client.get(shown))
    client.post(address, {"change": "restore"}, headers=HTMX)
    assert "What replaced it" not in text(client.get(address))
    assert "Replaces:" not in text(client.get(at(conversation, f"/anchors/{new.key}")))
    assert "dismissed" in text(client.get(at(conversation, f"/anchors/{new.key}")))


def test_a_viewer_changes_no_anchor(conversation, team):
    viewer = person("viewer")
    accounts.add_member(team=team, user=viewer, role=Role.VIEWER)
    client, anchor = browser(viewer), Anchor.objects.get(conversation=conversation, text=DECISION)
    assert client.post(at(conversation, f"/anchors/{anchor.key}"), {"change": "pin"}).status_code == 403
    assert "Members may pin" in text(client.get(at(conversation, f"/anchors/{anchor.key}")))


def test_a_budget_is_looked_at_without_storing_anything(conversation, owner):
    client = browser(owner)
    small, large = (text(client.get(at(conversation, f"/prepare?budget={n}&style=structured"), headers=HTMX)) for n in (150, 4000))
    assert "of 4,000 tokens" in large
    assert "Nothing is cut for want of room" in large
    assert "What is cut" in small or "takes more than this budget" in small
    assert "150" in text(client.get(at(conversation, "/prepare?budget=5&style=structured"), headers=HTMX))
    assert not Handoff.objects.exists()


def test_erasing_and_ending_need_a_tick(conversation, owner):
    client = browser(owner)
    assert client.post(at(conversation, "/end"), {"deed": "erase"}).status_code == 422
    assert Conversation.objects.filter(id=conversation.id).exists()
    client.post(at(conversation, "/end"), {"deed": "invalidate", "sure": "on"})
    ended = text(client.get(at(conversation)))
    assert "This conversation is over" in ended
    assert "Go on" not in ended
    assert "Prepare a handoff" not in ended
    assert client.post(at(conversation, "/end"), {"deed": "erase", "sure": "on"}).headers["Location"] == "/conversations"
    assert client.get(at(conversation)).status_code == 410


def test_only_an_owner_shows_what_was_masked(conversation, owner, teammate, team):
    conversations.append(team=team, conversation_id=conversation.id, messages=[said(f"The key is {SECRET}.")])
    seq = Message.objects.exclude(secrets=[]).get().seq
    address = at(conversation, f"/messages/{seq}")
    assert browser(teammate).post(address, {"number": "0"}).status_code == 403
    assert SECRET not in text(browser(owner).get(address))
    assert browser(owner).post(address, {"number": "x"}).status_code == 422
    assert browser(owner).post(address, {"number": "0", "confirmed": "yes"}).headers["Location"] == address
    assert SECRET in text(browser(owner).get(address))


def test_the_transcript_goes_on_from_either_end(conversation, owner, team):
    conversations.append(team=team, conversation_id=conversation.id, messages=[said(f"Part {number}") for number in range(60)])
    client = browser(owner)
    onwards = text(client.get(at(conversation, "/messages?after=20"), headers=HTMX))
    assert 'id="later"' in onwards
    assert 'id="earlier"' not in onwards
    back = text(client.get(at(conversation, "/messages?before=40"), headers=HTMX))
    assert 'id="earlier"' in back
    assert 'id="later"' not in back


def test_a_page_can_be_read_before_its_conversation_is_folded_by_newer_rules(conversation, owner):
    fold = FoldState.objects.get(conversation=conversation)
    fold.state["rules_version"] = "older"
    fold.save()
    assert browser(owner).get(at(conversation)).status_code == 200


def test_in_a_group_each_message_names_who_spoke(team, owner):
    conversation = ConversationFactory.create(team=team, owner=owner, source_tool="group")
    spoken = [answered("I looked at it.")]
    conversations.append_in_group(team=team, conversation_id=conversation.id, messages=spoken, device="reviewer", model="")
    page = browser(owner).get(f"/conversations/{conversation.id}/messages").content.decode()
    assert "<strong>reviewer</strong>" in page
