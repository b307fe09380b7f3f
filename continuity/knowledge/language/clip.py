"""Shortening that bounds both the characters kept and the bytes they take in stored state."""

from __future__ import annotations

import json
import re

from continuity.knowledge.directive_parser.grammar import CLIP
from continuity.knowledge.model import Quote, Ref

WORD = 40  # characters that a clip goes back for a word's end
SENTENCE = 240  # and for the end of a sentence or a line, if that is no more than a quarter of what fits
_ENDS = re.compile(r"(?<!\d)[.!?](?=\s)|\n")
ENOUGH = 0.25  # of the room for a command, from which its first words say what was run
LAST = 0.5  # of it, up to which the last word may take
_CONTINUED = re.compile(r"\\\s")
_PREPARES = re.compile(r"(?:export [A-Za-z_]\w*=[^\s;&|]+|cd [^\s;&|]+) ?(?:&&|;) ?")
_LAST = re.compile(r" (?!-)[\w./:@-]*[A-Za-z][\w./:@-]*$")
_FILTERS = re.compile(r" (?:2>|> ?/dev/null|\| ?(?:tail|head|grep)\b)")  # what only shortens an output
_WHICH = re.compile(r" (?:-run|-k|-t|--?filter|--grep|--tests?)[ =](?=[\w\"'^])(?:\"[^\"]*\"|'[^']*'|\S+)(?=\s|$)")
_WORDS = re.compile(r"\"(?:\\.|[^\"\\])*\"?|'[^']*'?|\S")


def clip(text: str, limit: int) -> str:
    """The first `limit` characters, fewer where they would take over twice as many bytes of JSON."""
    text = text[:limit]
    size = len(json.dumps(text))
    while size > 2 * limit + 2 and len(text) > 1:
        text = text[: max(1, min(len(text) - 1, 2 * limit * len(text) // size))]
        size = len(json.dumps(text))
    return text


def shorten(quote: Quote, limit: int) -> Quote:
    """The quote clipped to `limit` at the end of a sentence, a line or a word, its span shortened with it."""
    text = beginning(quote.text, limit)
    if len(text) == len(quote.text):
        return quote
    ref = quote.ref
    return Quote(text, Ref(ref.seq, ref.part, ref.start, ref.start + len(text)))


def beginning(text: str, limit: int) -> str:
    """The text clipped to `limit` at the end of a sentence, a line or a word."""
    short = clip(text, limit)
    return short if len(short) == len(text) else short[: _end_of_sentence(short) or _end_of_word(short, text[len(short)])]


def command_within(command: str, limit: int) -> str:
    """A command on one line within `limit` characters: its first words, whole and with what they quote, the test that it names, or its last
    word where that is a name, and a mark for the rest. What only prepares it is left out first. Where its first word is longer, the
    beginning of that."""
    words = " ".join(_CONTINUED.sub(" ", command).split())
    while len(words) > limit and (prepares := _PREPARES.match(words)):
        words = words[prepares.end() :]
    if len(words) <= limit:
        return words
    room = limit - len(CLIP) - 1
    end = 0
    for found in _WORDS.finditer(words):
        if found.end() > room:
            break
        if words[found.end() : found.end() + 1] in (" ", ""):
            end = found.end()
    if named := _WHICH.search(words):  # which test it runs says more than where
        begins = words[: min(end, named.start())].split(" ")
        while begins and len(" ".join(begins)) + len(named[0]) > room - len(CLIP):
            begins.pop()
        if named.end() > end and begins:
            more = "" if _FILTERS.match(words, named.end()) or named.end() == len(words) else f" {CLIP}"
            return f"{' '.join(begins)} {CLIP}{named[0]}{more}"
    last = _LAST.search(_FILTERS.split(words, maxsplit=1)[0])
    if last and len(last[0]) < room * LAST and last.start() > end and "<<" not in words:
        head = words[: max(words.rfind(" ", 0, room - len(last[0]) + 1), 0)]
        is_value = words[: last.start()].rpartition(" ")[2].startswith("-")
        if len(head) >= room * ENOUGH and not is_value and not any(head.count(sign) % 2 for sign in "'\""):
            return f"{head.rstrip(' |&;')} {CLIP}{last[0]}"
    if end < room * ENOUGH:
        end = max(words.rfind(" ", 0, room), 0) or room
    return words[:end] if _FILTERS.match(words, end) else f"{words[:end].rstrip(' |&;')} {CLIP}"


def _end_of_sentence(text: str) -> int:
    """Where the last whole sentence or line ends; 0 where that is far from the end."""
    start = len(text) - min(SENTENCE, len(text) // 4)
    return max((found.start() + (found[0] != "\n") for found in _ENDS.finditer(text, start)), default=0)


def _end_of_word(text: str, after: str) -> int:
    if after.isspace():
        return len(text)
    return max((place for place in range(max(len(text) - WORD, 1), len(text)) if text[place].isspace()), default=len(text))


def one_line(text: str, limit: int) -> str:
    """The text on one line, clipped."""
    return clip(" ".join(text[: limit * 4].split()), limit)
