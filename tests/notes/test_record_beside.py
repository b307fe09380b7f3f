"""Beside a note on the present: what of the record is told once more, what is settled, and which references stand in the text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.evidence import ChangedFile, CodeEdit, Failure, Keeping
from continuity.knowledge.model import (
    Anchor,
    AnchorType,
    CommandRun,
    Knowledge,
    Quote,
    Ref,
    Request,
    RequestKind,
    RequestState,
    Situation,
    Task,
    TaskStatus,
    Truth,
)
from handoffs.contract.model import Style
from tests.notes.test_lines import known, made, noted

STEPS = {"now": ["The importer is written."], "next": ["Run the importer."]}
HISTORY = ["Asked for a lock; done.", "Asked for tests; done.", "Asked for tabs."]


def session(*rows: Request, anchors: tuple[Anchor, ...] = (), tasks: tuple[Task, ...] = (), **now: object) -> Knowledge:
    base = known(anchors=anchors, tasks=tasks)
    return replace(base, requests=rows or base.requests, situation=Situation(branch="main", **now))  # type: ignore[arg-type]


def asked(seq: int, text: str, *, state: RequestState = RequestState.DONE, kind: RequestKind = RequestKind.REQUEST) -> Request:
    files = ("queue.py",) if state is RequestState.DONE else ()
    return Request(seq, kind, Quote(text, Ref(seq)), seq + 5, state=state, files=files)


LOCK = asked(1, "The queue of the bank loses its rows each night. I'd like a lock on that queue.")
TESTS = asked(10, "Please add tests of the lock that wait for each other.")
TABS = asked(20, "Keep tabs in the importer.", state=RequestState.OPEN)


def test_it_works() -> None:
    """What the person asked for and got is told by the note's history, in its own words."""
    knowledge = session(LOCK, TESTS, TABS)
    assert "loses its rows each night" in made(knowledge).text
    text = made(noted({**STEPS, "history": HISTORY}, knowledge)).text
    assert "loses its rows each night" not in text and "wait for each other" not in text
    assert "The user asked: “Keep tabs in the importer.”\n" in text


@pytest.mark.parametrize("kind", [RequestKind.RULE, RequestKind.CORRECTION])
def test_what_the_person_laid_down_or_corrected_stays(kind: RequestKind) -> None:
    said = asked(10, "Don't worry about the linter of the exporter for now.", kind=kind)
    text = made(noted({**STEPS, "history": HISTORY}, session(LOCK, said, TABS))).text
    assert "Don't worry about the linter" in text


def decided(key: str, seq: int, text: str, method: str, **more: object) -> Anchor:
    return Anchor(key, AnchorType.DECISION, text, Ref(seq), 0.9, Truth.STATED, method, critical=True, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("seq", "text", "method", "binds"),
    [
        (1, "I'd like a lock on that queue.", "decision.want", False),
        (1, "Let's use sqlite for the queue.", "decision.lets", True),
        (1, "From now on the queue always has a lock.", "decision.want", True),
        (1, "**Lock in a file**: the bank has no server", "section.decisions", False),
        (9, "I will add tests of `lock_queue` that wait for each other.", "decision.accepted", False),
        (19, "I will keep `tab_width` of the importer in its settings.", "decision.accepted", True),
    ],
)
def test_a_decision_whose_content_was_done_binds_no_more(seq: int, text: str, method: str, binds: bool) -> None:
    knowledge = session(LOCK, TESTS, TABS, anchors=(decided("d1", seq, text, method),))
    told = made(noted({**STEPS, "history": HISTORY}, knowledge)).text
    assert (text in told) is binds
    assert text in made(knowledge).text  # without a note it is told as before


def test_what_was_agreed_to_is_told_by_the_note_that_names_the_same() -> None:
    knowledge = session(
        LOCK, TESTS, TABS, anchors=(decided("d1", 19, "I will keep `tab_width` in `settings.toml` then.", "decision.accepted"),)
    )
    raw = {**STEPS, "history": HISTORY, "decisions": ["`tab_width` went to `settings.toml`, since the bank changes it."]}
    assert "I will keep `tab_width`" not in made(noted(raw, knowledge)).text


def test_runs_and_calls_of_which_the_note_tells_are_not_told_again() -> None:
    run = CommandRun("make test 2>&1 | tail -5", 30, passed=False)
    failure = Failure("make test", 30, "TestLock/waits", "lock_test.py:7", cause="it timed out", stale=True)
    other = Failure("make test", 30, "TestTabs", "tabs_test.py:3", cause="no tabs", stale=True)
    call = Quote("Edit src/lock.py", Ref(40))
    knowledge = session(TABS, verification=run, checks=(run,), failures=(failure, other), unanswered=(call,))
    alone = made(knowledge).text
    raw = {
        "now": [
            "`make test` failed once: TestLock waits too long; the fix of lock.py was sent, but its result was not seen.",
            "Nothing was committed.",
        ],
        "next": ["Look at lock.py."],
    }
    text = made(noted(raw, knowledge)).text
    for words in ("Last check: `make test", "TestLock/waits", "No result was seen"):
        assert words in alone and words not in text, words
    assert "TestTabs" in text  # of which it says nothing


def test_an_edit_without_a_result_is_told_where_the_note_is_sure_of_it() -> None:
    knowledge = session(TABS, unanswered=(Quote("Edit src/lock.py", Ref(40)),), unwritten=(CodeEdit("src/lock.py", 40, "+    lock()"),))
    text = made(noted({"now": ["lock.py takes the lock."], "next": ["Run it."]}, knowledge)).text
    assert "No result was seen, so find out whether it was done: `Edit src/lock.py`\n" in text


@pytest.mark.parametrize(
    ("now", "told"),
    [
        (["Nothing was committed."], False),
        (["Nothing staged, nothing committed by me yet."], False),
        (["No commit or push was made in the session."], False),
        (["queue.py is not committed."], True),
        (["The importer is written."], True),
    ],
)
def test_what_is_not_committed_is_told_once(now: list[str], told: bool) -> None:
    changed = tuple(ChangedFile(path, Keeping.UNCOMMITTED, 20) for path in ("lock.py", "queue.py"))
    text = made(noted({"now": now, "next": ["Run it."]}, session(TABS, changed=changed))).text
    assert ("Not committed: lock.py" in text) is told
    assert text.count("queue.py") <= 1


def test_a_commit_that_has_no_result_decides_what_is_committed() -> None:
    changed = (ChangedFile("lock.py", Keeping.UNCOMMITTED, 20),)
    call = Quote("git add lock.py && git commit -m Lock", Ref(40))
    text = made(noted(STEPS, session(TABS, changed=changed, unanswered=(call,)))).text
    assert "Not committed" not in text and "find out whether it was done: `git add lock.py && git commit" in text


@pytest.mark.parametrize(
    ("task", "line"),
    [
        (
            Task("t1", "Draw the lanes of the bank: With all that belongs to it.", TaskStatus.IN_PROGRESS, 5, 6, "todo", tool_id="4"),
            "Draw the lanes of the bank",
        ),
        (
            Task(
                "t1",
                "The lanes exist already, we only need to draw the sheets before. Want me to do it?",
                TaskStatus.IN_PROGRESS,
                5,
                6,
                "offer",
                steps_left=("Draw the sheets",),
            ),
            "Draw the sheets",
        ),
    ],
)
def test_a_task_has_a_short_name(task: Task, line: str) -> None:
    knowledge = session(TABS, tasks=(task,))
    prepared = made(noted(STEPS, knowledge))
    assert f"- [ ] {line} (in progress)\n" in prepared.text
    assert prepared.report.task_preservation_score == 1.0
    told = made(noted({**STEPS, "remaining": [f"{line} once more."]}, knowledge))
    assert "[ ]" not in told.text and told.report.task_preservation_score == 1.0


@pytest.mark.parametrize("style", list(Style))
def test_beside_a_note_only_what_binds_names_its_source(style: Style) -> None:
    rule = Anchor(
        "k2", AnchorType.CONSTRAINT, "Never write to the bank's own table.", Ref(5), 1.0, Truth.STATED, "constraint.never", critical=True
    )
    run = CommandRun("make check", 30, passed=False, result="2 failed")
    knowledge = session(TABS, anchors=(rule,), verification=run, checks=(run,))
    alone, prepared = made(knowledge, style=style).text, made(noted(STEPS, knowledge), style=style)
    left, right = ("(", ")") if style is Style.NARRATIVE else ("[", "]")
    assert f"{left}m30{right}" in alone and f"{left}m30{right}" not in prepared.text
    assert f"table. {left}a1!{right}" in prepared.text.replace(f"table {left}", f"table. {left}")
    assert "m30" in [item.reference for section in prepared.package.sections for item in section.items]
    if style is not Style.NARRATIVE:
        assert prepared.text.count("continuity expand a12") == 1
        assert "continuity expand" not in made(noted(STEPS, session(TABS)), style=style).text
