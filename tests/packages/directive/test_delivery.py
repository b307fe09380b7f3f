"""How work usually ends: the checks and commits of several requests, never those of one."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.evidence import ChangedFile, Keeping, MadeOutside, RefusedCall
from continuity.knowledge.model import (
    CommandRun,
    FileAction,
    FileTouch,
    Knowledge,
    Quote,
    Ref,
    Request,
    RequestKind,
    RequestStep,
    Situation,
)
from handoffs.budgeting.limits import limits_for
from handoffs.directive.lines.checks import check_candidates
from handoffs.directive.lines.delivery import ANSWER, DELIVER, after_the_work, delivery_candidates, usual_checks


def worked(seq: int, check: str, *commits: str) -> Request:
    words = Quote(f"Change number {seq}.", Ref(seq))
    return Request(seq, RequestKind.REQUEST, words, seq + 1, files=("a.py",), check=f"`{check}` passed", commits=commits)


def told(*rows: Request) -> list[str]:
    now = Request(90, RequestKind.REQUEST, Quote("And now the last one.", Ref(90)), 90)
    return [line.item.text for line in delivery_candidates(Knowledge(requests=(*rows, now), situation=Situation(), through_seq=91))]


def test_it_works() -> None:
    rows = (worked(1, "make check", "abc1234 One"), worked(5, "make check", "abc1235 Two"))
    assert told(*rows) == ["`make check`; commit"]


def test_what_was_done_once_is_no_habit() -> None:
    assert told(worked(1, "make check", "abc1234 One")) == []
    assert told(worked(1, "pytest -k tabs"), worked(5, "pytest -k spaces")) == []


def test_a_part_of_another_habit_and_a_long_command_are_left_out() -> None:
    whole, long = "make lint && make test", "pytest " + "tests/importer/test_tabs.py " * 6
    rows = [worked(seq, command) for seq, command in enumerate((whole, "make test", long, whole, "make test", long), start=1)]
    assert told(*rows) == [f"`{whole}`"]


def test_a_check_of_single_tests_is_no_habit_but_one_of_a_module_of_python_is() -> None:
    for picked in ("go test ./... -run Overlap", "pytest tests/test_tabs.py", "vitest tabs.test.ts", "cargo test -- importer::tabs"):
        assert told(worked(1, picked), worked(5, picked)) == [], picked
    for whole in ("python -m pytest", "python3 -m mypy .", "mvn -T 4 test"):
        assert told(worked(1, whole), worked(5, whole)) == [f"`{whole}`"]


def test_a_linter_that_ran_after_the_last_change_of_such_work_belongs_to_its_end() -> None:
    steps = (RequestStep("Mend it.", 6, files=("a.py",)),)
    rows = (worked(1, "make test"), replace(worked(5, "make test"), steps=steps, last_seq=30))
    now = Request(90, RequestKind.REQUEST, Quote("And now the last one.", Ref(90)), 99, files=("a.py",))
    checks = (CommandRun("make lint", 20, 0, True), CommandRun("make types", 4, 0, True), CommandRun("make test", 95, 0, True))
    known = Knowledge(requests=(*rows, now), situation=Situation(checks=checks), through_seq=99)
    assert usual_checks(known) == ["make lint", "make test"]


def test_while_the_person_is_waited_for_nothing_is_to_be_delivered() -> None:
    rows = (worked(1, "make check"), worked(5, "make check"))
    waiting = Knowledge(requests=rows, situation=Situation(waiting=True), through_seq=91)
    assert delivery_candidates(waiting) == []
    assert delivery_candidates(replace(waiting, requests=())) == []


REVIEW = Request(90, RequestKind.REQUEST, Quote("Look at the comments on the pull request.", Ref(90)), 98, files=("a.py",))
READ = CommandRun("gh api repos/ada/shop/pulls/7/comments --paginate", 92, passed=True)
MADE = (MadeOutside("pull request", "#7", 40, "https://example.com/7"),)
OPEN = (ChangedFile("a.py", Keeping.UNCOMMITTED, 95),)


def after(situation: Situation, request: Request = REVIEW) -> list[str]:
    return after_the_work(Knowledge(requests=(request,), situation=situation, through_seq=98), (request,))


def test_a_pull_request_lacks_what_is_not_committed() -> None:
    review = Situation(made=MADE, changed=OPEN, recent_commands=(READ,))
    assert after(review) == [DELIVER.format("pull request #7"), ANSWER]
    assert after(replace(review, changed=())) == after(replace(review, made=())) == [ANSWER]
    asked = replace(REVIEW, text=Quote("Mend it, but don't commit yet.", Ref(90)))
    assert after(review, asked) == [ANSWER]
    refused = RefusedCall(96, "Bash", "git commit -m 'Mend the total'")
    assert after(replace(review, refusals=(refused,))) == [ANSWER]


def test_a_request_that_no_comments_were_read_for_need_not_be_about_the_pull_request() -> None:
    assert after(Situation(made=MADE, changed=OPEN)) == []


def test_comments_that_were_read_are_to_be_answered_until_one_is() -> None:
    reply = CommandRun("gh api repos/ada/shop/pulls/7/comments/31/replies -f body='Done.'", 97, passed=True)
    assert after(Situation(recent_commands=(READ,))) == [ANSWER]
    assert after(Situation(recent_commands=(READ, reply))) == []
    assert after(Situation(recent_commands=(replace(READ, seq=80),))) == [], "read for an earlier request"


def test_a_chain_has_run_where_each_of_its_parts_has() -> None:
    rows = (worked(1, "make format && make lint"), worked(5, "make format && make lint"), worked(8, "make test:slow"))
    now = Request(90, RequestKind.REQUEST, Quote("And now the last one.", Ref(90)), 99, files=("a.py",))
    touched = (FileTouch("a.py", FileAction.MODIFIED, 92, 92),)

    def missing(*ran: str) -> bool:
        checks = tuple(CommandRun(command, 93 + place, 0, True) for place, command in enumerate(ran))
        known = Knowledge(requests=(*rows, now), files=touched, situation=Situation(checks=checks), through_seq=99)
        return any(each.item.label == "not run" for each in check_candidates(known, limits_for(4000)))

    assert missing("make lint")
    assert not missing("make format && make test", "make lint")
