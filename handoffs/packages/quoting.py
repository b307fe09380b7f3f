"""Showing words that came out of a tool as data, so that nobody takes them for an instruction."""

from __future__ import annotations

import re

from continuity.distill.directive.grammar import DATA_NOTE as DATA_NOTE

# Phrases by which text in a tool's output addresses the agent that reads it.
_INSTRUCTION = re.compile(
    r"\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|previous|above|rules?|prompt)\b"
    r"|\byou (?:must|should|are|need|will|have to)\b"
    r"|\b(?:system|assistant|developer) ?(?:prompt|message|:)|\bas an ai\b|\bdo not (?:tell|mention|reveal)\b|</?[a-z][\w-]{2,}[ >]",
    re.IGNORECASE,
)


def as_data(text: str) -> str:
    """The text in quotation marks, and with a note where it reads like an instruction."""
    quoted = f"“{text}”"
    return f"{quoted} {DATA_NOTE}" if _INSTRUCTION.search(text) else quoted
