"""Groups as callers make them: who may, what is refused and in which words, what events do, who joins late, how all move on."""

from __future__ import annotations

from typing import Any

import pytest

from continuity.models import Conversation, GroupParticipant, GroupSelection, GroupTransition, Team, User
from continuity.services.groups import model_advice, turns
from handoffs.services.groups import joiner_briefing
from tests.api.caller import Caller
from tests.groups.table import Table
from tests.web.world import browser

SECRET = "sk-live-" + "4eC39HqLyjWDarjtT1zdp7dc"
FLOW = [{"key": "find", "owner": "dba"}, {"key": "fix", "title": "Repair it", "owner": "backend"}]


def test_it_works(table: Table, owner: User) -> None:
    table.seat("dba", "backend", title="Slow orders", workflow=FLOW, message="The orders query is slow.")
    table.next()
    page = browser(owner).get(f"/groups/{table.id}").content.decode()
    assert "dba owns the step find" in page and "Repair it" in page and "The orders query is slow." in page
    assert "Slow orders" in browser(owner).get("/groups").content.decode()
    turn = GroupSelection.objects.get()
    assert browser(owner).post(f"/groups/{table.id}/turns/{turn.id}/thumb", {"thumb": "-1"}).status_code == 302
    assert browser(owner).post(f"/groups/{table.id}/say", {"text": "Hurry up."}).status_code == 302
    turn.refresh_from_db()
    assert (turn.thumb, turn.thumb_by) == (-1, "owner@example.com")
    assert table.get("/context")["messages"][-1]["text"] == "Hurry up."
    part = browser(owner).get(f"/groups/{table.id}", headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part and "Hurry up." in part


def test_the_eleventh_is_refused(table: Table) -> None:
    names = [f"a{number}" for number in range(10)]
    table.seat(*names)
    table.runner.start("eleventh")
    answer = table.post("participants", {"agent": "eleventh"})
    assert (answer.status_code, answer.json()["code"], answer.json()["limit"]) == (409, "group_full", 10)
    assert answer.json()["detail"] == "A group has at most 10 participants: let one leave first, or make a second group."
    eleven = [{"agent": name} for name in [*names, "eleventh"]]
    assert table.caller.post("/groups", {"participants": eleven}).json()["code"] == "group_full"


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"participants": [{"agent": "nobody"}]}, None),
        ({"strategy": "loudest"}, "strategy"),
        ({"limits": {"turns": 10**9}}, "limits"),
        ({"limits": {"turns": {"$gt": 0}}}, "limits"),
        ({"workflow": [{"key": "end"}]}, "workflow"),
        ({"workflow": [{"key": "a", "next": ["a"]}]}, "workflow"),
        ({"rules": [{"pattern": "*", "action": "raise", "agent": "<script>"}]}, "rules"),
        ({"rules": [{"pattern": "a:" * 300, "action": "skip", "agent": "dba"}]}, "rules"),
        ({"message": "x" * 100_001}, "message"),
        ({"participants": [{"agent": "a/../b"}]}, "participants.0.agent"),
        ({"owner": "me"}, "owner"),
    ],
    ids=lambda each: str(each)[:50].encode("ascii", "replace").decode(),
)
def test_hostile_groups_are_refused_in_words(table: Table, given: dict[str, Any], field: str | None) -> None:
    answer = table.caller.post("/groups", given)
    assert answer.status_code in (404, 422), answer.content
    assert answer.json().get("field") == field
    assert Conversation.objects.count() == 0


def test_an_outsider_finds_no_group(table: Table, other_team: Team) -> None:
    table.seat("dba", message="The orders query is slow.")
    theirs = Caller.of(other_team)
    for path in ("", "/turns", "/context", "/workflow"):
        assert theirs.get(f"/groups/{table.id}{path}").status_code == 404
    assert theirs.post(f"/groups/{table.id}/next", {}).status_code == 404
    assert theirs.get("/groups").json()["items"] == []
    theirs.post("/agents", {"name": "spy"})
    assert theirs.post(f"/groups/{table.id}/participants", {"agent": "spy"}).status_code == 404


def test_secrets_are_masked_in_what_is_read(table: Table) -> None:
    table.seat("dba", title=f"With {SECRET}", message=f"API_KEY={SECRET} does not work", workflow=[{"key": "a", "title": f"use {SECRET}"}])
    told = str([table.get(), table.get("/context"), table.get("/workflow")])
    assert SECRET not in told and "does not work" in told


def test_events_raise_and_advance_and_each_choice_names_them(table: Table) -> None:
    rules = [
        {"pattern": "deploy:*", "action": "advance"},
        {"pattern": "alarm:*", "action": "raise", "agent": "backend", "factor": 10},
    ]
    table.seat("dba", "backend", message="Which index?", workflow=[{"key": "find"}, {"key": "fix"}], rules=rules)
    table.caller.post("/events", {"events": [{"topic": "deploy:done"}, {"topic": "alarm:fire"}]})
    turns_before = GroupSelection.objects.count()
    table.passes(2)
    table.watch()
    transition = GroupTransition.objects.get()
    assert (transition.after, transition.by, len(transition.events)) == ("fix", "a rule", 1)
    chosen = GroupSelection.objects.get(status="open")
    assert turns_before == 0
    assert (chosen.name, chosen.events != transition.events, len(chosen.events)) == ("backend", True, 1)
    table.watch()
    assert GroupTransition.objects.count() == 1


def test_the_workflow_moves_by_version(table: Table) -> None:
    table.seat("dba", "backend", workflow=FLOW)
    assert table.post("workflow", {"to": "fix", "version": 1}).json()["version"] == 2
    answer = table.post("workflow", {"to": "find", "version": 1})
    assert (answer.status_code, answer.json()["code"], answer.json()["current"]) == (412, "version_mismatch", 2)


def test_who_joins_late_is_briefed(table: Table) -> None:
    table.seat("dba", message="Use Postgres, never SQLite. The orders query is slow.")
    table.runner.start("writer")
    assert table.post("participants", {"agent": "writer"}).status_code == 200
    joiner_briefing.brief_pending()
    joiner_briefing.brief_pending()
    row = GroupParticipant.objects.get(agent__name="writer")
    assert row.handoff_id == row.id
    text = table.caller.get(f"/handoffs/{row.id}/directive", format="system").content.decode()
    assert "never SQLite" in text
    assert GroupParticipant.objects.get(agent__name="dba").handoff_id is None


def test_a_whole_group_goes_on_in_a_new_conversation(table: Table) -> None:
    made = table.seat("dba", "backend", workflow=FLOW, message="Use Postgres, never SQLite. The orders query is slow.")
    table.next()
    table.says("dba", "An index is missing.", to_step="")
    table.next()
    moved = table.post("handoff")
    assert moved.status_code == 201, moved.content
    group = table.group
    assert str(group.conversation_id) == moved.json()["conversation_id"] != made["conversation_id"]
    assert (group.step, group.status, group.participants.count()) == ("fix", "active", 2)
    assert table.next()["turn"]["agent"] == "backend"
    assert table.says("backend", "It is built.").status_code == 201
    assert Conversation.objects.get(id=made["conversation_id"]).status == "handed_off"


def test_one_group_that_fails_stops_no_other(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.seat("dba", message="Which index?")
    bad = table.id
    table.seat("dba", message="Which query?")
    real = turns.attend

    def attend(*, group_id: Any, now: Any) -> None:
        if str(group_id) == bad:
            raise ValueError
        real(group_id=group_id, now=now)

    monkeypatch.setattr(turns, "attend", attend)
    table.watch()
    assert [str(each.group_id) for each in GroupSelection.objects.all()] == [table.id]


def test_without_a_model_nobody_is_asked(table: Table) -> None:
    table.seat("dba", "network", strategy="llm", message="Which index?")
    assert model_advice.ask_ahead(group_id=table.group.id) == ""
    told = table.next()["turn"]
    assert (told["agent"], told["fallback"]) == ("dba", True)


def test_erasing_the_conversation_erases_the_group(table: Table) -> None:
    made = table.seat("dba", message="Which index?")
    table.next()
    assert table.caller.post(f"/conversations/{made['conversation_id']}/erase", {}).status_code == 202
    assert table.caller.get(f"/groups/{table.id}").status_code == 404
    assert GroupSelection.objects.count() == 0


def test_of_a_message_that_is_too_long_a_part_is_read(table: Table) -> None:
    table.seat("dba", message="First this. " + "Which index does the table need? " * 2000 + "At last that.")
    told = table.get("/context", budget=300)
    assert told["cut"] and told["tokens"] <= 300
    assert told["messages"][0]["text"].startswith("First this.") and told["messages"][0]["text"].endswith("At last that.")
