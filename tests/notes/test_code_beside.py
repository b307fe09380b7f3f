"""Beside a note: which code is shown, and what of the record is told once more where only the user has spoken since."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from continuity.knowledge.evidence import ChangedFile, CodeEdit, Keeping, MisusedCommand, RefusedCall
from continuity.knowledge.model import FileAction, FileTouch, Knowledge, Quote, Ref, RequestState
from tests.notes.test_lines import made, noted
from tests.notes.test_record_beside import HISTORY, LOCK, STEPS, TABS, TESTS, asked, session

SKETCH = CodeEdit("queue.py", 12, "+def lock(self) -> None:\n+    self.held = True")
NOTE = {**STEPS, "history": HISTORY}


def after(**now: Any) -> Knowledge:
    """A session of which an earlier request changed code."""
    return session(LOCK, TESTS, TABS, sketches=(SKETCH,), **now)


def test_it_works() -> None:
    """Code of earlier work does not stand within the note's history: among the code where it is not committed, else nowhere."""
    alone, text = made(after()).text, made(noted(NOTE, after())).text
    assert "→ changed [m12]:\n  > queue.py\n" in alone
    assert "→ changed" not in text and "## Code that was changed\n- Changed:\n  > queue.py\n" in text


@pytest.mark.parametrize(
    "now",
    [
        {"commits": (Quote("3fa9c1d Add a lock", Ref(18)),)},
        {"changed": (ChangedFile("queue.py", Keeping.COMMITTED, 18),)},
    ],
)
def test_git_tells_what_was_committed_since(now: dict[str, object]) -> None:
    assert "def lock" not in made(noted(NOTE, after(**now))).text


def test_a_note_without_a_history_leaves_the_code_in_the_record_s() -> None:
    assert "→ changed:\n  > queue.py\n" in made(noted(STEPS, after())).text


def test_of_committed_files_the_note_s_own_lines_tell() -> None:
    files = tuple(FileTouch(path, FileAction.MODIFIED, 12, 12) for path in ("src/queue_lock.py", "src/queue_rows.py"))
    changed = (ChangedFile("src/queue_rows.py", Keeping.COMMITTED, 18),)
    knowledge = replace(session(LOCK, TABS, changed=changed), files=files)
    text = made(noted({**STEPS, "files": ["queue_lock.py, _rows.py: both take the lock."]}, knowledge)).text
    assert "- Modified:" not in text
    assert "- Modified: src/queue_lock.py, src/queue_rows.py\n" in made(noted(STEPS, knowledge)).text


def test_a_command_that_was_not_understood_is_told_once() -> None:
    wrong = MisusedCommand(
        "gh pr diff 343 -- src/queue.py", 30, "accepts at most 1 arg(s), received 2", "gh api repos/bank/queue/pulls/343/files"
    )
    knowledge = session(TABS, misused=(wrong,))
    told = {**STEPS, "lessons": ["`gh pr diff 343 -- <paths>` is refused; use `gh api`."]}
    assert "accepts at most" in made(noted(STEPS, knowledge)).text
    assert "accepts at most" not in made(noted(told, knowledge)).text


def test_where_only_the_user_has_spoken_since_the_note_tells_how_the_work_came_there() -> None:
    """What was not done twice need not be told twice."""
    done = replace(LOCK, seq=2, last_seq=40)
    before = session(done, tasks=(), reports=(), sketches=())
    note = noted({**STEPS, "history": ["Asked for a lock; written."]}, before).note
    said = asked(60, "We use migrations in staging, too.", state=RequestState.OPEN)
    files = (FileTouch("src/queue.py", FileAction.MODIFIED, 12, 12),)
    text = made(replace(before, note=note, requests=(done, said), files=files, through_seq=60)).text
    assert "written at m50; the user has spoken since" in text
    later = replace(before, note=note, requests=(done, said), files=(replace(files[0], last_seq=58),), through_seq=60)
    assert "written at m50; since then queue.py changed" in made(later).text


def test_what_the_person_said_instead_of_a_call_is_told_by_the_history_of_a_request_that_is_over() -> None:
    hint = RefusedCall(3, "Bash", "git log --all --oneline", "The trailer stands right below the subject.")
    knowledge = session(LOCK, TESTS, TABS, refusals=(hint,))
    assert "git log --all" not in made(noted(NOTE, knowledge)).text
    assert "and said instead: “The trailer stands right below the subject.”" in made(noted(STEPS, knowledge)).text


def test_two_requests_are_told_by_a_history_of_one_statement_since_the_latest_stands_above() -> None:
    knowledge = session(LOCK, TABS)
    told = {**STEPS, "history": [f"{LOCK.text.text} Written."]}
    assert LOCK.text.text in made(noted(STEPS, knowledge)).text
    assert f"- User: “{LOCK.text.text}”" not in made(noted(told, knowledge)).text
    three = session(LOCK, TESTS, TABS)
    assert f"“{TESTS.text.text}”" in made(noted(told, three)).text
