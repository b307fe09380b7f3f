"""What other teams and lower roles can't do."""

import pytest

from continuity.models import Conversation, Role
from continuity.services import accounts
from handoffs.models import Handoff
from tests.cast import person
from tests.web.world import PATTERNS, browser, world

# Pages without an id in their address: they show only what is one's own.
OWN = {"home", "login", "logout", "team", "conversations", "import", "handoffs", "diagnostics", "live"}
HTMX = {"HX-Request": "true"}


def test_it_works(team, owner):
    """The walk below is worth something only if the owner does get in."""
    there, client = world(team, owner), browser(owner)
    for pattern in PATTERNS:
        if pattern.name not in OWN:
            assert client.get(there.address(pattern)).status_code == 200, pattern


@pytest.mark.parametrize("pattern", [pattern for pattern in PATTERNS if pattern.name not in OWN], ids=lambda pattern: pattern.name)
def test_an_outsider_finds_nothing_at_any_address(pattern, team, owner, outsider, other_team):
    address, client = world(team, owner).address(pattern), browser(outsider)
    body = {"budget": 4000, "style": "structured"}
    before = Conversation.objects.count()
    for answer in (
        client.get(address),
        client.post(address, body),
        client.get(address, headers=HTMX),
        client.post(address, body, headers=HTMX),
    ):
        assert answer.status_code in (404, 405)
        assert b"Go on with it" not in answer.content
    assert client.get(address).status_code == 404
    assert Handoff.objects.count() == 1
    assert Conversation.objects.count() == before


def test_an_outsiders_lists_are_empty(team, owner, outsider, other_team):
    world(team, owner)
    client = browser(outsider)
    assert b"Nothing is recorded yet" in client.get("/conversations").content
    assert b"No handoff yet" in client.get("/handoffs").content
    assert b"No conversation matches" in client.get("/conversations?q=Go").content


def test_a_viewer_reads_and_can_start_nothing(team, owner):
    there = world(team, owner)
    viewer = person("viewer")
    accounts.add_member(team=team, user=viewer, role=Role.VIEWER)
    client = browser(viewer)
    page = client.get(f"/conversations/{there.conversation.id}")
    assert b"Viewers can read" in page.content
    assert b"Prepare handoff</button>" not in page.content
    assert b"Viewers can read" in client.get(f"/handoffs/{there.handoff.id}").content
    assert b"Import a session" not in client.get("/conversations").content
    for address in (f"/conversations/{there.conversation.id}/prepare", f"/handoffs/{there.handoff.id}/resume", "/conversations/import"):
        for answer in (client.get(address), client.post(address, {"budget": 4000, "style": "structured"})):
            assert answer.status_code == 403
            assert b"This takes the role Member or higher" in answer.content
    assert Handoff.objects.count() == 1
