"""Text that a person pastes without comment: the lines of a log or a terminal that tell what went wrong."""

from __future__ import annotations

import re
from collections import Counter

from continuity.knowledge.anchors import recording
from continuity.knowledge.model import AnchorType, Ref, Truth
from continuity.knowledge.requests.outline import leads_in
from continuity.knowledge.rules import apply
from continuity.knowledge.rules.prefilter import PrefilteredPattern
from continuity.knowledge.state.step import FoldStep

SHOWN = 400  # lines of a paste, the last, of which one is told
LINES = 5  # kept of one message
LONGEST = 300
WRONG, ALONE = 3, 12  # lines of a paste that are told, and of one that nothing was said beside but what leads in to it
WHOLE, ALL_OF_IT = 480, 1000  # characters of a paste that is told whole beside somebody's words, and where it is all that they said
LINE = 1000  # characters of a line that is read
AT_MOST, LED_IN = 25, 1600  # lines and characters of a paste that words lead in to, which is told whole
PASTED = 3  # so many lines that nobody wrote as words make a paste
READ = 200_000  # characters, from the end
DOCUMENT = 3  # headings that make a text one

_WRONG = PrefilteredPattern(
    r"\b(?:\w*errors?(?! fix)|failed|failure|fatal|exception|panic|denied|refused|timed out|timeout|cannot|can't|could not"
    r"|unable to|not found|did not find|no (?:such|matching)|status(?: code)?:? [45]\d\d|invalid"
    r"|unexpected|undefined|rejected|conflict|segfault|killed|crash(?:ed)?)\b|✗|✖|❌",
    re.I,
)
# In a document with headings, which speaks of errors in other ways too: only what a tool prints of one.
_TELLS = PrefilteredPattern(r"^(?:\w*error|fatal|panic|exception|e)\b[^a-z]{0,12}[:!]|\berror(?:\[e\d+\]| ts\d+)|✗|✖|❌", re.I)
# How the line of a test says what it expected.
_FAILS = PrefilteredPattern(r"\bFAIL(?:ED|URE)?\b:?|\bassert\w*|\bexpect(?:ed|s)?\b|\bshould(?: not|n't)?\b.*\bgot\b", re.I)
_PLACE = re.compile(r"\b[\w/.-]+\.[a-z]{1,5}:\d+")
_CLOSES = frozenset(("FAIL", "ok", "PASS"))
# What only sums up, or tries again: the lines before it say why.
_ENDED = re.compile(r"\bexit(?:ed)?(?: with)?(?: status| code)? \d", re.I)
_SUMS_UP = re.compile(
    rf"{_ENDED.pattern}|\b(?:after|attempt|retry|try) \d|errors? generated|(?:task|job) failed"
    r"|\b\d+ (?:errors?|failed|failures?|problems?)\b",
    re.I,
)
_HEADING = re.compile(r"^[ \t]{0,3}#{1,4} \S", re.M)
_MARKDOWN = re.compile(r"(?:[-*+•#>]|\d{1,3}[.)])\s")
_WORDS = re.compile(r"\w\w")
_NUMBERS = re.compile(r"\d+")


def told(text: str, own: str) -> str:
    """One line on what was pasted beside somebody's `own` words (the text with white space in its place): how much, and the lines of it
    that say most: the last that tell what went wrong, and why before what only sums up, else the first."""
    kept = own.splitlines()
    lines = [line.strip() for n, line in enumerate(text.splitlines()) if line.strip() and not (n < len(kept) and kept[n].strip())]
    if not lines:
        return ""
    lines = [line for line in lines if _WORDS.search(line)] or lines
    differ = len({_NUMBERS.sub("0", line) for line in lines}) == len(lines)
    led_in = leads_in(own.strip())  # "This is the error:" says nothing without what follows
    whole = LED_IN if led_in else WHOLE if own.strip() else ALL_OF_IT
    if len(lines) == 1 or ((differ or led_in) and len(lines) <= AT_MOST and sum(map(len, lines)) + 3 * len(lines) <= whole):
        return " / ".join(lines)[:whole]
    telling = [line for line in lines[-SHOWN:] if len(line) <= LINE and (_WRONG.search(line) or _FAILS.search(line) or _PLACE.search(line))]
    # Of a list of failures each has its place in a file; lines that only differ in other numbers say the same.
    keys = [line if _PLACE.search(line) else _NUMBERS.sub("0", line) for line in telling]
    times = Counter(keys)
    wrong = {
        key: f"{line[:LONGEST]}{f' ({times[key]} times)' if times[key] > 1 else ''}"
        for key, line in zip(keys, telling, strict=True)
        if line not in _CLOSES
    }
    shown = _that_say_why([*wrong.values()], WRONG if own.strip() and not led_in else ALONE)
    while len(shown) > 1 and sum(map(len, shown)) + 3 * len(shown) > max(whole, ALL_OF_IT):
        shown = shown[1:]
    return f"{len(lines)} lines: {' / '.join(shown or [lines[0][:LONGEST]])}"


def _that_say_why(lines: list[str], most: int) -> list[str]:
    """The last of the lines, in their order: before those that only sum up, the ones that say why."""
    why = [line for line in lines if not _SUMS_UP.search(line)][-most:]
    sums = (
        [line for line in lines if line not in why and not (why and _ENDED.search(line))][-(most - len(why)) :] if len(why) < most else []
    )
    return [line for line in lines if line in why or line in sums]


def errors(step: FoldStep, part: int) -> None:
    """Enter the last few different lines that tell of a failure, where a person's text holds lines of a log or a terminal.

    They count until the person speaks again after the agent reported the work done.
    """
    text = step.message.parts[part].text
    position = max(0, len(text) - READ)
    is_wrong = _TELLS if len(_HEADING.findall(text, position)) >= DOCUMENT else _WRONG
    raw = 0
    found: dict[str, tuple[int, int]] = {}
    for line in text[position:].splitlines(keepends=True):
        words = line.strip()
        if words and not _MARKDOWN.match(words):
            raw += not apply.is_prose(words[:LINE])
            if len(words) <= LINE and is_wrong.search(words):
                start = position + line.index(words)
                found[_NUMBERS.sub("0", words)] = (start, start + min(len(words), LONGEST))
        position += len(line)
    for start, end in list(found.values())[-LINES:] if raw >= PASTED else ():
        ref = Ref(step.seq, part, start, end)
        recording.found(step, AnchorType.ERROR, text[start:end], ref, 0.72, Truth.OBSERVED, "error.pasted", until="report")
