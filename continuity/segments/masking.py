"""Anchors of a segment without those of masked messages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from continuity.knowledge.model import Anchor, Ref
from continuity.secrets import mask_text
from continuity.transcripts.base.model import Message


def hidden(anchor: Anchor, messages: Mapping[int, Message]) -> Anchor:
    """The anchor without secrets, at the place that its words have in its masked message."""
    text = mask_text(anchor.text)
    parts = messages[anchor.ref.seq].parts
    start = parts[anchor.ref.part].text.find(text) if anchor.ref.part < len(parts) else -1
    span = (start, start + len(text)) if start >= 0 else (0, 0)
    return replace(anchor, text=text, ref=Ref(anchor.ref.seq, anchor.ref.part, *span))
