"""The state of the work as lines: the goal, the work place, the last check, and what to do next."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from continuity.knowledge.directive_parser.grammar import (
    BEFORE_CHANGES,
    BETWEEN_STEPS,
    CHANGED_SINCE,
    CONTINUE,
    NEVER_CHECKED,
    OUTCOMES,
    UNKNOWN,
    WAIT,
)
from continuity.knowledge.directive_parser.vocabulary import FROM_TOOLS
from continuity.knowledge.extractors.shell.parser import name_of
from continuity.knowledge.extractors.tools.commands import tells_version, tidied, without_filters
from continuity.knowledge.model import CommandRun, FileAction, Knowledge, Quote, Ref, Situation, TaskStatus
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import Options, PackageItem, SectionKind
from handoffs.directive.lines.commits import commit_words
from handoffs.directive.lines.quoting import as_data, within_quotes
from handoffs.directive.lines.requests import told_already
from handoffs.directive.lines.reruns import passed_since
from handoffs.directive.lines.tasks import open_tasks
from handoffs.directive.lines.wording import clip, normalise, one_line
from handoffs.directive.references import References

CLEAN = "clean"
COMMANDS_SHOWN = 12
VERSION = 0.45
# One part in so many of the room for a result goes to another check, and to one that passed before what was changed since.
OTHER, OVER = 2, 8
CHECKS_SHOWN = 3
FILES_NAMED = 6
RERUNS = 2
CALL = 300  # characters of a call without a result
# Which of the essentials a very small budget keeps: the first ones.
# A here-document into a file; what it held was left out, or is short.
_WRITES = re.compile(r"(?:cd \S+ && )?(?:cat|tee)\b[^\n|;&]*<<-?[ ]?['\"]?(?P<end>\w+)['\"]?[^\n|;&]*\n[^\0]*(?P=end)")
ESSENTIALS = (
    "waiting",
    "next step",
    "begun",
    "unanswered",
    "goal",
    "check",
    "never checked",
    "asked",
    "reported",
    "request",
    "agreed",
    "agreed before",
    "goal is request",
    "note",
    "branch",
    "cwd",
)


def next_candidates(knowledge: Knowledge, options: Options, limits: LineLimits) -> list[Candidate]:
    """Waiting or going on, the latest request, the next step with the words it rests on, and the owner's note."""
    now = knowledge.situation
    found = [_essential(SectionKind.NEXT, "waiting", waiting_words(now.waiting), knowledge.through_seq)]
    if now.waiting and now.waiting_for and now.waiting_for.text.strip():
        label = "asked" if now.waiting_for.text.rstrip(" *_\"”').").endswith("?") else "reported"
        if label == "asked" or not told_already(now.waiting_for.text, knowledge):
            found.append(_quote(SectionKind.NEXT, label, now.waiting_for, knowledge, limits))
    request = now.latest_request
    if request and request.text.strip() and not knowledge.requests:
        found.append(_quote(SectionKind.NEXT, _request_label(request, knowledge), request, knowledge, limits))
    if options.include_immediate_actions and (step := next_step(knowledge)) and not _asked_in(step, knowledge):
        found.append(_quote(SectionKind.NEXT, "begun" if now.begun else "next step", step, knowledge, limits))
        found += _since(step, knowledge) if now.begun else ()
    if now.unanswered:
        calls = [clip(one_line(call.text).replace(BETWEEN_STEPS, ", "), min(limits.quote, CALL)) for call in now.unanswered]
        told = BETWEEN_STEPS.join(f"`{call}`" for call in calls)
        found.append(_essential(SectionKind.NEXT, "unanswered", told, now.unanswered[-1].ref.seq))
    found += [
        _detail(SectionKind.NEXT, "run again", f"`{clip(one_line(check.command), limits.quote)}`", check.seq, 0.95)
        for check in sorted(now.checks, key=lambda check: -check.seq)
        if check.passed is False and not passed_since(check, _runs(now))
    ][:RERUNS]
    if options.note.strip():
        found.append(_essential(SectionKind.NEXT, "note", clip(one_line(options.note), limits.quote * 2), knowledge.through_seq))
    return found


def _asked_in(step: Quote, knowledge: Knowledge) -> bool:
    """Whether the next step is no more than the request in work."""
    return any(row.seq == step.ref.seq for row in in_work(knowledge.requests))


def _runs(now: Situation) -> tuple[CommandRun, ...]:
    return (*now.checks, now.verification) if now.verification else now.checks


def _outdated(check: CommandRun, now: Situation) -> bool:
    return check.passed is False and passed_since(check, _runs(now))


def _held(check: CommandRun, runs: tuple[CommandRun, ...]) -> bool:
    """Whether a later run that ended the same way did this check among others."""
    return any(run.seq > check.seq and run.passed is check.passed and f"&& {check.command}" in run.command for run in runs)


def _was_before(each: CommandRun, check: CommandRun | None, changed: Sequence[int]) -> bool:
    """Whether a check passed on what was changed since and checked anew: what it printed then is over."""
    return check is not None and each.passed is True and any(each.seq < seq < check.seq for seq in changed)


def _request_label(request: Quote, knowledge: Knowledge) -> str:
    if _is_persons(request, knowledge):
        return "request"
    now = knowledge.situation
    answered = now.waiting and now.waiting_for is not None and now.waiting_for.ref.seq > request.ref.seq
    return "agreed before" if answered else "agreed"


def _is_persons(request: Quote, knowledge: Knowledge) -> bool:
    """Whether the words are the person's own, and not the agent's offer that they agreed to."""
    return all(turn.answer is None or turn.answer.ref.seq != request.ref.seq for turn in knowledge.turns)


def waiting_words(waiting: bool | None) -> str:
    return UNKNOWN if waiting is None else WAIT if waiting else CONTINUE


def next_step(knowledge: Knowledge) -> Quote | None:
    """The words that name the next step; without any, the first step left of the task last worked on."""
    if knowledge.situation.next_step:
        return knowledge.situation.next_step
    tasks = sorted(open_tasks(knowledge), key=lambda task: (task.status is TaskStatus.NOT_STARTED, -task.last_seq, task.key))
    return Quote((*tasks[0].steps_left, tasks[0].description)[0], Ref(tasks[0].last_seq)) if tasks else None


def state_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """Working directory, branch, commits, what still runs, and the last commands."""
    now, seq = knowledge.situation, knowledge.through_seq
    found: list[Candidate] = []
    if now.cwd:
        found.append(_essential(SectionKind.STATE, "cwd", one_line(now.cwd), seq))
    if now.branch:
        found.append(_essential(SectionKind.STATE, "branch", one_line(now.branch), seq))
    length = limits.result
    found += [_detail(SectionKind.STATE, "running", clip(one_line(job), length), seq, 0.8) for job in now.running]
    found += [
        _detail(
            SectionKind.STATE,
            "commit" if commit is now.commits[-1] else "earlier commit",
            clip(commit_words(commit.text, now.branch), length),
            commit.ref.seq,
            0.6 if commit is now.commits[-1] else 0.45,
        )
        for commit in now.commits
    ]
    checked = now.verification.command if now.verification else ""
    found += [_detail(SectionKind.STATE, label, clip(one_line(tree.text), limits.quote), tree.ref.seq, 0.7) for label, tree in _trees(now)]
    found += _uncommitted(knowledge)
    if now.outside:
        changes = BETWEEN_STEPS.join(one_line(change).replace(BETWEEN_STEPS, ", ") for change in now.outside)
        found.append(_detail(SectionKind.STATE, "outside", changes, seq, 0.75))
    found += [_detail(SectionKind.STATE, "looked", clip(one_line(look.text), length), look.ref.seq, 0.55) for look in now.looked]
    others = {command.command: command for command in now.recent_commands if command.command != checked and not _is_check(command, now)}
    others = {words: command for words, command in others.items() if not _only_writes(command)}
    known = sorted(others.values(), key=lambda command: command.seq)
    latest = [each for each in known[:-COMMANDS_SHOWN] if tells_version(each)] + known[-COMMANDS_SHOWN:]
    found += [
        _detail(SectionKind.STATE, "command", command_words(_brief(each, now.cwd), length, limits.result // 2), each.seq, _worth(each, seq))
        for each in latest
    ]
    return found


def _only_writes(run: CommandRun) -> bool:
    """Whether a run did no more than write a file, which the files tell of."""
    return run.passed is True and not run.result and _WRITES.fullmatch(run.command.strip()) is not None


def _brief(run: CommandRun, cwd: str) -> CommandRun:
    """A run as it is told: what shortened its output and led to the working directory says nothing."""
    return replace(run, command=tidied(run.command.strip(), cwd))


def _trees(now: Situation) -> list[tuple[str, Quote]]:
    """The working tree as it was first and last seen; what a later commit has overtaken is no longer so."""
    committed = max((commit.ref.seq for commit in now.commits), default=0)
    first = [("tree at first", tree) for tree in now.trees[:1] if tree.text != CLEAN or not now.commits]
    last = [("tree", tree) for tree in now.trees[-1:] if not now.commits or tree.ref.seq >= committed]
    return [*(first if len(now.trees) > 1 or not last else []), *last]


def _uncommitted(knowledge: Knowledge) -> list[Candidate]:
    """Files in the working directory that were changed after the last commit seen."""
    now = knowledge.situation
    last = max((commit.ref.seq for commit in now.commits), default=0)
    inside = now.cwd.rstrip("/") + "/"
    names = [
        file.path.rsplit("/", 1)[-1]
        for file in knowledge.files
        if file.last_seq > last and file.action is not FileAction.READ and (not file.path.startswith("/") or file.path.startswith(inside))
    ]
    return [_detail(SectionKind.STATE, "uncommitted", _some(names), knowledge.through_seq, 0.8)] if now.commits and names else []


def _since(step: Quote, knowledge: Knowledge) -> list[Candidate]:
    """Files that were changed since the step in work was announced: what of it may be done."""
    names = [f.path.rsplit("/", 1)[-1] for f in knowledge.files if f.last_seq > step.ref.seq > 0 and f.action is not FileAction.READ]
    return [_detail(SectionKind.NEXT, "since", _some(names), knowledge.through_seq, 0.9)] if names else []


def _some(names: list[str]) -> str:
    more = f" and {len(names) - FILES_NAMED} more" if len(names) > FILES_NAMED else ""
    return f"{', '.join(names[:FILES_NAMED])}{more}"


def _worth(run: CommandRun, last: int) -> float:
    """What a command is worth: the latest half as much as a decision, those long ago hardly anything, as those of a predecessor; a
    version stays worth knowing."""
    recency = 0.1 + 0.4 * (max(run.seq, 0) / max(last, 1)) ** 4
    return max(recency, VERSION) if tells_version(run) else recency


def _is_check(command: CommandRun, now: Situation) -> bool:
    """Whether a run is told as one of the project's checks."""
    name = name_of(without_filters(command.command))
    return any(name == name_of(check.command) for check in now.checks)


def verification_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """The last check of the project with its result and whether files changed since, and the project's other checks."""
    now = knowledge.situation
    check = now.verification
    changed = [file.last_seq for file in knowledge.files if file.action is not FileAction.READ]
    others = [
        each
        for each in now.checks
        if not (check and name_of(without_filters(check.command)) == name_of(each.command))
        and not (_outdated(each, now) or _held(each, _runs(now)))
    ]
    found = [
        _detail(
            SectionKind.VERIFICATION, "also checked", _check_words(each, limits, over=_was_before(each, check, changed)), each.seq, 0.85
        )
        for each in sorted(others, key=lambda each: -each.seq)[:CHECKS_SHOWN]
    ]
    if check is not None:
        text = command_words(check, limits.quote, limits.result) + (CHANGED_SINCE if any(seq > check.seq for seq in changed) else "")
        return [_essential(SectionKind.VERIFICATION, "check", text, check.seq), *found]
    never = bool(changed) and not found
    return [_essential(SectionKind.VERIFICATION, "never checked", NEVER_CHECKED, knowledge.through_seq)] if never else found


def _check_words(check: CommandRun, limits: LineLimits, *, over: bool) -> str:
    """Another of the project's checks; of one that is `over`, hardly what it printed."""
    return command_words(check, limits.quote, limits.result // (OVER if over else OTHER)) + (BEFORE_CHANGES if over else "")


def command_words(command: CommandRun, length: int, result_length: int) -> str:
    """A command, how it ended, and the end of what it printed, each within its length."""
    outcome = OUTCOMES[command.passed]
    code = f" (exit {command.exit_code})" if command.exit_code is not None else ""
    words = f"`{clip(one_line(command.command), length)}` {outcome}{code}"
    result = one_line(command.result)
    return f"{words}: {as_data(clip(result, result_length))}" if result else words


def _quote(kind: SectionKind, label: str, quote: Quote, knowledge: Knowledge, limits: LineLimits) -> Candidate:
    """The quote as an essential line; whole, and critical itself, where it is the words of a critical anchor."""
    words = normalise(quote.text)
    critical = any(anchor.critical and normalise(anchor.text) == words for anchor in knowledge.anchors)
    text = one_line(quote.text)
    return _essential(kind, label, text if critical else clip(text, limits.quote), quote.ref.seq, critical=critical)


def _essential(kind: SectionKind, label: str, text: str, seq: int, *, critical: bool = False) -> Candidate:
    importance = 1.0 - ESSENTIALS.index(label) / 100
    return Candidate(kind, PackageItem(References.message(seq), label, text, seq, 0, importance, critical, label), essential=True)


def _detail(kind: SectionKind, label: str, text: str, seq: int, importance: float) -> Candidate:
    text = within_quotes(text) if label in FROM_TOOLS else text
    return Candidate(kind, PackageItem(References.message(seq), f"{label}@{seq}:{text}", text, seq, 0, importance, label=label))
