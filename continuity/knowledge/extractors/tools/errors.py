"""Failing commands as errors that stay open until the same command passes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from continuity.knowledge.anchors import recording
from continuity.knowledge.extractors.shell.parser import Simple
from continuity.knowledge.extractors.tools.verification import TEST
from continuity.knowledge.language.content_words import content, is_identifier, stem, tokens
from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.model import AnchorState, AnchorType, Ref, Truth
from continuity.knowledge.rules.prefilter import PrefilteredPattern
from continuity.knowledge.state.step import FoldStep
from continuity.transcripts.base.model import Role

_WINDOW = 8000
_KEY = (
    re.compile(r"^.*(?:^|\s)--- FAIL: .+$|^FAILED \S+.*$|^[^\S\n]*(?:●|✕|✗|✘) .+$|^FAIL:? \S+.*$|^not ok .+$", re.M),
    re.compile(
        r"^.*\b(?:AssertionError|[A-Z]\w*(?:Error|Exception))\b:? ?.*$|^.*\berror(?:\[E\d+\]|:| TS\d+).*$|^panic: .+$|^CONFLICT .+$"
        r"|^fatal: .+$",
        re.M | re.I,
    ),
    re.compile(r"^.*\b(?:error|failed|failure|denied|not found|cannot|unable to|refused|rejected|timed? ?out|conflict)\b.*$", re.M | re.I),
)
_GO_FAILED = "--- FAIL: "
TOLD = 4000  # characters up to which a system message may tell of trouble
_OWN = PrefilteredPattern(
    r"^\[ERROR\] .+$|^(?:[\w.]{1,60}\.)?[A-Z][A-Za-z]{1,40}(?:Error|Exception): .+$|^(?:error|fatal): .+$"
    r"|^.{0,200}: file not found error\b.*$",
    re.M,
)
_TAG = re.compile(r"</?\w{1,40}>\s*$")
# What a harness says of a call that it did not make, and a runner of tasks behind what failed.
_OF_A_WRAPPER = re.compile(
    r"(?:<tool_use_error>)?(?:Sibling tool call errored|Cancelled: parallel tool call)|^\W*(?:\w[\w:.-]*\W+)?ERROR task failed$", re.I
)
_WORDS = re.compile(r"\n[ \t]*(?!<)(\S[^\n]{6,299})")
_PART = re.compile(r"\s[\w./-]+\.\w{1,4}\b|::|\s-(?:k|t|run|-grep|-filter)\b|\s\w+/[\w./-]+")  # what a run names that is not all tests
_TROUBLE = frozenset(map(stem, ("fail", "failure", "issue", "problem", "broken", "red")))
_QUIET = word_set(
    """
    grep rg egrep fgrep test [ diff ls which find command type cmp pgrep ps kill pkill cat head tail stat file jq tree wc echo
    """
)


def base_of(commands: list[Simple]) -> str:
    """What makes two runs the same command: its program and first plain words, without filters and options."""
    main = next(
        (c for c in commands if c.program not in ("cd", "echo", "export", "source", "set", "pushd") and c.before not in ("|", "|&")), None
    )
    if main is None:
        return ""
    plain = [w for w in main.words[1:] if not w.startswith("-")]
    return " ".join([main.program, *plain[: 1 if main.program == "git" else 2]])[:80]


def _blamed(commands: list[Simple], line: str) -> str:
    """What makes the same command as the one of a chain that failed: the last one whose deed the failure names, else the first."""
    said = set(line.lower().split())
    named = [command for command in commands if len(command.words) > 1 and command.words[1].lower() in said]
    return base_of(named[-1:]) or base_of(commands)


def failed(step: FoldStep, part: int, commands: list[Simple], rank: int, text: str) -> None:
    """Enter the key line of a failing command's output, unless its failure means nothing (a search without hits)."""
    main = commands[-1].program if commands else ""
    first = commands[0].program if commands else ""
    if not rank and (main in _QUIET or first in _QUIET):
        return
    line = key_line(text)
    if line is None:
        return
    start, end = line
    words = text[start:end]
    if len(content(words, 3)) < 2 or _OF_A_WRAPPER.match(words):
        return
    ref = Ref(step.seq, part, start, end)
    until = _blamed(commands, words) or main
    recording.found(step, AnchorType.ERROR, words, ref, 0.75 if rank else 0.6, Truth.OBSERVED, "error.command", until=until)


def told(step: FoldStep, part: int) -> None:
    """Enter what a tool says of its own trouble, outside of any call: a refusal of its model's service, an answer that it could not use."""
    text = step.message.parts[part].text
    if (step.message.role is Role.SYSTEM and len(text) > TOLD) or text.lstrip().startswith("<"):
        return
    window = text[-_WINDOW:]
    found = _OWN.search(window, window.lower())
    if found and len(content(found[0], 3)) >= 2:
        start = len(text) - len(window) + found.start()
        ref = Ref(step.seq, part, start, start + min(220, len(found[0])))
        recording.found(step, AnchorType.ERROR, text[ref.start : ref.end], ref, 0.45, Truth.OBSERVED, "error.told", until="told")


def key_line(text: str) -> tuple[int, int] | None:
    """The span of the line of an output that says best what went wrong, or None; a line that only leads on to it where there is no
    other."""
    begin = max(0, len(text) - _WINDOW)
    leads = None
    for pattern in _KEY:
        for match in pattern.finditer(text, begin):
            start, end = match.span()
            start = max(start, text.rfind(_GO_FAILED, start, end))  # behind what the test logged
            while start < end and text[start].isspace():
                start += 1
            if end - start < 8 or _TAG.match(text, start, end):
                continue
            if not text[start:end].rstrip().endswith(":"):
                return start, min(end, start + 300)
            leads = leads or (start, min(end, start + 300))
    return _led_to(text, leads) if leads else None


def _led_to(text: str, lead: tuple[int, int]) -> tuple[int, int]:
    """The lead-in with the first line of words below it."""
    below = _WORDS.search(text, lead[1], lead[1] + 400)
    return (lead[0], min(below.end(), lead[0] + 400)) if below else lead


def _passed(commands: list[Simple]) -> Iterator[str]:
    """What makes the same command as those that a chain's success tells of: the last one, and those before it that it depended on."""
    for command in reversed(commands):
        if command.before != "||":
            yield base_of([command])
        if command.before not in ("&&", "|", "|&"):
            return


def passed(step: FoldStep, commands: list[Simple], rank: int, script: str, text: str) -> None:
    """A passing run closes the errors of the same command, and those whose failing test it names, also as the agent told
    of them; one of all tests what the agent told of trouble with tests."""
    state = step.state
    known = [(name, item) for name, item in state.errors.items() if item.truth is not Truth.STATED]
    bases = {base_of(commands) if rank else "", *_passed(commands)} - {""} if known else frozenset()
    said = tokens(script[:600] + " " + text[-3000:]) if rank and known else ()
    whole = rank == TEST and not _PART.search(script)
    named = {t.lower() for t in said if len(t) > 7 and is_identifier(t)}
    for name, item in known:
        words = item.words.split()
        same = item.until in bases
        shown = bool(named) and any(long.startswith(w) for w in words if is_identifier(w) or len(w) >= 12 for long in named)
        told = whole and item.truth is Truth.CLAIMED and "test" in words and not _TROUBLE.isdisjoint(words)
        if same or told or (shown and (item.truth is Truth.OBSERVED or "fail" in words or "test" in words)):
            recording.settle(step, state.errors, name, AnchorState.RESOLVED)
