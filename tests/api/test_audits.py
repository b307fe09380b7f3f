"""Asking for a deep audit over the API, and reading what it found."""

from continuity.models import Scope
from continuity.services import distilling, jobs
from tests.api.caller import Caller
from tests.handoffs.story import story


def test_it_works(api, team):
    conversation = story(team)
    distilling.catch_up(conversation_id=conversation.id)
    begun = api.post(f"/conversations/{conversation.id}/audit")
    assert begun.status_code == 202
    assert api.post(f"/conversations/{conversation.id}/audit").json()["id"] == begun.json()["id"]
    jobs.run(job_id=begun.json()["id"])
    (audit,) = api.get("/audits", conversation_id=conversation.id).json()["items"]
    assert (audit["differing"], audit["differences"], audit["through_seq"]) == (0, [], 10)
    assert api.get("/audits", differing=True).json()["items"] == []


def test_others_may_not(team, stranger):
    conversation = story(team)
    agent = Caller.of(team, [Scope.READ, Scope.WRITE, Scope.HANDOFF])
    assert agent.post(f"/conversations/{conversation.id}/audit").status_code == 403
    assert stranger.post(f"/conversations/{conversation.id}/audit").status_code == 404
    assert stranger.get("/audits").json()["items"] == []
