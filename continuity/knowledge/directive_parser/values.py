"""The words of single lines of a directive as values: an anchor with its reason, a task with its steps, a command, paths."""

from __future__ import annotations

import re
from dataclasses import dataclass

from continuity.knowledge.anchor_types import TRAITS
from continuity.knowledge.directive_parser.grammar import (
    ABOUT_FILE,
    AGREED,
    ANSWERS,
    BECAUSE,
    BEFORE_REQUEST,
    BETWEEN_STEPS,
    BLOCKED_BY,
    CARRIED_OUT,
    CLIP,
    CUT,
    DATA_NOTE,
    DEFINES,
    FROM_FILE,
    MORE_STEPS,
    NOT_RUN_IN,
    OUTCOMES,
    PLACES,
    PROBABLY,
    PROPOSED,
    REJECTED,
    RENAMED_FROM,
    RENAMED_ONCE,
    SAID,
    SAYING,
    STATUS_WORDS,
    STEPS_DONE,
    STEPS_LEFT,
    UNCHANGED,
    UNDERTAKEN,
    WRITTEN,
    SectionKind,
)
from continuity.knowledge.model import AnchorType, TaskStatus

STEPS = 100  # steps of one task that are believed

_STATUSES = {words: status for status, words in STATUS_WORDS.items()}
_TYPES = {traits.words: type for type, traits in TRAITS.items()}
_TYPE_AT = (
    {place: type for type, place in PLACES.items()}
    | {(PLACES[type][0], SAID): type for type in SAYING}
    | {(SectionKind.DECISIONS, PROPOSED): AnchorType.DECISION, (SectionKind.TASKS, UNDERTAKEN): AnchorType.COMMITMENT}
)
_OUTCOMES = {words: passed for passed, words in OUTCOMES.items()}
_STATUS = re.compile(rf" \((?P<status>{'|'.join(_STATUSES)})(?:, (?P<done>\d{{1,4}}) of (?P<all>\d{{1,4}}) steps)?\)(?= — |$)")
_MORE = re.compile(rf"(\d{{1,4}}) {MORE_STEPS}")
_COMMAND = re.compile(
    rf"`(?P<command>.*?)` (?P<outcome>{'|'.join(_OUTCOMES)})(?: \(exit (?P<code>-?\d{{1,6}})\)|{re.escape(CUT)})?"
    rf"(?:: “(?P<result>.*)”(?: {re.escape(DATA_NOTE)})?)?(?P<changed> — .*\bchanged since\b.*)?"
    rf"(?: — (?:{BEFORE_REQUEST}|{UNCHANGED}|{NOT_RUN_IN[0]}).*)?"
)
_KEPT = re.compile(
    r"(?: \((?:staged|stashed|deleted)\))*(?: \(staged and edited since\))?(?: and \d+ more)?$"
)  # what is told of a path that is not committed, or behind the last
_DEFINED = re.compile(r"([^\s,()]+) \(([^()]+)\)")
_NUMBERED_PATH = re.compile(r"(.+?) \(f\d{1,7}\)(?:, |\.?$)")
_REPLACED = re.compile(r" \(replaced by (a\d{1,7})(?:: “.*”)?\)$")


@dataclass(frozen=True, slots=True)
class ToldAnchor:
    """An anchor's own words with its reason and the rejected alternative; `observed` where they are a tool's."""

    text: str
    rationale: str = ""
    rejected: str = ""
    observed: bool = False


@dataclass(frozen=True, slots=True)
class ToldTask:
    description: str
    status: TaskStatus
    steps_done: tuple[str, ...] = ()
    steps_left: tuple[str, ...] = ()
    blocking_reason: str = ""


@dataclass(frozen=True, slots=True)
class ToldCommand:
    command: str
    passed: bool | None
    exit_code: int | None
    result: str
    outdated: bool


def type_at(kind: SectionKind, label: str) -> AnchorType | None:
    """The type of the anchors that stand in this section with this label."""
    return _TYPE_AT.get((kind, label))


def type_named(words: str) -> AnchorType | None:
    return _TYPES.get(words)


def status_named(words: str) -> TaskStatus | None:
    return _STATUSES.get(words)


def anchor(text: str) -> ToldAnchor:
    text = text.partition(FROM_FILE)[0].removesuffix(CARRIED_OUT)
    text, _, rejected = text.partition(REJECTED)
    text, _, rationale = text.partition(next((lead for lead in (ANSWERS, AGREED) if lead in text), BECAUSE))
    plain = text.removesuffix(f" {DATA_NOTE}")
    observed = plain.startswith("“") and plain.endswith("”") and len(plain) > 2
    return ToldAnchor(plain[1:-1] if observed else text, rationale, rejected, observed)


def superseded(text: str) -> tuple[str, str]:
    """The words that no longer hold, and the reference of what took their place; empty where none is named."""
    match = _REPLACED.search(text)
    return (text[: match.start()], match[1]) if match else (text, "")


def task(text: str) -> ToldTask:
    """An open task's line. Steps that it counts without their words have the mark of left out words in their place."""
    found = list(_STATUS.finditer(text))
    if not found:
        return ToldTask(text, TaskStatus.NOT_STARTED)
    match = found[-1]
    rest, _, left_words = text[match.end() :].partition(STEPS_LEFT)
    rest, _, done_words = rest.partition(STEPS_DONE)
    done, left = _steps(done_words), _steps(left_words)
    missing = min(int(match["done"] or 0), STEPS) - len(done)
    return ToldTask(
        text[: match.start()], _STATUSES[match["status"]], (*(CLIP,) * missing, *done), left, rest.removeprefix(BLOCKED_BY) if rest else ""
    )


def finished(text: str) -> ToldTask:
    """A finished task's line."""
    description, _, done = text.partition(STEPS_DONE)
    return ToldTask(description, TaskStatus.COMPLETED, _steps(done))


def _steps(words: str) -> tuple[str, ...]:
    steps: list[str] = []
    for step in words.split(BETWEEN_STEPS) if words else ():
        more = _MORE.fullmatch(step)
        steps += [CLIP] * min(int(more[1]), STEPS) if more else [step.strip().removesuffix(WRITTEN)]
    return tuple(step for step in steps[:STEPS] if step)


def command(text: str) -> ToldCommand | None:
    """A command with how it ended; None where the line tells none."""
    match = _COMMAND.fullmatch(text)
    if match is None:
        return None
    code = int(match["code"]) if match["code"] else None
    return ToldCommand(match["command"], _OUTCOMES[match["outcome"]], code, match["result"] or "", match["changed"] is not None)


def paths(text: str) -> list[tuple[str, str]]:
    """The paths of a line, each with the other end of its renaming or nothing."""
    text = text.partition(ABOUT_FILE)[0]
    numbered = _NUMBERED_PATH.findall(text)
    plain = numbered or text.removesuffix(".").split(", ")
    return [ends for path in plain if (ends := _ends(path.strip()))[0]]


def uncommitted(text: str) -> list[str]:
    """The paths of a line of what is not committed."""
    named = text.removesuffix(".").replace(PROBABLY, ", ").split(", ")
    return [path for name in named if (path := _KEPT.sub("", name).strip())]


def _ends(text: str) -> tuple[str, str]:
    """A path and the one it was renamed from, if it was."""
    path, sign, other = text.partition(RENAMED_FROM[0])
    if sign and other.endswith(RENAMED_FROM[1]):
        return path, other.removesuffix(RENAMED_FROM[1])
    path, _, other = text.partition(RENAMED_ONCE)
    return path, other


def defined(text: str) -> tuple[str, ...]:
    """The names that the line of one file says are defined in it."""
    about = text.partition(ABOUT_FILE)[2]
    told = next((piece for piece in about.removesuffix(".").split("; ") if piece.startswith(DEFINES)), "")
    return tuple(told.removeprefix(DEFINES).split(", ")) if told else ()


def definitions(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """The files of a line, by their last name, each with the names defined in it."""
    return [(name, tuple(names.split(", "))) for name, names in _DEFINED.findall(text)]
