"""The part of an earlier answer that still counts: whole sentences, without what the person has answered since and without gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from continuity.knowledge.coverage.greedy import chosen
from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.directive_parser.grammar import CLIP
from continuity.knowledge.requests.gist import is_exclamation, is_filler, stands_for, without_exclamation
from continuity.knowledge.requests.outline import OutlinePart, between, cut, parts_of
from continuity.knowledge.requests.overtaken import REPLACED, SETTLED

NO_WEIGHTS: Mapping[str, float] = {}
FIRST = 4.0  # what the beginning of an answer is worth beside the rest of it
TITLES = 120  # characters of a heading with the one above it
PART = 0.7  # of the room is for a list at most
WORDS = 4  # from which a sentence without a name says something
NAMED, PLAIN = 0.3, 0.05  # what a term weighs of which nothing is known: a name, a plain word
LABELS = 160  # characters of the names of a list's items that are left out
LEAST = 24  # characters of a line that was cut, from which what is left of it says something

_MORE = re.compile(r"… (\d{1,4}) more")  # as a list says how many of its items are left out
_NUMBERED = re.compile(r"\d{1,3}[.)]\s")
_NUMBER = re.compile(r"(?:^|[:;]\s)\d{1,2}[.)]$")  # of an item that was cut away
_OPTION = re.compile(r"[-*\s]*+\(?[A-Ha-h][).:]\**\s")  # one of the options below a question
_SIDE = re.compile(
    r"[-*+•\s]*\**(?:pros?|cons?|advantages?|disadvantages?|drawbacks?|benefits?|trade-?offs?|effort|risks?|complexity)\b\**:", re.I
)
_LABEL = re.compile(r"(?:\d{1,3}[.)]\s+)?(?:\*\*(?P<bold>[^*]{2,60})\*\*|(?P<plain>[^:(—–]{3,60}?)(?=:\s| [—–-] | \())")
_HEADING = re.compile(r"\s*(?:#{1,6}\s|\*\*[^*]{1,100}\*\*:?\s*$)")
_WORD = re.compile(r"\w")
# A number that begins a line ends no sentence, nor does an abbreviation; where no blanks part words, a full stop does by itself.
_STOP = re.compile(r"(?<!^\d)(?<!^\d\d)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bcf)[.!?](?:\*\*|[\"')\]”’`])?(?=\s|$)|[。！？]")
_PAUSE = re.compile(rf"{_STOP.pattern}|;(?=\s|$)")
_RULE = re.compile(r"\s*[-*_=]{3,}\s*")


def excerpt(text: str, room: int, weights: Mapping[str, float] = NO_WEIGHTS, *, asking: bool = False) -> str:
    """The sentences and items of an answer that tell most within `room` characters, in its order and whole; `weights` are those of its
    terms. An answer that fits stays as it is; of a longer one code, headings and questions are left out, but for the last question where
    the answer is `asking`. Empty where nothing whole fits."""
    if len(text) <= room and CLIP not in text:
        lines = [line for line in text.split("\n") if not is_exclamation(line) or not line.strip()]
        return without_exclamation("\n".join(lines).strip())
    asked = _last_question(text) if asking else ""
    if asked and len(asked) < room:
        return "\n".join(part for part in (excerpt(without_closing_question(text), room - len(asked) - 1, weights), asked) if part)
    pieces = list(_pieces(text, int(room * PART), room))
    weighed = [_weighed(piece, weights, first=place == 0) for place, piece in enumerate(pieces)]
    places = sorted(chosen(weighed, [len(piece) + 1 for piece in pieces], room))
    return "\n".join(pieces[place] for place in places)


def _weighed(piece: str, weights: Mapping[str, float], *, first: bool) -> dict[str, float]:
    """What the terms of a piece weigh: an answer begins with what it comes to."""
    share = FIRST if first else 1.0
    return {term: share * weight for term in terms_in(piece) if (weight := weights.get(term, NAMED if is_name(term) else PLAIN))}


def _pieces(text: str, room: int, most: int) -> Iterator[str]:
    """What of a text can be told by itself within `most` characters: a sentence, and a list with what leads in to it, as many of its items
    as fit in `room`."""
    above = ""  # a heading below which another stands
    for part in parts_of([line for line in text.split("\n") if line.strip()]):
        if part.title and not (part.lines or part.picture):
            above = part.title
            continue
        if above and part.title and len(above) + len(part.title) <= TITLES:
            part = OutlinePart(f"{above}: {part.title}", part.lines, part.picture)
        above = ""
        if part.picture:
            continue
        if part.title and part.lines:
            found = [_listed(part, room)]
        else:
            found = [_with_heading(each, part.under) for line in part.lines for each in _joined(_sentences(line))]
        yield from filter(tells, (_within(without_exclamation(each), most) for each in found))


def _joined(sentences: list[str]) -> list[str]:
    """The sentences, each that begins with what stands for something together with the one before it."""
    found: list[str] = []
    for sentence in sentences:
        if found and stands_for(sentence) and not _asks(sentence) and not _asks(found[-1]):
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return found


def _with_heading(piece: str, heading: str) -> str:
    """A piece that only names one side of what its heading is about ("Pros: …") behind that heading."""
    return f"{heading}{between(heading)}{piece}" if heading and _SIDE.match(piece) else piece


def _within(piece: str, most: int) -> str:
    """A piece cut to what fits, unless a mark stands behind it: without that it would tell what no longer holds."""
    return piece if piece.rstrip().endswith((REPLACED.strip(), SETTLED.strip())) else cut(piece, most)


def _last_question(text: str) -> str:
    """The question that an answer ends with; empty where it ends otherwise."""
    lines = text.rstrip().split("\n")
    sentences = [each for each in _sentences(lines[-1]) if _WORD.search(each)]
    return sentences[-1] if sentences and _asks(sentences[-1]) else ""


def _listed(part: OutlinePart, room: int) -> str:
    """A list below what leads in to it: as many of its first items as fit, whole or without their last aside."""
    if len(part.lines) == 1:
        return f"{part.title}{between(part.title)}{part.lines[0]}"
    items: list[str] = []
    lines, left_out = part.lines, 0
    if told := _MORE.fullmatch(lines[-1]):  # It was cut before.
        lines, left_out = lines[:-1], int(told[1])
    room -= len(part.title)
    for line in lines:
        short = _within(line, max(room // 2, LEAST))
        room -= len(short) + 3
        if room < 0 or short.endswith(CLIP):
            break
        items.append(short)
    if not items:
        return ""
    labels = [found["bold"] or found["plain"] for line in lines[len(items) :] if (found := _LABEL.match(line))]
    left_out += len(lines) - len(items)
    named = left_out == len(labels) and sum(map(len, labels)) <= LABELS and not any(label.count("`") % 2 for label in labels)
    more = [] if not left_out else [f"- … also: {'; '.join(label.strip(' :') for label in labels)}"] if named else [f"- … {left_out} more"]
    return "\n".join((f"{part.title}:", *(each if _NUMBERED.match(each) else f"- {each}" for each in items), *more))


def tells(piece: str) -> bool:
    """Whether a piece says something by itself: it is no question, leads in to nothing, was not cut, and names something or has some
    words."""
    words = piece.strip()
    if not words or is_filler(words) or CLIP in words or _asks(words) or words.rstrip(" *_").endswith(":") or _NUMBER.search(words):
        return False
    terms = terms_in(words)
    return len(terms) >= WORDS or len(words.split()) >= WORDS or any(map(is_name, terms))


def without_closing_question(text: str) -> str:
    """The text without the question at its end, without the options below it, and without a heading above it."""
    lines = text.rstrip().split("\n")
    last = len(lines)
    while last > 1 and (_OPTION.match(lines[last - 1]) or not lines[last - 1].strip()):
        last -= 1
    if not _asks(lines[last - 1]):
        return text
    del lines[last:]
    while lines and _asks(lines[-1]):
        sentences = _sentences(lines.pop())
        while sentences and (_asks(sentences[-1]) or _WORD.search(sentences[-1]) is None):
            sentences.pop()
        if sentences:
            lines.append(" ".join(sentences))
            break
    while lines and (not lines[-1].strip() or _HEADING.match(lines[-1]) or _RULE.fullmatch(lines[-1])):
        lines.pop()
    return "\n".join(lines)


def without_outdated(text: str) -> str:
    """The text without the sentences behind which a mark says that they are settled, or hold no longer."""
    if REPLACED not in text and SETTLED not in text:
        return text
    lines = []
    for line in text.split("\n"):
        kept = [sentence for sentence in _sentences(line) if not sentence.endswith((REPLACED.strip(), SETTLED.strip()))]
        if kept or not line.strip():
            lines.append(" ".join(kept))
    return "\n".join(lines)


def without_gaps(text: str) -> str:
    """The text without marks of what was left out between its lines; a line that was cut ends with its last whole sentence. A text of
    which nothing else is left stays as it is."""
    lines: list[str] = []
    for line in text.split("\n"):
        words = line.rstrip()
        if not words.endswith(CLIP):
            lines.append(line)
            continue
        words = words.removesuffix(CLIP).rstrip()
        stops = [found.end() for found in _PAUSE.finditer(words)]
        if stops and stops[-1] >= LEAST:
            lines.append(words[: stops[-1]].rstrip(";"))
    below = [*lines[1:], ""][: len(lines)]
    lines = [line for line, after in zip(lines, below, strict=True) if not (_HEADING.match(line) and _HEADING.match(after))]
    while lines and _HEADING.match(lines[-1]):
        lines.pop()
    return "\n".join(lines) if any(line.strip() for line in lines) else text


def _asks(words: str) -> bool:
    plain = words.strip().removesuffix(REPLACED.strip()).removesuffix(SETTLED.strip())
    return plain.rstrip(" *_`)\"'”").endswith(("?", "？"))


def _sentences(line: str) -> list[str]:
    """The sentences of a line, each with the mark behind it."""
    found, start = [], 0
    for stop in _STOP.finditer(line):
        end = stop.end()
        for mark in (REPLACED, SETTLED):
            if line.startswith(mark, end):
                end += len(mark)
        if line[start:end].strip():
            found.append(line[start:end].strip())
        start = end
    if line[start:].strip():
        found.append(line[start:].strip())
    return found
