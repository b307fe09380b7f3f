"""Whatever hostile callers send to groups is refused in words, and nothing of it is stored; another team finds none of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from continuity.models import Conversation, Event, Group, GroupParticipant, GroupSelection, GroupTransition, Message, StateEntry, Team
from tests.api.operations import BODIES, OPERATIONS, QUERIES
from tests.api.rows import running, sharing
from tests.groups.hostile import calls
from tests.groups.table import Table

CALLS = list(calls())
TABLES = (Group, GroupParticipant, GroupSelection, GroupTransition, Conversation, Message, StateEntry)
FLOW = [{"key": "find", "owner": "dba"}, {"key": "fix", "owner": "network"}]


def stored() -> dict[str, Any]:
    """All rows that a call might have changed, and how many events there were."""
    return {model.__name__: sorted(map(str, model.objects.values_list())) for model in TABLES} | {"events": Event.objects.count()}


@pytest.fixture
def places(table: Table, other_team: Team) -> dict[str, str]:
    theirs = Table(other_team)
    theirs.seat("dba", message="Which index?")
    their_turn = theirs.next()["turn"]["id"]
    table.seat("dba", "network", message="Which index?")
    other = table.next()["turn"]["id"]
    table.runner.start("writer")
    table.seat("dba", "network", message="Which index?", workflow=FLOW)
    turn = table.next()["turn"]["id"]
    return {"group": table.id, "turn": turn, "theirs": theirs.id, "their_turn": their_turn, "other_turn": other}


def body_of(body: bytes, acting: dict[str, Any]) -> bytes:
    """What the holder of the turn sends is known only now."""
    text = body.decode(errors="replace")
    if text == '"{acting}"':
        return json.dumps(acting).encode()
    if text.startswith('"{acting with '):
        return json.dumps(acting | json.loads("{" + json.loads(text).removeprefix("{acting with "))).encode()
    return body


def test_it_works(table: Table, places: dict[str, str]) -> None:
    assert len(CALLS) > 200
    before, wrong = stored(), []
    for name, method, path, body in CALLS:
        for word, value in places.items():
            path = path.replace("{" + word + "}", value)
        answer = table.caller.call(method, path, body_of(body, table.acting("dba")))
        if not 400 <= answer.status_code < 500 or answer.status_code == 429:
            wrong.append((name, answer.status_code, answer.content[:200]))
        elif not 10 < len(answer.json()["detail"]) < 2000:
            wrong.append((name, answer.status_code, answer.json()["detail"][:200]))
    assert wrong == []
    assert stored() == before


OURS = sorted((method, path) for method, path in OPERATIONS if path.startswith(("/groups", "/states")))


def test_another_team_finds_nothing_behind_any_route_of_groups_and_states(team: Team, other_team: Team) -> None:
    values = {**running(team), **sharing(team)}
    agent = str(StateEntry.objects.get().owner_id)
    theirs = Table(other_team).caller
    before = stored()
    wrong: list[Any] = []
    for method, path in OURS:
        address = path
        for word, value in {**values, "owner": agent}.items():
            address = address.replace("{" + word + "}", value)
        body = None if method == "GET" else BODIES.get((method, path), {})
        answer = theirs.call(method, address + QUERIES.get((method, path), ""), body)
        if "{" not in path:
            shown = answer.json() if method == "GET" else {}
            if shown.get("items", []):
                wrong.append((method, path, shown))
        elif answer.status_code != 404:
            wrong.append((method, path, answer.status_code, answer.content[:200]))
    assert len(OURS) == 28
    assert wrong == []
    assert stored() == before
