"""Sessions that begin with a directive, by API and by import."""

import json

import pytest

from continuity.models import Conversation, Scope, Team, User
from continuity.services.accounts import apikeys
from continuity.transcripts.directive_spans import digest_of
from tests.api.caller import Caller
from tests.client.sessions import lines

RULE = "Never publish a tide table in feet, always in metres."


def resumed(api: Caller) -> dict[str, object]:
    """The answer to resuming a handoff of an imported session."""
    old = api.finish(api.upload(lines("s1", 1, 4, n1=f"Please build the tide page. {RULE}")))["conversation_id"]
    handoff = api.post(f"/conversations/{old}/handoffs").json()["id"]
    told: dict[str, object] = api.post(f"/handoffs/{handoff}/resume").json()
    return told


def begun(directive: object) -> dict[str, str]:
    return {"source_tool": "codex", "external_id": "s2", "directive_digest": digest_of(str(directive))}


def test_it_works(api: Caller) -> None:
    told = resumed(api)
    later = lines("s2", 1, 4, n1=str(told["directive"]))
    job = api.finish(api.upload(later))
    assert isinstance(told["conversation"], dict)
    assert job["conversation_id"] == told["conversation"]["id"]
    assert api.finish(api.upload(later))["result"]["added"] == 0


def test_what_no_session_showed_yet_is_marked_as_not_measured(api: Caller) -> None:
    told = resumed(api)
    assert told["measured"] is False
    assert isinstance(told["report"], dict)
    assert {"isSeamless", "anchorRestorationScore"} <= told["report"].keys()

    def measured() -> list[bool]:
        chain = api.get(f"/chains/{told['conversation']['id']}").json()  # type: ignore[index]
        return [way["measured"] for link in chain["handoffs"] for way in link["resumptions"]]

    assert measured() == [False]
    api.finish(api.upload(lines("s2", 1, 4, n1=str(told["directive"]))))
    assert measured() == [True]


def test_a_session_is_opened_with_the_digest_of_its_directive(api: Caller, stranger: Caller) -> None:
    told = resumed(api)
    assert isinstance(told["conversation"], dict)
    theirs = stranger.post("/conversations", begun(told["directive"])).json()
    assert theirs["id"] != told["conversation"]["id"]
    assert stranger.get(f"/chains/{theirs['id']}").status_code == 404
    assert api.post("/conversations", begun(told["directive"])).json()["id"] == told["conversation"]["id"]
    assert api.post("/conversations", begun(told["directive"])).status_code == 409


def test_a_key_that_may_not_resume_records_beside_the_chain(api: Caller, team: Team) -> None:
    told = resumed(api)
    assert isinstance(told["conversation"], dict)
    recorder = Caller.of(team, [Scope.READ, Scope.WRITE])
    assert recorder.post("/conversations", begun(told["directive"])).json()["id"] != told["conversation"]["id"]
    imported = recorder.finish(recorder.upload(lines("s3", 1, 4, n1=str(told["directive"]))))
    assert imported["conversation_id"] != told["conversation"]["id"]


@pytest.mark.parametrize("digest", ["x", "A" * 64, "0" * 63])
def test_what_is_no_digest_is_refused(api: Caller, digest: str) -> None:
    answer = api.post("/conversations", {"external_id": "s2", "directive_digest": digest})
    assert answer.status_code == 422
    assert "directive_digest" in json.dumps(answer.json())


def test_what_a_persons_key_records_and_resumes_is_theirs_and_what_the_installations_does_nobodys(
    team: Team, owner: User, api: Caller
) -> None:
    key = apikeys.issue(team=team, name="of the owner", scopes=["read", "write", "handoff"], created_by=owner)[1]
    told = resumed(api)["conversation"]
    assert isinstance(told, dict)
    assert Conversation.objects.get(id=told["id"]).owner is None
    opened = Caller(key).post("/conversations", {"source_tool": "codex", "external_id": "mine"}).json()["id"]
    handoff = Caller(key).post(f"/conversations/{told['id']}/handoffs").json()["id"]
    next_one = Caller(key).post(f"/handoffs/{handoff}/resume").json()["conversation"]["id"]
    assert {Conversation.objects.get(id=each).owner for each in (opened, next_one)} == {owner}
