"""The parts of the person's long request as lines: those of open work, and little of those whose work is done."""

from __future__ import annotations

import re

from continuity.distill.language.words import content
from continuity.distill.model import Knowledge, Quote, Task, TaskStatus
from handoffs.packages.candidate import Candidate
from handoffs.packages.limits import Limits
from handoffs.packages.model import Item, SectionKind
from handoffs.packages.references import References
from handoffs.packages.wording import clip, normalise, one_line

# What a part is worth by the state of the task that is about it: unknown, done, open; what it was like before; a request that another has followed counts less.
UNKNOWN, DONE, OPEN = 0.6, 0.15, 0.95
BEFORE = 0.2
FOLLOWED = 0.15
# The share of a heading's words that a task's words must have to be about that part.
ABOUT = 0.5
WORDS = 40
_ITEM = re.compile(r"^(?:#{1,6}|[-*+•]|\d{1,3}[.)])[ \t]+")
_BEFORE = re.compile(r"\b(?:context|background|motivation|problem|overview|current (?:state|situation|behaviou?r)|why|kontext|contexte)\b", re.I)
_PATH = re.compile(r"`[^`]*`|\S*[/.]\w\S*")


def brief_candidates(knowledge: Knowledge, limits: Limits) -> list[Candidate]:
    """One candidate per part, at most as long as two sides of an exchange."""
    goal = knowledge.situation.objective
    share = 1.0 if goal and knowledge.brief and goal.ref.seq == knowledge.brief[0].ref.seq else FOLLOWED
    tasks = [(set(content(_words(task), WORDS)), task.status) for task in knowledge.tasks if task.method != "request"]
    anyway, said = _told(knowledge)
    found = []
    for number, part in enumerate(knowledge.brief):
        worth = share * _worth(part, tasks)
        text = _new(part, anyway if worth >= OPEN else said, 2 * limits.turn)
        if not text:
            continue
        reference = References.message(part.ref.seq)
        item = Item(reference, f"part@{part.ref.seq}.{number}", text, part.ref.seq, 0, worth, label="part")
        found.append(Candidate(SectionKind.TASKS, item))
    return found


def _told(knowledge: Knowledge) -> tuple[str, str]:
    """What a package tells anyway (the goal, critical anchors, the steps of open tasks), and that with all that has a line of its own
    to be chosen: only a part of open work tells that again, in its place."""
    goal = knowledge.situation.objective
    critical = (anchor.text for anchor in knowledge.anchors if anchor.critical)
    steps = (step for task in knowledge.tasks if task.status is not TaskStatus.COMPLETED for step in task.steps_left)
    anyway = "\n".join(normalise(words) for words in (goal.text if goal else "", *critical, *steps))
    return anyway, "\n".join((anyway, *(normalise(anchor.text) for anchor in knowledge.anchors if not anchor.critical)))


def _new(part: Quote, told: str, length: int) -> str:
    """The part's heading and those of its lines that are not told anyway; nothing where none is left."""
    heading, *lines = [line.strip() for line in part.text.splitlines() if line.strip()]
    kept = [line for line in lines if _ITEM.sub("", line) and normalise(_ITEM.sub("", line)) not in told]
    return clip(one_line("\n".join((_ITEM.sub("", heading), *kept))), length) if kept else ""


def _words(task: Task) -> str:
    return " ".join((task.description, *task.steps_left, *task.steps_done))


def _worth(part: Quote, tasks: list[tuple[set[str], TaskStatus]]) -> float:
    """By the task that shares most words with the part's heading."""
    title = part.text.partition("\n")[0]
    if _BEFORE.search(title):
        return BEFORE
    heading = set(content(_PATH.sub("", title), WORDS)) or set(content(title, WORDS))
    shared = [(len(heading & words), status is not TaskStatus.COMPLETED) for words, status in tasks]
    most, is_open = max(shared, default=(0, False))
    if not heading or most < ABOUT * len(heading):
        return UNKNOWN
    return OPEN if is_open else DONE
