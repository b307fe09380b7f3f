"""Changing, comparing and handing over a package over the API."""

from itertools import chain
from typing import Any

import pytest
from django.core import mail

from continuity.models import Team, User
from handoffs.models import OfferAnswer
from tests.api.caller import Caller, agent, person
from tests.web.world import browser


@pytest.fixture
def made(api: Caller) -> dict[str, Any]:
    conversation = api.open(title="Invoices")
    api.say(
        conversation,
        person("Move the invoices to Postgres. Never drop the old table."),
        agent("I decided to copy in batches of 500, because one statement locks the table."),
        person("Good. The staging tenant is tn_4821."),
        *(agent(f"The port of service {n} is 80{n} and its log is /var/log/service{n}.log.") for n in range(10, 30)),
        agent("I'll write the migration next."),
    )
    answer = api.post(f"/conversations/{conversation}/handoffs", {"draft": True})
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def test_it_works(api: Caller, made: dict[str, Any]) -> None:
    path = f"/handoffs/{made['id']}"
    assert api.get(path)["ETag"] == '"1"'
    pinned = api.post(f"{path}/edits", {"action": "pin", "ref": "#a1"}, If_Match='"1"')
    assert (pinned.status_code, pinned["ETag"]) == (201, '"2"')
    added = api.post(f"{path}/edits", {"action": "add", "type": "Constraint", "text": "Nobody deploys on Friday."})
    assert added.status_code == 201 and added.json()["made_with_id"]
    assert "Nobody deploys on Friday." in api.get(f"{path}/directive").content.decode()
    assert [row["action"] for row in api.get(f"{path}/edits").json()["items"]] == ["add", "pin"]
    assert api.post(f"{path}/resume").status_code == 409
    assert api.post(f"{path}/ready").json()["status"] == "ready"
    assert api.post(f"{path}/resume").status_code == 201


def test_a_change_based_on_an_old_version_is_412(api: Caller, made: dict[str, Any]) -> None:
    path = f"/handoffs/{made['id']}"
    assert api.post(f"{path}/regenerate", {"style": "concise"}, If_Match='"1"').status_code == 200
    for change in ("edits", "regenerate", "withdraw", "ready", "offer"):
        body = {"edits": {"action": "pin", "ref": "a1"}, "regenerate": {"budget": 500}, "offer": {"to": "x@example.com"}}.get(change)
        refused = api.post(f"{path}/{change}", body, If_Match='"1"')
        assert (refused.status_code, refused.json()["current"]) == (412, 2), change


def test_a_withdrawal_is_undone(api: Caller, made: dict[str, Any]) -> None:
    path = f"/handoffs/{made['id']}"
    assert api.post(f"{path}/withdraw").json()["status"] == "withdrawn"
    edit = api.get(f"{path}/edits").json()["items"][0]["id"]
    assert api.post(f"{path}/edits/{edit}/undo").status_code == 200
    assert api.get(path).json()["status"] == "draft"
    assert api.post(f"{path}/edits/{edit}/undo").status_code == 409


def test_the_difference_tells_what_is_new_and_what_is_gone(api: Caller, made: dict[str, Any]) -> None:
    api.post(f"/handoffs/{made['id']}/ready")
    heir = api.post(f"/handoffs/{made['id']}/resume").json()["conversation"]["id"]
    api.say(heir, person("Actually, copy in batches of 200 instead of 500. Never touch the archive."), agent("Understood."))
    second = api.post(f"/conversations/{heir}/handoffs").json()["id"]
    diff = api.get(f"/handoffs/{second}/diff", against="previous").json()
    assert diff["previous_handoff_id"] == made["id"]
    assert any("Never touch the archive" in row["text"] for row in diff["new"])
    assert not [row for row in diff["gone"] if "Never drop the old table" in row["text"] and row["kind"] != "tasks"]


def test_what_was_left_out_stands_in_its_order_of_value(api: Caller, made: dict[str, Any]) -> None:
    path = f"/handoffs/{made['id']}"
    facts = ((person(f"The staging tenant of region {n} is tn_{4000 + n}."), agent("Noted.")) for n in range(40))
    api.say(made["conversation_id"], *chain.from_iterable(facts))
    assert api.post(f"{path}/regenerate", {"budget": 600}).status_code == 200
    diff = api.get(f"{path}/diff").json()
    worths = [row["worth"] for row in diff["left_out"]]
    assert len(set(worths)) > 1 and worths == sorted(worths, reverse=True) and diff["left_out_total"] >= len(worths)


def test_agents_offer_and_people_answer(api: Caller, made: dict[str, Any], teammate: User) -> None:
    path = f"/handoffs/{made['id']}"
    offered = api.post(f"{path}/offer", {"to": teammate.email, "note": "The migration is left."})
    assert (offered.status_code, offered.json()["offered_to_id"]) == (200, str(teammate.id))
    (sent,) = mail.outbox
    assert (sent.to, "The migration is left." in sent.body) == ([teammate.email], True)
    assert f"http://testserver{path}" in sent.body
    assert api.post(f"{path}/offer/accept").status_code == 403
    assert api.call("DELETE", f"{path}/offer").json()["offered_to_id"] is None


def test_who_declines_over_the_api_says_why(api: Caller, made: dict[str, Any], owner: User, teammate: User) -> None:
    giver, taker, path = browser(owner), browser(teammate), f"/api/v1/handoffs/{made['id']}/offer"
    for body in ({"reason": "On leave until Monday"}, None):
        assert giver.post(path, {"to": teammate.email}, "application/json").status_code == 200
        answer = taker.post(f"{path}/decline", body or "", "application/json")
        assert (answer.status_code, answer.json()["offered_to_id"]) == (200, None)
        assert OfferAnswer.objects.get(giver=owner).reason == (body or {"reason": ""})["reason"]


def test_another_team_sees_and_changes_nothing(stranger: Caller, made: dict[str, Any], team: Team) -> None:
    path = f"/handoffs/{made['id']}"
    answers = [stranger.get(f"{path}/{what}") for what in ("diff", "edits")]
    answers += [stranger.post(f"{path}/{what}", {"action": "pin", "ref": "a1"}) for what in ("edits",)]
    answers += [stranger.post(f"{path}/{what}") for what in ("withdraw", "ready", "offer/accept")]
    assert {answer.status_code for answer in answers} == {404}


def test_a_bad_change_names_its_field(api: Caller, made: dict[str, Any]) -> None:
    refused = api.post(f"/handoffs/{made['id']}/edits", {"action": "add", "type": "Mood", "text": "Cheerful."})
    assert (refused.status_code, refused.json()["field"]) == (422, "type")
    api.post(f"/handoffs/{made['id']}/ready")
    api.post(f"/handoffs/{made['id']}/resume")
    refused = api.post(f"/handoffs/{made['id']}/receipt", {"acknowledged": ["a1", "first"]})
    assert (refused.status_code, refused.json()["field"]) == (422, "acknowledged.1")
