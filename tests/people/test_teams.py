"""Teams: founding, renaming, roles, leaving; a team always keeps an owner."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from continuity.auth import TEAMS
from continuity.core.errors import Conflict, NotFound, RoleTooLow
from continuity.models import ApiKey, Membership, Role, Team, User
from continuity.services.accounts import apikeys, members
from tests.api.caller import Caller
from tests.cast import person
from tests.web.world import browser


def test_it_works(team: Team, owner: User, teammate: User) -> None:
    client = browser(owner)
    page = client.get("/team").content
    assert b"teammate@example.com" in page
    assert b"What each role may do" in page
    client.post(f"/team/members/{teammate.id}/role", {"role": Role.OPERATOR})
    assert Membership.objects.get(user=teammate).role == Role.OPERATOR


def test_the_page_shows_the_table_that_the_code_enforces(team: Team, teammate: User) -> None:
    page = browser(teammate).get("/team").content.decode()
    assert "Read the audit log; see and revoke everybody&#x27;s API keys" in page
    assert "Invite somebody" not in page
    assert "/remove" not in page


def test_whoever_founds_a_team_owns_it_and_acts_in_it(team: Team, owner: User) -> None:
    client = browser(owner)
    assert client.post("/team/new", {"name": "  Ours  "}).headers["Location"] == "/team"
    founded = Team.objects.exclude(id=team.id).get()
    assert (founded.name, founded.slug) == ("Ours", "ours-2")
    assert b"Owner in Ours" in client.get("/team").content
    assert Membership.objects.get(team=founded).role == Role.OWNER


def test_without_a_team_one_can_found_one(db: None) -> None:
    client = browser(person("newcomer"))
    assert client.get("/team").status_code == 403
    assert client.get("/profile").status_code == 200
    client.post("/team/new", {"name": "Tide crew"})
    assert client.get("/team").status_code == 200


def test_a_name_is_needed_and_kept_whole(team: Team, owner: User) -> None:
    client = browser(owner)
    assert client.post("/team/name", {"name": " "}).status_code == 422
    assert client.post("/team/name", {"name": "Tide & crew"}).status_code == 302
    team.refresh_from_db()
    assert (team.name, team.slug) == ("Tide & crew", "ours")
    assert b"Tide &amp; crew" in client.get("/team").content


def test_the_last_owner_can_neither_leave_nor_step_down_nor_be_removed(team: Team, owner: User, teammate: User) -> None:
    client = browser(owner)
    assert client.post("/team/leave", {"confirmed": "yes"}).status_code == 409
    assert client.post(f"/team/members/{owner.id}/role", {"role": Role.MEMBER}).status_code == 409
    members.change_role(team=team, user_id=teammate.id, role=Role.OWNER, by=owner)
    members.remove(team=team, user_id=owner.id, by=teammate)
    with pytest.raises(Conflict):
        members.remove(team=team, user_id=teammate.id, by=teammate)


def test_one_who_leaves_is_out_at_once_and_so_are_their_keys(team: Team, owner: User, teammate: User) -> None:
    _, full = apikeys.issue(team=team, name="laptop", created_by=teammate)
    _, own = apikeys.issue(team=team, name="build", created_by=owner)
    client = browser(teammate)
    assert client.post("/team/leave", {"confirmed": "yes"}).headers["Location"] == "/profile"
    assert client.get("/conversations").status_code == 403
    assert Caller(full).get("/conversations").status_code == 401
    assert Caller(own).get("/conversations").status_code == 200


def test_one_who_was_removed_is_out_whatever_their_session_says(team: Team, owner: User, teammate: User) -> None:
    client = browser(teammate)
    assert client.get("/team").status_code == 200
    browser(owner).post(f"/team/members/{teammate.id}/remove", {"confirmed": "yes"})
    assert client.get("/team").status_code == 403


def test_the_key_of_an_account_that_is_switched_off_is_refused(team: Team, teammate: User) -> None:
    _, full = apikeys.issue(team=team, name="laptop", created_by=teammate)
    User.objects.filter(id=teammate.id).update(is_active=False)
    assert Caller(full).get("/conversations").status_code == 401


def test_the_services_themselves_ask_for_the_role(team: Team, owner: User, teammate: User, outsider: User) -> None:
    with pytest.raises(RoleTooLow):
        members.change_role(team=team, user_id=teammate.id, role=Role.OWNER, by=teammate)
    with pytest.raises(RoleTooLow):
        members.remove(team=team, user_id=owner.id, by=teammate)
    with pytest.raises(RoleTooLow):
        members.rename(team=team, name="Mine", by=teammate)
    with pytest.raises(NotFound):
        members.remove(team=team, user_id=teammate.id, by=outsider)


@pytest.mark.parametrize("role", ["", "9", "-1", "owner"])
def test_an_unknown_role_is_refused(team: Team, owner: User, teammate: User, role: str) -> None:
    assert browser(owner).post(f"/team/members/{teammate.id}/role", {"role": role}).status_code == 422


def test_an_owner_changes_nobody_of_another_team(team: Team, owner: User, outsider: User, other_team: Team) -> None:
    client = browser(owner)
    assert client.post(f"/team/members/{outsider.id}/role", {"role": 0}).status_code == 404
    assert client.post(f"/team/members/{outsider.id}/remove", {"confirmed": "yes"}).status_code == 404
    assert Membership.objects.get(user=outsider).role == Role.OWNER
    assert ApiKey.objects.count() == 0


def test_who_is_in_more_teams_than_the_menu_shows_stays_in_the_one_that_they_chose(team: Team, owner: User) -> None:
    others = Team.objects.bulk_create(Team(slug=f"n-{number}", name=f"N {number}") for number in range(TEAMS + 5))
    Membership.objects.bulk_create(Membership(team=each, user=owner, role=Role.VIEWER) for each in others)
    last = others[-1]
    Membership.objects.filter(team=last).update(created_at=timezone.now() + timedelta(hours=1))
    client = browser(owner)
    client.post("/team", {"team": last.slug})
    page = client.get("/team").content.decode()
    assert f"Viewer in {last.name}" in page
    assert page.count("<option") >= TEAMS
    assert f'value="{last.slug}" selected' in page


def test_the_menu_offers_no_team_of_others(team: Team, owner: User, other_team: Team) -> None:
    client = browser(owner)
    client.post("/team/new", {"name": "Second"})
    menu = client.get("/").content.decode()
    assert menu.index(">Ours<") < menu.index(">Second<")
    assert "Theirs" not in menu
