"""A line parted into its sentences, and a sentence into its clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from continuity.knowledge.language.sentences import NUMBER_OF_ONE
from continuity.knowledge.requests.overtaken import REPLACED, SETTLED

# A number that begins a line ends no sentence, nor does an abbreviation; where no blanks part words, a full stop does by itself.
STOP = re.compile(r"(?<!^\d)(?<!^\d\d)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bcf)[.!?](?:\*\*|[\"')\]”’`])?(?=\s|$)|[。！？]")
_OF_ONE = re.compile(rf"\b{NUMBER_OF_ONE}$", re.I)
_SHORT = 16  # characters of that
_CLOSES_WITHIN = 160  # characters, behind which an open bracket or quotation stays one
_BREAKS = re.compile(r"; | [-–—] | \(|, |: ")
_CONCLUDES = re.compile(
    r"[\s#*_>]*(?:(?:my|our|the|final) )?(?:recommendation|pick|conclusion|verdict|bottom line|tl;?dr|(?:overall )?assessment|take"
    r"|short answer|in short|outcome"
    r"|i(?:'d| would) (?:recommend|suggest|pick|go with)|i recommend)\b[^.?]{0,40}(?::|$|,|\b(?:is|that)\b|\.)",
    re.I,
)
_PAIRS = (("(", ")"), ("[", "]"))
_ASIDES = frozenset(("; ", " - ", " – ", " — ", " ("))
_CONDITION = re.compile(
    r"\W*(?:(?:\w+ ){0,3}\w+: )?(?:if|when|while|because|since|although|though|as|after|before|once|unless|where)\b", re.I
)
MORE = " …"
LEAST = 24  # characters of a clause that says something by itself


def sentences_of(line: str) -> list[str]:
    """The sentences of a line, each with the mark behind it."""
    found, start = [], 0
    for end in stops(line):
        for mark in (REPLACED, SETTLED):
            if line.startswith(mark, end):
                end += len(mark)
        if line[start:end].strip():
            found.append(line[start:end].strip())
        start = end
    if line[start:].strip():
        found.append(line[start:].strip())
    return found


def stops(text: str) -> Iterator[int]:
    """Where the sentences of a text end: not within code, brackets or a quotation, nor behind the number of one of several things.
    Linear in the text."""
    counts, counted = dict.fromkeys('`"()“”', 0), 0
    for stop in STOP.finditer(text):
        for sign in counts:
            counts[sign] += text.count(sign, counted, stop.start())
        counted = stop.start()
        if text[counted] not in ".!?" or not (_is_within(text, stop, counts) or _goes_on(text, stop)):
            yield stop.end()


def _goes_on(text: str, stop: re.Match[str]) -> bool:
    """Whether a full stop ends the number of one of several things, or dots stand in the middle of a sentence."""
    place = stop.start()
    if text[place - 1 : place].isdigit():
        return _OF_ONE.search(text, max(place - _SHORT, 0), place) is not None
    return text[max(place - 2, 0) : place] == ".." and text[stop.end() : stop.end() + 2].strip()[:1].islower()


def _is_within(text: str, stop: re.Match[str], counts: Mapping[str, int]) -> bool:
    """Whether a full stop stands within code, brackets or a quotation that closes soon, or closes one in the middle of a sentence."""
    signs = [sign for sign in '`"' if counts[sign] % 2]
    signs += [closes for opens, closes in (("(", ")"), ("“", "”")) if counts[opens] > counts[closes]]
    if not signs:
        return False
    after = text[stop.end() : stop.end() + _CLOSES_WITHIN].partition("\n")[0]
    if stop.group()[-1] in signs:
        return after[:2].strip()[:1].islower()
    return any(sign in after for sign in signs)


def asks(words: str) -> bool:
    """Whether words end as a question does, whatever mark stands behind it."""
    plain = words.strip().removesuffix(REPLACED.strip()).removesuffix(SETTLED.strip())
    return plain.rstrip(" *_`)\"'”").endswith(("?", "？"))


def concludes(words: str) -> bool:
    """Whether words say what an answer comes to."""
    return _CONCLUDES.match(words) is not None


def first_clause(sentence: str, most: int) -> str:
    """The sentence up to the last place within `most` characters where a clause ends, outside of brackets, code and bold words; the whole
    of it where there is none."""
    if len(sentence) <= most or sentence.endswith((REPLACED.strip(), SETTLED.strip())) or asks(sentence):
        return sentence
    ends = [
        found
        for found in _BREAKS.finditer(sentence, LEAST, most)
        if (found[0] in _ASIDES or found.start() * 2 > most)
        and _is_closed(sentence[: found.start()])
        and _says_it(sentence[: found.start()], found[0], sentence[found.end() :])
    ]
    asides = [found for found in ends if found[0] in _ASIDES]
    end = asides[-1] if asides and asides[-1].start() * 2 > most else ends[-1] if ends else None
    if end is None:
        return sentence
    return f"{sentence[: end.start()].rstrip(' ,;:')}{'' if end[0] in _ASIDES else MORE}"


def _says_it(words: str, sign: str, after: str) -> bool:
    """Whether words before a sign have the main clause: it does not come after a condition, nor behind brackets or a second dash."""
    if _CONDITION.match(words) and ", " not in words:
        return False
    if sign == " (":
        _, closes, rest = after.partition(")")
        return bool(closes) and not rest[:2].strip()[:1].isalnum() and not rest.startswith((" `", " —", " –", " -"))
    return sign == "; " or sign not in _ASIDES or sign not in after


def _is_closed(words: str) -> bool:
    """Whether no bracket, code or bold words are open at the end of the words."""
    even = words.count("`") % 2 == 0 and words.count("**") % 2 == 0
    return even and all(words.count(opens) <= words.count(closes) for opens, closes in _PAIRS)
