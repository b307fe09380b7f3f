"""Tasks as lines: open ones with what is done and what is left, finished ones so that nobody does them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.directive_parser.grammar import (
    BETWEEN_STEPS,
    BLOCKED_BY,
    CLIP,
    MORE_STEPS,
    STEPS_DONE,
    STEPS_LEFT,
    WRITTEN,
    held_task,
)
from continuity.knowledge.directive_parser.grammar import STATUS_WORDS as STATUS_WORDS
from continuity.knowledge.evidence import CodeEdit, PartState
from continuity.knowledge.language.clip import beginning
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.subjects import covers
from continuity.knowledge.model import Knowledge, Quote, RequestState, Task, TaskStatus
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.note import tells_the_present
from handoffs.directive.lines.wording import clip, normalise, one_line
from handoffs.directive.references import References

# What is being worked on is worth more than what has not begun.
IMPORTANCE = {
    TaskStatus.IN_PROGRESS: 1.0,
    TaskStatus.NEAR_COMPLETION: 1.0,
    TaskStatus.BLOCKED: 0.95,
    TaskStatus.AWAITING_INPUT: 0.95,
    TaskStatus.NOT_STARTED: 0.9,
}
# What was finished last is most in danger of being done again; what was finished long ago counts half.
DONE_IMPORTANCE = 0.7
DONE_CHARS = 140
AMPLE = 1500  # characters of a block, where a directive has room for a line of each finished part
KNOWN_BY = 60  # characters of a request that says what is told above in full
AT_A_GLANCE = 640  # characters up to which the request in work is told whole
WORDS, LEAST, SAME = 30, 3, 0.6  # words of a step, those from which it can be known again, and their share in a commit's subject
LEAST_TITLE = 12  # characters of a title by which a task is known
REQUEST = "request"  # the method of a task that is a message of the person


@dataclass(frozen=True, slots=True)
class _Shown:
    """How a task is told: without the steps `done` that lines of their own tell, by the beginning of its words alone where they are
    `known` from the request in work; `said_within` is whether it was said within a piece of work."""

    done: frozenset[str]
    limits: LineLimits
    known: bool
    said_within: bool


def task_candidates(knowledge: Knowledge, references: References, limits: LineLimits) -> list[Candidate]:
    """One candidate per task, but for finished ones that are told as parts of the work."""
    last = max(knowledge.through_seq, 1)
    parts = [normalise(part.title) for part in knowledge.situation.parts if part.title.strip()]
    latest = {normalise(task.description): task.key for task in sorted(open_tasks(knowledge), key=lambda task: task.last_seq)}
    told = [task for task in knowledge.tasks if latest.get(normalise(task.description), task.key) == task.key]
    told = [task for task in told if task.status is not TaskStatus.COMPLETED or not _told_elsewhere(task, parts, knowledge)]
    answered = {row.seq for row in knowledge.requests if row.state is RequestState.ANSWERED}
    asked = answered | {row.seq for row in in_work(knowledge.requests)}
    told = [task for task in told if not _is_question(task, asked)]
    edits = knowledge.situation.edits
    within = {row.seq for row in knowledge.requests if row.continues}  # what was said within a piece of work is done with it
    now = [normalise(row.text.text) for row in in_work(knowledge.requests) if len(row.text.text) <= min(limits.block, AT_A_GLANCE)]
    ample = limits.block >= AMPLE  # then the lines of finished parts have room
    done = frozenset(normalise(part.title) for part in knowledge.situation.parts if part.state is PartState.DONE and ample)
    changed = _changed(knowledge)
    found = []
    short = tells_the_present(knowledge)
    for task in told:
        task = titled(task) if short else task
        task = _with_written(_without_done(task, changed), edits, knowledge.situation.commits, changed)
        words = normalise(task.description)
        known = bool(task.steps_left) and any(words in said for said in now)
        shown = _Shown(done, limits, known=known, said_within=task.seq in within)
        found.append(_candidate(task, references, shown, min(task.last_seq / last, 1.0)))
    return found


def steps_written(knowledge: Knowledge) -> frozenset[str]:
    """The steps of open tasks that were written since their list was kept last."""
    now, changed = knowledge.situation, _changed(knowledge)
    marked = (step for task in open_tasks(knowledge) for step in _with_written(task, now.edits, now.commits, changed).steps_left)
    return frozenset(normalise(step.removesuffix(WRITTEN)) for step in marked if step.endswith(WRITTEN))


def _changed(knowledge: Knowledge) -> list[tuple[int, str]]:
    """What the agent said before each change for the request in work, with the message."""
    return [(step.seq, normalise(step.said)) for row in in_work(knowledge.requests) for step in row.steps if step.files and step.said]


def _is_question(task: Task, asked: set[int]) -> bool:
    """Whether a task is only what the person or the agent asked, which is told as that: it names no work."""
    asks = task.description.rstrip(' *_”"').endswith("?") or task.status is TaskStatus.AWAITING_INPUT
    return task.method == REQUEST and task.seq in asked and asks and not task.steps_left


def titled(task: Task) -> Task:
    """The task under a short name, beside a note that tells of it in its own words: without what a tool's list adds to its title, and where
    the name is words of an offer, by what is left of it."""
    title, mark, _ = task.description.partition(": ")
    if task.tool_id and mark and len(title) >= LEAST_TITLE:
        return replace(task, description=title)
    if task.tool_id or len(task.description) <= KNOWN_BY or not task.steps_left:
        return task
    return replace(task, description=BETWEEN_STEPS.join(task.steps_left), steps_left=())


def _told_elsewhere(task: Task, parts: Sequence[str], knowledge: Knowledge) -> bool:
    """Whether a part of the work is this task and tells more of it, or the history tells it as a request with its outcome."""
    if task.method == REQUEST and any(row.seq == task.seq for row in knowledge.requests):
        return True
    words = normalise(task.description)
    return any(words.startswith(part) for part in parts)


def open_tasks(knowledge: Knowledge) -> tuple[Task, ...]:
    return tuple(task for task in knowledge.tasks if task.status is not TaskStatus.COMPLETED)


def _without_done(task: Task, changed: Sequence[tuple[int, str]]) -> Task:
    """The task without what the agent said was left of it and did in the same breath: the steps of the work tell that."""
    if task.method != REQUEST or not task.steps_left:
        return task
    left = tuple(each for each in task.steps_left if not any(seq >= task.seq and normalise(each) in said for seq, said in changed))
    return task if left == task.steps_left else replace(task, steps_left=left)


def _with_written(task: Task, edits: Sequence[CodeEdit], commits: Sequence[Quote], changed: Sequence[tuple[int, str]]) -> Task:
    """The task with a mark behind each step left whose names edits wrote, or that a commit or the agent's words before a change name, since
    its list was kept last."""
    since = [commit.text for commit in commits if commit.ref.seq > task.last_seq]
    since += [said for seq, said in changed if seq > task.last_seq and task.method != REQUEST]
    added = {
        term for edit in edits if edit.seq > task.last_seq for line in edit.body.split("\n") if line[:1] == "+" for term in terms_in(line)
    }
    if not (added or since) or not task.steps_left:
        return task
    written = (step for step in task.steps_left if _is_written(step, added) or any(_names(commit, step) for commit in since))
    marked = frozenset(written)
    return replace(task, steps_left=tuple(f"{step}{WRITTEN}" if step in marked else step for step in task.steps_left))


def _names(commit: str, step: str) -> bool:
    """Whether the subject of a commit is about a step."""
    words = content(step, WORDS)
    return len(words) >= LEAST and covers(" ".join(words), commit, SAME)


def _is_written(step: str, added: set[str]) -> bool:
    names = [term for term in terms_in(step) if is_name(term) and ("_" in term or (term != term.upper() and term[1:] != term[1:].lower()))]
    return bool(names) and all(name in added for name in names)


def _candidate(task: Task, references: References, shown: _Shown, recency: float) -> Candidate:
    is_open = task.status is not TaskStatus.COMPLETED
    text = _open_text(task, shown) if is_open else _done_text(task)
    importance = IMPORTANCE[task.status] if is_open else DONE_IMPORTANCE * (1 + recency) / 2
    item = PackageItem(references.task(task), task.key, text, task.last_seq, 0, importance, label="open" if is_open else "done")
    # A task without steps that only repeats the goal is told by the goal.
    own_list = all(normalise(each) in normalise(task.description) for each in task.steps_left)
    words = task.description if own_list and not (task.steps_done or task.blocking_reason) else ""
    shorter = tuple(_open_text(task, shown, left=left) for left in _fewer(len(task.steps_left))) if is_open else ()
    name = held_task(item.reference, task.status) if is_open and not shown.said_within else ""
    return Candidate(SectionKind.TASKS, item, open_task=is_open, words=words if is_open else "", shorter=shorter, name=name)


def _done_text(task: Task) -> str:
    """What was finished, and the last steps of its list that fit."""
    text = clip(one_line(task.description), DONE_CHARS)
    steps: list[str] = []
    room = DONE_CHARS * 2
    for step in reversed(task.steps_done):
        words = one_line(step).rstrip(" .;").replace(BETWEEN_STEPS, ", ").replace(STEPS_DONE, " ")
        room -= len(words)
        if room < 0:
            break
        if words and words not in text:
            steps.insert(0, words)
    return f"{text}{STEPS_DONE}{BETWEEN_STEPS.join(steps)}" if steps else text


def _fewer(steps: int) -> list[int]:
    """Half as many steps, and half of these, down to one and none."""
    return [steps >> shift for shift in range(1, steps.bit_length() + 1)]


def _open_text(task: Task, shown: _Shown, *, left: int | None = None) -> str:
    """Description, status, the reason of a block, steps done (the last few) and every step left; with `left` only so many of
    these, and none of the done ones."""
    description, limits = one_line(task.description), shown.limits
    if shown.known and len(description) > 2 * KNOWN_BY:
        shown_words = f"{beginning(description, KNOWN_BY).rstrip()} {CLIP}"
    elif CLIP in description or len(description) <= limits.task:
        shown_words = description
    else:
        shown_words = clip(description, max(limits.task, len(description) * 3 // 5))
    text = f"{shown_words} ({STATUS_WORDS[task.status]}{_progress(task)})"
    if task.blocking_reason:
        text += f"{BLOCKED_BY}{clip(one_line(task.blocking_reason), limits.anchor)}"
    done = tuple(step for step in task.steps_done if step != CLIP and normalise(step) not in shown.done)[-limits.steps :]
    if limits.steps and done and left is None:
        text += f"{STEPS_DONE}{_joined(done)}"
    if task.steps_left:
        steps = tuple(step for step in task.steps_left if step != CLIP)[:left]
        more = len(task.steps_left) - len(steps)
        text += f"{STEPS_LEFT}{_joined(steps)}{BETWEEN_STEPS if steps and more else ''}{f'{more} {MORE_STEPS}' if more else ''}"
    return text


def _progress(task: Task) -> str:
    total = len(task.steps_done) + len(task.steps_left)
    return f", {len(task.steps_done)} of {total} steps" if task.steps_done and total else ""


def _joined(steps: tuple[str, ...]) -> str:
    return BETWEEN_STEPS.join(one_line(step).rstrip(" .;").replace(BETWEEN_STEPS, ", ") for step in steps)
