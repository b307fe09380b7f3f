"""Writing what a fold found as rows, and taking it back. The caller holds the transaction."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.db import connection
from django.db.models import F, Min, Q

from continuity import knowledge
from continuity.extraction.model import METHOD
from continuity.knowledge.model import Anchor as DistilledAnchor
from continuity.knowledge.model import AnchorFound, AnchorSettled, AnchorState, Change, FileTouched, TaskChanged
from continuity.knowledge.model import FileTouch as DistilledFile
from continuity.knowledge.model import Task as DistilledTask
from continuity.models import Anchor, Conversation, FileTouch, Task
from continuity.services.recording.row_sql import upsert

_ANCHOR_FIELDS = (
    "importance",
    "truth",
    "method",
    "critical",
    "state",
    "superseded_by",
    "settled_seq",
    "subject",
    "rationale",
    "rejected",
    "text",
    "source_seq",
    "source_part",
    "source_start",
    "source_end",
)
_TASK_FIELDS = ("description", "status", "steps_done", "steps_left", "blocking_reason", "tool_id", "last_seq")
_FILE_FIELDS = ("last_seq", "count", "note", "symbols")
_TOUCHED_BY_PERSON = Q(pinned=True) | Q(edited_at__isnull=False)
# Each step runs these: composing them anew took longer than running them.
_NOT_OURS = """
SELECT key, pinned OR edited_at IS NOT NULL FROM continuity_anchor
WHERE conversation_id = %s AND key = ANY(%s) AND (pinned OR edited_at IS NOT NULL OR origin_conversation_id IS NOT NULL)
"""
_WEIGH = """
UPDATE continuity_anchor AS anchor SET importance = given.importance
FROM jsonb_to_recordset(%s::jsonb) AS given (key text, importance double precision)
WHERE anchor.conversation_id = %s AND anchor.key = given.key
"""
_SETTLE = """
UPDATE continuity_anchor AS anchor SET state = given.state, settled_seq = given.seq, superseded_by = given.by
FROM jsonb_to_recordset(%s::jsonb) AS given (key text, state text, seq integer, by text)
WHERE anchor.conversation_id = %s AND anchor.key = given.key AND anchor.state = 'current'
    AND NOT anchor.pinned AND anchor.edited_at IS NULL
"""
_EDITED_TASKS = "SELECT key FROM continuity_task WHERE conversation_id = %s AND key = ANY(%s) AND edited_at IS NOT NULL"


def write(*, conversation: Conversation, changes: Sequence[Change]) -> None:
    """Stores changes in their order; what a person pinned, edited or dismissed stays as they left it."""
    anchors: dict[str, DistilledAnchor] = {}
    found_at: dict[str, int] = {}
    settled: list[AnchorSettled] = []
    tasks: dict[str, DistilledTask] = {}
    files: dict[tuple[str, str, int], DistilledFile] = {}
    for change in changes:
        match change:
            case AnchorFound(anchor):
                anchors[anchor.key] = anchor
                found_at.setdefault(anchor.key, anchor.ref.seq)
            case AnchorSettled(key=key) if key in anchors:
                # What is settled stays as it was settled, whether that was in this step or in an earlier one.
                if anchors[key].state is AnchorState.CURRENT:
                    anchors[key] = replace(anchors[key], state=change.state, settled_seq=change.seq, superseded_by=change.by)
            case AnchorSettled():
                settled.append(change)
            case TaskChanged(task):
                tasks[task.key] = task
            case FileTouched(file):
                files[(file.path, file.action.value, file.epoch)] = file
    _write_anchors(conversation, anchors, found_at)
    _settle(conversation, settled)
    _write_tasks(conversation, tasks)
    _write_files(conversation, files.values())


def _write_anchors(conversation: Conversation, found: dict[str, DistilledAnchor], found_at: dict[str, int]) -> None:
    """Words that were repeated move their row to the latest place, unless a person touched it or it came from a predecessor."""
    if not found:
        return
    with connection.cursor() as cursor:
        cursor.execute(_NOT_OURS, [conversation.id, list(found)])
        others = {key: (found.pop(key), touched) for key, touched in cursor.fetchall()}
        inherited = [{"key": key, "importance": anchor.importance} for key, (anchor, touched) in others.items() if not touched]
        if inherited:
            cursor.execute(_WEIGH, [json.dumps(inherited), conversation.id])
    rows = [anchor_row(conversation, anchor, found_at[anchor.key]) for anchor in found.values()]
    upsert(rows, unique=("conversation", "key"), update=_ANCHOR_FIELDS)


def anchor_row(conversation: Conversation, anchor: DistilledAnchor, found_seq: int) -> Anchor:
    return Anchor(
        conversation=conversation,
        team_id=conversation.team_id,
        key=anchor.key,
        type=anchor.type.value,
        text=anchor.text,
        found_seq=found_seq,
        source_seq=anchor.ref.seq,
        source_part=anchor.ref.part,
        source_start=anchor.ref.start,
        source_end=anchor.ref.end,
        importance=anchor.importance,
        truth=anchor.truth.value,
        method=anchor.method[:60],
        critical=anchor.critical,
        state=anchor.state.value,
        superseded_by=anchor.superseded_by,
        settled_seq=anchor.settled_seq,
        subject=anchor.subject[:300],
        rationale=anchor.rationale,
        rejected=anchor.rejected,
    )


def _settle(conversation: Conversation, settled: Iterable[AnchorSettled]) -> None:
    """Keeps what is settled as it was settled first; one statement."""
    first: dict[str, AnchorSettled] = {}
    for change in settled:
        first.setdefault(change.key, change)
    if not first:
        return
    given = [{"key": key, "state": change.state.value, "seq": change.seq, "by": change.by} for key, change in first.items()]
    with connection.cursor() as cursor:
        cursor.execute(_SETTLE, [json.dumps(given), conversation.id])


def task_row(conversation: Conversation, task: DistilledTask) -> Task:
    return Task(
        conversation=conversation,
        team_id=conversation.team_id,
        key=task.key,
        description=task.description,
        status=int(task.status),
        steps_done=list(task.steps_done),
        steps_left=list(task.steps_left),
        blocking_reason=task.blocking_reason,
        tool_id=task.tool_id[:200],
        method=task.method[:60],
        first_seq=max(0, task.seq),  # what a predecessor named counts as before the beginning
        last_seq=max(0, task.last_seq),
    )


def _write_tasks(conversation: Conversation, changed: dict[str, DistilledTask]) -> None:
    if not changed:
        return
    with connection.cursor() as cursor:
        cursor.execute(_EDITED_TASKS, [conversation.id, list(changed)])
        for (key,) in cursor.fetchall():
            del changed[key]
    rows = [task_row(conversation, task) for task in changed.values()]
    upsert(rows, unique=("conversation", "key"), update=_TASK_FIELDS)


def _write_files(conversation: Conversation, touched: Iterable[DistilledFile]) -> None:
    rows = [
        FileTouch(
            conversation=conversation,
            team_id=conversation.team_id,
            path=file.path,
            action=file.action.value,
            epoch=file.epoch,
            first_seq=file.seq,
            last_seq=file.last_seq,
            count=file.count,
            note=file.note,
            symbols=list(file.symbols),
        )
        for file in touched
    ]
    upsert(rows, unique=("conversation", "path", "action", "epoch"), update=_FILE_FIELDS)


def first_moved_over(*, conversation: Conversation, seq: int) -> int | None:
    """Where the earliest anchor was found that was said at or before `seq` and moved by being said again after it."""
    moved = Anchor.objects.filter(conversation=conversation, found_seq__lte=seq, source_seq__gt=seq, origin_conversation=None)
    first: int | None = moved.exclude(_TOUCHED_BY_PERSON).aggregate(first=Min("found_seq"))["first"]
    return first


def forget_after(*, conversation: Conversation, seq: int, state: knowledge.FoldState) -> None:
    """Takes the rows back to what they were when the fold stood at `seq`, a checkpoint with that `state`.

    What a model proposed is no part of the fold and stays.
    """
    of = {"conversation": conversation}
    anchors = Anchor.objects.filter(**of).exclude(_TOUCHED_BY_PERSON).exclude(method=METHOD)
    anchors.filter(found_seq__gt=seq, origin_conversation=None).delete()
    unsettled = anchors.filter(settled_seq__gt=seq)
    unsettled.update(state=AnchorState.CURRENT, settled_seq=None, superseded_by="")
    Task.objects.filter(**of, first_seq__gt=seq, edited_at=None, origin_conversation=None).exclude(method=METHOD).delete()
    _write_tasks(conversation, {task.key: task for task in [*state.tasks.values(), *state.closed.values()]})
    FileTouch.objects.filter(**of, epoch__gte=seq // knowledge.EPOCH, first_seq__gt=seq).delete()
    FileTouch.objects.filter(**of, last_seq__gt=seq).update(last_seq=F("first_seq"))
