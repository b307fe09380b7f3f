import json

import pytest

from continuity.transcripts import Role, Voice
from continuity.transcripts.claude_code.results import MAX_DATA, reduce_result
from tests.transcripts.records import messages, read, result, texts

HUNK = {"oldStart": 3, "oldLines": 2, "newStart": 3, "newLines": 3, "lines": [" a", "-b", "+c", "+d"]}
EDIT = {
    "filePath": "/a.py",
    "oldString": "b",
    "newString": "c",
    "originalFile": "x" * 9000,
    "structuredPatch": [HUNK],
    "userModified": False,
}


def test_it_works():
    part = messages(read("claude-code", result("r1", None, "c1", report=EDIT)))[0].parts[0]
    assert part.data == {
        "filePath": "/a.py",
        "structuredPatch": [{"oldStart": 3, "oldLines": 2, "newStart": 3, "newLines": 3, "added": 2, "removed": 1}],
        "hunks": 1,
        "linesAdded": 2,
        "linesRemoved": 1,
    }


@pytest.mark.parametrize(("report", "kept"), [
    ({"type": "create", "filePath": "/a", "content": "one\ntwo\n", "structuredPatch": []},
     {"type": "create", "filePath": "/a", "linesAdded": 2}),
    ({"stdout": "all of it", "stderr": "", "interrupted": False, "isImage": False}, {}),
    ({"stdout": "out", "stderr": "err", "interrupted": True}, {"stdout": "out", "stderr": "err", "interrupted": True}),
    ({"stdout": "", "stderr": "", "backgroundTaskId": "7"}, {"backgroundTaskId": "7"}),
    ({"status": "completed", "agentId": "a1", "prompt": "long", "content": [], "totalTokens": 9, "usage": {}},
     {"status": "completed", "agentId": "a1", "totalTokens": 9}),
    ({"type": "text", "file": {"filePath": "/a", "content": "x", "startLine": 1, "numLines": 5, "totalLines": 9}},
     {"type": "text", "filePath": "/a", "startLine": 1, "numLines": 5, "totalLines": 9}),
    ({"questions": [{"question": "Which?"}], "answers": {"Which?": "The second"}},
     {"questions": [{"question": "Which?"}], "answers": {"Which?": "The second"}}),
    ({"oldTodos": [], "newTodos": [{"content": "a", "status": "pending"}]}, {"newTodos": [{"content": "a", "status": "pending"}]}),
    ({"plan": "# Plan\nDo it", "isAgent": False, "filePath": "/p.md"}, {"plan": "# Plan\nDo it", "filePath": "/p.md"}),
    ({"success": False, "taskId": "1", "statusChange": {"from": "pending", "to": "done"}},
     {"success": False, "taskId": "1", "statusChange": {"from": "pending", "to": "done"}}),
    ({"filenames": ["a", "b"], "numFiles": 2, "truncated": False}, {"numFiles": 2}),
    ("Error: no", {}), ([{"type": "text"}], {}), (None, {}), (7, {}),
])  # fmt: skip
def test_reports_are_reduced_to_what_is_useful(report, kept):
    assert reduce_result(report) == kept


@pytest.mark.parametrize("report", [
    {"filePath": "/a", "content": "x" * 10**6, "originalFile": "y" * 10**6},
    {"stdout": "x" * 10**6, "stderr": "é" * 10**6, "plan": "漢" * 10**6},
    {"newTodos": [{"content": "t" * 400}] * 1000, "oldTodos": [{"content": "t"}]},
    {"answers": {"q": "a" * 10**5}, "status": "done"},
    {f"k{number}": "v" * 400 for number in range(1000)},
    {"structuredPatch": [HUNK] * 5000},
])  # fmt: skip
def test_reports_stay_within_sixteen_kilobytes(report):
    reduced = reduce_result(report)
    assert len(json.dumps(reduced, ensure_ascii=False).encode()) <= MAX_DATA
    assert reduced


def test_the_newer_todos_are_worth_more_than_the_older():
    todos = [{"content": "t" * 400}] * 30
    assert list(reduce_result({"oldTodos": todos, "newTodos": todos})) == ["newTodos"]


def test_what_a_person_typed_to_reject_a_call_is_the_persons_word():
    text = (
        "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was "
        "NOT written to the file). To tell you how to proceed, the user said:\nlet's do this as a separate PR"
    )
    (message,) = messages(read("claude-code", result("r1", None, "c1", text, "Error: " + text, is_error=True)))
    assert message.role is Role.USER
    assert texts([message], Voice.PERSON) == ["let's do this as a separate PR"]
    assert message.parts[0].failed is True
    assert message.parts[0].data == {"rejected": True}
    assert "separate PR" not in message.parts[0].text


def test_a_rejection_without_words_is_only_a_result():
    text = "The user doesn't want to take this action right now. STOP what you are doing and wait for the user to tell you how to proceed."
    (message,) = messages(read("claude-code", result("r1", None, "c1", text, is_error=True)))
    assert message.role is Role.TOOL
    assert message.parts[0].data == {"rejected": True}


def test_a_wish_to_talk_first_is_told_in_the_tools_words():
    text = (
        "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n"
        "The user wants to clarify these questions.\n    Questions asked:\n- Which database?"
    )
    (message,) = messages(read("claude-code", result("r1", None, "c1", text, is_error=True)))
    assert (message.role, message.parts[0].text) == (Role.TOOL, text)


def test_a_file_that_quotes_a_rejection_is_not_one():
    text = "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nrm -rf"
    (message,) = messages(read("claude-code", result("r1", None, "c1", text)))
    assert texts([message], Voice.PERSON) == []
