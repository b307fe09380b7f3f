"""Errors: each a page that says what happened, with its status; under htmx a notice in the page's place for it."""

from uuid import uuid4

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from handoffs.models import HandoffTombstone
from tests.api.caller import Caller
from tests.handoffs.story import story
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


def test_a_null_byte_in_the_name_of_an_anchor_is_no_fault_of_ours(team, owner):
    conversation = story(team)
    assert browser(owner).get(f"/conversations/{conversation.id}/anchors/a%00b").status_code == 404


def test_a_name_with_a_null_byte_is_nobodys(team, owner):
    answer = browser(owner).get("/agents/a%00b")
    assert answer.status_code == 404 and "There is no such resource." in answer.content.decode()
    told = Caller.of(team).call("DELETE", "/topics/a%00b")
    assert (told.status_code, told.json()["code"]) == (404, "not_found")


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


@pytest.mark.parametrize(
    ("method", "address", "allowed", "told"),
    [("get", "/team/name", "POST", b"A button or a form sends to it"), ("post", "/team/keys", "GET", b"only to be looked at")],
)
def test_what_takes_another_method_says_which(team, owner, method, address, allowed, told):
    answer = getattr(browser(owner), method)(address)
    assert answer.status_code == 405
    assert allowed in answer.headers["Allow"]
    assert told in answer.content


@pytest.mark.parametrize(
    ("referer", "then"),
    [("http://testserver/team?tab=1", "/team"), ("https://elsewhere.example/steal", "/steal"), ("", "/"), ("http://[x", "/")],
    ids=["from its page", "from elsewhere", "unknown", "no address"],
)
def test_who_has_to_sign_in_for_a_form_comes_back_to_a_page(client, db, referer, then):
    answer = client.post("/team/leave", headers={"Referer": referer})
    assert answer.headers["Location"] == f"/login?next={then}"


def test_who_has_to_sign_in_is_sent_on_whatever_is_told_of_their_page(client, db):
    answer = client.get("/team", headers={"HX-Request": "true", "HX-Current-URL": "http://[x"})
    assert answer.headers["HX-Redirect"] == "/login?next=/"


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_no_browser_keeps_a_refusal_in_place_of_the_page(team, owner, headers):
    """What is gone may be kept without asking: a live panel's notice then stood for the whole page."""
    tombstone = HandoffTombstone.objects.create(id=uuid4(), team=team, conversation=uuid4(), reason="expired", deleted_at=timezone.now())
    answer = browser(owner).get(f"/handoffs/{tombstone.id}", headers=headers)
    assert "no-store" in answer.headers["Cache-Control"]
    assert "HX-Request" in answer.headers["Vary"]


def test_a_name_that_is_not_ours_is_said_with_what_to_do(client, db):
    answer = client.get("/login", headers={"Host": "<b>.example"})
    assert answer.status_code == 400
    assert b"&lt;b&gt;.example" in answer.content
    assert b"ALLOWED_HOSTS" in answer.content
