"""Decides when a failed check is over, or none of the work's: something that covers it has passed since, or the agent said so."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from continuity.knowledge.coverage.carried import Source
from continuity.knowledge.directive_parser.grammar import OUTCOMES
from continuity.knowledge.extractors.shell.parser import parse
from continuity.knowledge.extractors.tools.commands import without_filters
from continuity.knowledge.extractors.tools.verification import BUILD, kind_of
from continuity.knowledge.language.foreign_failures import is_foreign
from continuity.knowledge.model import CommandRun, FileTouch, Knowledge, Situation
from continuity.knowledge.requests.ledger import in_work

HELD = " — as the agent said since, not for its changes: it was there before, or comes from elsewhere"

# A runner's test target without anything chosen from it, and a run of chosen tests.
_SUITE = re.compile(
    r"(?:(?:mise|just|task|make|npm|pnpm|yarn|bun|cargo|deno|poetry|uv|tox|nox|gradle|\./gradlew|mvn)(?: run)?"
    r" (?:test|tests|check|ci|verify)(?::(?:ci|all|unit))?"
    r"|(?:(?:uv|poetry|pdm|hatch|pipenv) run )?(?:pytest|python3? -m pytest)|go test \./\.\.\.|vitest(?: run)?|jest)(?: -[\w=-]+)*$"
)
_TASKS = re.compile(r"(?:mise|just|task|make)\b")
_RUNNERS = {
    "python": re.compile(r"\b(?:pytest|tox|nox|python3?|uv|poetry)\b"),
    "go": re.compile(r"\bgo test\b"),
    "javascript": re.compile(r"\b(?:npm|npx|pnpm|yarn|bun|bunx|deno|vitest|jest|mocha)\b"),
    "rust": re.compile(r"\bcargo\b"),
    "java": re.compile(r"\b(?:gradlew?|mvn)\b"),
}
_ALTERNATIVE = re.compile(r";|\|\|")  # with these a run may pass though a part of it did not
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_CONTINUED = re.compile(r"\\\s")  # a line that goes on on the next, which may have been joined
# What only prepares, a formatter among it: the linter beside it finds what that could not mend.
_PREPARES = re.compile(
    r"(?:cd|export|source|\.|echo|sleep|mkdir|rm|cp|git|set)\s|[A-Za-z_]\w*=\S*$"
    r"|(?:(?:mise|just|task|make|npm|pnpm|yarn|bun|cargo|go|deno)(?: run)? )?(?:fmt|format)\b(?!.*--check)"
    r"|(?:gofmt|goimports|rustfmt)\s.*-w\b"
)
# A task that lints all, and a linter that was called by its own name.
_LINT_ALL = re.compile(r"(?:mise|just|task|make|npm|pnpm|yarn|bun)(?: run)? lint(?::(?:ci|all|fix))?$")
_LINTER = re.compile(r"(?:(?:npx|bunx|uv run|poetry run) )?(?:golangci-lint run|eslint|ruff check)\s")
_FILE = re.compile(r"/?[\w-]+\.[a-z]{1,5}$")
_ALL = frozenset((".", "./..."))  # the paths that hold every other
_SEPARATES = re.compile(r"[;|&]")
_FOLDER = re.compile(r"\s(?:\./)?tests?/\S")  # within the tests, named in a run of some
# What a run prints that went well, and what tells otherwise.
_WELL = re.compile(
    r"\b(?:(?:0|no) (?:errors?|issues?|problems?|failures?|failed|warnings?|fixes applied|changes)|[1-9]\d* (?:passed|tests? passed)"
    r"|all (?:\w+ ){0,3}pass(?:ed)?|tests? pass(?:ed)?|success(?:fully|ful)?|passed)\b|^ok\b",
    re.IGNORECASE | re.MULTILINE,
)
_NOT_WELL = re.compile(
    r"\b(?:[1-9]\d* (?:failed|failures?|errors?|problems?|issues?)|errors?:|not found|no tests|fault|timed? ?out|interrupt\w*|background"
    r"|running|killed|cancell?ed|aborted)\b",
    re.IGNORECASE,
)
_FAILED = re.compile(rf"`([^`]+)` {OUTCOMES[False]}\b")
_CHOSEN = re.compile(
    r"(?<!\w)-(?:run|k|t)[ =]|\bgo test (?:-\S+ )*(?:\./)?\w"
    r"|::|\btest\S*\.(?:py|ts|tsx|js|jsx|go|rb|rs)\b|\.(?:test|spec)\.\w+\b|_test\.\w+\b|-testNamePattern"
)


def passed_since(failed: CommandRun, runs: Sequence[CommandRun]) -> bool:
    """Whether runs that cover the failed one have passed after it, or printed that all is well where a filter hid how it ended: the whole
    suite covers each of its files, and of a chain each check may have passed in another run."""
    kinds = {kind for run in (*runs, failed) if (kind := _runner(run.command))}
    later = [run.command for run in runs if run.seq > failed.seq and _went_well(run)]
    return all(any(_covers(run, part, kinds) for run in later) for part in checks_in(failed.command))


def is_started_again(check: CommandRun, now: Situation) -> bool:
    """Whether a call without a result is the same check, or one that covers it."""
    return any(call.ref.seq > check.seq and is_held(check, call.text) for call in now.unanswered)


def is_held(check: CommandRun, command: str) -> bool:
    """Whether a command checks at least what a run did."""
    return _covers(command, check.command, {kind for each in (command, check.command) if (kind := _runner(each))})


def is_probe(check: CommandRun, changed: Sequence[FileTouch]) -> bool:
    """Whether a linter was tried on single files, none of which was changed: it tells nothing about the work."""
    if not _LINTER.match(check.command):
        return False
    files = [word for word in _named(check.command) if _FILE.search(word)]
    return bool(files) and not any(touch.path.endswith(word.removeprefix("./")) for word in files for touch in changed)


def _went_well(run: CommandRun) -> bool:
    if run.passed is None:
        return _WELL.search(run.result) is not None and _NOT_WELL.search(run.result) is None
    return run.passed


def mended(told: str, seq: int, known: Sequence[CommandRun]) -> bool:
    """Whether a check that is told in words, its command between backticks, failed at message `seq` and is over now."""
    said = _FAILED.match(told)
    return said is not None and passed_since(CommandRun(said[1], seq, passed=False), known)


def _covers(run: str, failed: str, kinds: set[str]) -> bool:
    """Whether a run, or a part of a chain of them, checks at least what each check of another did."""
    ran = _parts(run) or (run,)
    return all(any(_covers_one(part, each, kinds) for part in ran) for each in checks_in(failed))


def checks_in(command: str) -> Collection[str]:
    """The parts of a chain but for builds beside a check, which needs them."""
    parts = _parts(command)
    kinds = {part: kind_of(parse(part)) for part in parts}
    return [part for part in parts if kinds[part] != BUILD or max(kinds.values()) == BUILD] or (command,)


def _covers_one(run: str, failed: str, kinds: set[str]) -> bool:
    """Whether a command checks at least what another did: the same command on what holds the other's paths or patterns, or the whole suite
    of the same kind where the other ran chosen tests only, or a linter on chosen files; a task runner's is that of the only kind that is
    known."""
    ran, named = _named(run), _named(failed)
    if ran and all(any(_holds(word, other) for other in named) for word in ran):
        return True
    if _LINT_ALL.match(without_filters(run).strip()) and _LINTER.match(failed):
        return True
    if _SUITE.match(without_filters(run)) is None or (_CHOSEN.search(failed) or _FOLDER.search(failed)) is None:
        return False
    return _runner(run) == _runner(failed) != "" or (_TASKS.match(run) is not None and len(kinds) == 1)


def _parts(command: str) -> tuple[str, ...]:
    """The commands of a chain, of which each begins only where the one before has passed, without what only prepares; none where one may
    have failed all the same."""
    plain = _QUOTED.sub(lambda told: _SEPARATES.sub(" ", told[0]), without_filters(_CONTINUED.sub(" ", command)))
    if _ALTERNATIVE.search(plain):
        return ()
    parts = [" ".join(part.split()) for part in plain.split("&&")]
    return tuple([part for part in parts if part and not _PREPARES.match(part)] or parts)


def _runner(command: str) -> str:
    """The kind of test runner that a command calls, also where a task runner's words name it."""
    return next((kind for kind, words in _RUNNERS.items() if words.search(command)), "")


def _holds(word: str, other: str) -> bool:
    """Whether a word of a run names what another's names, or a folder or a pattern around it."""
    return (
        other == word
        or other.startswith((f"{word}/", f"{word}::"))
        or (word in _ALL and ("/" in other or "." in other))
        or (word.isidentifier() and len(word) >= 6 and other.startswith(word))
    )


def _named(command: str) -> frozenset[str]:
    """What a command runs and on what, without its options and filters."""
    return frozenset(word.strip("\"'").rstrip("/") for word in without_filters(command).split() if not word.startswith("-"))


def held_foreign(seq: int, knowledge: Knowledge) -> bool:
    """Whether the agent said after message `seq`, in the request in work, that what failed then is none of its work."""
    return any(is_foreign(words) for when, words in said_since(knowledge) if when > seq)


def said_since(knowledge: Knowledge) -> Iterator[tuple[int, str]]:
    """What the agent said since the request in work was made, with the messages."""
    rows = in_work(knowledge.requests)
    first = min((row.seq for row in rows), default=0)
    for row in rows:
        yield from ((quote.ref.seq, quote.text) for quote in row.told)
        yield from ((step.seq, step.said) for step in row.steps)
        if row.outcome is not None:
            yield row.outcome.ref.seq, row.outcome.text
    if knowledge.turns and (thought := knowledge.turns[-1].thought):
        yield thought.ref.seq, thought.text
    agents = (Source.AGENT, Source.THOUGHT)
    yield from ((unit.seq, unit.text) for unit in knowledge.carried.units if unit.source in agents and unit.seq >= first)
