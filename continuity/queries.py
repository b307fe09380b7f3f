"""Reads that span models, bounded however long the conversation."""

from collections.abc import Collection, Sequence

from continuity import distill, known
from continuity.distill import model as distilled
from continuity.models import Anchor, Conversation, FileTouch, FoldState

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
        through_seq=conversation.folded_seq,
        messages=conversation.message_count,
        tokens=conversation.total_tokens,
        anchors_total=standing.anchors,
        files_total=len(merged),
        retold=standing.retold,
    )


def known_of(conversation: Conversation, *, keys: Collection[str], paths: Collection[str]) -> distilled.Knowledge:
    """What the conversation knows of these anchors and files, and where it stands: to hold it against what was to arrive.

    `knowledge_of` chooses by rank, which differs between conversations of different size. Three queries.
    """
    stored = FoldState.objects.filter(conversation=conversation).first()
    anchors = Anchor.objects.filter(conversation=conversation, key__in=keys).current().as_distilled()
    touches = FileTouch.objects.filter(conversation=conversation, path__in=paths).as_distilled()
    situation = distill.situation(distill.FoldState.outline(stored.state)) if stored else distilled.Situation()
    return distilled.Knowledge(anchors=tuple(anchors), files=distill.merge_files(touches), situation=situation)
