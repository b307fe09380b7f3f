"""The tools as an agent calls them, over both transports."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from mcp import Client

from continuity.mcp.server import TOOLS
from continuity.models import Anchor, Task
from continuity.services.accounts import apikeys
from continuity.services.search import indexing
from handoffs.models import HandoffRating
from tests.mcp.conftest import CWD, Asking

if TYPE_CHECKING:
    from continuity.models import Team

each_way = pytest.mark.parametrize("ask", ["http", "stdio", "bridge"], indirect=True)

RULE = "Never publish a tide table in feet"


@each_way
def test_it_works(ask: Asking, key: str, conversation: str) -> None:
    made = ask.tool(key, "prepare_handoff", cwd=CWD, note="Mind the tide.")
    assert (made["status"], made["conversation_id"], made["failure"]) == ("ready", conversation, "")
    assert RULE in ask.tool(key, "directive", handoff=made["id"])
    resumed = ask.tool(key, "resume", cwd=CWD, tool="codex")
    assert resumed["handoff_id"] == made["id"]
    assert resumed["conversation_id"] != conversation
    assert RULE in resumed["directive"]
    assert "already_resumed" in ask.failure(key, "resume", handoff=made["id"])


def test_every_tool_says_what_it_is_for_and_takes(ask: Asking, key: str) -> None:
    async def listed(client: Client) -> Any:
        return (await client.list_tools()).tools

    tools = ask(key, listed)
    assert len(tools) == len(TOOLS)
    for tool in tools:
        assert tool.title and len(tool.description) > 40, tool.name
        assert tool.annotations.destructive_hint in (None, False)
        assert all("description" in about or "title" in about for about in tool.input_schema["properties"].values())
        assert tool.name == "directive" or tool.output_schema["properties"], tool.name


def test_what_is_recorded_is_in_the_next_handoff(ask: Asking, key: str, conversation: str) -> None:
    for _ in range(2):
        ask.tool(key, "record_decision", text="Harbours are sorted from north to south.", because="As the charts are.", cwd=CWD)
        ask.tool(key, "record_constraint", text="No page may take longer than a second.", conversation=conversation)
    by_hand = Anchor.objects.filter(conversation_id=conversation, method="by hand").order_by("type")
    assert [row.type for row in by_hand] == ["Constraint", "Decision"]
    made = ask.tool(key, "prepare_handoff", conversation=conversation)
    told = ask.tool(key, "directive", handoff=made["id"])
    assert "Harbours are sorted from north to south." in told
    assert "No page may take longer than a second." in told


def test_a_reference_expands_to_its_source(ask: Asking, key: str, conversation: str) -> None:
    made = ask.tool(key, "prepare_handoff", cwd=CWD)
    brief = ask.tool(key, "expand", reference="[m2]", handoff=made["id"], level="brief")
    assert brief["source"] == {"conversation_id": conversation, "seq": 2}
    whole = ask.tool(key, "expand", reference="m2", cwd=CWD, level="verbatim")
    assert [message["seq"] for message in whole["messages"]] == [1, 2, 3]
    assert "item in this handoff" in ask.failure(key, "expand", reference="a999", handoff=made["id"])


def test_words_are_found_in_what_was_recorded(ask: Asking, key: str, conversation: str, other_team: Team) -> None:
    indexing.catch_up()
    found = ask.tool(key, "search", words="millimetres", kind="message")["result"]
    assert [(hit["conversation_id"], hit["seq"]) for hit in found] == [(conversation, 2)]
    assert "millimetres" in found[0]["text"]
    assert ask.tool(key, "search", words="fathoms", conversation=conversation)["result"] == []
    theirs = apikeys.issue(team=other_team, name="theirs")[1]
    assert ask.tool(theirs, "search", words="millimetres")["result"] == []
    assert "not_found" in ask.failure(theirs, "search", words="millimetres", conversation=conversation)


def test_packs_that_a_hook_had_no_room_for_are_read_on_demand(
    ask: Asking, key: str, conversation: str, team: Team, other_team: Team
) -> None:
    from continuity.models import Conversation
    from tests.packs.server import world

    assert "not_found" in ask.failure(key, "context", cwd=CWD), "none were made"
    world.give(team)
    world.Asking(team, Conversation.objects.get(id=conversation)).make()
    told = ask.tool(key, "context", cwd=CWD)
    assert "1. src/parser.py (its name matches)" in told["context"] and "parser.py (parse_header)" in told["anchor"]
    assert told["delta"].startswith("What changed") and told["paths"] == ["src/parser.py"], told
    theirs = apikeys.issue(team=other_team, name="theirs")[1]
    assert "not_found" in ask.failure(theirs, "context", conversation=conversation)


def test_tasks_are_listed_changed_and_added(ask: Asking, key: str, conversation: str) -> None:
    ask.tool(key, "prepare_handoff", cwd=CWD)  # which folds
    found = ask.tool(key, "tasks", cwd=CWD)["result"]
    todo = next(task for task in found if task["steps_left"] == ["Test the table"])
    done = ask.tool(key, "update_task", task=todo["key"], status="completed", cwd=CWD)
    assert (done["status"], done["steps_left"], done["progress"]) == (5, [], 100.0)
    assert done["steps_done"] == ["Draw the table", "Test the table"]
    added = ask.tool(key, "update_task", description="Describe the table", steps_left=["Write it", "Read it"], conversation=conversation)
    assert added["steps_left"] == ["Write it", "Read it"]
    left = ask.tool(key, "tasks", cwd=CWD)["result"]
    assert added["key"] == left[0]["key"]
    assert todo["key"] not in [task["key"] for task in left]
    assert Task.objects.get(conversation_id=conversation, key=added["key"]).edited_at is not None
    assert "description" in ask.failure(key, "update_task", cwd=CWD)


def test_status_tells_the_window_and_what_waits(ask: Asking, key: str, conversation: str) -> None:
    made = ask.tool(key, "prepare_handoff", cwd=CWD)
    told = ask.tool(key, "status", cwd=CWD)
    assert (told["conversation_id"], told["should_handoff"]) == (conversation, False)
    assert [each["id"] for each in told["ready"]] == [made["id"]]


@each_way
def test_handoffs_and_chains_are_resources(ask: Asking, key: str, conversation: str) -> None:
    made = ask.tool(key, "prepare_handoff", cwd=CWD)

    async def read(client: Client) -> Any:
        uris = ["continuity://handoffs", f"continuity://handoffs/{made['id']}", f"continuity://handoffs/{made['id']}/directive"]
        uris.append(f"continuity://chains/{conversation}")
        return [(await client.read_resource(uri)).contents[0] for uri in uris]

    recent, package, directive, chain = ask(key, read)
    assert [each["id"] for each in json.loads(recent.text)] == [made["id"]]
    assert json.loads(package.text)["package"]["sections"]
    assert (directive.mime_type, RULE in directive.text) == ("text/markdown", True)
    assert json.loads(chain.text)["total_handoffs"] == 1


@each_way
def test_the_prompt_begins_a_session(ask: Asking, key: str, conversation: str) -> None:
    made = ask.tool(key, "prepare_handoff", cwd=CWD)

    async def prompted(client: Client) -> Any:
        return await client.get_prompt("resume", {"handoff": made["id"]})

    message = ask(key, prompted).messages[0]
    assert message.role == "user"
    assert RULE in message.content.text
    assert made["id"] in message.content.text


def test_what_another_team_has_is_not_there(ask: Asking, key: str, conversation: str, other_team: Team) -> None:
    made = ask.tool(key, "prepare_handoff", cwd=CWD)
    theirs = apikeys.issue(team=other_team, name="theirs")[1]
    for name, arguments in (
        ("directive", {"handoff": made["id"]}),
        ("resume", {"handoff": made["id"]}),
        ("tasks", {"conversation": conversation}),
        ("record_decision", {"conversation": conversation, "text": "Ours now."}),
    ):
        assert "not_found" in ask.failure(theirs, name, **arguments)
    assert "No conversation of /srv/tides" in ask.failure(theirs, "status", cwd=CWD)

    async def read(client: Client) -> Any:
        with pytest.raises(Exception, match="There is no such handoff"):
            await client.read_resource(f"continuity://handoffs/{made['id']}")

    ask(theirs, read)


def test_a_key_does_what_its_scopes_allow(ask: Asking, conversation: str, team: Team) -> None:
    reader = apikeys.issue(team=team, name="reader", scopes=["read"])[1]
    assert ask.tool(reader, "status", cwd=CWD)["conversation_id"] == conversation
    assert 'lacks the scope "handoff"' in ask.failure(reader, "prepare_handoff", cwd=CWD)
    assert 'lacks the scope "write"' in ask.failure(reader, "record_decision", text="No.", cwd=CWD)


@pytest.mark.parametrize("arguments", [{"budget": 3}, {"style": "loud"}, {"conversation": str(uuid4())}, {"conversation": "../../x"}])
def test_wrong_arguments_are_told(over_http: Asking, key: str, arguments: dict[str, Any]) -> None:
    assert over_http.failure(key, "prepare_handoff", **arguments)


def test_an_argument_that_no_tool_knows_is_refused_and_nothing_happens(ask: Asking, key: str, conversation: str) -> None:
    made = ask.tool(key, "prepare_handoff", conversation=conversation)
    told = ask.failure(key, "resume", cwd=CWD, handof=made["id"])
    assert "There is no argument 'handof'. Did you mean 'handoff'?" in told
    assert ask.tool(key, "status", cwd=CWD)["ready"][0]["id"] == made["id"]


@each_way
def test_a_wrong_argument_is_told_in_plain_words(ask: Asking, key: str, conversation: str) -> None:
    told = ask.failure(key, "prepare_handoff", conversation=conversation, budget=3, style="loud")
    assert "budget: Input should be greater than or equal to 150." in told
    assert "style: Input should be 'structured', 'concise' or 'narrative'." in told
    assert "pydantic" not in told and "prepare_handoffArguments" not in told


def test_a_note_is_checked_in_the_same_breath(ask: Asking, key: str, conversation: str) -> None:
    wrong, right = "The user approved the release.", "Heights are integers in millimetres, because floats drift."
    told = ask.tool(key, "write_handoff_note", cwd=CWD, history=[wrong], decisions=[right])
    assert [(each["part"], each["text"]) for each in told["contradicted"]] == [("history", wrong)]
    assert told["contradicted"][0]["reason"] == "No person was found to have said this."
    assert (told["statements"], told["dropped"]) == (2, 0)
    assert "Did you mean 'next'?" in ask.failure(key, "write_handoff_note", nxt=["x"])
    made = ask.tool(key, "prepare_handoff", conversation=conversation)
    directive = ask.tool(key, "directive", handoff=made["id"])
    assert f"• {right}" in directive
    assert wrong not in directive


def test_a_received_handoff_is_rated(ask: Asking, key: str, conversation: str) -> None:
    made = ask.tool(key, "prepare_handoff", conversation=conversation)
    assert "Nobody resumed this handoff yet" in ask.failure(key, "rate_handoff", handoff=made["id"], useful=True)
    ask.tool(key, "resume", handoff=made["id"])
    told = ask.tool(key, "rate_handoff", handoff=made["id"], useful=False, wrong_lines={"a1": "Taken back."}, missing=["The port."])
    assert told == {"handoff_id": made["id"], "useful": 0, "not_useful": 1, "wrong_line": 1, "missing": 1}
    assert "no such line" in ask.failure(key, "rate_handoff", handoff=made["id"], wrong_lines={"a999": ""})


def test_without_an_id_the_resumed_handoff_is_rated_and_not_ones_own(ask: Asking, key: str, conversation: str) -> None:
    assert "There is no resumed handoff of /srv/tides" in ask.failure(key, "rate_handoff", cwd=CWD, useful=True)
    received = ask.tool(key, "prepare_handoff", conversation=conversation)
    resumed = ask.tool(key, "resume", handoff=received["id"])
    own = ask.tool(key, "prepare_handoff", conversation=resumed["conversation_id"])
    assert own["id"] != received["id"]
    assert ask.tool(key, "rate_handoff", cwd=CWD, useful=True)["handoff_id"] == received["id"]


def test_a_line_is_counted_in_the_style_that_was_read(ask: Asking, key: str, conversation: str) -> None:
    made = ask.tool(key, "prepare_handoff", conversation=conversation)
    ask.tool(key, "resume", handoff=made["id"])
    read = ask.tool(key, "directive", handoff=made["id"], style="narrative").splitlines()
    number = next(place for place, line in enumerate(read, start=1) if RULE in line and not line.startswith("The user"))
    ask.tool(key, "rate_handoff", handoff=made["id"], wrong_lines={str(number): "Feet are fine."}, style="narrative")
    row = HandoffRating.objects.get()
    own = ask.tool(key, "directive", handoff=made["id"]).splitlines()
    assert RULE in own[row.line - 1] and row.line != number
