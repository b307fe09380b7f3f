"""Errors on the way as lines: what failed, what was done about it, and whether it was checked after; those that are open come first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from continuity.knowledge.directive_parser.grammar import GONE, MET, PASSED_SINCE, UNCHECKED
from continuity.knowledge.extractors.shell.paths import is_scratch, is_test
from continuity.knowledge.extractors.tools.commands import tidied, without_filters
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.model import CommandRun, Knowledge, Quote, Ref, RequestStep
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.steps import failed
from continuity.knowledge.requests.whole_sentences import sentences_of
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.checks import changed_files, runs
from handoffs.directive.lines.message_lines import by_itself, message_line, noted_through
from handoffs.directive.lines.quoting import as_data
from handoffs.directive.lines.request_steps import PASSES, without_nods
from handoffs.directive.lines.reruns import passed_since, said_since
from handoffs.directive.lines.wording import clip_said, normalise, one_line
from handoffs.directive.past.reports import names_of

LABEL, OPEN = "solved", "unsolved"
MOST, LITTLE = 6, 3  # errors, and those where the budget is small
CURE, COMMAND = 200, 60  # characters of what helped, and of a command by which a check is known
CURES = 2  # steps of what helped, the first ones
FILES_NAMED = 3
# What errors are worth of the request in work, open there, of earlier ones, and of those before this session.
WORTH, WORTH_OPEN, WORTH_BEFORE, WORTH_INHERITED = 0.75, 0.9, 0.55, 0.3
WORDS = 40
SAYS = 2  # words of content of what helped
CAME = " → "
TRIED, THEN = "tried, and the same error came again: ", "; then "
UNEXPLAINED = " failed once and passed later without a change; its cause was not found"
_WANTED = re.compile(
    r"\b(?:confirm|verify|see|show|check|prove|make sure|ensure|watch)\b.{0,60}\b(?:fail|break|catch(?:es)?)"
    r"|\bfailing tests?\b|\breproduc|\bfails? (?:first|without|as expected|before)\b|\bexpected to fail\b|\bred\b.{0,20}\bgreen\b",
    re.I,
)
# What the agent says of looking closer, and what says no more than that something is mended.
_LOOKS = re.compile(
    r"\bdebug\b|\bto (?:see|understand|find out|figure out|check)\b|^(?:understand|investigate|look|check|see|find|print|log)\b", re.I
)
_MENDS = frozenset(
    content(
        "fix address resolve handle mend solve correct update these this those them remaining test tests lint linter linting error errors"
        " issue issues problem problems failure failures failing compile compilation build check checks warning warnings second"
        " first other both",
        100,
    )
)
_REASON = re.compile(r"\bbecause\b|\bwhich (?:I|we) \w+ed\b|\bno longer\b|\bexpect(?:s|ing)\b.{3,120}\bbut\b", re.I)
_ANNOUNCES = re.compile(r"(?:now )?(?:let me|let['’]s|i(?:['’]ll| will| need to| should)|we (?:need to|should))\b", re.I)
# Words that two errors of one run share.
_COMMON = word_set(
    "file files value values return returns returned function functions method methods call calls called type types use uses used using"
    " variable variables argument arguments name names named code line lines package packages import imports imported set get new add"
    " added update updated make change changed missing must need needs not can got want wanted expected"
)
_LINTS = re.compile(r"\b(?:lint\w*|golangci-lint|eslint|ruff|clippy|vet|mypy|tsc|pyright|flake8|pylint|rubocop|biome|fmt|check)\b")
_TESTS = re.compile(r"\btests?\b|pytest|jest|mocha|rspec")
_PART = re.compile(r"[A-Za-z][A-Za-z0-9]{3,}")
_CHECK = re.compile(r"`([^`]+)` (\w+)")
_SIGN = re.compile(r"^[\w./@-]*[/.]\w[\w./@-]*:\d+(?::\d+)?:? ")  # where in a file it failed
_NOTHING = re.compile(
    r"(?:FAIL(?:ED)?|error|exit(?:ed with)? (?:code|status) \d+|script|command|process|completed"
    r"|\"[\w:.-]+\"|'[\w:.-]+'|`[^`]*`|\W)*$",
    re.I,
)

_OF_COUNTS = word_set(
    "test tests build failed fail passed pass skipped skip xfailed suite suites file files total in error errors warning warnings warn"
    " and done"
)
_TOOK = re.compile(r"[\d.]+(?:ms|s|m)|.*\.\w{1,4}")


@dataclass(frozen=True, slots=True)
class StepError:
    """A failed check of a step, the steps that changed files after it, and how the next run that tells of it ended: `passed`, `gone` where
    it failed of something else, `again` of the same, none where nothing was run. `working` says whether it is of the request in work,
    `tried` are steps before it after which it came again."""

    step: RequestStep
    cures: tuple[RequestStep, ...]
    passed: bool
    gone: bool
    working: bool
    again: bool = False
    tried: tuple[RequestStep, ...] = ()

    @property
    def is_open(self) -> bool:
        return not (self.passed or self.gone)


def error_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """A line for each error that was met and what helped; not where the agent's own note tells how the work came here."""
    noted = noted_through(knowledge)
    found = [each for each in step_errors(knowledge) if not 0 < each.step.seq <= noted]
    most = MOST if limits.earlier else LITTLE
    kept = sorted(found, key=lambda each: (each.working and each.is_open, each.working, each.step.seq))[-most:]
    lines = []
    for each in kept:
        late = max(each.step.seq, 0) / max(knowledge.through_seq, 1)
        worth = WORTH_OPEN if each.is_open and each.working else WORTH if each.working else WORTH_BEFORE * (0.6 + 0.4 * late)
        label = OPEN if each.is_open and each.working else LABEL
        line = message_line(SectionKind.ERRORS, label, Quote(_told(each), Ref(each.step.seq)), worth)
        said = "\n".join(step.said for step in each.cures)
        lines.append(by_itself(line, each.step.cause)._replace(words=f"{line.item.text}\n{said}"))
    return [*lines, *_unexplained(knowledge, noted), *_inherited(knowledge, most - len(lines))]


def _unexplained(knowledge: Knowledge, noted: int) -> list[Candidate]:
    """The last test run of the request in work, or of the one before it, that failed with no cause seen and passed later though no file was
    changed: it may come again."""
    working = [place for place, row in enumerate(knowledge.requests) if row in in_work(knowledge.requests)]
    rows = knowledge.requests[max(working[0] - 1, 0) :] if working else ()
    steps = [step for row in rows for step in row.steps]
    known = runs(knowledge.situation)
    for place in range(len(steps) - 1, -1, -1):
        step, check = steps[place], _CHECK.match(steps[place].check)
        if step.seq <= noted or check is None or not failed(step) or not _NOTHING.match(step.cause) or not _TESTS.search(check[1]):
            continue
        ended = next((each for each in steps[place + 1 :] if each.files or (each.check and _tells_of(each.check, step.check))), None)
        over = _passed_at(step, known)
        if (ended is not None and not ended.files and ended.check.endswith(" passed")) or (ended is None and over):
            told = f"`{without_filters(check[1])}`{UNEXPLAINED}"
            return [message_line(SectionKind.ERRORS, OPEN, Quote(told, Ref(step.seq)), WORTH)]
        return []
    return []


def _inherited(knowledge: Knowledge, most: int) -> list[Candidate]:
    """Errors that a predecessor told of; whether one is open yet nobody knows."""
    told = [step for row in knowledge.requests for step in row.steps if step.seq <= 0 and MET.fullmatch(step.said)]
    lines = [message_line(SectionKind.ERRORS, LABEL, Quote(step.said, Ref(step.seq)), WORTH_INHERITED) for step in told if _is_over(step)]
    return [by_itself(line, line.item.text) for line in lines[-most:]] if most > 0 else []


def _is_over(told: RequestStep) -> bool:
    return told.said.endswith((PASSED_SINCE, GONE))


def step_errors(knowledge: Knowledge) -> list[StepError]:
    """The errors that the steps of the work tell of, oldest first, each once: of one that came again the last. What a test was meant to
    show is none, nor one that is over without a change."""
    working = {row.seq for row in in_work(knowledge.requests)}
    steps = [(step, row.seq in working) for row in knowledge.requests for step in row.steps]
    known = runs(knowledge.situation)
    found: dict[str, StepError] = {}
    tried: dict[str, tuple[RequestStep, ...]] = {}
    for place, (step, is_working) in enumerate(steps):
        if not failed(step) or not step.cause.strip() or _NOTHING.match(step.cause) or is_meant(step, knowledge):
            continue
        error = _followed(step, [after for after, _ in steps[place + 1 :]], known, working=is_working)
        sign = _message(step.cause)
        found.pop(sign, None)
        if error.again:  # which the last time tells
            tried[sign] = (*tried.get(sign, ()), *telling(error))
            continue
        error = replace(error, tried=tried.get(sign, ()))
        if not error.cures or (error.is_open and not is_working):
            continue  # nobody knows what helped, or how it ended
        if not error.is_open and not any(map(_said, telling(error))):
            continue  # over, and nothing tells what helped
        found[sign] = error
    return list(found.values())


def is_meant(step: RequestStep, knowledge: Knowledge) -> bool:
    """Whether a check failed as the agent had said that it would, before the change that it was to prove: the next one is not in the
    tests."""
    steps = next((row.steps for row in knowledge.requests if step in row.steps), ())
    place = steps.index(step) if step in steps else 0
    changes = [n for n, each in enumerate(steps[:place]) if any(not is_test(path) for path in each.files)]
    said = any(_WANTED.search(each.said) for each in steps[changes[-1] + 1 if changes else 0 : place + 1])
    following = next((each for each in steps[place + 1 :] if each.files), None)
    return said and (following is None or any(not is_test(path) for path in following.files))


def meant_to_fail(cause: str, knowledge: Knowledge) -> bool:
    """Whether a step of the request in work failed of this, and was meant to."""
    steps = [step for row in in_work(knowledge.requests) for step in row.steps if failed(step) and cause[:COMMAND] in step.cause]
    return bool(steps) and is_meant(steps[-1], knowledge)


def explained(failure: str, seq: int, knowledge: Knowledge) -> str:
    """What the agent said last, before it changed something, of why a check failed at message `seq`: a sentence that gives a reason and has
    a name of the failure."""
    names = names_of(failure)
    until = min((file.last_seq for file in changed_files(knowledge) if file.last_seq > seq), default=knowledge.through_seq)
    told = [
        sentence
        for when, words in sorted(said_since(knowledge), key=lambda each: each[0])
        if seq < when <= until
        for sentence in sentences_of(words)
        if _REASON.search(sentence) and not _ANNOUNCES.match(sentence) and names & names_of(sentence)
    ]
    return told[-1] if told else ""


def _followed(step: RequestStep, after: Sequence[RequestStep], known: Sequence[CommandRun], *, working: bool) -> StepError:
    """The failed step with what came after it. `known` are all checks: not each is told by a step."""
    cures: list[RequestStep] = []
    over = _passed_at(step, known)
    checked = False  # what was changed after the next check was for what that told
    for each in after:
        if 0 < over < each.seq:
            break
        # A step's files were changed before its check.
        if each.files and not (checked and cures):
            cures.append(each)
        checked = checked or (bool(each.check) and bool(cures))
        if not each.check or not _tells_of(each.check, step.check):
            continue
        if failed(each):
            again = _message(each.cause) == _message(step.cause)
            return StepError(step, tuple(cures), passed=False, gone=bool(each.cause) and not again, working=working, again=again)
        if each.check.endswith(" passed"):
            return StepError(step, tuple(cures), passed=True, gone=False, working=working)
    return StepError(step, tuple(cures), passed=over > 0, gone=False, working=working)


def _passed_at(step: RequestStep, known: Sequence[CommandRun]) -> int:
    """The message with which a check passed that covers the failed one of a step; 0 where none did."""
    check = _CHECK.match(step.check)
    failed_run = CommandRun(check[1], step.seq, passed=False) if check else None
    return min((run.seq for run in known if failed_run and passed_since(failed_run, [run])), default=0)


def _tells_of(check: str, failed_check: str) -> bool:
    """Whether a run tells how it stands with what failed in another: the same command, or one that covers it."""
    ran, wanted = _CHECK.match(check), _CHECK.match(failed_check)
    if ran is None or wanted is None:
        return False
    one, other = (tidied(without_filters(told[1]).strip()) for told in (ran, wanted))
    if one == other:
        return True
    # One that covers it tells only where it passed: it may fail before it comes to that.
    return check.endswith(" passed") and passed_since(CommandRun(other, 0, passed=False), [CommandRun(one, 1, passed=True)])


def _message(cause: str) -> str:
    """What an error says, without where."""
    return normalise(_SIGN.sub("", cause))


def _told(error: StepError) -> str:
    step = error.step
    check = _CHECK.match(step.check)
    where = f" (`{without_filters(check[1])}`)" if check else ""
    cures = list(dict.fromkeys(words for each in telling(error) if (words := _cure(each))))
    tried = list(dict.fromkeys(words for each in error.tried if (words := _cure(each)) and words not in cures))[-CURES:]
    ended = PASSED_SINCE if error.passed else GONE if error.gone else UNCHECKED
    told = THEN.join(filter(None, (f"{TRIED}{'; '.join(tried)}" if tried else "", "; ".join(cures))))
    helped = f"{CAME}{told}" if told else ""
    return f"{as_data(one_line(step.cause))}{where}{helped} — {ended}"


def _said(step: RequestStep) -> str:
    """What the agent said of a change that helped; nothing where it only looked closer, or says no more than that it mends something."""
    words = without_nods(step.said)
    told = set(content(words, WORDS))
    only = PASSES.match(words.strip()) or len(told) < SAYS or told <= _MENDS or _LOOKS.search(words)
    return "" if only else words


def telling(error: StepError) -> Sequence[RequestStep]:
    """The steps that tell what helped, the first ones: those whose words have a name or a word of the error's, else those that changed the
    file where it failed, unless it is one of many that a linter found there."""
    names = _words(_SIGN.sub("", error.step.cause)) | names_of(error.step.cause)
    cures = [each for each in error.cures if _said(each)]
    alike = [each for each in cures if names & (_words(each.said) | names_of(each.said))]
    place = _SIGN.match(error.step.cause)
    if not alike and place and not _LINTS.search(error.step.check):
        file = place[0].partition(":")[0].rsplit("/", 1)[-1]
        alike = [each for each in cures if any(path.rsplit("/", 1)[-1] == file for path in each.files)][:1]
    return alike[:CURES]


def _words(text: str) -> set[str]:
    """The words by which an error and what helped are known to belong together, parts of names among them."""
    return {*content(text, WORDS), *(word.lower() for word in _PART.findall(text))} - _MENDS - _COMMON


def _cure(step: RequestStep) -> str:
    """What was done, in the agent's words, and the files that were changed."""
    names = list(dict.fromkeys(path.rsplit("/", 1)[-1] for path in step.files if not is_scratch(path)))
    said = clip_said(one_line(_said(step)), CURE).rstrip(" .:")
    files = ", ".join(name for name in names[-FILES_NAMED:] if name not in said)
    return f"{said} ({files})" if said and files else said or (f"changed {', '.join(names[-FILES_NAMED:])}" if names else "")


def only_counts(text: str) -> bool:
    """Whether an error is nothing but how many tests of which file failed: the failures say more."""
    words = (word.strip("()[]{}|,.:;") for word in text.lower().replace("=", " ").split())
    return all(not any(map(str.isalpha, word)) or word in _OF_COUNTS or "/" in word or _TOOK.fullmatch(word) for word in words)
