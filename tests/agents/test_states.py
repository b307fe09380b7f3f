"""The state of an agent over the API: its present instance saves it, the next one begins with it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from continuity.models import Agent, AgentInstance, StoredState, Subscription, Team
from continuity.services import agent_state
from tests.agents.runner import Monitor, Runner, back_off_is_over, status
from tests.api.caller import Answer, Caller
from tests.handoffs.story import story

STATE = {"config": {"model": "x"}, "context": {"step": 3}, "messages": [{"role": "user", "content": "Go on."}]}


def save(runner: Runner, state: Any = STATE, **shown: Any) -> Answer:
    return runner.caller.call("PUT", "/agents/a/state", {**runner.known["a"], **shown, "state": state})


def load(runner: Runner, **shown: Any) -> Answer:
    return runner.caller.get("/agents/a/state", **{**runner.known["a"], **shown})


def test_it_works(runner: Runner) -> None:
    runner.start("a")
    assert load(runner).json() == {"state": None, "digest": "", "epoch": 1, "saved_at": None}
    saved = save(runner).json()
    assert (saved["messages"], saved["trimmed"], saved["masked"], saved["digest"]) == (1, False, 0, agent_state.digest_of(STATE))
    found = load(runner).json()
    assert (found["state"], found["digest"]) == (STATE, saved["digest"])


def test_the_next_instance_begins_with_it_and_shuts_out_the_one_before(runner: Runner) -> None:
    runner.start("a")
    digest = save(runner).json()["digest"]
    before = dict(runner.known["a"])
    told = runner.dies("a")
    back_off_is_over("a")
    assert runner.claim("a", told["attempt"]).status_code == 201
    assert load(runner).json()["digest"] == digest
    for late in (save(runner, {"context": {"late": True}}, **before), load(runner, **before)):
        assert (late.status_code, late.json()["code"]) == (409, "fenced")
    assert load(runner).json()["state"] == STATE


def test_also_the_storage_refuses_who_was_checked_before(runner: Runner, team: Team) -> None:
    """One that was checked just before a later instance began."""
    runner.start("a")
    save(runner)
    agent_state.begin(team=team, agent="a", epoch=2, now=Agent.objects.get().status_at)
    assert save(runner).json()["code"] == "fenced"


@pytest.mark.parametrize("state", [None, [], "x", {"other": {}}, {"messages": [1]}, {"context": []}])
def test_wrong_types_are_refused(runner: Runner, state: Any) -> None:
    runner.start("a")
    assert save(runner, state).status_code == 422
    assert not StoredState.objects.exists()


def test_what_is_too_large_is_refused(runner: Runner, settings: Any) -> None:
    settings.AGENT_STATE_MAX_SIZE_BYTES = 1000
    runner.start("a")
    answer = save(runner, {"context": {"x": "y" * 2000}})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert not StoredState.objects.exists()


def test_foreign_instances_and_teams_are_refused(runner: Runner, other_team: Team) -> None:
    runner.start("a")
    save(runner)
    assert save(runner, instance=str(uuid4())).json()["code"] == "fenced"
    stranger = Runner(other_team)
    stranger.known = runner.known
    assert (load(stranger).status_code, save(stranger).status_code) == (404, 404)
    reader = Caller.of(runner.team, ("read", "write"))
    assert reader.get("/agents/a/state", **runner.known["a"]).json()["code"] == "missing_scope"


def test_it_goes_with_the_agent_and_with_what_it_works_on(runner: Runner) -> None:
    conversation = story(runner.team)
    runner.start("a", conversation_id=str(conversation.id))
    save(runner)
    assert StoredState.objects.get().conversation_id == conversation.id
    assert Caller.of(runner.team, ("admin",)).call("DELETE", "/agents/a").status_code == 204
    assert not StoredState.objects.exists()


def test_the_command_of_a_probe_is_the_files(runner: Runner) -> None:
    file = "agents:\n  - name: a\n    probe: pgrep worker\n"
    told = runner.caller.post("/agents", {"name": "a", "file": file}).json()
    assert (told["probe_command"], told["probe"]) == ("pgrep worker", True)
    assert runner.caller.post("/agents", {"name": "b", "file": file}).json()["probe_command"] == ""


def test_what_the_code_of_an_agent_says_of_it(runner: Runner) -> None:
    runner.start("a", role="Counts", file="agents:\n  - name: a\n    priority: 3\n")
    told = runner.post("a", "describe", expertise=["counting"], strategy="replace", backup="b", topics=["task:*"])
    assert told.status_code == 200, told.content
    agent = Agent.objects.get()
    assert (agent.role, agent.priority, agent.expertise, agent.backup, agent.epoch) == ("Counts", 3, ["counting"], "b", 1)
    assert Subscription.objects.get().pattern == "task:*"
    assert runner.post("a", "describe", strategy="replace", backup="a").status_code == 422
    assert runner.post("a", "describe", epoch=7).json()["code"] == "fenced"


@pytest.fixture
def again(runner: Runner) -> Runner:
    """The second instance of an agent, which has a state to restore."""
    runner.start("a")
    save(runner)
    told = runner.dies("a")
    back_off_is_over("a")
    assert runner.claim("a", told["attempt"]).status_code == 201
    return runner


def test_who_restored_something_else_is_not_ready(again: Runner, monitor: Monitor) -> None:
    """Both digests are told; where it restores nothing else in time, the agent failed."""
    digest, wrong = load(again).json()["digest"], agent_state.digest_of({"context": {"step": 2}})
    refused = again.post("a", "ready", state_digest=wrong)
    assert (refused.status_code, refused.json()["code"], refused.json()["given"], refused.json()["stored"]) == (
        409,
        "state_differs",
        wrong,
        digest,
    )
    assert status(again.team, "a") == "recovering"
    monitor.look(32, beating=again.beat)
    assert status(again.team, "a") == "failed"


def test_who_restored_it_is_ready_and_its_digest_is_kept(again: Runner) -> None:
    digest = load(again).json()["digest"]
    assert again.post("a", "ready", state_digest=digest).status_code == 200
    assert AgentInstance.objects.get(epoch=3).state_digest == digest


def test_what_it_saved_before_it_was_ready_makes_no_difference(again: Runner) -> None:
    """What it missed was handled with the restored state, and that changed it."""
    restored = load(again).json()["digest"]
    saved = save(again, {"context": {"step": 4}}).json()["digest"]
    assert saved != restored
    assert again.post("a", "ready", state_digest=restored).status_code == 200


def test_it_may_name_the_state_that_is_stored_now(again: Runner) -> None:
    load(again)
    saved = save(again, {"context": {"step": 4}}).json()["digest"]
    assert again.post("a", "ready", state_digest=saved).status_code == 200


def test_who_names_none_restored_none(again: Runner) -> None:
    assert again.post("a", "ready").status_code == 200
    assert AgentInstance.objects.get(epoch=3).state_digest == ""


def test_where_nothing_is_stored_there_is_nothing_to_restore(runner: Runner) -> None:
    runner.start("a", ready=False)
    refused = runner.post("a", "ready", state_digest=agent_state.digest_of(STATE))
    assert (refused.status_code, refused.json()["code"], refused.json()["stored"]) == (409, "state_differs", "of no state")


def test_an_instance_that_is_over_is_told_that_first(again: Runner) -> None:
    before = dict(again.known["a"])
    again.start("a", ready=False)
    assert again.post("a", "ready", **before, state_digest="0").json()["code"] == "fenced"
