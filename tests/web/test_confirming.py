"""Nothing that can't be taken back is done by one click: a page says first what will happen, and to whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from continuity.models import ApiKey, Invitation, Membership, Message, Role, Team, User
from continuity.services.accounts import accounts, apikeys, invitations, members
from continuity.services.recording import conversations
from diagnostics.services import demo
from tests.browser.routes import NOT_PAGES, POST
from tests.factories import ConversationFactory
from tests.walk.routes import ROUTES, place
from tests.web.world import browser
from tests.words import said

YES = {"confirmed": "yes"}
# Every address of a page that takes a POST, and why one click is enough, or what stands before it.
ASKS = {"demo-remove", "leave-team", "remove-member", "revoke-invitation", "revoke-key", "message", "order-agent"}
TICKS = {"end": "a box that one has to tick"}
ASKS_SOME = {"change-role": "giving up one's own right to change roles"}
UNDONE = {
    "anchor": "a way back stands beside it",
    "handoff-lines": "in its history",
    "handoff-remake": "in its history",
    "handoff-step": "withdrawing and making ready are undone in its history; what was accepted or declined can be offered again",
    "handoff-offer": "the offer can be taken back",
    "home": "it hides a list of first steps in this browser, and nothing else",
    "anchors": "those that were dismissed can be made current again, those that were pinned unpinned",
    "policy": "by setting it again",
    "rename": "by renaming it again",
    "note-statement": "a dismissal can be taken back, and what it said before stands beside it",
    "handoff-ratings": "a rating can be taken back, or said otherwise",
    "note-asking": "by switching it again",
    "artifacts": "a decision can be taken back",
    "pack-policy": "by setting it again",
    "override": "it takes a written reason, and ends when the package is made again",
    "state-resolve": "what is not chosen stays in the history, and can be restored",
    "state-restore": "in its history",
    "rename-team": "by renaming it again",
    "team": "by switching back",
    "profile": "by changing it again",
    "window": "by setting it again",
    "rate-turn": "by rating it again",
}
ADDS = {
    "import",
    "say-to-group",
    "prepare",
    "resume",
    "found-team",
    "invite",
    "new-key",
    "join",
    "job",
    "handoff-answer",
    "handoff-history",
    "retry-letter",
    "saw-alert",
    "test-alerts",
    "client",
}
OWN_ACCOUNT = {"login", "logout", "password", "password-reset", "password-reset-confirm", "admin-login"}
OWN_ACCOUNT |= {"single-sign-on", "single-sign-on-back"}


@pytest.fixture
def addresses(team: Team, owner: User) -> dict[str, str]:
    """The pages' addresses by route name, those of one's own account aside."""
    there = place(team, owner, timezone.now())
    found = {route.name: route.address(there.values) for route in ROUTES if route.name not in OWN_ACCOUNT}
    return {name: address for name, address in found.items() if not address.startswith(("/api/", "/admin/"))}


def test_it_works(addresses: dict[str, str], owner: User) -> None:
    """Every address that takes a POST is thought of."""
    posted = {name for name, address in addresses.items() if browser(owner).post(address).status_code != 405}
    assert posted == {*ASKS, *TICKS, *ASKS_SOME, *UNDONE, *ADDS}


def test_the_crawl_of_the_browser_tests_knows_what_takes_only_a_post(addresses: dict[str, str], owner: User) -> None:
    """It follows every form's address, and must not take one that refuses a GET for a page with a fault."""
    refusing = {name for name, address in addresses.items() if browser(owner).get(address).status_code == 405}
    assert refusing <= {name for name, why in NOT_PAGES.items() if why == POST}


def a_key(team: Team, owner: User, teammate: User) -> tuple[str, str, Callable[[], bool]]:
    key = apikeys.issue(team=team, name="laptop of Kim", created_by=teammate)[0]
    return f"/team/keys/{key.id}/revoke", "laptop of Kim", lambda: ApiKey.objects.filter(id=key.id, revoked_at=None).exists()


def a_member(team: Team, owner: User, teammate: User) -> tuple[str, str, Callable[[], bool]]:
    apikeys.issue(team=team, name="build server", created_by=teammate)
    still = Membership.objects.filter(team=team, user=teammate)
    return f"/team/members/{teammate.id}/remove", "build server", still.exists


def an_invitation(team: Team, owner: User, teammate: User) -> tuple[str, str, Callable[[], bool]]:
    made = invitations.create(team=team, role=Role.MEMBER, by=owner, now=timezone.now(), email="kim@example.com")[0]
    still = Invitation.objects.open(timezone.now()).filter(id=made.id)
    return f"/team/invitations/{made.id}/revoke", "kim@example.com", still.exists


def oneself(team: Team, owner: User, teammate: User) -> tuple[str, str, Callable[[], bool]]:
    members.change_role(team=team, user_id=teammate.id, role=Role.OWNER, by=owner)
    return "/team/leave", "Leave Ours", Membership.objects.filter(team=team, user=owner).exists


def the_demo(team: Team, owner: User, teammate: User) -> tuple[str, str, Callable[[], bool]]:
    demo.load(owner=owner, now=timezone.now(), schedule={})
    return "/demo/remove", "made-up people", Team.objects.filter(demo=True).exists


@pytest.mark.parametrize("make", [a_key, a_member, an_invitation, oneself, the_demo])
def test_it_is_asked_first_and_only_the_answer_does_it(team: Team, owner: User, teammate: User, make: Any) -> None:
    address, named, still = make(team, owner, teammate)
    client: Client = browser(owner)
    for asked in (client.get(address), client.get(address, YES), client.post(address), client.post(address, {"confirmed": "no"})):
        page = asked.content.decode()
        assert asked.status_code == 200
        assert named in page
        assert 'name="confirmed"' in page
        assert "Cancel" in page
        assert still()
    assert client.post(address, YES).status_code == 302
    assert not still()


def test_a_masked_span_is_shown_only_after_a_yes(team: Team, owner: User) -> None:
    conversation = ConversationFactory.create(team=team)
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("the token is ghp_" + "a1B2" * 9)])
    address, client = f"/conversations/{conversation.id}/messages/1", browser(owner)
    asked = client.post(address, {"number": "0"}).content.decode()
    assert "everybody in Ours" in asked
    assert 'name="number" value="0"' in asked
    assert "unmasked" not in Message.objects.get(conversation=conversation).secrets[0]
    client.post(address, {"number": "0", **YES})
    assert "unmasked" in Message.objects.get(conversation=conversation).secrets[0]


def test_an_owner_who_steps_down_is_asked_and_the_only_one_is_told_why_not(team: Team, owner: User, teammate: User) -> None:
    client, address = browser(owner), f"/team/members/{owner.id}/role"
    alone = client.get("/team").content.decode()
    assert "You are the only owner of Ours" in alone
    assert address not in alone
    refused = client.post(address, {"role": Role.MEMBER}, headers={"Referer": "http://testserver/team"})
    assert refused.status_code == 409
    assert "make another member an owner first" in refused.content.decode()
    assert 'href="/team"' in refused.content.decode()
    members.change_role(team=team, user_id=teammate.id, role=Role.OWNER, by=owner)
    assert address in client.get("/team").content.decode()
    assert "You can&#x27;t undo this yourself" in client.post(address, {"role": Role.MEMBER}).content.decode()
    assert Membership.objects.get(user=owner).role == Role.OWNER
    client.post(address, {"role": Role.MEMBER, **YES})
    assert Membership.objects.get(user=owner).role == Role.MEMBER


def test_an_owner_who_cannot_sign_in_is_none(team: Team, owner: User, teammate: User) -> None:
    members.change_role(team=team, user_id=teammate.id, role=Role.OWNER, by=owner)
    User.objects.filter(id=teammate.id).update(is_active=False)
    assert browser(owner).post("/team/leave", YES).status_code == 409


def test_who_may_not_is_not_even_asked(team: Team, owner: User, teammate: User) -> None:
    key = apikeys.issue(team=team, name="owner's own", created_by=owner)[0]
    accounts.add_member(team=team, user=(viewer := User.objects.create_user("v@example.com")), role=Role.VIEWER)
    assert browser(teammate).get(f"/team/members/{owner.id}/remove").status_code == 403
    assert browser(teammate).get(f"/team/keys/{key.id}/revoke").status_code == 404
    assert browser(viewer).get(f"/team/keys/{key.id}/revoke").status_code == 403
