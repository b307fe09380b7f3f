"""What a note says in several parts is told once, in the most useful of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.model import FileAction, FileTouch
from handoffs.notes.check import check_again
from tests.notes.test_lines import known, made, noted

NOW = "importer.py: `read_rows` skips empty sheets; its tests were not run."
NEXT = "Run the importer once."


def told(**parts: list[str]) -> str:
    return made(noted({"now": [NOW], "next": [NEXT], **parts})).text


def test_it_works() -> None:
    text = told(files=["importer.py: `read_rows` skips empty sheets."], history=["Asked for a lock. Built `lock_queue` in queue.py."])
    assert text.count("skips empty sheets") == 1 and f"• {NOW}\n" in text
    assert "• Asked for a lock. Built `lock_queue` in queue.py.\n" in text


def test_a_file_of_which_all_is_told_is_named_by_the_record() -> None:
    knowledge = known(files=(FileTouch("src/importer.py", FileAction.MODIFIED, 20, 20),))
    raw = {"now": [NOW], "next": [NEXT], "files": ["src/importer.py: `read_rows` skips empty sheets."]}
    assert "## Files\n- Modified: src/importer.py\n" in made(noted(raw, knowledge)).text


def test_what_is_told_in_part_is_shortened_at_the_end_of_a_sentence() -> None:
    text = told(files=["exporter.py: writes a header (e.g. a date. A name). Still needs tests run."])
    assert "• exporter.py: writes a header (e.g. a date. A name).\n" in text
    text = told(decisions=["The bank sends sheets at night. The importer.py tests were not run."])
    assert "• The bank sends sheets at night.\n" in text


@pytest.mark.parametrize(
    "words",
    [
        "importer.py: `read_rows` skips empty sheets and `read_head` keeps them.",  # names something else
        "exporter.py: `read_rows` skips empty sheets.",  # of another file
        "queue.py: `write_rows` waits for the lock of the bank.",  # denies it
    ],
)
def test_what_says_something_else_stays(words: str) -> None:
    assert f"• {words}\n" in told(now=[NOW, "queue.py: `write_rows` does not wait for the lock of the bank."], files=[words])


def test_numbers_tell_statements_apart() -> None:
    parts = [f"Part {number} of the importer is written and was not checked." for number in range(3)]
    text = told(now=parts)
    assert all(part in text for part in parts)


def test_what_is_not_done_is_told_with_what_is_left() -> None:
    text = told(now=[NOW, "Not compared with the old exporter output."], remaining=["Compare it with the old exporter output."])
    assert "Not compared with" not in text and "• Compare it with the old exporter output.\n" in text
    done = told(now=[NOW, "Compared with the old exporter output."], remaining=["Compare it with the old exporter output again."])
    assert "• Compared with the old exporter output.\n" in done


def test_the_end_of_a_history_that_is_the_request_in_work_is_told_by_how_things_are() -> None:
    text = told(history=["Built a lock in queue.py.", "Asked to keep tabs in the importer; edits begun, nothing was run."])
    assert "Built a lock in queue.py." in text and "edits begun" not in text
    kept = told(history=["Asked to keep tabs in the importer; `tab_width` of config.toml was found to be wrong."])
    assert "`tab_width` of config.toml was found" in kept


def test_a_history_is_told_whole_or_not_at_all() -> None:
    words = "The tests of importer.py were not run. The person then asked for a lock on queue.py."
    assert f"• {words}\n" in told(history=[words])


def test_a_history_has_no_gap_where_only_several_statements_tell_a_step_of_it() -> None:
    now = [NOW, "`lock_queue` of queue.py waits for the bank.", "Nothing else of the exporter was touched."]
    step = "`read_rows` in importer.py skips empty sheets, its tests were not run; `lock_queue` waits for the bank."
    assert step not in told(now=now, history=["Asked for a lock.", step])
    assert f"• {step}\n" in told(now=now, history=["Asked for a lock.", step, "Then the person asked for a `tab_width` in settings.toml."])


def test_a_statement_does_not_quote_the_request_that_stands_above_it() -> None:
    request = 'Current request: "Keep tabs in the importer." - i.e. write the fixtures of `read_rows` with tabs.'
    assert "• Write the fixtures of `read_rows` with tabs.\n" in told(request=[request])
    other = 'Before that: "Draw the lanes of the bank." - i.e. write the fixtures of `read_rows` with tabs.'
    assert f"• {other}\n" in told(request=[other])


def test_a_file_is_told_without_the_clauses_that_are_told_elsewhere() -> None:
    text = told(files=["importer.py: `read_rows` skips empty sheets; its comment names the bank. Needs the tests run."])
    assert "• importer.py: its comment names the bank.\n" in text


def test_a_rule_and_a_next_action_are_never_left_out() -> None:
    rule = "Keep tabs in the importer."
    text = told(now=[NOW, "Tabs are kept in the importer."], rules=[rule], next=[NEXT, "Run the importer once more."])
    assert "• Next: Run the importer once more.\n" in text
    assert text.count("eep tabs in the importer") == 1  # the request itself holds the rule


def test_what_is_over_holds_nothing() -> None:
    """The present that an older note tells may be over, and is told as of then."""
    before = noted(
        {"now": ["importer.py skips empty sheets of the bank."], "next": [NEXT], "lessons": ["importer.py skips empty sheets of the bank."]}
    )
    assert before.note is not None
    later = known(90, files=(FileTouch("queue.py", FileAction.MODIFIED, 70, 70),))
    text = made(replace(later, note=check_again(before.note, later))).text
    assert text.count("importer.py skips empty sheets of the bank.") >= 1


def test_a_note_that_is_full_of_the_same_words_is_told_in_bounded_time() -> None:
    long = " ".join(f"`name_{place}` of part_{place % 7}.py is. It goes on." for place in range(14))[:460]
    raw = {
        part: [f"{part} {number}: {long}" for number in range(30)]
        for part in ("now", "remaining", "decisions", "files", "history", "lessons")
    }
    made(noted({**raw, "next": [NEXT]}))
