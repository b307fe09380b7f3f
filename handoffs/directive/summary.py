"""CONT-01's CompactedSummary: goal, done, open and state in a few sentences. Never empty.

A model's summary, where one was asked, comes last and is named as one: nothing confirms it.
"""

from __future__ import annotations

from continuity.knowledge.model import FileAction, Knowledge, TaskStatus
from handoffs.directive.lines.coming.next_steps import next_step, waiting_words
from handoffs.directive.lines.tasks import STATUS_WORDS, open_tasks
from handoffs.directive.lines.wording import clip, one_line

QUOTE_CHARS = 240
TASK_CHARS = 90
TASKS_NAMED = 3
FILES_NAMED = 4
RETOLD_CHARS = 1200


def compacted_summary(knowledge: Knowledge) -> str:
    """The conversation in at most a few hundred characters per sentence, from what is known and nothing else."""
    told = [_goal(knowledge), _done(knowledge), _open(knowledge), _files(knowledge), _check(knowledge), _place(knowledge), _next(knowledge)]
    known = " ".join(sentence for sentence in told if sentence)
    known = known or f"{knowledge.messages} messages were exchanged; nothing in them needs to be carried on."
    return f"{known} A model's summary, unconfirmed: “{clip(knowledge.retold, RETOLD_CHARS)}”" if knowledge.retold else known


def _goal(knowledge: Knowledge) -> str:
    goal = knowledge.situation.objective or knowledge.situation.latest_request
    return f"Goal: “{clip(one_line(goal.text), QUOTE_CHARS)}”." if goal and goal.text.strip() else ""


def _done(knowledge: Knowledge) -> str:
    done = [task for task in knowledge.tasks if task.status is TaskStatus.COMPLETED]
    return f"Done: {_named([task.description for task in done], TASKS_NAMED)}." if done else ""


def _open(knowledge: Knowledge) -> str:
    tasks = sorted(open_tasks(knowledge), key=lambda task: (-task.last_seq, task.key))
    named = [f"{task.description} ({STATUS_WORDS[task.status]}, {len(task.steps_left)} steps left)" for task in tasks]
    return f"Open: {_named(named, TASKS_NAMED)}." if named else ""


def _files(knowledge: Knowledge) -> str:
    changed = [file.path.rsplit("/", 1)[-1] for file in knowledge.files if file.action is not FileAction.READ]
    return f"Files changed: {_named(changed, FILES_NAMED)}." if changed else ""


def _check(knowledge: Knowledge) -> str:
    check = knowledge.situation.verification
    if check is None:
        return ""
    outcome = {True: "passed", False: "failed", None: "ended unknown"}[check.passed]
    return f"Last check: `{clip(one_line(check.command), TASK_CHARS)}` {outcome}."


def _place(knowledge: Knowledge) -> str:
    now = knowledge.situation
    return f"Branch {now.branch} in {now.cwd}." if now.branch and now.cwd else f"In {now.cwd}." if now.cwd else ""


def _next(knowledge: Knowledge) -> str:
    step = next_step(knowledge)
    named = f" Next: “{clip(one_line(step.text), QUOTE_CHARS)}”." if step else ""
    return f"{waiting_words(knowledge.situation.waiting)}{named}" if knowledge.situation.waiting is not None else named.strip()


def _named(names: list[str], count: int) -> str:
    shown = "; ".join(clip(one_line(name), TASK_CHARS) for name in names[:count])
    return f"{shown} and {len(names) - count} more" if len(names) > count else shown
