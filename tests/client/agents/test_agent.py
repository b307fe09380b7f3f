"""An agent that uses the library: restored before it is ready, saved after each event, fenced when another one began."""

import threading

import pytest

from continuity.client.agents import Agent, AnotherInstance
from continuity.client.agents.state import AgentState
from continuity.client.events import Subscriber
from continuity.storage.state_digest import digest_of
from tests.platform.running import eventually

STORED = {"config": {"model": "old"}, "context": {"seen": {"count": 7}}, "messages": [{"role": "user", "content": "Go on."}]}


def test_it_works(server, made, running):
    agent = made(expertise=["invoices"], config={"model": "x"})

    @agent.on("task:*")
    def handle(event):
        seen = agent.state("seen")
        seen["count"] = seen.get("count", 0) + 1
        agent.say(f"Task {event.payload} is done.")

    running(agent)
    assert server.eventually("billing", lambda found: found.status == "ready")
    assert (server.agent("billing").about["topics"], server.agent("billing").about["expertise"]) == (["task:*"], ["invoices"])
    event = server.publish("task:new", 17)
    assert eventually(lambda: server.event_acks.get(event) == "handled")
    stored = server.agent("billing").state
    assert stored["context"] == {"seen": {"count": 1}}
    assert stored["messages"] == [{"role": "assistant", "content": "Task 17 is done."}]
    assert [(message["role"], message["content"]) for message in server.messages] == [("assistant", "Task 17 is done.")]
    assert server.eventually("billing", lambda found: len(found.beats) > 3)


def test_is_restored_and_replayed_before_it_is_ready(server, made, running):
    first = running(made())
    assert server.eventually("billing", lambda found: found.status == "ready")
    first.agent.stop()
    assert first.ended()
    assert server.agent("billing").status == "stopped"
    server.agent("billing").state = STORED
    missed = [server.publish("task:new", number, replay=True) for number in range(5)]
    counted = []
    agent = made()

    @agent.on("task:*")
    def handle(event):
        if event.payload == 3:
            raise ValueError("always")
        counted.append((agent.state("seen")["count"], agent.messages, server.agent("billing").status))

    running(agent)
    assert server.eventually("billing", lambda found: len(found.readied) == 2)
    assert counted == [(7, STORED["messages"], "registered")] * 4
    told = server.agent("billing").readied[-1]
    assert (told["state_digest"], told["replayed"], told["replay_failed"]) == (digest_of(STORED), 5, 1)
    assert eventually(lambda: [server.event_acks.get(each) for each in missed] == ["handled"] * 3 + ["failed", "handled"])


def test_a_fenced_agent_stops_and_can_write_nothing(server, made, running):
    agent = made()
    old = running(agent)
    assert server.eventually("billing", lambda found: found.status == "ready")
    agent.state("seen")["late"] = True
    with server.lock:
        server.agent("billing").begin()
    for late in (lambda: agent.publish("invoice:sent"), lambda: agent.say("Late.")):
        with pytest.raises(AnotherInstance):
            late()
    assert old.ended()
    assert isinstance(old.error, AnotherInstance)
    assert server.messages == []
    assert server.agent("billing").state is None
    assert server.agent("billing").status == "registered"
    assert agent.stopped


def test_who_begins_too_late_is_told_so(server, made, running):
    running(made())
    assert server.eventually("billing", lambda found: found.status == "ready")
    late = Subscriber("billing", agent="billing", url=server.url, key="k")
    late.act_for("billing/0")
    with pytest.raises(AnotherInstance):
        late.run()


def test_an_event_is_acknowledged_after_its_state_is_saved(server, made, running, monkeypatch):
    """Also where the storage of states is away for longer than an agent waits elsewhere."""
    monkeypatch.setitem(Agent.save.__kwdefaults__, "patience", 0.1)
    agent = made()

    @agent.on("task:*")
    def handle(event):
        agent.state("seen")["last"] = event.payload

    running(agent)
    assert server.eventually("billing", lambda found: found.status == "ready")
    server.stores = False
    event = server.publish("task:new", 17)
    assert eventually(lambda: server.calls["PUT /agents/billing/state"] >= 3)
    assert event not in server.event_acks
    server.stores = True
    assert eventually(lambda: server.event_acks.get(event) == "handled")
    assert server.agent("billing").state["context"] == {"seen": {"last": 17}}


def test_a_heartbeat_tells_that_it_is_fenced(server, made, running):
    old = running(made())
    assert server.eventually("billing", lambda found: found.status == "ready")
    with server.lock:
        server.agent("billing").begin()
    assert old.ended()
    assert isinstance(old.error, AnotherInstance)


def test_heartbeats_survive_failed_calls(server, made, running):
    running(made())
    assert server.eventually("billing", lambda found: found.status == "ready")
    server.away = True
    before = server.calls["POST /agents/heartbeats"]
    assert eventually(lambda: server.calls["POST /agents/heartbeats"] > before + 3)
    server.away = False
    beats = len(server.agent("billing").beats)
    assert server.eventually("billing", lambda found: len(found.beats) > beats)
    assert server.agent("billing").status == "ready"


def test_heartbeats_go_on_while_a_handler_works(server, made, running):
    agent = made()
    done = []

    @agent.on("task:*")
    def handle(event):
        before = len(server.agent("billing").beats)
        done.append(server.eventually("billing", lambda found: len(found.beats) > before + 4))

    running(agent)
    assert server.eventually("billing", lambda found: found.status == "ready")
    server.publish("task:long")
    assert eventually(lambda: done == [True])
    assert any(beat["working"] for beat in server.agent("billing").beats)


@pytest.mark.parametrize(("answer", "ok"), [(lambda: True, True), (lambda: False, False), (lambda: 1 / 0, False)])
def test_a_probe_is_answered_by_callback_in_the_next_beat(server, made, running, answer, ok):
    agent = made()
    agent.probe(answer)
    running(agent)
    assert server.eventually("billing", lambda found: found.status == "ready")
    id = server.agent("billing").order("probe")
    assert server.eventually("billing", lambda found: any(beat.get("probe") == {"id": id, "ok": ok} for beat in found.beats))


def test_one_in_a_long_run_of_tests_still_answers(server, made, running):
    """Its handler works for longer than any probe waits."""
    agent, done = made(), threading.Event()
    agent.on("task:*")(lambda event: done.wait(30))
    running(agent)
    assert server.eventually("billing", lambda found: found.status == "ready")
    server.publish("task:tests")
    assert server.eventually("billing", lambda found: found.beats[-1]["working"])
    for _ in range(3):
        id = server.agent("billing").order("probe")
        assert server.eventually("billing", lambda found, id=id: any(beat.get("probe") == {"id": id, "ok": True} for beat in found.beats))
    assert server.agent("billing").beats[-1]["working"]
    done.set()


def test_orders_are_carried_out_once_and_acknowledged(server, made, running):
    agent = made()
    told = []
    agent.resumed(lambda briefing, order: told.append((briefing, order["from_agent"])))
    agent.state("seen")["count"] = 3
    running(agent)
    assert server.eventually("billing", lambda found: found.status == "ready")
    found = server.agent("billing")
    save = found.order("save_state")
    take = found.order("resume", from_agent="old", conversation_id="c1", handoff_id="h1", subscriptions=[])
    assert server.eventually("billing", lambda found: len(found.acks) == 2)
    assert {id: body["outcome"] for id, body in found.acks} == {save: "done", take: "done"}
    assert found.state["context"] == {"seen": {"count": 3}}
    assert told == [("The briefing of h1.", "old")]
    assert agent.conversation == "c1"


def test_an_order_to_stop_ends_it(server, made, running):
    agent = running(made())
    assert server.eventually("billing", lambda found: found.status == "ready")
    server.agent("billing").order("stop")
    assert agent.ended()
    assert agent.error is None
    assert server.agent("billing").status == "stopped"


def test_an_agent_with_a_loop_of_its_own(server, made):
    with made() as agent:
        agent.state("loop")["rounds"] = 3
        agent.hear("Go on.")
    assert server.agent("billing").state["context"] == {"loop": {"rounds": 3}}
    assert server.agent("billing").state["messages"] == [{"role": "user", "content": "Go on."}]
    with pytest.raises(RuntimeError):
        Agent("never begun", url=server.url, key="k").say("x")


def test_begins_when_the_server_does(server, made, running):
    server.away = True
    running(made())
    assert eventually(lambda: server.calls["POST /agents"] >= 2)
    server.away = False
    assert server.eventually("billing", lambda found: found.status == "ready")


def test_a_state_that_is_no_json_is_told_and_harms_nothing(server, made, running, caplog):
    agent = made()

    @agent.on("task:*")
    def handle(event):
        agent.state("seen")["bad"] = {1, 2}

    running(agent)
    assert server.eventually("billing", lambda found: found.status == "ready")
    event = server.publish("task:new")
    assert eventually(lambda: server.event_acks.get(event) == "handled")
    assert "is not saved" in caplog.text
    assert server.agent("billing").state is None


def test_held_dictionaries_become_what_was_stored():
    state = AgentState({"model": "x", "own": 1})
    held = state.of("seen")
    state.restore(STORED)
    assert held == {"count": 7}
    assert state.of("seen") is held
    assert state.config == {"model": "old", "own": 1}
    assert state.unsaved() is None
    held["count"] = 8
    unsaved = state.unsaved()
    assert unsaved is not None
    assert unsaved[0]["context"] == {"seen": {"count": 8}}
