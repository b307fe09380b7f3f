"""Stable names for what is found, and the normal form in which repeated words are recognised."""

from __future__ import annotations

import re
from hashlib import blake2b

from continuity.distill.model import Ref

_MARKUP = re.compile(r"[*_`~\"'“”‘’]+")
_SPACE = re.compile(r"\s+")


def key(kind: str, ref: Ref, generation: int = 0) -> str:
    """Twelve hex digits from kind and place: the same words at the same place always give the same key.

    `generation` counts the conversations before this one in its chain, which all number their messages from 1.
    """
    return digest(f"{of_generation(generation)}{kind}|{ref.seq}|{ref.part}|{ref.start}", 6)


def of_generation(generation: int) -> str:
    """What keeps the keys of a successor apart from those it inherits; nothing for the first of a chain."""
    return f"{generation}|" if generation else ""


def digest(text: str, size: int = 5) -> str:
    return blake2b(text.encode("utf-8", "replace"), digest_size=size).hexdigest()


def normal(text: str) -> str:
    """The text without markup, case, closing punctuation and extra space."""
    return _SPACE.sub(" ", _MARKUP.sub("", text)).strip(" .,:;!?-").lower()
