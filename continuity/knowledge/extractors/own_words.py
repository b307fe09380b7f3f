"""Tells a person's own words from a log, a trace or an output that they paste, which asks for nothing and binds nobody.

Lines that only a program prints make a paste, with what stands between them; what stands before, behind or among them and speaks to
somebody is the person's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from continuity.knowledge.rules import apply

PASTED = 3  # so many lines that nobody wrote as words make a paste
LINE = 400  # characters of a line that tell what it is
MOSTLY = 0.4  # of the lines that are printed from which the words between them are taken for printed too
DOCUMENT = 3  # headings of a text that somebody wrote

_HEADING = re.compile(r"^[ \t]{0,3}#{1,4} \S", re.M)
_FENCE = re.compile(r"[ \t]*(?P<mark>```|~~~|\"\"\"|''')")
_QUOTES = ('"""', "'''")
_ITEM = re.compile(r"[ \t]*(?:[-*+•>#]|\d{1,3}[.)])\s")
_ROW = re.compile(r"[ \t]*\|.*\|[ \t]*$")
# A line of a program that fills the screen: the signs of its tree, or how many lines were changed at its end.
_SCREEN = r"(?:> {1,3})?[v▸▾] {1,3}[-*o•] \S|\S.{0,390}\[\+\d+(?: -\d+(?: \(\d+ files?\))?| \(\d+ files?\))\]$"
_PRINTED = re.compile(
    r"[ \t]*(?:"
    # when, how grave, and where from
    r"\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d{1,2} +\d\d:\d\d|\[[\w.:/-]{1,40}\] \S"
    r"|\W{0,2}(?:TRACE|DEBUG?|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b(?!,)"
    r"|(?i:(?:[\w./-]{1,60}: )?(?:fatal|error|warning|hint|remote|panic|note|npm (?:err!|error|warn))(?:\[\w+\])?: )"
    r"|[\w@./\\-]{1,200}\.\w{1,6}:\d+(?::\d+)?:? |[\w@./\\-]{1,200}\.\w{1,6}\(\d+,\d+\)"
    # what a linter found in a file, the file above it, and the script that a package manager runs
    r"|\d+:\d+:?\s+(?:error|warning|warn|info|note|hint)\b|(?:/[\w@.-]{1,100}){2,20}\.\w{1,6}$|> [\w@/.-]{1,100}@\d[\w.+-]{0,30}(?: |$)"
    # tests, traces, differences
    r"|--- (?:FAIL|PASS|SKIP)|=== ?(?:RUN|FAIL)|={3,}|-{5,}|(?:FAIL|PASS|FAILED|PASSED|ok)(?:[: \t]|$)|at \S+ ?\("
    r"|Traceback \(|File \"|Caused by:"
    r"|(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Warning)\b:|goroutine \d|\.\.\. \d+ (?:more|lines)"
    r"|diff --git |index [0-9a-f]{7}|@@ -\d|\+\+\+ \S|--- a/|commit [0-9a-f]{7,40}\b|create mode \d|delete mode \d|\d+ files? changed"
    r"|Author: .*<|Date: +[A-Z]|\* ?[0-9a-f]{7,40} |\* commit "
    # a terminal
    r"|[❯➜⏺⎿✓✗✖✔⚠⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏│┃┆┌┏┡└┗├┠╭╰▶►●○◯━─═]|\$ \S|[\w.-]{1,64}@[\w.-]{1,255}[: ][^\s]*.{0,40}[$#%] |PS [A-Z]:\\|>>> \S"
    rf"|{_SCREEN}"
    # data
    r"|[\[{]\s*(?:[\"'{\[]|$)|[\]}],?\s*$|\"[\w.-]{1,60}\"\s*:"
    r"|(?:Fetching|Downloading|Compiling|Installing|Resolving|Building|Running|Updating|Cloning|Pulling|Pushing|Processing|Starting|Loading)"
    r"\b[^.?!]{0,200}\.\.\.\s*$"
    r")"
)
_ON_SCREEN = re.compile(rf"^[ \t]*(?:{_SCREEN})", re.M)  # one such line is enough: nobody writes it
_PADDED = re.compile(r"\S[ \t\u00a0]{6,}$")
_PAIRS = re.compile(r"\b[\w.-]{2,40}=[^\s=]")
_COMMITTED = re.compile(r"(?<=\w )\[[\w./-]{1,100}(?: \(root-commit\))? [0-9a-f]{7,40}\] ")  # as git prints a new commit
_HASH = re.compile(r"(?<![\w/])[0-9a-f]{40}(?!\w)|\(SHA:")
# What programs tell whoever runs them to do.
_ADVICE = re.compile(
    r"\W{0,4}(?:please make sure you have the correct access|and the repository exists|use ['\"`\u2018(]|run ['\"`\u2018]|try ['\"`\u2018]"
    r"|\(use |for more (?:info|details|help)|see (?:https?://|['\"`])|press |did you mean\b|note: |not committing\b|you can continue here"
    r"|to (?:see|get|fix|address|update|resume|undo|abort|suppress|continue)\b.*(?:, |\b(?:run|use)\b))",
    re.I,
)
# Who speaks to somebody: clearly enough among the lines of an output, and in a paragraph of its own.
_ASKS = re.compile(
    r"\b(?:please|pls|plz|(?:can|could|would|will) (?:you|we|u)|let's|lets|i(?:'m|'d|'ve|'ll)"
    r"|i (?:think|want|need|get|got|see|don't|am|have)"
    r"|we (?:need|should|want)|why (?:is|are|does|do|did|was|were)|what(?:'s| is| does| happened)|how (?:do|can|should|to|come)|any idea"
    r"|(?:fix|check|debug|explain|investigate|look at|look into) (?:this|that|it|these|why|what|the)"
    r"|bitte|kannst du|warum|peux-tu|pourquoi|porque|por favor)\b",
    re.I,
)
_SPEAKS = re.compile(
    r"\b(?:i|we|my|our|you|should|must|instead|don't|do not|want|need|never|always|fix|make|add|remove|change)\b|\?\s*$", re.I
)


class _Kind(Enum):
    BLANK = auto()
    FENCE = auto()  # code and its marks, which are read as such anyway
    PRINTED = auto()
    WORDS = auto()


@dataclass(slots=True)
class _Line:
    start: int
    end: int
    text: str
    kind: _Kind
    pasted: bool = False


def without_pastes(text: str) -> str:
    """The text with white space in the place of what was pasted, so that every other character stays where it is; the very same
    object where nothing was. Takes time linear in the text."""
    if (text.count("\n") < PASTED - 1 and not _ON_SCREEN.search(text)) or len(_HEADING.findall(text[:60_000])) >= DOCUMENT:
        return text
    lines = list(_lines(text))
    printed = sum(line.kind is _Kind.PRINTED or _turns(line.text) < len(line.text) for line in lines)
    if printed < PASTED and not any(_ON_SCREEN.match(line.text) for line in lines):
        return text
    _mark(lines)
    pieces: list[str] = []
    for line in lines:
        kept = line.start if line.pasted else line.end
        if not line.pasted and line.kind is _Kind.WORDS and (turn := _turns(line.text)) < len(line.text):
            kept = line.start + turn
        pieces.append(text[line.start : kept] + "\n" * (line.end - kept))
    return "".join(pieces)


def _lines(text: str) -> Iterator[_Line]:
    fence = ""
    at = 0
    for line in text.splitlines(keepends=True):
        head = line.rstrip("\r\n")[:LINE]
        found = _FENCE.match(head)
        if fence or found:
            quoted = (fence or found["mark"] if found else fence) in _QUOTES and head.strip()
            kind = _Kind.PRINTED if quoted else _Kind.FENCE
            fence = ("" if found and found["mark"] == fence else fence) if fence else found["mark"] if found else ""
        elif not head.strip():
            kind = _Kind.BLANK
        else:
            kind = _Kind.PRINTED if _is_printed(head[: _turns(head)]) else _Kind.WORDS
        yield _Line(at, at + len(line), head, kind)
        at += len(line)


def _is_printed(line: str) -> bool:
    """Whether only a program writes such a line."""
    words = line.strip()
    if _PRINTED.match(words) or _PADDED.search(line) or len(_PAIRS.findall(words)) >= 3:
        return True
    if _ITEM.match(line) or _ROW.match(line):
        return False
    if " " not in words:
        return not re.fullmatch(r"[\w'’.,!?…:@/#-]{1,200}", words) and "://" not in words
    return not apply.is_prose(words)


def _turns(line: str) -> int:
    """Where a line of words turns into what a program printed ("it fails: {…"); its length where it does not."""
    if commit := _COMMITTED.search(line):
        return commit.start()
    for colon in re.finditer(r": ", line):
        if (rest := line[colon.end() :]) and re.match(r"\{\"|\[\w+\] \S+.*(?:: |->)|\[?\d{4}-\d\d-\d\d[T ]|\[\d\d:\d\d", rest):
            return colon.start() + 1
    return len(line)


def _mark(lines: list[_Line]) -> None:
    """Mark the lines that belong to a paste."""
    printed = [place for place, line in enumerate(lines) if line.kind is _Kind.PRINTED] or [len(lines)]
    counted = sum(line.kind in (_Kind.PRINTED, _Kind.WORDS) for line in lines)
    mostly = len(printed) >= MOSTLY * counted
    first, last = printed[0], printed[-1]
    for paragraph in _paragraphs(lines):
        inner = [place for place in paragraph if lines[place].kind is _Kind.PRINTED]
        for place in paragraph:
            line = lines[place]
            if line.kind is _Kind.PRINTED:
                line.pasted = True
            elif not inner:
                said = _is_said(lines, paragraph, mostly=mostly and place < last) and not _ADVICE.match(line.text)
                line.pasted = first < place and not said
            elif inner[0] < place < inner[-1]:
                line.pasted = not _asks(line.text)
            elif place < inner[0]:
                led = any(lines[before].text.rstrip().endswith(":") for before in range(paragraph[0], place))
                logged = mostly and (place > first or (_HASH.search(line.text) is not None and not _SPEAKS.search(line.text)))
                line.pasted = (led or logged) and not _asks(line.text)
            else:
                line.pasted = not _asks(line.text) and (mostly or _ADVICE.match(line.text) is not None)


def _paragraphs(lines: list[_Line]) -> Iterator[list[int]]:
    paragraph: list[int] = []
    for place, line in enumerate(lines):
        if line.kind in (_Kind.PRINTED, _Kind.WORDS):
            paragraph.append(place)
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _asks(line: str) -> bool:
    return _ASKS.search(line) is not None and not _ADVICE.match(line)


def _is_said(lines: list[_Line], paragraph: list[int], *, mostly: bool) -> bool:
    """Whether a paragraph without a printed line is the person's: between pastes only where it speaks to somebody."""
    texts = [lines[place].text for place in paragraph]
    if all(_ADVICE.match(text) or text.startswith(("    ", "\t")) for text in texts):
        return False
    return not mostly or any((_SPEAKS.search(text) or _ASKS.search(text)) and not _ADVICE.match(text) for text in texts)
