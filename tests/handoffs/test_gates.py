"""Each gate of the specifications is required by what it is for; a refusal names gate and tier."""

from collections.abc import Callable
from typing import Any

import pytest

from continuity.models import Team, Tier
from continuity.services.accounts import gates
from handoffs.services.packages import preparation
from tests.api.caller import Caller
from tests.handoffs.story import story

# What each gate shuts, as (method, path); {handoff} and {conversation} stand for ids.
SHUT: dict[str, list[tuple[str, str]]] = {
    "Agents.Continuity.Model": [
        ("POST", "/conversations/{conversation}/handoffs"),
        ("POST", "/conversations/{conversation}/handoffs?wait=false"),
        ("POST", "/handoffs/{handoff}/validate"),
        ("GET", "/handoffs/{handoff}/export"),
    ],
    "Agents.Continuity.Storage": [("POST", "/conversations/{conversation}/handoffs"), ("GET", "/handoffs/{handoff}/export")],
    "Agents.Continuity.Directive": [("POST", "/handoffs/{handoff}/resume")],
    "Agents.Continuity.Metrics": [("GET", "/metrics/snapshot"), ("GET", "/fidelity/averages")],
}


@pytest.fixture
def call(team: Team) -> Callable[[str, str], Any]:
    conversation = story(team)
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    caller = Caller.of(team)

    def asked(method: str, path: str) -> Any:
        return caller.call(method, path.format(conversation=conversation.id, handoff=handoff.id), None if method == "GET" else {})

    return asked


@pytest.mark.parametrize(("gate", "method", "path"), [(gate, *each) for gate, shut in SHUT.items() for each in shut])
def test_it_works(gate: str, method: str, path: str, call: Callable[[str, str], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert call(method, path).status_code < 400 or "/resume" in path
    monkeypatch.setitem(gates.GATES, gate, Tier.ENTERPRISE)
    refused = call(method, path)
    told = refused.json()
    assert (refused.status_code, told["code"], told["gate"], told["tier"]) == (403, "gate_closed", gate, "Enterprise")


def test_a_core_team_records_and_makes_no_package(team: Team) -> None:
    Team.objects.filter(id=team.id).update(tier=Tier.CORE)
    caller = Caller.of(Team.objects.get(id=team.id))
    conversation = caller.open()
    assert caller.post(f"/conversations/{conversation}/messages", {"messages": [{"role": "user", "content": "Hi."}]}).status_code == 201
    refused = caller.post(f"/conversations/{conversation}/handoffs", {})
    assert (refused.status_code, refused.json()["gate"], refused.json()["tier"]) == (403, "Agents.Continuity.Model", "Writer Pro")
