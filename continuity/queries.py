"""Reads that span models, bounded however long the conversation."""

from collections.abc import Collection, Sequence

from django.db.models import Q, QuerySet

from continuity import distill
from continuity.distill import model as distilled
from continuity.models import Anchor, Conversation, FileTouch, FoldState, ModelPass, Task

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
    return [row.as_distilled() for row in _open_tasks(conversation)]


def _open_tasks(conversation: Conversation) -> QuerySet[Task]:
    return Task.objects.filter(conversation=conversation).open().order_by("-last_seq", "key")[:TASKS]


def _completed_tasks(conversation: Conversation) -> QuerySet[Task]:
    rows = Task.objects.filter(conversation=conversation, status=distilled.TaskStatus.COMPLETED, dismissed=False)
    return rows.order_by("-last_seq", "key")[:COMPLETED]


def knowledge_of(conversation: Conversation, *, anchors_limit: int = ANCHORS) -> distilled.Knowledge:
    """What a package is assembled from, as distilled so far. Six queries, each bounded.

    All critical anchors are given (up to `CRITICAL`), and of the others `anchors_limit`: half of them the most important,
    half the latest.
    """
    stored = FoldState.objects.filter(conversation=conversation).first()
    state = distill.FoldState.outline(stored.state) if stored else distill.FoldState()
    anchors = Anchor.objects.filter(conversation=conversation)
    current = anchors.current()
    files = FileTouch.objects.filter(conversation=conversation)
    changed = files.exclude(action="read").order_by("-last_seq")[:FILES]
    read = files.filter(action="read").order_by("-last_seq")[: FILES // 4]
    critical = Q(critical=True) | Q(pinned=True)
    admitted = current.filter(critical).order_by("-importance", "-source_seq")[:CRITICAL]
    important = current.exclude(critical).order_by("-importance", "-source_seq")[: anchors_limit // 2]
    latest = current.exclude(critical).order_by("-found_seq", "key")[: anchors_limit - anchors_limit // 2]
    superseded = anchors.filter(state="superseded").order_by("-settled_seq")[:SUPERSEDED]
    found = {anchor.key: anchor for anchor in admitted.union(important, latest, superseded, all=True).as_distilled()}.values()
    touches = sorted(changed.union(read, all=True).as_distilled(), key=lambda touch: (-touch.last_seq, touch.path, touch.action))
    merged = distill.merge_files(touches)
    tasks = _open_tasks(conversation).union(_completed_tasks(conversation), all=True)
    return distilled.Knowledge(
        anchors=distill.order_anchors((anchor for anchor in found if anchor.state is distilled.AnchorState.CURRENT), state.through_seq),
        superseded=distill.latest_superseded(found),
        tasks=distill.worth_telling([task.as_distilled() for task in tasks]),
        files=merged,
        situation=distill.situation(state),
        turns=state.turns,
        through_seq=conversation.folded_seq,
        messages=conversation.message_count,
        tokens=conversation.total_tokens,
        anchors_total=current.order_by()[:COUNTED].count(),
        files_total=len(merged),
        retold=retold(conversation),
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


def retold(conversation: Conversation) -> str:
    """The model's summaries of the latest stretches, oldest first; empty where none was asked. One query."""
    told = ModelPass.objects.filter(conversation=conversation).exclude(summary="").order_by("-first_seq")
    return " ".join(reversed(told.values_list("summary", flat=True)[:RETOLD]))
