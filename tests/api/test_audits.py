"""Asking for a deep audit over the API, and reading what it found."""

from uuid import uuid4

from continuity.models import Job, Scope
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from handoffs.services.packages import preparation
from tests.api.caller import Caller
from tests.handoffs.story import story


def test_it_works(api, team):
    conversation = story(team)
    fold_runner.catch_up(conversation_id=conversation.id)
    begun = api.post(f"/conversations/{conversation.id}/audit")
    assert begun.status_code == 202
    assert api.post(f"/conversations/{conversation.id}/audit").json()["id"] == begun.json()["id"]
    jobs.run(job_id=begun.json()["id"])
    (audit,) = api.get("/audits", conversation_id=conversation.id).json()["items"]
    assert (audit["differing"], audit["differences"], audit["through_seq"]) == (0, [], 10)
    assert api.get("/audits", differing=True).json()["items"] == []


def test_nothing_differs_in_a_conversation_that_nothing_was_said_in(api, team):
    session = api.open()
    made = api.post(f"/conversations/{session}/handoffs")
    assert made.status_code == 201
    begun = api.post(f"/conversations/{session}/audit", {"handoff_id": made.json()["id"]})
    jobs.run(job_id=begun.json()["id"])
    (audit,) = api.get("/audits", conversation_id=session).json()["items"]
    assert (audit["differing"], audit["differences"]) == (0, [])


def test_others_may_not(team, stranger):
    conversation = story(team)
    agent = Caller.of(team, [Scope.READ, Scope.WRITE, Scope.HANDOFF])
    assert agent.post(f"/conversations/{conversation.id}/audit").status_code == 403
    assert stranger.post(f"/conversations/{conversation.id}/audit").status_code == 404
    assert stranger.get("/audits").json()["items"] == []


def test_a_package_of_another_conversation_or_team_is_not_there(api, team, other_team):
    def packaged(whose):
        conversation = story(whose)
        return conversation, preparation.prepare(team=whose, conversation_id=conversation.id, options=preparation.options_of())

    conversation, handoff = packaged(team)
    strangers = (packaged(team)[1].id, packaged(other_team)[1].id, uuid4())
    for each in strangers:
        answer = api.post(f"/conversations/{conversation.id}/audit", {"handoff_id": str(each)})
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), answer.json()
    assert not Job.objects.filter(kind="audit").exists()
    assert api.post(f"/conversations/{conversation.id}/audit", {"handoff_id": str(handoff.id)}).status_code == 202
