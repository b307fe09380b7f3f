"""Errors: each a page that says what happened, with its status; under htmx a notice in the page's place for it."""

from uuid import uuid4

from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from handoffs.models import HandoffTombstone
from tests.web.world import browser

HTMX = {"HX-Request": "true"}


def test_it_works(team, owner):
    answer = browser(owner).get(f"/conversations/{uuid4()}")
    assert answer.status_code == 404
    assert b"There is no such conversation." in answer.content
    assert b"<html" in answer.content


def test_a_fragment_gets_a_notice_that_finds_its_own_place(team, owner):
    answer = browser(owner).get(f"/conversations/{uuid4()}/anchors", headers=HTMX)
    assert answer.status_code == 404
    assert answer.headers["HX-Retarget"] == "#notices"
    assert b"<html" not in answer.content
    assert b"There is no such conversation." in answer.content


def test_a_deleted_handoff_is_gone_not_unknown(team, owner):
    tombstone = HandoffTombstone.objects.create(id=uuid4(), team=team, conversation=uuid4(), reason="expired", deleted_at=timezone.now())
    answer = browser(owner).get(f"/handoffs/{tombstone.id}")
    assert answer.status_code == 410
    assert b"was deleted (expired)" in answer.content


def test_an_address_that_leads_nowhere(client, db):
    answer = client.get("/nowhere/at/all")
    assert answer.status_code == 404
    assert b"There is nothing at this address" in answer.content


def test_a_form_without_its_token_is_out_of_date(team, owner):
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    answer = client.post("/conversations/import", {})
    assert answer.status_code == 403
    assert b"This form is out of date" in answer.content


def test_a_database_that_is_away_is_told_as_such(team, owner):
    client = browser(owner)

    def away(*_):
        raise OperationalError("the connection is closed")

    with connection.execute_wrapper(away):
        answer = client.get("/conversations")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert b"Not available right now" in answer.content


def test_a_fault_of_ours_is_a_page_too(team, owner):
    client = browser(owner)
    client.raise_request_exception = False

    def broken(*_):
        raise ZeroDivisionError

    with connection.execute_wrapper(broken):
        answer = client.get("/conversations")
    assert answer.status_code == 500
    assert b"Something went wrong here" in answer.content


def test_no_cache_mixes_pages_with_fragments_or_people(team, owner):
    answer = browser(owner).get("/conversations")
    assert {"HX-Request", "Cookie"} <= {name.strip() for name in answer.headers["Vary"].split(",")}
    assert "private" in answer.headers["Cache-Control"]
