"""Inviting and joining: a link that works once, for whom it is meant, until it ends."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from continuity.core.errors import Conflict, InvitationOver, NotYours, RoleTooLow
from continuity.models import AuditEntry, Invitation, Membership, Role, Team, User
from continuity.services.accounts import accounts, invitations, members
from tests.cast import PASSWORD, person
from tests.web.world import browser


def link_of(page: bytes) -> str:
    found = re.search(rb"http://testserver(/join/[\w-]+)", page)
    assert found
    return found[1].decode()


def sign_up(link: str, client: Client | None = None, **changed: str) -> object:
    form = {"name": "Newcomer", "email": "newcomer@example.com", "password": PASSWORD, **changed}
    return (client or Client()).post(link, form)


def test_it_works(team: Team, owner: User) -> None:
    page = browser(owner).post("/team/invitations", {"role": Role.OPERATOR, "days": 7})
    assert b"shown only now" in page.content
    newcomer = Client()
    link = link_of(page.content)
    assert b"Join Ours" in newcomer.get(link).content
    assert sign_up(link, newcomer).headers["Location"] == "/"  # type: ignore[attr-defined]
    assert b"Operator in Ours" in newcomer.get("/team").content
    assert Membership.objects.get(user__email="newcomer@example.com").role == Role.OPERATOR
    assert AuditEntry.objects.get(action="invitation.accepted").actor == "newcomer@example.com"


def test_a_link_works_once(team: Team, owner: User, outsider: User) -> None:
    link = link_of(browser(owner).post("/team/invitations", {"role": 1, "days": 7}).content)
    assert browser(outsider).post(link).status_code == 302
    for client in (Client(), browser(person("late"))):
        answer = client.get(link)
        assert answer.status_code == 410
        assert b"Ask for a new one" in answer.content


def test_one_with_an_account_joins_with_it_and_keeps_the_role_they_have(team: Team, owner: User, teammate: User) -> None:
    _, token = invitations.create(team=team, role=Role.OWNER, by=owner, now=timezone.now())
    with pytest.raises(Conflict):
        invitations.accept(token=token, user=teammate, now=timezone.now())
    assert Membership.objects.get(user=teammate).role == Role.MEMBER
    assert invitations.find(token=token, now=timezone.now()).accepted_at is None


def test_it_is_mailed_where_an_address_is_given_and_works_for_that_one_only(team: Team, owner: User, outsider: User) -> None:
    page = browser(owner).post("/team/invitations", {"role": 1, "days": 7, "email": "Newcomer@Example.com"})
    (sent,) = mail.outbox
    assert sent.to == ["newcomer@example.com"]
    link = link_of(page.content)
    assert link in sent.body
    assert browser(outsider).post(link).status_code == 403
    sign_up(link, email="somebody.else@example.com")
    assert Membership.objects.filter(team=team, user__email="newcomer@example.com").exists()
    assert not User.objects.filter(email="somebody.else@example.com").exists()


def test_without_a_mail_server_it_is_not_said_to_be_mailed(team: Team, owner: User, settings: object) -> None:
    sent_to = {"role": 1, "days": 7, "email": "newcomer@example.com"}
    assert b"It was mailed to newcomer@example.com" in browser(owner).post("/team/invitations", sent_to).content
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"  # type: ignore[attr-defined]
    page = browser(owner).post("/team/invitations", sent_to).content
    assert b"It was mailed" not in page
    assert b"pass the link on yourself" in page


def test_an_address_with_an_account_is_told_to_sign_in(team: Team, owner: User, outsider: User) -> None:
    link = link_of(browser(owner).post("/team/invitations", {"role": 1, "days": 7}).content)
    answer = sign_up(link, email=outsider.email.upper())
    assert answer.status_code == 422  # type: ignore[attr-defined]
    assert b"Sign in with it to join" in answer.content  # type: ignore[attr-defined]


@pytest.mark.parametrize("password", ["short", "password123", "newcomer@example.com"])
def test_a_weak_password_is_refused(team: Team, owner: User, password: str) -> None:
    link = link_of(browser(owner).post("/team/invitations", {"role": 1, "days": 7}).content)
    assert sign_up(link, password=password).status_code == 422  # type: ignore[attr-defined]
    assert Membership.objects.filter(team=team).count() == 1


def test_it_ends_by_time_and_by_being_revoked(team: Team, owner: User, outsider: User) -> None:
    now = timezone.now()
    made, token = invitations.create(team=team, role=Role.MEMBER, by=owner, now=now, days=1)
    with pytest.raises(InvitationOver):
        invitations.accept(token=token, user=outsider, now=now + timedelta(days=1))
    assert browser(owner).post(f"/team/invitations/{made.id}/revoke", {"confirmed": "yes"}).status_code == 302
    with pytest.raises(InvitationOver):
        invitations.accept(token=token, user=outsider, now=now)
    assert browser(owner).post(f"/team/invitations/{made.id}/revoke", {"confirmed": "yes"}).status_code == 410


def test_it_ends_with_the_right_of_who_invited(team: Team, owner: User, teammate: User) -> None:
    members.change_role(team=team, user_id=teammate.id, role=Role.OWNER, by=owner)
    _, token = invitations.create(team=team, role=Role.OWNER, by=teammate, now=timezone.now())
    members.change_role(team=team, user_id=teammate.id, role=Role.MEMBER, by=owner)
    with pytest.raises(InvitationOver):
        invitations.find(token=token, now=timezone.now())


def test_the_service_itself_asks_for_the_role(team: Team, teammate: User) -> None:
    with pytest.raises(RoleTooLow):
        invitations.create(team=team, role=Role.VIEWER, by=teammate, now=timezone.now())


def test_the_secret_of_a_link_is_not_kept(team: Team, owner: User) -> None:
    made, token = invitations.create(team=team, role=Role.MEMBER, by=owner, now=timezone.now())
    row = Invitation.objects.filter(id=made.id).values().get()
    assert token not in str(row)


def test_it_is_for_nobody_else(team: Team, owner: User, outsider: User) -> None:
    _, token = invitations.create(team=team, role=Role.MEMBER, by=owner, now=timezone.now(), email="a@example.com")
    with pytest.raises(NotYours):
        invitations.accept(token=token, user=outsider, now=timezone.now())


def test_one_who_is_in_the_team_is_not_invited(team: Team, owner: User, teammate: User) -> None:
    accounts.add_member(team=team, user=teammate, role=Role.VIEWER)
    assert browser(owner).post("/team/invitations", {"role": 1, "days": 7, "email": teammate.email}).status_code == 409
