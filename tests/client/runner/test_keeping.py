"""Real processes, killed and stopped: each is started anew with its state, and none is left behind."""

import os
import signal

import pytest

from continuity.client.runner.machine import began_at
from continuity.storage.state_digest import digest_of
from tests.client.agents.pretended_agent import INTERVAL_MS
from tests.platform.running import eventually

pytestmark = pytest.mark.processes


def is_gone(pid):
    return eventually(lambda: not began_at(pid), 10)


def ready(server, name="tool", times=1):
    return server.eventually(name, lambda found: len(found.readied) >= times)


def of_itself(agent):
    return [beat for beat in agent.beats if beat["runner"] == ""]


def starts(server):
    return lambda found: found.state and found.state["context"]["starts"]


def test_it_works(server, runners):
    runner = runners.agent("tool", "tool", options=("--strategy", "restart"))
    assert ready(server), runners.told("tool")
    agent = server.agent("tool")
    assert (agent.about["strategy"], agent.about["probe"]) == ("restart", True)
    assert agent.about["runner"]
    assert server.eventually("tool", lambda found: starts(server)(found) == 1)
    assert server.eventually("tool", lambda found: len(found.beats) > 3)
    runner.terminate()
    assert runner.wait(20) == 128 + signal.SIGTERM
    assert agent.status == "stopped"


def test_a_killed_process_is_started_anew_with_its_state(server, runners):
    runner = runners.agent("tool", "tool")
    assert server.eventually("tool", lambda found: starts(server)(found) == 1)
    assert ready(server)
    before, child = digest_of(server.agent("tool").state), runners.child_of(runner)
    os.kill(child, signal.SIGKILL)
    assert ready(server, times=2), runners.told("tool")
    agent = server.agent("tool")
    assert agent.readied[1]["state_digest"] == before
    assert (agent.deaths[0]["cause"], agent.deaths[0]["signal"], agent.epoch) == ("killed", 9, 3)
    assert server.eventually("tool", lambda found: starts(server)(found) == 2)


def test_what_it_started_goes_with_it(server, runners):
    runner = runners.agent("family", "family")
    assert eventually((runners.home / "family").exists)
    assert ready(server, "family")
    grandchild = int((runners.home / "family").read_text())
    os.kill(runners.child_of(runner), signal.SIGKILL)
    assert is_gone(grandchild)
    assert ready(server, "family", 2)


def test_a_stopped_process_that_answers_no_probe_is_a_zombie(server, runners):
    runner = runners.agent("library", "library")
    assert ready(server, "library"), runners.told("library")
    server.publish("task:one")
    assert server.eventually("library", lambda found: found.state)
    before, child = digest_of(server.agent("library").state), runners.child_of(runner)
    id = server.agent("library").order("probe")
    assert server.eventually("library", lambda found: any(beat.get("probe") == {"id": id, "ok": True} for beat in found.beats))
    os.kill(child, signal.SIGSTOP)
    server.agent("library").order("probe")
    assert ready(server, "library", 2), runners.told("library")
    agent = server.agent("library")
    assert agent.deaths[0]["cause"] == "zombie"
    assert agent.readied[1]["state_digest"] == before
    assert is_gone(child)


def test_a_probe_by_command(server, runners, tmp_path):
    sign = tmp_path / "works"
    sign.touch()
    runners.agent("tool", "tool", options=("--probe", f"test -e {sign}"))
    assert ready(server)
    id = server.agent("tool").order("probe")
    assert server.eventually("tool", lambda found: any(beat.get("probe") == {"id": id, "ok": True} for beat in found.beats))
    sign.unlink()
    server.agent("tool").order("probe")
    assert server.eventually("tool", lambda found: found.deaths)
    assert server.agent("tool").deaths[0]["cause"] == "zombie"
    sign.touch()
    assert ready(server, times=2)


def test_without_a_probe_nobody_is_killed(server, runners):
    runner = runners.agent("tool", "tool")
    assert ready(server)
    child = runners.child_of(runner)
    os.kill(child, signal.SIGSTOP)
    id = server.agent("tool").order("probe")
    assert server.eventually("tool", lambda found: any(beat.get("probe") == {"id": id, "ok": True} for beat in found.beats))
    assert runners.child_of(runner) == child
    assert server.agent("tool").deaths == []
    os.kill(child, signal.SIGCONT)


def test_orders_of_the_server(server, runners):
    runner = runners.agent("tool", "tool")
    assert server.eventually("tool", lambda found: starts(server)(found) == 1)
    assert ready(server)
    agent, child = server.agent("tool"), runners.child_of(runner)
    save = agent.order("save_state")
    assert server.eventually("tool", lambda found: found.acks)
    assert agent.acks == [(save, {"epoch": 1, "instance": agent.instance, "outcome": "done", "error": ""})]
    with server.lock:
        agent.order_restart()
    assert ready(server, times=2)
    assert is_gone(child)
    agent.order("stop")
    assert runner.wait(20) == 0
    assert agent.status == "stopped"


def test_a_briefing_starts_a_tool_again(server, runners):
    shown = runners.home / "shown"
    script = 'printf "%s|%s" "$1" "$(cat $CONTINUITY_AGENT_BRIEFING 2>/dev/null)" >> $SHOWN; echo >> $SHOWN; sleep 3600'
    runners.start("tool", "sh", "-c", script, "sh", "{directive}", SHOWN=str(shown))
    assert ready(server)
    assert eventually(shown.exists)
    agent = server.agent("tool")
    take = agent.order("resume", from_agent="old", conversation_id="c1", handoff_id="h1", subscriptions=[])
    assert server.eventually("tool", lambda found: found.acks)
    assert (agent.acks[0][0], agent.acks[0][1]["outcome"]) == (take, "done")
    assert eventually(lambda: "The briefing of h1.|The briefing of h1." in shown.read_text())
    assert server.eventually("tool", lambda found: found.beats[-1].get("conversation_id") == "c1")


def test_an_agent_that_is_fenced_is_killed_at_once(server, runners):
    runner = runners.agent("tool", "tool")
    assert ready(server)
    child = runners.child_of(runner)
    with server.lock:
        server.agent("tool").begin()
    assert runner.wait(20) == 1
    assert is_gone(child)
    assert "another instance of it began" in runners.told("tool")


def test_a_command_that_ends_well_is_not_started_again(server, runners):
    assert runners.start("done", "true").wait(20) == 0
    assert server.agent("done").status == "stopped"
    assert server.agent("done").epoch == 2


def test_a_command_that_is_none_is_told(server, runners):
    server.then = "wait"
    assert runners.start("typo", "/no/such/program").wait(20) == 1
    assert server.agent("typo").deaths[0]["cause"] == "start_failed"
    assert "can't be started" in runners.told("typo")


def test_one_that_failed_for_good_waits_for_a_person(server, runners):
    server.then = "none"
    runner = runners.agent("tool", "tool")
    assert ready(server)
    os.kill(runners.child_of(runner), signal.SIGKILL)
    assert eventually(lambda: "waits for a person" in runners.told("tool"))
    assert runner.poll() is None
    with server.lock:
        server.agent("tool").order_restart()
    assert ready(server, times=2)


def test_one_agent_is_run_once(server, runners):
    runners.agent("tool", "tool")
    assert ready(server)
    assert runners.agent("tool", "tool").wait(20) == 1
    assert "is run here already" in runners.told("tool")
    assert server.agent("tool").epoch == 1


def test_what_a_killed_runner_left_is_ended_by_the_next(server, runners):
    runner = runners.agent("tool", "tool")
    assert ready(server)
    child = runners.child_of(runner)
    runner.kill()
    runner.wait()
    assert began_at(child)
    runners.agent("tool", "tool")
    assert ready(server, times=2), runners.told("tool")
    assert is_gone(child)


def test_a_library_agent_beats_for_itself_when_its_runner_is_killed(server, runners):
    runner = runners.agent("library", "library")
    assert ready(server, "library")
    agent, child = server.agent("library"), runners.child_of(runner)
    runner.kill()
    runner.wait()
    assert server.eventually("library", lambda found: len(of_itself(found)) > 8)
    own = of_itself(agent)
    assert (own[-1]["at"] - own[0]["at"]) / (len(own) - 1) < 2 * INTERVAL_MS / 1000
    assert agent.epoch == 1
    os.kill(child, signal.SIGTERM)
    assert is_gone(child)
    assert agent.status == "stopped"


def test_a_laptop_that_slept_harms_nobody(server, runners):
    """Runner and agent are stopped together, with a probe under way: nobody is taken for a zombie when they wake."""
    runner = runners.agent("library", "library")
    assert ready(server, "library")
    child = runners.child_of(runner)
    os.kill(child, signal.SIGSTOP)
    id = server.agent("library").order("probe")
    assert server.eventually("library", lambda found: len(found.beats) > 2)
    os.kill(runner.pid, signal.SIGSTOP)
    assert not eventually(lambda: server.agent("library").deaths != [], 3)
    os.kill(runner.pid, signal.SIGCONT)
    os.kill(child, signal.SIGCONT)
    assert server.eventually("library", lambda found: any(beat.get("probe") == {"id": id, "ok": True} for beat in found.beats))
    assert server.agent("library").deaths == []
    assert runners.child_of(runner) == child


def test_a_server_that_is_away_stops_no_agent(server, runners):
    runner = runners.agent("tool", "tool")
    assert ready(server)
    child = runners.child_of(runner)
    server.away = True
    before = server.calls["POST /agents/heartbeats"]
    assert eventually(lambda: server.calls["POST /agents/heartbeats"] > before + 3)
    os.kill(child, signal.SIGKILL)
    assert eventually(lambda: server.calls["POST /agents/tool/ended"] >= 2)
    server.away = False
    assert ready(server, times=2), runners.told("tool")


def test_agents_yaml_is_sent_as_it_is(server, runners, tmp_path):
    file = tmp_path / "agents.yaml"
    file.write_text("agents:\n  - name: tool\n    replay: full\n")
    runners.agent("tool", "tool", options=("--config", str(file)))
    assert ready(server)
    assert server.agent("tool").about["file"] == file.read_text()
