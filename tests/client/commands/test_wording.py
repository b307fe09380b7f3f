"""Words of a conversation within a message, and paths as people write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from continuity.client.client import Client
from continuity.client.light.wording import excerpt, shown_path
from continuity.client.recording import positions
from continuity.client.recording.sending import Sender
from continuity.client.recording.spool import Spool
from tests.client.hooked import hook, occupy, person_told, record_all
from tests.client.sessions import CWD, lines

LONG = (
    "Please write the index of the harbours with their tides and lights, and keep the names of the old charts beside the new ones of 2024."
)


@pytest.mark.parametrize(
    ("text", "most", "told"),
    [
        ("Goal: “Please build the page”. Branch main in /srv.", 43, "Goal: ‘Please build the page’. Branch main…"),
        ("Goal: “Please build the page”. Branch main.", 20, "Goal: ‘Please build…’"),
        ("Write the index, please, and keep it", 26, "Write the index, please…"),
        ("Last check: `pytest -q` passed.", 20, "Last check: `pytest…`"),
        ("One\n  line", 40, "One line"),
        ("unbroken" * 9, 10, "unbrokenu…"),
        ("", 10, ""),
    ],
)
def test_it_works(text: str, most: int, told: str) -> None:
    assert excerpt(text, most) == told
    assert excerpt(told, most + 3) == told, "told once more it is the same"


def test_messages_name_a_handoff_by_whole_words(tmp_path: Path, client: Client) -> None:
    claim = occupy()
    old = tmp_path / "s1.jsonl"
    old.write_bytes(lines("s1", 1, 4, n1=LONG))
    client.prepare(record_all(old).conversation)
    new = tmp_path / "s2.jsonl"
    new.write_bytes(lines("s2", 1, 2))
    Sender(client, Spool(), print).fetch_offers([CWD])
    offered = hook("UserPromptSubmit", new, prompt="Go on")
    words, _, rest = offered.partition(" is ready (“")[2].partition("”); ")
    assert words.startswith("Goal: ‘Please write the index")
    assert words.endswith("…’"), "what was cut says so, and its quote is closed"
    assert rest.startswith("`continuity resume ")
    said = person_told("SessionStart", tmp_path / "s3.jsonl", source="startup")
    assert "“Please write the index of the harbours with their tides and lights, and keep the names of the old…”" in said, "by its title"
    claim.release()


def test_status_names_the_newest_handoff_of_each_conversation_by_its_title(
    tmp_path: Path, client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    from continuity.client.main import main

    path = tmp_path / "s1.jsonl"
    path.write_bytes(lines("s1", 1, 4, n1=LONG).replace(CWD.encode(), str(Path.cwd()).encode()))
    conversation = record_all(path).conversation
    made = [client.prepare(conversation)["id"] for _ in range(3)]
    capsys.readouterr()
    main(["status"])
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Ready")]
    title = "Please write the index of the harbours with their tides and lights, and keep…"
    assert told == [f"Ready    handoff {made[-1]} of this folder: “{title}”"]
    assert positions.load(path).about["title"].startswith("Please write")


def test_paths_in_the_home_folder_are_told_with_a_tilde(home: Path) -> None:
    assert shown_path(home / "code" / "tides") == "~/code/tides"
    assert shown_path(home) == "~"
    assert shown_path(f"{home}-of-others") == f"{home}-of-others"
    assert shown_path("/srv/tides") == "/srv/tides"
