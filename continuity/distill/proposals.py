"""What the agent put to the person, and what a short yes or a number then decides."""

from __future__ import annotations

import re

from continuity.distill import ledger
from continuity.distill.clip import shorten
from continuity.distill.items import Proposal
from continuity.distill.language.acceptance import Acceptance
from continuity.distill.language.blocks import Kind
from continuity.distill.language.rules.rule import cue
from continuity.distill.language.sentences import Sentence, lowered
from continuity.distill.language.words import content
from continuity.distill.model import AnchorType, Quote, Truth
from continuity.distill.step import Step

OPTIONS = 8
LONGEST = 300

_COURSE = cue(
    r"\bi(?:'d| would) (?!like\b|need\b)\w+",
    r"\bi(?:'ll| will)? (?:recommend|suggest|propose)\b",
    r"\b(?:my|the) (?:recommendation|pick|choice|suggestion|proposal|plan)\b",
    r"\b(?:best|simplest|cleanest|right|better|safest|straightforward)\b",
    r"\b(?:should|could)(?: just| probably| simply)? (?:be|use|go|move|keep|drop|add|remove|inline|replace|switch|wait)\b",
    r"\bthe fix\b",
)
_ROUTINE = re.compile(
    r"\b(?:commit|push|go ahead|proceed|continue|run|start|fix (?:it|this|that|the)|take a look|look into|check|do (?:it|this|that))\b"
)


def proposal(step: Step, part: int, sentences: list[Sentence], asks: tuple[Sentence, ...]) -> Proposal | None:
    """What an agent's text puts to the person: its last question, the course it recommends, its numbered options; None where
    it neither asks nor recommends."""
    question = asks[-1] if asks else None
    before = [s for s in sentences if (question is None or s.index < question.index) and s.kind is not Kind.HEADING]
    courses = [s for s in before[-8 if asks else -4 :] if _COURSE.search(lowered(s.text)) and s.kind is Kind.PROSE]
    items = _last_list([s for s in sentences if s.kind is Kind.ITEM and s.marker.isalnum() and s.marker != "x"])

    def quote(sentence: Sentence) -> Quote:
        return shorten(step.quote(part, sentence.start, sentence.end), LONGEST)

    if question is None and not courses:
        return None
    return Proposal(
        quote(question) if question else None, quote(courses[-1]) if courses else None, tuple(quote(s) for s in items[:OPTIONS])
    )


def _last_list(items: list[Sentence]) -> list[Sentence]:
    """The items of the last numbered or lettered list."""
    start = 0
    for i, item in enumerate(items):
        if item.marker.lower() in ("1", "a"):
            start = i
    return items[start:] if len(items) - start >= 2 else []


def accept(step: Step, accepted: Acceptance, words: Quote) -> str:
    """Enter as decisions what the person's short answer accepts; returns the last one's key, or nothing where a yes to a
    routine question decides nothing that must survive."""
    offer = step.state.proposal
    if offer is None or (offer.question is None and not accepted.firm):
        return ""
    key = ""
    for text in _accepted(offer, accepted):
        others = [o.text for o in offer.options if o != text] if accepted.choices and "all" not in accepted.choices else []
        key = (
            ledger.found(
                step,
                AnchorType.DECISION,
                text.text,
                text.ref,
                0.95,
                Truth.STATED,
                "decision.accepted",
                rationale=words.text[:200],
                rejected="; ".join(others),
            )
            or key
        )
    return key


def _accepted(offer: Proposal, accepted: Acceptance) -> list[Quote]:
    options = offer.options
    if "all" in accepted.choices:
        return list(options[:4])
    if accepted.choices:
        places = [len(options) - 1 if c == "last" else int(c) - 1 if c.isdigit() else ord(c) - ord("a") for c in accepted.choices]
        return [options[i] for i in places if 0 <= i < len(options)]
    if offer.course is not None:
        return [offer.course]
    question = lowered(offer.question.text) if offer.question else ""
    if offer.question is None or _ROUTINE.search(question) or len(content(question, 6)) < 4:
        return []
    return [offer.question]
