"""Reads that span models, bounded however long the conversation."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from continuity import distill, known
from continuity.distill import model as distilled
from continuity.models import Conversation

ANCHORS = 300
CRITICAL = 500
SUPERSEDED = 20
TASKS = 100
COMPLETED = 20
FILES = 200  # changed; of those only read, a quarter
RETOLD = 3  # summaries that a model gave of the latest stretches
COUNTED = 2000  # totals are exact up to here; beyond, they are reported as this many


def open_tasks(conversation: Conversation) -> Sequence[distilled.Task]:
    """The open tasks, latest change first. One query."""
    return known.open_tasks(conversation.id, limit=TASKS)


def knowledge_of(conversation: Conversation, *, anchors_limit: int = ANCHORS) -> distilled.Knowledge:
    """What a package is assembled from, as distilled so far. Four queries, each bounded.

    All critical anchors are given (up to `CRITICAL`), and of the others `anchors_limit`: half of them the most important,
    half the latest.
    """
    standing = known.standing(conversation.id, counted=COUNTED, retold=RETOLD)
    important = anchors_limit // 2
    chosen = known.anchors(conversation.id, critical=CRITICAL, important=important, latest=anchors_limit - important, superseded=SUPERSEDED)
    found = {anchor.key: anchor for anchor in chosen}.values()
    touches = known.touches(conversation.id, changed=FILES, read=FILES // 4)
    merged = distill.merge_files(sorted(touches, key=lambda touch: (-touch.last_seq, touch.path, touch.action)))
    current = (anchor for anchor in found if anchor.state is distilled.AnchorState.CURRENT)
    return distilled.Knowledge(
        anchors=distill.order_anchors(current, standing.outline.through_seq),
        superseded=distill.latest_superseded(found),
        tasks=distill.worth_telling(known.tasks(conversation.id, open=TASKS, completed=COMPLETED)),
        files=merged,
        situation=standing.outline.situation,
        turns=standing.outline.turns,
        brief=standing.outline.brief,
        through_seq=conversation.folded_seq,
        messages=conversation.message_count,
        tokens=conversation.total_tokens,
        anchors_total=standing.anchors,
        files_total=len(merged),
        retold=standing.retold,
    )


def known_of(
    conversation: Conversation, record: Mapping[str, Any], *, keys: Collection[str], paths: Collection[str]
) -> distilled.Knowledge:
    """What the conversation, whose fold has this record, knows of these anchors and files, and where it stands but for the names in
    use: to hold it against what was to arrive.

    `knowledge_of` chooses by rank, which differs between conversations of different size. Two queries. Raises OutdatedState.
    """
    return distilled.Knowledge(
        anchors=tuple(known.current_anchors(conversation.id, keys=keys)),
        files=distill.merge_files(known.touches_of(conversation.id, paths=paths)),
        situation=distill.situation(distill.FoldState.outline(record, names=False)),
    )
