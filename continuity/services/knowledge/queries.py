"""Queries for the knowledge of a package, written out: composing them anew took longer than running them.

Each is bounded however long the conversation, and goes along an index.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from continuity import knowledge
from continuity.knowledge import columns
from continuity.knowledge import model as distilled

_ANCHOR = ", ".join(columns.ANCHOR)
_OF = "FROM continuity_anchor WHERE conversation_id = %(conversation)s AND"
_ANCHORS = f"""
(SELECT {_ANCHOR} {_OF} state = 'current' AND (critical OR pinned)
    ORDER BY importance DESC, source_seq DESC, key LIMIT %(critical)s)
UNION ALL (SELECT {_ANCHOR} {_OF} state = 'current' AND NOT critical AND NOT pinned
    ORDER BY importance DESC, source_seq DESC, key LIMIT %(important)s)
UNION ALL (SELECT {_ANCHOR} {_OF} state = 'current' AND NOT (critical OR pinned)
    ORDER BY found_seq DESC, key LIMIT %(latest)s)
UNION ALL (SELECT {_ANCHOR} {_OF} state = 'superseded'
    ORDER BY settled_seq DESC, key LIMIT %(superseded)s)
"""
_BETWEEN = f"""
SELECT {_ANCHOR} {_OF} source_seq BETWEEN %(first)s AND %(last)s AND origin_conversation_id IS NULL AND NOT state = 'dismissed'
"""
_NAMED = f"SELECT {_ANCHOR} {_OF} key = ANY(%(keys)s) AND state = 'current'"
_FILE = ", ".join(columns.TOUCH)
_FILES = f"""
(SELECT {_FILE} FROM continuity_filetouch WHERE conversation_id = %(conversation)s AND NOT action = 'read'
    ORDER BY last_seq DESC, path, action, epoch LIMIT %(changed)s)
UNION ALL (SELECT {_FILE} FROM continuity_filetouch WHERE conversation_id = %(conversation)s AND action = 'read'
    ORDER BY last_seq DESC, path, action, epoch LIMIT %(read)s)
"""  # noqa: S608  our own names, as above
# As Postgres writes an empty list; most rows have one, and parsing it takes longer than all else that is done with the row.
_NO_SYMBOLS = "[]"
_FILES_NAMED = f"SELECT {_FILE} FROM continuity_filetouch WHERE conversation_id = %(conversation)s AND path = ANY(%(paths)s)"  # noqa: S608
_TASK = ", ".join(columns.TASK)
_COMPLETED = distilled.TaskStatus.COMPLETED.value
_OPEN = f"""
SELECT {_TASK} FROM continuity_task WHERE conversation_id = %(conversation)s AND NOT status = {_COMPLETED} AND NOT dismissed
    ORDER BY last_seq DESC, key LIMIT %(open)s
"""  # noqa: S608
_TASKS = f"""
({_OPEN})
UNION ALL (SELECT {_TASK} FROM continuity_task WHERE conversation_id = %(conversation)s AND status = {_COMPLETED} AND NOT dismissed
    ORDER BY last_seq DESC, key LIMIT %(completed)s)
"""  # noqa: S608
_STANDING = """
SELECT fold.outline, CASE WHEN fold.outline IS NULL THEN fold.state END,
    (SELECT count(*) FROM (SELECT FROM continuity_anchor WHERE conversation_id = %(conversation)s AND state = 'current'
        LIMIT %(counted)s) AS few),
    (SELECT string_agg(summary, ' ' ORDER BY first_seq) FROM (
        SELECT summary, first_seq FROM continuity_modelpass WHERE conversation_id = %(conversation)s AND NOT summary = ''
        ORDER BY first_seq DESC LIMIT %(retold)s) AS latest)
FROM (SELECT) AS one LEFT JOIN continuity_foldstate AS fold ON fold.conversation_id = %(conversation)s
"""
_OUTLINE = """
SELECT outline, CASE WHEN outline IS NULL THEN state END, curve FROM continuity_foldstate WHERE conversation_id = %(conversation)s
"""


@dataclass(frozen=True, slots=True)
class KnowledgeState:
    """Where the work stands as far as it is folded, how many anchors are current (counted so far), and what a model retold."""

    outline: knowledge.Outline
    anchors: int
    retold: str


def knowledge_state(conversation: UUID, *, counted: int, retold: int) -> KnowledgeState:
    """The outline, state, anchors and summaries as they are folded. One query. Raises OutdatedState or NewerState where other rules made
    the fold."""
    ((outline, state, anchors, summaries),) = _rows(_STANDING, conversation=conversation, counted=counted, retold=retold)
    return KnowledgeState(_outline(outline, state), anchors, summaries or "")


def outline(conversation: UUID) -> tuple[knowledge.Outline, dict[str, Any]]:
    """Where the work stands as far as it is folded by the rules that hold, and how the window filled, as it is stored. One query."""
    for kept, state, curve in _rows(_OUTLINE, conversation=conversation):
        try:
            return _outline(kept, state), json.loads(curve)
        except knowledge.OtherRules:
            return knowledge.Outline(), json.loads(curve)
    return knowledge.Outline(), {}


def request_at(conversation: UUID, seq: int) -> distilled.Request | None:
    """The row of the ledger for a message, as far as it is folded by the rules that hold. One query."""
    for kept, state, _ in _rows(_OUTLINE, conversation=conversation):
        try:
            if kept is not None:
                return knowledge.request_from_json(json.loads(kept), seq)
            return next((row for row in _outline(None, state).requests if row.seq == seq), None)
        except knowledge.OtherRules:
            break
    return None


def _outline(outline: str | None, state: str | None) -> knowledge.Outline:
    if outline is not None:
        return knowledge.outline_from_json(json.loads(outline))
    return knowledge.outline_of(knowledge.FoldState.outline(json.loads(state))) if state is not None else knowledge.Outline()


def anchors(conversation: UUID, *, critical: int, important: int, latest: int, superseded: int) -> list[distilled.Anchor]:
    """The critical and pinned ones, of the others the most important and the latest and those superseded last; each once."""
    limits = {"critical": critical, "important": important, "latest": latest, "superseded": superseded}
    rows = {row[0]: row for row in _rows(_ANCHORS, conversation=conversation, **limits)}
    return [columns.anchor(*row) for row in rows.values()]


def anchors_between(conversation: UUID, first_seq: int, last_seq: int) -> list[distilled.Anchor]:
    """The anchors in these messages, in whatever state but dismissed."""
    return [columns.anchor(*row) for row in _rows(_BETWEEN, conversation=conversation, first=first_seq, last=last_seq)]


def current_anchors(conversation: UUID, *, keys: Collection[str]) -> list[distilled.Anchor]:
    """The current anchors among these."""
    return [columns.anchor(*row) for row in _rows(_NAMED, conversation=conversation, keys=list(keys))]


def touches(conversation: UUID, *, changed: int, read: int) -> list[distilled.FileTouch]:
    """The latest changes of files, and the files that were read last."""
    return _touches(_rows(_FILES, conversation=conversation, changed=changed, read=read))


def touches_of(conversation: UUID, *, paths: Collection[str]) -> list[distilled.FileTouch]:
    """All that was done to these files."""
    return _touches(_rows(_FILES_NAMED, conversation=conversation, paths=list(paths)))


def _touches(rows: Iterable[tuple[Any, ...]]) -> list[distilled.FileTouch]:
    """Files from rows whose last column, the symbols, is JSON."""
    return [columns.touch(*(*row[:-1], () if row[-1] == _NO_SYMBOLS else json.loads(row[-1]))) for row in rows]


def open_tasks(conversation: UUID, *, limit: int) -> list[distilled.Task]:
    """The open ones, latest change first."""
    return [columns.task(*row) for row in _rows(_OPEN, conversation=conversation, open=limit)]


def tasks(conversation: UUID, *, open: int, completed: int) -> list[distilled.Task]:
    """The open ones and those completed last."""
    return [columns.task(*row) for row in _rows(_TASKS, conversation=conversation, open=open, completed=completed)]


def _rows(statement: str, **parameters: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def mark_of(text: str) -> str:
    """Tells whether a text is the same later, without keeping its words; empty for none."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16] if text else ""
