"""Quantities in a statement, told from numbers that only name something."""

from __future__ import annotations

import re

from continuity.knowledge.language.content_words import is_stop, stem
from continuity.knowledge.language.word_sets import word_set

_COUNTED = {
    word: str(number)
    for number, word in enumerate("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split())  # noqa: SIM905
} | {"twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100", "half": "0.5"}
_SPELLED = {number: stem(word) for word, number in _COUNTED.items()}
_NUMBER = re.compile(
    r"(?P<before>[a-z][\w'-]*)?(?P<gap>[\s~$€£<>=(]*)(?<![\w./-])(?P<number>\d{1,2}:\d\d|\d+(?:[.,]\d+)*|(?:" + "|".join(_COUNTED) + r")\b)"
    r"(?P<space>\s?)(?P<unit>%|[a-z]+)?(?![./-]?\w)",
)
_ANY = re.compile(r"\d|\b(?:" + "|".join(_COUNTED) + r")\b")
_LOW = re.compile(r"\b(?:at least|least|minimum|min|fewer|less|under|below|lower)\b")
_HIGH = re.compile(r"\b(?:at most|most|maximum|max|more than|over|above|up to|tops?|exceed\w*|upper|cap\w*|beyond|no longer than)\b")
# Words that say how a quantity is counted, never what it belongs to.
UNITS = frozenset(
    stem(word)
    for word in word_set(
        """
        percent ms millisecond second sec minute min hour day week month year time byte kb mb gb tb word line page char character token
        euro dollar pound top grow
        """
    )
)


def amounts(text: str) -> tuple[str, ...]:
    """The quantities of a statement in lower case, as side (`<`, `>` or nothing), number and unit: `<40`, `12 second`, `02:30`.

    A number that follows a noun and precedes no unit is a name (chapter 5, port 5432) and no quantity.
    """
    if not _ANY.search(text):
        return ()
    found = []
    for match in _NUMBER.finditer(text):
        number = _COUNTED.get(match["number"]) or match["number"].replace(",", "")
        unit = match["unit"] or ""
        counted = unit == "%" or (unit and not is_stop(unit))
        if (
            match["before"]
            and not is_stop(match["before"])
            and match["gap"]
            and not match["gap"].strip()
            and not counted
            and ":" not in number
        ):
            continue
        if match["number"] in ("one", "half") and not counted:
            continue
        around = text[max(0, match.start("number") - 24) : match.start("number")]
        low, high = _LOW.search(around), _HIGH.search(around)
        side = ">" if low and not high else "<" if high and not low else ""
        found.append(f"{side}{number}{' ' + stem(unit) if counted else ''}")
    return tuple(dict.fromkeys(found))


def bare(amount: str) -> str:
    """The number of an amount alone."""
    return amount.lstrip("<>").split(" ")[0]


def unit(amount: str) -> str:
    return amount.partition(" ")[2]


def side(amount: str) -> str:
    return amount[:1] if amount[:1] in "<>" else ""


def number_words(numbers: frozenset[str]) -> frozenset[str]:
    """The content words under which these numbers stand in a statement."""
    return numbers | {_SPELLED[number] for number in numbers if number in _SPELLED}
