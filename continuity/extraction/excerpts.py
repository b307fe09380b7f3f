"""Excerpts of messages for a model: words of people and agents, masked and bounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from continuity import secrets
from continuity.extraction.model import WindowExcerpt
from continuity.knowledge.model import Truth
from continuity.secrets import SecretSpan
from continuity.transcripts.base.model import Message, PartKind, Voice

# A person's words weigh more; what tools and harnesses say, the rules read exactly.
SHOWN = {Voice.PERSON: 4000, Voice.AGENT: 2000}
TRUTH = {Voice.PERSON: Truth.STATED, Voice.AGENT: Truth.CLAIMED}
CUT = " […] "
# A directive of ours, pasted or injected: what it says was known before, and was not said by this user.
DIRECTIVE = "--- SESSION CONTINUATION ---"


def excerpts_of(seq: int, message: Message, spans: Sequence[Mapping[str, Any]]) -> Iterator[WindowExcerpt]:
    """The texts of message `seq` that a model may see; `spans` are its stored secrets (`{part, path, start, end, kind}`).

    Nothing of side chains: there an agent speaks in the user's role.
    """
    if message.agent:
        return
    for index, part in enumerate(message.parts):
        if part.kind is not PartKind.TEXT or part.voice not in SHOWN or not part.text.strip() or DIRECTIVE in part.text:
            continue
        stored = [SecretSpan(s["start"], s["end"], s["kind"]) for s in spans if s["part"] == index and list(s["path"]) == ["text"]]
        # Found again as well: detectors may have been added since the message was stored.
        hidden = tuple(sorted({*stored, *secrets.find(part.text)}))
        visible = _visible(len(part.text), SHOWN[part.voice])
        shown = CUT.join(_masked(part.text, start, end, hidden) for start, end in visible)
        yield WindowExcerpt(seq, index, TRUTH[part.voice], part.text, shown, hidden, visible)


def _visible(length: int, most: int) -> tuple[tuple[int, int], ...]:
    """All of a text, or the beginning and the end of a long one."""
    return ((0, length),) if length <= most else ((0, most * 2 // 3), (length - most // 3, length))


def _masked(text: str, start: int, end: int, hidden: Sequence[SecretSpan]) -> str:
    """A stretch of `text`, with what it holds of each secret masked."""
    inside = [
        SecretSpan(max(span.start, start) - start, span.end - start, span.kind) for span in hidden if span.start < end and start < span.end
    ]
    return secrets.mask(text[start:end], inside)
