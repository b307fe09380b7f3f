"""Storing what a model proposed, beside the fold, and taking it back where its messages were rewound."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from continuity.core.transactions import atomic
from continuity.extraction import METHOD, Checked, ModelWindow, WindowLimits
from continuity.extraction.merging import KnownWords, merge
from continuity.extraction.protocols import ModelReply
from continuity.knowledge.model import AnchorState, Ref, TaskStatus
from continuity.models import Anchor, Conversation, Message, ModelPass, Task
from continuity.services.events import events
from continuity.services.knowledge import knowledge_rows
from continuity.services.model.proposal_windows import watermark

HELD_ANCHORS = 5000
HELD_TASKS = 500
_UNTOUCHED = Q(pinned=False, edited_at=None)


@dataclass(frozen=True, slots=True)
class StoredProposals:
    """How much of an answer was new, and what was not taken, by reason."""

    anchors: int
    tasks: int
    rejected: Mapping[str, int]


@atomic
def store(
    *,
    conversation: Conversation,
    window: ModelWindow,
    checked: Checked,
    limits: WindowLimits,
    model: str = "",
    reply: ModelReply | None = None,
    unusable: str = "",
) -> StoredProposals | None:
    """Stores what holds of an answer and moves the watermark over the window, in one transaction.

    `conversation` is as it was read before the window. None, and nothing stored, where another worker was faster, or where
    something was rewound or erased meanwhile.
    """
    locked = Conversation.objects.select_for_update(of=("self",)).select_related("team").filter(id=conversation.id).first()
    if locked is None or locked.rewinds != conversation.rewinds:
        return None  # what was shown may be erased
    if watermark(locked) != window.first_seq - 1 or not _still_there(locked, window):
        return None
    new = merge(checked, _held(locked, window), limits)
    rows = [knowledge_rows.anchor_row(locked, anchor, anchor.ref.seq) for anchor in new.anchors]
    Anchor.objects.bulk_create(rows, ignore_conflicts=True)
    Task.objects.bulk_create([knowledge_rows.task_row(locked, task) for task in new.tasks], ignore_conflicts=True)
    own_anchors = Anchor.objects.filter(_UNTOUCHED, conversation=locked, method=METHOD, state=AnchorState.CURRENT)
    for settled in new.settled:
        own_anchors.filter(key=settled.key).update(state=settled.state, settled_seq=settled.seq)
    own_tasks = Task.objects.filter(conversation=locked, method=METHOD, edited_at=None)
    for moved in new.moved:
        own_tasks.filter(key=moved.key).update(status=moved.status, last_seq=moved.seq)
    rejected = {reason.value: count for reason, count in sorted(new.rejected.items())}
    ModelPass.objects.create(
        conversation=locked,
        team=locked.team,
        first_seq=window.first_seq,
        last_seq=window.last_seq,
        model=model[:120],
        unusable=unusable[:60],
        summary=new.summary,
        anchors=len(new.anchors),
        tasks=len(new.tasks),
        rejected=rejected,
        input_tokens=reply.input_tokens if reply else 0,
        output_tokens=reply.output_tokens if reply else 0,
    )
    payload = {"through_seq": window.last_seq, "anchors": len(new.anchors), "tasks": len(new.tasks), "rejected": sum(rejected.values())}
    events.publish(name="knowledge.proposed", team=locked.team, subject_id=locked.id, payload=payload)
    return StoredProposals(len(new.anchors), len(new.tasks), rejected)


def _still_there(conversation: Conversation, window: ModelWindow) -> bool:
    return Message.objects.filter(conversation=conversation, seq__in=window.seqs, abandoned=False).count() == len(window.seqs)


def _held(conversation: Conversation, window: ModelWindow) -> KnownWords:
    """The knowledge of the conversation: everything found in the window, whatever became of it, and what is current or dismissed
    elsewhere."""
    held = KnownWords()
    rows = Anchor.objects.filter(conversation=conversation)
    telling = Q(source_seq__gte=window.first_seq, source_seq__lte=window.last_seq)
    telling |= Q(state__in=[AnchorState.CURRENT, AnchorState.DISMISSED])
    fields = ("key", "text", "source_seq", "source_part", "source_start", "source_end", "origin_conversation_id")
    for key, text, seq, part, start, end, origin in rows.filter(telling).order_by("-source_seq").values_list(*fields)[:HELD_ANCHORS]:
        held.add_anchor(key, text, None if origin else Ref(seq, part, start, end))
    tasks = Task.objects.filter(conversation=conversation)
    for key, text in tasks.order_by("-last_seq").values_list("key", "description")[:HELD_TASKS]:
        held.add_task(key, text)
    proposed = rows.filter(method=METHOD, state=AnchorState.CURRENT)
    held.proposed, held.critical = proposed.count(), proposed.filter(critical=True).count()
    held.proposed_tasks = tasks.filter(method=METHOD).count()
    return held


def forget_all(*, conversations: Sequence[UUID]) -> int:
    """Takes back all that a model proposed from the messages of these conversations, but for what a person touched, and lets it be
    asked about them anew. Returns how many rows. The caller's transaction."""
    own = {"conversation__in": conversations, "method": METHOD, "origin_conversation": None}
    deleted = Anchor.objects.filter(_UNTOUCHED, **own).delete()[0]
    deleted += Task.objects.filter(edited_at=None, **own).delete()[0]
    return deleted + ModelPass.objects.filter(conversation__in=conversations).delete()[0]


def forget_summaries(*, conversations: Sequence[UUID], since: int = 0) -> None:
    """Empties a model's own words about messages from `since` on: they may tell what is erased in other words. The caller's transaction."""
    ModelPass.objects.filter(conversation__in=conversations, last_seq__gte=since).update(summary="")


def forget_abandoned(*, conversation: Conversation) -> None:
    """Takes back what a model proposed from messages that were rewound. The caller's transaction."""
    own_anchors: QuerySet[Anchor] = Anchor.objects.filter(_UNTOUCHED, conversation=conversation, method=METHOD)
    gone = Message.objects.filter(conversation=conversation, abandoned=True)
    seqs = gone.values("seq")
    own_anchors.filter(origin_conversation=None, source_seq__in=seqs).delete()
    own_anchors.filter(settled_seq__in=seqs).update(state=AnchorState.CURRENT, settled_seq=None)
    own_tasks = Task.objects.filter(conversation=conversation, method=METHOD, edited_at=None)
    own_tasks.filter(origin_conversation=None, first_seq__in=seqs).delete()
    own_tasks.filter(last_seq__in=seqs).update(status=TaskStatus.IN_PROGRESS, last_seq=F("first_seq"))
    retold = gone.filter(seq__gte=OuterRef("first_seq"), seq__lte=OuterRef("last_seq"))
    ModelPass.objects.filter(Exists(retold), conversation=conversation).update(summary="")
