"""What a hostile caller sends as an agent's state: refused with an error that says why, and what was stored before stays, everywhere."""

from __future__ import annotations

import gzip
import json
from typing import Any
from uuid import uuid4

import pytest

from continuity.models import Agent, Team
from continuity.services.recording import conversations
from continuity.storage import registry
from tests.agents.runner import Runner
from tests.api.caller import Answer
from tests.beyond import beyond
from tests.storage.test_agent_state import anywhere

__all__ = ["anywhere"]

# Where states are kept; each is asked alike, and two of them in each run.
pytestmark = pytest.mark.parametrize("anywhere", beyond(2, ["postgres", "file", "redis", "memory"]), indirect=True)

MB = 1024 * 1024
STATE = {"config": {"model": "x"}, "context": {"step": 3}, "messages": [{"role": "user", "content": "Go on."}]}
FAR_TOO_DEEP = 100_000


@pytest.fixture
def runner(team: Team, anywhere: str) -> Runner:
    """With one agent, and a state of it in the storage at hand."""
    made = Runner(team)
    made.start("billing")
    assert save(made, STATE).status_code == 200
    return made


def save(runner: Runner, state: Any, name: str = "billing", **shown: Any) -> Answer:
    return runner.caller.call("PUT", f"/agents/{name}/state", {**runner.known["billing"], **shown, "state": state})


def send(runner: Runner, value: bytes, name: str = "billing", **headers: str) -> Answer:
    """A state with this as the value of a field of its context, byte by byte."""
    shown = json.dumps(runner.known["billing"]).encode()[:-1]
    return runner.caller.call("PUT", f"/agents/{name}/state", shown + b', "state": {"context": {"x": ' + value + b"}}}", **headers)


def stored(runner: Runner) -> Any:
    return runner.caller.get("/agents/billing/state", **runner.known["billing"]).json()["state"]


def refused(runner: Runner, answer: Answer, status: int, code: str, words: str) -> bool:
    """Refused so; and what was stored is as it was, with nothing beside it."""
    told = answer.json()
    assert (answer.status_code, told["code"]) == (status, code), told
    assert words in told["detail"]
    assert registry.storage().list_sessions() == [f"{runner.team.id}.billing"]
    assert stored(runner) == STATE
    return True


def test_it_works(runner: Runner) -> None:
    assert stored(runner) == STATE
    assert send(runner, b'"as any other"').status_code == 200
    assert stored(runner) == {"context": {"x": "as any other"}}


@pytest.mark.parametrize(("megabytes", "limit"), [(50, "bytes"), (12, "10,485,760 bytes")])
def test_what_is_too_large(runner: Runner, megabytes: int, limit: str) -> None:
    """50 MB are refused before they are read, 12 MB because no state may be that large."""
    assert refused(runner, send(runner, b'"' + b"a " * (megabytes * MB // 2) + b'"'), 413, "too_large", limit)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (b"[" * FAR_TOO_DEEP + b"]" * FAR_TOO_DEEP, "nests far too deep"),
        (b'{"a":' * FAR_TOO_DEEP + b"1" + b"}" * FAR_TOO_DEEP, "nests far too deep"),
        (b"[" * MB, "nests far too deep"),
        (b"[" + b"0," * (2 * MB) + b"0]", "more than 1,000,000 values"),
        (b'"unfinished', "not valid JSON"),
        (b"1}, 2", "not valid JSON"),
    ],
    ids=["lists", "objects", "never-closed", "values", "unfinished", "broken"],
)
def test_bombs_and_what_is_no_json(runner: Runner, value: bytes, why: str) -> None:
    assert refused(runner, send(runner, value), 400, "bad_json", why)


def test_what_is_packed_is_not_unpacked(runner: Runner) -> None:
    packed = gzip.compress(json.dumps({**runner.known["billing"], "state": {"context": {"x": "a" * 50 * MB}}}).encode())
    answer = runner.caller.call("PUT", "/agents/billing/state", packed, Content_Encoding="gzip")
    assert refused(runner, answer, 400, "bad_json", "not valid JSON")


@pytest.mark.parametrize(
    ("value", "kept"),
    [(b"9" * 5000, "9" * 5000), (b"1e400", "[inf]"), (b"-1e999999999", "[-inf]"), (b"NaN", "[nan]"), (b'"a\\u0000b"', "a\ufffdb")],
    ids=["5000-digits", "huge", "hugely-negative", "no-number", "nul"],
)
def test_numbers_that_no_store_holds_are_kept_as_words(runner: Runner, value: bytes, kept: str) -> None:
    saved = send(runner, value)
    assert saved.status_code == 200, saved.content
    told = runner.caller.get("/agents/billing/state", **runner.known["billing"]).json()
    assert told["state"]["context"]["x"] == kept
    assert told["digest"] == saved.json()["digest"]


@pytest.mark.parametrize(
    ("state", "where"),
    [
        (None, "state"),
        ([], "state"),
        ("x", "state"),
        (7, "state"),
        ({"other": {}}, "state"),
        ({"config": 1}, "state.config"),
        ({"context": []}, "state.context"),
        ({"messages": {}}, "state.messages"),
        ({"messages": ["x"]}, "state.messages"),
    ],
    ids=str,
)
def test_wrong_types(runner: Runner, state: Any, where: str) -> None:
    answer = save(runner, state)
    assert refused(runner, answer, 422, "invalid", "")
    assert answer.json()["field"] == where


@pytest.mark.parametrize(
    "name",
    [
        "..",
        "%2e%2e",
        "../../etc",
        "..%2F..%2Fetc",
        "a%2Fb",
        "a\\b",
        "billing%2F..%2Fbooks",
        "%00",
        "billing%00",
        "a" * 300,
        "%C3%A4",
        "billing%20",
    ],
)
def test_path_characters_in_the_name(runner: Runner, name: str) -> None:
    assert refused(runner, save(runner, {"context": {"mine": True}}, name), 404, "not_found", "There is no such")
    assert runner.caller.get(f"/agents/{name}/state", **runner.known["billing"]).status_code == 404
    made = runner.caller.post("/agents", {"name": name})
    assert (made.status_code, made.json()["field"]) == (422, "name"), "nor can one be registered"


@pytest.mark.parametrize("shown", [{"instance": str(uuid4())}, {"epoch": 0}, {"epoch": 7}], ids=["instance", "earlier", "later"])
def test_ids_of_another_instance(runner: Runner, shown: dict[str, Any]) -> None:
    assert refused(runner, save(runner, {}, **shown), 409, "fenced", "This instance is over")


@pytest.mark.parametrize(
    "shown",
    [{"instance": "../x"}, {"instance": None}, {"instance": 1}, {"epoch": -1}, {"epoch": 2**70}, {"epoch": 1.5}, {"epoch": None}],
    ids=str,
)
def test_what_is_no_id(runner: Runner, shown: dict[str, Any]) -> None:
    [field] = shown
    assert refused(runner, save(runner, {}, **shown), 422, "invalid", field)


def test_ids_of_another_team(runner: Runner, other_team: Team) -> None:
    """Who knows epoch and instance of an agent, and has a key of another team."""
    stranger = Runner(other_team)
    stranger.known = runner.known
    assert refused(runner, save(stranger, {}), 404, "not_found", "There is no such agent")
    stranger.known = {}
    stranger.start("billing")
    stranger.known, theirs = runner.known, stranger.known
    assert refused(runner, save(stranger, {}), 409, "fenced", "This instance is over")
    assert save(stranger, {}, **theirs["billing"]).status_code == 200, "under the same name each has its own"
    assert stored(runner) == STATE


def test_a_conversation_of_another_team_is_no_place_for_it(runner: Runner, other_team: Team) -> None:
    for foreign in (conversations.create(team=other_team, title="Theirs").id, uuid4()):
        shown = {**runner.known["billing"], "conversation_id": str(foreign)}
        assert refused(runner, runner.caller.patch("/agents/billing", shown), 404, "not_found", "There is no such conversation")
    assert Agent.objects.get(team=runner.team).working_on_id is None
