"""The admin: every model opens, history can't be changed, secrets are not shown, actions go through the services."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.urls import reverse
from django.utils import timezone

from continuity import models
from continuity.services.accounts import accounts, apikeys
from handoffs.models import (
    Handoff,
    HandoffPolicy,
    HandoffTombstone,
)
from tests.factories import ConversationFactory
from tests.web import rows
from tests.web.one_of_each import one_of_each
from tests.web.world import browser

OURS: list[Any] = [model for app in ("continuity", "handoffs", "diagnostics") for model in apps.get_app_config(app).get_models()]
EDITABLE = {models.User, models.Team, models.Membership, HandoffPolicy}
SECRET = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"


@pytest.fixture
def operator(db):
    return browser(accounts.create_user(email="root@example.com", password="correct horse battery", is_admin=True))


def address(model, page, *arguments):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}", args=arguments)


def test_it_works(operator, team, owner):
    """Each page of each model opens, and none shows a secret or a digest."""
    one_of_each(team, owner, f"the token is {SECRET} and stays so")
    message = models.Message.objects.filter(conversation__group=None).get(seq=1)
    message.secrets = [{"part": 0, "path": ["text"], "start": 13, "end": 13 + len(SECRET), "kind": "github-token"}]
    message.save()
    models.Message.objects.filter(seq=2).delete()
    Handoff.objects.update(secrets=[{"start": 13, "end": 13 + len(SECRET), "kind": "github-token"}])
    digest = models.ApiKey.objects.get().digest
    for model in OURS:
        assert admin.site.is_registered(model), model
        found = list(model.objects.all())
        assert found, f"one_of_each makes no {model.__name__}"
        for path in (address(model, "changelist"), *(address(model, "change", row.pk) for row in found)):
            answer = operator.get(path)
            page = answer.content.decode()
            assert (answer.status_code, SECRET in page, digest in page) == (200, False, False), path


def test_history_can_not_be_changed_added_or_deleted(operator, team, owner):
    one_of_each(team, owner)
    for model in OURS:
        if model not in EDITABLE:
            row = model.objects.first()
            assert operator.get(address(model, "add")).status_code == 403, model
            assert operator.post(address(model, "change", row.pk), {}).status_code == 403, model
            assert operator.post(address(model, "delete", row.pk), {"post": "yes"}).status_code == 403, model


def test_the_first_page_leads_to_every_model_and_tells_what_is_scheduled_and_stored(operator, team, owner):
    page = operator.get("/admin/").content.decode()
    content = page[page.index('id="content"') :]  # The menu beside it names every model too.
    for model in OURS:
        assert content.count(f'href="{address(model, "changelist")}"') >= 1, model
    for shown in ("Scheduled work", "sweep", "Stored by team", team.name, "Tables"):
        assert shown in content


def test_each_column_of_a_list_sorts_by_itself(operator, team, owner):
    one_of_each(team, owner)
    where = address(Handoff, "changelist")
    for number in (1, 5):
        page = operator.get(f"{where}?o={number}").content.decode()
        assert f"o=-{number}" in page  # the column itself the other way round
        assert f"o=6.{number}" in page  # another before it


def test_people_without_the_right_stay_outside(team, owner):
    answer = browser(owner).get("/admin/", follow=True)
    assert answer.status_code == 403
    assert b"Only operators of this installation may do this" in answer.content


def test_a_row_is_found_by_its_id_and_not_by_half_of_one(operator, team, owner):
    there = one_of_each(team, owner)
    searched: list[Any] = [models.Message, models.Conversation, models.Anchor, Handoff, models.Job]
    for model in searched:
        whole = model.objects.get(id=there.job.id) if model is models.Job else model.objects.order_by("id").first()
        listed = operator.get(address(model, "changelist"), {"q": str(whole.pk)}).content.decode()
        assert address(model, "change", whole.pk) in listed, model
        part = operator.get(address(model, "changelist"), {"q": str(whole.pk)[:8]})
        assert address(model, "change", whole.pk) not in part.content.decode(), model


def act(client, model, action, row):
    return client.post(address(model, "changelist"), {"action": action, "_selected_action": [str(row.pk)], "confirmed": "yes"}, follow=True)


def test_keys_are_revoked_through_the_service(operator, team, owner):
    key, _text = apikeys.issue(team=team, name="agent")
    assert b"1 revoked." in act(operator, models.ApiKey, "revoke", key).content
    key.refresh_from_db()
    assert key.revoked_at is not None
    assert models.Event.objects.filter(name="api_key.revoked", subject_id=key.id).exists()


def test_conversations_are_ended_through_the_service(operator, team, owner):
    lapsed = ConversationFactory.create(team=team, expires_at=timezone.now() - timedelta(hours=1))
    chosen = ConversationFactory.create(team=team)
    assert b"1 expired." in act(operator, models.Conversation, "expire_lapsed", chosen).content
    assert b"1 invalidated." in act(operator, models.Conversation, "invalidate", chosen).content
    for row, status in ((lapsed, "expired"), (chosen, "invalidated")):
        row.refresh_from_db()
        assert row.status == status


def test_expired_handoffs_are_deleted_through_the_service(operator, team, owner):
    old = rows.handoff(ConversationFactory.create(team=team), expires_at=timezone.now() - timedelta(days=1))
    kept = rows.handoff(ConversationFactory.create(team=team))
    assert b"1 deleted." in act(operator, Handoff, "delete_expired", kept).content
    assert list(Handoff.objects.all()) == [kept]
    assert HandoffTombstone.objects.filter(id=old.id).exists()


def test_dead_letters_are_tried_again_and_given_up_through_the_service(operator, team):
    event = models.Event.objects.create(team=team, name="thing.happened", position=1)
    of = {"team": team, "event": event, "status": "dead", "attempts": 20, "reason": "ValueError", "failed_at": timezone.now()}
    again, given_up = (models.DeadLetter.objects.create(**of, subscriber=name) for name in ("a.handler", "b.handler"))
    assert b"1 will be tried within seconds." in act(operator, models.DeadLetter, "try_again", again).content
    again.refresh_from_db()
    assert (again.status, again.attempts) == ("retrying", 0)
    assert b"1 given up." in act(operator, models.DeadLetter, "discard", given_up).content
    assert list(models.DeadLetter.objects.all()) == [again]


def test_work_that_was_put_off_is_hurried_through_the_service(operator, team):
    later = timezone.now() + timedelta(minutes=30)
    put_off = models.Deferral.objects.create(team=team, kind="fold", subject_id=uuid4(), not_before=later)
    assert b"1 will be tried with the next sweep." in act(operator, models.Deferral, "try_now", put_off).content
    put_off.refresh_from_db()
    assert put_off.not_before < later


def test_a_person_who_may_only_look_has_no_actions(team, owner):
    looker = accounts.create_user(email="look@example.com", password="correct horse battery")
    looker.is_staff = True
    looker.save()
    looker.user_permissions.add(Permission.objects.get(codename="view_conversation"))
    chosen = ConversationFactory.create(team=team)
    client = browser(looker)
    assert client.get(address(models.Conversation, "changelist")).status_code == 200
    act(client, models.Conversation, "invalidate", chosen)
    chosen.refresh_from_db()
    assert chosen.status == "active"


def test_a_user_is_added_in_lower_case(operator):
    given = {
        "email": "New@Example.com",
        "name": "New",
        "usable_password": "true",
        "password1": "quite long 22",
        "password2": "quite long 22",
    }
    inline = {"memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0}
    assert operator.post(address(models.User, "add"), given | inline).status_code == 302
    assert models.User.objects.get(email="new@example.com").check_password("quite long 22")


def test_no_list_begins_with_a_column_that_leads_elsewhere() -> None:
    """The first column leads to the row itself: a link in it would be a link within a link."""
    first = {str(model.list_display[0]) for model in admin.site._registry.values()}
    assert {name for name in first if name.startswith("its_")} == set()
