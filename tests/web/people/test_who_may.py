"""What other teams and viewers see on the pages; tests/walk asks every address."""

from continuity.models import Role
from continuity.services.accounts import accounts
from handoffs.models import Handoff
from tests.cast import person
from tests.web.world import browser, world


def test_it_works(team, owner, outsider, other_team):
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
    assert [b'class="keeps"' in each for each in (page.content, browser(owner).get(page.request["PATH_INFO"]).content)] == [False, True]
    assert b"Viewers can read" in client.get(f"/handoffs/{there.handoff.id}").content
    assert b"Import a conversation" not in client.get("/conversations").content
    for address in (f"/conversations/{there.conversation.id}/prepare", f"/handoffs/{there.handoff.id}/resume", "/conversations/import"):
        for answer in (client.get(address), client.post(address, {"budget": 4000, "style": "structured"})):
            assert answer.status_code == 403
            assert b"This takes the role Member or higher" in answer.content
    assert Handoff.objects.count() == 1
