"""Steps of the work for a request: what the agent said that it does, the files it changed with that, and how a check ended.

Words that only announce are no facts; beside the change that followed them they say what the change was for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from continuity.knowledge.language.clip import clip, one_line
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.sentences import split
from continuity.knowledge.model import RequestStep
from continuity.knowledge.requests.gist import is_exclamation, without_announcement
from continuity.knowledge.requests.whole_sentences import sentences_of

SAID, CAUSE, CHECK, PATH = 240, 160, 120, 160  # characters
READ = 3000  # characters of the agent's words, their end
ANNOUNCED = 60  # characters up to which words that announce give way to a finding beside them
SAYS = 3  # words of content of what a thought announces
STEPS = 40  # of the request in work
FILES = 8

WHOLE = 1000  # characters of marked lines up to which they are all that was changed

Steps = tuple[RequestStep, ...]

# What comes after the step that is announced.
_LATER = re.compile(
    r"\bI(?:['’]ll| will| should|['’]d)? (?:also|then|later|afterwards)\b|^(?:then|after (?:that|this)|afterwards|later)\b", re.I
)

# What is to be seen afterwards, as the agent announces it.
_QUOTED = re.compile(
    r"\b(?:to(?: (?:show|display|say|read|print|render|be))?|titled|labell?ed|called|named|zu|auf|en|à|a)"
    r" [\"“„«]\s?([^\"“”„«»\n]{4,80}?)\s?[\"”“»]",
    re.I,
)


def label(words: str, *, thought: bool = False) -> str:
    """What the end of the agent's words says of the step that follows: its last sentences, without how they lead in. Empty where the
    words end with code or a table; what only announces gives way to what was found, but of a `thought` nothing else is told."""
    end = words.rstrip()[-READ:]
    last = end.rsplit("\n", 1)[-1].strip()
    if last.startswith(("```", "~~~", "|")):
        return ""
    found: list[str] = []
    for sentence in reversed(split(end)[-8:]):
        plain = one_line(sentence.text, SAID + 1).replace("**", "").strip(" _").rstrip(":")
        if is_exclamation(plain):
            continue
        if sum(map(len, found)) + len(plain) > SAID or (found and "\n\n" in end[sentence.start :].rstrip()):
            break
        found.insert(0, plain)
    if thought:
        found = [plain for plain in found if without_announcement(plain) != plain and len(content(plain, SAYS)) >= SAYS]
        found = [plain for plain in found if not _LATER.search(plain)][-1:] or found[-1:]
    telling = [plain for plain in found if len(plain) > ANNOUNCED or without_announcement(plain) == plain] or found
    told = clip(without_announcement(" ".join(telling)), SAID)
    return told[:1].upper() + told[1:]


def carried_out(said: str, bodies: Sequence[str]) -> str:
    """The words of a step without the sentences that announce a text in quotes which its edits, given as marked lines, do not have: the
    edit shows what was done. Nothing can be told of edits that were shortened."""
    if not said or not bodies or any(len(body) >= WHOLE for body in bodies):
        return said
    lines = "\n".join(bodies).lower()
    sentences = sentences_of(said)
    told = [each for each in sentences if all(found[1].lower() in lines for found in _QUOTED.finditer(each))]
    return said if len(told) == len(sentences) else " ".join(told)


def begun(steps: Steps, seq: int, said: str, files: Sequence[str], check: str, cause: str) -> Steps:
    """The steps with what a message changed and ran, said under these words: a new step where the words are new, or where the last one
    ended with a check and files change again."""
    last = steps[-1] if steps else None
    names = [path[-PATH:] for path in files]
    if last is not None and said in (last.said, "") and not (last.check and names):
        merged = tuple(dict.fromkeys((*last.files, *names)))[-FILES:]
        step = replace(last, files=merged, check=check or last.check, cause=cause if check else last.cause)
        return (*steps[:-1], step)
    told = "" if last is not None and said == last.said else said
    return kept((*steps, RequestStep(told, seq, tuple(names[-FILES:]), check[:CHECK], clip(cause, CAUSE))), STEPS)


def kept(steps: Steps, most: int) -> Steps:
    """At most `most` of the steps in their order: those with a failed check and what followed them first, then those that say something,
    the latest first."""
    if len(steps) <= most:
        return steps
    places = sorted(range(len(steps)), key=lambda place: (_worth(steps, place), place), reverse=True)[:most]
    return tuple(steps[place] for place in sorted(places))


def failed(step: RequestStep) -> bool:
    """Whether the step ended with a check that failed."""
    return step.check.endswith(" failed")


def _worth(steps: Steps, place: int) -> int:
    mends = place > 0 and failed(steps[place - 1])
    return 2 if steps[place].said and (mends or failed(steps[place])) else 1 if steps[place].said else 0
