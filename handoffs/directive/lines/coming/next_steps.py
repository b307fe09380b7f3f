"""The next steps as lines: whose move it is, what was done last, the next step, and what has to run again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from continuity.knowledge.directive_parser.grammar import BEGIN, BETWEEN_STEPS, CLIP, CONTINUE, OUTCOMES, UNKNOWN, WAIT, WRITTEN
from continuity.knowledge.evidence import CodeEdit, PartState
from continuity.knowledge.extractors.announced_looks import announces_look, announces_run
from continuity.knowledge.extractors.shell.parser import parse
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.extractors.tools.commands import tidied
from continuity.knowledge.extractors.tools.verification import compiles_only, kind_of
from continuity.knowledge.language.clip import beginning, command_within
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.subjects import covers
from continuity.knowledge.model import CommandRun, FileAction, FileTouch, Knowledge, Quote, Ref, Request, RequestKind, Situation, TaskStatus
from continuity.knowledge.requests.gist import is_filler
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.whole_sentences import sentences_of
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import Options, SectionKind, Style
from handoffs.directive.lines.blocks import block
from handoffs.directive.lines.checks import changed_code, changed_files, is_outdated, is_refused, needs_rerun, runs
from handoffs.directive.lines.coming.announced import points_meant, thought_step
from handoffs.directive.lines.goal import asks_first, told_already
from handoffs.directive.lines.message_lines import by_itself, detail_line, essential_line, fitted_line
from handoffs.directive.lines.quoting import within_quotes
from handoffs.directive.lines.requests.so_far import since_report
from handoffs.directive.lines.reruns import held_foreign, is_probe, is_started_again, passed_since
from handoffs.directive.lines.tasks import open_tasks, steps_written
from handoffs.directive.lines.wording import clip, clip_said, normalise, one_line

# The labels of the lines that say what comes next.
ACTIONS = frozenset(
    (
        *("sent", "unanswered", "looking", "run again", "begun", "next step", "begin", "in progress", "to do", "instructed"),
        *("plan left", "to end"),
    )
)
RERUNS = 2
SHORTLY = 0.4  # what was done last is worth where the budget holds little more than what binds
CALL, LOOK = 300, 160  # characters of a call without a result, and of one that only looks
SAYS = 0.7  # of the words of a title that the next step has which says as much
IN_PROGRESS = 2  # tasks that are named
ACTS, ACT, RAN = 3, 160, 80  # of what was done last, and characters of each, and of a command
SMALL_EDIT = 2  # lines of an edit that is told with what was done last
_DID = {FileAction.CREATED: "created", FileAction.MODIFIED: "edited", FileAction.DELETED: "deleted", FileAction.RENAMED: "renamed"}
NAMES_NOTHING = 80  # characters of a step that says little without the words before it
_NAMES = re.compile(r"[`/_#\d]|\w\.\w|[a-z][A-Z]")
LOOKED = ("read ", "looked at ")
COMPILED = ": compiled, none was run"
ASIDE = ", with the changes put aside"
_KEEPS = re.compile(r"\bgit (?:commit|push|merge|rebase|stash|checkout|tag)\b|\b(?:publish|deploy|release|install)\b")
_STASHES = re.compile(r"\bgit stash\b(?! (?:pop|apply|list|show|drop))")
BEGINS = 40  # characters of a step from which it is a request whose words it begins with


def next_candidates(knowledge: Knowledge, options: Options, limits: LineLimits) -> list[Candidate]:
    """Waiting or going on, the next step with the words it rests on, what was done last, and the owner's note."""
    now = knowledge.situation
    found = []
    # That it is the agent's move, the list of what comes next says in a larger directive.
    if now.waiting is not False or not limits.earlier or options.style is not Style.STRUCTURED:
        found.append(essential_line(SectionKind.NEXT, "waiting", waiting_words(now.waiting), knowledge.through_seq))
    if now.waiting and now.waiting_for and now.waiting_for.text.strip():
        label = "asked" if now.waiting_for.text.rstrip(" *_\"”').").endswith("?") else "reported"
        if label == "asked" or not told_already(now.waiting_for.text, knowledge):
            found.append(_quote(label, now.waiting_for, knowledge, limits))
    request = now.latest_request
    if request and request.text.strip() and not knowledge.requests:
        found.append(_quote(_request_label(request, knowledge), request, knowledge, limits))
    if options.include_immediate_actions:
        found += _steps(knowledge, limits)
    listed = is_listed(knowledge, options, limits)
    unseen = [call for call in now.unanswered if not (listed and is_mere_check(call.text))]  # the list says to run that again
    if unseen:
        named = (one_line(_within(call.text, now.cwd)).replace(BETWEEN_STEPS, ", ") for call in unseen)
        calls = [command_within(name, min(limits.quote, CALL)) for name in named]
        told = BETWEEN_STEPS.join(f"`{call}`" for call in calls)
        found.append(essential_line(SectionKind.NEXT, "unanswered", told, unseen[-1].ref.seq))
    room = limits.block // max(len(now.sent), 1)
    found += [by_itself(fitted_line(SectionKind.NEXT, "sent", each, room, 0.974), str(each.ref.part)) for each in now.sent]
    if limits.earlier and not now.waiting:
        found += in_progress(knowledge)
    if now.looking and limits.earlier:
        found.append(_looking(now, limits))
    found += _reruns(knowledge, options, limits)
    if options.note.strip():
        found.append(essential_line(SectionKind.NEXT, "note", clip(one_line(options.note), limits.quote * 2), knowledge.through_seq))
    return found


def in_progress(knowledge: Knowledge) -> list[Candidate]:
    """The tasks of a list or tracker that are in progress for the request in work, unless the next step says as much."""
    rows, step = in_work(knowledge.requests), next_step(knowledge)
    begun = [part for part in knowledge.situation.parts if part.state is PartState.IN_PROGRESS and part.title.strip()]
    listed = [normalise(left) for task in open_tasks(knowledge) for left in task.steps_left]
    # What a list had that another list replaced since is no longer on it.
    begun = [part for part in begun if part.id or not listed or normalise(part.title) in listed]
    begun = [part for part in begun if rows and part.last_seq >= rows[0].seq][-IN_PROGRESS:]
    said, written = step.text if step is not None else "", steps_written(knowledge)
    told = [
        f"{clip(one_line(part.title), ACT).replace(BETWEEN_STEPS, ', ')}{WRITTEN if normalise(part.title) in written else ''}"
        for part in begun
        if not _names(said, part.title)
    ]
    return [detail_line(SectionKind.NEXT, "in progress", BETWEEN_STEPS.join(told), begun[-1].last_seq, 0.96)] if told else []


def _names(said: str, title: str) -> bool:
    """Whether words say what a part of the work is called."""
    return normalise(title) in normalise(said) or covers(" ".join(content(title)), said, SAYS)


def _looking(now: Situation, limits: LineLimits) -> Candidate:
    """What the agent was looking at: where it was going."""
    calls = [
        command_within(one_line(_within(call.text, now.cwd)).replace(BETWEEN_STEPS, ", "), min(limits.quote, LOOK)) for call in now.looking
    ]
    told = BETWEEN_STEPS.join(f"`{call}`" for call in dict.fromkeys(calls))
    return detail_line(SectionKind.NEXT, "looking", told, now.looking[-1].ref.seq, 0.95)


def _within(words: str, cwd: str) -> str:
    """Words without the directory of the work before its paths."""
    return words.replace(f"{cwd.rstrip('/')}/", "") if len(cwd) > 1 else words


def waiting_words(waiting: bool | None) -> str:
    return UNKNOWN if waiting is None else WAIT if waiting else CONTINUE


def next_step(knowledge: Knowledge) -> Quote | None:
    """The words that name the next step; without any, the first step left of the task last worked on."""
    if (thought := thought_step(knowledge)) is not None:
        return thought
    if knowledge.situation.next_step:
        return knowledge.situation.next_step
    tasks = sorted(open_tasks(knowledge), key=lambda task: (task.status is TaskStatus.NOT_STARTED, -task.last_seq, task.key))
    return Quote((*tasks[0].steps_left, tasks[0].description)[0], Ref(tasks[0].last_seq)) if tasks else None


def _steps(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """The next step, unless it is no more than the request in work, and what was done since it was announced."""
    found: list[Candidate] = []
    announced = announced_step(knowledge)
    if announced is not None and not (limits.earlier and (is_called(announced[0], knowledge) or is_rerun(announced[0], knowledge))):
        step, begun = announced
        line = _quote("begun" if begun else "next step", with_subject(step, in_work(knowledge.requests)), knowledge, limits)
        meant = points_meant(step, knowledge) if limits.earlier else None
        if meant is not None:
            whole = block("\n".join((line.item.text, *meant[1])))
            line = line._replace(item=line.item._replace(text=whole), shorter=(line.item.text,))
        found.append(line)
    acts = last_acts(knowledge)[-ACTS:]
    check = knowledge.situation.verification
    closing = [DoneAct(check.seq, _ran(check, knowledge.situation))] if acts and check and check.seq > acts[-1].seq else []
    rows = in_work(knowledge.requests)
    told_so_far = {words for row in rows for path in row.files for words in _edits_alone(path)}
    # A small directive may have left out what was done.
    untouched = rows and knowledge.through_seq <= rows[-1].seq
    to_answer = asks_first(knowledge) and knowledge.note is None  # that no answer was given says as much
    touched = found or acts or rows[-1].outcome or rows[-1].files if rows else found
    if untouched and limits.earlier and not (touched or to_answer or knowledge.situation.waiting):
        found.append(detail_line(SectionKind.NEXT, "begin", BEGIN, rows[-1].seq, 0.97))
    # Where nothing but those edits came last, the line of what was done for the request names the files.
    if any(act.words not in told_so_far for act in acts) and not knowledge.situation.waiting:
        last = [*acts, *closing][-ACTS:]  # with the last check where that was done after all of them
        told = BETWEEN_STEPS.join(act.words for act in last)
        found.append(detail_line(SectionKind.NEXT, "did", told, last[-1].seq, 0.97 if limits.earlier else SHORTLY))
    return found


def is_called(step: Quote, knowledge: Knowledge) -> bool:
    """Whether the call that stands without a result is the step, which its words only led in to."""
    now = knowledge.situation
    led = bool(now.unanswered) and 0 <= now.unanswered[0].ref.seq - step.ref.seq <= 1 and not _NAMES.search(step.text)
    looks = bool(now.looking) and now.looking[-1].ref.seq >= step.ref.seq and announces_look(step.text)
    sent = bool(now.sent) and 0 <= now.sent[0].ref.seq - step.ref.seq <= 1
    return knowledge.note is None and (led or looks or sent)


def is_rerun(step: Quote, knowledge: Knowledge) -> bool:
    """Whether the step is to run the check that has to run again anyway."""
    now = knowledge.situation
    outdated = now.verification is not None and needs_rerun(now.verification, knowledge)
    again = outdated or to_run_again(knowledge) or any(is_mere_check(call.text) for call in now.unanswered)
    return bool(again) and knowledge.note is None and now.waiting is False and announces_run(step.text)


def announced_step(knowledge: Knowledge) -> tuple[Quote, bool] | None:
    """The next step where it says more than the request in work, and whether it was begun; none that the steps of the work tell as over."""
    step = next_step(knowledge)
    if step is None or is_looked_up(step, knowledge) or _is_asked(step, knowledge) or _is_answered(step, knowledge):
        return None
    came = [
        *(act.seq for act in last_acts(knowledge) if not act.words.startswith(LOOKED)),
        *(report.ref.seq for report in knowledge.situation.reports),
    ]
    listed = any(step.text in task.steps_left for task in open_tasks(knowledge))  # a list says what is in work, not what comes next
    came += [file.last_seq for file in knowledge.files if listed]
    begun = knowledge.situation.begun or any(seq > step.ref.seq > 0 for seq in came)
    over = begun and any(each.said and each.seq > step.ref.seq > 0 for row in in_work(knowledge.requests) for each in row.steps)
    return None if over else (step, begun)


def is_looked_up(step: Quote, knowledge: Knowledge) -> bool:
    """Whether the step is a look or a run that the agent announced and whose result came since."""
    now = knowledge.situation
    return now.looked_up and now.next_step is not None and step.ref == now.next_step.ref


def with_subject(step: Quote, rows: Sequence[Request]) -> Quote:
    """A step that names nothing behind the sentence before it, which says what it is about: "Let me update the helper."."""
    if len(step.text) > NAMES_NOTHING or _NAMES.search(step.text):
        return step
    said = next((row.outcome.text for row in reversed(rows) if row.outcome is not None and step.text in row.outcome.text), "")
    line = said[: said.find(step.text)].rsplit("\n", 1)[-1]
    before = [sentence for sentence in sentences_of(line) if not is_filler(sentence)]
    return Quote(f"{before[-1]} {step.text}", step.ref) if before else step


def _did(file: FileTouch, first: int) -> str:
    """What was done to a file since message `first`: one that was there before is edited, and so is one that a draft was moved onto."""
    existed = (file.action is FileAction.CREATED and file.seq < first) or (file.action is FileAction.RENAMED and is_scratch(file.note))
    return _DID[FileAction.MODIFIED if existed else file.action]


def _edits_alone(path: str) -> tuple[str, ...]:
    """The words of acts that say no more of a file than that it was changed."""
    name = one_line(path.rsplit("/", 1)[-1])
    return tuple(f"{did} {name}" for did in (_DID[FileAction.CREATED], _DID[FileAction.MODIFIED]))


def _is_asked(step: Quote, knowledge: Knowledge) -> bool:
    """Whether the words are the user's own, those of the request in work, or the first line or the cut beginning of a request."""
    if any(row.seq == step.ref.seq for row in in_work(knowledge.requests)):
        return True
    words, cut = normalise(step.text.removesuffix(CLIP).rstrip()), step.text.endswith(CLIP)
    asked = [row.text.text.strip() for row in knowledge.requests if row.kind is not RequestKind.SUMMARY]
    return any(
        words in (normalise(text), normalise(text.partition("\n")[0]))
        or ((cut or len(words) > BEGINS) and normalise(text).startswith(words))
        for text in asked
    )


def _is_answered(step: Quote, knowledge: Knowledge) -> bool:
    """Whether the words are a question of the agent's that the user has spoken after."""
    rows = in_work(knowledge.requests)
    return step.text.rstrip(' *_”"').endswith("?") and bool(rows) and 0 < step.ref.seq < rows[-1].seq


@dataclass(frozen=True, slots=True)
class DoneAct:
    """One thing that was done, in a few words."""

    seq: int
    words: str


def last_acts(knowledge: Knowledge) -> list[DoneAct]:
    """What was done in the request in work, and since its last message where anything was, oldest first: files changed, commands run (but
    for the last check, which is told anyway), places looked at."""
    rows = in_work(knowledge.requests)
    now = knowledge.situation
    touched = {path for row in since_report(rows) for path in row.files}
    first, last = (since_report(rows)[0].seq, rows[-1].last_seq) if rows else (0, 0)
    acts = {
        file.last_seq: f"{_did(file, first)} {one_line(file.path.rsplit('/', 1)[-1])}"
        for file in changed_files(knowledge)
        if file.path in touched
    }
    if now.edits and now.edits[-1].seq in acts and (added := _added(now.edits[-1])):
        acts[now.edits[-1].seq] += f" ({added})"
    reads = [file for file in knowledge.files if file.action is FileAction.READ and file.last_seq > first]
    for file in reads if not touched else ():
        acts[file.last_seq] = f"read {one_line(file.path.rsplit('/', 1)[-1])}{f' ({one_line(file.note)})' if file.note else ''}"
    for look in now.looked:
        acts[look.ref.seq] = f"looked at “{within_quotes(beginning(one_line(look.text), ACT))}”"
    checked = now.verification.seq if now.verification else 0
    for run in (*now.recent_commands, *now.checks):
        if is_refused(run, now):
            continue
        if run.seq != checked and not (now.verification and run.seq < checked and run.command.strip() == now.verification.command.strip()):
            acts[run.seq] = _ran(run, now)
    since = rows[-1].seq if rows and any(seq > rows[-1].seq for seq in acts) else first
    return [DoneAct(seq, acts[seq].replace(BETWEEN_STEPS, ", ")) for seq in sorted(acts) if seq > since and last > 0]


def _ran(run: CommandRun, now: Situation) -> str:
    compiled = COMPILED if run.passed and compiles_only(run.command.strip()) else ""
    outcome = f"{OUTCOMES[run.passed]}{compiled}{ASIDE if _STASHES.search(run.command) else ''}"
    return f"ran `{command_within(one_line(tidied(run.command.strip(), now.cwd)), RAN)}` ({outcome})"


def _added(edit: CodeEdit) -> str:
    """What a small edit brought in or took out, in one line; nothing for a larger one, which is shown as it stands."""
    lines = [line for line in edit.body.split("\n") if line[:1] in ("+", "-") and line[1:].strip()]
    words = ", ".join(f"{line[0]} `{one_line(line[1:]).replace('`', '')}`" for line in lines)
    return words if len(lines) <= SMALL_EDIT and len(words) <= ACT and BETWEEN_STEPS not in words else ""


def to_run_again(knowledge: Knowledge) -> list[CommandRun]:
    """Checks that failed last, that nothing has passed since and that were not started again, the latest first."""
    now = knowledge.situation
    failed = [check for check in now.checks if check.passed is False and not passed_since(check, runs(now))]
    failed = [check for check in failed if not held_foreign(check.seq, knowledge) and not is_started_again(check, now)]
    rows = in_work(knowledge.requests)
    # What failed before was another request's, and is told as its state.
    earlier = rows[0].seq if rows and (rows[-1].files or asks_first(knowledge)) else 0
    failed = [check for check in failed if not 0 < check.seq < earlier and not is_probe(check, changed_files(knowledge))]
    return sorted(failed, key=lambda check: -check.seq)[:RERUNS]


def is_listed(knowledge: Knowledge, options: Options, limits: LineLimits) -> bool:
    """Whether a list of what comes next stands, which tells also what has to run again."""
    told = options.include_immediate_actions and limits.earlier and knowledge.note is None
    return told and knowledge.situation.waiting is False and bool(in_work(knowledge.requests))


def is_mere_check(command: str) -> bool:
    """Whether a command only checks: without its result nothing is to be found out, it is run again."""
    return kind_of(parse(command)) > 0 and _KEEPS.search(command) is None


def to_mend_first(knowledge: Knowledge) -> list[CommandRun]:
    """Those of them after which nothing was changed: to run them at once would say the same again."""
    changed = changed_code(knowledge)
    return [check for check in to_run_again(knowledge) if check.seq > 0 and not is_outdated(check, changed)]


def _reruns(knowledge: Knowledge, options: Options, limits: LineLimits) -> list[Candidate]:
    """What has to run again; where a list of what comes next stands, that tells it of what is to be mended before."""
    later = to_mend_first(knowledge) if is_listed(knowledge, options, limits) else []
    return [
        detail_line(SectionKind.NEXT, "run again", f"`{command_within(one_line(check.command), limits.quote)}`", check.seq, 0.95)
        for check in to_run_again(knowledge)
        if check not in later
    ]


def _request_label(request: Quote, knowledge: Knowledge) -> str:
    if all(turn.answer is None or turn.answer.ref.seq != request.ref.seq for turn in knowledge.turns):
        return "request"  # in the person's own words, and not the agent's offer that they agreed to
    now = knowledge.situation
    answered = now.waiting and now.waiting_for is not None and now.waiting_for.ref.seq > request.ref.seq
    return "agreed before" if answered else "agreed"


def _quote(label: str, quote: Quote, knowledge: Knowledge, limits: LineLimits) -> Candidate:
    """The quote as an essential line; whole, and critical itself, where it is the words of a critical anchor."""
    words = normalise(quote.text)
    critical = any(anchor.critical and normalise(anchor.text) == words for anchor in knowledge.anchors)
    text = one_line(quote.text)
    text = text if critical else text.rstrip(" :") or text  # what it led in to stands elsewhere
    return essential_line(SectionKind.NEXT, label, text if critical else clip_said(text, limits.quote), quote.ref.seq, critical=critical)
