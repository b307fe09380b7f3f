"""What an instance of an agent that is over asks of the MCP server, over each transport: it reads, and writes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from continuity.mcp.server import TOOLS
from continuity.models import Anchor, Conversation, Event, Task
from handoffs.models import Handoff, HandoffRating, StoredNote
from tests.agents.runner import Runner
from tests.mcp.conftest import CWD, Asking

if TYPE_CHECKING:
    from continuity.models import Team

each_way = pytest.mark.parametrize("ask", ["http", "stdio", "bridge"], indirect=True)

# Every tool that writes, with what it accepts. A new one has to be entered here.
WRITES: dict[str, dict[str, Any]] = {
    "record_decision": {"text": "Harbours are sorted by size.", "because": "I was away."},
    "record_constraint": {"text": "No page may take longer than a second."},
    "write_handoff_note": {"lessons": ["Tides turn twice a day."]},
    "update_task": {"description": "Describe the table"},
    "prepare_handoff": {},
    "rate_handoff": {"useful": True},
    "resume": {"fork": True},
}


def stored() -> list[int]:
    return [kind.objects.count() for kind in (Anchor, Conversation, Event, Handoff, HandoffRating, StoredNote, Task)]


@pytest.fixture
def runner(team: Team) -> Runner:
    """Of an agent that is ready."""
    runner = Runner(team)
    runner.start("a")
    return runner


@pytest.fixture
def resumed(ask: Asking, key: str, conversation: str) -> None:
    ask.tool(key, "prepare_handoff", conversation=conversation)
    ask.tool(key, "resume", cwd=CWD)
    ask.tool(key, "prepare_handoff", conversation=conversation)


@each_way
def test_it_works(ask: Asking, key: str, runner: Runner, resumed: None) -> None:
    """What is over is told so by every tool that writes."""
    ask.acting = "a/1"
    ask.tool(key, "record_decision", text="Harbours are sorted from north to south.", cwd=CWD)
    runner.dies("a")
    before = stored()
    for name, arguments in WRITES.items():
        assert "(fenced)" in ask.failure(key, name, cwd=CWD, **arguments), name
    assert stored() == before
    assert ask.tool(key, "status", cwd=CWD)["conversation_id"]


def test_the_present_instance_uses_each_tool(ask: Asking, key: str, runner: Runner, resumed: None) -> None:
    ask.acting = "a/1"
    for name, arguments in WRITES.items():
        assert ask.tool(key, name, cwd=CWD, **arguments), name


def test_what_is_no_name_of_an_instance_is_told(ask: Asking, key: str, conversation: str) -> None:
    ask.acting = "a"
    assert "an agent's name and epoch" in ask.failure(key, "record_decision", text="Harbours are sorted by size.", cwd=CWD)


def test_each_tool_that_writes_is_known() -> None:
    assert set(WRITES) == {tool.__name__ for tool, hints in TOOLS.values() if not hints.read_only_hint}
