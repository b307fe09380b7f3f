"""What a long request asks to be tried at its end, beside the project's checks: "then run `app clean -f`, and look that it is gone"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from continuity.knowledge.evidence import CalledInstructions, CalledStep
from continuity.knowledge.extractors.called_instructions import commands_within, matched, own_words
from continuity.knowledge.extractors.shell.parser import parse
from continuity.knowledge.extractors.tools.verification import kind_of
from continuity.knowledge.requests.ordered_steps import plain
from continuity.knowledge.state.step import FoldStep

LONG, LINES, LINE = 600, 6, 320
TELLING, NAMED = 5, 3  # letters of a word that tells commands apart, and of a program by whose name another is known
_HEADING = re.compile(r"(?P<level>#{1,4})\s+(?P<words>.+)")
_VERIFIES = re.compile(
    r"(?:\d{1,2}[.)]\s*)?(?:verification|verify\w*|test plan|testing|manual test\w*|how to (?:test|verify)|end-to-end)\b", re.I
)
_WORD, _STEM = re.compile(r"[A-Za-z_][\w.]*"), re.compile(r"[A-Za-z]+")
_FENCES = ("```", "~~~")


def heard(step: FoldStep, index: int) -> None:
    """Keep the lines under such a heading that name a command which is no check: those have a ladder of their own."""
    text = step.message.parts[index].text
    if len(text) < LONG:
        return
    found = [CalledStep(0, line) for line in _lines(text) if (named := commands_within(line)) and not all(map(_is_check, named))]
    if found:
        step.state.to_try = CalledInstructions(step.seq, "", tuple(found[:LINES]))


def ran(step: FoldStep, command: str) -> None:
    """Drop the lines of which a call runs a command."""
    known = step.state.to_try
    if known is None or step.aside:
        return
    command = own_words(command)
    left = tuple(each for each in known.steps if matched(each, command) is None and not _touches(each.title, command))
    if len(left) < len(known.steps):
        step.state.to_try = replace(known, steps=left) if left else None


def _touches(line: str, command: str) -> bool:
    """Whether a call may have done what a line asks for: it has a word of the line's commands that tells them apart, or calls a program
    that is named after theirs, as a build of it in another place."""
    ran = {each.program.rsplit("/", 1)[-1] for each in parse(command)} | {word.rsplit("/", 1)[-1] for word in command.split()}
    for named in commands_within(line):
        program, *words = named.split()
        program = program.rsplit("/", 1)[-1]
        telling = {word for word in _WORD.findall(" ".join(words)) if len(word) >= TELLING and word != program}
        if any(word in command for word in telling):
            return True
        if len(program) >= NAMED and any(each != program and program in _STEM.findall(each) for each in ran):
            return True
    return False


def _is_check(command: str) -> bool:
    return kind_of(parse(command)) > 0


def _lines(text: str) -> Iterator[str]:
    """The lines of prose under the heading, up to the next one that is as high."""
    level, fenced = 0, False
    for line in text.splitlines():
        words = line.strip()
        if words.startswith(_FENCES):
            fenced = not fenced
        elif heading := None if fenced else _HEADING.match(words):
            if level and len(heading["level"]) > level:
                continue
            level = len(heading["level"]) if _VERIFIES.match(plain(heading["words"])) else 0
        elif level and not fenced and len(words) <= LINE:
            yield plain(re.sub(r"^(?:[-*+•]|\d{1,2}[.)])\s+(?:\[[ x]\]\s+)?", "", words))
