"""Headings and lead-ins that say what the items under them are."""

from __future__ import annotations

import re
from dataclasses import dataclass

from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.sentences import Sentence
from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.engine import Setting

WORDS = 6  # a heading is short


@dataclass(frozen=True, slots=True)
class TextSection:
    """What stands under a matching heading: `type` (`reported` where an agent wrote it) and importance by who wrote it."""

    name: str
    heading: re.Pattern[str]
    type: AnchorType
    person: float
    agent: float
    critical: bool | None = None
    reported: AnchorType | None = None


SECTIONS = (
    TextSection(
        "section.questions",
        re.compile(r"\b(?:open|unresolved|remaining) (?:questions?|decisions?|points?)\b|\btbd\b|\bto (?:be )?decide[d]?\b"),
        AnchorType.QUESTION,
        0.85,
        0.8,
    ),
    TextSection(
        "section.decisions",
        re.compile(r"\bdecisions?\b|\bdesign choices\b|\bwe agreed\b|\bentscheidungen\b|\bdécisions\b"),
        AnchorType.DECISION,
        0.95,
        0.82,
    ),
    TextSection(
        "section.constraints",
        re.compile(
            r"\b(?:constraints?|requirements?|rules?|guidelines?|non[- ]goals?|out of scope|acceptance criteria|conventions"
            r"|must(?: not)?|don'ts?|keep unchanged|regeln|vorgaben|contraintes|exigences)\b"
        ),
        AnchorType.CONSTRAINT,
        0.97,
        0.8,
    ),
    TextSection(
        "section.verification",
        re.compile(r"\b(?:verification|test plan|manual test\w*|how to (?:test|verify))\b"),
        AnchorType.CONSTRAINT,
        0.92,
        0.7,
        False,
        AnchorType.FACT,
    ),
    TextSection(
        "section.failed",
        re.compile(r"\b(?:what (?:didn't|did not) work|failed approaches|tried and|rejected|alternatives considered)\b"),
        AnchorType.FAILED_APPROACH,
        0.85,
        0.8,
    ),
    TextSection(
        "section.causes",
        re.compile(r"\b(?:root causes?|actual problem|the problem|errors? and fixes|what was wrong|findings)\b"),
        AnchorType.FACT,
        0.8,
        0.75,
    ),
    TextSection(
        "section.problems",
        re.compile(r"\b(?:known (?:issues|limitations|gaps)|remaining issues|limitations|gaps?|caveats?|risks?)\b"),
        AnchorType.ERROR,
        0.8,
        0.75,
    ),
)

_LABEL = re.compile(r"\*\*[^*\n]{2,60}?:?\*\*:?\s*\S|^[A-Z][\w /-]{2,40}:\s+\S")


def section_of(sentence: Sentence, setting: Setting) -> TextSection | None:
    """The section that a list item or table row stands in, or None."""
    if (
        not sentence.under
        or len(sentence.under.split()) > WORDS
        or sentence.kind not in (BlockKind.ITEM, BlockKind.ROW)
        or setting is Setting.ASIDE
    ):
        return None
    return next((s for s in SECTIONS if s.heading.search(sentence.under)), None)


def is_labelled(sentence: Sentence) -> bool:
    """Whether an item names its own topic (`**Storage**: in the database`)."""
    return sentence.kind is BlockKind.ITEM and _LABEL.match(sentence.text) is not None
