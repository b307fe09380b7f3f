"""Profile and password: times in the reader's zone, and what a new password ends."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.core import mail
from django.test import Client

from continuity.models import AuditEntry, Conversation, Team, User
from tests.cast import PASSWORD
from tests.factories import ConversationFactory
from tests.web.world import browser

NEW = "another horse battery"


def sign_in(email: str, password: str) -> Client | None:
    client = Client()
    return client if client.post("/login", {"username": email, "password": password}).status_code == 302 else None


def test_it_works(team: Team, owner: User) -> None:
    client = browser(owner)
    assert client.post("/profile", {"name": " Mira  Holm ", "time_zone": "Asia/Tokyo"}).status_code == 302
    owner.refresh_from_db()
    assert (owner.name, owner.time_zone) == ("Mira Holm", "Asia/Tokyo")
    assert b"Mira Holm" in client.get("/profile").content


def test_times_are_shown_in_the_zone_of_who_reads(team: Team, owner: User, teammate: User) -> None:
    conversation = ConversationFactory.create(team=team)
    at = datetime(2026, 3, 17, 20, 30, tzinfo=UTC)
    Conversation.objects.filter(id=conversation.id).update(active_at=at)
    User.objects.filter(id=owner.id).update(time_zone="Asia/Tokyo")
    assert "18 Mar 2026, 05:30:00 JST" in browser(owner).get("/conversations").content.decode()
    there = browser(teammate).get("/conversations").content.decode()
    assert "17 Mar 2026, 20:30:00 UTC" in there
    assert re.search(r'<time datetime="2026-03-17T20:30:00\+00:00"', there)


@pytest.mark.parametrize("zone", ["", "Nowhere/Town", "../etc/passwd", "posixrules"])
def test_an_unknown_zone_is_refused(team: Team, owner: User, zone: str) -> None:
    assert browser(owner).post("/profile", {"name": "Mira", "time_zone": zone}).status_code == 422


def test_a_zone_that_this_system_does_not_know_does_not_break_pages(team: Team, owner: User) -> None:
    User.objects.filter(id=owner.id).update(time_zone="Gone/Zone")
    assert browser(owner).get("/team").status_code == 200


def test_a_new_password_ends_every_other_session_and_rotates_this_one(team: Team, owner: User) -> None:
    here, elsewhere = sign_in(owner.email, PASSWORD), sign_in(owner.email, PASSWORD)
    assert here
    assert elsewhere
    before = here.cookies["sessionid"].value
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert here.post("/profile/password", form).status_code == 302
    assert here.cookies["sessionid"].value != before
    assert here.get("/team").status_code == 200
    assert elsewhere.get("/team").status_code == 302
    assert AuditEntry.objects.filter(action="password.changed", actor=owner.email).exists()


def test_the_old_password_is_asked_for(team: Team, owner: User) -> None:
    form = {"old_password": "guessed it", "new_password1": NEW, "new_password2": NEW}
    assert browser(owner).post("/profile/password", form).status_code == 422
    assert sign_in(owner.email, PASSWORD)


def test_signing_in_gives_the_session_another_key(team: Team, owner: User) -> None:
    client = Client()
    client.get("/login")
    session = client.session
    session["planted"] = True
    session.save()
    client.cookies["sessionid"] = str(session.session_key)
    client.post("/login", {"username": owner.email, "password": PASSWORD})
    assert client.cookies["sessionid"].value != session.session_key


def test_a_lost_password_is_set_anew_by_a_link_that_works_once(team: Team, owner: User) -> None:
    client = Client()
    assert client.post("/password/reset", {"email": "OWNER@example.com"}).headers["Location"] == "/password/reset/sent"
    (sent,) = mail.outbox
    link = re.search(r"http://testserver(/password/reset/\S+)", str(sent.body))
    assert link
    form = client.get(link[1], follow=True)
    assert b"New password" in form.content
    done = client.post(form.request["PATH_INFO"], {"new_password1": NEW, "new_password2": NEW})
    assert done.headers["Location"] == "/password/reset/done"
    assert sign_in(owner.email, NEW)
    assert b"works no more" in Client().get(link[1], follow=True).content


def test_nobody_learns_who_has_an_account(team: Team, owner: User) -> None:
    known, unknown = (Client().post("/password/reset", {"email": email}) for email in (owner.email, "nobody@example.com"))
    assert (known.status_code, known.headers["Location"]) == (unknown.status_code, unknown.headers["Location"])
    assert len(mail.outbox) == 1
