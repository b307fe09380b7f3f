"""Words of then that results or later choices have overtaken are marked: options that were left, files that are gone or were never made,
what git lists though it was called ignored, checks that passed before files were changed, edits that only remove."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.evidence import ChangedFile, CodeEdit, Keeping
from continuity.knowledge.methods import ACCEPTED
from continuity.knowledge.model import AnchorType, FileAction, FileTouch, Knowledge, RequestKind, Situation
from handoffs.building.line_equality import Folders, statement
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.code import REMOVED
from tests.packages.directive.test_history import LAST, asked, known
from tests.packages.samples import anchor, prepared

GONE = FileTouch("src/agent/dispatch.py", FileAction.DELETED, 12, 14)
LISTS = "Two ways:\n\n- One lock for all queues\n- A lock for each queue\n- No lock, and a version in each row\n\nThe first is simple."
EXPLAINS = "## Option 2: A lock for each queue\n\nMore to write.\n\n## Option 3: No lock, and a version in each row\n\nRetries are needed."


def line_of(words: str, knowledge: Knowledge) -> str:
    """The line of a directive that has the words, without its source."""
    found = next(line for line in prepared(knowledge, budget=4000).text.split("\n") if words in line)
    return found.rpartition(" [m")[0] if found.endswith("]") and " [m" in found else found


def said(words: str, *files: FileTouch, then: str = "Now look at the queue.", **fields: object) -> Knowledge:
    """A session in which an agent said the words in message 11; two messages of the person came after it."""
    rows = (replace(asked(10, "How should it be built?", words), files=()), asked(20, then, "It was looked at."), asked(89, LAST))
    return replace(known(*rows, **fields), files=files)


def test_it_works() -> None:
    knowledge = said("It would be best in one place.\n- Create `src/agent/dispatch.py` with the calls\n- Keep the rest", GONE)
    assert line_of("with the calls", knowledge).endswith("with the calls [dispatch.py is no longer there]")
    assert "rest [" not in line_of("Keep the rest", knowledge)
    elsewhere = FileTouch("src/queue/dispatch.py", FileAction.CREATED, 15, 15)
    moved = said("It would be best in one place.\n- Create `src/agent/dispatch.py` with the calls", GONE, elsewhere)
    assert line_of("with the calls", moved).endswith("with the calls [now src/queue/dispatch.py]")


def test_what_was_said_to_help_is_marked_where_the_same_error_came_again() -> None:
    log = "9 lines: Warning: Failed to push after 3 attempts / Error: Process completed with exit code 1."
    other = "4 lines: Error: The order has no rows in it"
    for pasted, marked in ((log, True), (log.replace("3 attempts", "5 attempts"), True), (other, False)):
        rows = (
            replace(asked(10, "It failed in the night.", "The fix is to run it with the token of the shop."), pasted=log, last_seq=12),
            replace(asked(20, "It failed once more.", "It was looked at."), pasted=pasted, last_seq=22),
            asked(89, LAST),
        )
        assert line_of("the token of the shop", known(*rows)).rstrip("”").endswith("[the same error came after it]") is marked


def test_a_file_that_is_there_or_was_gone_before_is_not_marked() -> None:
    words = "Create `src/agent/dispatch.py` with the calls"
    for file in (replace(GONE, action=FileAction.CREATED), replace(GONE, last_seq=9)):
        assert "no longer" not in line_of("with the calls", said(words, file))
    assert "[dispatch.py" not in line_of("Remove", said("Remove `src/agent/dispatch.py`, which has no caller.", GONE))


def test_what_was_offered_and_never_seen_is_marked() -> None:
    offer = "If it grows we could create `src/lanes/board.py` for it, which both sides may read."
    assert line_of("board.py", said(offer)).rstrip("”").endswith("[not seen to be made]")
    for seen in ("src/lanes/board.py", "/home/me/src/lanes/board.py"):
        assert "not seen" not in line_of("If it grows", said(offer, FileTouch(seen, FileAction.CREATED, 20, 20)))
    now = replace(said(offer), requests=(replace(asked(10, "How?", offer), files=()), asked(89, "yes")))
    assert "not seen" not in prepared(now, budget=4000).text


@pytest.mark.parametrize(
    ("words", "listed", "marked"),
    [
        ("Both files lie in `.state/`, which is gitignored.", ".state/plan.md", True),
        ("Both files lie in `.state/`, which is gitignored.", "src/plan.md", False),
        ("Both files lie in `.state/`, which is not gitignored.", ".state/plan.md", False),
    ],
)
def test_what_git_lists_is_not_ignored(words: str, listed: str, marked: bool) -> None:
    changed = ChangedFile(listed, Keeping.UNCOMMITTED, 30, shown=True)
    assert ("[not so: git lists files there]" in line_of("Both files", said(words, situation=Situation(changed=(changed,))))) is marked
    later = said(words, FileTouch(".gitignore", FileAction.MODIFIED, 40, 40), situation=Situation(changed=(changed,)))
    assert "not so" not in line_of("Both files", later)


def chose(third: str, *then: str) -> Knowledge:
    rows = (
        replace(asked(10, "How can the queues be locked?", LISTS), files=()),
        replace(asked(20, "Explain the second and the third.", EXPLAINS), files=()),
        replace(asked(30, "What is there already?", third), files=()),
        asked(32, "yes, please do", "The rows have versions now."),
        *(asked(40 + n, words, "It was looked at.") for n, words in enumerate(then)),
        asked(89, LAST),
    )
    agreed = replace(anchor(AnchorType.DECISION, third, 31), method=ACCEPTED)
    return replace(known(*rows), anchors=(agreed,))


def test_options_that_a_later_agreement_leaves_are_marked_where_they_were_listed() -> None:
    text = prepared(chose("Rows have versions, so Option 3 is easy. Shall I build it?"), budget=4000).text
    marked = [line.strip(" >-#") for line in text.split("\n") if line.endswith(" [not chosen]")]
    left = ("One lock for all queues", "A lock for each queue", "Option 2: A lock for each queue")
    assert marked == [f"{option} [not chosen]" for option in left]


def test_nothing_is_marked_where_another_option_was_named_since_or_none_was_chosen() -> None:
    easy = "Rows have versions, so Option 3 is easy. Shall I build it?"
    assert "not chosen" not in prepared(chose(easy, "Then try option 2 on the stage."), budget=4000).text
    assert "not chosen" not in prepared(chose("Options 2 and 3 stand beside one another: option 2, option 3. Shall I?"), budget=4000).text


def test_options_that_a_short_reply_leaves_are_marked() -> None:
    offer = "Which one?\n\n1. Lock the queue as a whole\n2. Lock each of its rows\n3. Lock nothing at all\n\nI recommend one of them."

    def marks(*replies: str) -> list[bool]:
        rows = [replace(asked(10 + 10 * n, words, "It is done."), kind=RequestKind.ANSWER) for n, words in enumerate(replies, start=1)]
        text = prepared(known(replace(asked(10, "How?", offer), files=()), *rows, asked(89, LAST)), budget=4000).text
        options = ("Lock the queue as a whole", "Lock each of its rows", "Lock nothing at all")
        return [f"{option} [not chosen]" in text for option in options]

    assert marks("2") == [True, False, True]
    assert marks("2", "now option 3") == [True, False, False]
    assert marks("Tell me more.") == [False, False, False]


def test_a_list_that_is_not_put_to_the_person_is_none_to_choose_from() -> None:
    faults = "Three faults:\n\n1. The lock is never released\n2. The count is always wrong\n3. The log has no line of it\n\n"
    called = "**Option 1: Mend what is there**\n\nA day.\n\n**Option 2: Begin once more**\n\nA week.\n\nWhich option?"
    for answer in (faults + called, f"{faults}I would recommend to mend all of them. {'It takes a while. ' * 40}"):
        rows = (replace(asked(10, "What is wrong?", answer), files=()), asked(20, "1", "It is mended."), asked(89, LAST))
        text = prepared(known(*rows), budget=8000).text
        assert "never released" in text and "wrong [" not in text and "line of it [" not in text
        assert ("Begin once more** [not chosen]" in text) is ("Begin once more" in text)


def test_a_check_that_passed_before_files_were_changed_says_so() -> None:
    words = "All seven tests pass (5 unit, 2 integration).\nThe build is green.\n\nThe old name is used in the queue as well."
    knowledge = replace(known(replace(asked(10, "Write the tests.", words), files=()), asked(89, "Why?")), files=())
    changed = FileTouch("src/queue.py", FileAction.MODIFIED, 90, 90)
    assert "[files were changed since]" not in prepared(knowledge, budget=4000).text
    text = prepared(replace(knowledge, files=(changed,)), budget=4000).text
    assert "(5 unit, 2 integration). [files were changed since]" in text and "green. [" not in text


def test_an_edit_that_only_removes_says_so() -> None:
    removed = CodeEdit("src/queue.py", 90, " class Queue:\n-    def drain_everything(self):\n-        return self.rows")
    replaced = replace(removed, body=f"{removed.body}\n+    def drain(self):")
    for edit, marked in ((removed, True), (replaced, False)):
        text = prepared(known(asked(89, LAST), situation=Situation(edits=(edit,))), budget=4000).text
        assert (f"queue.py{REMOVED}" in text) is marked and "drain_everything" in text


def test_code_is_not_marked() -> None:
    words = "It reads so:\n\n```sh\ncat src/agent/dispatch.py\n```\n\nNothing else reads it."
    text = prepared(said(words, GONE), budget=4000).text
    assert "cat src/agent/dispatch.py" in text
    assert "no longer there" not in text


def test_a_mark_alone_makes_no_other_line_in_a_comparison() -> None:
    item = PackageItem("m1", "agent@1", "- Lock the queue\n- Create `src/a/dispatch.py`", 1, 0, 0.5, label="agent")
    marked = item._replace(text="- Lock the queue [not chosen]\n- Create `src/a/dispatch.py` [dispatch.py is no longer there]")
    other = item._replace(text="- Lock the queue [for now]\n- Create `src/a/dispatch.py`")
    said, later, differs = (statement(SectionKind.RECENT, each, Folders()) for each in (item, marked, other))
    assert said == later != differs
