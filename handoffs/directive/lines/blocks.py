"""Words of a conversation as a block of several lines: their lists, tables and code keep their form.

In a directive each line of a block stands behind a mark, so that none of them can look like a line of the directive.
"""

from __future__ import annotations

import re
from itertools import dropwhile, takewhile

from continuity.knowledge.directive_parser.grammar import BETWEEN_FACTS, CLIP
from continuity.knowledge.directive_parser.signs import neutral
from continuity.knowledge.requests.document_points import document_points, is_labelled
from continuity.knowledge.requests.gist import ends_of, fitting
from continuity.knowledge.requests.outline import is_item
from continuity.knowledge.requests.whole_sentences import sentences_of
from continuity.knowledge.state.fold_cache import cached
from continuity.transcripts.base.sanitise import clean_text
from handoffs.directive.lines.wording import clip, clip_said

LINE = 1200  # characters of one line
HEADINGS = 3  # from which words are a document
_HEADING = re.compile(r"#{1,4} ")
_FENCES = ("```", "~~~")
LONG = 1.5  # times what fits, from which a document with a section that says how to check it is told by its beginning and that
PROVES = 0.45  # of the room is for that section at most
_PROVES = re.compile(
    r"#{1,4} +(?:\d{1,2}[.)] *)?(?:(?:manual|final|how to) )?(?:verif(?:y|ication)|validation|acceptance(?: criteria)?|test(?:ing)? plan"
    r"|success criteria|definition of done)\b",
    re.I,
)


@cached
def block(text: str) -> str:
    """The lines of a text as they may stand in a directive: without what nobody sees, without white space at their ends, and never two
    empty ones in a row."""
    lines: list[str] = []
    for raw in clean_text(text).splitlines():
        line = raw.rstrip().replace("\t", "  ")
        indent = line[: len(line) - len(line.lstrip())][:12]
        words = " ".join(line.split()) if len(line) > LINE else line.lstrip()
        line = indent + (
            neutral(words) if not words.startswith("#") else neutral(words).removeprefix("\\")
        )  # behind the mark it heads nothing
        if line.strip() or (lines and lines[-1]):
            lines.append(clip(line, LINE) if line.strip() else "")
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def clip_block(text: str, limit: int) -> str:
    """A block within about `limit` characters: whole lines of its beginning and its end, and a mark between them."""
    if len(text) <= limit:
        return text
    lines = text.split("\n")
    if len(lines) == 1:
        return clip_said(text, limit)
    return "\n".join(ends_of(lines, limit))


def outlined(text: str, limit: int, *, opening: int = 0) -> str:
    """Words within about `limit` characters; of a long document its first line and its headings, and within `opening` characters what it
    begins with: what it is about, and why."""
    words = block(text)
    headings = [line.lstrip("# ").strip() for line in words.split("\n") if _HEADING.match(line)]
    if len(words) <= 3 * limit or len(headings) < HEADINGS:
        return clip_block(words, limit)
    first = words.split("\n", 1)[0]
    begins, points = (_opening(words, opening), document_points(text)) if opening else ("", [])
    if points:
        titles = [each for each in headings[:1] if each not in first and each not in begins]
        new = [each for each in points if each.rpartition(": ")[2] not in begins]
        return "\n".join(filter(None, (first, *titles, begins, *new)))
    told = clip("\n".join((first, BETWEEN_FACTS.join(each for each in headings if each not in first))), 2 * limit)
    return f"{told}\n{begins}" if begins else told


def pointed(text: str, limit: int) -> str:
    """A long document as its first lines and its points, within about `limit` characters; other words as they are."""
    lines = [line for line in block(text).split("\n") if line.strip()] if len(text) > LONG * limit else []
    points = document_points(text) if len(text) > 3 * limit else []
    proof = _proof(lines, int(limit * PROVES)) if sum(map(is_heading, lines)) >= HEADINGS else []
    if not points and not proof:
        return text
    lines = list(takewhile(lambda line: not is_labelled(line), lines))
    head = fitting(lines, limit // 2)
    after = lines[len(head)] if len(head) < len(lines) else ""
    while len(head) > 1 and _HEADING.match(head[-1]) and not after:
        head.pop()
    if after and not (is_item(after.strip()) or _HEADING.match(after)):
        said = fitting(sentences_of(after), limit - sum(map(len, head)))
        head += [" ".join(said)] if sum(map(len, said)) <= limit else []
    told = "\n".join(head)
    proof = [line for line in proof if line not in head]
    kept = fitting([each for each in points if each.rpartition(": ")[2] not in told], max(limit - len(told) - sum(map(len, proof)), 0))
    kept = kept if sum(map(len, kept)) <= limit // 2 else []
    return "\n".join((told, CLIP, *kept, *([CLIP] if kept else []), *proof))


def is_heading(line: str) -> bool:
    """Whether a line is a marked heading."""
    return _HEADING.match(line) is not None


def _proof(lines: list[str], room: int) -> list[str]:
    """The last section of a document that says how its work is to be checked, as whole lines within `room` characters; nothing where code
    in it would be cut."""
    first = max((place for place, line in enumerate(lines) if _PROVES.match(line)), default=None)
    if first is None:
        return []
    own = [lines[first], *takewhile(lambda line: not is_heading(line), lines[first + 1 :])]
    kept = fitting(own, room)
    while kept and (kept[-1].rstrip(" *_").endswith(":") or sum(line.lstrip().startswith(_FENCES) for line in kept) % 2):
        kept.pop()
    return [*kept, *([CLIP] if len(kept) < len(own) else [])] if len(kept) > 1 else []


def _opening(words: str, room: int) -> str:
    """The words below the first heading of a document below which any stand, as whole lines or sentences and with no code; nothing where a
    list is cut."""
    below = list(dropwhile(lambda line: not _HEADING.match(line), words.split("\n")))
    below = list(dropwhile(lambda line: not line.strip() or _HEADING.match(line) is not None, below))
    own = takewhile(lambda line: not (_HEADING.match(line) or line.lstrip().startswith(_FENCES)), below)
    lines = [line for line in own if line.strip()]
    kept = fitting(lines, room)
    if len(kept) < len(lines):
        while kept and (is_item(kept[-1].strip()) or kept[-1].rstrip(" *_").endswith(":")):
            kept.pop()
    if kept and (len(kept) > 1 or len(kept[0]) <= room):
        return "\n".join(kept)
    said = fitting([each for each in sentences_of(lines[0]) if not each.rstrip(" *_").endswith(":")], room) if lines else []
    return " ".join(said) if sum(map(len, said)) <= room else ""
