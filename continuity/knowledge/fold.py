"""The fold: messages in, changes out. Pure, incremental, deterministic.

Folding a prefix and then the rest gives the same state and the same changes as folding all at once, also when the state
was stored between, in any process and under any hash seed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from continuity.core.isolation import RuleFault, Skipped, read_on
from continuity.knowledge.anchors import claims
from continuity.knowledge.coverage import keeping
from continuity.knowledge.directive_parser.parser import recall
from continuity.knowledge.extractors import assistant, called_instructions, instructions, prior_summary, user
from continuity.knowledge.extractors.outcomes import code_edits, refusals, work_parts
from continuity.knowledge.extractors.tools import dispatch, errors, jobs
from continuity.knowledge.model import Change, RequestState, TaskStatus
from continuity.knowledge.requests import ledger, progress
from continuity.knowledge.rules.catalogue import RULES, RuleSet
from continuity.knowledge.state.fold_cache import remembering
from continuity.knowledge.state.state import FoldState
from continuity.knowledge.state.step import EPOCH, FoldStep
from continuity.knowledge.tasks import tracking
from continuity.transcripts.base.model import Message, Part, PartKind, Role, Voice
from continuity.transcripts.injected_texts import is_injected

READER = "knowledge"
_OF_THE_TOOL = frozenset(("/compact", "/rewind", "/clear", "/exit", "/quit", "/remote-env"))
INTERRUPTED = ("[Request interrupted", "<turn_aborted>", "[Interrupted by user")


@dataclass(frozen=True, slots=True)
class Folded:
    """The state after the messages, and the changes they caused, in order; which messages were passed over since reading them raised,
    and which rules raised."""

    state: FoldState
    changes: list[Change]
    skipped: Skipped = ()
    faults: list[RuleFault] = field(default_factory=list)


def fold(
    state: FoldState, messages: Iterable[tuple[int, Message]], *, rules: RuleSet = RULES, known_skipped: Collection[int] = ()
) -> Folded:
    """Fold messages, each with its increasing sequence number, into a copy of `state`.

    `rules` are the language rules to read with; leaving some out measures what they contribute. Where reading a message raises, all of
    them are folded again one by one, and those that raise by themselves change nothing but the count and place. `known_skipped` are some
    that did before, and are not tried again.
    """
    begun = Folded(state, [])
    folded, passed = read_on(begun, list(messages), read=partial(_read, rules), pass_over=_pass_over, reader=READER, known=known_skipped)
    return replace(folded, skipped=passed)


def _read(rules: RuleSet, before: Folded, messages: Sequence[tuple[int, Message]]) -> Folded:
    state = before.state.copy()
    changes, faults = list(before.changes), list(before.faults)
    with remembering():
        for seq, message in messages:
            _one(FoldStep(state, seq, message, rules, changes, faults))
    return Folded(state, changes, (), faults)


def _pass_over(before: Folded, message: tuple[int, Message]) -> Folded:
    """As if the message had said nothing."""
    state = before.state.copy()
    state.messages += 1
    state.through_seq = message[0]
    return replace(before, state=state)


def _one(step: FoldStep) -> None:
    state = step.state
    _where(step)
    begins = not state.turn_count and not state.carried and not state.phase
    recall(step)
    before = len(step.changes), state.commits, state.verification
    called_at = _called_at(step)
    person: list[int] = []
    command, called = "", -1
    for index, part in enumerate(step.message.parts):
        if part.kind is PartKind.TOOL_CALL:
            dispatch.called(step, index, part)
        elif part.kind is PartKind.TOOL_RESULT:
            instructions.shown(step, index, part)
            called_instructions.shown(step, part)
            dispatch.returned(step, index, part)
        elif part.kind is PartKind.REASONING and part.text.strip():
            if not step.aside:
                assistant.muse(step, index)
        elif part.kind is PartKind.TEXT and part.text.strip():
            if part.voice is Voice.HARNESS:
                if named := _command(step, part):
                    command, called = named, index
                _injected(step, index, part)
            elif step.aside:
                continue
            elif part.voice is Voice.PERSON:
                person.append(index)
            elif part.voice is Voice.AGENT:
                assistant.speak(step, index)
                work_parts.told(step, part.text)
            elif part.voice is Voice.SUMMARY:
                state.requests = ledger.carried(state.requests, step.seq, prior_summary.body_of(step, index))
                if begins:
                    prior_summary.carry(step, index)
                begins = False
    if person:
        refusals.note_mode(step)
        user.hear(step, person, command)
    elif command:
        user.command_called(step, called, command)
    if not step.aside:
        ledger.worked(step, *before, called_at)
        _closes(step)
        keeping.read(state.terms, state.units, step.message, step.seq)
    state.messages += 1
    state.through_seq = step.seq


def _command(step: FoldStep, part: Part) -> str:
    """The tool's command that a person called to set work; empty for one that only sets the tool up."""
    command = part.data.get("command")
    if step.aside or step.message.role is not Role.USER or not isinstance(command, str) or is_injected(part.text):
        return ""
    return command if command not in _OF_THE_TOOL else ""


def _closes(step: FoldStep) -> None:
    """What became of the request, where the message ends the agent's turn."""
    state = step.state
    if state.phase != "agent" or not (state.finished or state.asking is not None):
        if state.phase == "call" and state.requests and state.requests[-1].state is not RequestState.OPEN:
            state.requests = progress.resumed(state.requests)
        return
    task = tracking.request(step)
    left = task is not None and task.status in (TaskStatus.BLOCKED, TaskStatus.NEAR_COMPLETION)
    state.requests = progress.settled(state.requests, asking=state.asking is not None, done=state.done, left=left)
    claims.mended(step)


def _called_at(step: FoldStep) -> int:
    """The message whose call this one answers: a person may have spoken since. Its own number where it answers none."""
    calls = (step.state.pending.get(part.call_id) for part in step.message.parts if part.kind is PartKind.TOOL_RESULT and part.call_id)
    return min((call.seq for call in calls if call is not None), default=step.seq)


def _where(step: FoldStep) -> None:
    """Take over the directory and branch that a message reports, when they differ from what it reported last: between
    reports, commands that were seen to change them count."""
    state, message = step.state, step.message
    if step.aside:
        return
    if message.cwd and message.cwd != state.reported_cwd:
        state.reported_cwd = state.cwd = message.cwd[:400]
        state.root = state.root or state.cwd
        state.moved = step.seq
    if message.branch and message.branch != state.reported_branch:
        state.reported_branch = state.branch = message.branch[:200]


def _injected(step: FoldStep, index: int, part: Part) -> None:
    """What a tool injects is no one's word, but for the rules of instructions; else it only tells that a turn was interrupted or
    a job ended."""
    if step.aside:
        return
    if step.message.role is not Role.ASSISTANT and part.text.lstrip().startswith(INTERRUPTED):
        step.state.phase = "interrupted"
        step.state.finished = False
        refusals.interrupted(step)
        step.state.pending.clear()
        code_edits.dropped(step)
        step.state.requests = ledger.interrupted(step.state.requests, step.seq)
    elif "<task-notification>" in part.text[:2000]:
        jobs.noticed(step, part.text)
    else:
        instructions.instructed(step, index)
        called_instructions.loaded(step, index)
        errors.told(step, index)


__all__ = ["EPOCH", "Folded", "fold"]
