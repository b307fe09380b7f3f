"""Stable names for what is found, and the normal form in which repeated words are recognised."""

from __future__ import annotations

import re
from hashlib import blake2b

from continuity.knowledge.model import Ref

_MARKUP = re.compile(r"[*_`~\"'“”‘’]+")


def key(kind: str, ref: Ref, generation: int = 0) -> str:
    """Twelve hex digits from kind and place: the same words at the same place always give the same key.

    Every conversation of a chain numbers its messages from 1, so a place is only one beside its `generation` (0 for the first).
    """
    return digest(f"{lineage(generation)}{kind}|{ref.seq}|{ref.part}|{ref.start}", 6)


def lineage(generation: int) -> str:
    """What the keys of a conversation begin with, by how many it has before it in its chain."""
    return f"{generation}>" if generation else ""


def digest(text: str, size: int = 5) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=size).hexdigest()


def normal(text: str) -> str:
    """The text without markup, case, closing punctuation and extra space."""
    return " ".join(_MARKUP.sub("", text).split()).strip(" .,:;!?-").lower()
