"""Putting words on one line, shortening them with a mark, and telling whether a text states them. Written once, used everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from continuity.knowledge.directive_parser.grammar import CLIP as CLIP
from continuity.knowledge.directive_parser.grammar import CLOSING as CLOSING
from continuity.knowledge.directive_parser.grammar import IN_BLOCK
from continuity.knowledge.directive_parser.grammar import OPENING as OPENING
from continuity.knowledge.directive_parser.signs import neutral
from continuity.knowledge.requests.whole_sentences import stops
from continuity.knowledge.state.fold_cache import cached
from continuity.transcripts.base.sanitise import clean_text

# A clipped text still states its words when at least this share of them is left.
STATED_SHARE = 0.5

_MARKUP = "*_`~\"'“”‘’«»\\"
_PROBE = 24
# Of the room for what somebody said: what its whole sentences take at least, its clauses, and its last sentence at most.
SAID, CLAUSE, TAIL = 0.6, 0.75, 0.3
_CLAUSE = re.compile(r"[;,](?= )| [—–-] | \(|:(?= )")
CODE = re.compile(r"`([^`]*)`")  # a command that is told in words
_CODE = re.compile(r"(`[^`\n]+`)")
_SPACE = re.compile(r"\s+")
_BREAK = re.compile(r"[^\S ]")  # white space that is no blank
# A clip goes back to a word's end by so many characters at most; longer words (paths, links) are cut.
WORD = 30


def one_line(text: str) -> str:
    """`text` with every run of white space as one space, without what nobody sees, and unable to look like a part of a directive."""
    return neutral(" ".join(clean_text(text).split()))


def one_line_with_code(text: str) -> str:
    """As `one_line`, but white space between backticks on one line stays: in a drawing or a command it says something."""
    pieces = _CODE.split(clean_text(text))
    told = "".join(_BREAK.sub(" ", piece) if place % 2 else _SPACE.sub(" ", piece) for place, piece in enumerate(pieces))
    return neutral(told.strip())


def clip(text: str, limit: int) -> str:
    """`text` within about `limit` characters: its middle gives way to a mark, at word ends, most of its beginning stays."""
    if len(text) <= limit:
        return text
    room = max(limit - len(CLIP) - 2, 16)
    head, tail = text[: room * 3 // 4], text[len(text) - room // 4 :]
    head = head[: head.rfind(" ")] if " " in head[-WORD:] else head
    tail = tail[tail.find(" ") + 1 :] if " " in tail[:WORD] else tail
    return f"{head.rstrip()} {CLIP} {tail.lstrip()}"


def clip_said(text: str, limit: int, least: float = SAID) -> str:
    """What somebody said within about `limit` characters: up to where a sentence ends, else a clause, if that is no less than the share
    `least` of what fits, else a word; behind the mark its last sentence, where that is short."""
    if len(text) <= limit:
        return text
    room = max(limit - len(CLIP) - 1, 16)
    sentences = list(stops(text))
    last = max((end for end in sentences if end < len(text.rstrip())), default=0)
    tail = text[last:].strip() if last and len(text) - last <= room * TAIL else ""
    room -= len(tail) + 1 if tail else 0
    ends = max((end for end in sentences if end <= room), default=0)
    if ends < room * least:
        ends = max((found.start() for found in _CLAUSE.finditer(text, 0, room) if _is_closed(text[: found.start()])), default=0)
        if ends < room * max(least, CLAUSE):
            ends = text.rfind(" ", 0, room) if " " in text[max(room - WORD, 0) : room] else room
    return f"{text[:ends].rstrip()} {CLIP} {tail}".rstrip()


def _is_closed(words: str) -> bool:
    """Whether no code and no bracket is open at the end of the words."""
    return words.count("`") % 2 == 0 and words.count("(") <= words.count(")")


@cached
def normalise(text: str) -> str:
    """The form in which words are compared: one line, lower case, without markup, quotes and escapes."""
    words = neutral(clean_text(text))
    for mark in _MARKUP:  # a table of characters to leave out takes ten times as long
        if mark in words:
            words = words.replace(mark, "")
    return " ".join(words.lower().split())


class Stated:
    """A text that is asked whether it states given words; it is normalised once."""

    def __init__(self, text: str) -> None:
        self._text = normalise(text.replace(f"\n{IN_BLOCK}", "\n").replace(f"\n{IN_BLOCK.rstrip()}\n", "\n"))
        self._clipped = CLIP in self._text
        self._known: dict[str, bool] = {}

    def states(self, words: str) -> bool:
        """Whether the words stand in the text, whole or clipped by no more than half. Empty words are always stated."""
        if words not in self._known:
            wanted = normalise(words)
            self._known[words] = not wanted or self._contains(wanted) or self._kept_share(wanted) >= STATED_SHARE
        return self._known[words]

    def _contains(self, wanted: str) -> bool:
        """Whether `wanted` stands in the text and not merely inside longer words."""
        position = self._text.find(wanted)
        while position >= 0:
            end = position + len(wanted)
            before, after = self._text[position - 1 : position], self._text[end : end + 1]
            if not (wanted[0].isalnum() and before.isalnum()) and not (wanted[-1].isalnum() and after.isalnum()):
                return True
            position = self._text.find(wanted, position + 1)
        return False

    def _kept_share(self, wanted: str) -> float:
        """The largest share of `wanted` that stands in the text as a beginning, the mark, and an end."""
        best, position = 0.0, self._text.find(wanted[:_PROBE]) if self._clipped else -1
        while position >= 0 and best < STATED_SHARE:
            head = _common_prefix(wanted, self._text[position : position + len(wanted)])
            # The mark follows the beginning, and its own first character may seem to belong to it.
            mark = self._text.find(CLIP, position + head - 1, position + head + len(CLIP) + 1)
            if mark >= 0:
                tail = self._tail(wanted, mark - position, mark + len(CLIP) + 1)
                best = max(best, (mark - position + tail) / len(wanted))
            position = self._text.find(wanted[:_PROBE], position + 1)
        return best

    def _tail(self, wanted: str, head: int, after: int) -> int:
        """How many of the last characters of `wanted` stand at `after`."""
        first = self._text[after : after + 1]
        start = wanted.find(first, head)
        while first and start >= 0:
            if self._text.startswith(wanted[start:], after):
                return len(wanted) - start
            start = wanted.find(first, start + 1)
        return 0


def _common_prefix(first: str, second: str) -> int:
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if first[:middle] == second[:middle] else (low, middle - 1)
    return low


def and_more(every: Sequence[object], shown: int) -> str:
    """How many of a list stand behind those that are shown."""
    return f" and {len(every) - shown} more" if len(every) > shown else ""


def file_names(paths: Iterable[str], among: Iterable[str] = ()) -> list[str]:
    """Files by their names, each once, and with as many of their folders as tell them from others `among` which they are named."""
    named, found = list(paths), []
    others = {*named, *among}
    for path in named:
        parts = path.strip("/").split("/")
        tails = ("/".join(parts[-count:]) for count in range(1, len(parts)))
        alone = (tail for tail in tails if not any(each != path and f"/{each}".endswith(f"/{tail}") for each in others))
        found.append(next(alone, "/".join(parts)))
    return list(dict.fromkeys(found))
