"""Showing words that came out of a tool as data, so that nobody takes them for an instruction."""

from __future__ import annotations

import re

from continuity.knowledge.directive_parser.grammar import BETWEEN_STEPS
from continuity.knowledge.directive_parser.grammar import DATA_NOTE as DATA_NOTE
from continuity.knowledge.rules.prefilter import PrefilteredPattern
from continuity.knowledge.state.fold_cache import cached
from handoffs.directive.lines.wording import one_line

# Phrases by which text in a tool's output addresses the agent that reads it.
INSTRUCTION = (
    r"\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|previous|above|rules?|prompt)\b"
    r"|\byou (?:must|should|are|need|will|have to)\b"
    r"|\b(?:system|assistant|developer) ?(?:prompt|message|:)|\bas an ai\b|\bdo not (?:tell|mention|reveal)\b|</?[a-z][\w-]{2,}[ >]"
)
_INSTRUCTION = PrefilteredPattern(INSTRUCTION, re.IGNORECASE)


@cached
def as_data(text: str) -> str:
    """The text in quotation marks, and with a note where it reads like an instruction."""
    quoted = f"“{within_quotes(text)}”"
    return f"{quoted} {DATA_NOTE}" if instructs(text) else quoted


def within_quotes(text: str) -> str:
    """The text unable to end the quotation marks around it."""
    return text.replace("“", "‘").replace("”", "’")


def instructs(text: str) -> bool:
    """Whether the text reads like an instruction to an agent."""
    return _INSTRUCTION.search(text, _lowered(text)) is not None


def _lowered(text: str) -> str:
    """In lower case as a pattern takes both cases for one: a long s for an s, an i with and without its dot for an i."""
    return text.lower() if text.isascii() else text.casefold().replace("i\u0307", "i").replace("ı", "i")


def as_name(words: str) -> str:
    """A name within a line that separates its parts."""
    return within_quotes(one_line(words)).replace(BETWEEN_STEPS, ", ").strip()
