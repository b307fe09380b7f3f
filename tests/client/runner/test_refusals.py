"""The server refuses to hear that a program died: its runner says so once, and does what fits."""

import os
import signal
import threading
import time

import pytest

from continuity.client.connection import Away, Refused
from continuity.client.runner import refusals
from tests.client.agents.pretended_agent import Refusal
from tests.client.runner.test_keeping import ready
from tests.platform.running import eventually


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


FINAL = [
    (401, "unauthenticated", "continuity login"),
    (401, "key_refused", "continuity login"),
    (403, "missing_scope", "continuity login"),
    (404, "not_found", "register it anew"),
]
PASSING = [(409, "conflict"), (422, "invalid"), (401, ""), (403, ""), (404, "")]


class NoPause(threading.Event):
    """Whoever waits for it waited; `asked` is for how long. After so many times somebody ended the runner."""

    def __init__(self, ends_after=10**6):
        super().__init__()
        self.asked: list[float] = []
        self.ends_after = ends_after

    def wait(self, timeout=None):
        self.asked.append(timeout)
        return len(self.asked) >= self.ends_after


class Answers:
    """Refuses in these ways, one after the other, and then takes it."""

    def __init__(self, *refused):
        self.left = list(refused)
        self.calls = 0

    def __call__(self):
        self.calls += 1
        if self.left:
            raise self.left.pop(0)
        return {"action": "restart"}


def refused(status, code, detail="No."):
    return Refused(status, {"code": code, "detail": detail})


@pytest.mark.processes
@pytest.mark.parametrize(("what", "status", "code", "advice"), [("ended", *FINAL[1]), ("claim", *FINAL[3])])
def test_it_works(server, runners, what, status, code, advice):
    """No further try would change it: it is told once with what to do, and let go; another agent of this machine goes on."""
    runner = runners.agent("tool", "tool")
    other = runners.agent("other", "tool")
    assert ready(server)
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


@pytest.mark.parametrize(("status", "code", "advice"), FINAL)
def test_what_no_further_try_changes_is_not_tried_again(status, code, advice):
    given, leaving, said = Answers(refused(status, code)), NoPause(), list[str]()
    with pytest.raises(Refused) as caught:
        refusals.insist(given, leaving, said.append)
    assert advice in refusals.advice(caught.value)
    assert not refusals.may_pass(caught.value)
    assert (given.calls, leaving.asked, said) == (1, [], [])


@pytest.mark.parametrize("code", sorted(refusals.OVER))
def test_one_that_is_over_is_neither_tried_again_nor_let_go(code):
    given, leaving, said = Answers(refused(409, code)), NoPause(), list[str]()
    with pytest.raises(Refused) as caught:
        refusals.insist(given, leaving, said.append)
    assert (refusals.advice(caught.value), refusals.may_pass(caught.value)) == ("", False)
    assert (given.calls, leaving.asked, said) == (1, [], [])


@pytest.mark.parametrize(("status", "code"), PASSING)
def test_what_may_pass_is_tried_again_with_growing_pauses(status, code):
    again = refused(status, code)
    given, leaving, said = Answers(*[again] * 8), NoPause(), list[str]()
    assert refusals.insist(given, leaving, said.append) == {"action": "restart"}
    assert (refusals.may_pass(again), refusals.advice(again)) == (True, "")
    assert (given.calls, leaving.asked) == (9, [1, 2, 4, 8, 16, 32, 60, 60])
    assert len(said) == 1
    assert said[0].startswith("No. ")


def test_another_refusal_is_said_too():
    given, said = Answers(*[refused(409, "conflict")] * 2, *[refused(422, "invalid", "Never.")] * 2), list[str]()
    refusals.insist(given, NoPause(), said.append)
    assert [each.partition(" ")[0] for each in said] == ["No.", "Never."]


def test_who_waits_for_the_next_try_can_be_ended():
    given, leaving = Answers(*[refused(409, "conflict")] * 9), NoPause(ends_after=2)
    with pytest.raises(Away):
        refusals.insist(given, leaving, list[str]().append)
    assert (given.calls, leaving.asked) == (2, [1, 2])


@pytest.mark.processes
def test_a_runner_that_was_refused_goes_on(server, runners):
    runner = runners.agent("tool", "tool")
    assert ready(server)
    refusing = Refusing(server, "tool", "ended", 409, "conflict", times=1)
    os.kill(runners.child_of(runner), signal.SIGKILL)
    assert ready(server, times=2), runners.told("tool")
    assert len(refusing.at) == 1
    assert runners.told("tool").count("tool: No.") == 1


@pytest.mark.processes
def test_a_runner_that_is_refused_can_be_ended(server, runners):
    runner = runners.agent("tool", "tool")
    assert ready(server)
    refusing = Refusing(server, "tool", "ended", 409, "conflict")
    os.kill(runners.child_of(runner), signal.SIGKILL)
    assert eventually(lambda: len(refusing.at) >= 2)
    runner.terminate()
    assert runner.wait(20) == 128 + signal.SIGTERM


@pytest.mark.processes
def test_one_that_can_not_be_ready_is_told_and_tried_again_as_the_server_says(server, runners):
    """The refusal of one call is a failure of the start, told of by another call, which is taken."""
    refusing = Refusing(server, "tool", "ready", 409, "state_differs", times=1)
    runners.agent("tool", "tool")
    assert ready(server), runners.told("tool")
    assert (len(refusing.at), server.agent("tool").deaths[0]["cause"]) == (1, "start_failed")
