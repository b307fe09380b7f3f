"""Keeping a conversation's knowledge up with its messages: cheap steps from where the last one stopped."""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import F
from django.utils import timezone

from continuity import knowledge
from continuity.core import clock
from continuity.core.errors import NewerRules, existing
from continuity.core.tracing import span
from continuity.core.transactions import atomic
from continuity.knowledge import titles, versions
from continuity.knowledge.model import TaskChanged, TaskStatus
from continuity.models import Conversation, Deferral, FoldCheckpoint, FoldState
from continuity.pipeline import PipelineState, PipelineStep, end_of_step, fold_step
from continuity.segments import OpenSegment
from continuity.services.events import events
from continuity.services.jobs import deferrals, jobs, queueing
from continuity.services.knowledge import knowledge_rows, queries, skipped_messages
from continuity.services.model import proposal_rows
from continuity.services.recording import message_store
from continuity.services.recording.row_sql import insert, upsert
from continuity.services.segments import segment_rows

logger = logging.getLogger("continuity.distilling")

KIND, REFOLD = "fold", "refold"  # of work that is put off where it fails
# What was said a moment ago is left to the task that was sent for it.
SETTLED = timedelta(seconds=5)
AT_ONCE = 20  # steps that a sweep folds of one conversation before it turns to the next

# Copied inside the database: the state may be 256 KB.
_FIRST_CHECKPOINT = """
INSERT INTO continuity_foldcheckpoint (id, created_at, team_id, conversation_id, seq, rules_version, state, segment)
SELECT gen_random_uuid(), created_at, team_id, conversation_id, 0, rules_version, state, '{}' FROM continuity_foldstate WHERE id = %s
"""
_CHECKPOINT = """
INSERT INTO continuity_foldcheckpoint (id, created_at, team_id, conversation_id, seq, rules_version, state, segment)
SELECT gen_random_uuid(), now(), team_id, conversation_id, through_seq, rules_version, state, segment
FROM continuity_foldstate WHERE conversation_id = %s
ON CONFLICT (conversation_id, seq) DO UPDATE SET rules_version = EXCLUDED.rules_version, state = EXCLUDED.state, segment = EXCLUDED.segment
"""
RETRY_NEWER = 60  # seconds in which a process of the newer release may answer instead
_OF_FOLD = ("through_seq", "rules_version", "state", "segment", "curve", "outline", "updated_at")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far distilling came: through which message, and whether that is all that there was when it began. `newer` is the version of the
    rules that others folded it by, where these are newer than those of this process: then there is nothing for it to do."""

    through_seq: int
    complete: bool
    newer: int | None = None


def catch_up_for(lease: jobs.Lease) -> UUID:
    """Folds all of the conversation that a job is about, in steps that keep its lease. Returns its id. Raises NotFound where it is gone."""
    conversation_id = existing(lease.job.conversation_id, "conversation")
    while not catch_up(conversation_id=conversation_id, steps=4).complete:
        lease.advance()
    return conversation_id


@span("continuity.distil")
def catch_up(*, conversation_id: UUID, steps: int | None = None) -> Progress:
    """Folds what was appended since the last time, a step at a time, at most so many, and returns when nothing of that is left.

    What is appended meanwhile is left to whoever it is told to: who waits for this must not wait for as long as others write.
    Safe to run at the same moment in several processes and to be killed anywhere: each step moves the watermark by
    compare-and-swap in the transaction that writes its rows, so a step counts once or not at all.
    """
    taken = folded = 0
    goal: int | None = None
    while steps is None or taken < steps:
        found = Conversation.objects.select_related("team").annotate(by_rules=F("fold__rules_version"))
        conversation = found.filter(id=conversation_id).first()
        if conversation is None:
            return Progress(0, True)
        by_rules: int = vars(conversation)["by_rules"] or 0
        if by_rules > versions.RULES_VERSION:
            return Progress(conversation.folded_seq, True, by_rules)
        if conversation.refold_from is not None:
            rewind(conversation=conversation)
            continue
        goal = conversation.last_seq if goal is None else min(goal, conversation.last_seq)
        if conversation.folded_seq >= goal:
            return Progress(conversation.folded_seq, True)
        folded = _fold_step(conversation)
        if folded >= goal:
            return Progress(folded, True)
        taken += 1
    return Progress(folded, False)


def _fold_step(conversation: Conversation) -> int:
    """Folds the next messages. Returns through which one the conversation is folded."""
    through = conversation.folded_seq
    last = min(end_of_step(through), conversation.last_seq)
    try:
        state = _pipeline_state(conversation)
    except knowledge.OutdatedState:
        rewind(conversation=conversation, to=1)
        return 0
    except knowledge.NewerState:
        return through  # another release folded it since it was looked at: look again
    step = fold_step(state, message_store.between(conversation.id, through, last), last)
    if not _store(conversation, step, through):
        return through  # another process was faster, or a rewind came in between: look again
    return last


def _pipeline_state(conversation: Conversation) -> PipelineState:
    """The state that the next step starts from. One query. Raises OutdatedState or NewerState."""
    stored = FoldState.objects.filter(conversation=conversation).first()
    return PipelineState.from_json(state=stored.state, segment=stored.segment, curve=stored.curve) if stored else PipelineState()


def sweep(*, now: datetime, limit: int = 100) -> int:
    """Folds conversations that were left behind, each by itself. Returns how many."""
    behind = Conversation.objects.unfolded().filter(clock.settled("updated_at", now=now, age=SETTLED))
    left = deferrals.without_waiting(behind, KIND, now).order_by("updated_at").values_list("id", flat=True)[:limit]
    return deferrals.each(kind=KIND, ids=list(left), work=lambda subject_id: catch_up(conversation_id=subject_id, steps=AT_ONCE))


@atomic
def _store(conversation: Conversation, step: PipelineStep, after: int) -> bool:
    """Stores a step that was found after message `after`. False where the conversation does not stand there any more."""
    started = time.perf_counter()
    of_row = Conversation.objects.filter(id=conversation.id, folded_seq=after, refold_from=None, rewinds=conversation.rewinds)
    if not of_row.update(folded_seq=step.through):
        return False
    knowledge_rows.write(conversation=conversation, changes=step.changes)
    outdated = segment_rows.outdate_replaced(conversation=conversation, changes=step.changes)
    segment_rows.write(conversation=conversation, divided=step.divided)
    fold = FoldState(
        conversation=conversation,
        team_id=conversation.team_id,
        through_seq=step.through,
        rules_version=versions.RULES_VERSION,
        **step.columns,
    )
    upsert([fold], unique=("conversation",), update=_OF_FOLD)
    skipped_messages.note(conversation=conversation, skipped=step.skipped)
    if titles.may_be_made(conversation.title):
        _name(conversation)
    if step.through % knowledge.EPOCH == 0:
        with connection.cursor() as cursor:
            cursor.execute(_CHECKPOINT, [conversation.id])
    if step.divided.closed or outdated:
        queueing.send("continuity.tell_segments", str(conversation.id), once_in=2)
    _publish(conversation, step, step.seconds + time.perf_counter() - started)
    return True


def _name(conversation: Conversation) -> None:
    """Gives one that nobody named a title, and a better one once what was said tells more: what a person writes stays."""
    known = queries.outline(conversation.id)[0]
    found = known.situation
    goal = found.objective.text if found.objective else ""
    branch, folder = conversation.branch or found.branch, conversation.cwd or found.cwd
    title = titles.better(conversation.title, goal=goal, requests=known.requests, branch=branch, folder=folder)
    if title != conversation.title:
        Conversation.objects.filter(id=conversation.id, title=conversation.title).update(title=title)


def _publish(conversation: Conversation, step: PipelineStep, seconds: float) -> None:
    """Tells of a step that found something; `tasks` counts the open ones that it was the first to name, `faults` how often rules raised
    (`decision.chosen ValueError`)."""
    if not step.changes and not step.faults:
        return
    tasks = {change.task.key: change.task for change in step.changes if isinstance(change, TaskChanged)}
    new = sum(task.seq > conversation.folded_seq and task.status is not TaskStatus.COMPLETED for task in tasks.values())
    took = round(seconds * 1000, 2)
    payload: dict[str, Any] = {"through_seq": step.through, "changes": len(step.changes), "tasks": new, "duration_ms": took}
    if step.faults:
        payload["faults"] = skipped_messages.count(conversation=conversation, faults=step.faults)
    events.publish(name="knowledge.distilled", team=conversation.team, subject_id=conversation.id, payload=payload)


def start_from(*, conversation: Conversation, record: Mapping[str, Any]) -> None:
    """Gives a new conversation the fold of its predecessor (`FoldState.to_json`), as its checkpoint 0. The caller's transaction."""
    fold = FoldState(
        conversation=conversation, team_id=conversation.team_id, through_seq=0, rules_version=versions.RULES_VERSION, state=record
    )
    insert(fold)
    with connection.cursor() as cursor:
        cursor.execute(_FIRST_CHECKPOINT, [fold.id])


@atomic
def start_again_from(*, conversation: Conversation, record: Mapping[str, Any]) -> None:
    """Forgets what a conversation began with and all it learned since; folding begins anew from the record of a state."""
    Conversation.objects.select_for_update().get(id=conversation.id)  # before its rows, as a step of folding does
    FoldCheckpoint.objects.filter(conversation=conversation).delete()
    insert(
        FoldCheckpoint(conversation=conversation, team_id=conversation.team_id, seq=0, rules_version=versions.RULES_VERSION, state=record)
    )
    rewind(conversation=conversation, to=1, newer=True)


@atomic
def rewind(*, conversation: Conversation, to: int | None = None, newer: bool = False) -> None:
    """Takes the fold back to the last checkpoint before `to` (the first rewound message where None); folding goes on from there.

    One that newer rules made is left to the release that has them, unless `newer` is asked for: a person wants it, or words must go.
    """
    locked = Conversation.objects.select_for_update().get(id=conversation.id)
    first = to if to is not None else locked.refold_from
    by_newer = FoldState.objects.filter(conversation=locked, rules_version__gt=versions.RULES_VERSION)
    if first is None or (not newer and by_newer.exists()):
        return
    checkpoint = _checkpoint_before(locked, first)
    seq = checkpoint.seq if checkpoint else 0
    state = checkpoint.state if checkpoint else knowledge.FoldState().to_json()
    opened = checkpoint.segment if checkpoint else {}
    FoldCheckpoint.objects.filter(conversation=locked, seq__gt=seq).delete()
    FoldState.objects.filter(conversation=locked).update(
        through_seq=seq, state=state, rules_version=versions.RULES_VERSION, segment=opened, outline=None
    )
    segment_rows.forget_after(conversation=locked, seq=seq, opened=OpenSegment.from_json(opened))
    knowledge_rows.forget_after(conversation=locked, seq=seq, state=knowledge.FoldState.from_json(state))
    proposal_rows.forget_abandoned(conversation=locked)
    skipped_messages.forget_after(conversation=locked, seq=seq)
    Conversation.objects.filter(id=locked.id).update(folded_seq=seq, refold_from=None, rewinds=F("rewinds") + 1)
    logger.info("Knowledge goes back to message %d", seq, extra={"metadata": {"conversation_id": str(locked.id)}})


def _checkpoint_before(conversation: Conversation, first: int) -> FoldCheckpoint | None:
    """The last checkpoint before message `first` at which every anchor row either was as it is now or was not yet."""
    usable = FoldCheckpoint.objects.filter(conversation=conversation, rules_version=versions.RULES_VERSION).order_by("-seq")
    while (checkpoint := usable.filter(seq__lt=first).first()) is not None:
        moved = knowledge_rows.first_moved_over(conversation=conversation, seq=checkpoint.seq)
        if moved is None:
            break
        first = moved
    return checkpoint


@atomic
def ask_again(*, conversation: Conversation) -> None:
    """Forgets what was distilled and has a worker distil all of it anew; what people pinned, edited or dismissed stays.
    This is how a conversation that newer rules folded is taken back to those of this release."""
    rewind(conversation=conversation, to=1, newer=True)
    queueing.send("continuity.distil", str(conversation.id))


def reset_if_outdated(*, conversation_id: UUID) -> None:
    """Takes a fold that older rules made back to its beginning: what is needed at once cannot wait for the batch job."""
    outdated = FoldState.objects.filter(conversation=conversation_id, rules_version__lt=versions.RULES_VERSION)
    stored = outdated.select_related("conversation").only("conversation").first()
    if stored is not None:
        rewind(conversation=stored.conversation, to=1)


def refold_outdated(*, limit: int) -> int:
    """Folds conversations again that were folded by older rules: a batch job, which reads each from its start. Returns how many."""
    of_older = FoldState.objects.filter(rules_version__lt=versions.RULES_VERSION)
    waiting = Deferral.objects.not_yet_due(REFOLD, timezone.now())
    outdated = of_older.exclude(conversation_id__in=waiting).order_by("updated_at").values_list("conversation_id", flat=True)
    return deferrals.each(kind=REFOLD, ids=list(outdated[:limit]), work=_refold)


def ask_at_once(*, conversation_id: UUID) -> None:
    """Has a worker fold a conversation again at once that older rules folded, before its turn in the batch job: somebody waits for it."""
    queueing.send("continuity.refold", str(conversation_id), once_in=1)


def refold(*, conversation_id: UUID) -> None:
    """Folds one conversation again where older rules folded it. Left alone where that failed and its next try is not due."""
    deferrals.one(kind=REFOLD, subject_id=conversation_id, work=_refold)


def _refold(conversation_id: UUID) -> None:
    reset_if_outdated(conversation_id=conversation_id)
    catch_up(conversation_id=conversation_id)


def state_of(conversation: Conversation) -> knowledge.FoldState:
    """The fold as it stands. One query. Raises OutdatedState or NewerState where other rules made it and nothing was folded since."""
    stored = FoldState.objects.filter(conversation=conversation).first()
    return knowledge.FoldState.from_json(stored.state) if stored else knowledge.FoldState()


def record_of(conversation: Conversation) -> dict[str, Any]:
    """The fold as it stands, as it is stored; that of an empty one where nothing was folded. One query. Raises NewerRules."""
    stored: dict[str, Any] | None = FoldState.objects.filter(conversation=conversation).values_list("state", flat=True).first()
    if stored is None:
        return knowledge.FoldState().to_json()
    found = versions.version_of(stored)
    if found > versions.RULES_VERSION:
        raise newer_rules(found)
    return stored


def newer_rules(found: int) -> NewerRules:
    """The error where newer rules made what is needed."""
    return NewerRules(found=found, own=versions.RULES_VERSION, retry_after=RETRY_NEWER)
