"""What a speaker takes back in the same breath: "The cause is the cache. Actually, wait: the log shows a hit" leaves the log."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.directive_parser.grammar import CLIP
from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.sentences import Sentence, split

_TAKES_BACK = re.compile(
    r"(?:(?:h+m+|oh|ah|ok(?:ay)?|but|no|nope|well|so|and|aber|mais|pero)[,.! —–-]+)*"
    r"(?:actually[, —–-]+(?:wait|no\b|hold on|that(?:'s| is)(?: not|n't)|looking (?:back|again|closer|more))"
    r"|wait(?=[,.!:…]| ?[—–-])|wait a (?:minute|second|moment)|hold on\b|scratch that|strike that|on second thoughts?|let me reconsider"
    r"|no, that(?:'s| is)|that(?:'s| is) (?:not (?:right|it|quite right)|wrong)(?=[.,!—–-])|i was wrong|my mistake"
    r"|nein, |moment[,.!]|halt[,.!]|stimmt nicht|doch nicht|attends?[,.!]|en fait,? non|espera[,.!]|no, espera)",
    re.I,
)
# One of these stands in whatever does.
_HINTS = (
    "wait", "actually", "hold on", "scratch that", "strike that", "second thought", "reconsider", "that's", "that is", "i was wrong",
    "my mistake", "nein,", "moment", "halt", "stimmt nicht", "doch nicht", "attend", "en fait", "espera",
)  # fmt: skip
_PROSE = (BlockKind.PROSE,)
_GAPS = re.compile(r"\n\s*\n[ \t]*(?=\S)|\n{3,}")


def takes_back(sentence: str) -> bool:
    """Whether a sentence begins with words that take back what was said before it."""
    return _TAKES_BACK.match(sentence.lstrip("*_ ")) is not None


def kept(text: str, sentences: Sequence[Sentence], *, thought: bool = False) -> list[Sentence]:
    """The sentences without the prose that a later one takes back: what stands before it in its paragraph, or the paragraph before where it
    begins one; in a `thought`, which is one train, all prose since the last list or code. Lists and code stay: they say what was seen."""
    low = text.lower()
    if not any(hint in low for hint in _HINTS):
        return list(sentences)
    out: set[int] = set()
    for place, sentence in enumerate(sentences):
        if place and takes_back(sentence.text):
            first = _begins(text, sentences, place, thought=thought)
            first = _begins(text, sentences, place - 1) if first == place else first
            out.update(n for n in range(first, place) if sentences[n].kind in _PROSE)
    return [sentence for place, sentence in enumerate(sentences) if place not in out] if out else list(sentences)


def _begins(text: str, sentences: Sequence[Sentence], place: int, *, thought: bool = False) -> int:
    """The place of the first sentence of a paragraph; with `thought`, of the run of prose that one belongs to."""
    while place and sentences[place - 1].kind in _PROSE:
        if not thought and "\n\n" in text[sentences[place - 1].end : sentences[place].start]:
            break
        place -= 1
    return place


def without_taken_back(text: str, *, thought: bool = False) -> str:
    """A text without what it takes back itself; in a `thought` a sign stands for that, since what comes next goes on from it."""
    sentences = split(text)
    left = {sentence.start for sentence in kept(text, sentences, thought=thought)}
    if len(left) == len(sentences):
        return text
    gone = [sentence.start not in left for sentence in sentences]
    for place in reversed([place for place, is_gone in enumerate(gone) if is_gone]):
        sign = f"{CLIP}\n\n" if thought and place and not gone[place - 1] else ""
        text = f"{text[: sentences[place].start].rstrip(' ')}{sign}{text[sentences[place].end :]}"
    return _GAPS.sub("\n\n", text).strip()
