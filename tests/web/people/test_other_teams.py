"""A link into another of one's own teams says where it leads, and how to get there; to everybody else there is nothing."""

from __future__ import annotations

from uuid import uuid4

import pytest

from continuity.models import Job, Role, Team, User
from continuity.services.accounts import accounts
from handoffs.services.packages import preparation
from tests.handoffs.story import story
from tests.web.world import browser


@pytest.fixture
def addresses(other_team: Team) -> list[str]:
    conversation = story(other_team)
    handoff = preparation.prepare(team=other_team, conversation_id=conversation.id, options=preparation.options_of())
    job = Job.objects.create(team=other_team, kind="import", status="failed", error="No.")
    return [
        f"/conversations/{conversation.id}",
        f"/conversations/{conversation.id}/messages?at=1",
        f"/handoffs/{handoff.id}",
        f"/chains/{handoff.chain_id}",
        f"/jobs/{job.id}",
    ]


def test_it_works(team: Team, owner: User, other_team: Team, addresses: list[str]) -> None:
    accounts.add_member(team=other_team, user=owner, role=Role.VIEWER)
    for address in addresses:
        client = browser(owner)
        client.post("/team", {"team": team.slug})
        answer = client.get(address)
        page = answer.content.decode()
        assert answer.status_code == 404
        assert f"This is in your team {other_team.name}" in page
        assert f'name="next" value="{address}"' in page
        switched = client.post("/team", {"team": other_team.slug, "next": address})
        assert switched.headers["Location"] == address
        assert client.get(address).status_code in (200, 302)


def test_to_others_it_is_as_if_there_were_nothing(team: Team, owner: User, other_team: Team, addresses: list[str]) -> None:
    client = browser(owner)
    for address in addresses:
        there, nothing = client.get(address), client.get(f"{address.rsplit('/', 1)[0]}/{uuid4()}" if "?" not in address else address)
        assert there.status_code == 404
        assert other_team.name not in there.content.decode()
        assert b"Switch to" not in there.content
        assert there.content.count(b"There is no such") == nothing.content.count(b"There is no such") == 1


@pytest.mark.parametrize("leads", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)", "handoffs", ""])
def test_switching_leads_to_our_own_pages_only(team: Team, owner: User, leads: str) -> None:
    assert browser(owner).post("/team", {"team": team.slug, "next": leads}).headers["Location"] == "/"
