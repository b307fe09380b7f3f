"""The parts of the person's long request as lines: those of open work, and little of those whose work is done."""

from __future__ import annotations

import re

from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.language.content_words import content
from continuity.knowledge.model import FileAction, Knowledge, Quote, Task, TaskStatus
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.wording import clip, normalise, one_line
from handoffs.directive.references import References

# What a part is worth by the state of the task that is about it: unknown, done, open. What tells how it was before is worth little,
# and nothing once work was done; a request that another has followed counts less.
UNKNOWN, DONE, OPEN = 0.6, 0.15, 0.95
BEFORE = 0.2
FOLLOWED = 0.15
# The share of a heading's words that a task's words must have to be about that part.
ABOUT = 0.5
WORDS = 40
BELOW, BETWEEN = ": ", " / "
_ITEM = re.compile(r"^(?:#{1,6}|[-*+•]|\d{1,3}[.)])[ \t]+")
_BEFORE = re.compile(
    r"[#\W]*(?:\d{1,3}[.)]\s*)?(?:the )?(?:context|background|motivation|problem(?: statement)?|overview|why"
    r"|current (?:state|situation|behaviou?r)|reference(?: implementation)?|kontext|hintergrund|contexte)\W*$",
    re.I,
)
LONG = 6  # words from which what a line says is known again within another
_PATH = re.compile(r"`[^`]*`|\S*[/.]\w\S*")
_FENCE = re.compile(r"\s*(?:```|~~~)[\w-]*\s*$")
_FILE = re.compile(r"(?<![\w-])[\w-]+(?:\.[\w-]+)*\.[a-z]{1,5}\b(?!\()")


def brief_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """One candidate per part of the request in work, at most as long as two sides of an exchange."""
    if not knowledge.brief or not _is_in_work(knowledge.brief[0].ref.seq, knowledge):
        return []
    of_document = any(0 < row.seq < knowledge.brief[0].ref.seq for row in in_work(knowledge.requests))
    share = 1.0 if of_document or told_in_parts(knowledge) else FOLLOWED
    tasks = [(_words(task), task.status) for task in knowledge.tasks if task.method != "request"]
    anyway, said = _told(knowledge)
    moved = moved_files(knowledge)
    found = []
    for number, part in enumerate(knowledge.brief):
        worth = share * _worth(part, tasks)
        text = _new(part, anyway if worth >= OPEN else said, 2 * limits.turn)
        if not text or not worth or any(is_named(path, part.text) for path in moved):
            continue  # nothing, or about a file that was made at another place since
        reference = References.message(part.ref.seq)
        label = "of document" if of_document else "part"
        item = PackageItem(reference, f"part@{part.ref.seq}.{number}", text, part.ref.seq, 0, worth, label=label)
        found.append(Candidate(SectionKind.TASKS, item))
    return found


def moved_files(knowledge: Knowledge) -> dict[str, str]:
    """The files that are gone, each with the only place at which one of its name was made or changed."""
    last = {file.path: file for file in sorted(knowledge.files, key=lambda file: file.last_seq)}
    there: dict[str, list[str]] = {}
    for path, file in last.items():
        if file.action not in (FileAction.READ, FileAction.DELETED):
            there.setdefault(path.rsplit("/", 1)[-1], []).append(path)
    gone = [path for path, file in last.items() if file.action is FileAction.DELETED and not is_scratch(path)]
    return {path: places[0] for path in gone if len(places := there.get(path.rsplit("/", 1)[-1], [])) == 1}


def is_named(path: str, text: str) -> bool:
    """Whether a text names a file by the last two parts of its path."""
    return "/" in path and "/".join(path.split("/")[-2:]) in text


def _is_in_work(seq: int, knowledge: Knowledge) -> bool:
    """Whether the message is of the request in work; a predecessor's request comes back before the message that tells its parts."""
    rows = in_work(knowledge.requests)
    inherited = bool(rows) and rows[0].seq <= 0 and all(row.seq != seq for row in knowledge.requests)
    return inherited or any(row.seq <= seq <= row.last_seq for row in rows)


def told_in_parts(knowledge: Knowledge) -> int | None:
    """The message of the request that is the goal and whose parts are told, or None."""
    goal = knowledge.situation.objective
    return goal.ref.seq if goal and knowledge.brief and goal.ref.seq == knowledge.brief[0].ref.seq else None


def _told(knowledge: Knowledge) -> tuple[str, str]:
    """What a package tells anyway (the goal, critical anchors, the steps of open tasks), and that with all that has a line of its own
    to be chosen: only a part of open work tells that again, in its place."""
    goal = knowledge.situation.objective
    critical = (anchor.text for anchor in knowledge.anchors if anchor.critical)
    steps = (step for task in knowledge.tasks if task.status is not TaskStatus.COMPLETED for step in task.steps_left)
    anyway = "\n".join(normalise(words) for words in (goal.text if goal else "", *critical, *steps))
    return anyway, "\n".join((anyway, *(normalise(anchor.text) for anchor in knowledge.anchors if not anchor.critical)))


def _new(part: Quote, told: str, length: int) -> str:
    """The part's heading and those of its lines that are not told anyway; nothing where none is left. What a directive told of a part
    is one line."""
    heading, *lines = [_ITEM.sub("", line.strip()) for line in part.text.splitlines() if line.strip() and not _FENCE.match(line)]
    if not lines:
        return "" if _is_told(normalise(heading), told) else heading
    kept = [line for line in lines if line and not _is_told(normalise(line), told)]
    return clip(one_line(f"{heading}{BELOW}{BETWEEN.join(kept)}"), length) if kept else ""


def _is_told(words: str, told: str) -> bool:
    """Whether a line stands among what is told: as a line of its own, or, where it is long enough to be known again, within one."""
    return words in told if len(words.split()) >= LONG else f"\n{words}\n" in f"\n{told}\n"


def _words(task: Task) -> str:
    return " ".join((task.description, *task.steps_left, *task.steps_done))


def _meant(title: str) -> set[str]:
    return {word for word in content(title, WORDS) if any(letter.isalpha() for letter in word)}


def _worth(part: Quote, tasks: list[tuple[str, TaskStatus]]) -> float:
    """By the task that shares most words with the part's heading, or by those that name its files."""
    title = part.text.partition("\n" if "\n" in part.text else BELOW)[0]
    if _BEFORE.match(title):
        return 0.0 if any(status is TaskStatus.COMPLETED for _, status in tasks) else BEFORE
    heading = _meant(_PATH.sub("", title)) or _meant(title)
    shared = [(len(heading & set(content(words, WORDS))), status is not TaskStatus.COMPLETED) for words, status in tasks]
    most, is_open = max(shared, default=(0, False))
    if not heading or most < ABOUT * len(heading):
        files = set(_FILE.findall(part.text))
        left = set(_FILE.findall("\n".join(words for words, status in tasks if status is not TaskStatus.COMPLETED)))
        done = set(_FILE.findall("\n".join(words for words, status in tasks if status is TaskStatus.COMPLETED)))
        return DONE if files and files <= done - left else UNKNOWN
    return OPEN if is_open else DONE
