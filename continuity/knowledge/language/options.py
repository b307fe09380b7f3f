"""The options that a text lists to choose from, by number or letter."""

from __future__ import annotations

import re
from enum import Enum, auto
from string import ascii_lowercase

from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.sentences import Sentence, lowered

WITHIN = 3  # lists that may stand within one another

# What marks an option within its own words: "**B. Keep the cookies**", "Option 2: …".
_MARKED = re.compile(r"\W{0,4}(?:(?:option|choice|approach|plan|variant|path|alternative|way)\s+)?([a-h]|\d{1,2})\s?[.):\]—–-]", re.I)
_NUMERALS = (
    "i",
    "ii",
    "iii",
    "iv",
    "v",
    "vi",
    "vii",
    "viii",
    "ix",
    "x",
    "xi",
    "xii",
    "xiii",
    "xiv",
    "xv",
    "xvi",
    "xvii",
    "xviii",
    "xix",
    "xx",
)
_ROMAN = {numeral: place for place, numeral in enumerate(_NUMERALS, 1)}

# What says before or behind a list that it is one to choose from.
_TO_CHOOSE = re.compile(
    r"\?|\b(?:options?|alternatives?|choices?|choose|pick|vote|recommend(?:ation)?|lean(?:ing)?|prefer(?:ence)?|suggest|either"
    r"|i'd (?:go|take|do)|möglichkeiten|varianten|wählen|choix|choisir)\b"
)


class OptionSeries(Enum):
    """A way to count options."""

    NUMBER = auto()
    LETTER = auto()
    ROMAN = auto()


def offered(sentences: list[Sentence]) -> int | None:
    """Where the options begin that a text puts to somebody to choose from; None where it lists something else, or nothing."""
    options = options_of(sentences, 0)
    if not options:
        return None
    first, last = options[0][0], options[-1][1]
    around = [s for s in sentences if s.index == first.index - 1 or s.index > last.index]
    return first.start if any(_TO_CHOOSE.search(lowered(s.text)) for s in around) else None


def options_of(sentences: list[Sentence], longest: int) -> list[tuple[Sentence, Sentence]]:
    """The first and last sentence of each option of the last numbered or lettered list; of lists within one another the outer one.
    One that is a heading takes what stands under it along, up to `longest` characters in all."""
    lists: list[tuple[OptionSeries, list[Sentence]]] = []
    for sentence in sentences:
        places = _places(_mark(sentence))
        before = next(((series, each) for series, each in lists[: -1 - WITHIN : -1] if places.get(series) == len(each) + 1), None)
        if before is not None:
            before[1].append(sentence)
            continue
        lists += [(series, [sentence]) for series, place in places.items() if place == 1]
    options: list[Sentence] = []
    for _, each in lists:
        if len(each) >= 2 and not (options and each[0].index <= options[-1].index + 1):
            options = each
    return [(option, _last_of(option, sentences, longest)) for option in options]


def _mark(sentence: Sentence) -> str:
    """The number or letter of an option, also where it stands within its words or a heading of its own; empty for what is none."""
    if sentence.kind not in (BlockKind.ITEM, BlockKind.HEADING):
        return ""
    if sentence.kind is BlockKind.ITEM and sentence.marker.isalnum():
        return sentence.marker.lower()
    match = _MARKED.match(sentence.text)
    return match[1].lower() if match else ""


def _places(mark: str) -> dict[OptionSeries, int]:
    """Where a mark stands in each way to count that has it, from 1: "i" is the first numeral and the ninth letter, "bb" the 28th."""
    if mark.isdecimal():
        return {OptionSeries.NUMBER: int(mark)}
    places = {OptionSeries.ROMAN: _ROMAN[mark]} if mark in _ROMAN else {}
    letter = ascii_lowercase.find(mark[:1]) + 1 if mark and mark == mark[0] * len(mark) else 0
    return places | ({OptionSeries.LETTER: letter + 26 * (len(mark) - 1)} if letter else {})


def _last_of(option: Sentence, sentences: list[Sentence], longest: int) -> Sentence:
    last = option
    for sentence in sentences[option.index - sentences[0].index + 1 :] if option.kind is BlockKind.HEADING else ():
        if sentence.kind is BlockKind.HEADING or sentence.text.endswith("?") or sentence.end - option.start > longest:
            break
        last = sentence
    return last
