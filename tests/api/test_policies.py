"""Automatic handoffs over the API: the policy, and what an append is answered."""

from continuity.models import Team
from tests.api.caller import Caller, agent, person

FULL = {"usage": {"input": 900}, "usage_id": "u1"}


def test_it_works(api: Caller) -> None:
    conversation = api.open(max_context_tokens=1000)
    answer = api.say(conversation, person("Never send real mail. Build it."), agent("On it.", **FULL)).json()
    assert (answer["decision"]["due"], answer["handoff_status"]) == (True, "ready")
    handoff = api.get(f"/handoffs/{answer['handoff_id']}").json()
    assert (handoff["automatic"], handoff["conversation_id"]) == (True, conversation)
    assert api.post(f"/handoffs/{handoff['id']}/resume").status_code == 201


def test_a_repeated_append_names_the_same_handoff(api: Caller) -> None:
    conversation = api.open(max_context_tokens=1000)
    body = {"messages": [person("Build it.", external_id="m1"), agent("On it.", external_id="m2", **FULL)]}
    path = f"/conversations/{conversation}/messages"
    first = api.post(path, body, Idempotency_Key="k1").json()
    assert first["handoff_id"]
    assert api.post(path, body, Idempotency_Key="k1").json() == first
    assert api.post(path, body).json()["handoff_id"] == first["handoff_id"]


def test_while_there_is_room_there_is_no_handoff(api: Caller) -> None:
    answer = api.say(api.open(), person("Hello")).json()
    assert (answer["handoff_id"], answer["handoff_status"]) == (None, None)


def test_the_policy_is_read_and_changed(api: Caller) -> None:
    conversation = api.open(max_context_tokens=1000)
    assert api.get("/policy").json()["effective"]["handoff_at"] == 0.85
    assert api.patch("/policy", {"handoff_at": 0.9, "review": True}).json()["own"]["handoff_at"] == 0.9
    changed = api.patch(f"/conversations/{conversation}/policy", {"automatic": False}).json()
    assert (changed["own"]["handoff_at"], changed["effective"]["handoff_at"], changed["effective"]["automatic"]) == (None, 0.9, False)
    assert api.patch("/policy", {"boundary_at": 0.95}).json()["field"] == "boundary_at"
    assert (
        api.say(conversation, person("Hi."), agent("On it.", usage={"input": 950}, usage_id="u")).json()["decision"]["held"]
        == "switched_off"
    )


def test_the_teams_policy_takes_an_admins_key(team: Team, stranger: Caller) -> None:
    assert Caller.of(team, ["read", "write", "handoff"]).patch("/policy", {"automatic": False}).status_code == 403
    conversation = Caller.of(team).open()
    assert stranger.get(f"/conversations/{conversation}/policy").status_code == 404


def test_what_was_set_for_a_conversation_holds_for_the_one_that_goes_on(api: Caller) -> None:
    conversation = api.open()
    api.say(conversation, person("Build it."))
    api.patch(f"/conversations/{conversation}/policy", {"review": True, "max_chain_length": 2})
    handoff = api.post(f"/conversations/{conversation}/handoffs", {}).json()
    assert handoff["status"] == "draft"
    api.post(f"/handoffs/{handoff['id']}/ready")
    heir = api.post(f"/handoffs/{handoff['id']}/resume", {}).json()["conversation"]["id"]
    own = api.get(f"/conversations/{heir}/policy").json()["own"]
    assert (own["review"], own["max_chain_length"], own["automatic"]) == (True, 2, None)
    assert api.post(f"/conversations/{heir}/handoffs", {}).json()["status"] == "draft"
    assert api.post(f"/conversations/{heir}/handoffs", {}).json()["code"] == "chain_too_long"
