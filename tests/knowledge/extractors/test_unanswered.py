"""Calls without a result at the end: a session that was cut off must not leave its successor to guess."""

from __future__ import annotations

from typing import Any

import pytest

from continuity.transcripts.base.model import Message
from tests.knowledge.talk import agent, call, distil, person, ran, result
from tests.packages.samples import prepared

ASKED = person("Commit it and push it, please")


def unanswered(*messages: Message | tuple[Message, ...]) -> list[str]:
    return [quote.text for quote in distil(*messages).knowledge.situation.unanswered]


def test_it_works() -> None:
    assert unanswered(ASKED, agent("Now I push it."), call("Bash", command="git commit -m x && git push")) == [
        "git commit -m x && git push"
    ]


def test_what_was_answered_or_moved_on_from_is_not_told() -> None:
    pushed = call("Bash", command="git push")
    assert unanswered(ASKED, pushed, result("pushed")) == []
    assert unanswered(ASKED, pushed, agent("Pushed.")) == []
    assert unanswered(ASKED, pushed, person("Wait, what did you do?")) == []


def test_of_parallel_calls_those_without_a_result_are_told() -> None:
    first, second = call("Write", "c1", file_path="a.py", content="x"), call("Edit", "c2", file_path="b.py", old_string="x", new_string="y")
    assert unanswered(ASKED, first, second, result("done", call_id="c1")) == ["Edit b.py"]


def test_calls_of_an_earlier_turn_are_not_told() -> None:
    assert unanswered(ASKED, call("Bash", "c1", command="git push"), ASKED, call("Bash", "c2", command="make test")) == ["make test"]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("Bash", {"command": "cat a.py | head -3"}),
        ("Bash", {"command": "gh pr diff 343 --name-only 2>/dev/null"}),
        ("Read", {"file_path": "a.py"}),
        ("Grep", {"pattern": "total"}),
        ("TodoWrite", {"todos": []}),
        ("mcp__shop__list_orders", {}),
    ],
)
def test_what_only_looks_is_looked_at_again_without_harm(name: str, given: dict[str, Any]) -> None:
    assert unanswered(ASKED, call(name, **given)) == []


def test_a_tool_of_any_other_name_may_have_changed_something() -> None:
    assert unanswered(ASKED, *ran("git status"), call("mcp__shop__cancel_order", order=7)) == ["mcp__shop__cancel_order"]


def test_what_only_looks_says_where_the_agent_was_going() -> None:
    read = call("Read", "c1", file_path="/home/ada/shop/a.py", offset=204, limit=160)
    known = distil(ASKED, read, call("Grep", "c2", pattern="total", path="src"), call("Bash", "c3", command="make --help")).knowledge
    looking = [quote.text for quote in known.situation.looking]
    assert looking == ["Read /home/ada/shop/a.py (lines 204 to 363)", "Grep total in src", "make --help"]
    told = "Was looking at this, and has not seen the result: `Read a.py (lines 204 to 363)`; `Grep total in src`; `make --help`"
    assert told in prepared(known, budget=4000).text
    assert distil(ASKED, read, result("text"), agent("I have read it.")).knowledge.situation.looking == ()
