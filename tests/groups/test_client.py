"""What an agent in Python does with its turns, against the API itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest

from continuity.client.agents.groups import GroupTurn, GroupTurns, TurnHandler, TurnOver
from continuity.client.agents.link import AgentLink
from continuity.client.connection import Refused
from continuity.models import GroupSelection, Message
from tests.groups.table import Table


class Calls:
    """The client's calls, answered by the test's own server."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return self._told(self.table.caller.post(path, dict(body)))

    def get(self, path: str, query: Mapping[str, Any]) -> dict[str, Any]:
        return self._told(self.table.caller.get(path, **query))

    def _told(self, answer: Any) -> dict[str, Any]:
        if answer.status_code >= 400:
            raise Refused(answer.status_code, answer.json())
        return dict(answer.json())


def link(table: Table, name: str) -> AgentLink:
    calls = Calls(table)

    def insist(work: Callable[[Any], Any], patience: float | None = None) -> Any:
        return work(calls)

    return cast("AgentLink", SimpleNamespace(name=name, insist=insist, instance=SimpleNamespace(shown=table.runner.known[name])))


def hear(table: Table, name: str, handler: TurnHandler) -> None:
    """The agent is told of the open turn."""
    turn = GroupSelection.objects.get(status="open")
    payload = {"agent": turn.name, "turn": str(turn.id)}
    GroupTurns(link(table, name), handler).heard(cast("Any", SimpleNamespace(payload=payload, subject_id=table.id)))


def test_it_works(table: Table) -> None:
    flow = [{"key": "find", "owner": "dba"}, {"key": "fix", "owner": "backend"}]
    table.seat("dba", "backend", message="The orders query is slow.", workflow=flow)
    table.next()
    seen: list[GroupTurn] = []

    def speak(turn: GroupTurn) -> None:
        seen.append(turn)
        turn.say("I look.")
        turn.advance("An index is missing.")

    hear(table, "backend", speak)
    assert seen == []  # it is another's turn
    hear(table, "dba", speak)
    assert (seen[0].asked, seen[0].reason, seen[0].step and seen[0].step["key"]) == (
        "The orders query is slow.",
        "dba owns the step find",
        "find",
    )
    table.next()
    hear(table, "backend", lambda turn: f"Of {len(turn.messages)} messages I have read all.")
    assert [row.device for row in Message.objects.order_by("seq")] == ["", "dba", "dba", "backend"]
    assert Message.objects.filter(parts__0__text="Of 3 messages I have read all.").exists()
    assert not GroupSelection.objects.filter(status="open").exists()


def test_who_lost_the_turn_is_told_and_adds_nothing(table: Table) -> None:
    table.seat("dba", "network", message="The orders query is slow.", strategy="round_robin")
    table.next()
    raised: list[bool] = []

    def speak(turn: GroupTurn) -> None:
        table.passes(31)
        table.watch()
        with pytest.raises(TurnOver):
            turn.say("Too late")
        raised.append(turn.is_over)

    hear(table, "dba", speak)
    assert raised == [True]
    assert Message.objects.count() == 1
    assert GroupSelection.objects.get(status="open").name == "network"


def test_a_turn_that_is_over_before_it_is_taken_is_left_alone(table: Table) -> None:
    table.seat("dba", message="The orders query is slow.")
    table.next()
    table.post("close")
    turn = GroupSelection.objects.get()
    event = SimpleNamespace(payload={"agent": "dba", "turn": str(turn.id)}, subject_id=table.id)
    GroupTurns(link(table, "dba"), lambda turn: pytest.fail("it is over")).heard(cast("Any", event))
