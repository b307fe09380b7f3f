"""The progress between two packages of a chain, and where the work stands at the later one. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from continuity.knowledge.directive_parser.grammar import OUTCOMES
from continuity.knowledge.model import CommandRun, Situation, Task, TaskStatus
from handoffs.contract.model import Package
from handoffs.directive.lines.wording import clip, normalise, one_line

COMMAND = 80  # characters of a check's command


@dataclass(frozen=True, slots=True)
class ProgressSince:
    """Steps and tasks done since; the work now, and the last check with how it ended. Each is empty where nothing tells.

    `asked` are the words of the request or task that `now` tells of.
    `check_before` is how the earlier package told its check, where that differs.
    """

    done: tuple[str, ...]
    now: str
    check: str
    check_before: str
    asked: str = ""


def progress(before: Package, after: Package) -> ProgressSince:
    """The progress since an earlier package of the chain."""
    check, check_before = _check(after.situation.verification), _check(before.situation.verification)
    done, (now, asked) = tuple(_done(before.tasks, after.tasks)), _now(after.tasks, after.situation)
    over = normalise(now) in map(normalise, done)  # what was asked last is done
    return ProgressSince(
        done=done,
        now="" if over else now,
        asked="" if over else asked,
        check=check,
        check_before=check_before if check_before != check else "",
    )


def _done(before: Iterable[Task], after: Iterable[Task]) -> Iterator[str]:
    earlier = list(before)
    told = {normalise(step) for task in earlier for step in task.steps_done}
    told |= {normalise(task.description) for task in earlier if task.status is TaskStatus.COMPLETED}
    for task in after:
        for step in (*task.steps_done, *([task.description] if task.status is TaskStatus.COMPLETED else ())):
            if (words := normalise(step)) not in told:
                told.add(words)
                yield one_line(step)


def _now(tasks: Iterable[Task], now: Situation) -> tuple[str, str]:
    """The task that is worked at and its next step; else what comes next, or the request in work: what was said last may only forbid. And
    the words of it alone."""
    for task in tasks:
        if task.status in (TaskStatus.IN_PROGRESS, TaskStatus.NEAR_COMPLETION):
            words = ": ".join((task.description.rstrip(" .;:"), *task.steps_left[:1])) if task.steps_left else task.description
            return one_line(words), task.description
    asked = now.latest_request
    only_asked = now.next_step is None or (asked is not None and now.next_step.text == asked.text)
    said = (now.objective or asked) if only_asked else now.next_step
    return (one_line(said.text), said.text) if said else ("", "")


def _check(run: CommandRun | None) -> str:
    return f"{clip(one_line(run.command.strip()), COMMAND)}: {OUTCOMES[run.passed]}" if run else ""
