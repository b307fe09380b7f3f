"""Registering agents, what they are described with, and the life of one that nothing happens to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from continuity import handlers
from continuity.models import Agent, AgentInstance, Event, Subscription, Team
from continuity.services.agents import registry
from continuity.services.subscriptions import event_delivery, meters
from tests.agents.runner import Runner, status
from tests.api.caller import Caller


def test_it_works(runner: Runner, team: Team) -> None:
    runner.start("billing", role="Answers questions", expertise=["invoices"], priority=5, ready=False)
    assert status(team, "billing") == "registered"
    saved = runner.caller.call("PUT", "/agents/billing/state", {**runner.known["billing"], "state": {"context": {"step": 1}}}).json()
    assert runner.post("billing", "ready", state_digest=saved["digest"]).json()["status"] == "ready"
    assert runner.beat(working=True).json()["agents"][0]["status"] == "active"
    assert runner.beat(working=False).json()["agents"][0]["status"] == "ready"
    assert runner.beat().json()["agents"] == [{"agent": "billing", "result": "ok", "status": "ready", "epoch": 1, "orders": []}]
    assert runner.post("billing", "stop", reason="done").json()["status"] == "stopped"
    names = list(Event.objects.filter(team=team, name__startswith="agent.").order_by("created_at").values_list("name", flat=True))
    assert names == ["agent.registered", "agent.ready", "agent.active", "agent.ready", "agent.stopped"]
    instance = AgentInstance.objects.get()
    assert (instance.epoch, instance.state_digest, instance.reason) == (1, saved["digest"], "done")
    assert instance.ready_at and instance.ended_at


def test_a_beat_that_changes_nothing_writes_nothing(runner: Runner, django_assert_num_queries: Any) -> None:
    runner.start("billing", "books")
    runner.beat()
    before = Agent.objects.values_list("status_at", "epoch"), Event.objects.count()
    with django_assert_num_queries(2):  # the key, the agents
        runner.beat()
    assert (Agent.objects.values_list("status_at", "epoch"), Event.objects.count())[1] == before[1]


def test_what_is_left_out_stays_as_it_was(runner: Runner) -> None:
    runner.start("billing", role="Answers", strategy="alert", timeout=20, probe=True)
    runner.start("billing", role="Answers all")
    agent = Agent.objects.get()
    assert (agent.role, agent.strategy, agent.timeout_seconds, agent.probes, agent.epoch) == ("Answers all", "alert", 20, True, 2)


FILE = """agents:
  - name: billing
    role: From the file
    strategy: alert
    threshold: 7
    probe: ./probe.sh
    config: {model: small, limits: [1, 2.5, null]}
    topics: ["task:*"]
    replay: full
"""


def test_a_file_says_what_the_call_does_not(runner: Runner) -> None:
    runner.start("billing", file=FILE, role="From the call")
    agent = Agent.objects.get()
    assert (agent.role, agent.strategy, agent.threshold, agent.probes) == ("From the call", "alert", 7, True)
    assert agent.config == {"model": "small", "limits": [1, 2.5, None]}
    subscription = Subscription.objects.get()
    assert (subscription.name, subscription.agent, subscription.pattern, subscription.policy) == ("billing", "billing", "task:*", "full")


def test_the_operators_file_comes_after_that_of_the_runner(runner: Runner, settings: Any, tmp_path: Path) -> None:
    settings.CONTINUITY_AGENTS_FILE = tmp_path / "agents.yaml"
    settings.CONTINUITY_AGENTS_FILE.write_text("agents:\n  - name: billing\n    role: Operators\n    priority: 3\n")
    runner.start("billing", file=FILE)
    agent = Agent.objects.get()
    assert (agent.role, agent.priority, agent.replay) == ("From the file", 3, "full")


def test_the_replay_of_the_operators_file_holds(runner: Runner, settings: Any, tmp_path: Path) -> None:
    settings.CONTINUITY_AGENTS_FILE = tmp_path / "agents.yaml"
    settings.CONTINUITY_AGENTS_FILE.write_text("agents:\n  - name: billing\n    replay: none\n")
    runner.start("billing", replay="full", topics=["task:*"])
    assert (Agent.objects.get().replay, Subscription.objects.get().policy) == ("none", "none")


WRONG = {
    "no name": ({"name": ""}, "name"),
    "a path": ({"name": "../etc"}, "name"),
    "taken": ({"name": "heartbeats"}, "name"),
    "no strategy": ({"name": "a", "strategy": "pray"}, "strategy"),
    "replaced by nobody": ({"name": "a", "strategy": "replace"}, "backup"),
    "replaced by itself": ({"name": "a", "strategy": "replace", "backup": "a"}, "backup"),
    "a bad topic": ({"name": "a", "topics": ["task::x"]}, "topics"),
    "no timeout": ({"name": "a", "timeout": 0}, "timeout"),
    "a file that is none": ({"name": "a", "file": "agents:\n  - name: a\n    strategy: pray\n"}, "file"),
    "code in a file": ({"name": "a", "file": "agents:\n  - name: a\n    config: {x: !!python/object:os.system ls}\n"}, "file"),
    "a long word": ({"name": "a", "expertise": ["x" * 81]}, "expertise.0"),
    "a long topic": ({"name": "a", "topics": ["task:a,task:b," + "x" * 190]}, "topics.0"),
    "a long number": ({"name": "a", "file": "agents:\n  - name: a\n    config: {x: " + "1:" * 200 + "1.5}\n"}, "file"),
    "an endless number": ({"name": "a", "file": "agents:\n  - name: a\n    config: {x: .inf}\n"}, "file"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named_and_nothing_is_stored(runner: Runner, case: str) -> None:
    body, field = WRONG[case]
    answer = runner.caller.post("/agents", body)
    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert not Agent.objects.exists()


def test_an_error_of_a_file_names_its_line(runner: Runner) -> None:
    answer = runner.caller.post("/agents", WRONG["a file that is none"][0])
    assert "line 3: strategy is one of restart, replace, alert" in answer.json()["detail"]


def test_an_agent_that_says_what_it_is_leaves_the_policies_of_its_other_subscriptions(runner: Runner, team: Team) -> None:
    runner.start("a", replay="full")
    Caller.of(team).post("/subscriptions", {"name": "news", "pattern": "news:*", "agent": "a", "policy": "none"})
    runner.post("a", "describe", role="Reads")
    assert Subscription.objects.get(name="news").policy == "none"
    runner.post("a", "describe", replay="critical-only")
    assert Subscription.objects.get(name="news").policy == "critical-only"


def test_a_configuration_is_bounded_and_its_secrets_are_masked(runner: Runner) -> None:
    assert runner.caller.post("/agents", {"name": "a", "config": {"text": "x" * 70_000}}).status_code == 413
    runner.start("a", config={"env": "API_KEY=sk-ant-api03-abcdefghijklmnopqrstuvwx"})
    assert "abcdefghijklmnop" not in str(Agent.objects.get().config)


def test_a_team_has_so_many_agents(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MOST", 1)
    runner.start("a")
    assert runner.caller.post("/agents", {"name": "b"}).status_code == 429
    runner.start("a")


def test_another_teams_agent_is_not_there(runner: Runner, other_team: Team) -> None:
    runner.start("billing")
    theirs = Runner(other_team, scopes=("agent", "read", "admin"))
    theirs.known = runner.known
    assert theirs.caller.get("/agents/billing").status_code == 404
    assert theirs.post("billing", "ready").status_code == 404
    assert theirs.caller.post("/agents/billing/orders", {"kind": "stop"}).status_code == 404
    assert theirs.beat().json()["agents"][0]["result"] == "unknown"
    theirs.start("billing")
    assert Agent.objects.filter(name="billing").count() == 2


def test_scopes(team: Team, runner: Runner) -> None:
    runner.start("billing")
    reader = Caller.of(team, ("read",))
    assert reader.get("/agents").json()["items"][0]["name"] == "billing"
    assert reader.post("/agents", {"name": "x"}).json()["scope"] == "agent"
    assert runner.caller.get("/agents").status_code == 403
    assert runner.caller.post("/agents/billing/orders", {"kind": "stop"}).status_code == 403


def test_lists(runner: Runner, team: Team) -> None:
    runner.start("b", "a")
    runner.start("a")
    runner.dies("b")
    caller = Caller.of(team)
    assert [each["name"] for each in caller.get("/agents").json()["items"]] == ["a", "b"]
    assert [each["name"] for each in caller.get("/agents", status="recovering").json()["items"]] == ["b"]
    assert [each["epoch"] for each in caller.get("/agents/a/instances").json()["items"]] == [2, 1]
    assert [each["cause"] for each in caller.get("/agents/b/recoveries").json()["items"]] == ["killed"]
    assert [each["kind"] for each in caller.get("/agents/b/orders").json()["items"]] == ["restart"]
    assert caller.get("/incidents").json()["items"] == []


def test_an_agent_says_what_it_works_on(runner: Runner, team: Team) -> None:
    runner.start("a")
    opened = runner.post("a", "conversation", title="Invoices").json()["conversation_id"]
    assert Caller.of(team).get("/agents/a").json()["conversation_id"] == opened
    runner.caller.patch("/agents/a", {**runner.known["a"], "conversation_id": None})
    assert Agent.objects.get().working_on_id is None
    runner.beat(conversation_id=opened)
    assert str(Agent.objects.get().working_on_id) == opened
    missing = runner.caller.patch("/agents/a", {**runner.known["a"], "conversation_id": str(Agent.objects.get().id)})
    assert missing.status_code == 404


def test_half_of_a_replay_that_failed_makes_it_degraded_and_it_goes_on(runner: Runner, team: Team) -> None:
    runner.start("a", "b", ready=False)
    assert runner.post("a", "ready", replayed=10, replay_failed=5).json()["status"] == "degraded"
    assert runner.post("b", "ready", replayed=10, replay_failed=4).json()["status"] == "ready"
    assert runner.beat("a", working=True).json()["agents"][0]["status"] == "degraded"
    assert Event.objects.get(team=team, name="agent.degraded").critical


def test_a_replay_of_its_subscription_that_fails_makes_it_degraded(runner: Runner, team: Team, caplog: pytest.LogCaptureFixture) -> None:
    """The specification's: an agent was disconnected with ten missed events, of which five fail."""
    runner.start("a", topics=["task:*"], replay="full")
    caller = Caller.of(team)
    subscription = Subscription.objects.get()
    caller.post("/events", {"events": [{"topic": "task:done"} for _ in range(10)]})
    epoch = caller.post(f"/subscriptions/{subscription.id}/begin").json()["epoch"]
    now, before = timezone.now(), meters.read().get("event_replay_failure_total", 0)
    taken = event_delivery.take(team=team, subscription_id=subscription.id, now=now, epoch=epoch).items
    outcomes = ["failed"] * 5 + ["handled"] * 5
    acks = [{"event_id": str(each.event.id), "outcome": outcome} for each, outcome in zip(taken, outcomes, strict=True)]
    caller.post(f"/subscriptions/{subscription.id}/acks", {"acks": acks, "epoch": epoch})
    event_delivery.take(team=team, subscription_id=subscription.id, now=now, epoch=epoch)
    assert "CRITICAL" in {record.levelname for record in caplog.records}
    assert meters.read()["event_replay_failure_total"] == before + 5
    event = Event.objects.get(name="subscription.degraded")
    handlers.degrade_agent(event)
    handlers.degrade_agent(event)
    assert status(team, "a") == "degraded"
    assert Event.objects.filter(name="agent.degraded").count() == 1
    assert runner.beat(working=True).json()["agents"][0]["status"] == "degraded"
    caller.post("/events", {"events": [{"topic": "task:new"}]})
    new = event_delivery.take(team=team, subscription_id=subscription.id, now=timezone.now(), epoch=epoch).items
    assert Event.objects.get(topic="task:new").id in [each.event.id for each in new]


def test_a_removed_agent_is_unknown(runner: Runner, team: Team) -> None:
    runner.start("a", "b")
    assert Caller.of(team).call("DELETE", "/agents/a").status_code == 204
    assert [each["result"] for each in runner.beat().json()["agents"]] == ["unknown", "ok"]


def test_so_many_beats_in_one_call(runner: Runner) -> None:
    runner.start("a")
    beat = {"agent": "a", **runner.known["a"]}
    assert runner.caller.post("/agents/heartbeats", {"beats": [beat] * 200}).status_code == 200
    assert runner.caller.post("/agents/heartbeats", {"beats": [beat] * 201}).status_code == 422
    assert runner.caller.post("/agents/heartbeats", {"beats": []}).status_code == 422
