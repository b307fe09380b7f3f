"""The server refuses to hear that a program died: its runner says so once, and does what fits."""

import os
import signal
import time

import pytest

from tests.client.agents.pretended_agent import Refusal
from tests.client.runner.test_keeping import ready
from tests.platform.running import eventually

pytestmark = pytest.mark.processes


class Refusing:
    """Refuses a call of an agent, so many times; `at` is when it came."""

    def __init__(self, server, name, what, status, code, times=10**6):
        self.at: list[float] = []
        self.left = times
        answers = server._of_agent

        def answer(agent, method, path, handler, body):
            if (agent.name, path) == (name, what) and self.left:
                self.left -= 1
                self.at.append(time.monotonic())
                raise Refusal(status, {"code": code, "detail": "No."})
            return answers(agent, method, path, handler, body)

        server._of_agent = answer


FINAL = [(401, "key_refused", "continuity login"), (403, "missing_scope", "continuity login"), (404, "not_found", "register it anew")]


@pytest.mark.parametrize(("status", "code", "advice"), FINAL)
@pytest.mark.parametrize("what", ["ended", "claim"])
def test_it_works(server, runners, what, status, code, advice):
    """No further try would change it: it is told once with what to do, and let go; another agent of this machine goes on."""
    runner = runners.agent("tool", "tool")
    assert ready(server)
    other = runners.agent("other", "tool")
    assert ready(server, "other")
    refusing = Refusing(server, "tool", what, status, code)
    os.kill(runners.child_of(runner), signal.SIGKILL)
    assert runner.wait(30) == 1
    told = runners.told("tool")
    assert (told.count("No."), told.count("tool is let go"), told.count(advice), len(refusing.at)) == (1, 1, 1, 1)
    assert "Traceback" not in told
    seen = len(server.agent("other").beats)
    assert server.eventually("other", lambda found: len(found.beats) > seen + 5)
    assert other.poll() is None


@pytest.mark.parametrize(("status", "code"), [(409, "conflict"), (422, "invalid"), (401, ""), (403, "")])
def test_what_may_pass_is_tried_again_with_growing_pauses(server, runners, status, code):
    runner = runners.agent("tool", "tool")
    assert ready(server)
    refusing = Refusing(server, "tool", "ended", status, code, times=3)
    os.kill(runners.child_of(runner), signal.SIGKILL)
    assert ready(server, times=2), runners.told("tool")
    first, second = (after - before for before, after in zip(refusing.at, refusing.at[1:], strict=False))
    assert (first >= 1, second >= 2, len(refusing.at)) == (True, True, 3)
    assert runners.told("tool").count("tool: No.") == 1


def test_a_runner_that_is_refused_can_be_ended(server, runners):
    runner = runners.agent("tool", "tool")
    assert ready(server)
    refusing = Refusing(server, "tool", "ended", 409, "conflict")
    os.kill(runners.child_of(runner), signal.SIGKILL)
    assert eventually(lambda: len(refusing.at) >= 2)
    runner.terminate()
    assert runner.wait(20) == 128 + signal.SIGTERM


def test_one_that_can_not_be_ready_is_told_and_tried_again_as_the_server_says(server, runners):
    """The refusal of one call is a failure of the start, told of by another call, which is taken."""
    refusing = Refusing(server, "tool", "ready", 409, "state_differs", times=1)
    runners.agent("tool", "tool")
    assert ready(server), runners.told("tool")
    assert (len(refusing.at), server.agent("tool").deaths[0]["cause"]) == (1, "start_failed")
