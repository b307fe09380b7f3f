"""The commands as a person types them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from continuity.client import places
from continuity.client.client import Client
from continuity.client.connection import Refused
from continuity.client.main import AWAY, COMMANDS, DONE, FAILED, NO_KEY, USAGE, main
from tests.client.sessions import grow, lines, record

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

PROGRAM = Path(__file__).parents[2] / "continuity" / "client" / "__main__.py"
RULE = "Never publish a tide table in feet, always in metres."


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """A session of the folder in which the commands run."""
    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 6, n1=f"Please build the tide page. {RULE}").replace(b"/srv/tides", str(Path.cwd()).encode()))
    return path


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command; gives its exit code and what it printed."""

    def run(*words: str) -> tuple[int, str]:
        code = main(words)
        return code, capsys.readouterr().out

    return run


def test_it_works(session: Path, server: LiveServer, said: Any) -> None:
    assert said("push", str(session))[0] == DONE
    code, told = said("handoff", "--note", "Mind the tide.", "--json")
    made = json.loads(told)
    assert (code, made["status"]) == (DONE, "ready")
    code, told = said("resume", "--print")
    assert code == DONE
    assert RULE in told
    assert not told.startswith("-"), "a tool would take it for an option"
    code, told = said("resume")
    assert code == DONE
    assert RULE in told
    assert said("resume")[0] == FAILED, "it is resumed already"


def test_a_reference_expands_to_its_message(session: Path, server: LiveServer, said: Any) -> None:
    said("push", str(session))
    said("handoff")
    package = Client().handoff(Client().handoffs()[0]["id"])["package"]
    reference = next(item["reference"] for section in package["sections"] for item in section["items"] if RULE in item["text"])
    code, told = said("expand", reference)
    assert code == DONE
    assert "Please build the tide page." in told
    assert said("expand", "a999")[0] == FAILED
    assert json.loads(said("expand", "m2", "--json")[1])[0]["seq"] == 2


def test_a_decision_by_hand_is_in_every_handoff(session: Path, server: LiveServer, said: Any) -> None:
    said("push", str(session))
    assert said("decide", "Harbours are sorted from north to south.", "--because", "As the charts are.")[0] == DONE
    said("handoff")
    assert "Harbours are sorted from north to south." in said("resume", "--print")[1]


def test_tasks_are_listed(session: Path, server: LiveServer, said: Any) -> None:
    todos = [{"content": "Draw the table", "status": "completed"}, {"content": "Test the table", "status": "in_progress"}]
    call = {"type": "tool_use", "id": "t1", "name": "TodoWrite", "input": {"todos": todos}}
    grow(
        session,
        json.dumps(record("s1", 8, message={"role": "assistant", "content": [call]}, type="assistant", cwd=str(Path.cwd()))).encode()
        + b"\n",
    )
    said("push", str(session))
    said("handoff")  # which folds
    told = said("tasks")[1]
    assert "left  Test the table" in told
    assert "done  Draw the table" in told
    assert isinstance(json.loads(said("tasks", "--json")[1]), list)


def test_login_keeps_a_key_that_the_server_takes(server: LiveServer, monkeypatch: pytest.MonkeyPatch, said: Any) -> None:
    key = os.environ["CONTINUITY_API_KEY"]
    monkeypatch.delenv("CONTINUITY_API_KEY")
    monkeypatch.delenv("CONTINUITY_URL")
    assert said("status")[0] == NO_KEY
    assert said("login", server.url, "--key", "cont_wrong")[0] == NO_KEY
    assert said("login", server.url, "--key", key)[0] == DONE
    assert (places.home() / "credentials.json").stat().st_mode & 0o777 == 0o600
    assert said("doctor")[0] == DONE
    assert "answers" in said("status")[1]


def test_a_server_that_is_away_is_told_with_what_mends_it(
    session: Path, monkeypatch: pytest.MonkeyPatch, said: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CONTINUITY_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("CONTINUITY_API_KEY", "cont_x")
    assert said("tasks")[0] == AWAY
    assert said("push", str(session))[0] == AWAY
    code, told = said("doctor")
    assert code == FAILED
    assert "whoever runs it starts it (`make run`)" in told
    assert "continuity watch --once" in told


def test_watch_once_records_what_is_there_and_ends(session: Path, server: LiveServer, said: Any) -> None:
    assert said("watch", "--once", str(session.parent))[0] == DONE
    assert Client().conversations(external_id="s1")[0]["message_count"] == 6


def test_a_document_is_pushed_whole(tmp_path: Path, server: LiveServer, said: Any) -> None:
    path = tmp_path / "chat.json"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": "Use Postgres."}, {"role": "assistant", "content": "Yes."}]}))
    for _ in range(2):
        code, told = said("push", str(path), "--json")
        assert code == DONE
    conversation = json.loads(told)[0]["conversation_id"]
    assert Client().conversation(conversation)["message_count"] == 2


def test_wrong_words_are_told(said: Any, tmp_path: Path) -> None:
    assert said("fly")[0] == USAGE
    assert said()[0] == DONE
    with pytest.raises(SystemExit) as ended:
        said("resume", "--budget", "3")
    assert ended.value.code == USAGE


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "hook"])
def test_every_command_starts_with_the_standard_library_alone(name: str) -> None:
    ended = subprocess.run([sys.executable, "-IS", str(PROGRAM), name, "--help"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith(f"usage: continuity {name}")


def test_the_python_client_in_a_few_lines(server: LiveServer) -> None:
    client = Client()
    session = client.open(source_tool="my-agent", external_id="run-17")
    told = client.append(session, [{"role": "user", "content": RULE, "external_id": "1"}])
    assert (told["added"], told["decision"]["should_handoff"]) == (1, False)
    assert client.append(session, [{"role": "user", "content": RULE, "external_id": "1"}])["added"] == 0
    assert client.open(source_tool="my-agent", external_id="run-17") == session
    handoff = client.prepare(session)
    assert handoff["status"] == "ready"
    assert RULE in client.resume(handoff["id"])["directive"]
    with pytest.raises(Refused) as refused:
        client.resume(handoff["id"])
    assert (refused.value.status, refused.value.code) == (409, "already_resumed")


def test_the_agent_is_started_anew_from_the_directive(tmp_path: Path, server: LiveServer, said: Any) -> None:
    folder = tmp_path / "sessions"
    folder.mkdir()
    # The first start fills the window and waits; the second is told what to go on with, and ends.
    script = tmp_path / "agent.py"
    script.write_text(
        "import pathlib, sys, time\n"
        f"folder = pathlib.Path({str(folder)!r})\n"
        "if len(sys.argv) > 1:\n"
        "    (folder / 'told.txt').write_text(sys.argv[1])\n"
        "    sys.exit(7)\n"
        f"(folder / 's1.jsonl').write_bytes({_full_window()!r})\n"
        "time.sleep(60)\n"
    )
    code, _ = said("agent", "run", "--restart", "--starts", "2", "--sessions", str(folder), "--", sys.executable, str(script))
    assert code == 7
    assert RULE in (folder / "told.txt").read_text()


def _full_window() -> bytes:
    usage = {"input_tokens": 180_000, "output_tokens": 10, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    records = [json.loads(line) for line in lines("s1", 1, 4, n1=f"Please build the tide page. {RULE}").splitlines()]
    records[-1]["message"] |= {"id": "msg_1", "model": "claude-sonnet-4-5", "usage": usage}
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def test_resume_takes_what_belongs_to_this_folder_or_its_repository(
    tmp_path: Path, client: Client, said: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository, elsewhere = tmp_path / "tides", tmp_path / "winds"
    for folder in (repository / ".git", repository / "docs", repository / "charts", elsewhere):
        folder.mkdir(parents=True)
    made = {name: handed_over(client, said, tmp_path, name, folder) for name, folder in [("a", repository), ("b", repository / "charts")]}
    monkeypatch.chdir(repository)
    assert resumable(said) == made["a"]
    monkeypatch.chdir(repository / "docs")
    assert resumable(said) == made["b"], "the newest of the repository"
    made["c"] = handed_over(client, said, tmp_path, "c", repository / "docs")
    assert resumable(said) == made["c"]
    monkeypatch.chdir(elsewhere)
    assert main(["resume", "--print"]) == FAILED
    assert made["c"] in capsys.readouterr().err, "the team's newest is named, not taken"
    assert resumable(said, "latest") == made["c"]


def handed_over(client: Client, said: Any, tmp_path: Path, name: str, folder: Path) -> str:
    path = tmp_path / f"{name}.jsonl"
    path.write_bytes(lines(name, 1, 4, n1=f"Please build page {name}. {RULE}").replace(b"/srv/tides", str(folder).encode()))
    assert said("push", str(path))[0] == DONE
    return client.prepare(client.conversations(external_id=name)[0]["id"])["id"]


def resumable(said: Any, *words: str) -> str:
    code, told = said("resume", "--print", "--json", *words)
    assert code == DONE
    return str(json.loads(told)["handoff_id"])


def test_resume_says_what_it_takes(session: Path, server: LiveServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["push", str(session)]) == main(["handoff"]) == DONE
    capsys.readouterr()
    assert main(["resume", "--print"]) == DONE
    told = capsys.readouterr().err
    assert "newest handoff here" in told and str(Path.cwd()) in told and "Please build the tide page." in told


@pytest.mark.parametrize("wrong", ["nonsense", "0198c0de-0000-7000-8000-000000000000"])
def test_a_handoff_that_is_not_there_is_named(server: LiveServer, capsys: pytest.CaptureFixture[str], wrong: str) -> None:
    assert main(["resume", wrong]) == FAILED
    assert f"there is no handoff {wrong}" in capsys.readouterr().err


def test_the_end_of_an_agent_is_told_as_a_shell_tells_it(server: LiveServer, said: Any) -> None:
    code, told = said("agent", "run", "--json", "--", "sh", "-c", "kill -9 $$")
    assert (code, json.loads(told)) == (137, {"exit_code": 137, "starts": 1})
    assert said("agent", "run", "--", "sh", "-c", "exit 7")[0] == 7
