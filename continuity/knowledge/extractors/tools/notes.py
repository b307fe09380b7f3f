"""Notes that an agent writes for its successor: notes, plans and instructions in files of their own.

A successor may read them too, if it knows that they matter; what they lay down is entered as the agent's claim, with less weight than
its words. Writing a file anew takes the place of what it said before.
"""

from __future__ import annotations

import re

from continuity.knowledge.anchors import recording
from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.extractors.tools import tool_names
from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.sentences import Sentence, split
from continuity.knowledge.model import AnchorState, AnchorType, FileAction, Ref, Truth
from continuity.knowledge.rules import apply
from continuity.knowledge.rules.catalogue import RuleLine, Setting
from continuity.knowledge.state.open_items import Pending
from continuity.knowledge.state.step import FoldStep
from continuity.transcripts.base.model import Part

READ = 40_000  # characters of what is written
KEPT = 8  # anchors from one writing
LONGEST = 400
SHARE = 0.65  # of what the agent's words would weigh

_NAME = re.compile(
    r"(?:^|[/\\_.-])(?:claude|agents|gemini|hand[-_]?(?:off|over)|notes?|todo|backlog|road[-_]?map|(?:implementation|migration)?[-_]?plan"
    r"|status|progress|next[-_]steps?|memory|decisions?|design|spec)(?:[_.-][\w.-]*)?\.(?:md|mdx|markdown|txt|rst|org)$"
    r"|[/\\](?:plans|specs|notes|handoffs|memory|decisions|adr)[/\\][^/\\]+\.(?:md|mdx|markdown|txt|rst|org)$",
    re.I,
)
_TYPES = frozenset((AnchorType.FACT, AnchorType.DECISION, AnchorType.CONSTRAINT, AnchorType.ERROR, AnchorType.FAILED_APPROACH))


def written(step: FoldStep, index: int, part: Part) -> None:
    """Enter what a call lays down in a file of notes; its result confirms it or takes it back."""
    path = tool_names.path_of(part.input)
    if not _NAME.search(path):
        return
    text = tool_names.first(part.input, "content", "file_text", "contents", "text", "new_string", "newString", "new_str", "insert_text")
    found = [(weight, sentence, type) for sentence in split(text[:READ]) if (hit := _finding(step, sentence)) for type, weight in (hit,)]
    kept = sorted(found, key=lambda each: (-each[0], each[1].index))[:KEPT]
    for weight, sentence, type in sorted(kept, key=lambda each: each[1].index):
        recording.found(
            step,
            type,
            sentence.text,
            Ref(step.seq, index, sentence.start, sentence.start),
            weight,
            Truth.CLAIMED,
            "note.written",
            until=_until(path),
            critical=False,
        )


def ended(step: FoldStep, pending: Pending, *, failed: bool) -> None:
    """A file that was written whole says no longer what it said before; a call that failed, or that the person refused, wrote nothing."""
    for effect in pending.effects:
        if effect.action in (FileAction.CREATED, FileAction.MODIFIED) and _NAME.search(effect.path):
            _settle(step, _until(effect.path), pending.seq, failed=failed, whole=effect.action is FileAction.CREATED)


def _settle(step: FoldStep, until: str, seq: int, *, failed: bool, whole: bool) -> None:
    for name, item in step.state.open.items():
        if item.until == until and (item.seq == seq if failed else whole and item.seq < seq):
            recording.settle(step, step.state.open, name, AnchorState.RESOLVED)


def _finding(step: FoldStep, sentence: Sentence) -> tuple[AnchorType, float] | None:
    if (
        sentence.kind not in (BlockKind.PROSE, BlockKind.ITEM, BlockKind.ROW)
        or len(sentence.text) > LONGEST
        or not apply.is_prose(sentence.text)
    ):
        return None
    line = RuleLine.of(sentence, Setting.REPORT, apply.usage(step, sentence.text))
    rule = step.rule_of(line) if len(content(sentence.text, 4)) >= 3 else None
    return (rule.type, SHARE * step.weight(rule, line)) if rule is not None and rule.type in _TYPES else None


def _until(path: str) -> str:
    return f"note:{digest(path)}"
