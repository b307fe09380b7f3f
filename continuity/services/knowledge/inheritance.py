"""A resumed conversation starts with what its predecessor knew: rows copied with a reference to where they came from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from continuity.core.transactions import atomic
from continuity.knowledge.inheritance import inherited_record
from continuity.knowledge.model import TaskStatus
from continuity.models import Conversation
from continuity.services.knowledge import fold_runner

# What was dismissed by hand goes along, so that a repetition in the new conversation does not bring it back.
_OPEN_ANCHORS, _DISMISSED_ANCHORS = "state = 'current'", "state = 'dismissed' AND edited_at IS NOT NULL"
_OPEN_TASKS, _DISMISSED_TASKS = f"status <> {TaskStatus.COMPLETED.value} AND NOT dismissed", "dismissed AND edited_at IS NOT NULL"
_ANCHORS = """
INSERT INTO continuity_anchor (id, created_at, team_id, conversation_id, key, type, text, found_seq, source_seq, source_part, source_start,
    source_end, origin_conversation_id, importance, truth, method, critical, state, superseded_by, settled_seq, subject,
    rationale, rejected, pinned, edited_by_id, edited_at)
SELECT gen_random_uuid(), now(), team_id, %(heir)s, key, type, text, found_seq, source_seq, source_part, source_start, source_end,
    coalesce(origin_conversation_id, conversation_id), importance, truth, method, critical, state, superseded_by,
    NULL, subject, rationale, rejected, pinned, edited_by_id, edited_at
FROM continuity_anchor WHERE conversation_id = %(predecessor)s AND {which}
ORDER BY critical DESC, importance DESC, source_seq DESC, key LIMIT %(limit)s
ON CONFLICT DO NOTHING RETURNING 1
"""
_TASKS = """
INSERT INTO continuity_task (id, created_at, team_id, conversation_id, origin_conversation_id, key, description, status,
    steps_done, steps_left, blocking_reason, tool_id, method, first_seq, last_seq, dismissed, edited_by_id, edited_at)
SELECT gen_random_uuid(), now(), team_id, %(heir)s, coalesce(origin_conversation_id, conversation_id), key, description, status,
    steps_done, steps_left, blocking_reason, tool_id, method, 0, 0, dismissed, edited_by_id, edited_at
FROM continuity_task WHERE conversation_id = %(predecessor)s AND {which} ORDER BY last_seq DESC, key LIMIT %(limit)s
ON CONFLICT DO NOTHING RETURNING 1
"""
_FILES = """
INSERT INTO continuity_filetouch (id, created_at, team_id, conversation_id, path, action, epoch, first_seq, last_seq, count, note, symbols)
SELECT gen_random_uuid(), now(), team_id, %(heir)s, path, action, 0,
    least(0, first_seq - back), last_seq - back, count, note, symbols FROM (
    SELECT DISTINCT ON (path, action) team_id, path, action, count, note, symbols, first_seq, last_seq,
        max(last_seq) OVER (PARTITION BY path) AS newest, greatest(%(through)s, max(last_seq) OVER ()) AS back FROM (
        SELECT * FROM continuity_filetouch WHERE conversation_id = %(predecessor)s AND action <> 'read'
        ORDER BY last_seq DESC, path, action, epoch LIMIT %(limit)s
    ) AS recent ORDER BY path, action, last_seq DESC
) AS latest
WHERE action <> 'deleted' OR last_seq = newest  -- what was deleted and then made again is there
ON CONFLICT DO NOTHING RETURNING 1
"""
# One statement: none of them sees what another inserts, and each key stands once in what is copied.
_ALL = f"""
WITH anchors AS ({_ANCHORS.format(which=_OPEN_ANCHORS)}), tasks AS ({_TASKS.format(which=_OPEN_TASKS)}), files AS ({_FILES}),
    dismissed_anchors AS ({_ANCHORS.format(which=_DISMISSED_ANCHORS)}), dismissed_tasks AS ({_TASKS.format(which=_DISMISSED_TASKS)})
SELECT (SELECT count(*) FROM anchors), (SELECT count(*) FROM tasks), (SELECT count(*) FROM files)
"""  # noqa: S608  our own statements
LIMIT = 2000


@dataclass(frozen=True, slots=True)
class Inherited:
    """How many rows came along, and the record of the fold that the heir begins with."""

    anchors: int
    tasks: int
    files: int
    record: Mapping[str, Any]


def inherit(*, heir: Conversation, predecessor: Conversation) -> Inherited:
    """Copies current anchors, open tasks and changed files, and starts the heir's fold from the predecessor's. The caller's transaction.

    What was done to files counts backwards from the predecessor's last message, which is the heir's 0, as commits and checks do.
    Each kind is bounded (2,000 rows), so the cost does not grow with the history or the length of the chain.
    """
    known = fold_runner.record_of(predecessor)
    anchors, tasks, files = _copy(heir, predecessor, through=known["through_seq"])
    record = inherited_record(known)
    fold_runner.start_from(conversation=heir, record=record)
    return Inherited(anchors, tasks, files, record)


@atomic
def inherit_again(*, heir: Conversation, predecessor: Conversation) -> None:
    """Lets an heir begin anew with what the predecessor knows now, where one between them was erased. Its own messages are folded after."""
    known = fold_runner.record_of(predecessor)
    fold_runner.start_again_from(conversation=heir, record=inherited_record(known))
    _copy(heir, predecessor, through=known["through_seq"])


def _copy(heir: Conversation, predecessor: Conversation, *, through: int) -> tuple[int, int, int]:
    """Copies what the heir has not got; gives how many anchors, tasks and files those are that are current.

    `through` is the message through which the predecessor is folded.
    """
    values: dict[str, UUID | int] = {"heir": heir.id, "predecessor": predecessor.id, "limit": LIMIT, "through": through}
    with connection.cursor() as cursor:
        cursor.execute(_ALL, values)
        anchors, tasks, files = cursor.fetchone()
    return anchors, tasks, files
