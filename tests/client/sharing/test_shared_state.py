"""State that agents share, through the library and a real server."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from continuity.client.connection import Away, Refused
from continuity.client.shared_state import SharedState, StateConflict
from continuity.client.shared_state.calls import StateCalls
from continuity.models import StateEntry, StateVersion
from continuity.shared_state import values
from tests.platform.running import PROJECT

STRATEGIES = ["last_write_wins", "reject", "merge", "manual"]
# Reads, tells that it did, and would write if it lived.
READS = """
import sys
from continuity.client.shared_state import SharedState
shared = SharedState()
with shared.edit("plan") as plan:
    plan["done"] += 1
    print("read", flush=True)
    sys.stdin.read()
"""
DIGEST = """
from continuity.client.shared_state import SharedState
from continuity.shared_state import values
from tests.platform.running import PROJECT
print(values.digest(SharedState().get("plan")))
"""

pytestmark = pytest.mark.usefixtures("server")


@pytest.fixture
def instance() -> Iterator[Callable[..., SharedState]]:
    """Instances of agents, each with a copy of its own."""
    made: list[SharedState] = []

    def make(**how: Any) -> SharedState:
        made.append(SharedState(**how))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    """Whether the server is away."""
    call, gone = StateCalls._call, threading.Event()

    def tried(self: StateCalls, *told: Any, **named: Any) -> Any:
        if gone.is_set():
            raise Away("it is away", reached=False)
        return call(self, *told, **named)

    monkeypatch.setattr(StateCalls, "_call", tried)
    return lambda is_away: gone.set() if is_away else gone.clear()


def entry() -> StateEntry:
    return StateEntry.objects.get(key="plan")


def test_it_works(instance: Callable[..., SharedState]) -> None:
    first, second = instance(), instance()
    first.put("plan", {"steps": ["a"]})
    with first.edit("plan") as plan:
        plan["steps"].append("b")
    assert (second.get("plan"), second.version("plan"), second.keys()) == ({"steps": ["a", "b"]}, 2, ["plan"])
    first.remove("plan")
    second.sync()
    assert (second.get("plan"), second.get("plan", 7), second.keys()) == (None, 7, [])
    with first.edit("plan", {}) as plan:
        plan["again"] = True
    assert entry().value == {"again": True}


def test_another_instance_sees_the_value_within_the_interval(instance: Callable[..., SharedState]) -> None:
    seen = threading.Event()
    with instance() as second:
        second.on_change(lambda key: seen.set() if key == "plan" else None)
        instance().put("plan", 1)
        assert seen.wait(10)
        assert second.get("plan") == 1


def test_what_is_read_is_a_copy_and_a_failed_edit_writes_nothing(instance: Callable[..., SharedState]) -> None:
    shared = instance()
    shared.put("plan", {"a": [1]})
    shared.get("plan")["a"].append(2)
    with pytest.raises(ZeroDivisionError), shared.edit("plan") as plan:
        plan["a"] = 1 / 0
    with shared.edit("plan"):
        pass
    assert (shared.get("plan"), entry().version) == ({"a": [1]}, 1)
    shared.put("count", 1)
    with pytest.raises(TypeError), shared.edit("count"):
        pass
    assert shared.update("count", lambda count: count + 1).version == 2


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_two_write_what_both_had_read(instance: Callable[..., SharedState], strategy: str) -> None:
    first, second = instance(), instance()
    first.put("plan", {"done": 0, "title": "x"}, strategy=strategy, merges={"/done": "counter"})
    second.sync()
    outcome = ""
    try:
        with second.edit("plan") as theirs:
            theirs |= {"done": 1, **({} if strategy == "merge" else {"title": "theirs"})}
            with first.edit("plan") as mine:
                mine |= {"done": 1, **({} if strategy == "merge" else {"title": "mine"})}
    except StateConflict as error:
        outcome = f"refused at {error.version}"
        assert error.current == {"done": 1, "title": "mine"}
    row = entry()
    conflict = StateVersion.objects.filter(entry=row).order_by("-number")[0].conflict
    told = {
        "last_write_wins": ("", "overwritten", 1, 3),
        "reject": ("refused at 2", "none", 1, 2),
        "merge": ("", "merged", 2, 3),
        "manual": ("", "unresolved", 0, 3),
    }[strategy]
    assert (outcome, conflict, row.value["done"], row.version) == told
    assert row.unresolved == (strategy == "manual")


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_one_is_killed_between_reading_and_writing(instance: Callable[..., SharedState], strategy: str) -> None:
    shared = instance()
    shared.put("plan", {"done": 0}, strategy=strategy)
    with subprocess.Popen([sys.executable, "-c", READS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PROJECT) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"read\n"
        with shared.edit("plan") as plan:  # Nobody holds it.
            plan["done"] += 5
        other.send_signal(signal.SIGKILL)
    row = entry()
    assert (row.value, row.version, row.unresolved) == ({"done": 5}, 2, False)
    printed = subprocess.run([sys.executable, "-c", DIGEST], capture_output=True, text=True, check=True, timeout=60, cwd=PROJECT)
    assert printed.stdout.strip() == row.digest == values.digest({"done": 5})


def test_other_places_survive_where_the_last_write_wins(instance: Callable[..., SharedState]) -> None:
    first, second = instance(), instance()
    first.put("plan", {"a": 1, "b": 1, "c": 1})
    second.sync()
    with second.edit("plan") as theirs:
        theirs["a"] = 2
        with first.edit("plan") as mine:
            mine["b"] = 2
    assert (entry().value, second.version("plan")) == ({"a": 2, "b": 2, "c": 1}, 3)
    first.sync()
    with second.edit("plan") as theirs:
        theirs["a"] = 3
        with first.edit("plan") as mine:
            mine |= {"a": 4, "c": 4}
    assert entry().value == {"a": 3, "b": 2, "c": 4}
    last = StateVersion.objects.filter(entry=entry()).order_by("-number")[0]
    assert (last.conflict, last.places) == ("overwritten", ["/a"])


def test_writes_wait_for_the_server_and_outlive_a_restart(instance: Callable[..., SharedState], away: Callable[[bool], None]) -> None:
    shared = instance()
    shared.put("plan", {"done": 0, "by": []}, strategy="merge", merges={"/done": "counter", "/by": "set"})
    away(True)
    for number in range(3):
        with shared.edit("plan") as plan:
            plan["done"] += 1
            plan["by"].append(number)
    assert (shared.get("plan"), shared.waiting, entry().version) == ({"done": 3, "by": [0, 1, 2]}, 3, 1)
    away(False)
    other = instance(folder=Path("elsewhere"))
    with other.edit("plan") as plan:
        plan["done"] += 10
        plan["by"].append("x")
    again = instance()  # as a process that begins now
    assert again.waiting == 3
    assert again.sync()
    assert again.waiting == 0
    assert (entry().value, again.refused) == ({"done": 13, "by": ["x", 0, 1, 2]}, [])


def test_an_answer_that_was_lost_counts_once(instance: Callable[..., SharedState], monkeypatch: pytest.MonkeyPatch) -> None:
    shared = instance()
    shared.put("plan", {"done": 0}, strategy="merge", merges={"/done": "counter"})
    call = StateCalls._call

    def loses(self: StateCalls, *told: Any, **named: Any) -> Any:
        call(self, *told, **named)
        raise Away("the answer was lost")

    monkeypatch.setattr(StateCalls, "_call", loses)
    with shared.edit("plan") as plan:
        plan["done"] += 1
    monkeypatch.setattr(StateCalls, "_call", call)
    assert shared.waiting == 1
    assert shared.sync()
    assert (entry().value, entry().version) == ({"done": 1}, 2)


def test_what_the_server_refuses_does_not_hold_up_what_comes_behind(
    instance: Callable[..., SharedState], away: Callable[[bool], None]
) -> None:
    shared = instance()
    shared.put("plan", 1, strategy="reject")
    away(True)
    shared.put("plan", 2)
    shared.put("bad", "x" * 70_000)
    shared.put("good", 3)
    away(False)
    instance(folder=Path("elsewhere")).put("plan", 9)
    shared.sync()
    assert [(each.key, type(error)) for each, error in shared.refused] == [("plan", StateConflict), ("bad", Refused)]
    assert (shared.get("plan"), shared.get("good"), shared.waiting) == (9, 3, 0)


def test_states_that_were_erased_leave_the_copies(instance: Callable[..., SharedState]) -> None:
    from continuity.services.shared_state import states

    shared = instance()
    shared.put("plan", 1)
    shared.put("other", 2)
    shared.sync()
    states.erase(team=entry().team, state_id=entry().id)
    shared.sync()
    assert shared.keys() == ["other"]
