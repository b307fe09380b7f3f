"""Reading label files, and finding the sessions they are about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from diagnostics.evaluation.errors import EvaluationError
from diagnostics.evaluation.labels import parse_labels, read_labels
from diagnostics.evaluation.material import cases
from tests.evaluation.labelled import NIGHTLY, anchor, folder_of, labels, raw


def test_it_works(tmp_path: Path) -> None:
    found = cases([], default=folder_of(tmp_path, b=NIGHTLY, a=NIGHTLY), transcripts=None)

    assert [case.labels.name for case in found] == ["a", "b"]
    assert found[0].transcript == tmp_path / "transcripts" / "openai-chat" / "chat.json"
    assert [each.type for each in found[0].labels.anchors] == ["constraint", "decision", "fact"]


def test_tokens_are_compared_in_lower_case_and_empty_ones_ask_for_nothing() -> None:
    assert labels(anchor("Apple ", "", "PEAR")).anchors[0].tokens == ("apple", "pear")


def test_the_request_the_next_step_and_where_the_work_stands_are_read() -> None:
    told = {"objective": "move it", "next_step": "run it", "waiting_for_user": True, "state": {"cwd": "/srv", "branch": "main"}}
    found = parse_labels(raw() | told, name="made")
    assert (found.objective, found.next_step, found.waiting_for_user) == ("move it", "run it", True)
    assert (found.cwd, found.branch) == ("/srv", "main")
    bare = {name: value for name, value in raw().items() if name not in told}
    assert parse_labels(bare, name="made").objective == "", "older label files lack them"


def test_an_anchor_without_a_state_is_current() -> None:
    stateless = {"type": "fact", "line": 1, "quote": "", "must_contain": ["x"]}

    assert len(labels(stateless).current) == 1


def test_named_files_are_read_and_no_others(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, a=NIGHTLY, b=NIGHTLY)

    assert [case.labels.name for case in cases([folder / "b.json"], default=folder, transcripts=None)] == ["b"]


@pytest.mark.parametrize("inside", ["", "openai-chat"])
def test_sessions_may_lie_elsewhere_by_format_or_flat(tmp_path: Path, inside: str) -> None:
    folder = folder_of(tmp_path, a=NIGHTLY)
    there = tmp_path / "elsewhere" / inside
    there.mkdir(parents=True)
    moved = (tmp_path / "transcripts" / "openai-chat" / "chat.json").rename(there / "chat.json")

    assert cases([], default=folder, transcripts=tmp_path / "elsewhere")[0].transcript == moved


def test_a_session_that_is_not_there_is_named(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, a=NIGHTLY | {"transcript": "gone.jsonl"})

    with pytest.raises(EvaluationError, match=r"a\.json is about openai-chat/gone\.jsonl, which is not in"):
        cases([], default=folder, transcripts=None)


def test_a_folder_without_label_files_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"There are no label files: none was named, and .*nowhere holds none"):
        cases([], default=tmp_path / "nowhere", transcripts=None)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "it is not JSON"),
        ("{", "it is not JSON"),
        ("[]", "it has another shape"),
        ("{}", "it has no 'files'"),
        (json.dumps(NIGHTLY | {"cut": "late"}), "it has another shape"),
        (json.dumps(NIGHTLY | {"anchors": [{"type": "fact"}]}), "it has no 'must_contain'"),
        (json.dumps(NIGHTLY | {"anchors": [{"type": "fact", "must_contain": "apple"}]}), "it has another shape"),
        (json.dumps(NIGHTLY | {"files": []}), "it has another shape"),
    ],
)
def test_what_is_no_label_file_says_so_in_one_line(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(EvaluationError) as told:
        read_labels(path)

    assert words in str(told.value)
    assert str(path) in str(told.value)
    assert "\n" not in str(told.value)


def test_a_folder_is_no_label_file(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="cannot be read"):
        read_labels(tmp_path)
