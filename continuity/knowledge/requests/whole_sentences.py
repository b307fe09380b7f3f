"""A line parted into its sentences, and a sentence into its clauses."""

from __future__ import annotations

import re

from continuity.knowledge.requests.overtaken import REPLACED, SETTLED

# A number that begins a line ends no sentence, nor does an abbreviation; where no blanks part words, a full stop does by itself.
STOP = re.compile(r"(?<!^\d)(?<!^\d\d)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bcf)[.!?](?:\*\*|[\"')\]”’`])?(?=\s|$)|[。！？]")
_BREAKS = re.compile(r"; | [-–—] | \(|, |: ")
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
    for stop in STOP.finditer(line):
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


def asks(words: str) -> bool:
    """Whether words end as a question does, whatever mark stands behind it."""
    plain = words.strip().removesuffix(REPLACED.strip()).removesuffix(SETTLED.strip())
    return plain.rstrip(" *_`)\"'”").endswith(("?", "？"))


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
