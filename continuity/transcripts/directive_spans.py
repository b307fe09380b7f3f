"""Places of directives in a text, and the text without them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

MARK = "SESSION CONTINUATION"
MOST = 20  # directives read of one text
# Fills the place of a directive: no text that was read from a transcript holds this sign.
GAP = "\x1c"

_OPENING = re.compile(r"(?:^|[:>])[ \t]*-{3,5}[ \t]*SESSION CONTINUATION[ \t]*-{3,5}[ \t]*\r?$", re.M)
_CLOSING = re.compile(r"^[ \t]*-{3,5}[ \t]*END CONTINUATION[ \t]*-{3,5}", re.M)
# Wrappers around what a file holds or a command printed.
_DATA = re.compile(
    r"<(?P<close>/?)(?P<tag>file|file_content|file-contents|document|attachment|local-command-stdout|bash-stdout|bash-stderr|tool_result)\b"
    r"|(?P<read>Result of calling the \w+ tool:|^Contents of \S+|^--- Content from referenced files ---)",
    re.M,
)


@dataclass(frozen=True, slots=True)
class DirectiveSpan:
    """A directive within a text: `start` and `end` take in the brackets, `inner` begins behind the first; `closed` is False
    where its end was cut off."""

    start: int
    inner: int
    end: int
    closed: bool


def find(text: str) -> list[DirectiveSpan]:
    """The directives of a text in order, without those that only stand in a file or an output quoted there.

    One that is not closed ends where the next begins, or with the text.
    """
    if MARK not in text:
        return []
    openings = list(_OPENING.finditer(text))[:MOST]
    if not openings:
        return []  # the words alone, or brackets that were redacted behind
    found: list[DirectiveSpan] = []
    for opening, following in zip(openings, [*openings[1:], None], strict=True):
        limit = following.start() if following else len(text)
        if found and opening.start() < found[-1].end:
            continue
        closing = _CLOSING.search(text, opening.end(), limit)
        start = opening.start() + (1 if text[opening.start()] in ":>" else 0)
        if not _is_quoted_data(text, opening.start()):
            found.append(DirectiveSpan(start, opening.end(), closing.end() if closing else limit, closing is not None))
    return found


def digest_of(text: str) -> str:
    """The SHA-256 by which a directive that was pasted is known again: of the first one of a text, its white space folded.

    Empty where there is none that is whole.
    """
    whole = next((span for span in find(text) if span.closed), None)
    return hashlib.sha256(" ".join(text[whole.start : whole.end].split()).encode("utf-8", "replace")).hexdigest() if whole else ""


def without(text: str, spans: list[DirectiveSpan]) -> str:
    """The text with the spans blanked out, every other character in its place."""
    pieces, at = [], 0
    for span in spans:
        length = span.end - span.start
        pieces += [text[at : span.start], f"\n{GAP * (length - 2)}\n" if length >= 2 else GAP * length]
        at = span.end
    return "".join([*pieces, text[at:]])


def title_of(text: str) -> str:
    """The first line that is no part of a directive; empty where there is none."""
    words = without(text, find(text)).replace(GAP, "").strip()
    return words.splitlines()[0].lstrip("#> ") if words else ""


def longest_stretch(text: str) -> tuple[int, int]:
    """Start and end of the longest stretch of words between two gaps, without white space at its ends."""
    best = (0, 0)
    start = 0
    for piece in text.split(GAP):
        words = piece.strip()
        if len(words) > best[1] - best[0]:
            begin = start + len(piece) - len(piece.lstrip())
            best = (begin, begin + len(words))
        start += len(piece) + 1
    return best


def _is_quoted_data(text: str, at: int) -> bool:
    """Whether a wrapper of data is open at this place."""
    open_tags: dict[str, int] = {}
    for match in _DATA.finditer(text, 0, at):
        if match["read"]:
            return True
        open_tags[match["tag"]] = open_tags.get(match["tag"], 0) + (-1 if match["close"] else 1)
    return any(count > 0 for count in open_tags.values())
