"""The handoff that is ready, however it was made, in the answers that sessions get."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.caller import Caller, agent, person

FULL = {"usage": {"input": 900}, "usage_id": "u1"}


def test_it_works(api: Caller) -> None:
    conversation = api.open()
    assert api.say(conversation, person("Hello"), agent("On it.")).json()["ready_handoff_id"] is None
    made = api.post(f"/conversations/{conversation}/handoffs").json()["id"]
    for answer in (api.say(conversation, person("And the tides")).json(), api.get(f"/conversations/{conversation}/decision").json()):
        assert (answer["ready_handoff_id"], answer["handoff_id"]) == (made, None), "the decision made none"
    newer = api.post(f"/conversations/{conversation}/handoffs").json()["id"]
    assert api.say(conversation, person("And the moon")).json()["ready_handoff_id"] == newer


def test_what_went_on_or_was_taken_back_is_not_ready(api: Caller) -> None:
    conversation = api.open()
    api.say(conversation, person("Hello"), agent("On it."))
    first, second, third = (api.post(f"/conversations/{conversation}/handoffs").json()["id"] for _ in range(3))
    api.post(f"/handoffs/{third}/withdraw")
    assert api.say(conversation, person("More")).json()["ready_handoff_id"] == second
    assert api.post(f"/handoffs/{second}/resume").status_code == 201
    assert api.get(f"/conversations/{conversation}/decision").json()["ready_handoff_id"] is None, f"{first} is overtaken"


def test_an_automatic_one_is_ready_too_and_the_newest_is_told(api: Caller) -> None:
    conversation = api.open(max_context_tokens=1000)
    answer = api.say(conversation, person("Build it."), agent("On it.", **FULL)).json()
    assert answer["handoff_id"] == answer["ready_handoff_id"] is not None
    by_hand = api.post(f"/conversations/{conversation}/handoffs").json()["id"]
    later = api.say(conversation, person("Go on.")).json()
    assert (later["handoff_id"], later["ready_handoff_id"]) == (answer["handoff_id"], by_hand)


def test_a_draft_is_not_ready(api: Caller) -> None:
    conversation = api.open()
    api.say(conversation, person("Hello"), agent("On it."))
    api.post(f"/conversations/{conversation}/handoffs", {"draft": True})
    assert api.say(conversation, person("More")).json()["ready_handoff_id"] is None


def test_it_takes_one_query(api: Caller) -> None:
    conversation = api.open()
    with CaptureQueriesContext(connection) as asked:
        api.say(conversation, person("Hello"))
    assert len([each for each in asked if "FROM session_handoffs" in each["sql"]]) == 1
