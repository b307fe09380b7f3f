"""What a long request or plan is for: its labelled lines (Root cause, Fix, Scope …), each by its first sentence, and its drawn flow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from continuity.knowledge.requests.gist import fitting
from continuity.knowledge.requests.whole_sentences import sentences_of

ROOM, POINT, FLOW = 1000, 260, 420  # characters of all points, of each, and of a drawing told in one line
LEAST, SAYS = 2, 24  # labelled lines that make a document one of points, and characters of one that says something
STEPS = 4  # of a drawing

_HEADING = re.compile(r"#{1,4}\s+(?P<words>.+)")
_LABEL = re.compile(r"(?:[-*+]\s+)?\*\*(?P<label>[^*\n]{2,40}?)(?::\*\*|\*\*\s*:)\s*(?P<words>\S.*)")
_PLACES = re.compile(
    r"(?:(?:new |modified |changed |key |test )?(?:files?|paths?|location|lines?|where|type|modify|create|step \d+|example|note|status)s?"
    r"|date|author|usage|output|input|command|code)\b",
    re.I,
)
_TELLS = re.compile(r"(?:scope|out of scope|non-goals?|decisions?|goals?|purpose|approach|root cause|constraints?)\b[\w ]*:?$", re.I)
_FENCES = ("```", "~~~")
_DRAWN = re.compile(r"[│├└┌┐┘─▼▲►↓]|^\s*(?:->|→|=>|v\s*$)|(?:->|→|──>)")
_MARKS = re.compile(r"^[\s│├└┌┐┘┤┬┴┼─|▼▲►↓→>=v+-]+(?=\S)|[\s│┘┐─]+$")
_ASIDE = re.compile(r"\s*\[NEW\]\s*|\s*\((?:existing|unchanged)\)")


def document_points(text: str) -> list[str]:
    """The points of a document, in its order; none where it has too few for them to be what it tells."""
    lines = text.splitlines()
    found = list(_points(lines))
    flow = _flow(lines)
    return [*([f"Flow: {flow}"] if flow else []), *fitting(found, ROOM)] if len(found) >= LEAST or flow else []


def is_labelled(line: str) -> bool:
    """Whether a line begins with a label in bold."""
    return _LABEL.match(line.strip()) is not None


def _points(lines: Sequence[str]) -> Iterator[str]:
    heading, told, fenced, tells = "", "", False, False
    for line in lines:
        words = line.strip()
        if words.startswith(_FENCES):
            fenced = not fenced
        if fenced or words.startswith(_FENCES) or not words:
            continue
        if found := _HEADING.match(words):
            heading, tells = _plain(found["words"]), _TELLS.match(_plain(found["words"])) is not None
            continue
        label = _LABEL.match(words)
        if label and not _PLACES.match(label["label"]) and len(label["words"]) >= SAYS:
            lead = f"{heading}: " if heading and heading != told and not tells else ""
            told = heading
            yield f"- {lead}{_plain(label['label'])}: {_first(label['words'])}"
        elif tells and not words.startswith("|") and len(words) >= SAYS:
            yield f"- {heading}: {_first(words.lstrip('-*+ '))}"
        tells = tells and label is not None


def _first(words: str) -> str:
    """The first sentence, as far as a point goes."""
    said = sentences_of(_plain(words))
    first = said[0] if said else _plain(words)
    return first if len(first) <= POINT else f"{first[:POINT].rsplit(' ', 1)[0]} …"


def _plain(words: str) -> str:
    return words.replace("**", "").strip()


def _flow(lines: Sequence[str]) -> str:
    """The first drawing of how one thing leads to the next, in one line; empty where none is short enough to be told."""
    block: list[str] | None = None
    for line in lines:
        if line.strip().startswith(_FENCES):
            if block is None:
                block = []
                continue
            if len(block) >= STEPS and 2 * sum(_DRAWN.search(each) is not None for each in block) >= len(block):
                steps = [_ASIDE.sub("", _MARKS.sub("", each)).strip(" :") for each in block]
                told = " → ".join(each for each in steps if any(map(str.isalnum, each)))
                return told if told.count(" → ") >= STEPS - 1 and len(told) <= FLOW * 2 else ""
            block = None
        elif block is not None:
            block.append(line)
    return ""
