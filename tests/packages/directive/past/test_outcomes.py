"""What came of each request in the history: one line for what was carried out, some for an answer, more where the work builds on it."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.evidence import RefusedCall
from continuity.knowledge.model import Quote, Ref, Request, RequestKind, RequestStep, Situation
from handoffs.budgeting.limits import limits_for
from handoffs.contract.model import SectionKind
from handoffs.directive.past.history import history_candidates
from tests.packages.directive.test_history import asked, known
from tests.packages.samples import prepared

NOW = asked(89, "Now write down in the handbook of the importer how its retries work, and since when.")


def report(of: str) -> str:
    items = (f"- `{of}_{n}.py`: holds what the {of} does in its step {n}, and why it waits before" for n in range(20))
    return f"I've given the {of} its retries, as it was asked for.\n\n" + "\n".join(items)


ANSWER = "It waits twice.\n\n" + "\n".join(f"- `wait_{n}` is read from the table of the importer in its step {n}" for n in range(40))


def came(*rows: Request) -> dict[int, str]:
    found = history_candidates(known(*rows, NOW), limits_for(4000))
    return {each.item.seq: each.item.text for each in found if each.kind is SectionKind.RECENT and each.item.label in ("made", "agent")}


def answer(seq: int, words: str) -> Request:
    return replace(asked(seq, f"Why does part {seq} of the importer wait?", words), files=(), kind=RequestKind.QUESTION)


def test_it_works() -> None:
    parts = ("importer", "exporter", "mailer")
    told = came(*(asked(10 * n, f"Do part {n} of it.", report(of)) for n, of in enumerate(parts, start=1)), answer(50, ANSWER))
    assert [("\n" in told[n], len(told[n]) <= 300) for n in (11, 21, 31)] == [(False, True)] * 3
    assert told[11].startswith("I've given the importer its retries, as it was asked for.")
    assert 3 <= told[51].count("\n") <= 8 and told[51].startswith("It waits twice.")


def test_the_report_that_the_request_builds_on_is_told_at_length() -> None:
    rows = [asked(10, "Do it.", report("importer")), replace(asked(20, "And this.", report("mailer")), files=("other.py",))]
    working = replace(NOW, files=("/shop/other.py",))
    found = history_candidates(known(*rows, working), limits_for(4000))
    told = {each.item.seq: each.item.text for each in found if each.item.label == "made"}
    assert "\n" in told[21] and "\n" not in told[11]


def test_an_answer_about_code_that_was_changed_since_takes_two_lines() -> None:
    words = f"The waits stand in `importer.py`.\n\n{ANSWER}"
    assert len(came(answer(50, words))[51]) > 300
    later = replace(asked(60, "Take them out."), files=("/shop/importer.py",))
    assert came(answer(50, words), later)[51].count("\n") <= 4 and len(came(answer(50, words), later)[51]) <= 200


def test_a_message_that_was_sent_again_is_told_once() -> None:
    first = replace(asked(10, "Give the importer its retries, three of them."), files=(), outcome=None, tells=False)
    again = asked(20, "Give the importer its retries, three of them.", "It has them.")
    told = [each.item.seq for each in history_candidates(known(first, again, NOW), limits_for(4000)) if each.item.label == "user"]
    assert 10 not in told and 20 in told


def test_short_reports_are_told_in_their_own_words() -> None:
    text = "The importer retries three times now:\n\n- It waits between them.\n- It counts each of them."
    assert came(asked(10, "Do it.", text))[11] == text


def test_beside_a_report_no_steps_are_told_and_the_check_that_passed_in_a_line() -> None:
    steps = (RequestStep("Add the retry to it", 11, ("a.py",)), RequestStep("Run all tests of it", 12, (), "`pytest` passed"))
    row = replace(asked(10, "Add the retry.", "The importer retries three times, as `a.py` says."), steps=steps, check="`pytest` passed")
    text = prepared(known(row, NOW), budget=4000).text
    assert "The importer retries three times" in text
    assert "Step by step" not in text and "changed a.py" not in text
    assert text.count("- → checked: `pytest` passed [m10]") == 1
    assert "`pytest`" not in prepared(known(replace(row, check="`pytest` failed"), NOW), budget=4000).text
    silent = replace(row, outcome=None, tells=False)
    told = prepared(known(silent, NOW), budget=4000).text
    assert "Add the retry to it → a.py" in told


def test_where_the_last_words_say_nothing_what_was_reported_before_is_told() -> None:
    row = replace(
        asked(10, "Look at the comments of the importer.", "Let me commit these."),
        told=(Quote("I found two faults: the pause of `retry.py` is counted twice, and `queue.py` keeps rows.", Ref(11)),),
    )
    assert "→ said earlier: “I found two faults: the pause of `retry.py` is counted twice" in prepared(known(row, NOW), budget=4000).text


def test_of_a_list_with_what_was_done_of_its_points_no_steps_are_told() -> None:
    steps = (RequestStep("Fix 1: lock the file", 92, ("lock.py",)), RequestStep("Fix 2: wait for it", 94, ("wait.py",)))
    points = Quote("1. The file is not locked, and two can write to it\n2. Nobody waits for it, and rows are lost", Ref(91))
    working = replace(NOW, last_seq=95, told=(points,), steps=steps, files=("lock.py", "wait.py"))
    text = prepared(known(working), budget=4000).text
    assert "two can write to it → lock.py" in text and "Step by step" not in text
    assert "Fix 1: lock the file → lock.py" in prepared(known(replace(working, told=())), budget=4000).text


def test_a_commit_that_the_user_refused_is_told_until_one_was_made() -> None:
    refused = Situation(refusals=(RefusedCall(12, "Bash", 'git commit -m "Add the retry"'),))
    row = asked(10, "Add the retry.", "The importer retries three times now, with growing pauses between them.")
    assert "The user refused: Bash “git commit" in prepared(known(row, NOW, situation=refused), budget=4000).text
    later = replace(asked(30, "Commit it, please.", "It is committed as `abc1234`."), commits=("abc1234 Add the retry",))
    assert "The user refused" not in prepared(known(row, later, NOW, situation=refused), budget=4000).text
    looks = Situation(refusals=(RefusedCall(12, "Bash", "git log --oneline"),))
    assert "The user refused" not in prepared(known(row, NOW, situation=looks), budget=4000).text


def test_beside_the_report_at_the_end_only_what_was_found_out_on_the_way_is_told() -> None:
    told = (
        Quote("The new run of the importer is in progress as `2768`.", Ref(92)),
        Quote("The problem is that `retry.py` counts each pause twice.", Ref(93)),
    )
    said = Quote("The importer waits as long as it should now, and the handbook says since when. " * 3, Ref(95))
    working = replace(
        NOW, last_seq=95, told=told, outcome=said, tells=True, steps=(RequestStep("Count each pause once", 94, ("retry.py",)),)
    )
    text = prepared(known(working), budget=4000).text
    assert "counts each pause twice" in text and "in progress as" not in text
    assert "in progress as" in prepared(known(replace(working, outcome=None, tells=False)), budget=4000).text


def test_a_message_that_was_sent_again_with_more_behind_it_is_told_once() -> None:
    first = replace(asked(10, "Give the importer its retries, three of them."), files=(), outcome=None, tells=False, interrupted=True)
    again = asked(20, "Give the importer its retries, three of them. And the mailer too.", "They have them.")
    found = history_candidates(known(first, again, NOW), limits_for(4000))
    assert [each.item.seq for each in found if each.item.label in ("user", "work")] == [20, 21]


def test_an_interruption_is_what_came_of_a_request() -> None:
    stopped = replace(asked(10, "Commit what was changed in the importer so far."), files=(), outcome=None, tells=False, interrupted=True)
    text = prepared(known(stopped, answer(20, ANSWER), NOW), budget=4000).text
    assert "so far.” [m10]\n- → stopped by the user [m10]" in text


def test_of_an_older_answer_no_few_items_of_a_long_list_are_told() -> None:
    later = [answer(60 + 10 * n, ANSWER) for n in range(4)]
    words = f"The importer waits for its table. {ANSWER}\n\nSo the importer needs no wait of its own."
    told = came(answer(50, words), *later)
    assert told[51] == "The importer waits for its table. […] So the importer needs no wait of its own."
    assert "more" in told[91], "of the latest answer some"
