"""Many runners of one machine: one call beats for all, and nobody's life hangs on another's."""

import json
import os
import queue
import signal
import socket
import stat
import threading

import pytest

from continuity.client.connection import Away, Refused
from continuity.client.runner import hub
from continuity.client.runner.hub import BeatHub
from continuity.client.runner.hub_member import Joined
from continuity.client.runner.machine import SOCKET
from tests.platform.running import eventually

pytestmark = pytest.mark.processes
NAMES = ("one", "two", "three")


def ready(server, *names):
    return all(server.eventually(name, lambda found: found.readied) for name in names)


def all_beat(server, *names):
    before = {name: len(server.agent(name).beats) for name in names}
    return eventually(lambda: all(len(server.agent(name).beats) > before[name] + 2 for name in names), 10)


def test_it_works(server, runners):
    for name in NAMES:
        runners.agent(name, "tool")
    assert ready(server, *NAMES)
    assert eventually(lambda: server.batches[-4:] == [3, 3, 3, 3])
    assert len({beat["runner"] for name in NAMES for beat in server.agent(name).beats}) == 1
    place = next(runners.home.rglob("runner.sock"), None)
    if place is not None:  # A home with a long path has it elsewhere.
        assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_the_next_one_takes_over_when_the_first_is_killed(server, runners):
    started = [runners.agent(name, "tool") for name in NAMES]
    assert ready(server, *NAMES)
    assert eventually(lambda: server.batches[-1] == 3)
    children = [runners.child_of(runner) for runner in started]
    for runner in started[:2]:
        runner.kill()
        runner.wait()
        left = [name for name, each in zip(NAMES, started, strict=True) if each.poll() is None]
        assert all_beat(server, *left)
    for child in children[:2]:
        os.killpg(child, signal.SIGKILL)


def test_one_that_is_stopped_holds_up_no_other(server, runners):
    started = [runners.agent(name, "tool") for name in NAMES]
    assert ready(server, *NAMES)
    assert eventually(lambda: server.batches[-1] == 3)
    for runner in started:
        os.kill(runner.pid, signal.SIGSTOP)
        others = [name for name, each in zip(NAMES, started, strict=True) if each is not runner]
        assert all_beat(server, *others)
        os.kill(runner.pid, signal.SIGCONT)
    assert eventually(lambda: server.batches[-1] == 3)


class Beaten:
    """Answers each beat; `calls` tells how many each call had."""

    def __init__(self):
        self.calls = []

    def __call__(self, beats):
        self.calls.append(len(beats))
        return {"interval_ms": 200, "agents": [{"agent": beat["agent"], "result": "ok", "orders": []} for beat in beats]}


def nothing_ordered():
    return []


def joined_to(folder, key, send, ask=nothing_ordered, urge=nothing_ordered):
    return Joined(folder, key, send, ask=ask, urge=urge)


@pytest.fixture
def beaten():
    return Beaten()


def test_at_most_200_beats_go_with_a_call(tmp_path, beaten):
    one = BeatHub(tmp_path, "k", beaten, nothing_ordered)
    members = [socket.socketpair() for _ in range(450)]
    one._waiting = {ours: {"agent": str(number)} for number, (ours, _) in enumerate(members)}
    one._beat_for_all()
    assert beaten.calls == [200, 200, 50]
    for number, (ours, theirs) in enumerate(members):
        assert json.loads(theirs.recv(1000))["agent"] == str(number)
        ours.close()
        theirs.close()
    one.close()


def test_who_has_another_server_or_key_beats_by_itself(tmp_path, beaten):
    def own(beats):
        return {"interval_ms": 200, "agents": [{"agent": "other", "result": "own", "orders": []}]}

    first, other = joined_to(tmp_path, "k", beaten), joined_to(tmp_path, "another", own)
    assert first.send({"agent": "one"}, True)["result"] == "ok"
    assert other.send({"agent": "other"}, True)["result"] == "own"
    assert beaten.calls == [1]
    other.close()
    first.close()


def test_who_is_ordered_something_beats_at_once_and_nobody_else(tmp_path, beaten):
    ordered: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
    one_urged, other_urged = threading.Event(), threading.Event()
    first = joined_to(tmp_path, "k", beaten, ordered.get, one_urged.set)
    other = joined_to(tmp_path, "k", beaten, ordered.get, other_urged.set)
    for name, each in (("one", first), ("other", other)):
        assert each.send({"agent": name}, True)["result"] == "ok"
    ordered.put(["other", "nobody"])
    assert other_urged.wait(10)
    assert not one_urged.is_set()
    assert other.send({"agent": "other"}, True)["result"] == "ok"
    first.close()
    ordered.put([])
    other.close()


@pytest.mark.parametrize("line", [b"no json\n", b"{}\n", b'{"beat": 1, "urged": 1, "key": "k"}\n', b"x" * 200_000, b"[" * 60_000 + b"\n"])
def test_what_is_no_beat_is_let_go(tmp_path, beaten, line):
    first = joined_to(tmp_path, "k", beaten)
    assert first.send({"agent": "one"}, True)["result"] == "ok"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as stranger:
        stranger.connect(str(tmp_path / SOCKET))
        try:
            stranger.sendall(line)
            assert stranger.recv(1) == b""
        except ConnectionError:
            pass  # It was let go before all was sent.
    assert first.send({"agent": "one"}, True)["result"] == "ok"
    first.close()


@pytest.mark.parametrize(
    "error", [Away("gone"), Refused(409, {"code": "fenced"}), Refused(401, {"code": "unauthenticated"}), ValueError("no JSON")]
)
def test_what_the_server_says_reaches_each(tmp_path, error):
    def send(beats):
        raise error

    joined = joined_to(tmp_path, "k", send)
    with pytest.raises(type(error)) as told:
        joined.send({"agent": "one"}, True)
    assert getattr(told.value, "code", "") == getattr(error, "code", "")
    joined.close()


@pytest.mark.parametrize("bad", [{"agent": "bad", "conversation_id": "none"}, {}])
def test_a_beat_that_is_refused_harms_no_other(tmp_path, monkeypatch, bad):
    """The server refuses a call for one beat in it."""
    monkeypatch.setattr(hub, "GATHER_SECONDS", 1.0)
    good, calls = {"agent": "good"}, []

    def send(beats):
        calls.append(beats)
        if bad in beats:
            raise Refused(422, {"code": "invalid"})
        return {"interval_ms": 200, "agents": [{"agent": beat["agent"], "result": "ok", "orders": []} for beat in beats]}

    first, second = joined_to(tmp_path, "k", send), joined_to(tmp_path, "k", send)
    assert first.send(good, True)["result"] == "ok"
    errors = []

    def beat_badly():
        with pytest.raises(Refused) as refused:
            second.send(bad, False)
        errors.append(refused.value.status)

    thread = threading.Thread(target=beat_badly)
    thread.start()
    assert first.send(good, False)["result"] == "ok"
    thread.join(10)
    assert errors == [422]
    assert [len(each) for each in calls] == [1, 2, 1, 1]
    second.close()
    first.close()
