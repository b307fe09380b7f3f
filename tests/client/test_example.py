"""The example of the documentation, run as it stands there."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import TYPE_CHECKING

from continuity.client.client import Client

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = DOCS / "example_agent.py"
RULE = "Never publish a tide table in feet, always in metres."


def test_it_works(server: LiveServer) -> None:
    work = runpy.run_path(str(EXAMPLE))["work"]
    told: list[str] = []

    def answer(directive: str, request: str) -> str:
        told.append(directive)
        return f"Done: {request}"

    assert work("run-17", [f"Please build the tide page. {RULE}", "Now the second page."], answer) == ""
    client = Client()
    session = client.conversations(external_id="run-17")[0]
    assert session["message_count"] == 4
    client.prepare(session["id"])
    assert RULE in work("run-17", ["And the third page."], answer)
    assert told[:2] == ["", ""]
    assert RULE in told[2]
    assert client.conversations(cwd="/agents/run-17", limit=1)[0]["message_count"] == 2


def test_a_full_window_is_handed_over_in_the_middle_of_the_work(server: LiveServer) -> None:
    work = runpy.run_path(str(EXAMPLE))["work"]
    client = Client()
    requests = [f"Please build the tide page. {RULE}", f"Now all pages. {RULE}"]
    answer = "Done. " + "Words. " * 1_000
    probe = client.open(source_tool="my-agent", external_id="probe", max_context_tokens=100_000)
    used = client.append(probe, [{"role": "user", "content": requests[0]}, {"role": "assistant", "content": answer}])["decision"]
    window = int((used["utilization"] or 0) * 100_000 * 2.2)  # Two answers fill nine tenths of it.
    client.open(source_tool="my-agent", external_id="run-18", cwd="/agents/run-18", max_context_tokens=window)
    assert RULE in work("run-18", requests, lambda _, request: answer)


def test_the_documentation_shows_this_very_file() -> None:
    assert f"```python\n{EXAMPLE.read_text()}```" in (DOCS / "live.md").read_text()
