"""Removing the demo leaves everything as it was before, whoever may do it."""

import threading
from collections.abc import Mapping
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from continuity.models import CompressedSegment, Segment, Team, User
from continuity.services.accounts import accounts, apikeys
from diagnostics.services import demo, demo_removal, measurements
from tests.api.caller import Caller
from tests.handoffs.story import story

pytestmark = pytest.mark.django_db

# Who is signed in, and how far a reader came in the events: traces of looking on, not of the demo.
NOT_OF_IT = {"sessions.Session", "continuity.Cursor"}


def everything() -> Mapping[str, set[Any]]:
    return {
        model._meta.label: set(model._default_manager.values_list("pk", flat=True))
        for model in apps.get_models()
        if model._meta.label not in NOT_OF_IT
    }


def test_it_works(owner: User, team: Team) -> None:
    story(team)
    measurements.catch_up()
    before = everything()
    demo.load(owner=owner, now=timezone.now())
    measurements.catch_up()
    loaded = everything()
    assert len([label for label in before if loaded[label] != before[label]]) > 15
    demo_removal.remove()
    assert everything() == before


def test_an_owner_removes_it_on_a_page_and_is_back_in_their_own_team(owner: User, team: Team) -> None:
    demo.load(owner=owner, now=timezone.now(), schedule={})
    browser = Client()
    browser.force_login(owner)
    browser.post("/team", {"team": demo.SLUG})
    assert b"Remove the demo" in browser.get("/conversations").content
    shown = browser.post("/demo/remove", {"confirmed": "yes"}, follow=True).content.decode()
    assert "The demo is removed" in shown
    assert "Remove the demo" not in shown
    assert list(Team.objects.all()) == [team]


def test_nobody_else_removes_it(owner: User, outsider: User, other_team: Team) -> None:
    demo.load(owner=owner, now=timezone.now(), schedule={})
    browser = Client()
    browser.force_login(outsider)
    assert browser.post("/demo/remove", {"confirmed": "yes"}).status_code == 404
    viewer = User.objects.get(email="ruth@tidewatch.example")
    browser.force_login(viewer)
    assert b"Remove the demo" not in browser.get("/conversations").content
    assert browser.post("/demo/remove", {"confirmed": "yes"}).status_code == 403
    key = apikeys.issue(team=other_team, name="k", created_by=outsider)[1]
    assert Caller(key).call("DELETE", "/demo").status_code == 404
    assert Team.objects.filter(demo=True).exists()


@pytest.mark.django_db(transaction=True)
def test_what_a_worker_stores_meanwhile_goes_as_well(owner: User) -> None:
    """Segments are summarised by workers: one is, after the rows were looked for and before they are deleted."""
    demo.load(owner=owner, now=timezone.now(), schedule={})
    found = Segment.objects.filter(team__demo=True).first()
    assert found is not None
    stored: list[str] = []

    def store(execute: Any, sql: str, *rest: Any) -> Any:
        if not stored and sql.startswith('DELETE FROM "continuity_segment"'):
            stored.append(sql)
            worker = threading.Thread(target=_summarise, args=[found])
            worker.start()
            worker.join()
        return execute(sql, *rest)

    with connection.execute_wrapper(store):
        demo_removal.remove()
    assert stored
    assert not Team.objects.filter(demo=True).exists()
    assert not CompressedSegment.objects.exists()


def _summarise(segment: Segment) -> None:
    CompressedSegment.objects.create(
        team_id=segment.team_id, segment=segment, level=1, content="They paused the alerts at night.", tokens=8
    )
    connection.close()


def test_a_key_of_an_owner_removes_it(owner: User, team: Team) -> None:
    demo.load(owner=owner, now=timezone.now(), schedule={})
    key = apikeys.issue(team=team, name="k", created_by=owner)[1]
    assert Caller(key).call("DELETE", "/demo").status_code == 204
    assert list(Team.objects.all()) == [team]
    assert Caller(key).call("DELETE", "/demo").status_code == 404


def test_the_command_loads_and_removes_it() -> None:
    accounts.create_user(email="mira@example.com", password="slack water at noon", is_admin=True)
    call_command("demo", only=["pause"])  # test_loading loads all of it
    assert Team.objects.get().memberships.filter(user__email="mira@example.com").exists()
    call_command("demo", "--remove")
    assert not Team.objects.exists()
    with pytest.raises(CommandError):
        call_command("demo", "--remove")
    with pytest.raises(CommandError, match="no such theme tides"):
        call_command("demo", only=["tides"])
