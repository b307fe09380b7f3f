"""A session that is told a directive is recorded as the next conversation of that chain, whoever told it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from continuity.client.client import Client
from continuity.client.main import DONE, main
from tests.client.sessions import lines

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

RULE = "Never publish a tide table in feet, always in metres."


def pushed(folder: Path, session: str, first: str, client: Client) -> str:
    path = folder / f"{session}.jsonl"
    path.write_bytes(lines(session, 1, 4, n1=first))
    assert main(["push", str(path)]) == DONE
    return client.conversations(external_id=session)[0]["id"]


def test_it_works(tmp_path: Path, client: Client) -> None:
    old = pushed(tmp_path, "s1", f"Please build the tide page. {RULE}", client)
    resumed = client.resume(client.prepare(old)["id"], source_tool="claude-code")
    new = pushed(tmp_path, "s2", resumed["directive"], client)
    assert new == resumed["conversation"]["id"]
    assert client.conversation(new)["message_count"] == 4
    assert [each["title"] for each in client.conversations()] == [
        "Please build the tide page. Never publish a tide table in feet, always in metres."
    ] * 2
    again = pushed(tmp_path, "s3", resumed["directive"], client)
    assert client.chain(again)["id"] == client.chain(new)["id"], "a second session from it is a branch"


@pytest.mark.parametrize(("before", "title"), [("", "Please check harbour 3."), ("Now the README.\n", "Now the README.")])
def test_a_session_is_not_named_by_the_frame_of_a_directive(tmp_path: Path, client: Client, before: str, title: str) -> None:
    """Also of one that nobody resumed here: it came from elsewhere, or was changed by hand."""
    told = f"{before}--- SESSION CONTINUATION ---\nYou take over.\n--- END CONTINUATION ---"
    assert client.conversation(pushed(tmp_path, "s1", told, client))["title"] == title


@pytest.mark.parametrize("style", ["concise", "narrative"])
def test_a_directive_of_another_style_leads_there_too(
    tmp_path: Path, client: Client, style: str, capsys: pytest.CaptureFixture[str]
) -> None:
    handoff = client.prepare(pushed(tmp_path, "s1", f"Please build the tide page. {RULE}", client))["id"]
    capsys.readouterr()
    assert main(["resume", handoff, "--style", style, "--json"]) == DONE
    resumed = json.loads(capsys.readouterr().out)
    assert resumed["directive"] == client.directive(handoff, style=style)
    assert pushed(tmp_path, "s2", resumed["directive"], client) == resumed["conversation"]["id"]


def test_the_session_that_agent_run_starts_goes_on_in_the_chain(tmp_path: Path, server: LiveServer, client: Client) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    usage = {"input_tokens": 180_000, "output_tokens": 10, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    records = [json.loads(line) for line in lines("s1", 1, 4, n1=f"Please build the tide page. {RULE}").splitlines()]
    records[-1]["message"] |= {"id": "msg_1", "model": "claude-sonnet-4-5", "usage": usage}
    full = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    # The first start fills the window and waits; the second writes down what it was told, as the tool does, and ends.
    script = tmp_path / "agent.py"
    script.write_text(
        "import json, pathlib, sys, time\n"
        f"folder = pathlib.Path({str(folder)!r})\n"
        "if len(sys.argv) > 1:\n"
        "    assert not sys.argv[1].startswith('-'), 'a tool would take it for an option'\n"
        f"    first, second = {lines('s2', 1, 2, n1='TOLD')!r}.splitlines()\n"
        "    told = first.replace(b'\"TOLD\"', json.dumps(sys.argv[1]).encode())\n"
        "    (folder / 's2.jsonl').write_bytes(told + b'\\n' + second + b'\\n')\n"
        "    sys.exit(0)\n"
        f"(folder / 's1.jsonl').write_bytes({full!r})\n"
        "time.sleep(60)\n"
    )
    assert main(["agent", "run", "--restart", "--starts", "2", "--sessions", str(folder), "--", sys.executable, str(script)]) == 0
    old, new = (client.conversations(external_id=name)[0]["id"] for name in ("s1", "s2"))
    assert {each["id"] for each in client.conversations()} == {old, new}, "none stays empty beside it"
    assert client.chain(new)["id"] == client.chain(old)["id"]
