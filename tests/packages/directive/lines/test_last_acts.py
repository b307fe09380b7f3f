"""What was done last: in the words of what became of each file."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.model import CommandRun, FileAction, FileTouch, Quote, Ref, Request, RequestKind, Situation
from handoffs.directive.lines.coming.next_steps import last_acts
from tests.packages.samples import KNOWLEDGE, prepared


def test_it_works() -> None:
    work = Request(12, RequestKind.REQUEST, Quote("Now log each retry.", Ref(12)), 16, files=("log.py", "new.py"))
    files = (FileTouch("log.py", FileAction.CREATED, 3, 14), FileTouch("new.py", FileAction.CREATED, 15, 15))
    ran = Situation(recent_commands=(CommandRun("make docs", 16, 0, True, "ok"),))
    text = prepared(replace(KNOWLEDGE, requests=(work,), files=files, situation=ran)).text
    assert "- Done last: edited log.py; created new.py; ran `make docs` (passed)\n" in text


def test_edits_alone_are_told_once() -> None:
    work = Request(12, RequestKind.REQUEST, Quote("Now log each retry.", Ref(12)), 16, files=("log.py", "new.py"))
    files = (FileTouch("log.py", FileAction.CREATED, 3, 14), FileTouch("new.py", FileAction.CREATED, 15, 15))
    text = prepared(replace(KNOWLEDGE, requests=(work,), files=files, situation=Situation())).text
    assert "- Done for it so far: changed log.py, new.py" in text
    assert "Done last" not in text


def test_where_nothing_was_changed_what_was_read_is_told() -> None:
    work = Request(12, RequestKind.QUESTION, Quote("Why is a retry lost?", Ref(12)), 16)
    files = (FileTouch("jobs/log.py", FileAction.READ, 14, 14, note="204-364"),)
    text = prepared(replace(KNOWLEDGE, requests=(work,), files=files, situation=Situation())).text
    assert "- Done last: read log.py (204-364)\n" in text


def test_a_run_before_the_last_one_of_the_same_check_is_not_told() -> None:
    work = Request(12, RequestKind.REQUEST, Quote("Now log each retry.", Ref(12)), 19, files=("log.py",))
    runs = (CommandRun("pytest -q", 14, 0, True, "3 passed"), CommandRun("make docs", 15, 0, True, "ok"))
    now = Situation(verification=CommandRun("pytest -q", 18, 1, False, "1 failed"), recent_commands=runs)
    text = prepared(replace(KNOWLEDGE, requests=(work,), files=(), situation=now)).text
    assert "- Done last: ran `make docs` (passed); ran `pytest -q` (failed)\n" in text


def test_what_was_done_before_the_last_message_is_not_told_where_anything_was_after_it() -> None:
    work = Request(12, RequestKind.REQUEST, Quote("Now log each retry.", Ref(12)), 14)
    more = Request(15, RequestKind.REQUEST, Quote("And count them.", Ref(15)), 18, continues=True)
    runs = (CommandRun("make docs", 13, 0, True, "ok"), CommandRun("make types", 17, 0, True, "ok"))
    known = replace(KNOWLEDGE, requests=(work, more), files=(), situation=Situation(recent_commands=runs))
    assert [act.words for act in last_acts(known)] == ["ran `make types` (passed)"]


def test_tests_that_were_only_compiled_are_told_so() -> None:
    work = Request(12, RequestKind.REQUEST, Quote("Now log each retry.", Ref(12)), 19, files=("log.go",))
    now = Situation(recent_commands=(CommandRun("go test -c ./log -o /dev/null", 14, 0, True, ""),))
    text = prepared(replace(KNOWLEDGE, requests=(work,), files=(), situation=now)).text
    assert "- Done last: ran `go test -c ./log -o /dev/null` (passed: compiled, none was run)\n" in text


def test_a_draft_that_was_moved_onto_a_file_changed_it() -> None:
    work = Request(12, RequestKind.REQUEST, Quote("Now log each retry.", Ref(12)), 19, files=("log.py",))
    files = (FileTouch("log.py", FileAction.RENAMED, 13, 14, note="/tmp/log_fixed.py"),)
    ran = Situation(recent_commands=(CommandRun("make docs", 16, 0, True, "ok"),))
    text = prepared(replace(KNOWLEDGE, requests=(work,), files=files, situation=ran)).text
    assert "- Done last: edited log.py; ran" in text and "- Modified: log.py (f1)" in text and "enamed" not in text
