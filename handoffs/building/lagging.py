"""What lags behind the work: tasks that nobody ticked though the request they are of is done, promises that were kept or answered, refused
acts that were carried out since. None of it is open any more."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from continuity.knowledge.evidence import RefusedCall
from continuity.knowledge.extractors.shell.parser import parse
from continuity.knowledge.extractors.tools.git import after_git
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.subjects import covers
from continuity.knowledge.model import Anchor, AnchorType, Knowledge, Request, RequestState, Situation, Task, TaskStatus, Truth
from handoffs.directive.lines.delivery import PUSH

REQUEST = "request"  # the method of a task that is a message of the person
MADE = "taskcreate"
WORDS, SAME = 30, 0.6
_BEGUN = frozenset((TaskStatus.IN_PROGRESS, TaskStatus.NEAR_COMPLETION))
_FOR_USER = re.compile(r"\b(?:wait|pause|stop|hold (?:on|off)|warte|halte)\b.{0,60}\b(?:you|your|du|dir|dich|sie|ihnen)\b", re.I | re.S)
_HASH = re.compile(r"\b[0-9a-f]{7,40}\b")


def without_lagging(knowledge: Knowledge, *, keep: Collection[str] = ()) -> Knowledge:
    """The knowledge without it, but for tasks and anchors whose keys are in `keep`."""
    now, rows = knowledge.situation, knowledge.requests
    tasks = tuple(task for task in knowledge.tasks if task.key in keep or not (_is_over(task, rows) or _is_filed(task, now)))
    anchors = tuple(anchor for anchor in knowledge.anchors if anchor.key in keep or not _is_kept(anchor, knowledge))
    refusals = tuple(each for each in now.refusals if not _was_done_since(each, now))
    if (len(tasks), len(anchors), len(refusals)) == (len(knowledge.tasks), len(knowledge.anchors), len(now.refusals)):
        return knowledge
    return replace(knowledge, tasks=tasks, anchors=anchors, situation=replace(now, refusals=refusals))


def _is_over(task: Task, rows: Sequence[Request]) -> bool:
    """Whether an open task is of a request that is done and that other work followed: a message itself, or what the agent was at when it
    called that done. Steps that a list has as left are never over by that: what an answer reports may be one of them."""
    if task.status not in _BEGUN or task.seq <= 0 or task.steps_left:
        return False
    at = task.seq if task.method == REQUEST else task.last_seq
    of = next((row for row in rows if row.seq <= at <= row.last_seq), None)
    # With the turn that lasts the agent may yet go on.
    return of is not None and of is not rows[-1] and of.state is RequestState.DONE and _ended(of, rows)


def _ended(row: Request, rows: Sequence[Request]) -> bool:
    """Whether other work followed the work that a message belongs to."""
    after = rows[next(place for place, each in enumerate(rows) if each is row) + 1 :]
    return any(not each.continues for each in after)


def _is_filed(task: Task, now: Situation) -> bool:
    """Whether a task was only filed in a tracker elsewhere: that is what was asked for, and the line of what was made tells it."""
    if task.method != MADE or task.status is not TaskStatus.NOT_STARTED or not task.tool_id or task.last_seq != task.seq:
        return False
    return any(made.kind == "issue" and made.url and made.id.lstrip("#") == task.tool_id.lstrip("#") for made in now.made)


def _is_kept(anchor: Anchor, knowledge: Knowledge) -> bool:
    """Whether a promise of the agent's was kept since, as a step of the work or of a list shows, or was to wait for the user, who has
    spoken since."""
    if anchor.type is not AnchorType.COMMITMENT or anchor.truth is not Truth.CLAIMED or anchor.ref.seq <= 0:
        return False
    seq = anchor.ref.seq
    if _FOR_USER.search(anchor.text) and any(row.seq > seq for row in knowledge.requests):
        return True
    did = [step.said for row in knowledge.requests for step in row.steps if step.seq > seq and step.files]
    for task in knowledge.tasks:
        if task.last_seq > seq and task.method != REQUEST and (task.status is TaskStatus.COMPLETED or task.steps_done):
            did.append(f"{task.description} {' '.join(task.steps_done)}")
    words = " ".join(content(anchor.text, WORDS))
    return bool(words) and any(covers(words, said, SAME) for said in did)


def _was_done_since(refusal: RefusedCall, now: Situation) -> bool:
    """Whether a commit or a push that was refused was made after all."""
    verbs = {words[0] for command in parse(refusal.target) if (words := after_git(command))} if " " in refusal.target else set()
    later = [commit for commit in now.commits if commit.ref.seq > refusal.seq]
    hashes = [found[0][:7] for commit in later if (found := _HASH.search(commit.text))]
    pushed = any(PUSH in each and any(name in each for name in hashes) for each in now.outside)
    return bool(later) and bool(verbs) and verbs <= {"add", "commit", "push"} and ("push" not in verbs or pushed)
