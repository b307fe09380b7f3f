"""The parts of a long request in a package: those of open work whole, of others what nothing else tells, and all of them over many hops."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.model import (
    AnchorType,
    FileAction,
    FileTouch,
    Knowledge,
    Quote,
    Ref,
    Request,
    RequestKind,
    Task,
    TaskStatus,
    Turn,
)
from handoffs.budgeting.limits import limits_for
from handoffs.contract.model import SectionKind, Style
from handoffs.directive.lines.request_parts import brief_candidates
from tests.packages.hops import hops, known, pasted
from tests.packages.samples import KNOWLEDGE, SITUATION, anchor, prepared

STORAGE = "### 1. Storage — `ledger/storage.py`\nAdd a `journal` table with one row a booking.\n- Keep the old file readable."
IMPORT = "### 2. Import\n- Read the old file once.\n- Refuse a line without a date."
CONTEXT = "## Context\nThe ledger lives in one file, which nobody likes to open."


def task(key: str, words: str, status: TaskStatus) -> Task:
    return Task(key, words, status, 2, 2, "taskcreate", tool_id=key)


def known_with(*tasks: Task, goal: int = 1) -> Knowledge:
    brief = tuple(Quote(text, Ref(1, 0, n, n + len(text))) for n, text in enumerate((CONTEXT, STORAGE, IMPORT)))
    now = replace(SITUATION, objective=Quote("Move the ledger into a journal", Ref(goal)))
    asked = Request(1, RequestKind.REQUEST, Quote("Move the ledger into a journal", Ref(1)), 1)
    return replace(KNOWLEDGE, brief=brief, tasks=tasks, situation=now, requests=(asked,))


STORED = task("1", "Build the storage", TaskStatus.COMPLETED)
IMPORTING = task("2", "Write the import", TaskStatus.IN_PROGRESS)


def parts(knowledge: Knowledge, budget: int = 4000) -> list[str]:
    made = prepared(knowledge, budget=budget)
    return [
        item.text
        for section in made.package.sections
        if section.kind is SectionKind.TASKS
        for item in section.items
        if item.label == "part"
    ]


def test_it_works() -> None:
    assert parts(known_with()) == [
        "Context: The ledger lives in one file, which nobody likes to open.",
        "1. Storage — `ledger/storage.py`: Add a `journal` table with one row a booking. / Keep the old file readable.",
        "2. Import: Read the old file once. / Refuse a line without a date.",
    ]


def test_parts_of_open_work_come_before_those_whose_work_is_done() -> None:
    worth = {c.item.text.split(":")[0]: c.item.importance for c in brief_candidates(known_with(STORED, IMPORTING), limits_for(4000))}

    assert worth["2. Import"] > 3 * worth["1. Storage — `ledger/storage.py`"]
    assert "Context" not in worth


def test_a_request_that_another_followed_counts_less() -> None:
    before, after = (brief_candidates(known_with(goal=goal), limits_for(4000)) for goal in (1, 5))
    assert all(now.item.importance < then.item.importance / 3 for then, now in zip(before, after, strict=True))


def test_what_a_step_tells_is_not_told_again() -> None:
    step = replace(IMPORTING, steps_left=("Read the old file once.",))
    assert "2. Import: Refuse a line without a date." in parts(known_with(step))


@pytest.mark.parametrize("style", list(Style))
def test_parts_arrive_at_every_successor_as_they_were_told(style: Style) -> None:
    first, *later = hops(known_with(IMPORTING), 4000, style, 5)

    assert "Read the old file once. / Refuse a line without a date." in first
    for text in later:
        assert all(text.count(words) == first.count(words) == 1 for words in ("one row a booking", "Refuse a line without a date"))


@pytest.mark.parametrize("title", ["Fix the context menu", "Show why a job failed", "Problem reports page", "Overview dashboard"])
def test_work_whose_heading_only_sounds_like_a_background_stays(title: str) -> None:
    known = known_with(STORED)
    part = Quote(f"### 3. {title}\nAdd an entry for the journal.", Ref(1, 0, 9, 60))
    found = brief_candidates(replace(known, brief=(*known.brief, part)), limits_for(4000))
    assert found[-1].item.text.startswith(f"3. {title}") and found[-1].item.importance > 0.3


def test_a_short_line_is_not_left_out_for_standing_within_another() -> None:
    part = Quote("## Unsupported platforms\n- Windows\n- FreeBSD 14", Ref(1, 0, 9, 60))
    known = replace(known_with(), brief=(part,), anchors=(anchor(AnchorType.ERROR, "The windows build fails on the old runner", 3),))
    assert brief_candidates(known, limits_for(4000))[0].item.text == "Unsupported platforms: Windows / FreeBSD 14"


def test_what_an_agent_told_in_a_lasting_turn_comes_back_as_that() -> None:
    told = tuple(Quote(f"The finder number {n} returns every row of the folder without any filter at all.", Ref(3 + n)) for n in range(4))
    turn = Turn(2, Quote("Find out where the stale rows come from", Ref(2)), told[-1], told)
    text = prepared(replace(KNOWLEDGE, turns=(turn,)), budget=6000).text
    (back,) = known(pasted(text)).turns
    assert [said.text for said in back.said] == [said.text for said in told[:-1]]
    assert back.answer is not None and back.answer.text == told[-1].text


def test_what_a_document_asks_for_is_told_as_its_words() -> None:
    asked = replace(known_with(), brief=(Quote("## Solution\n1. Find out why it fails\n2. Mend it", Ref(3)),))
    work = replace(asked, requests=(replace(asked.requests[0], last_seq=9),))
    assert "- Wanted, as its document says: “Solution: Find out why it fails / Mend it” [m3]" in prepared(work, budget=4000).text


def test_a_part_whose_files_a_done_task_names_is_done() -> None:
    part = Quote("## Approach\nCreate `ledger/journal.py`.", Ref(1, 0, 9, 60))
    reference = Quote("### Reference implementation\n`old.py` does the same.", Ref(1, 0, 60, 90))
    wrote = task("3", "Create journal.py with two functions", TaskStatus.COMPLETED)
    (line,) = brief_candidates(replace(known_with(wrote), brief=(part, reference)), limits_for(4000))
    (other,) = brief_candidates(replace(known_with(STORED), brief=(part, reference)), limits_for(4000))
    assert line.item.text.startswith("Approach") and line.item.importance < other.item.importance / 3
    again = task("4", "Test journal.py", TaskStatus.IN_PROGRESS)
    assert brief_candidates(replace(known_with(wrote, again), brief=(part,)), limits_for(4000))[0].item.importance > 0.3


def test_the_marks_of_code_are_no_lines_of_a_part() -> None:
    part = Quote("## Verification\n```bash\nmake check\n```", Ref(1, 0, 9, 60))
    assert brief_candidates(replace(known_with(), brief=(part,)), limits_for(4000))[0].item.text == "Verification: make check"


def test_a_request_told_in_parts_is_not_told_in_full_beside_them_once_work_was_begun() -> None:
    words = "Move the ledger into a journal. " * 40
    known = known_with()
    begun = replace(known.requests[0], text=Quote(words, Ref(1)), files=("ledger/storage.py",))
    for row, told in ((replace(begun, files=()), True), (begun, False)):
        assert ("The user asked, in full" in prepared(replace(known, requests=(row,)), budget=8000).text) is told


def test_a_part_about_a_file_that_was_made_elsewhere_is_left_out() -> None:
    gone = FileTouch("ledger/storage.py", FileAction.DELETED, 2, 8)
    made = FileTouch("journal/storage.py", FileAction.CREATED, 9, 12)
    told = [part[:10] for part in parts(replace(known_with(), files=(gone, made)))]
    assert "1. Storage" not in told and "2. Import:" in told
    assert "1. Storage" in [part[:10] for part in parts(replace(known_with(), files=(gone,)))]
