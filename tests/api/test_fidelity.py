"""The check of a package over the API: probes with answers, overrides by operators, averages."""

from continuity.models import Scope
from continuity.services.accounts import apikeys
from handoffs.models import HandoffOverride
from handoffs.services.packages import preparation
from tests.api.caller import Caller
from tests.handoffs.story import RULE, overloaded, story

REASON = "The customer waits."


def prepare(conversation, budget=4000):
    options = preparation.options_of(budget=budget)
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=options)


def test_it_works(api, team):
    handoff = prepare(story(team))
    told = api.get(f"/handoffs/{handoff.id}/fidelity").json()
    rule = next(probe for probe in told["probes"] if probe["expected"] == RULE)
    assert told["passes"] is True
    assert (rule["kind"], rule["answered"], rule["seq"]) == ("constraint", True, 1)
    assert RULE in handoff.text.splitlines()[rule["line"] - 1]
    assert told["checks"][0]["overall"] == told["report"]["overallFidelityScore"]


def test_an_operator_lets_a_failed_package_pass_and_it_shows(api, team):
    handoff = prepare(overloaded(team), budget=150)
    refused = api.post(f"/handoffs/{handoff.id}/resume", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_resumable")
    assert refused.json()["missing"] == [issue["description"] for issue in handoff.fidelity["issues"]] != []
    made = api.post(f"/handoffs/{handoff.id}/override", {"reason": REASON})
    assert (made.status_code, made.json()["reason"]) == (201, REASON)
    assert made.json()["made_as"].startswith("key test (")
    told = api.get(f"/handoffs/{handoff.id}/fidelity").json()
    assert (told["status"], told["passes"], told["overrides"][0]["missing"]) == ("ready", False, made.json()["missing"])
    assert api.post(f"/handoffs/{handoff.id}/resume", {}).status_code == 201


def test_an_override_with_a_key_says_whose_it_was(team, owner):
    handoff = prepare(overloaded(team), budget=150)
    key, full = apikeys.issue(team=team, name="night", created_by=owner)
    made = Caller(full).post(f"/handoffs/{handoff.id}/override", {"reason": REASON}).json()
    assert (made["made_by_id"], made["made_with_id"]) == (str(owner.id), str(key.id))
    assert made["made_as"] == f"key night ({key.kind}_{key.lookup}) of {owner.email}"
    owner.delete()
    assert HandoffOverride.objects.get(id=made["id"]).made_as == made["made_as"]


def test_others_may_not(api, team, stranger):
    handoff = prepare(overloaded(team), budget=150)
    agent = Caller.of(team, [Scope.READ, Scope.WRITE, Scope.HANDOFF])
    assert agent.post(f"/handoffs/{handoff.id}/override", {"reason": REASON}).status_code == 403
    assert stranger.post(f"/handoffs/{handoff.id}/override", {"reason": REASON}).status_code == 404
    assert stranger.get(f"/handoffs/{handoff.id}/fidelity").status_code == 404
    assert api.post(f"/handoffs/{handoff.id}/override", {"reason": " "}).status_code == 422
    assert api.post(f"/handoffs/{handoff.id}/override", {"reason": REASON}, If_Match='"9"').status_code == 412


def test_averages_are_of_the_team_alone(api, team, stranger):
    prepare(story(team, model="gpt-4o"))
    told = api.get("/fidelity/averages").json()
    assert (told["team"]["checks"], [each["model"] for each in told["models"]]) == (1, ["gpt-4o"])
    assert 0 < told["team"]["probes"] <= 1
    nothing = stranger.get("/fidelity/averages").json()["team"]
    assert (nothing["checks"], nothing["overall"]) == (0, None)
    assert api.get("/fidelity/averages", days=0).status_code == 422
