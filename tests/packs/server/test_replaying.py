"""Sessions replayed in their repository: their prompts asked for packs, their edits made, their reads counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from diagnostics.bench.packs import recorded, scripted
from diagnostics.evaluation.errors import EvaluationError
from tests.packs.place import git, repository

pytestmark = pytest.mark.django_db

HOME = "/home/me/r"
CASE = "abcdef123456"


def call(name: str, number: int, **given: object) -> dict[str, object]:
    return {"type": "tool_use", "id": f"t{number}", "name": name, "input": given}


def result(number: int, failed: bool = False) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": f"t{number}", "content": "done", "is_error": failed}


def recording(folder: Path, name: str, *said: str | dict[str, object]) -> None:
    """Words are a person's; calls are the agent's; results answer them."""
    folder.mkdir(exist_ok=True)
    lines = []
    for number, each in enumerate(said):
        kind = "assistant" if isinstance(each, dict) and each["type"] == "tool_use" else "user"
        content = each if isinstance(each, str) else [each]
        message = {"role": kind, "content": content, **({"id": f"m{number}"} if kind == "assistant" else {})}
        above = str(number - 1) if number else None
        at = f"2026-01-02T00:{number:02}:00Z"
        lines.append(
            {"type": kind, "uuid": str(number), "parentUuid": above, "message": message, "sessionId": name, "timestamp": at, "cwd": HOME}
        )
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    """A bundle of a small repository, and one case of it."""
    tree, place = repository(tmp_path / "r"), tmp_path / "cases"
    place.mkdir()
    git(tree, "bundle", "create", "-q", str(place / "mail.bundle"), "main")
    case = {
        "case": CASE,
        "repository": "mail",
        "base": git(tree, "rev-parse", "HEAD").strip(),
        "prompts": ["x"],
        "changed": ["src/parser.py"],
    }
    (place / "cases.jsonl").write_text(json.dumps(case) + "\n")
    return place / "cases.jsonl"


PARSER = f"{HOME}/src/parser.py"
STRIPPED = {"file_path": PARSER, "old_string": "return line", "new_string": "return line.strip()"}
WORK = (
    "Mend parse_header in src/parser.py",
    call("Read", 1, file_path=PARSER),
    result(1),
    call("Read", 2, file_path=PARSER),
    result(2),
    call("Edit", 3, **STRIPPED),
    result(3),
    "and once more",
    call("Edit", 4, **STRIPPED),
    result(4, failed=True),
    call("Read", 5, file_path=PARSER),
    result(5),
    call("Write", 6, file_path=f"{HOME}/src/fresh.py", content="x = 1\n"),
    result(6),
    call("Read", 7, file_path="/etc/passwd"),
    result(7),
)


def test_it_works(team, cases, tmp_path):
    recording(tmp_path / "sessions", f"mail-{CASE}", *WORK)
    found = recorded.replayed(team, cases, tmp_path / "sessions", 5)
    touched = found.touched
    assert (found.all.sessions, found.all.turns, found.iterative.sessions) == (1, 2, 0)
    assert (touched.files, touched.named, touched.edited, touched.edited_named) == (1, 1, 1, 1), (
        "the file that it made itself counts as none"
    )
    assert (touched.reads, touched.repeated, touched.spared) == (3, 1, 1)
    assert (touched.edits, touched.remade) == (2, 2), "what failed was not made"
    assert found.all.hit_rate == 0.5, "the second turn is served with its Delta alone"
    assert found.as_json()["named_share"] == 1.0


def test_of_sessions_elsewhere_repeated_reads_are_counted(team, cases, tmp_path):
    recording(tmp_path / "sessions", f"mail-{CASE}", *WORK)
    recording(tmp_path / "sessions", "other", *WORK, call("Read", 8, file_path=PARSER), result(8))
    found = recorded.replayed(team, cases, tmp_path / "sessions", 5)
    assert (found.elsewhere_sessions, found.elsewhere.reads, found.elsewhere.repeated) == (1, 5, 2)


def test_what_no_case_knows_is_refused(team, cases, tmp_path):
    recording(tmp_path / "sessions", "other", *WORK)
    with pytest.raises(EvaluationError):
        recorded.replayed(team, cases, tmp_path / "sessions", 5)


@pytest.mark.parametrize(
    ("before", "given", "after"),
    [
        (None, {"content": "a"}, "a"),
        ("a b a", {"old_string": "a", "new_string": "c"}, "c b a"),
        ("a b a", {"old_string": "a", "new_string": "c", "replace_all": True}, "c b c"),
        ("a b", {"edits": [{"old_string": "a", "new_string": "c"}, {"old_string": "c", "new_string": "d"}]}, "d b"),
        ("a", {"old_string": "x", "new_string": "c"}, None),
        (None, {"old_string": "x", "new_string": "c"}, None),
        ("a", {"old_string": "", "new_string": "c"}, None),
        ("a", {"edits": ["?"]}, None),
    ],
)
def test_edits(before, given, after):
    assert recorded.edited(before, given) == after


def test_scripted_work(team):
    found = scripted.replayed(team, 1)
    assert found.cost.turns == len(scripted.WORK)
    assert found.cost.hit_rate == 9 / 12, "another task and a commit need Context again"
    assert found.cost.saved is not None and found.cost.saved >= 0.3
