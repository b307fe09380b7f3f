"""Results' evidence as lines: refused commits, failures, code in flux, parts of the work, the plan, refusals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from continuity.knowledge.directive_parser.grammar import BETWEEN_STEPS
from continuity.knowledge.evidence import (
    UNDER_WAY,
    Failure,
    MisusedCommand,
    Plan,
    PlanState,
    RefusedCall,
)
from continuity.knowledge.extractors.shell.parser import parse
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.extractors.tools.commands import only_looks
from continuity.knowledge.model import CommandRun, Knowledge, Quote, Ref, Request, Situation
from continuity.knowledge.requests.excerpt import without_gaps
from continuity.knowledge.requests.gist import gist
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.checks import brief, changed_files, command_words, runs
from handoffs.directive.lines.code import ROOMY, code_candidates
from handoffs.directive.lines.message_lines import detail_line, fitted_line, message_line
from handoffs.directive.lines.quoting import as_data, as_name, within_quotes
from handoffs.directive.lines.request_steps import changes_began
from handoffs.directive.lines.reruns import HELD, held_foreign, passed_since
from handoffs.directive.lines.wording import and_more, clip, clip_said, normalise, one_line
from handoffs.directive.lines.work_place import RESULTS
from handoffs.directive.past.errors import explained, meant_to_fail
from handoffs.directive.past.parts import part_candidates
from handoffs.directive.past.searches import searched

PLANNING, PLANNED = "change nothing before the user has approved a plan", 2.0
FAILURES, FAILURE = 4, 420  # shown, and characters of each part of one
PLACE = 160  # characters of a place in a file
TARGET = 180  # characters of what a refused call was about
REFUSED, CONFLICTS = 2, 900  # calls; characters of the files with conflicts
TESTS = 6  # named of those that fail at one place
MAY_BE_MENDED = " — files changed since"
MEANT, EXPLAINED = "it was meant to fail before the change", "the agent said of it: "
MENDED_IN = 3  # files that were changed since a failure
MISUSED, INSTEAD = 3, "; this worked: "
CONFLICT, EDITED_SINCE = "CONFLICT in ", "conflicts edited since: "
PLAN = 1600
DONE, LEFT, ITEMS = "done: ", "left: ", "its steps: "
_PLANS = {
    PlanState.WRITTEN: "written down, not put to the user",
    PlanState.PROPOSED: "proposed, not answered",
    PlanState.APPROVED: "approved by the user",
    PlanState.REFUSED: "refused by the user",
}
SAID_INSTEAD = ", and said instead: “"
_CHANGE = re.compile(r": [-+] \S")  # behind the file of a refused edit
COMMAND = 120  # characters of a refused command that is told beside the person's words
# What a runner of tasks says behind the failure itself.
_RUNNER = re.compile(
    r"(?:\[[\w:.-]+\] )?\W*(?:ERROR task failed|exit (?:status|code) \d+|make(?:\[\d+\])?: \*\*\*|npm ERR!|ELIFECYCLE|FAIL)\b", re.I
)


def evidence_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """One candidate for each thing that results told."""
    now = knowledge.situation
    rows = in_work(knowledge.requests)
    first = rows[0].seq if rows else 0
    found = [
        detail_line(SectionKind.NEXT, label, command_words(_left_of(brief(run, now.cwd), knowledge), limits.quote, room), run.seq, 0.99)
        for run in now.blocked[-REFUSED:]
        for label, room in (("merging", CONFLICTS) if has_conflicts(run) else ("blocked", limits.result),)
        if run.seq >= first and run.command != UNDER_WAY
    ]
    if now.planning:
        found.append(detail_line(SectionKind.NEXT, "planning", PLANNING, rows[-1].seq if rows else 0, PLANNED))
    found += [
        detail_line(
            SectionKind.NEXT,
            "failing",
            _failing(each, knowledge),
            each[0].seq,
            0.97 - 0.05 * n,
        )
        for n, each in enumerate(_by_place(still_failing(now))[:FAILURES])
    ]
    found += _misused(now.misused, first)
    found += searched(knowledge) if limits.earlier else []
    worked = max((file.last_seq for file in changed_files(knowledge)), default=0)  # what was refused before is answered since
    began = changes_began(rows)
    found += [
        fitted_line(SectionKind.LAST, "report before" if each.ref.seq < began else "report", each, limits.block // 2, 0.8, report=True)
        for each in now.reports
        if each.ref.seq >= first
    ]
    found += code_candidates(knowledge, limits)
    found += part_candidates(knowledge, first, roomy=limits.block >= ROOMY)
    found += _plan(now.plan, first)
    found += [
        detail_line(
            SectionKind.NEXT if _is_met(each, knowledge) and (each.seq > worked or each.seq <= first) else SectionKind.DECISIONS,
            "refused",
            _refusal(each, rows),
            each.seq,
            0.85,
        )
        for each in now.refusals
        if each.seq >= first
        or _is_met(each, knowledge)
        or _is_left_to_user(each, knowledge)
        or (each.said.strip() and (_names_act(each) or _shows_change(each) or not _is_told_in_history(each, knowledge, limits)))
    ]
    found += [
        detail_line(SectionKind.LAST, "result", within_quotes(clip(one_line(each.text), limits.result)), each.ref.seq, 0.5)
        for each in now.results[-RESULTS:]
        if each.ref.seq >= first
    ]
    return found


def _is_met(refusal: RefusedCall, knowledge: Knowledge) -> bool:
    """Whether the person refused or stopped a call with a message of the request in work, or right before its first one."""
    rows = in_work(knowledge.requests)
    if any(row.seq == refusal.seq for row in rows):
        return True
    before = max((row.seq for row in knowledge.requests if rows and row.seq < rows[0].seq), default=0)
    return bool(rows) and refusal.interrupted and before < refusal.seq < rows[0].seq


def _is_left_to_user(refusal: RefusedCall, knowledge: Knowledge) -> bool:
    """Whether the person refused a commit or a push, and the agent made none since."""
    commands = parse(refusal.target) if "git " in refusal.target else []
    acts = {each.words[1] for each in commands if each.program == "git" and len(each.words) > 1} & {"commit", "push"}
    made = any(row.commits for row in knowledge.requests if row.last_seq > refusal.seq)
    pushed = any("git push" in each for each in knowledge.situation.outside)
    return bool(acts) and not (("commit" in acts and made) or ("push" in acts and pushed))


def _names_act(refusal: RefusedCall) -> bool:
    """Whether a command was refused that does something and is told in few words: the history, which tells what the person said, does not
    name it. One that only looks was stopped for these words alone; nothing was decided about it."""
    is_command = " " in refusal.target.strip() and len(refusal.target) <= COMMAND and not _CHANGE.search(refusal.target)
    commands = parse(refusal.target) if is_command else []
    return not all(only_looks(each) for each in commands)


def _shows_change(refusal: RefusedCall) -> bool:
    """Whether an edit was refused with a few words, which say nothing without what it would have changed."""
    return len(refusal.said) <= COMMAND and _CHANGE.search(refusal.target) is not None


def _is_told_in_history(refusal: RefusedCall, knowledge: Knowledge, limits: LineLimits) -> bool:
    """Whether the person's words stand in the history as a request of their own."""
    said = (row.text.text for row in knowledge.requests if row.seq == refusal.seq)
    return limits.earlier and any(normalise(refusal.said) in normalise(text) for text in said)


def _left_of(run: CommandRun, knowledge: Knowledge) -> CommandRun:
    """A run that stopped at conflicts, with the files that were not edited since, and then those that were."""
    files = run.result.removeprefix(CONFLICT).split(", ") if run.result.startswith(CONFLICT) else []
    edited = [path for path in files if any(each.path.endswith(path) and each.last_seq > run.seq for each in changed_files(knowledge))]
    if not edited:
        return run
    left = ", ".join(path for path in files if path not in edited)
    told = "; ".join(words for words in (left and f"{CONFLICT}{left}", f"{EDITED_SINCE}{', '.join(edited)}") if words)
    return replace(run, result=told)


def has_conflicts(run: CommandRun) -> bool:
    """Whether a run was not refused, but stopped in the middle at conflicts."""
    return run.command != UNDER_WAY and "conflict" in run.result.lower()


def still_failing(now: Situation) -> list[Failure]:
    """The failures that nothing which covers their check has passed since: the last check, or one of the same kind."""
    last = now.verification
    if last is not None and last.passed and all(each.seq < last.seq for each in now.failures):
        return []
    open_ones = [each for each in now.failures if not passed_since(CommandRun(each.check, each.seq, passed=False), runs(now))]
    latest = {each.test or f"{each.at} {each.cause}": each for each in sorted(open_ones, key=lambda each: each.seq)}  # of one test the last
    telling = [each for each in latest.values() if each.test.strip() or each.at or not _RUNNER.match(each.cause)]
    return [each for each in open_ones if each in (telling or latest.values())]


def _by_place(failures: Sequence[Failure]) -> list[list[Failure]]:
    """Those that one line of code tells of together, as the cases of one test are, and those of one file that fail for one reason."""
    found: dict[tuple[str, ...], list[Failure]] = {}
    for each in failures:
        alone = () if each.at and each.test.strip() else (each.test, each.cause)
        found.setdefault((each.at, str(each.stale), *alone), []).append(each)
    reasons: dict[tuple[str, ...], list[Failure]] = {}
    for of_place in found.values():
        first = of_place[0]
        why = (first.cause, first.expected, first.got)
        alike = first.at and any(map(str.strip, why))
        file = first.at.partition(":")[0] if alike else f"{first.at}|{first.test}"
        reasons.setdefault((file, str(first.stale), *why), []).extend(of_place)
    return list(reasons.values())


def _changed_since(failure: Failure, knowledge: Knowledge) -> list[str]:
    """The names of the files that were changed after a failure, the latest last."""
    files = [file for file in changed_files(knowledge) if file.last_seq > failure.seq > 0 and not is_scratch(file.path)]
    return list(dict.fromkeys(as_name(file.path.rsplit("/", 1)[-1]) for file in sorted(files, key=lambda each: each.last_seq)))


def _failing(failures: Sequence[Failure], knowledge: Knowledge) -> str:
    """The tests, where, what was expected and got, and why, as far as they are known of the first; what the agent said of that, whether it
    was meant to fail or is foreign to the work, or may be mended by what was changed since."""
    failure = failures[0]
    places: dict[str, list[str]] = {}
    for each in failures[:TESTS]:
        places.setdefault(each.at, []).extend([as_data(clip(one_line(each.test), FAILURE))] if each.test.strip() else [])
    named = [f"{', '.join(names)}{f' at {clip(as_name(at), PLACE)}' if at else ''}".strip() for at, names in places.items()]
    name = f"{', '.join(filter(None, named))}{and_more(failures, TESTS)}"
    told = [name] if name else []
    for lead, words in (("expected", failure.expected), ("got", failure.got), ("because", failure.cause)):
        if words.strip():
            told.append(f"{lead} {as_data(clip(one_line(words), FAILURE))}")
    if failure.cause.strip() and meant_to_fail(failure.cause, knowledge):
        told.append(MEANT)
    elif why := explained(f"{failure.test} {failure.cause}", failure.seq, knowledge):
        told.append(f"{EXPLAINED}“{within_quotes(clip_said(one_line(why), FAILURE))}”")
    changed = _changed_since(failure, knowledge)
    since = f"{MAY_BE_MENDED} (in {', '.join(changed[-MENDED_IN:])})" if changed else MAY_BE_MENDED
    stale = HELD if held_foreign(failure.seq, knowledge) else since if failure.stale else ""
    return f"{BETWEEN_STEPS.join(told)}{stale}"


def _misused(commands: Sequence[MisusedCommand], first: int) -> list[Candidate]:
    """Commands that their program did not understand, with what worked instead; where nothing did, those of the request in work."""
    found = []
    for each in [each for each in commands if each.instead or each.seq >= first][-MISUSED:]:
        worked = f"{INSTEAD}`{_in_code(each.instead)}`" if each.instead else ""
        told = f"`{_in_code(each.command)}`: {as_data(one_line(each.told))}{worked}"
        found.append(detail_line(SectionKind.ERRORS, "misused", told, each.seq, 0.75))
    return found


def _in_code(command: str) -> str:
    return one_line(command).replace("`", "'")


def _plan(plan: Plan | None, first: int) -> Iterable[Candidate]:
    """The latest version of the plan; its items with what is done of them where that is known."""
    if plan is None or plan.seq < first or (plan.items and all(item.done for item in plan.items)):
        return
    head = f"{_PLANS[plan.state]}{f', {one_line(plan.path)}' if plan.path else ''}"
    if plan.said:
        head += f"; the user said: “{within_quotes(one_line(plan.said))}”"
    known = [item for item in plan.items if item.done is not None]
    lines = [f"{DONE if item.done else LEFT}{one_line(item.text)}" for item in plan.items] if known else _unmarked(plan)
    worth = 0.9 if plan.state in (PlanState.APPROVED, PlanState.PROPOSED) else 0.5
    yield message_line(SectionKind.TASKS, "plan", Quote("\n".join((head, *lines)), Ref(plan.seq)), worth)


def _unmarked(plan: Plan) -> list[str]:
    """The gist of a plan of whose items nothing is known, and those of its items that the gist leaves out."""
    words = without_gaps(gist(plan.text, PLAN * 2 // 3 if plan.items else PLAN))
    left = [one_line(item.text) for item in plan.items if one_line(item.text) not in words]
    return [words, f"{ITEMS}{BETWEEN_STEPS.join(left)}"] if left else [words]


def _refusal(refusal: RefusedCall, rows: Sequence[Request]) -> str:
    """What was refused, and the person's words, unless a request in work has them and they say enough there."""
    told = not _shows_change(refusal) and any(
        row.seq == refusal.seq and normalise(refusal.said) in normalise(row.text.text) for row in rows
    )
    said = within_quotes(clip_said(one_line(refusal.said), FAILURE))
    words = f"{SAID_INSTEAD}{said}”" if refusal.said.strip() and not told else ""
    return f"{as_name(refusal.tool)} {as_data(clip(one_line(refusal.target), TARGET))}{words}"
