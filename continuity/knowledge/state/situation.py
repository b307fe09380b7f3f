"""The state of the work after the last message folded."""

from __future__ import annotations

import re
from dataclasses import replace

from continuity.knowledge.evidence import ChangedFile, CodeEdit, Failure, PartState, Plan
from continuity.knowledge.extractors import names
from continuity.knowledge.extractors.outcomes import file_states
from continuity.knowledge.extractors.outcomes.refusals import JOB
from continuity.knowledge.extractors.outcomes.undone_edits import undone
from continuity.knowledge.extractors.shell.parser import parse
from continuity.knowledge.extractors.tools import commands, tool_names
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.subjects import covers
from continuity.knowledge.model import AS_ASKED, CommandRun, FileAction, Quote, Ref, RequestKind, Situation, TaskStatus
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.state.net_edits import net_edits
from continuity.knowledge.state.open_items import Effect, Pending
from continuity.knowledge.state.state import FoldState

# Tools whose calls are told elsewhere, or ask somebody; and what stands in the names of those that only look.
_OTHERWISE_TOLD = (
    tool_names.AGENTS
    | tool_names.LISTS
    | tool_names.CREATE_TASK
    | tool_names.UPDATE_TASK
    | tool_names.ASK
    | tool_names.PLAN
    | tool_names.OUTPUT
    | tool_names.FINISH
)
_LOOKS = re.compile(r"read|grep|glob|search|find|list|get|fetch|view|look|ls\b|query|inspect|think")
SAME = 0.7  # of an item's words that a finished part of the work names which does it
UNANSWERED = 4  # calls without a result that are told, the latest


def situation(state: FoldState) -> Situation:
    """The situation as the state knows it."""
    waiting = _waiting(state)
    return Situation(
        objective=state.objective,
        latest_request=state.latest_request,
        next_step=_next_step(state, waiting),
        begun=state.begun and state.next_step is not None,
        looked_up=state.looked_up and state.next_step is not None,
        waiting=waiting,
        waiting_for=(state.asking or state.closing) if waiting else None,
        cwd=state.cwd,
        elsewhere=_elsewhere(state),
        moved=state.moved,
        branch=state.branch,
        verification=_last_check(state),
        checks=tuple(state.checks.values()),
        recent_commands=state.commands,
        looked=state.looked,
        names=names.in_use(state.terms, state.through_seq),
        outside=tuple(f"{tool} {what}".strip() for tool, what in state.outside.items()),
        commits=state.commits,
        trees=state.trees,
        running=tuple(state.running.values()),
        sent=_sent(state),
        unanswered=_unanswered(state),
        looking=_looking(state),
        changed=_changed(state),
        blocked=tuple(state.blocked.values()),
        parts=tuple(part for part in state.parts.values() if part.title or part.files),
        edits=tuple(net_edits(state.edits.values())),
        sketches=tuple(state.sketches.values()),
        hunks=tuple(state.hunks.values()),
        undone=undone(state),
        unwritten=_unwritten(state),
        excerpts=tuple(state.excerpts.values()),
        failures=_failures(state),
        misused=tuple(state.misused.values()),
        searched=tuple(state.searched.values()),
        refusals=tuple(state.refusals.values()),
        choices=tuple(state.choices.values()),
        plan=_plan(state),
        planning=state.planning,
        made=tuple(state.made.values()),
        results=tuple(state.results.values()),
        reports=tuple(state.reports.values()),
        called=state.called,
        to_try=state.to_try,
    )


def _last_check(state: FoldState) -> CommandRun | None:
    """The last run of the strongest kind of check; where it passed before the request in work was made, the last one that ran for this."""
    last, rows = state.verification, in_work(state.requests)
    if last is None or not rows or last.passed is False or last.seq >= rows[0].seq:
        return last
    return max((each for each in state.checks.values() if each.seq > rows[0].seq), key=lambda each: each.seq, default=last)


def _elsewhere(state: FoldState) -> str:
    """The directory that the session began in, where it works in one that is neither in it nor around it."""
    root, cwd = state.root.rstrip("/"), state.cwd.rstrip("/")
    return root if root and cwd and not f"{cwd}/".startswith(f"{root}/") and not f"{root}/".startswith(f"{cwd}/") else ""


def _changed(state: FoldState) -> tuple[ChangedFile, ...]:
    """Where the changed files stand; nothing where no version control was seen."""
    if not (state.branch or state.commits or state.trees):
        return ()
    return file_states.now(state.changed.values(), state.turns[-1].seq if state.turns else 0, state.cwd)


def _failures(state: FoldState) -> tuple[Failure, ...]:
    """The failures of the last failing checks, marked where files were changed since."""
    return tuple(replace(each, stale=state.edited > each.seq) for each in state.failures.values())


def _plan(state: FoldState) -> Plan | None:
    """The plan with its items that parts of the work, told as done, did."""
    plan = state.plan
    if plan is None:
        return None
    done = [part.title for part in state.parts.values() if part.state is PartState.DONE and part.last_seq >= plan.seq and part.title]
    done += [step for task in (*state.closed.values(), *state.tasks.values()) if task.last_seq >= plan.seq for step in task.steps_done]
    items = tuple(
        replace(item, done=True) if item.done is None and any(_does(title, item.text) for title in done) else item for item in plan.items
    )
    return replace(plan, items=items)


def _does(title: str, item: str) -> bool:
    """Whether a part of the work is the plan's item."""
    words = " ".join(content(item))
    return bool(words) and covers(words, title, SAME)


def _waiting(state: FoldState) -> bool | None:
    """True where the agent ended its turn with a question or a finished answer, and where the person only left then; False where it is the
    agent's move, also while it watches a job that still runs."""
    if not state.phase:
        return None
    if _has_left(state):
        return True
    if state.phase != "agent" or (state.watching and state.asking is None):
        return False
    return state.asking is not None or state.finished


def _has_left(state: FoldState) -> bool:
    return state.phase == "person" and bool(state.requests) and state.requests[-1].kind is RequestKind.PARTING


def _next_step(state: FoldState, waiting: bool | None) -> Quote | None:
    """What comes next and the words it rests on: the agent's announcement, the list's current step, or the request."""
    if state.phase == "person" and not waiting:
        return state.latest_request
    if state.next_step is not None:
        return state.next_step
    if waiting and state.phase != "person":
        return state.asking
    plan = state.tasks.get(state.plan_key)
    if plan is not None and plan.status is not TaskStatus.COMPLETED and plan.steps_left:
        return Quote(plan.steps_left[0], Ref(plan.last_seq))
    asked = None if _done_as_asked(state) else state.latest_request
    in_work = [t for t in state.tasks.values() if t.tool_id and t.status is TaskStatus.IN_PROGRESS]
    task = max(in_work, key=lambda t: t.last_seq, default=None)
    return Quote(task.description, Ref(task.last_seq)) if task and (asked is None or task.last_seq > asked.ref.seq) else asked


def _done_as_asked(state: FoldState) -> bool:
    task = state.closed.get(state.request_key)
    return task is not None and task.blocking_reason == AS_ASKED


def _unanswered(state: FoldState) -> tuple[Quote, ...]:
    """The calls of the turn that lasts whose results did not come: a session that broke off, or a result on its way."""
    return tuple(Quote(_called(pending), Ref(pending.seq, pending.part)) for _, pending in _without_result(state))


def _looking(state: FoldState) -> tuple[Quote, ...]:
    """What the agent was looking at when the session broke off: those calls change nothing, and say where it was going."""
    looks = [pending for _, pending in _without_result(state, looks=True) if tool_names.plain_name(pending.name) not in _OTHERWISE_TOLD]
    return tuple(Quote(_called(pending), Ref(pending.seq, pending.part)) for pending in looks)


def _unwritten(state: FoldState) -> tuple[CodeEdit, ...]:
    """What the calls whose results did not come would change."""
    calls = {key for key, _ in _without_result(state)}
    return tuple(draft for name, draft in state.drafts.items() if name.rpartition("#")[0] in calls)


def _without_result(state: FoldState, *, looks: bool = False) -> list[tuple[str, Pending]]:
    """Those that change something, or those that only look."""
    if state.phase not in ("call", "result"):
        return []
    since = state.turns[-1].seq if state.turns else 0
    return [
        (key, pending)
        for key, pending in state.pending.items()
        if pending.seq > since and not pending.agent and not key.startswith(JOB) and _only_reads(pending) is looks
    ][-UNANSWERED:]


def _called(pending: Pending) -> str:
    if pending.command:
        return pending.command
    return " ".join(words for words in (pending.name, *map(_on, pending.effects[:3]), pending.text) if words)


def _on(effect: Effect) -> str:
    """The path of an effect, with the lines that are read."""
    first, _, last = effect.note.partition("-") if effect.action is FileAction.READ else ("", "", "")
    return f"{effect.path} (lines {first} to {last})" if last else effect.path


def _only_reads(pending: Pending) -> bool:
    if pending.command:
        return all(commands.only_looks(command) for command in parse(pending.command))
    if pending.effects:
        return all(effect.action is FileAction.READ for effect in pending.effects)
    name = tool_names.plain_name(pending.name)
    return name in _OTHERWISE_TOLD or _LOOKS.search(name) is not None


def _sent(state: FoldState) -> tuple[Quote, ...]:
    """What was sent to sub-agents whose answers are still out."""
    agents = [p for p in state.pending.values() if tool_names.plain_name(p.name) in tool_names.AGENTS and not p.agent and p.text]
    return tuple(Quote(p.text, Ref(p.seq, p.part)) for p in agents)
