"""The state of a program without our library: what it wrote outlives it, whatever was away when it died."""

import json
import os
import signal

import pytest

from continuity.storage.state_digest import digest_of
from tests.client.runner.test_keeping import is_gone, ready
from tests.platform.running import eventually

pytestmark = pytest.mark.processes

# Shows the state that it begins with, and then takes over each one that it is given.
SCRIPT = """
trap 'touch "$ENDED"; exit 0' TERM
echo "$(cat "$CONTINUITY_AGENT_STATE" 2>/dev/null)" >> "$SHOWN"
while :; do [ -e "$GIVEN" ] && mv "$GIVEN" "$CONTINUITY_AGENT_STATE"; sleep 0.05; done
"""


class Writing:
    """A program that writes what it is told to."""

    def __init__(self, runners, server):
        self.runners, self.server = runners, server
        self.given, self.shown, self.ended = (runners.home / name for name in ("given", "shown", "ended"))
        self.start()
        assert ready(server), runners.told("tool")

    def start(self):
        places = {"GIVEN": str(self.given), "SHOWN": str(self.shown), "ENDED": str(self.ended)}
        self.runner = self.runners.start("tool", "sh", "-c", SCRIPT, **places)

    def writes(self, text):
        fresh = self.given.with_suffix(".new")
        fresh.write_text(text)
        fresh.replace(self.given)
        assert eventually(lambda: not self.given.exists())

    def began_with(self):
        """The state that each of its processes found."""
        return self.shown.read_text().splitlines()


@pytest.fixture
def writing(runners, server):
    return Writing(runners, server)


def state(step):
    return {"context": {"step": step}}


def test_it_works(writing, server):
    writing.writes(json.dumps(state(1)))
    assert server.eventually("tool", lambda found: found.state == state(1))
    os.kill(writing.runners.child_of(writing.runner), signal.SIGKILL)
    assert ready(server, times=2)
    assert eventually(lambda: writing.began_with() == ["", json.dumps(state(1))])


def test_one_that_dies_while_the_server_is_away_loses_nothing(writing, server):
    server.away = True
    writing.writes(json.dumps(state(2)))
    os.kill(writing.runners.child_of(writing.runner), signal.SIGKILL)
    assert eventually(lambda: server.calls["POST /agents/tool/ended"] >= 1)
    server.away = False
    assert ready(server, times=2), writing.runners.told("tool")
    assert eventually(lambda: writing.began_with() == ["", json.dumps(state(2))])
    assert server.agent("tool").state == state(2)


def test_one_that_is_ended_before_it_is_saved_loses_nothing(writing, server):
    server.stores = False
    writing.writes(json.dumps(state(3)))
    with server.lock:
        server.agent("tool").order_restart()
    assert server.eventually("tool", lambda found: not found.attempt)
    server.stores = True
    assert ready(server, times=2), writing.runners.told("tool")
    assert eventually(lambda: writing.began_with() == ["", json.dumps(state(3))])
    assert server.agent("tool").state == state(3)


@pytest.mark.parametrize("elsewhere", [None, state(9)], ids=["nobody else", "another machine"])
def test_what_was_written_after_its_runner_was_killed(writing, server, elsewhere):
    """It is saved by the next runner, unless somebody else saved a state meanwhile: that one is later."""
    child = writing.runners.child_of(writing.runner)
    writing.runner.kill()
    writing.runner.wait()
    writing.writes(json.dumps(state(4)))
    server.agent("tool").state = elsewhere
    writing.start()
    assert ready(server, times=2), writing.runners.told("tool")
    assert is_gone(child)
    holds = elsewhere or state(4)
    assert eventually(lambda: [json.loads(each) for each in writing.began_with()[1:]] == [holds])
    assert server.agent("tool").state == holds


@pytest.mark.parametrize("text", ["[" * 200_000, '{"context": ' * 100_000, "[]", "no JSON"], ids=["lists", "objects", "list", "words"])
def test_a_file_that_is_no_state_harms_nobody(writing, server, text):
    writing.writes(text)
    assert eventually(lambda: "is not saved" in writing.runners.told("tool"))
    assert server.agent("tool").state is None
    writing.writes(json.dumps(state(5)))
    assert server.eventually("tool", lambda found: found.state == state(5)), writing.runners.told("tool")


def test_a_runner_that_is_ended_while_the_server_is_away_lets_its_program_end(runners, server):
    places = {name.upper(): str(runners.home / name) for name in ("given", "shown", "ended")}
    runner = runners.start("tool", "sh", "-c", SCRIPT, **places)
    assert eventually((runners.home / "shown").exists)
    server.away = True
    assert eventually(lambda: server.calls["POST /agents/tool/ready"] >= 1)
    runner.terminate()
    assert runner.wait(30) == 128 + signal.SIGTERM
    assert (runners.home / "ended").exists()


def test_a_state_that_comes_other_than_it_is_stored_is_not_begun_with(writing, server):
    writing.writes(json.dumps(state(6)))
    assert server.eventually("tool", lambda found: found.state == state(6))
    server.on_its_way, server.then = (lambda found: state(7)), "none"
    with server.lock:
        server.agent("tool").order_restart()
    assert server.eventually("tool", lambda found: found.deaths), writing.runners.told("tool")
    found = server.agent("tool")
    assert (found.deaths[0]["cause"], len(found.readied), writing.began_with()) == ("start_failed", 1, [""])
    told = writing.runners.told("tool")
    assert (told.count(digest_of(state(6))), told.count(digest_of(state(7)))) == (1, 1)
    assert json.loads((next(writing.runners.home.rglob("state.json"))).read_text()) == state(6)
