"""The project's checks as lines: the last one with its result and what changed since, and the others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from continuity.knowledge.directive_parser.grammar import (
    BEFORE_REQUEST,
    BETWEEN_STEPS,
    CUT,
    NEVER_CHECKED,
    NOT_RUN_IN,
    OUTCOMES,
    OUTSIDE,
    RERUN,
    STARTED,
    TESTS_CHANGED,
    UNCHANGED,
)
from continuity.knowledge.extractors.shell.parser import name_of, parse
from continuity.knowledge.extractors.shell.paths import is_document, is_scratch, is_test
from continuity.knowledge.extractors.tools.commands import tidied, without_filters
from continuity.knowledge.extractors.tools.verification import kind_of
from continuity.knowledge.language.clip import command_within
from continuity.knowledge.model import CommandRun, FileTouch, Knowledge, Situation
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.delivery import usual_checks
from handoffs.directive.lines.files import CHANGING
from handoffs.directive.lines.message_lines import detail_line, essential_line
from handoffs.directive.lines.quoting import as_data
from handoffs.directive.lines.reruns import is_started_again, passed_since
from handoffs.directive.lines.wording import clip, one_line

PASSED = f"` {OUTCOMES[True]}"
OTHER = 2  # one part in so many of the room for a result goes to another check
_COUNTS = re.compile(r"\d+ (?:passed|tests?|ok|examples|assertions|issues|errors|warnings|problems)|\(\d+\)")
# The last words of a statement, a line of a patch, a bracket alone.
_SHOWS_CODE = re.compile(
    r"(?:^|… ?)[+-] ?[^\d\s]|(?:[{};]|\):)\s*$|(?:^|\s)[{}]\s*(?:$|…)"
    r"|^(?:return|import|from|func|def|class|const|let|var)\b[^.:]{0,80}[(){}=]"
)
_CUTS = re.compile(r"\|\s*head\b")
_SCOPED = re.compile(r"go (?:test|vet|build)\b|golangci-lint run\b|(?:npx )?eslint\b|ruff check\b")
_HOLDS_TESTS = re.compile(r"(?:^|/)(?:\w*_)?(?:tests?|e2e|integration|spec)(?:_\w+)?(?:/|$)|[*]")
CHECKS_SHOWN = 3
COUNT = 60  # characters of a result that counts
SAME = 60  # characters by which a command is known again


def check_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """The checks of the request in work as a ladder, each once: the last one, the latest of each other kind, and the usual ones that did
    not run. The project's other checks stand below."""
    now = knowledge.situation
    check = now.verification
    rows = in_work(knowledge.requests)
    first = rows[0].seq if rows else 0
    changed = changed_code(knowledge)
    others = [each for each in now.checks if not (check and _same(check, each)) and not (_outdated(each, now) or _held(each, runs(now)))]
    others.sort(key=lambda each: -each.seq)
    kept = _of_each_kind([each for each in others if each.seq > first or not _was_before(each, check, changed)], check)
    ladder, below = [each for each in kept if each.seq > first], [each for each in kept if each.seq <= first]
    found = [
        detail_line(
            kind, "also checked", _other_words(each, limits) + (since(each, knowledge, limits) if each.passed else ""), each.seq, worth
        )
        for kind, worth, known in ((SectionKind.NEXT, 0.6, ladder), (SectionKind.STATE, 0.6, below))
        for each in known
    ]
    missing = _not_run(knowledge, first)
    if missing:
        told = BETWEEN_STEPS.join(f"`{command}`" for command in missing)
        found.append(detail_line(SectionKind.NEXT, "not run", told, rows[-1].seq, 0.8))
    if check is not None:
        named = check.passed is False and any((each.test or each.at).strip() and 0 <= each.seq - check.seq <= 1 for each in now.failures)
        shown = replace(check, result="") if named else _counted(check)  # the failures are told by name
        text = command_words(shown, limits.quote, limits.result) + since(check, knowledge, limits)
        return [essential_line(SectionKind.NEXT, "check", text, check.seq), *found]
    # What the person pasted of a run of their own is the check of it.
    never = bool(changed) and not found and not any(row.pasted and row.seq > max(changed) for row in rows)
    return [essential_line(SectionKind.NEXT, "never checked", NEVER_CHECKED, knowledge.through_seq)] if never else found


def _of_each_kind(others: Sequence[CommandRun], check: CommandRun | None) -> list[CommandRun]:
    """The latest of each kind of check that neither the last check nor a later one is of, whatever the request, where these ended known;
    all that failed."""
    told = _kinds(check.command) if check and check.passed is not None else set()
    found = []
    for each in others:
        kinds = _kinds(each.command)
        if each.passed is False or not kinds <= told:
            found.append(each)
        if each.passed is True:
            told |= kinds
    return found[:CHECKS_SHOWN]


def _kinds(command: str) -> set[int]:
    """The kinds of check in a chain of commands."""
    return {kind for each in parse(command) if (kind := kind_of([each]))} or {0}


def _not_run(knowledge: Knowledge, first: int) -> list[str]:
    """The checks with which the work here usually ends that did not run since the request in work was made, once code was changed for it;
    of the last check its own line tells that."""
    if not any(seq > first for seq in changed_code(knowledge)):
        return []
    now = knowledge.situation
    ran = [one_line(without_filters(run.command)) for run in runs(now) if run.seq > first or run is now.verification]
    return [
        usual for usual in usual_checks(knowledge) if not all(any(_includes(each, part) for each in ran) for part in usual.split(" && "))
    ]


def _includes(command: str, usual: str) -> bool:
    """Whether a run did a part of a check, or may have done it as one of all of its kind: `test:ci` those of `test:integration`."""
    kind = usual.rpartition(":")[0]
    return usual in command or (bool(kind) and any(f"{kind}:{each}" in command for each in ("ci", "all")))


def since(check: CommandRun, knowledge: Knowledge, limits: LineLimits) -> str:
    """Whether a check ran before the request in work (where there is room for that), how many files were changed after it, or that only
    tests were, and whether it was started again; their number is not known of a check that a predecessor ran."""
    files = {file.path for file in _code(knowledge) if is_outdated(check, (file.last_seq,))}
    outside = bool(files) and not needs_rerun(check, knowledge)
    rows = in_work(knowledge.requests)
    before = bool(rows) and 0 < check.seq < rows[0].seq and limits.earlier
    unchanged = not files and not knowledge.situation.unwritten and check is knowledge.situation.verification
    told = [UNCHANGED if unchanged else BEFORE_REQUEST] if before else []
    if files:
        number = f"{len(files)} file{'s' if len(files) > 1 else ''}" if check.seq > 0 else "files"
        again = STARTED if is_started_again(check, knowledge.situation) else RERUN
        number, again = (f"{number}{OUTSIDE}", "") if outside else (number, again)
        told.append(f"{TESTS_CHANGED if all(map(is_test, files)) and not outside else f'{number} changed since'}{again}")
    told += [] if _reaches_changes(check, knowledge) else [NOT_RUN_IN[0] + one_line(knowledge.situation.elsewhere) + NOT_RUN_IN[1]]
    return f" — {', '.join(told)}" if told else ""


def _reaches_changes(check: CommandRun, knowledge: Knowledge) -> bool:
    """Whether a check ran where files were changed: not where the session works in another directory and went on to change files of the
    one that it began in."""
    now = knowledge.situation
    there = now.elsewhere in check.command or check.command.startswith("cd ") or check.seq <= now.moved
    return not now.elsewhere or there or not any(file.last_seq > now.moved and not is_absolute(file.path) for file in _code(knowledge))


def is_absolute(path: str) -> bool:
    return path.startswith(("/", "~")) or path[1:2] == ":"


def is_outdated(check: CommandRun, changed: Sequence[int]) -> bool:
    """Whether code was changed after a check; what a command that writes files changed itself is told with its result, right after it."""
    writes = any(each.writes or each.appends for each in parse(check.command))
    return any(seq > check.seq + writes for seq in changed)


def needs_rerun(check: CommandRun, knowledge: Knowledge) -> bool:
    """Whether code that a check covers was changed after it; of one that names packages or files, as Go's tests and linters do, that is
    what lies in these, unless they hold tests of the whole."""
    scope = _scope(check.command) if check.seq > 0 else []
    return is_outdated(
        check, [file.last_seq for file in _code(knowledge) if not scope or any(_lies_in(file.path, place) for place in scope)]
    )


def _scope(command: str) -> list[str]:
    """The packages and files that a chain of checks names; nothing where it checks all, or where that is not known."""
    found: list[str] = []
    for each in parse(command):
        if not kind_of([each]):
            continue
        places = [word.removeprefix("./").rstrip("/") for word in each.words[1:] if "/" in word and not word.startswith("-")]
        named = [place for place in places if place and place != "..."]
        if not _SCOPED.match(" ".join(each.words)) or len(named) < len(places) or not named or any(map(_HOLDS_TESTS.search, named)):
            return []
        found += named
    return found


def _lies_in(path: str, place: str) -> bool:
    folder = path.rpartition("/")[0]
    around = place.removesuffix("/...")
    return path.endswith(place) or folder.endswith(around) or (around != place and f"/{around}/" in f"/{folder}/")


def checks_of(command: str) -> str:
    """The part of a chain of commands up to its last check: what comes after it, such as a commit, is not to be done once more."""
    parts = command.split("&&")
    last = max((place for place, part in enumerate(parts) if kind_of(parse(part))), default=len(parts) - 1)
    return "&&".join(parts[: last + 1]).strip()


def changed_code(knowledge: Knowledge) -> list[int]:
    """The messages that last changed each file which a check reads: no document and no scratch file."""
    return [file.last_seq for file in _code(knowledge)]


def _code(knowledge: Knowledge) -> list[FileTouch]:
    return [file for file in changed_files(knowledge) if not is_document(file.path) and not is_scratch(file.path)]


def changed_files(knowledge: Knowledge) -> list[FileTouch]:
    return [file for file in knowledge.files if file.action in CHANGING]


def runs(now: Situation) -> tuple[CommandRun, ...]:
    """All checks known, the last one last."""
    return (*now.checks, now.verification) if now.verification else now.checks


def is_check(command: CommandRun, now: Situation) -> bool:
    """Whether a run is told as one of the project's checks."""
    name = name_of(without_filters(command.command))
    return any(name == name_of(check.command) for check in now.checks)


def is_refused(run: CommandRun, now: Situation) -> bool:
    """Whether a failed run is told as refused, or was tried before that in the same words."""
    return run.passed is False and any(run.command[:SAME] == refused.command[:SAME] for refused in now.blocked)


def command_words(command: CommandRun, length: int, result_length: int) -> str:
    """A command, how it ended, and the end of what it printed, each within its length."""
    outcome = OUTCOMES[command.passed]
    code = CUT if is_cut(command) else f" (exit {command.exit_code})" if command.exit_code is not None else ""
    words = f"`{command_within(one_line(command.command), length)}` {outcome}{code}"
    result = one_line(command.result)
    says = any(map(str.isalnum, result)) and not result.endswith(":") and not (command.passed and shows_code(result))
    return f"{words}: {as_data(clip(result, result_length))}" if says else words


def is_cut(check: CommandRun) -> bool:
    """Whether nobody knows how a check ended since the end of what it printed was cut off."""
    return check.passed is None and not check.result and _CUTS.search(check.command) is not None


def shows_code(result: str) -> bool:
    """Whether the end of an output is a scrap of the code or the patch that it showed: it says nothing alone."""
    return not result.startswith(("{", "[")) and _SHOWS_CODE.search(result) is not None


def brief(run: CommandRun, cwd: str) -> CommandRun:
    """A run as it is told: what shortened its output and led to the working directory says nothing."""
    return replace(run, command=tidied(run.command.strip(), cwd))


def _same(check: CommandRun, each: CommandRun) -> bool:
    return name_of(without_filters(check.command)) == name_of(each.command)


def _outdated(check: CommandRun, now: Situation) -> bool:
    return check.passed is False and passed_since(check, runs(now))


def _held(check: CommandRun, known: tuple[CommandRun, ...]) -> bool:
    """Whether a later run that ended the same way did this check among others."""
    return any(run.seq > check.seq and run.passed is check.passed and f"&& {check.command}" in run.command for run in known)


def _was_before(each: CommandRun, check: CommandRun | None, changed: Sequence[int]) -> bool:
    """Whether a check passed on what was changed since and checked anew: what it printed then is over."""
    return check is not None and each.passed is True and any(each.seq < seq < check.seq for seq in changed)


def _other_words(check: CommandRun, limits: LineLimits) -> str:
    return command_words(_counted(check), limits.quote, limits.result // OTHER)


def _counted(check: CommandRun) -> CommandRun:
    """A run that passed without what it printed last, unless that counts."""
    counts = check.passed is not True or _COUNTS.search(check.result) is not None
    return check if counts else replace(check, result="")


def without_idle_result(told: str) -> str:
    """A check that is told in words, its command between backticks: one that passed without what it printed, unless that counts."""
    command, mark, result = told.partition(PASSED)
    return told if not mark or (len(result) <= COUNT and _COUNTS.search(result)) else f"{command}{mark}"
