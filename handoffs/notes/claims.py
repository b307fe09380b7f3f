"""Claims of a note that can be refuted: passing checks, commits, finished work, the branch."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.model import CommandRun, FileAction, RequestKind, TaskStatus
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.coverage import terms_of
from handoffs.directive.lines.files import is_same_file
from handoffs.directive.lines.reruns import passed_since
from handoffs.directive.lines.wording import clip, one_line
from handoffs.notes.clauses import asserted, sentence_of, whole_sentence
from handoffs.notes.evidence import NoteEvidence, denies, words_of

_SETTING = (RequestKind.REQUEST, RequestKind.QUESTION)
SHOWN = 60  # characters of known words in a reason
SAME, LIKE = 0.8, 0.6
LONG = 12  # words of a statement that tells of passing checks among other things

_CHECK = r"(?:tests?|test suite|suite|checks?|ci|pipeline|build|lint\w*|type ?checks?|mypy|ruff|pytest|everything|pruebas)"
_PASSING = re.compile(rf"\b{_CHECK}\b[^.;!?]{{0,40}}?\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|green|clean|grün|bestehen|passent|pasan)\b")
# A word of its own, and no part of a name: "committed.go" tells of no commit.
_COMMITTED = re.compile(r"(?<![\w./-])(?:committed|pushed|merged)(?![\w/-]|\.\w)")
_UNCOMMITTED = re.compile(
    r"(?<!no )(?<!nothing )(?<!nothing is )\buncommitted|\bcommitted (?:diff|code|version|file|state)"
    r"|\b(?:committed|pushed|merged) (?:(?:and|or|,) \w+ )?(?:nothing|none|no)\b"
    r"|\b(?:the|of|in) (?:committed|pushed|merged) (?:commits?|branch(?:es)?|prs?|pull requests?)\b"
)
_FILE = re.compile(r"[\w-]+\.[a-z]{1,5}\b")
_OF_THE_PRESENT = frozenset(("now", "files", "history"))  # parts in which "committed" tells how things are
_ALL = re.compile(r"\b(?:all|everything|whole|changes|work|nothing left)\b")
_DONE = re.compile(r"\b(?:done|finished|completed?|implemented|fixed|resolved|solved)\b")
_HASH = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{7,40}\b")
_BRANCH = re.compile(
    r"\b(?:on|the) branch (?:is |called )?"
    r"(?:[`\"'“](?P<quoted>[\w./-]{1,100})|(?P<plain>(?:main|master|trunk|develop|dev|staging|production|release)\b|[\w.]*[/\d_-][\w./-]{0,100}))"
)
_COMMANDING = re.compile(r"\b(?:ignore|disregard|forget|override)\b[^.;]{0,40}\b(?:instructions?|previous|above|rules?|prompt)\b")
_PAST = re.compile(r"\bpass(?:ed)\b|\bsucceeded\b")
# What passed before something else tells nothing of now.
_BEFORE = re.compile(r"\b(?:before|earlier|previously|by that time|at that point|after (?:them|it|that|this|those|these|both))\b")


def commanding(low: str) -> str:
    """The reason against words that tell the next agent to leave aside what stands."""
    return "It tells the next agent to ignore what stands, which a note can't." if _COMMANDING.search(low) else ""


def superseded(part: str, through_seq: int, evidence: NoteEvidence) -> str:
    """The reason against what is wanted, or to be done next, where the person has asked for something since the note was written."""
    if part not in ("request", "next"):
        return ""
    rows = evidence.knowledge.requests
    later = next((row for row in rows if row.seq > through_seq and row.kind in _SETTING and row.text.text.strip()), None)
    if later is None or any(row.seq <= through_seq for row in in_work(rows)):  # what is added to the request in work ends nothing
        return ""
    return f"The person has asked for something else since{_at(later.seq)}."


def passing(part: str, low: str, evidence: NoteEvidence) -> tuple[str, bool]:
    """The reason against a claim that checks pass, and whether a run after the last edit shows that they do."""
    found = _PASSING.search(low)
    if found is None or not asserted(low, found):
        return "", False
    now = evidence.knowledge.situation
    runs = (*now.checks, *((now.verification,) if now.verification else ()))
    past = _PAST.search(found[0])
    then = past or found[0].endswith("passing")
    if (part == "history" and (past or any(run.passed for run in runs))) or (then and _BEFORE.search(whole_sentence(low, found))):
        return "", False
    if not runs:
        return ("No check was seen to run after the last change." if evidence.changed_after(0) else ""), False
    failed = [run for run in _meant(low, runs) if run.passed is False and not passed_since(run, runs)]
    if failed:
        return f"The last run of `{_short(failed[-1].command)}` failed{_at(failed[-1].seq)}.", False
    last = max(_meant(low, runs), key=lambda run: run.seq)
    if past and last.passed and len(words_of(low)) >= LONG:
        return "", False  # among other things it tells what was so, and the record tells that it must run again
    if changed := evidence.changed_after(last.seq):
        return f"`{_short(last.command)}` ran{_at(last.seq)}, before the last edit ({_short(changed[0].path)}).", False
    return "", last.passed is True


def committed(part: str, low: str, evidence: NoteEvidence) -> str:
    """The reason against a claim that the work is committed."""
    found = _COMMITTED.search(low)
    if part not in _OF_THE_PRESENT or found is None or not asserted(low, found) or _HASH.search(low) or _UNCOMMITTED.search(low):
        return ""
    commits = evidence.knowledge.situation.commits
    last = max((commit.ref.seq for commit in commits), default=0)
    changed = evidence.changed_after(last)
    if not changed:
        return ""
    if not commits:  # a person may have committed elsewhere what is told as over
        return f"No commit was seen after {_short(changed[0].path)} was changed." if part == "now" else ""
    named = [file for file in changed if file.path.rsplit("/", 1)[-1].lower() in low]
    meant = bool(named) and (part != "files" or len(named) == len(_FILE.findall(low)))
    return f"{_short(changed[0].path)} was changed after the last commit{_at(last)}." if meant or _ALL.search(low) else ""


def finished(part: str, text: str, evidence: NoteEvidence) -> str:
    """The reason against work told as done that a tracker still has open, or told as left that it has closed."""
    low, words = text.lower(), words_of(text)
    tracked = [task for task in evidence.knowledge.tasks if task.tool_id]
    left = part in ("next", "remaining")
    found = None if left else _DONE.search(low)
    if found is not None and asserted(low, found):
        low = sentence_of(low, found)  # what another one names may be open
        words = words_of(low)
    elif not left:
        return ""
    for task in tracked:
        is_done = task.status is TaskStatus.COMPLETED
        named = words_of(task.description)
        same = bool(named) and len(named & words) >= (SAME if left else LIKE) * len(named)
        if left and is_done and same and len(named & words) >= LIKE * len(words):
            return f"“{_short(task.description)}” was completed{_at(task.last_seq)}."
        if not left and not is_done and (same or _ALL.search(low)):
            return f"“{_short(task.description)}” is still open."
    return ""


def replaced(text: str, evidence: NoteEvidence) -> str:
    """The reason against a choice that was replaced by another one."""
    words = words_of(text)
    for anchor in evidence.knowledge.superseded:
        named = words_of(anchor.text)
        alike = len(words) > 1 and len(words & named) >= SAME * len(words) and len(words & named) >= LIKE * len(named)
        still = any(len(words & words_of(each.text)) >= SAME * len(words) for each in evidence.knowledge.anchors) if alike else True
        if alike and not still and denies(text.lower()) is denies(anchor.text.lower()):
            return f"“{_short(anchor.text)}” was replaced later{_at(anchor.settled_seq or 0)}."
    return ""


def elsewhere(part: str, low: str, evidence: NoteEvidence) -> str:
    """The reason against another branch than the known one, and against a file told as changed that was only read."""
    known = evidence.knowledge.situation.branch
    found = _BRANCH.search(low)
    named = (found["quoted"] or found["plain"]).rstrip(".") if found else ""
    if part == "now" and found and known and named != known.lower() and asserted(low, found):
        return f"The branch is {_short(known)}."
    if part != "files" or not re.match(r"\S+[\s:–—-]+(?:was |is )?(?:changed|edited|modified|created|added|deleted|rewritten)\b", low):
        return ""
    name = low.split(maxsplit=1)[0].strip("`:,'\"")
    meant = [file for file in evidence.knowledge.files if name and is_same_file(name, file.path.lower())]
    only_read = bool(meant) and all(file.action is FileAction.READ for file in meant)
    return f"{_short(meant[0].path)} was only read." if only_read else ""


def names_in(text: str) -> frozenset[str]:
    return terms_of(text).names


def _meant(low: str, runs: Sequence[CommandRun]) -> Sequence[CommandRun]:
    """The runs that the words name by their command, or all of them."""
    tools = [tool for tool in ("pytest", "ruff", "mypy", "lint", "build", "test") if tool in low]
    return [run for run in runs if any(tool in run.command.lower() for tool in tools)] or runs


def _short(words: str) -> str:
    return clip(one_line(words), SHOWN)


def _at(seq: int) -> str:
    return f" at m{seq}" if seq > 0 else ""
