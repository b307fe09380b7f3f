"""The part of an earlier answer that still counts: whole sentences, without what the person has answered since and without gaps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from continuity.knowledge.coverage.greedy import chosen
from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.directive_parser.grammar import CLIP
from continuity.knowledge.requests.beginnings import beginning_of
from continuity.knowledge.requests.gist import is_exclamation, is_filler, only_announces, stands_for, without_exclamation
from continuity.knowledge.requests.outline import OutlinePart, between, cut, is_item, is_title, parts_of
from continuity.knowledge.requests.overtaken import REPLACED, SETTLED
from continuity.knowledge.requests.points import by_points, left_out_line, weighed
from continuity.knowledge.requests.whole_sentences import STOP, asks, concludes, sentences_of

NO_WEIGHTS: Mapping[str, float] = {}
FIRST = 4.0  # what the beginning of an answer is worth beside the rest of it
BEGINS = 0.4  # of the room that the beginning of an answer fills, from which it is told by that
ENDS, BETWEEN = 0.5, "\n…\n"  # of the room is for the words that an answer ends with; what was left out before them
TITLES = 120  # characters of a heading with the one above it
PART = 0.7  # of the room is for a list at most
WORDS = 4  # from which a sentence without a name says something
LEAST = 24  # characters of a line that was cut, from which what is left of it says something

_MORE = re.compile(r"… (\d{1,4}) more")  # as a list says how many of its items are left out
_OF_FORM = ("|", "```", "~~~", ">")
_NUMBERED = re.compile(r"\d{1,3}[.)]\s")
_NUMBER = re.compile(r"(?:^|[:;]\s)\d{1,2}[.)]$")  # of an item that was cut away
_OPTION = re.compile(r"[-*\s]*+\(?[A-Ha-h][).:]\**\s")  # one of the options below a question
_SIDE = re.compile(
    r"[-*+•\s]*\**(?:pros?|cons?|advantages?|disadvantages?|drawbacks?|benefits?|trade-?offs?|effort|risks?|complexity)\b\**:", re.I
)
_HEADING = re.compile(r"\s*(?:#{1,6}\s|\*\*[^*]{1,100}\*\*:?\s*$)")
_WORD = re.compile(r"\w")
_PAUSE = re.compile(rf"{STOP.pattern}|;(?=\s|$)")
_RULE = re.compile(r"\s*[-*_=]{3,}\s*")


def excerpt(text: str, room: int, weights: Mapping[str, float] = NO_WEIGHTS, *, asking: bool = False) -> str:
    """The sentences and items of an answer that tell most within `room` characters, in its order and whole; `weights` are those of its
    terms. An answer that fits stays as it is; a longer one is told by its points where all of them find room: a list with gaps says less
    than the best sentences. Else code, headings and questions are left out, but for the last question where the answer is `asking`. Empty
    where nothing whole fits."""
    if len(text) <= room and CLIP not in text:
        lines = [line for line in text.split("\n") if not is_exclamation(line) or not line.strip()]
        return without_exclamation("\n".join(lines).strip())
    asked = last_question(text) if asking else ""
    if asked and len(asked) < room:
        return "\n".join(part for part in (excerpt(without_closing_question(text), room - len(asked) - 1, weights), asked) if part)
    if told := by_points(text, room, weights, asking=False, every=True):
        return told
    if not weights and (told := beginning_of(text, room)) and len(told) >= BEGINS * room:
        return with_end(text, told, room)
    pieces = list(_pieces(parts_of([line for line in text.split("\n") if line.strip()]), int(room * PART), room))
    worth = [weighed(piece, weights, 1.0 if place else FIRST) for place, piece in enumerate(pieces)]
    places = sorted(chosen(worth, [len(piece) + 1 for piece in pieces], room))
    return "\n".join(pieces[place] for place in places)


def with_end(text: str, begun: str, room: int) -> str:
    """The beginning of an answer with the words that it ends with, which often say what it comes to, where these are no list, code or
    question; the beginning gives way for them."""
    lines = [line for line in without_closing_question(text).split("\n") if line.strip()]
    end = _conclusion(lines, int(room * ENDS)) or (without_exclamation(lines[-1].strip()) if lines else "")
    if not end or end in begun or len(end) > room * ENDS or is_item(end) or is_title(end) or end.startswith(_OF_FORM) or not tells(end):
        return begun
    shorter = beginning_of(text, room - len(end) - len(BETWEEN))
    return f"{shorter}{BETWEEN}{end}" if shorter else begun


def _conclusion(lines: Sequence[str], room: int) -> str:
    """The first sentences of the words that say what an answer comes to, the last of these; empty where none say so, or none fit."""
    place = next((place for place in reversed(range(len(lines))) if concludes(lines[place])), None)
    if place is None:
        return ""
    words = lines[place].strip()
    if (is_title(words) or words.rstrip("*_ ").endswith(":")) and place + 1 < len(lines):
        words = lines[place + 1].strip()
    said = sentences_of(words) if not (is_item(words) or is_title(words)) else []
    while said and len(" ".join(said)) > room:
        said.pop()
    return " ".join(said)


def _heads_code(part: OutlinePart, below: OutlinePart) -> bool:
    """Whether a part is a heading that says something by itself, and code stood below it, which finds no room."""
    return part.says and not part.lines and below == OutlinePart() and len(part.title.split()) >= WORDS


def _pieces(parts: Sequence[OutlinePart], room: int, most: int) -> Iterator[str]:
    """What of a text can be told by itself within `most` characters: a sentence, and a list with what leads in to it, as many of its items
    as fit in `room`."""
    above = ""  # a heading below which another stands
    for part, below in zip(parts, [*parts[1:], OutlinePart("-")], strict=True):
        if _heads_code(part, below):
            yield part.title
            above = ""
            continue
        if part.title and not (part.lines or part.picture):
            above = part.title
            continue
        if above and part.title and len(above) + len(part.title) <= TITLES:
            part = OutlinePart(f"{above}: {part.title}", part.lines, part.picture)
        elif part.within and _SIDE.match(f"{part.title}:"):  # "Pros" of what, it does not say
            part = OutlinePart(f"{part.within}: {part.title}", part.lines, part.picture)
        above = ""
        if part.picture:
            continue
        if part.title and part.lines:
            found = [_listed(part, room)]
        else:
            found = [_with_heading(each, part.under) for line in part.lines for each in _joined(sentences_of(line))]
        yield from filter(tells, (_within(without_exclamation(each), most) for each in found))


def _joined(sentences: list[str]) -> list[str]:
    """The sentences, each that begins with what stands for something together with the one before it."""
    found: list[str] = []
    for sentence in sentences:
        if found and stands_for(sentence) and not asks(sentence) and not asks(found[-1]):
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


def last_question(text: str) -> str:
    """The question that an answer ends with; empty where it ends otherwise."""
    lines = text.rstrip().split("\n")
    said = [each for each in sentences_of(lines[-1]) if _WORD.search(each)]
    return said[-1] if said and asks(said[-1]) else ""


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
    left_out += len(lines) - len(items)
    more = [left_out_line(lines[len(items) :], left_out)] if left_out else []
    return "\n".join((f"{part.title}:", *(each if _NUMBERED.match(each) else f"- {each}" for each in items), *more))


def tells(piece: str) -> bool:
    """Whether a piece says something by itself: it is no question, leads in to nothing, was not cut, and names something or has some
    words."""
    words = piece.strip()
    if (
        not words
        or is_filler(words)
        or only_announces(words)
        or CLIP in words
        or asks(words)
        or words.rstrip(" *_").endswith(":")
        or _NUMBER.search(words)
    ):
        return False
    terms = terms_in(words)
    return len(terms) >= WORDS or len(words.split()) >= WORDS or any(map(is_name, terms))


def without_closing_question(text: str) -> str:
    """The text without the question at its end, without the options below it, and without a heading above it."""
    lines = text.rstrip().split("\n")
    last = len(lines)
    while last > 1 and (_OPTION.match(lines[last - 1]) or not lines[last - 1].strip()):
        last -= 1
    if not asks(lines[last - 1]):
        return text
    del lines[last:]
    while lines and asks(lines[-1]):
        said = sentences_of(lines.pop())
        while said and (asks(said[-1]) or _WORD.search(said[-1]) is None):
            said.pop()
        if said:
            lines.append(" ".join(said))
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
        said = sentences_of(line)
        kept = [sentence for sentence in said if not sentence.endswith((REPLACED.strip(), SETTLED.strip()))]
        if kept or not line.strip():
            lines.append(line if len(kept) == len(said) else " ".join(kept))  # as it stands: the lines of code are not one sentence
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
