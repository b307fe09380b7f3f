"""Shell commands and how they ended: the working directory, files, checks, errors, commits, jobs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from continuity.knowledge.anchors.keys import digest
from continuity.knowledge.directive_parser.grammar import CLIP
from continuity.knowledge.evidence import Keeping
from continuity.knowledge.extractors.outcomes import (
    code_edits,
    failures,
    file_states,
    made_outside,
    misused_commands,
    named_outputs,
    searches,
    short_results,
    trackers,
    work_parts,
)
from continuity.knowledge.extractors.shell import file_effects
from continuity.knowledge.extractors.shell.parser import Simple, name_of, parse, script_of
from continuity.knowledge.extractors.shell.paths import relative
from continuity.knowledge.extractors.tools import errors, files, git, remote_effects, tool_names, verification
from continuity.knowledge.language.clip import clip, command_within, one_line
from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.model import CommandRun, Quote, Ref
from continuity.knowledge.rules.prefilter import PrefilteredPattern
from continuity.knowledge.state.codec import cost
from continuity.knowledge.state.open_items import Effect, Pending
from continuity.knowledge.state.step import FoldStep
from continuity.transcripts.base.model import Part

RECENT, RECENT_SIZE, VERSIONS = 20, 9_000, 4
SCRIPT = 300
LOOKS = 6
LOOK = 160
BRIEF = 240  # characters of an output that is kept whole
TROUBLES, TROUBLE_LINE = 2, 120  # lines of a longer one that tell of trouble, and their length
TROUBLE_READ = 6000  # characters in which they are sought

_JOINED_OUTPUT = re.compile(r"(?<!\s)\s+2>&1(?=\s*(?:&&|;))")  # before another command
_FILTERS = re.compile(r"(?<!\s)\s+(?:2>&1|\|(?!\|)|>)")  # what only shortens the output
# What in a command is about its output, and the change into a directory before it.
# A message of several lines as shells are given one, and what tools write below it.
_MESSAGE = re.compile(r"\"\$\(cat <<-?\s*(['\"]?)(?P<end>\w{1,20})\1\s+(?P<said>\S[^\x00]{0,4000}?)\s+(?P=end)\s*\)\"")
_TRAILERS = re.compile(r"(?:^|\s)(?:Co-Authored-By:|Signed-off-by:|🤖 Generated with)", re.I)
_ABOUT_OUTPUT = re.compile(
    r"(?<!\s)\s*2>\s?(?:/dev/null|&1)|(?<!\s)\s*\|\s?(?:head|tail)(?: -[\w+-]+| \d+)*(?=\s*(?:[;&|)\n]|$))"
    r'|(?<![\s;])\s*;\s?echo "[^"]*"\s*$'
)
_WRAPPED = re.compile(
    r"\A\s*(?:<returncode>-?\d+</returncode>\s*)?<output>\n?|\n?</output>\s*\Z|\n?^Shell cwd was reset to [^\n]*\s*\Z", re.M
)
_RESET = "Shell cwd was reset to "  # a remark of the tool's
# A program that wraps a command and does not know it: nothing was run.
_NOT_UNDERSTOOD = re.compile(
    r"^\W{0,4}(?:error: )?(?:unrecognized (?:sub)?command|unknown (?:sub)?command|no such (?:sub)?command|invalid (?:sub)?command)\b"
    r"|^Usage: \S+ \[",
    re.M | re.I,
)
_OF_A_LINTER = re.compile(r"\b(?:0|[Nn]o) (?:issues|problems|warnings|offenses)\b")
_ASKS_VERSION = PrefilteredPattern(r"(?<![\w-])--?version\b|__version__|\bversion\(\)|\b(?:pip|pipx|npm|cargo|gem) show\b")
_NUMBERED = re.compile(r"\d\.\d")
_INTO = re.compile(r"cd (?P<place>[^\s;&|]+)\s*(?:&&|;)\s*")

# A line with one of these stops somebody who reads an output; plain words are found far faster than patterns.
_TROUBLE = (
    *("error:", "fatal:", "warning:", "failed", "failure", "denied", "rejected", "refused", "conflict", "timed out", "expired", "missing"),
    *("stuck", "stale", "behind", "disabled", "no such ", "unable to ", "cannot ", "could not ", "not logged", "not found", "not set"),
    *("not configured", "not installed", "not running", "not enabled", "not available", "not supported", "not authenticated"),
)

_LOOKING = word_set(
    """
    ls cat head tail grep rg find wc pwd echo which tree jq less more stat file sed awk nl sort uniq cut diff printf env date ps du
    df type test sleep true cd export source set column xargs basename dirname whoami id
    """
)
_HELP = frozenset(("--help",))
_LOOKING_VERBS = frozenset(("view", "show", "list", "ls", "get", "describe", "search", "logs", "inspect"))
_LOOKING_AT_GIT = word_set(
    """
    status log diff show branch remote rev-parse ls-files blame describe fetch config reflog ls-remote shortlog stash-list cat-file
    """
)


def script(arguments: Mapping[str, Any]) -> str:
    """The script of a shell tool's call."""
    return script_of(arguments.get("command") or arguments.get("cmd") or arguments.get("script") or arguments.get("raw") or "")


def expected(step: FoldStep, arguments: Mapping[str, Any]) -> tuple[str, tuple[Effect, ...], tuple[Effect, ...]]:
    """A call's script without long here-documents, what it does to files when it succeeds, and what it has probably done when
    it fails: all but its last command's effects."""
    words = script(arguments)
    commands = parse(words)
    cwd = directory(step, arguments)
    whole, _ = file_effects.effects(commands, cwd)
    partly, _ = file_effects.effects(commands[:-1], cwd) if len(commands) > 1 else ([], cwd)
    for command in commands:
        if len(command.body) > 120:
            words = words.replace(command.body, "", 1)
    return words, tuple(whole), tuple(partly)


def directory(step: FoldStep, arguments: Mapping[str, Any]) -> str:
    """Where a call runs."""
    return tool_names.first(arguments, "workdir", "cwd", "working_directory", "directory") or step.state.cwd


def ended(step: FoldStep, index: int, part: Part, pending: Pending) -> None:
    """Fold the result of a shell call."""
    commands = parse(pending.command)
    if not commands:
        return
    piped = verification.is_piped(commands)
    rank = verification.kind_of(commands)
    bad = bool(part.exit_code) or (part.exit_code is None and part.failed is True) or git.stopped_by_hook(commands, part.text)
    if rank:
        silent = verification.is_silent(commands)
        passed = verification.outcome(part.text, part.exit_code, part.failed, piped, silent=silent)
        if passed and verification.is_cut(commands, printed(part.text)):
            passed = None
    else:
        passed = None if _unknown(part) else not bad
    if rank and bad and verification.passed_before_failing(commands, part.text):
        _checked_first(step, commands, pending, part)
        rank, passed = 0, False
    for effect in pending.partial if bad else pending.effects:
        files.touch(step, effect, pending.subject)
    if not step.aside:
        misused_commands.observed(step, tidied(pending.command.strip()), printed(part.text), failed=bad)
    if step.aside or (any(command.by for command in commands) and _NOT_UNDERSTOOD.search(part.text[:TROUBLE_READ])):
        return
    elsewhere = False
    looks = all(only_looks(c) for c in commands)
    if not bad:
        _moved(step, commands, pending.subject)
        _wrote(step, commands, pending, part.text, looks=looks)
        git.observe(step, index, commands, part.text, pending.subject)
        elsewhere = remote_effects.observe(step, commands, part.text)
        trackers.observe(step, commands, part.text)
        if elsewhere or made_outside.starts(commands):
            made_outside.observe(step, commands, part.text)
    if "] " in part.text[:20_000] and not rank and not looks and (bad or not any(git.after_git(c) for c in commands)):
        git.told(step, index, commands, part.text, pending.command)
    if rank or bad:
        _judged(step, commands, pending, part, passed, rank)
    if not rank and len(part.text) <= short_results.LONGEST + 60 and not any(git.moves(c) for c in commands):
        short_results.keep(step, index, tidied(pending.command.strip(), pending.subject), printed(part.text), failed=bad)
    if passed:
        errors.passed(step, commands, rank, pending.command, part.text)
    elif passed is False:
        errors.failed(step, index, commands, rank, part.text)
    if looks:
        searches.by_shell(step, index, commands, tidied(pending.command.strip(), pending.subject), printed(part.text))
        _looked(step, pending, part.text)
        return
    step.state.deed = step.seq
    if rank or not elsewhere:
        _remember(step, commands, pending, part, passed, rank)


def _wrote(step: FoldStep, commands: list[Simple], pending: Pending, text: str, *, looks: bool) -> None:
    """Files that a formatter or a generator says it wrote; one that is committed may have been left as it was."""
    if looks or verification.kind_of(commands) == verification.TEST:
        return
    known = {effect.path for effect in pending.effects}
    for effect in named_outputs.generated(text):
        path = relative(effect.path, pending.subject, step.state.root)
        if effect.path not in known and path not in step.state.changed:
            files.touch(step, effect, pending.subject)
            file_states.mark_unsure(step, path)
    for effect in named_outputs.written(commands, text):
        path = relative(effect.path, pending.subject, step.state.root)
        kept = step.state.changed.get(path)
        if effect.path not in known and (kept is None or kept.keeping is not Keeping.COMMITTED or effect.path in text):
            files.touch(step, effect, pending.subject)


def _judged(step: FoldStep, commands: list[Simple], pending: Pending, part: Part, passed: bool | None, rank: int) -> None:
    """What a check, or a failure, says of the code in flux, of what fails, and of what was refused."""
    text = printed(part.text)
    command = tidied(without_filters(pending.command.strip()), pending.subject)
    run = CommandRun(clip(command, SCRIPT), step.seq, part.exit_code, passed, _result(commands, text, rank, passed))
    if rank:
        work_parts.checked(step, run)
    if rank and passed:
        failures.passed(step, run, commands, rank, text)
        if rank >= verification.CHECK:
            code_edits.finished(step)
    elif rank and passed is False:
        failures.failed(step, run, text)
    elif passed is False and any(git.after_git(c) for c in commands):
        git.refused(step, commands, run, text)


def _result(commands: list[Simple], text: str, rank: int, passed: bool | None) -> str:
    """What a run printed that tells how it ended; nothing where that was cut off, nor what a linter before the tests said."""
    if rank and passed is None and verification.is_cut(commands, text):
        return ""
    said = verification.summary(text) if rank else _outcome(text)
    if rank and passed is False and not verification.counts(said):  # the end of what went well before it says nothing
        said = next(reversed(_troubles(text)), said)
    result = one_line(said, 200)
    return "" if rank == verification.TEST and passed and _OF_A_LINTER.search(result) else result


def printed(text: str) -> str:
    """What a command printed, without the tags into which some harnesses put it."""
    return _WRAPPED.sub("", text) if text.startswith("<") or text.endswith(">") or _RESET in text[-300:] else text


def _unknown(part: Part) -> bool:
    return part.exit_code is None and part.failed is None


def _remember(step: FoldStep, commands: list[Simple], pending: Pending, part: Part, passed: bool | None, rank: int) -> None:
    state = step.state
    text = printed(part.text)
    result = _result(commands, text, rank, passed)
    command = CommandRun(_kept(pending.command.strip()), pending.seq, part.exit_code, passed, result)
    state.commands = _latest((*state.commands, command))
    if rank >= verification.CHECK and not any(each.program == "git" for each in commands):
        _checked(step, command)
    elif rank >= verification.CHECK and passed:
        for each in _chained(commands):
            _checked(step, replace(command, command=clip(" ".join(each.words), SCRIPT)))
    if rank and (rank >= state.verification_rank or passed is False):  # what failed counts, of whatever kind it is
        state.verification, state.verification_rank = command, rank


def _kept(command: str) -> str:
    """A command as it is kept: a chain that is too long without a part in its middle, lines as they are."""
    joined = command.replace("\\\n", " ")
    return clip(command, SCRIPT) if len(joined) <= SCRIPT or "\n" in joined else command_within(joined, SCRIPT)


def _checked_first(step: FoldStep, commands: list[Simple], pending: Pending, part: Part) -> None:
    """Enter the check of a chain that passed before another command of it failed, as a run of its own."""
    check = [each for each in commands if verification.kind_of([each])][-1]
    command = " ".join(check.words)
    result = one_line(verification.summary(printed(part.text)), 200)
    run = CommandRun(clip(command, SCRIPT), pending.seq, 0, True, result)
    rank = verification.kind_of([check])
    work_parts.checked(step, run)
    failures.passed(step, run, [check], rank, printed(part.text))
    _checked(step, run)
    if rank >= step.state.verification_rank:
        step.state.verification, step.state.verification_rank = run, rank


def _chained(commands: list[Simple]) -> Iterator[Simple]:
    """The checks among commands of which each begins only where the one before has passed."""
    if all(each.before in ("", "&&", "|", "|&") for each in commands):
        yield from (each for each in commands if each.before not in ("|", "|&") and verification.kind_of([each]) >= verification.CHECK)


def _latest(runs: tuple[CommandRun, ...]) -> tuple[CommandRun, ...]:
    """The latest runs, and of those before them the latest that told a version, in at most RECENT_SIZE bytes."""
    sizes = [*map(cost, runs)]
    over, out = sum(sizes) - RECENT_SIZE, 0
    while over > 0 and out < len(runs) - 1:
        over, out = over - sizes[out], out + 1
    runs = runs[out:]
    if len(runs) <= RECENT:
        return runs
    versions = [place for place, run in enumerate(runs) if tells_version(run)][-VERSIONS:]
    others = [place for place in range(len(runs)) if place not in versions]
    return tuple(runs[place] for place in sorted([*versions, *others[len(versions) - RECENT :]]))


def tells_version(run: CommandRun) -> bool:
    """Whether a run was to learn a version, which holds as long as nobody installs another."""
    return run.passed is not False and _ASKS_VERSION.search(run.command) is not None and _NUMBERED.search(run.result) is not None


def _checked(step: FoldStep, run: CommandRun) -> None:
    """How this project is checked: each command once, however it is wrapped and without what only shortens its output, with its last
    result."""
    command = without_filters(run.command)
    step.state.checks.put(digest(name_of(command)), replace(run, command=command))


def without_filters(command: str) -> str:
    """A command without what only shortens its output."""
    return _FILTERS.split(_JOINED_OUTPUT.sub("", command), maxsplit=1)[0]


def tidied(command: str, cwd: str = "") -> str:
    """A command without what is about its output, and without going to `cwd` first; to any directory where none is given. Of a message
    that a here-document holds its first line."""
    into = _INTO.match(command)
    if into and (not cwd or into["place"].strip("\"'").rstrip("/") == cwd.rstrip("/")):
        command = command[into.end() :]
    command = _MESSAGE.sub(_first_line, command)
    return _ABOUT_OUTPUT.sub("", command) or command


def _first_line(message: re.Match[str]) -> str:
    lines = [line.strip() for line in _TRAILERS.split(message["said"])[0].splitlines() if line.strip()] or [message["said"]]
    return f'"{lines[0]}{f" {CLIP}" if len(lines) > 1 else ""}"'


def _looked(step: FoldStep, pending: Pending, text: str) -> None:
    """Remember the places looked at in this turn: where an answer is being searched."""
    text = printed(text)
    told = one_line(text, LOOK) if len(text) <= BRIEF else ""
    words = one_line(tidied(pending.command.strip(), pending.subject), LOOK)
    look = Quote(f"{words} → {told}" if told else words, Ref(pending.seq, pending.part))
    step.state.looked = (*[known for known in step.state.looked if known.text != look.text], look)[-LOOKS:]


def _outcome(text: str) -> str:
    """A short output whole; of a long one the first lines that tell of trouble, and the last line."""
    if len(text) <= BRIEF:
        return text.strip()
    lines = [line.strip() for line in text[-600:].splitlines() if line.strip()]
    last = lines[-1] if lines else ""
    return " … ".join((*(line for line in _troubles(text) if line != last), last))


def _troubles(text: str) -> list[str]:
    """The first lines of an output that tell of trouble, in their order."""
    text = text[:TROUBLE_READ]
    low = text.lower()
    starts = sorted({low.rfind("\n", 0, place) + 1 for word in _TROUBLE if (place := low.find(word)) >= 0})
    lines = dict.fromkeys(text[start:].split("\n", 1)[0].strip() for start in starts)
    return [line for line in lines if len(line) <= TROUBLE_LINE][:TROUBLES]


def only_looks(command: Simple) -> bool:
    """Whether a command changes nothing and tells only what a file or a list holds."""
    if any(path != "/dev/null" for path in (*command.writes, *command.appends)):
        return False
    if _HELP & {*command.words}:
        return True
    if command.program == "git":
        return len(command.words) < 2 or command.words[1] in _LOOKING_AT_GIT
    if command.program == "sed":
        return not any(w.startswith("-i") for w in command.words)
    if command.program == "gh" and command.words[2:3] in (["diff"], ["checks"], ["status"]):
        return True
    return command.program in _LOOKING or any(word in _LOOKING_VERBS for word in command.words[1:4])


def _moved(step: FoldStep, commands: list[Simple], cwd: str) -> None:
    """Follow `cd`, where the transcript does not report the directory itself."""
    if step.message.cwd or cwd != step.state.cwd:
        return
    _, here = file_effects.effects([c for c in commands if c.program in ("cd", "pushd")], cwd)
    if here != file_effects.UNKNOWN:
        step.state.cwd = here[:400]
