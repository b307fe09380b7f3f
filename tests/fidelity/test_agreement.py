"""Lines of a directive held against what happened: each kind of disagreement, and the look-alike that agrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from continuity.knowledge.directive_parser.grammar import FORMER_CONTINUE
from continuity.transcripts.base.model import Message, Part
from handoffs.fidelity.agreement import Disagreement, DisagreementCode, RawEvidence, agreement_of, claimed_lines, disagreements
from handoffs.fidelity.probes.timeline import Timeline
from tests.words import answered, called, resulted, said

EDIT = {"file_path": "/srv/login.py", "new_string": "x = 2"}
PLAIN = "## Request in work\n- The user asked: “{}”\n"


def edit(call: str, path: str = "/srv/login.py") -> list[Message]:
    return [called("Edit", {**EDIT, "file_path": path}, call_id=call), resulted("done", call_id=call)]


def ran(command: str, call: str, *, passed: bool = True, printed: str = "") -> list[Message]:
    shown = printed or ("5 passed" if passed else "E   AssertionError: expected 4, got 5")
    return [
        called("Bash", {"command": command}, call_id=call),
        resulted(shown, call_id=call, failed=not passed, exit_code=0 if passed else 1),
    ]


FLICKER = "Please find out why the login page flickers on every load"
EXPORT = "Now add an export of the invoices as a spreadsheet file"
SESSION = [
    said(FLICKER),
    *edit("e1"),
    *ran("pytest tests/login", "r1"),
    *ran("git commit -m 'Stop the flicker'", "r2", printed="[main 1a2b3c4] Stop the flicker"),
    answered("The flicker is gone and the fix is committed."),
    said(EXPORT),
    answered("I read the invoices module now."),
    called("Read", {"file_path": "/srv/invoices.py"}, call_id="c1"),
]


def judged(text: str, messages: Sequence[Message] = SESSION) -> tuple[Disagreement, ...]:
    return disagreements(claimed_lines(text), RawEvidence(course_of(messages)))


def course_of(messages: Sequence[Message]) -> Timeline:
    course = Timeline()
    for seq, message in enumerate(messages, 1):
        course.read(seq, message)
    return course


def codes(text: str, messages: Sequence[Message] = SESSION) -> list[DisagreementCode]:
    return [each.code for each in judged(text, messages)]


def score(text: str, messages: Sequence[Message] = SESSION) -> float:
    return agreement_of(claimed_lines(text), judged(text, messages))


def test_it_works() -> None:
    (wrong,) = judged(PLAIN.format(FLICKER))

    assert (wrong.code, wrong.line) == (DisagreementCode.GOAL_NOT_IN_WORK, 2)
    assert wrong.reason == f"This was asked in message 1 and was committed; since then the user asked “{EXPORT}” in message 9."
    assert codes(PLAIN.format(EXPORT)) == []


@pytest.mark.parametrize("follows", ["Yes, please", "go on", "No, not like that"])
def test_an_answer_does_not_end_the_request_that_it_answers(follows: str) -> None:
    asked = [said(EXPORT), answered("There are two ways to do it. Shall I take the first one?"), said(follows), *edit("e1")]

    assert codes(PLAIN.format(EXPORT), asked) == []


def test_a_plan_with_open_points_is_still_the_goal() -> None:
    todos = [{"content": "Write the export", "status": "pending"}]
    plan = [
        said(EXPORT),
        called("TodoWrite", {"todos": todos}, call_id="t"),
        answered("Begun."),
        said("What does the module do for invoices today?"),
    ]
    done = [*plan[:1], called("TodoWrite", {"todos": [{**todos[0], "status": "completed"}]}, call_id="t"), *plan[2:]]

    assert codes(PLAIN.format(EXPORT), plan) == []
    assert codes(PLAIN.format(EXPORT), done) == [DisagreementCode.GOAL_NOT_IN_WORK]


NOW = "## Now\n- {}\n"
LIST = [{"content": "Write the invoice export", "status": "completed"}, {"content": "Document the export", "status": "pending"}]
LISTED = [said(EXPORT), called("TodoWrite", {"todos": LIST}, call_id="t"), resulted("ok", call_id="t")]


@pytest.mark.parametrize(
    ("line", "messages", "code"),
    [
        ("Next step: “Write the invoice export”", LISTED, DisagreementCode.NEXT_DONE),
        ("Next step: “Document the export”", LISTED, None),
        (
            "Next step: “I rewrite the parser of dates”",
            [said(EXPORT), answered("I rewrite the parser of dates"), *edit("e"), answered("Now the tests of the totals")],
            DisagreementCode.NEXT_PASSED,
        ),
        (
            "Next step: “Now the tests of the totals”",
            [said(EXPORT), answered("I rewrite the parser of dates"), *edit("e"), answered("Now the tests of the totals")],
            None,
        ),
        ("To run again, since it failed last: `pytest tests/login`", SESSION, DisagreementCode.NEXT_DONE),
        ("To run again, since it failed last: `pytest tests/login`", [said(EXPORT), *ran("pytest tests/login", "r", passed=False)], None),
        ("No result was seen, so find out whether it was done: Edit login.py", SESSION[:8], DisagreementCode.NEXT_DONE),
        ("No result was seen, so find out whether it was done: Read invoices.py", SESSION, None),
        ("Go on: it is your turn.", [said(EXPORT), answered("Which columns do you want?")], DisagreementCode.WAITING_WRONG),
        (FORMER_CONTINUE, [said(EXPORT), answered("Which columns do you want?")], DisagreementCode.WAITING_WRONG),
        ("Go on: it is your turn.", SESSION, None),
        ("Wait for the user before going on.", SESSION, DisagreementCode.WAITING_WRONG),
        ("Wait for the user before going on.", [said(EXPORT), answered("It is done."), said("Gotta go, Mira takes over tomorrow.")], None),
        ("Wait for the user before going on.", [said(EXPORT), answered("Done."), said("Will it hold?")], DisagreementCode.WAITING_WRONG),
        ("Wait for the user before going on.", [said(EXPORT), answered("Which columns do you want?")], None),
    ],
)
def test_next(line: str, messages: Sequence[Message], code: DisagreementCode | None) -> None:
    assert codes(NOW.format(line), messages) == ([code] if code else [])


def test_what_is_done_is_not_told_as_open() -> None:
    assert codes("## Tasks\n- [ ] Write the invoice export\n", LISTED) == [DisagreementCode.OVER_TOLD_OPEN]
    assert codes("## Tasks\n- [ ] Document the export\n", LISTED) == []
    assert codes(f"## Tasks\n- [ ] {FLICKER}\n") == [DisagreementCode.OVER_TOLD_OPEN]
    assert codes(f"## Tasks\n- [x] {FLICKER}\n") == []


RULES = "## Rules and preferences\n- {} [a1!]\n"
ORDERED = [
    said(
        "Only look at the parser for now and show me the numbers of its lines. Never push to the main branch. I wrote the parser in March."
    ),
    *edit("e1"),
    answered("Done."),
    said(EXPORT),
    *edit("e2"),
]


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("Never push to the main branch.", None),
        ("Always use the key [secret: anthropic-key] for staging.", None),  # nobody can tell who said it
        ("I wrote the parser in March.", DisagreementCode.RULE_FOR_ONCE),
        ("WARNING: the option legacy-peer-deps is deprecated", DisagreementCode.RULE_UNSAID),
        ('{"task_id": "b1", "status": "completed"}', DisagreementCode.RULE_UNSAID),
    ],
)
def test_rules(rule: str, code: DisagreementCode | None) -> None:
    assert codes(RULES.format(rule), ORDERED) == ([code] if code else [])


def test_an_answer_is_no_rule_and_a_rule_of_the_project_is_one() -> None:
    answer = [said(EXPORT), answered("Shall I do the columns, the totals, or both?"), said("yes, do columns and totals"), *edit("e1")]
    project = [
        said(EXPORT),
        called("Read", {"file_path": "/srv/AGENTS.md"}, call_id="r"),
        resulted("# Rules\n- Run the linter before a commit is made", call_id="r"),
    ]

    assert codes(RULES.format("yes, do columns and totals"), answer) == [DisagreementCode.RULE_FOR_ONCE]
    assert codes(RULES.format("Run the linter before a commit is made"), project) == []
    assert codes(RULES.format("Run the linter before a commit is made"), project[:1]) == [DisagreementCode.RULE_UNSAID]


ERRORS = "## Broken, and approaches that failed\n- Error: AssertionError: expected 4, got 5\n"


def test_a_mended_error_is_none() -> None:
    failed = [said(EXPORT), *ran("pytest tests/totals", "r1", passed=False)]

    assert codes(ERRORS, failed) == []
    assert codes(ERRORS, [*failed, *ran("pytest tests/dates", "r2")]) == []
    assert codes(ERRORS, [*failed, *edit("e1"), *ran("pytest tests/totals -x", "r2")]) == [DisagreementCode.FAULT_MENDED]


DECIDED = "## Decisions\n- {}\n"


def test_an_option_that_was_not_taken_is_no_decision() -> None:
    question = {"question": "Where do the files go?", "options": [{"label": "One file per user"}, {"label": "One table for everyone"}]}
    answer = resulted("answered", call_id="q")
    data = {"questions": [question], "answers": {"Where do the files go?": "One table for everyone"}}
    chosen = [said(EXPORT), Message(answer.role, (part_with(answer, data),), answer.external_id)]

    assert codes(DECIDED.format("Keep one file per user"), chosen) == [DisagreementCode.NOT_CHOSEN]
    assert codes(DECIDED.format("Keep one table for everyone"), chosen) == []


def part_with(message: Message, data: dict[str, Any]) -> Part:
    return replace(message.parts[0], data=data)


def test_a_step_that_was_announced_is_no_decision_and_a_choice_is() -> None:
    assert codes(DECIDED.format("Now let me clean up the invoices module")) == [DisagreementCode.ANNOUNCEMENT]
    assert codes(DECIDED.format("I'll use Postgres for the invoices instead of documents")) == []


def test_what_is_taken_back_later_is_not_so() -> None:
    told = "## Facts\n- The `parse_dates` call in `invoices.py` drops the time zone of each row\n"
    claim = [said(EXPORT), answered("The `parse_dates` call in `invoices.py` drops the time zone of each row.")]
    back = answered("It turns out that `parse_dates` in `invoices.py` was wrong suspicion.")

    assert codes(told, claim) == []
    assert codes(told, [*claim, back]) == [DisagreementCode.TAKEN_BACK]


CHECK = "## Checks\n- Last check: `pytest tests/login` passed: “5 passed”{}\n"


def test_a_check_holds_until_something_is_changed() -> None:
    later = [*SESSION, resulted("", call_id="c1"), *edit("e9", "/srv/invoices.py")]

    assert codes(CHECK.format("")) == []
    assert codes(CHECK.format(""), later) == [DisagreementCode.CHECK_BEFORE_EDIT]
    for since in (" — 2 files changed since: run it again", " — files changed since, so it must run again"):
        assert codes(CHECK.format(since), later) == []
    assert codes(CHECK.format(""), [*SESSION, *ran("pytest tests/login", "r9", passed=False)]) == [DisagreementCode.CHECK_OTHERWISE]
    assert codes("## Facts\n- All tests pass now\n", later) == [DisagreementCode.CHECK_BEFORE_EDIT]
    assert codes("## Facts\n- All tests must pass first\n", later) == []
    assert codes("## Work place\n- Working tree as last seen: “clean” [m5]\n", later) == [DisagreementCode.COMMIT_BEFORE_EDIT]
    assert codes("## Work place\n- Working tree as last seen: “clean” [m5]\n") == []


RIGHT = [PLAIN.format(EXPORT), "## Facts\n", *(f"- The invoice {n} is sent on day {n}\n" for n in range(90))]


@pytest.mark.parametrize(
    "wrong", [PLAIN.format(FLICKER), NOW.format("Wait for the user before going on."), RULES.format("WARNING: legacy peers are deprecated")]
)
def test_one_wrong_goal_next_step_or_rule_never_scores_whole(wrong: str) -> None:
    assert score("".join(RIGHT)) == 1.0
    assert score("".join([wrong, *RIGHT])) <= 0.8


def test_without_evidence_nothing_is_refuted() -> None:
    assert codes(RULES.format("WARNING: legacy peers are deprecated"), []) == []
    assert score("", []) == 1.0
