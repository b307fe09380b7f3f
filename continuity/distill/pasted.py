"""What the person pastes without comment: the lines of a log or a terminal that tell what went wrong."""

from __future__ import annotations

import re

from continuity.distill import ledger, speech
from continuity.distill.model import AnchorType, Ref, Truth
from continuity.distill.step import Step

LINES = 5  # kept of one message
LONGEST = 300
READ = 200_000  # characters, from the end

_WRONG = re.compile(
    r"\b(?:errors?|failed|failure|fatal|exception|panic|denied|refused|timed out|timeout|cannot|can't|could not|unable to|not found"
    r"|no such|invalid|unexpected|undefined|rejected|conflict|traceback|segfault|killed|crash(?:ed)?)\b|✗|✖|❌",
    re.I,
)
_NUMBERS = re.compile(r"\d+")


def errors(step: Step, part: int) -> None:
    """Enter the last few different lines of a person's text that no one wrote as a sentence and that tell of a failure.

    They count until the person speaks again after the agent reported the work done.
    """
    text = step.message.parts[part].text
    base = max(0, len(text) - READ)
    found: dict[str, tuple[int, int]] = {}
    position = base
    for line in text[base:].splitlines(keepends=True):
        words = line.strip()
        if words and len(words) <= 1000 and _WRONG.search(words) and not _is_sentence(words):
            start = position + line.index(words)
            found[_NUMBERS.sub("0", words)] = (start, start + min(len(words), LONGEST))
        position += len(line)
    for start, end in list(found.values())[-LINES:]:
        ledger.found(
            step, AnchorType.ERROR, text[start:end], Ref(step.seq, part, start, end), 0.72, Truth.OBSERVED, "error.pasted", until="report"
        )


def _is_sentence(words: str) -> bool:
    return speech.is_prose(words) and words[0] not in "[(<|✗✖❌" and ":" not in words[:40]
