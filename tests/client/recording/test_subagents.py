"""What sub-agents said, which Claude Code writes to files of their own (SESSION/subagents), belongs to their session's conversation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from continuity.client.client import Client
from continuity.client.main import main
from continuity.client.recording import finding
from tests.client.hooked import record_all
from tests.client.sessions import CWD, lines, record, uuid

AGENT = "a7f3"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4))
    return path


@pytest.fixture
def agent(path: Path) -> Path:
    found = path.with_suffix("") / "subagents" / f"agent-{AGENT}.jsonl"
    found.parent.mkdir(parents=True)
    said = [record("s1", number, isSidechain=True, agentId=AGENT) for number in range(101, 105)]
    found.write_text("".join(json.dumps(one) + "\n" for one in said))
    return found


def test_it_works(path: Path, agent: Path, client: Client) -> None:
    assert main(["watch", "--once", str(path)]) == 0
    [conversation] = client.conversations()
    said = list(client.messages(conversation["id"]))
    assert [each["external_id"] for each in said if not each["agent"]] == [uuid("s1", number) for number in range(1, 5)]
    assert [each["external_id"] for each in said if each["agent"] == AGENT] == [uuid("s1", number) for number in range(101, 105)]


def test_a_pushed_session_brings_its_sub_agents(path: Path, agent: Path, client: Client) -> None:
    assert main(["push", str(path)]) == 0
    [conversation] = client.conversations()
    assert {each["agent"] for each in client.messages(conversation["id"])} == {"", AGENT}


def test_each_file_is_pushed_once_and_what_is_no_file_is_named(
    path: Path, agent: Path, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["push", "--json", str(path), str(agent), str(path), "."]) == 1
    pushed = json.loads(capsys.readouterr().out)
    assert [each["file"] for each in pushed] == [str(path), str(agent), "."]
    assert [each["file"] for each in pushed if "error" in each] == ["."]


def test_a_sub_agent_that_is_read_first_opens_the_sessions_conversation(path: Path, agent: Path, client: Client) -> None:
    record_all(agent)
    [conversation] = client.conversations()
    assert (conversation["external_id"], conversation["cwd"], conversation["title"]) == ("s1", CWD, "Please check harbour 1.")
    assert record_all(path).conversation == conversation["id"]


def test_only_the_session_is_listed(path: Path, agent: Path, client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    main(["watch", "--once", str(path)])
    main(["status"])
    listed = capsys.readouterr().out
    assert str(path) in listed
    assert str(agent) not in listed


def test_files_tell_whose_they_are(path: Path, agent: Path) -> None:
    assert finding.session_of(agent) == path
    assert finding.session_of(path) is None
    path.unlink()
    assert finding.session_of(agent) is None
