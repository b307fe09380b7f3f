"""Knowledge that a conversation begins with: the summary of an earlier one whose messages are not in this file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from continuity.knowledge.anchors import recording
from continuity.knowledge.extractors.tools import files
from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.clip import clip, shorten
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.sentences import Sentence, split
from continuity.knowledge.model import AnchorType, FileAction, Quote, Ref, Task, TaskStatus, Truth
from continuity.knowledge.rules import apply
from continuity.knowledge.rules.catalogue import RuleLine, Setting
from continuity.knowledge.state.open_items import Effect
from continuity.knowledge.state.step import FoldStep
from continuity.knowledge.tasks import tracking

_BODY = re.compile(r"^(?:<summary>|Summary:)[ \t]*$", re.M)
_HEADING = re.compile(r"^[ \t]*(?:#{1,6}[ \t]*|\d{1,2}[.)][ \t]+|\*\*)?(?P<name>[A-Z][\w ,/&'()-]{3,60}?)(?:\*\*)?:?(?:\*\*)?[ \t]*$", re.M)
_PATH = re.compile(
    r"(?<![\w/.])[~/]?(?:[\w.@-]+/)+[\w.@-]+\.\w{1,8}(?![\w/])|(?<![\w/.])[\w-]+\.(?:py|ts|tsx|js|go|rs|md|json|toml|ya?ml|sh|sql|java"
    r"|rb|css|html)\b"
)
_CREATED = re.compile(r"\b(?:created|new file|new)\b", re.I)
_DELETED = re.compile(r"\b(?:deleted|file removed)\b", re.I)
_CHANGED = re.compile(
    r"\b(?:modified|changed?|edited|updated|rewrote|fixed|added|removed|merged|inlined|refactored|replaced|renamed|moved|extended"
    r"|implemented)\b",
    re.I,
)
_FINISHED = re.compile(r"\b(?:resolved|completed?|done|merged|finished)\b|\[x\]", re.I)
_OPEN = re.compile(r"\b(?:not|pending|in progress|remaining|in_progress)\b", re.I)
_BLOCKED = re.compile(r"\bblocked\b|\bwaiting (?:for|on)\b", re.I)

_SECTIONS = (
    ("person", re.compile(r"user messages|user (?:requests|instructions|feedback|directives)|messages from the user", re.I)),
    ("intent", re.compile(r"primary request|intent|objective|goal", re.I)),
    ("pending", re.compile(r"pending|remaining|to ?do|open tasks|unfinished|outstanding", re.I)),
    ("next", re.compile(r"next step|immediate", re.I)),
    ("current", re.compile(r"current (?:work|state|status)|in progress", re.I)),
    ("files", re.compile(r"\bfiles?\b|code sections|artifacts|modified", re.I)),
    ("errors", re.compile(r"errors?|fixes|problems? solv|issues|failed", re.I)),
    ("rules", re.compile(r"constraints?|rules?|preferences|guidelines|requirements", re.I)),
    ("decisions", re.compile(r"decisions?|approach", re.I)),
)
_TYPES = {
    "errors": (AnchorType.ERROR, 0.68),
    "rules": (AnchorType.CONSTRAINT, 0.95),
    "decisions": (AnchorType.DECISION, 0.88),
    "intent": (AnchorType.FACT, 0.8),
}


def carry(step: FoldStep, part: int) -> None:
    """Fold a summary at the beginning of a conversation, section by section, as claims."""
    text = step.message.parts[part].text
    step.state.carried = True
    body_mark = _BODY.search(text)
    for section, start, end in sections(text, body_mark.end() if body_mark else 0):
        body = text[start:end]
        sentences = [s for s in split(body) if s.kind is not BlockKind.HEADING and len(content(s.text, 3)) >= 2]
        if section == "files":
            _files(step, body)
        for sentence in sentences[:60]:
            _item(step, part, start, sentence, section)


def body_of(step: FoldStep, part: int) -> Quote:
    """The words of a summary without what introduces it."""
    text = step.message.parts[part].text
    mark = _BODY.search(text)
    start = mark.end() if mark else 0
    start += len(text[start:]) - len(text[start:].lstrip())
    return step.quote(part, start, max(start, len(text.rstrip())))


def sections(text: str, begin: int = 0) -> Iterator[tuple[str, int, int]]:
    """(section name, start, end) for each stretch of the summary from `begin` on; the name is empty where no heading names
    one."""
    name = ""
    for match in _HEADING.finditer(text, begin):
        found = next((key for key, pattern in _SECTIONS if pattern.search(match["name"])), None)
        if found is None and not match.group().lstrip().startswith(("#", "**")) and not match.group().lstrip()[:1].isdigit():
            continue
        if match.start() > begin:
            yield name, begin, match.start()
        name, begin = found or "", match.end()
    if begin < len(text):
        yield name, begin, len(text)


def _item(step: FoldStep, part: int, offset: int, sentence: Sentence, section: str) -> None:
    state = step.state
    sentence = _unquoted(sentence)
    ref = Ref(step.seq, part, offset + sentence.start, offset + sentence.end)
    quote = step.quote(part, ref.start, ref.end)
    if section == "pending":
        key = tracking.key_of(step, "carried", step.seq, str(ref.start))
        status = _status(sentence.text)
        reason = sentence.text if status is TaskStatus.BLOCKED else ""
        task = Task(
            key, clip(sentence.text, tracking.DESCRIPTION), status, step.seq, step.seq, "carried", blocking_reason=clip(reason, 200)
        )
        tracking.put(step, task)
        return
    if section == "intent" and state.objective is None:
        state.objective = shorten(quote, 500)
    if section == "person":
        state.latest_request = shorten(quote, 500)
    if section == "next" and state.next_step is None:
        state.next_step = shorten(quote, 400)
    setting = Setting.PERSON if section in ("person", "rules", "intent") else Setting.REPORT
    line = RuleLine.of(sentence, setting)
    rule = step.rule_of(line) if apply.is_prose(sentence.text) else None
    typed = _TYPES.get(section)
    if typed is not None and (rule is None or section in ("rules", "decisions")):
        recording.found(step, typed[0], sentence.text, ref, typed[1], Truth.CLAIMED, f"carried.{section}")
    elif rule is not None:
        recording.found(step, rule.type, sentence.text, ref, step.weight(rule, line), Truth.CLAIMED, f"carried.{rule.name}")


def _unquoted(sentence: Sentence) -> Sentence:
    """A quoted message without its quotation marks and what the summary adds behind them."""
    text = sentence.text
    close = text.rfind('"')
    if not text.startswith('"') or close < 2:
        return sentence
    return replace(sentence, text=text[1:close], start=sentence.start + 1, end=sentence.start + close)


def _status(text: str) -> TaskStatus:
    """How far a task in a list of pending ones is: summaries list what is done beside what is not."""
    if _FINISHED.search(text) and not (_OPEN.search(text) and not re.search(r"RESOLVED|DONE|COMPLETED?", text)):
        return TaskStatus.COMPLETED
    return TaskStatus.BLOCKED if _BLOCKED.search(text) else TaskStatus.NOT_STARTED


def _files(step: FoldStep, body: str) -> None:
    """Paths that a summary lists, with what it says happened to them on the same line."""
    for line in body.splitlines():
        match = _PATH.search(line[:400])
        if not match or match.start() > 12:
            continue
        action = (
            FileAction.CREATED
            if _CREATED.search(line)
            else FileAction.DELETED
            if _DELETED.search(line)
            else FileAction.MODIFIED
            if _CHANGED.search(line)
            else FileAction.READ
        )
        files.touch(step, Effect(action, match.group()), step.state.cwd)
