"""The gist of an agent's closing words: whole lines of it, without what only fills."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import dropwhile

from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.directive_parser.grammar import CLIP
from continuity.knowledge.language.clip import clip
from continuity.knowledge.language.reply_structure import begins_act
from continuity.knowledge.requests.outline import cut, outline
from continuity.knowledge.requests.whole_sentences import sentences_of

HEAD = 0.62  # of the room goes to how the words begin, the rest to how they end
CAPS = (240, 160, 110)  # characters of each line, before whole lines give way: a list tells more with all its items
CONTENT = 8  # the rank of a line that is no heading
LINE = 700  # characters kept of one line

_FILLER = re.compile(
    r"(?:perfect|great|excellent|good|ok(?:ay)?|alright|nice|done|all done|got it|sure|found it|wonderful|awesome|yes|right)"
    r"(?:[,!.:…]*\s*(?:perfect|great|excellent|good|now|then)?)*[!.:…]*",
    re.I,
)
_ANNOUNCES = re.compile(
    r"(?:(?:perfect|great|excellent|good|ok(?:ay)?|alright|now|first|next|so|and|then|also)[,!.: ]+)*"
    r"(?:let me|let's|i'll|i will|i need to|i'm going to|i should|now i|i'm now)\b"
    r"(?! (?:not|never|note|mention|warn|tell|point out|say)\b)",
    re.I,
)
# Who only says again what was asked tells nothing: the person's own words stand there.
_RESTATES = re.compile(
    r"(?:(?:ok(?:ay)?|so|now|right|good)[,. ]+)*the user(?:'s| is| has| just| specifically| also)* "
    r"(?:wants?|asked|asks|asking|says|said|would like|requests?|requested|needs?|needed|confirmed|approved|agree[sd]|chose|interrupted"
    r"|selected|picked|ran|invoked|typed|pasted|provided|gave|shared|sent|rejected|refused|declined|replied|answered|clarified|mentioned"
    r"|reported|pointed out|corrected|told|may want|might want|probably wants|seems to)\b",
    re.I,
)
_EXCLAIMS = re.compile(
    r"^(?:(?:perfect|great|excellent|wonderful|awesome|(?:good|great) (?:question|point|news|catch)"
    r"|you(?:'re|\u2019re) (?:absolutely )?right|all done|done)(?:[!:.]+| [-–—]) +)+(?=[A-Z`*]|let me\b)",
    re.I,
)
_LEADS = re.compile(
    rf"{_ANNOUNCES.pattern}\s+(?:(?:also|now|first|then|just|quickly)\s+)*"
    r"|(?:now|next|first|then|so|and|also|finally)(?:[,:]\s*|\s+)(?=[\w`])",
    re.I,
)
_TITLE = re.compile(r"\*\*[^*]{1,80}:?\*\*:?")
_ONLY = re.compile(
    r"(?:[^:`]*\b(?:both|several|some|a few|multiple|many|(?:these|those|the)(?: (?:two|three|four))?|two|three|four)(?: [\w-]+){0,2} )"
    r"(?:bugs|issues|problems|reasons|causes|options|approaches|findings)[*_.!]*"
    r"|[^:`]*\b(?:found|see|is|'s|fix|has|have|understand) (?:an?|the|this|that) (?:(?:real|test|potential|clear|root) )?"
    r"(?:bug|issue|problem|failure|cause)[*_.!]*",
    re.I,
)
_MAY_BE = re.compile(
    r"(?:\d{1,2}[.)]\s+|[-*+•]\s+)?\*\*[^*\n]{2,60}\*\*:?\s*[-–—:]?\s"
    r"(?:[^\n]*\b(?:might|may|could|perhaps|possibly)\b|but th(?:is|ese|at)\b)"
)
ONLY = 90  # characters of a sentence that only says that there is something
_STANDS_FOR = re.compile(
    r"(?:(?:since|because|as|if|when|while|although|though|for|after|before) (?:this|that|these|those|it|they)(?:'s)?"
    r"|this|that|these|those|it|they|but|and|so|also|then|here|there(?! (?:is|are|was|were)\b)|which"
    r"|to \w+ (?:this|that|these|those|it))\b(?!-)",
    re.I,
)
_WILL = re.compile(r"^next,? i\b|\b(?:i'll|i will|i'm going to|let me|let's) (?:not|never|note|mention|warn|tell|point out|say)\b", re.I)
LEADING = 60  # characters within which a sentence says that the agent will do something later, or not at all, or has something to say
_KEPT = re.compile(r"(?:[-*+•]|\d{1,3}[.)])\s|[|#>]")  # how a line begins that is no paragraph
NUMBERED = re.compile(r"\s*(?:[2-9]|\d\d)[.)]\s")  # a point of a list that is not its first
_FENCES = ("```", "~~~")
_RULE = re.compile(r"[-*_=━─\s]{3,}|</?(?:thinking|analysis|result|answer)>")  # a line that only parts what stands around it


def gist(text: str, limit: int, *, pictures: bool = False) -> str:
    """At most about `limit` characters of whole lines: the first ones that say something, and the last ones; what stands between gives
    way to a mark. Code, tables and headings go first, unless `pictures` are to stay. Lines keep order and form. Linear in the text."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip() and not _RULE.fullmatch(line.strip())]
    lines = [without_exclamation(line) for line in lines if not is_filler(line)] or lines
    if not pictures and _length(lines) > limit and (told := outline(lines, limit)):
        return told
    for without in () if pictures else (_without_code, _without_tables, _without_headings):
        if _length(lines) <= limit:
            break
        lines = _with_content(without(lines)) or lines
    if _length(lines) <= limit:
        return "\n".join(clip(line, max(LINE, limit)) for line in lines)
    for cap in CAPS:
        shorter = [cut(line, cap) for line in lines]
        if not pictures and len(lines) > 2 and _length(shorter) <= limit:
            return "\n".join(shorter)
    if len(lines) == 1 or not limit:
        return cut(lines[0] if lines else "", limit)
    return "\n".join(ends_of(lines, limit))


def ends_of(lines: Sequence[str], limit: int) -> list[str]:
    """The first and the last of the lines within `limit` characters, with a mark between them: the first ones do not end with what leads in
    to what is left out, nor within code, and the last ones do not begin within a list or within code."""
    head = fitting(lines, int(limit * HEAD))
    if said := _begun(lines[len(head) : len(head) + 1], int(limit * HEAD) - _length(head)) if head else "":
        head = [*head, said]  # the paragraph that finds no room as a whole
    tail = fitting(lines[len(head) :][::-1], limit - _length(head))[::-1]
    if not head:
        head = [cut(lines[0], int(limit * HEAD))]
        tail = tail[max(0, len(tail) + 1 - len(lines)) :]
    if len(head) + len(tail) >= len(lines) and not said:
        return [*head, *tail]
    tail = _from_its_beginning(tail, lines[len(lines) - len(tail) - 1])
    if cut_here := [place for place, line in enumerate(head) if line.lstrip().startswith(_FENCES)][-1:] if _opens(head) else []:
        head = head[: cut_here[0]] or head
    while len(head) > 1 and (_leads_in(head[-1]) or not head[-1].strip()):
        head.pop()
    return [*head, CLIP, *tail]


def _begun(paragraph: Sequence[str], room: int) -> str:
    """The first sentences of a paragraph that fit; empty where none does, and for a point of a list, a table or code."""
    line = paragraph[0] if paragraph else ""
    if not line.strip() or line.startswith((" ", "\t")) or _KEPT.match(line) or line.startswith(_FENCES):
        return ""
    return " ".join(fitting(sentences_of(line), room))


def _from_its_beginning(tail: list[str], before: str) -> list[str]:
    """The last lines of words from where something begins: not within a list, whose first points are left out, nor within code."""
    if _opens(tail):
        tail = tail[next(place for place, line in enumerate(tail) if line.lstrip().startswith(_FENCES)) + 1 :]
    elif _continues(before) or NUMBERED.match(next((line for line in tail if line.strip()), "")):
        tail = list(dropwhile(_continues, tail))
    return list(dropwhile(lambda line: not line.strip(), tail))


def _continues(line: str) -> bool:
    """Whether a line is a point of a list, a row of a table, or stands below one; or nothing."""
    return not line.strip() or line.startswith((" ", "\t")) or (_KEPT.match(line) is not None and not line.startswith("#"))


def _opens(lines: Sequence[str]) -> bool:
    """Whether code begins or ends in the lines that does not end or begin there."""
    return sum(line.lstrip().startswith(_FENCES) for line in lines) % 2 == 1


def _leads_in(line: str) -> bool:
    """Whether a line says nothing without what follows it."""
    words = line.strip()
    return words.startswith("#") or _TITLE.fullmatch(words) is not None or words.rstrip("*_ ").endswith(":")


def _length(lines: Sequence[str]) -> int:
    return sum(len(line) + 1 for line in lines)


def _without_code(lines: list[str]) -> list[str]:
    """The lines outside of code blocks."""
    kept: list[str] = []
    inside = False
    for line in lines:
        if line.lstrip().startswith(("```", "~~~")):
            inside = not inside
        elif not inside:
            kept.append(line)
    return kept


def _without_tables(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.lstrip().startswith("|")]


def _with_content(lines: list[str]) -> list[str]:
    """The lines without headings under which nothing is left: those before one of the same rank or a higher one, and at the end."""
    kept: list[str] = []
    below = 0  # rank of the line beneath: 0 at the end, and more than any heading's for what is none
    for line in reversed(lines):
        rank = _rank(line)
        if rank < below or rank == CONTENT:
            kept.append(line)
            below = rank
    return kept[::-1]


def _rank(line: str) -> int:
    """1 to 6 for a marked heading, 7 for one in bold, more for what is none."""
    words = line.strip()
    if words.startswith("#"):
        return min(len(words) - len(words.lstrip("#")), 6)
    return 7 if _TITLE.fullmatch(words) else CONTENT


def _without_headings(lines: list[str]) -> list[str]:
    """The lines without headings, whether marked as such or in bold, that say no more than what follows is about."""
    return [line for line in lines if not (line.lstrip().startswith("#") or _TITLE.fullmatch(line.strip()))]


def is_filler(line: str) -> bool:
    """Whether a line says nothing by itself: an exclamation, or what the agent is about to look at."""
    words = line.strip(" *_#>-")
    if words == CLIP:
        return False
    return is_exclamation(line) or (len(words) < 200 and all(map(_is_on_the_way, sentences_of(words))))


def _is_on_the_way(sentence: str) -> bool:
    """Whether a sentence is an exclamation, or only says what comes next or what was asked."""
    if is_exclamation(sentence) or _ANNOUNCES.match(sentence) or _RESTATES.match(sentence):
        return True
    return begins_act(sentence) and _WILL.search(sentence[:LEADING]) is None


def only_announces(sentence: str) -> bool:
    """Whether a sentence only says that there is something, and names nothing of it: "It found several bugs.", "Fix both issues."."""
    return len(sentence) <= ONLY and _ONLY.fullmatch(sentence.strip()) is not None and not any(map(is_name, terms_in(sentence)))


def is_torn(text: str) -> bool:
    """Whether words say nothing without those before or behind them: they begin with what stands for something else, lead in, or are a
    point of a list of what may be."""
    return stands_for(text) or _MAY_BE.match(text.strip()) is not None or text.rstrip(" *_`").endswith(":")


def stands_for(text: str) -> bool:
    """Whether words begin with one that stands for what was said before."""
    return _STANDS_FOR.match(text.lstrip(" *_-–—•")) is not None


def is_exclamation(line: str) -> bool:
    """Whether a line is nothing but an exclamation."""
    words = line.strip(" *_#>-")
    return not words or _FILLER.fullmatch(words) is not None


def without_exclamation(line: str) -> str:
    """The line without how it begins: "Perfect! The tests pass" is "The tests pass"."""
    return _EXCLAIMS.sub("", line) or line


def without_announcement(line: str) -> str:
    """The line without how it leads in: "Now let me add the test" is "add the test"."""
    plain = _EXCLAIMS.sub("", line)
    led = _LEADS.match(plain)
    return plain[led.end() :] if led and len(plain) - led.end() >= 8 else plain


def without_announcements(text: str) -> str:
    """The text without the sentences of its paragraphs that only say what comes next, wherever they stand; code, lists and tables stay."""
    lines: list[str] = []
    inside = False
    for line in text.split("\n"):
        inside ^= line.lstrip().startswith(("```", "~~~"))
        if inside or not line.strip() or line.startswith((" ", "\t")) or _KEPT.match(line):
            lines.append(line)
            continue
        kept = [sentence for sentence in sentences_of(line) if not _is_on_the_way(sentence)]
        lines += [line if len(kept) == len(sentences_of(line)) else " ".join(kept)] if kept else []
    return "\n".join(lines).strip()


def without_last_announcement(text: str) -> str:
    """The text without the sentences at its end that say what comes next: "All tests pass. Let me commit:" is "All tests pass."."""
    *lines, last = text.rstrip().split("\n")
    while lines and (not last.strip() or (is_filler(last) and not _KEPT.match(last))):
        last = lines.pop()
    while (stop := last.rstrip().rfind(". ") + 1) and is_filler(last[stop:]):
        last = last[:stop]
    return "\n".join([*lines, last] if lines or not is_filler(last) else [])


def fitting(lines: Sequence[str], room: int) -> list[str]:
    """The first of the lines that fit in `room` characters, each with its line end."""
    taken: list[str] = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        taken.append(line)
    return taken
