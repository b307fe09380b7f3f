"""What comes next as a list that can be run: what failed or is out of date, what is open, and how the work is to end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from continuity.knowledge.directive_parser.grammar import BETWEEN_STEPS, CONTINUE
from continuity.knowledge.evidence import Keeping, PartState
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.extractors.tools.commands import without_filters
from continuity.knowledge.language.clip import command_within
from continuity.knowledge.language.requests import is_wish
from continuity.knowledge.model import CommandRun, Knowledge, Quote, Request, RequestKind
from continuity.knowledge.requests.ledger import in_work
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import Options, PackageItem, SectionKind
from handoffs.directive.lines.checks import changed_code, changed_files, checks_of, is_cut, is_outdated, needs_rerun, runs
from handoffs.directive.lines.coming.asked_checks import asked_checks
from handoffs.directive.lines.coming.called_steps import steps_left
from handoffs.directive.lines.coming.mending import mending_words
from handoffs.directive.lines.coming.next_steps import (
    ACTIONS,
    announced_step,
    in_progress,
    is_called,
    is_mere_check,
    is_rerun,
    to_mend_first,
    to_run_again,
)
from handoffs.directive.lines.delivery import after_the_work, is_chosen, is_pushed, usual_checks
from handoffs.directive.lines.evidence import has_conflicts, still_failing
from handoffs.directive.lines.goal import asks_first, owed_question
from handoffs.directive.lines.message_lines import detail_line, essential_line
from handoffs.directive.lines.quoting import as_name
from handoffs.directive.lines.requests.so_far import is_untouched, since_report
from handoffs.directive.lines.reruns import held_foreign, is_held, is_started_again
from handoffs.directive.lines.tasks import open_tasks
from handoffs.directive.lines.wording import clip, one_line
from handoffs.directive.lines.work_place import CERTAIN, UNSETTLED
from handoffs.directive.references import References

CHECK = 160  # characters of a command
TITLE = 160
STEPS_BEFORE = 2  # commits that make it so
CONFLICTS = "Resolve the conflicts that are left, and finish the merge"
NO_RESULT = "Run `{}` again: no result of it was seen"
MENDED = "Run `{}` again: it failed, and files were changed since"
RUN_AGAIN = "Run `{}` again: files were changed since"
RUN_WHOLE = "Run `{}` again without cutting its output: how it ended is not known"
ASKED = "Run {}: asked for, and not run since the last change"
USUAL = "Run {}, as at the end of the work before: not run since the last change"
UNCOVERED = "Check what was changed last: the checks that ran were of other files"
UNDER_WAY = "See whether the change is whole (last edited: {}), then run `{}` again"
AFTER_MENDING = "Then run `{}` again"
COMMIT = "Commit what passed, as was done with the steps before"
ASKED_TO_COMMIT, ASKED_TO_PUSH = "Commit, as the user asked", "Push, as the user asked"
GO_ON = "Go on with “{}”"
SEE = "See whether anything of the request is left, then tell the user what was done"
PASSED = "What was changed has passed its check: see whether anything of the request is left, then tell the user what was done"
NOT_COMMITTED, NOT_ASKED = " and that it is not committed", "; a commit was not asked for this time"
UNTOUCHED = "Go on with the user’s last message: nothing was changed for it yet"
ANSWER = "Answer the user’s question"
AND_PUSHED = " and pushed"
ALL_COMMITTED, SINCE_PASSED = "all that was changed is committed", "has passed since the last change"
NOT_DONE = frozenset((PartState.OPEN, PartState.IN_PROGRESS))
_OPEN = frozenset((Keeping.UNCOMMITTED, Keeping.STAGED, Keeping.EDITED_AGAIN, Keeping.UNKNOWN))
# An order to commit or to push: at the beginning of a sentence or behind what leads on, and with nothing but its object behind it.
_ORDER = (
    r"(?:^|[.;,:!?(]\s+|\b(?:and|then|please|also|finally|lets|let['’]s|should|must|now)\s+)(?:(?:also|then|please|just|finally)\s+){{0,2}}{}"
    r"(?=\s+(?:it|this|that|these|them|all|everything|the|your|my|and|with|when|once|after|to|in|as|separately|now)\b|\s*[.,;!)]|\s*$)"
)
_TO_COMMIT = re.compile(_ORDER.format("commit"), re.I | re.M)
_TO_PUSH = re.compile(_ORDER.format("push"), re.I | re.M)
_CHANGES = re.compile(
    r"\b(?:I(?:'ll| will| need to| should| must)|let me|let's|now) (?:\w+ ){0,2}?(?:fix|update|add|change|implement|write|create|remove"
    r"|delete|refactor|replace|rename|edit|use|switch|move|adjust|extract|convert)\b",
    re.I,
)
_DELIVERS = re.compile(r"\b(?:commit|push|summari[sz]e|report|merge|publish|release|changelog|readme|docs|documentation)\b", re.I)
_NOT_TO = re.compile(r"\b(?:do not|don['’]t|never|without|not|no) (?:\w+ ){0,2}(?:commit|push)", re.I)


def to_do_candidates(knowledge: Knowledge, options: Options, limits: LineLimits) -> list[Candidate]:
    """Where it is the agent's move, one line for each thing that the state asks for, in its order; nothing where only the request itself is
    left, nor beside the agent's own note, which says what it would do."""
    rows = in_work(knowledge.requests)
    if not (options.include_immediate_actions and limits.earlier and rows) or knowledge.situation.waiting is not False:
        return []
    if knowledge.note is not None:
        return []
    again = [AFTER_MENDING.format(command_of(each)) for each in to_mend_first(knowledge)]
    first, later = _state(knowledge, rows), _checks(knowledge, rows)
    last = [*again, *_end(knowledge, rows)]
    announced = announced_step(knowledge)
    if announced is not None and not (is_rerun(announced[0], knowledge) or _DELIVERS.search(announced[0].text)):
        last, later = [*later, *last], []  # a check comes behind the change that was announced
    first += later
    found = [*first, *last] if first or last != [SEE] else []
    return [_line("to do" if place < len(first) else "to end", words, place, knowledge) for place, words in enumerate(found)]


def with_move(coming: list[Candidate], knowledge: Knowledge) -> list[Candidate]:
    """The lines of what comes next; where it is the agent's move and none of them tells what to do, with one that says so."""
    told = knowledge.situation.waiting is not False or any(each.item.label in (*ACTIONS, "waiting", "asks") for each in coming)
    return coming if told else [essential_line(SectionKind.NEXT, "waiting", CONTINUE, knowledge.through_seq), *coming]


def nothing_open(knowledge: Knowledge) -> list[Candidate]:
    """One line where the work before a question, or before a request that is not begun, is over: all that was changed is committed and was
    checked, and no task is open."""
    now, rows = knowledge.situation, in_work(knowledge.requests)
    check = now.verification
    between = bool(rows) and (asks_first(knowledge) or bool(now.waiting) or knowledge.through_seq <= rows[-1].seq)
    if not between or knowledge.note is not None or any(row.files for row in rows):
        return []
    settled = now.changed and all(file.keeping is Keeping.COMMITTED or is_scratch(file.path) for file in now.changed)
    left = [task for task in open_tasks(knowledge) if task.method != "request" or task.steps_left]
    begun = [part for part in now.parts if part.state in NOT_DONE and part.title.strip()]
    unsure = still_failing(now) or now.running or now.sent or now.unanswered or now.unwritten or now.blocked
    if not (settled and now.commits) or left or begun or unsure:
        return []
    if check is None or not check.passed or is_outdated(check, changed_code(knowledge)):
        return []
    told = [f"{ALL_COMMITTED}{AND_PUSHED if is_pushed(now) else ''}", f"`{command_of(check)}` {SINCE_PASSED}"]
    done = [part for part in now.parts if part.state is PartState.DONE and part.id]
    told += [f"all {len(done)} tasks are done"] if len(done) > 1 else []
    return [detail_line(SectionKind.NEXT, "nothing open", BETWEEN_STEPS.join(told), knowledge.through_seq, 0.8)]


def _line(label: str, words: str, place: int, knowledge: Knowledge) -> Candidate:
    key = f"{label}@{place}"
    seq = knowledge.through_seq
    return Candidate(SectionKind.NEXT, PackageItem(References.message(seq), key, words, seq, 0, 0.97 - 0.001 * place, label=label))


def _state(knowledge: Knowledge, rows: Sequence[Request]) -> list[str]:
    """What has to be mended, and what is in work."""
    now = knowledge.situation
    steps: list[str] = []
    if any(has_conflicts(run) and run.seq >= rows[0].seq for run in now.blocked):
        steps.append(CONFLICTS)
    failing = [each for each in still_failing(now) if not held_foreign(each.seq, knowledge)]
    mended_first = to_mend_first(knowledge)
    fails = [each.seq for each in failing if not each.stale] + [each.seq for each in mended_first]
    announced = announced_step(knowledge)
    if (
        fails
        and not (now.sent and announced is not None and announced[0].ref.seq > max(fails))
        and (announced is None or is_called(announced[0], knowledge) or announced[0].ref.seq < max(fails))
    ):  # else that says how it is mended
        command = command_of(mended_first[0]) if mended_first else ""
        steps += filter(None, (mending_words(failing, command, knowledge),))
    if steps or _checks(knowledge, rows):
        return steps
    if open_part := _open_part(knowledge, rows):
        steps.append(GO_ON.format(open_part))
    if _is_to_commit(knowledge, rows) and not steps and not after_the_work(knowledge, rows):
        steps.append(COMMIT)
    return steps


def _checks(knowledge: Knowledge, rows: Sequence[Request]) -> list[str]:
    """What has to run again: a check without a result, or one after which files were changed."""
    now, check = knowledge.situation, knowledge.situation.verification
    unseen = [NO_RESULT.format(command_of(CommandRun(call.text, call.ref.seq))) for call in now.unanswered if is_mere_check(call.text)]
    if check is not None and is_cut(check) and not is_outdated(check, changed_code(knowledge)) and not is_started_again(check, now):
        return [*unseen, RUN_WHOLE.format(command_of(check))]
    asked = [ASKED.format(", then ".join(f"`{command}`" for command in left))] if (left := asked_checks(knowledge, rows)) else []
    if check is None or _is_run_anyway(check, knowledge):
        return [*unseen, *asked]
    if not is_outdated(check, changed_code(knowledge)):
        again = check.passed and check.seq > rows[0].seq and not unseen and _changes(announced_step(knowledge), knowledge)
        return [AFTER_MENDING.format(command_of(check))] if again else [*unseen, *asked]
    if check.passed is False:
        return [*unseen, MENDED.format(command_of(check)), *asked]
    if asked:
        return [*unseen, *asked]
    # What was chosen for the request before says nothing of this one.
    if not needs_rerun(check, knowledge) or (0 < check.seq < rows[0].seq and is_chosen(check.command)):
        usual = usual_checks(knowledge)
        return [*unseen, *([USUAL.format(", then ".join(f"`{command}`" for command in usual))] if usual else [] if unseen else [UNCOVERED])]
    edited = "" if _goes_on(knowledge) else _last_edited(knowledge, rows)
    return [*unseen, UNDER_WAY.format(edited, command_of(check)) if edited else RUN_AGAIN.format(command_of(check))]


def _changes(announced: tuple[Quote, bool] | None, knowledge: Knowledge) -> bool:
    """Whether the agent announced a change: the check that passed is to run behind it."""
    step = announced[0].text if announced is not None and knowledge.situation.next_step is not None else ""
    return _CHANGES.search(step) is not None and _DELIVERS.search(step) is None


def _goes_on(knowledge: Knowledge) -> bool:
    """Whether another line says what is under way."""
    announced = announced_step(knowledge) is not None and knowledge.situation.next_step is not None
    return announced or any(not is_mere_check(call.text) for call in knowledge.situation.unanswered)


def _last_edited(knowledge: Knowledge, rows: Sequence[Request]) -> str:
    """The name of the file whose edit was the last that the agent did for the request in work: more of the change may be to come."""
    edits = [file for file in changed_files(knowledge) if any(file.path in row.files for row in rows)]
    last = max(edits, key=lambda file: file.last_seq, default=None)
    since = [run.seq for run in (*runs(knowledge.situation), *knowledge.situation.recent_commands)]
    since += [row.outcome.ref.seq for row in rows if row.outcome is not None and row.tells]
    return as_name(last.path.rsplit("/", 1)[-1]) if last is not None and last.last_seq > max(since, default=0) else ""


def _is_run_anyway(check: CommandRun, knowledge: Knowledge) -> bool:
    """Whether a check was started again, or one that covers it is told to run again."""
    others = [each for each in to_run_again(knowledge) if command_of(each) != command_of(check)]
    return is_started_again(check, knowledge.situation) or any(is_held(check, each.command) for each in others)


def command_of(check: CommandRun) -> str:
    return command_within(one_line(checks_of(without_filters(check.command.strip()))), CHECK)


def _end(knowledge: Knowledge, rows: Sequence[Request]) -> list[str]:
    """How the work is to end: what was asked for as its end and not done since, what follows it, or the answer."""
    now = knowledge.situation
    if steps_left(knowledge):
        return []
    last = rows[-1]
    unanswered = last.kind is RequestKind.QUESTION and not last.tells and not (last.files and is_wish(last.text.text))
    asks = asks_first(knowledge) or owed_question(rows)[0] is not None or unanswered
    touched = any(row.files for row in since_report(rows))
    asked = _asked_for(knowledge, rows)
    later = after_the_work(knowledge, rows)
    if later or asked:
        return [*asked, *later]
    if asks:
        return [ANSWER]
    announced = announced_step(knowledge)
    goes_on = announced is not None and not is_called(announced[0], knowledge) and not _is_over(announced, knowledge)
    if goes_on or _is_in_work(knowledge, rows):
        return []
    if not touched:
        return [UNTOUCHED] if is_untouched(rows) else []
    kept = any(file.keeping in UNSETTLED and file.seq >= rows[0].seq for file in now.changed)
    commit = NOT_COMMITTED if kept and not _wants_commit(rows) else ""
    habit = NOT_ASKED if commit and _was_asked_before(knowledge, rows) else ""
    concrete = _state(knowledge, rows) or _checks(knowledge, rows) or to_mend_first(knowledge)
    if concrete:
        return []
    return [f"{PASSED if _has_passed(knowledge, rows) else SEE}{commit}{habit}"]


def _is_over(announced: tuple[Quote, bool], knowledge: Knowledge) -> bool:
    """Whether a step that was begun has passed a check since."""
    step, begun = announced
    return begun and any(run.passed and run.seq > step.ref.seq for run in runs(knowledge.situation))


def _is_in_work(knowledge: Knowledge, rows: Sequence[Request]) -> bool:
    """Whether a part of the work or a task is open: what comes after it is not known."""
    now = knowledge.situation
    open_parts = [part for part in now.parts if part.state in NOT_DONE and part.last_seq >= rows[0].seq and part.title.strip()]
    begun = any(part.state is PartState.OPEN or not part.files for part in open_parts)
    left = any(task.steps_left for task in open_tasks(knowledge)) and not open_parts
    again = any(run.passed is False and is_started_again(run, now) for run in runs(now))
    return bool(
        begun or left or now.looking or (now.unanswered and not again and not (_state(knowledge, rows) or _checks(knowledge, rows)))
    )


def _open_part(knowledge: Knowledge, rows: Sequence[Request]) -> str:
    """The task in progress where nothing else says what comes next; of one that was worked on nobody knows what is left."""
    now = knowledge.situation
    if now.unanswered or now.looking or announced_step(knowledge) is not None or in_progress(knowledge):
        return ""
    begun = [part for part in now.parts if part.state in NOT_DONE and part.last_seq >= rows[0].seq and part.title.strip()]
    return clip(one_line(begun[0].title), TITLE).replace(BETWEEN_STEPS, ", ") if begun and not begun[0].files else ""


def _has_passed(knowledge: Knowledge, rows: Sequence[Request]) -> bool:
    last = max((file.last_seq for file in changed_files(knowledge) if any(file.path in row.files for row in rows)), default=0)
    passed = max((run.seq for run in runs(knowledge.situation) if run.passed), default=0)
    return 0 < last < passed


def _asked_for(knowledge: Knowledge, rows: Sequence[Request]) -> list[str]:
    """What the user asked for as the end of the work and that no call did since the last change."""
    now = knowledge.situation
    left = [file for file in now.changed if file.keeping in _OPEN and file.seq >= rows[0].seq and not is_scratch(file.path)]
    if not left or not _wants_commit(rows):
        return []
    pushes = any(_TO_PUSH.search(row.text.text) for row in rows)
    return [ASKED_TO_COMMIT, *([ASKED_TO_PUSH] if pushes else [])]


def _wants_commit(rows: Sequence[Request]) -> bool:
    asked = [row.text.text for row in rows if row.kind is not RequestKind.SUMMARY]
    return any(_TO_COMMIT.search(text) for text in asked) and not any(_NOT_TO.search(text) for text in asked)


def _was_asked_before(knowledge: Knowledge, rows: Sequence[Request]) -> bool:
    """Whether earlier work was committed because the user said so each time."""
    before = [row for row in knowledge.requests if row.seq < rows[0].seq and row.commits]
    return bool(before) and all(_TO_COMMIT.search(row.text.text) for row in before)


def _is_to_commit(knowledge: Knowledge, rows: Sequence[Request]) -> bool:
    """Whether each step of the work was committed, and what the last one changed passed its check and is not."""
    now = knowledge.situation
    check, kept = now.verification, [file for file in now.changed if file.keeping in CERTAIN and not is_scratch(file.path)]
    before = [part for part in now.parts if part.commits]
    if check is None or not check.passed or not kept or len(before) < STEPS_BEFORE:
        return False
    return all(rows[0].seq <= file.seq < check.seq for file in kept) and before[-1].last_seq < min(file.seq for file in kept)
