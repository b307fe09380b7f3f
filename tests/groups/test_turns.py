"""One speaks at a time: who, for how long, and what happens when it does not."""

from __future__ import annotations

from continuity.models import Conversation, Event, GroupSelection, Message, Team
from tests.api.caller import Caller, person
from tests.groups.table import Table


def test_it_works(table: Table) -> None:
    made = table.seat("dba", "network", "backend", title="Orders are slow", message="Why does the query on the orders table take so long?")
    assert [each["agent"] for each in made["participants"]] == ["dba", "network", "backend"]
    told = table.next()
    assert told["turn"]["agent"] == "dba"
    assert told["turn"]["reason"] == "dba knows of sql queries; unsure, little speaks for it"
    assert table.claim("dba").json()["turn"]["id"] == told["turn"]["id"]
    said = table.says("dba", "The table has no index on customer. @network is the replica far away?")
    assert said.status_code == 201
    assert table.next()["turn"]["reason"] == "network was asked by name"
    assert table.says("network", "No, it is in the same rack.", done=True).status_code == 201
    assert (table.group.status, table.group.reason) == ("waiting", "network says that it is done")
    assert [row.device for row in Message.objects.order_by("seq")] == ["", "dba", "network"]
    names = list(Event.objects.filter(name__startswith="group.").order_by("created_at").values_list("name", flat=True))
    assert names.count("group.turn_given") == names.count("group.turn_ended") == 2


def test_two_claim_a_turn_and_one_is_told_to_wait(table: Table) -> None:
    table.seat("dba", "network", message="Which index does the table need?")
    table.passes(1.1)
    first, second = table.claim("network"), table.claim("dba")
    assert (first.status_code, first.json()["code"], first.headers["Retry-After"]) == (429, "turn_taken", "30")
    assert first.json()["detail"] == "dba may speak now; ask again in 30 seconds."
    assert second.json()["turn"]["agent"] == "dba"
    refused = table.says("network", "Let me!", turn=second.json()["turn"]["id"])
    assert (refused.status_code, refused.json()["code"]) == (409, "not_your_turn")
    assert Message.objects.count() == 1


def test_only_the_group_adds_to_its_conversation(table: Table, team: Team) -> None:
    made = table.seat("dba", message="Hello")
    answer = Caller.of(team).post(f"/conversations/{made['conversation_id']}/messages", {"messages": [person("Me too")]})
    assert (answer.status_code, answer.json()["code"], answer.json()["group_id"]) == (409, "in_group", table.id)


def test_selections_are_a_second_apart(table: Table) -> None:
    table.seat("dba", "network", message="Which index does the table need?", strategy="round_robin")
    table.next()
    table.says("dba", "On customer.")
    answer = table.post("next")
    assert (answer.status_code, answer.json()["detail"]) == (429, "Nobody may speak now; ask again in 1 second.")
    assert table.next()["turn"]["agent"] == "network"


def test_a_lease_runs_out_and_another_one_speaks(table: Table) -> None:
    table.seat("dba", "network", message="Which index does the table need?", strategy="round_robin")
    assert table.next()["turn"]["agent"] == "dba"
    table.passes(25)
    assert table.says("dba", over=False).status_code == 201
    table.passes(25)
    assert table.claim("network").status_code == 429
    table.passes(6)
    table.watch()
    assert GroupSelection.objects.get(number=1).status == "expired"
    assert GroupSelection.objects.get(status="open").name == "network"
    assert table.says("dba", "Late").json()["code"] == "not_your_turn"


def test_one_of_three_dies_in_mid_turn_and_its_step_is_done_by_another(table: Table) -> None:
    flow = [{"key": "find", "owner": "dba"}, {"key": "write", "expertise": ["documentation"]}]
    table.seat("dba", "backend", "writer", message="The orders query is slow.", workflow=flow)
    assert table.next()["turn"]["reason"] == "dba owns the step find"
    assert table.says("dba", "It reads the whole table, I look at the plan.", over=False).status_code == 201
    table.runner.dies("dba")
    table.passes(1.1)
    table.watch()
    assert GroupSelection.objects.get(number=1).status == "taken_back"
    turn = GroupSelection.objects.get(status="open")
    assert (turn.name, turn.step, turn.fallback, turn.refused) == ("backend", "find", True, {"dba": "recovering"})
    told = table.get("/context", budget=2000)
    assert [each["text"] for each in told["messages"]] == ["The orders query is slow.", "It reads the whole table, I look at the plan."]
    assert table.says("backend", "An index on customer helps.", to_step="").json()["step"] == "write"
    assert table.next()["turn"]["agent"] == "writer"
    table.says("writer", "Documented.", to_step="")
    assert (table.group.status, table.group.step, table.group.reason) == ("waiting", "end", "all steps are done")


def test_a_restarted_agent_does_not_hold_the_turn_of_its_dead_instance(table: Table) -> None:
    table.seat("dba", "backend", message="The orders query is slow.")
    table.next()
    late = table.acting("dba")
    table.claim("dba")
    table.runner.start("dba")
    table.passes(1.1)
    table.watch()
    assert GroupSelection.objects.get(number=1).status == "taken_back"
    turn = str(GroupSelection.objects.get(status="open").id)
    answer = table.post(f"turns/{turn}/messages", {**late, "messages": [person("I am back")]})
    assert answer.json()["code"] == "fenced"


def test_all_gone_people_are_heard_and_the_first_who_is_back_goes_on(table: Table) -> None:
    table.seat("dba", "network", message="The orders query is slow.")
    for name in ("dba", "network"):
        table.runner.post(name, "stop")
    table.passes(1.1)
    table.watch()
    assert (table.group.status, table.group.reason) == ("suspended", "no agent of the group is there")
    assert table.ask("Is anybody there?").json()["status"] == "suspended"
    table.runner.start("network")
    table.passes(2)
    table.watch()
    assert table.group.status == "active"
    assert GroupSelection.objects.get(status="open").name == "network"
    assert [each["text"] for each in table.get("/context")["messages"]] == ["The orders query is slow.", "Is anybody there?"]


def test_two_who_repeat_each_other_end_with_a_person(table: Table) -> None:
    table.seat("dba", "network", "writer", strategy="priority", message="Who is right?", limits={"in_a_row": 1})
    for name, text in [("dba", "The index is missing."), ("network", "The firewall drops it."), ("dba", "The index is missing.")]:
        assert table.next()["turn"]["agent"] in ("dba", "network", "writer")
        GroupSelection.objects.filter(status="open").update(name=name, agent=Conversation.objects.none().first())
        turn = GroupSelection.objects.get(status="open")
        turn.agent_id = table.group.participants.get(agent__name=name).agent_id
        turn.save()
        assert table.says(name, text).status_code == 201
    table.next()
    turn = GroupSelection.objects.get(status="open")
    turn.name, turn.agent_id = "network", table.group.participants.get(agent__name="network").agent_id
    turn.save()
    assert table.says("network", "The firewall drops it.").status_code == 201
    told = table.next()
    assert (told["status"], told["reason"], told["turn"]) == ("waiting", "dba and network say nothing new to each other", None)
    assert told["selection"]["outcome"] == "person"
    table.ask("Then measure it.")
    assert table.next()["turn"] is not None


def test_limits_end_with_a_person(table: Table) -> None:
    table.seat("dba", "network", message="Go on.", limits={"turns": 2})
    for text in ("The index is missing.", "Firewalls and certificates look fine."):
        table.says(table.next()["turn"]["agent"], text)
    assert table.next()["reason"] == "2 turns since a person spoke"


def test_who_leaves_loses_the_turn(table: Table) -> None:
    table.seat("dba", "network", message="Which index?")
    assert table.next()["turn"]["agent"] == "dba"
    assert table.caller.call("DELETE", f"/groups/{table.id}/participants/dba").status_code == 204
    table.passes(1.1)
    table.watch()
    assert GroupSelection.objects.get(status="open").name == "network"


def test_closed_is_closed(table: Table) -> None:
    table.seat("dba", message="Which index?")
    assert table.post("close").json()["status"] == "closed"
    assert table.post("next").json()["code"] == "group_over"
    assert table.post("messages", {"messages": [person("Hello")]}).json()["code"] == "group_over"
