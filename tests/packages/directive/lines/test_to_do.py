"""What the present state asks of whoever goes on, step by step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from continuity.knowledge.evidence import ChangedFile, Failure, Keeping, MadeOutside, PartState, WorkPart
from continuity.knowledge.handoff_note import CheckedNote
from continuity.knowledge.model import CommandRun, FileAction, FileTouch, Knowledge, Quote, Ref, Request, RequestKind
from handoffs.budgeting.limits import limits_for
from handoffs.contract.model import Options
from handoffs.directive.lines.checks import checks_of, is_outdated
from handoffs.directive.lines.coming.to_do import (
    AFTER_MENDING,
    ANSWER,
    ASKED_TO_COMMIT,
    COMMIT,
    CONFLICTS,
    GO_ON,
    MENDED,
    NOT_ASKED,
    NOT_COMMITTED,
    PASSED,
    RUN_AGAIN,
    UNDER_WAY,
    to_do_candidates,
)
from handoffs.directive.lines.delivery import ANSWER as REPLIES
from handoffs.directive.lines.delivery import DELIVER
from tests.packages.samples import KNOWLEDGE, SITUATION

CHECK = CommandRun("make check", 20, 0, passed=True)


FAILS = "Mend “test_total”"


def knowledge(kind: RequestKind = RequestKind.REQUEST, **situation: Any) -> Knowledge:
    rows = (Request(16, kind, Quote("Move the job over", Ref(16)), 20),)
    now = replace(SITUATION, **{"waiting": False, "verification": None, "begun": False, "next_step": None, **situation})
    return replace(KNOWLEDGE, requests=rows, situation=now, files=(), through_seq=30)


def told(known: Knowledge, budget: int = 4000, options: Options = Options()) -> list[str]:
    return [each.item.text for each in to_do_candidates(known, options, limits_for(budget))]


def test_it_works() -> None:
    changed = replace(knowledge(verification=CHECK), files=(FileTouch("a.py", FileAction.MODIFIED, 22, 22),))
    assert told(changed) == [RUN_AGAIN.format("make check")]


def test_a_change_under_way_is_finished_before_its_check_runs() -> None:
    known = replace(knowledge(verification=CHECK), files=(FileTouch("src/a.py", FileAction.MODIFIED, 22, 22),))
    (row,) = known.requests
    known = replace(known, requests=(replace(row, files=("src/a.py",)),))
    assert told(known)[0] == UNDER_WAY.format("a.py", "make check")
    reported = replace(row, files=("src/a.py",), outcome=Quote("The job is moved, and all of it runs.", Ref(24)), tells=True)
    assert told(replace(known, requests=(reported,)))[0] == RUN_AGAIN.format("make check")


def test_a_question_is_answered_at_the_end() -> None:
    known = knowledge(RequestKind.QUESTION, failures=(Failure("pytest", 22, "test_total"),))
    assert told(known) == [FAILS, ANSWER]


def test_a_question_for_which_files_were_changed_is_answered_at_the_end_too() -> None:
    known = knowledge(RequestKind.QUESTION)
    (row,) = known.requests
    for words, answered in (("Where is the old name still in use?", True), ("Can you move the job over?", False)):
        changed = replace(row, text=Quote(words, Ref(16)), files=("src/a.py",))
        assert (told(replace(known, requests=(changed,)))[-1:] == [ANSWER]) is answered, words


def test_beside_the_agents_own_note_it_is_left_to_that() -> None:
    known = knowledge(failures=(Failure("pytest", 22, "test_total"),))
    assert told(known) == [FAILS]
    assert told(replace(known, note=CheckedNote((), 18))) == []


def test_a_small_budget_keeps_its_room_for_what_binds() -> None:
    assert told(knowledge(failures=(Failure("pytest", 22, "test_total"),)), budget=600) == []


def test_it_is_left_out_where_no_actions_are_wanted() -> None:
    known = knowledge(failures=(Failure("pytest", 22, "test_total"),))
    assert told(known, options=Options(include_immediate_actions=False)) == []


def test_conflicts_and_failures_come_before_the_check() -> None:
    stopped = CommandRun("git merge main", 21, 1, passed=False, result="CONFLICT (content): a.py")
    known = knowledge(blocked=(stopped,), failures=(Failure("pytest", 22, "test_total"),))
    assert told(known) == [CONFLICTS, FAILS]


@pytest.mark.parametrize("path", ["README.md", "/tmp/probe.py"])
def test_documents_and_scratch_files_ask_for_no_check(path: str) -> None:
    assert told(replace(knowledge(verification=CHECK), files=(FileTouch(path, FileAction.MODIFIED, 22, 22),))) == []


@pytest.mark.parametrize("waiting", [True, None])
def test_where_it_is_not_the_agents_move_nothing_is_asked(waiting: bool | None) -> None:
    known = knowledge(waiting=waiting, failures=(Failure("pytest", 22, "test_total"),))
    assert told(known) == []


def test_a_failure_that_may_be_mended_asks_for_its_check_only() -> None:
    assert told(knowledge(failures=(Failure("pytest", 18, "test_total", stale=True),))) == []


def committed(seq: int) -> WorkPart:
    return WorkPart(f"Step {seq}", PartState.DONE, seq, seq + 1, commits=(f"{seq}aaaa Step {seq}",))


GREEN = CommandRun("pytest", 24, 0, passed=True)
EDITED = ChangedFile("a.py", Keeping.UNCOMMITTED, 22)


def test_what_passed_is_committed_where_the_steps_before_were() -> None:
    steps: dict[str, Any] = {"verification": GREEN, "changed": (EDITED,), "parts": (committed(4), committed(8))}
    assert told(knowledge(**steps)) == [COMMIT]
    assert told(knowledge(**steps | {"parts": (committed(4),)})) == []
    assert told(knowledge(**steps | {"verification": replace(GREEN, passed=False)})) == []
    assert told(knowledge(**steps | {"verification": replace(GREEN, seq=21)})) == []
    assert told(knowledge(**steps | {"changed": (replace(EDITED, keeping=Keeping.UNKNOWN),)})) == []
    assert told(knowledge(**steps | {"changed": (replace(EDITED, path="/tmp/a.py"),)})) == []


def test_what_comes_after_the_checks_of_a_chain_is_not_to_be_done_again() -> None:
    assert checks_of("npm test && git commit -qm 'Keep it' -- app && git log") == "npm test"
    assert checks_of("cd app && npx tsc && npx vitest run") == "cd app && npx tsc && npx vitest run"
    assert checks_of("./deploy.sh && ./notify.sh") == "./deploy.sh && ./notify.sh"


def test_what_a_check_itself_wrote_does_not_outdate_it() -> None:
    check = CommandRun("echo 'alter table x' > m.sql && pytest -q", 20, 1, passed=False)
    assert not is_outdated(check, [3, 21])
    assert is_outdated(check, [3, 23])


def changed_and_checked(**situation: Any) -> Knowledge:
    known = knowledge(verification=CHECK, **situation)
    rows = (replace(known.requests[0], files=("a.py",)),)
    return replace(known, requests=rows, files=(FileTouch("a.py", FileAction.MODIFIED, 18, 18),), tasks=())


def test_what_is_changed_and_checked_is_looked_over_and_reported() -> None:
    assert told(changed_and_checked()) == [PASSED]
    kept = (ChangedFile("a.py", Keeping.UNCOMMITTED, 18),)
    assert told(changed_and_checked(changed=kept)) == [PASSED + NOT_COMMITTED]


def test_a_task_in_progress_goes_on() -> None:
    part = WorkPart("Update the review", PartState.OPEN, 17, 19)
    assert told(changed_and_checked(parts=(part,))) == [GO_ON.format("Update the review")]
    assert told(changed_and_checked(parts=(replace(part, state=PartState.IN_PROGRESS),))) == [], "it has a line of its own"
    begun = replace(part, state=PartState.IN_PROGRESS, files=("a.py",))
    assert told(changed_and_checked(parts=(begun,))) == [PASSED], "of one that was worked on nobody knows what is left"


def test_a_check_that_failed_before_the_last_edit_is_to_be_run_again() -> None:
    failed = changed_and_checked()
    failed = replace(failed, situation=replace(failed.situation, verification=replace(CHECK, seq=17, passed=False)))
    assert told(failed) == [MENDED.format("make check")]


def asked(text: str, *before: str, **situation: Any) -> Knowledge:
    """A request in these words behind earlier ones that were committed."""
    known = changed_and_checked(changed=(ChangedFile("a.py", Keeping.UNCOMMITTED, 18),), **situation)
    head = replace(known.requests[0], text=Quote(text, Ref(16)))
    rows = [Request(2 + n, RequestKind.REQUEST, Quote(words, Ref(2 + n)), 2 + n, commits=("abc1234 x",)) for n, words in enumerate(before)]
    return replace(known, requests=(*rows, head))


def test_a_commit_that_was_asked_for_and_not_made_is_to_be_made() -> None:
    assert told(asked("Move the job over, and commit it")) == [ASKED_TO_COMMIT]
    assert told(asked("Move the job over, but don't commit it")) == [PASSED + NOT_COMMITTED]
    assert told(asked("Change the commit message of the hook")) == [PASSED + NOT_COMMITTED]


def test_where_the_user_asked_for_each_commit_it_is_told_that_this_one_was_not_asked_for() -> None:
    assert told(asked("Move the job over", "Split it and commit that")) == [PASSED + NOT_COMMITTED + NOT_ASKED]
    assert told(asked("Move the job over", "Split it")) == [PASSED + NOT_COMMITTED]


def test_nothing_is_said_beside_a_step_that_was_announced_and_not_begun() -> None:
    assert told(changed_and_checked(next_step=Quote("Now I will write the changelog.", Ref(29)))) == []
    assert told(changed_and_checked(next_step=Quote("Let me think about the callers.", Ref(29)))) == []


def test_a_check_that_passed_runs_behind_the_change_that_was_announced() -> None:
    assert told(changed_and_checked(next_step=Quote("Let me update the callers too.", Ref(29)))) == [AFTER_MENDING.format("make check")]


def test_a_step_that_was_begun_and_is_checked_is_over() -> None:
    step = Quote("All pass. Now let me run lint.", Ref(19))
    assert told(changed_and_checked(next_step=step, begun=True)) == [PASSED]
    assert told(changed_and_checked(next_step=replace(step, ref=Ref(25)), begun=True)) == []


def test_what_follows_the_work_stands_behind_it() -> None:
    made = (MadeOutside("pull request", "#7", 4),)
    left = [DELIVER.format("pull request #7"), REPLIES]
    read = (CommandRun("gh api repos/ada/shop/pulls/7/comments", 17, passed=True),)
    reviewed: dict[str, Any] = {"made": made, "recent_commands": read}
    failing: dict[str, Any] = {"failures": (Failure("pytest", 22, "test_total"),)}
    assert told(knowledge(changed=(EDITED,), **reviewed)) == left
    assert told(knowledge(changed=(EDITED,), **reviewed, **failing)) == [FAILS, *left]
    steps: dict[str, Any] = {"verification": GREEN, "changed": (EDITED,), "parts": (committed(4), committed(8))}
    assert told(knowledge(**reviewed, **steps)) == left, "committing is part of it"
    assert told(knowledge(changed=(EDITED,), made=made, **failing)) == [FAILS]
