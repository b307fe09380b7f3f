"""What was done between two packages, in short."""

from dataclasses import replace

from continuity.knowledge.model import CommandRun, Task, TaskStatus
from handoffs.building.progress import ProgressSince, progress
from tests.packages.samples import KNOWLEDGE, prepared, quote

PACKAGE = prepared(KNOWLEDGE).package


def package(*tasks, check=None, said=None):
    now = replace(PACKAGE.situation, verification=check, next_step=said, latest_request=None, objective=None)
    return replace(PACKAGE, tasks=tasks, situation=now)


def task(key, *, done=(), left=(), status=TaskStatus.IN_PROGRESS):
    return Task(key, "Move the billing job", status, 1, 2, "sample", steps_done=done, steps_left=left)


def test_it_works():
    before = package(
        task("t", done=("Write the table",), left=("Move the rows", "Remove the old job")), check=CommandRun("make test", 4, 1, False)
    )
    after = package(
        task("other key", done=("Write the table", "Move the rows"), left=("Remove the old job",)),
        check=CommandRun("make test", 9, 0, True),
    )
    assert progress(before, after) == ProgressSince(
        ("Move the rows",), "Move the billing job: Remove the old job", "make test: passed", "make test: failed", "Move the billing job"
    )
    assert progress(after, after) == ProgressSince(
        (), "Move the billing job: Remove the old job", "make test: passed", "", "Move the billing job"
    )


def test_a_finished_task_is_done_and_what_was_said_comes_next():
    after = package(task("t", done=("Move the rows",), status=TaskStatus.COMPLETED), said=quote("Look at the deadlock.", 8))
    found = progress(package(task("t", left=("Move the rows",))), after)
    assert found == ProgressSince(("Move the rows", "Move the billing job"), "Look at the deadlock.", "", "", "Look at the deadlock.")


def test_what_is_done_is_not_what_the_work_is_at():
    after = package(task("t", status=TaskStatus.COMPLETED), said=quote("Move the billing job", 8))
    assert progress(package(task("t")), after) == ProgressSince(("Move the billing job",), "", "", "")


def test_nothing_known_is_nothing_told():
    assert progress(package(), package()) == ProgressSince((), "", "", "")


def test_a_message_that_only_forbids_is_not_what_the_work_is_about():
    after = package(said=quote("Don't touch the archive.", 9))
    now = replace(after.situation, latest_request=quote("Don't touch the archive.", 9), objective=quote("Move the rows.", 3))
    assert progress(after, replace(after, situation=now)).now == "Move the rows."
