"""Putting a name in the place of a secret."""

from __future__ import annotations

from collections.abc import Iterable

from continuity.secrets.finding import find
from continuity.secrets.model import SecretSpan
from continuity.transcripts.base.sanitise import clean_text


def mask(text: str, spans: Iterable[SecretSpan]) -> str:
    """`text` with each span replaced by its kind (`[secret: jwt]`). Spans may overlap; those beyond the text are cut."""
    pieces: list[str] = []
    position = 0
    for span in sorted(spans):
        if span.end <= position or span.start >= len(text):
            continue
        pieces.append(text[position : span.start])
        if span.start >= position:
            pieces.append(f"[secret: {span.kind}]")
        position = min(span.end, len(text))
    pieces.append(text[position:])
    return "".join(pieces)


def mask_text(text: str) -> str:
    """`text` with every secret that `find` finds replaced by its kind, without marks that steer a terminal or a page."""
    spans = find(text)
    return clean_text(mask(text, spans) if spans else text)
