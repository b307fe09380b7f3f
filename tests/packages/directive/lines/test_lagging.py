"""What nobody ticked, kept or took back in words, though the work shows that it is over, is not told as open."""

from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.evidence import MadeOutside, RefusedCall
from continuity.knowledge.model import (
    AnchorType,
    Knowledge,
    Quote,
    Ref,
    Request,
    RequestKind,
    RequestState,
    RequestStep,
    Situation,
    Task,
    TaskStatus,
    Truth,
)
from handoffs.building.lagging import without_lagging
from tests.packages.samples import KNOWLEDGE, anchor

STEP = RequestStep("Add a function to find the message by its id", 6, ("find.go",))
WORK = Request(2, RequestKind.REQUEST, Quote("Name the message by its id.", Ref(2)), 9, state=RequestState.DONE, steps=(STEP,))
NEXT = Request(12, RequestKind.REQUEST, Quote("Push it, please.", Ref(12)), 15, state=RequestState.DONE)
TASK = Task("t1", "Run all checks", TaskStatus.IN_PROGRESS, 4, 8, "taskcreate", tool_id="3")


def left(*tasks: Task, requests: tuple[Request, ...] = (WORK, NEXT), now: Situation | None = None) -> list[str]:
    known = replace(KNOWLEDGE, tasks=tasks, requests=requests, situation=now or Situation())
    return [task.key for task in without_lagging(known).tasks]


def test_it_works() -> None:
    assert left(TASK) == []
    assert left(replace(TASK, method="request", seq=2)) == []


@pytest.mark.parametrize("requests", [(WORK,), (replace(WORK, state=RequestState.OPEN), NEXT), (WORK, replace(NEXT, continues=True))])
def test_a_task_of_the_work_that_lasts_stays(requests: tuple[Request, ...]) -> None:
    assert left(TASK, requests=requests) == ["t1"]
    assert left(replace(TASK, method="request", seq=2), requests=requests) == ["t1"]


@pytest.mark.parametrize("method", ["taskcreate", "request"])
def test_steps_that_a_list_has_as_left_are_never_over(method: str) -> None:
    assert left(replace(TASK, method=method, seq=2, steps_done=("Read them",), steps_left=("List what is above 30 cm",))) == ["t1"]


def test_what_was_not_begun_or_is_kept_by_a_person_stays() -> None:
    assert left(replace(TASK, status=TaskStatus.NOT_STARTED)) == ["t1"]
    assert without_lagging(replace(KNOWLEDGE, tasks=(TASK,), requests=(WORK, NEXT)), keep={"t1"}).tasks == (TASK,)


def test_an_issue_that_was_only_filed_is_no_task_left() -> None:
    filed = replace(TASK, status=TaskStatus.NOT_STARTED, tool_id="AB-3", last_seq=4)
    now = Situation(made=(MadeOutside("issue", "AB-3", 4, "https://tracker.example/AB-3"),))
    assert left(filed, now=now) == []
    assert left(replace(filed, last_seq=8), now=now) == ["t1"]  # it was taken up
    assert left(filed) == ["t1"]


def promises(text: str, requests: tuple[Request, ...]) -> int:
    promise = anchor(AnchorType.COMMITMENT, text, 4, truth=Truth.CLAIMED)
    known: Knowledge = replace(KNOWLEDGE, anchors=(promise,), requests=requests, tasks=())
    return len(without_lagging(known).anchors)


def test_promises_that_were_kept_or_waited_for_the_user() -> None:
    assert promises("I'll add a function to find the message by its id:", (WORK,)) == 0
    assert promises("I'll write the migration next week.", (WORK, NEXT)) == 1
    assert promises("I'll wait for you to finish the rebase.", (WORK, NEXT)) == 0
    assert promises("I'll wait for you to finish the rebase.", (WORK,)) == 1


@pytest.mark.parametrize(("target", "outside", "count"), [
    ("git push", ("git push main at abc1234",), 0), ("git push", (), 1), ("git commit -m x", (), 0), ("git reset --hard", (), 1),
])  # fmt: skip
def test_a_refused_act_that_was_carried_out_since(target: str, outside: tuple[str, ...], count: int) -> None:
    now = Situation(refusals=(RefusedCall(4, "Bash", target, "wait"),), commits=(Quote("abc1234 Mend it", Ref(8)),), outside=outside)
    assert len(without_lagging(replace(KNOWLEDGE, requests=(WORK,), situation=now)).situation.refusals) == count
