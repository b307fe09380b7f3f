"""A directive's text as lines: the section, the label, the words without what introduces them, and the sources named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest

from continuity.knowledge.directive_parser.former_words import FORMER, FORMER_HEADINGS
from continuity.knowledge.directive_parser.grammar import (
    ASKED_FIRST,
    ASKS,
    BEGIN,
    BETWEEN_FACTS,
    BINDS,
    CLAIM,
    CLOSING,
    CONTINUE,
    CONTINUE_ASKS,
    DECIDED,
    FORMER_ASKS,
    FORMER_CONTINUE,
    GOAL_IS_REQUEST,
    HOW_IT_STANDS,
    IN_BLOCK,
    LEFT,
    NAME,
    NOTE_BULLET,
    NOTE_EXPLAINED,
    NOTED,
    OPENING,
    OWES,
    SOURCE,
    UNKNOWN,
    WAIT,
    WHAT_NEXT,
    SectionKind,
)
from continuity.knowledge.directive_parser.vocabulary import (
    BARE_LABELS,
    FROM_TOOLS,
    LABELS,
    NARRATIVE,
    SAID_THEN,
    STRUCTURED,
    VOCABULARIES,
    StyleVocabulary,
    phrase,
)

LINES = 4000  # lines read of one directive
LONGEST = 6000  # characters read of a line
TAIL = 1500  # characters at the end of a line in which its sources stand

BLOCK_MARK = IN_BLOCK.strip()
OPENING_LINES = 5
_NOTE_SIGN = re.compile(rf"{re.escape(NOTE_BULLET.strip())}\s*")
BULLET = re.compile(r"(?:[-*•]|\d{1,2}\.)[ \t]+(?=\S)")
_NUMBER = re.compile(r"\d")
_LINE = re.compile(r"[^\n]*")
_FIXED = {
    CONTINUE: "waiting",
    FORMER_CONTINUE: "waiting",
    WAIT: "waiting",
    UNKNOWN: "waiting",
    GOAL_IS_REQUEST: "goal is request",
    BEGIN: "begin",
    ASKS: "asks",
    ASKED_FIRST: "asks",
    OWES: "asks",
    FORMER_ASKS: "asks",
}
# What the lines of a section come from; those of the others come from messages.
_SOURCES = {
    **dict.fromkeys((SectionKind.RULES, SectionKind.DECISIONS, SectionKind.FACTS, SectionKind.QUESTIONS), "a"),
    SectionKind.TASKS: "at",
    SectionKind.ERRORS: "am",
}
# What only helps a reader: names to look for, and how it came to this.
_UNREAD = frozenset({SectionKind.LOOKUP, SectionKind.EARLIER})
# Lines whose text a style may have closed with a full stop that is none of theirs.
_BARE_WORDS = frozenset({"cwd", "branch", "running"})


@dataclass(frozen=True, slots=True)
class LineSource:
    """What a line names as its source, or as an item whose words it holds (`kind` or `status` then say which)."""

    id: str
    critical: bool = False
    claimed: bool = False
    kind: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One item; `start` and `end` are the offsets of `text` in the text it was read from. `own` is its source, `held` are the
    anchors and tasks whose words it holds."""

    kind: SectionKind
    label: str
    text: str
    start: int
    end: int
    own: LineSource | None
    held: tuple[LineSource, ...]

    @property
    def id(self) -> str:
        return self.own.id if self.own else ""


def read_lines(text: str, start: int, end: int) -> list[Entry]:
    """The lines of the directive that stands at these offsets; what is no line of ours is left out."""
    raw = list(_raw(text, start, end))
    words = _vocabulary([line for _, line in raw])
    headings = headings_of(words)
    entries: list[Entry] = []
    # Where the opening explains the sign of a note, each rule and decision of the record has a source: one without lost the sign.
    signed = any(NOTE_EXPLAINED in line for _, line in raw[:OPENING_LINES])
    kind: SectionKind | None = None
    for number, (at, line) in enumerate(raw):
        if line.startswith(BLOCK_MARK):
            continue
        if line.endswith(":") and number + 1 < len(raw) and raw[number + 1][1].startswith(BLOCK_MARK) and line not in headings:
            entries += _in_block(words, kind, line, raw, number + 1)
        elif line in (OPENING, CLOSING):
            kind = None
        elif not line:
            kind = kind if words is not NARRATIVE else None
        elif line in headings:
            kind = headings[line]
        else:
            entries += _told(words, kind, at, line, signed=signed)
    return entries


def _told(words: StyleVocabulary, kind: SectionKind | None, at: int, line: str, *, signed: bool) -> list[Entry]:
    """What a line with its bullet tells; with `signed`, rules and decisions that name no source are the agent's, and no rules."""
    if kind is not None and (begin := statement_at(line)):
        text, own, _ = _own_and_held(line[begin:])
        return _noted(kind, text, at + begin, own)
    bullet = BULLET.match(line)
    skip = bullet.end() if bullet else 0
    found = _entries(words, kind, at + skip, line[skip:])
    if not found and kind is SectionKind.NEXT and _NUMBER.match(line):
        text, own, held = _own_and_held(line[skip:])  # a step without what introduces it
        return [Entry(kind, "to do", text, at + skip, at + skip + len(text), own[0] if own else None, held)]
    if not signed:
        return found
    return [_as_claim(entry) for entry in found if entry.own or entry.kind is not SectionKind.RULES]


def _in_block(words: StyleVocabulary, kind: SectionKind | None, line: str, raw: list[tuple[int, str]], first: int) -> list[Entry]:
    """The item whose words stand in several lines, from number `first` on, below what introduces them."""
    bullet = BULLET.match(line)
    introduction, own, held = _own_and_held(line[bullet.end() if bullet else 0 : -1])
    end = next((n for n in range(first, len(raw)) if not raw[n][1].startswith(BLOCK_MARK)), len(raw))
    lines = raw[first:end]
    if kind is SectionKind.DECISIONS and introduction == DECIDED:
        text = " ".join(each[len(BLOCK_MARK) :].strip() for _, each in lines)
        last, words_of = lines[-1]
        return [Entry(kind, "", text, lines[0][0], last + len(words_of), own[0] if own else None, held)]
    for place in [kind] if kind else list(LABELS):
        for label in LABELS[place]:
            begins = phrase(words, place, label).partition("{}")[0].rstrip(" “:")
            if begins and introduction == begins and label in SAID_THEN:
                told = [(at + len(each) - len(each[len(BLOCK_MARK) :].lstrip()), each[len(BLOCK_MARK) :].strip()) for at, each in lines]
                return [Entry(place, label, text, at, at + len(text), own[0] if own else None, held) for at, text in told if text]
            if begins and introduction == begins:
                text = "\n".join(each[len(BLOCK_MARK) :].removeprefix(" ") for _, each in lines)
                last, words_of = lines[-1]
                return [Entry(place, label, text, lines[0][0], last + len(words_of), own[0] if own else None, held)]
    return []


def _raw(text: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Offset and words of each line, white space around them left out."""
    at, count = start, 0
    while at < end and count < LINES:
        match = _LINE.match(text, at, end)
        stop = match.end() if match else end
        line = text[at : min(stop, at + LONGEST)]
        yield at + len(line) - len(line.lstrip()), line.strip()
        at, count = stop + 1, count + 1


def headings_of(words: StyleVocabulary) -> dict[str, SectionKind]:
    """Sections by their heading, with and without its markup; those of older directives too."""
    headings = {
        **FORMER_HEADINGS,
        HOW_IT_STANDS: SectionKind.NEXT,
        WHAT_NEXT: SectionKind.NEXT,
        LEFT: SectionKind.TASKS,
        **{heading: kind for kind, heading in words.headings.items()},
    }
    return {form: kind for heading, kind in headings.items() for form in (heading, heading.removeprefix("## "))}


def _vocabulary(lines: list[str]) -> StyleVocabulary:
    """The style whose headings the text has, or without any, whose phrases."""
    present = set(lines)
    by_headings = [len(present & headings_of(words).keys()) for words in VOCABULARIES]
    if any(by_headings):
        return VOCABULARIES[by_headings.index(max(by_headings))]
    by_phrases = [sum(1 for line in lines if _by_phrase(words, None, line)) for words in VOCABULARIES]
    return VOCABULARIES[by_phrases.index(max(by_phrases))] if any(by_phrases) else STRUCTURED


def _entries(words: StyleVocabulary, kind: SectionKind | None, at: int, line: str) -> list[Entry]:
    """What a line tells: one item, or several short facts."""
    text, own, held = _own_and_held(line)
    if kind is SectionKind.FILES and (text.startswith(NOTED) or (own and own[0].id.startswith("n"))):
        return _noted(kind, text, at, own)
    if kind is SectionKind.FILES:
        text, own, held = line, [], ()
    if kind in (None, SectionKind.NEXT) and not any(source.id.startswith("a") for source in own):
        if text in _FIXED:
            return [Entry(SectionKind.NEXT, _FIXED[text], text, at, at + len(text), None, held)]
        if text == CONTINUE_ASKS:
            begin = at + len(text) - len(ASKED_FIRST)
            first = Entry(SectionKind.NEXT, "waiting", CONTINUE, at, at + len(CONTINUE), None, held)
            return [first, Entry(SectionKind.NEXT, "asks", ASKED_FIRST, begin, begin + len(ASKED_FIRST), None, ())]
    if kind is not None and own and own[0].id.startswith("n"):
        return _noted(kind, text, at, own)
    found = _by_phrase(words, kind, text)
    if found is None:
        return []
    place, label, skip, tail = found
    if text.startswith(NOTED, skip):
        return _noted(place, text[skip:], at + skip, own)
    if own and own[0].id[0] not in _SOURCES.get(place, "m"):
        text, own, held = line, [], ()  # words that only look like a source
        tail = tail if line.endswith("”") else 0
    inner = text[skip : len(text) - tail] if tail else text[skip:]
    if words is NARRATIVE and label in _BARE_WORDS:
        inner = inner.removesuffix(".")
    pieces = inner.split(BETWEEN_FACTS) if place is SectionKind.FACTS and len(own) > 1 else [inner]
    if len(pieces) != len(own):
        pieces, own = [inner], own[:1]
    entries: list[Entry] = []
    start = at + skip
    for piece, source in zip_longest(pieces, own):
        begin = start + len(piece) - len(piece.lstrip())
        if words_of := piece.strip():
            entries.append(Entry(place, label, words_of, begin, begin + len(words_of), source, held))
        start += len(piece) + len(BETWEEN_FACTS)
    return entries


def statement_at(line: str) -> int:
    """Where the words of a note's statement begin in a line with its bullet; 0 where it is none, or names a source of the record."""
    sign = _NOTE_SIGN.match(line)
    if sign is None:
        return 0
    _, own, _ = _own_and_held(line[sign.end() :])
    return sign.end() if not own or own[0].id.startswith("n") else 0


def _as_claim(entry: Entry) -> Entry:
    """A decision without a source as the agent's word."""
    if entry.own is not None or entry.kind is not SectionKind.DECISIONS:
        return entry
    return replace(entry, own=LineSource("n0", claimed=True))


def _noted(place: SectionKind, inner: str, at: int, own: list[LineSource]) -> list[Entry]:
    """A statement of a handoff note: a claim of the agent, and never a rule."""
    words = inner.removeprefix(NOTED)
    place = SectionKind.FACTS if place is SectionKind.FILES else place
    if place is SectionKind.RULES or "" not in LABELS[place] or not words.strip():
        return []
    start = at + len(inner) - len(words)
    return [Entry(place, "", words, start, start + len(words), LineSource(own[0].id if own else "n0", claimed=True), ())]


def sourced(line: str) -> tuple[str, list[LineSource]]:
    """The line without its sources, and these in their order."""
    match = SOURCE.search(line, max(0, len(line) - TAIL))
    if match is None:
        return line, []
    read = (NAME.fullmatch(name) for name in match["names"].split(", "))
    return line[: match.start()], [
        LineSource(name["id"], BINDS in name["marks"], CLAIM in name["marks"], name["kind"] or "", name["status"] or "")
        for name in read
        if name is not None
    ]


def _own_and_held(line: str) -> tuple[str, list[LineSource], tuple[LineSource, ...]]:
    """The line without its sources, its own ones, and the items it holds the words of."""
    words, sources = sourced(line)
    own = [source for source in sources if not (source.kind or source.status)]
    return words, own, tuple(source for source in sources if source.kind or source.status)


@dataclass(frozen=True, slots=True)
class _Introductions:
    """What introduces the lines of some sections: `pattern` matches the longest at the start of a line, and its group says which of `found`
    it is: the section, the label, and what closes the text."""

    pattern: re.Pattern[str]
    found: tuple[tuple[SectionKind, str, str], ...]


def _by_phrase(words: StyleVocabulary, kind: SectionKind | None, line: str) -> tuple[SectionKind, str, int, int] | None:
    """Section, label, and how many characters before and behind the text belong to what introduces it."""
    introductions = _introductions(words, kind)
    match = introductions.pattern.match(line) if introductions.found else None
    if match is None or match.lastindex is None:
        return None
    place, label, after = introductions.found[match.lastindex - 1]
    return place, label, match.end(), len(after) if after and line.endswith(after) else 0


@cache
def _introductions(words: StyleVocabulary, kind: SectionKind | None) -> _Introductions:
    """Those of one section, or without one of all; of several that are as long, the first one counts."""
    places = [] if kind in _UNREAD else [kind] if kind else list(LABELS)
    forms = [
        (before, (place, label, after))
        for place in places
        for label in LABELS[place]
        for before, after in _forms(words, kind, place, label)
    ]
    forms.sort(key=lambda form: -len(form[0]))
    return _Introductions(re.compile("|".join(f"({re.escape(before)})" for before, _ in forms)), tuple(found for _, found in forms))


def _forms(words: StyleVocabulary, kind: SectionKind | None, place: SectionKind, label: str) -> list[tuple[str, str]]:
    """What stands before and behind the text of a label: today, then as it was once written where that begins otherwise."""
    before, after = phrase(words, place, label).split("{}")
    if not before:
        bare = before if kind else BARE_LABELS.get(place, "")
        return [(bare, after)] if kind or bare else []
    forms = [(before, after)]
    former = [told for told in FORMER.get(label, ()) if told or kind is SectionKind.GOAL]
    forms += [(told, after if told.endswith("“") else "") for told in former]
    if label in FROM_TOOLS:
        forms.append((before.removesuffix("“"), after))  # without a quotation mark
    return [form for n, form in enumerate(forms) if not any(form[0].startswith(earlier) for earlier, _ in forms[:n])]
