"""What operators do in the admin goes through the services, and long tables are never counted."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.admin import site
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from continuity import models
from continuity.services.accounts import accounts, apikeys
from continuity.services.erasure import cleanups
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from diagnostics.models import ScheduledRun
from handoffs.models import Handoff, HandoffPolicy, HandoffStatus, HandoffTombstone
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation
from tests.factories import AnchorFactory, ConversationFactory, MessageFactory
from tests.handoffs.story import story
from tests.web import rows
from tests.web.test_admin import act, address
from tests.web.world import browser


@pytest.fixture
def operator(db):
    return browser(accounts.create_user(email="root@example.com", password="correct horse battery", is_admin=True))


def test_it_works(operator, team):
    """A conversation is read again, and what a person pinned stays."""
    conversation = story(team)
    fold_runner.catch_up(conversation_id=conversation.id)
    pinned = models.Anchor.objects.filter(conversation=conversation, type="Constraint").order_by("key").first()
    assert pinned is not None
    models.Anchor.objects.filter(id=pinned.id).update(pinned=True, edited_at=timezone.now())
    assert b"1 will be read again." in act(operator, models.Conversation, "distil_again", conversation).content
    conversation.refresh_from_db()
    assert conversation.folded_seq == 0
    fold_runner.catch_up(conversation_id=conversation.id)
    assert models.Anchor.objects.get(conversation=conversation, key=pinned.key).pinned


def test_a_package_is_made_again_and_checked(operator, team):
    handoff = preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of(budget=4000))
    assert b"1 made again." in act(operator, Handoff, "make_again", handoff).content
    handoff.refresh_from_db()
    assert handoff.version == 2
    resumption.resume(team=team, handoff_id=handoff.id)
    refused = act(operator, Handoff, "make_again", handoff).content
    assert b"0 made again." in refused and str(handoff.id).encode() in refused


def test_only_what_nobody_resumed_is_expired(operator, team):
    mine = rows.handoff(ConversationFactory.create(team=team))
    used = rows.handoff(ConversationFactory.create(team=team), status=HandoffStatus.RESUMED, resumed_at=timezone.now())
    for handoff, told in ((mine, b"1 expired."), (used, b"0 expired.")):
        assert told in act(operator, Handoff, "expire", handoff).content
    assert list(Handoff.objects.all()) == [used]
    assert HandoffTombstone.objects.filter(id=mine.id, reason="expired").exists()


def test_a_conversation_is_cleaned_up_before_its_time(operator, team):
    conversation = ConversationFactory.create(team=team)
    conversations.invalidate(team=team, conversation_id=conversation.id)
    cleanup = models.Cleanup.objects.get()
    models.Cleanup.objects.update(due_at=timezone.now() + timedelta(hours=1), attempts=3, done_at=None)
    assert cleanups.sweep_pending(now=timezone.now()) == 0
    assert b"1 tried." in act(operator, models.Cleanup, "clean_up_now", cleanup).content
    cleanup.refresh_from_db()
    assert cleanup.done_at is not None


def test_a_failed_job_is_tried_again(operator, team):
    failed = models.Job.objects.create(team=team, kind="import", status="failed", attempts=5, error="The disk was full.")
    done = models.Job.objects.create(team=team, kind="import", status="done")
    assert b"1 queued." in act(operator, models.Job, "try_again", failed).content
    assert b"0 queued." in act(operator, models.Job, "try_again", done).content
    failed.refresh_from_db()
    assert (failed.status, failed.attempts, failed.error) == ("queued", 0, "")


def test_a_key_is_replaced_and_its_text_shown_once(operator, team, owner):
    key, old = apikeys.issue(team=team, name="agent", scopes=["read"], created_by=owner)
    page = act(operator, models.ApiKey, "rotate", key).content.decode()
    new = models.ApiKey.objects.get(revoked_at=None)
    assert new.id != key.id and (new.name, new.scopes, new.created_by) == ("agent", ["read"], owner)
    text = next(word for word in page.split() if word.startswith(f"{new.kind}_{new.lookup}_"))
    assert apikeys.authenticate(text, now=timezone.now()) == new
    assert old not in page
    assert text not in operator.get(address(models.ApiKey, "changelist")).content.decode()
    assert b"still works" in act(operator, models.ApiKey, "rotate", key).content


def test_the_first_page_tells_how_everything_does(operator, team):
    now = timezone.now()
    ScheduledRun.objects.create(name="continuity.sweep", finished_at=now, seconds=0.25, runs=1234)
    ConversationFactory.create(team=team, message_count=4321)
    page = operator.get("/admin/").content.decode()
    for told in ("Scheduled work", "1,234", "0.25 s", "4,321", team.name, "not yet"):
        assert told in page, told


@pytest.mark.parametrize("model", [models.Message, models.Anchor, models.Task, models.FileTouch, models.Event, models.Segment])
def test_a_long_table_is_never_counted(model, operator, team):
    conversation = ConversationFactory.create(team=team)
    MessageFactory.create_batch(60, conversation=conversation)
    AnchorFactory.create_batch(60, conversation=conversation)
    with CaptureQueriesContext(connection) as queries:
        assert operator.get(address(model, "changelist")).status_code == 200
    told = [query["sql"] for query in queries if "COUNT(" in query["sql"] and model._meta.db_table in query["sql"]]
    assert not told


def test_a_policy_is_set_by_its_form_and_told_of(operator, team):
    add = "/admin/handoffs/handoffpolicy/add/"
    assert operator.get(add).status_code == 200
    made = operator.post(add, {"team": team.id, "review": "true", "budget": "2000", "style": ""}, follow=True)
    assert made.status_code == 200
    policy = HandoffPolicy.objects.get()
    assert (policy.review, policy.budget, policy.conversation, str(policy.updated_by)) == (True, 2000, None, "root@example.com")
    page = f"/admin/handoffs/handoffpolicy/{policy.id}/change/"
    assert operator.get(page).status_code == 200
    operator.post(page, {"review": "unknown", "handoff_at": "0.9", "style": "concise"})
    policy.refresh_from_db()
    assert (policy.review, policy.budget, policy.handoff_at, policy.style) == (None, None, 0.9, "concise")
    assert models.Event.objects.filter(name="policy.changed", team=team).count() == 2
    assert operator.post(f"/admin/handoffs/handoffpolicy/{policy.id}/delete/", {"post": "yes"}).status_code == 403


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [("budget", "1", b"budget must lie between"), ("handoff_at", "0.1", b"handoff_at"), ("max_chain_length", "0", b"max_chain_length")],
)
def test_a_policy_that_the_service_refuses_is_refused_at_its_field(operator, team, field, value, told):
    refused = operator.post("/admin/handoffs/handoffpolicy/add/", {"team": team.id, field: value})
    assert refused.status_code == 200
    assert told in refused.content
    assert not HandoffPolicy.objects.exists()


def test_a_policy_of_another_teams_conversation_is_refused(operator, team, other_team):
    theirs = ConversationFactory.create(team=other_team)
    refused = operator.post("/admin/handoffs/handoffpolicy/add/", {"team": team.id, "conversation": theirs.id})
    assert b"of another team" in refused.content
    assert not HandoffPolicy.objects.exists()


HARMLESS = {"distil_again", "make_again", "try_again", "try_now", "audit_again"}


def test_an_action_that_cannot_be_taken_back_is_asked_first(operator, team):
    """Every action of ours: those not named as harmless ask, name what was chosen, and do nothing before a yes."""
    asked = set()
    for model, its in site._registry.items():
        for name in (its.actions or ()) if model.__module__.startswith(("continuity", "handoffs", "diagnostics")) else ():
            if not isinstance(name, str) or name in HARMLESS:
                continue
            asked.add(name)
            chosen = {"action": name, "_selected_action": [str(uuid4())]}
            page = operator.post(address(model, "changelist"), chosen, follow=True).content
            assert b"This can't be undone" in page, name
            assert b'name="confirmed"' in page, name
    assert {"revoke", "rotate", "invalidate", "expire", "delete_expired", "clean_up_now", "discard"} <= asked
    key, _text = apikeys.issue(team=team, name="agent of Kim")
    chosen = {"action": "revoke", "_selected_action": [str(key.pk)]}
    assert b"agent of Kim" in operator.post(address(models.ApiKey, "changelist"), chosen).content
    key.refresh_from_db()
    assert key.revoked_at is None
