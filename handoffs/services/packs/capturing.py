"""Capturing what a session taught, as drafts for people. By rules, one session at a time; what was decided stays decided."""

from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F, Q
from django.utils import timezone

from continuity import queries, secrets
from continuity.core.transactions import atomic
from continuity.knowledge import OtherRules
from continuity.models import Conversation
from continuity.services.events import events
from continuity.services.jobs import deferrals
from handoffs.capture import MemoryDraft, SessionEvidence, TakenSubject, drafts
from handoffs.models import Artifact, PackMode, PackSession
from handoffs.services.packs import pack_policies
from handoffs.services.packs.lessons import inside

KIND = "capture"  # of work that is put off where it fails
DAY = timedelta(days=1)
BEFORE = 400  # subjects of other sessions that are looked at


@atomic
def capture(*, conversation_id: UUID) -> int:
    """Drafts what is new since the last time. Returns how many. Twice is once."""
    # The team's row is held, so that no two sessions go beyond the day's number together.
    conversation = (
        Conversation.objects.select_related("team").select_for_update(no_key=True, of=("team",)).filter(id=conversation_id).first()
    )
    row = PackSession.objects.select_related("repository").filter(conversation_id=conversation_id).first()
    if conversation is None or row is None or row.captured_seq >= conversation.folded_seq:
        return 0
    policy = pack_policies.effective(conversation.team)
    if pack_policies.mode_of(conversation.team, policy) is PackMode.OFF:
        return 0
    try:
        known = queries.knowledge_of(conversation)
    except OtherRules:
        return 0
    now = timezone.now()
    files = [replace(file, path=own) for file in known.files if (own := inside(file.path, row.root))]
    # What was taken over from a predecessor was captured there.
    own_anchors = [anchor for anchor in known.anchors if anchor.ref.seq > 0]
    evidence = SessionEvidence(own_anchors, known.superseded, files, known.requests, row.committed_lines)
    found = drafts(evidence, pack_policies.capture_policy(policy), taken=_taken(row), today=_today(conversation, now), now=now)
    rows = [_row(row, draft) for draft in found]
    Artifact.objects.bulk_create(rows)
    PackSession.objects.filter(id=row.id).update(captured_seq=conversation.folded_seq)
    if rows:
        payload = {"drafts": len(rows), "repository_id": str(row.repository_id)}
        events.publish(name="memory.captured", team=conversation.team, subject_id=conversation.id, payload=payload)
    return len(rows)


def _taken(row: PackSession) -> list[TakenSubject]:
    mine = Q(conversation=row.conversation_id)
    made = Artifact.objects.filter(Q(repository=row.repository_id) | mine).order_by("-created_at")
    told = made.values_list("subject", "created_at", "conversation_id")[:BEFORE]
    return [TakenSubject(subject, at, conversation == row.conversation_id) for subject, at, conversation in told]


def _today(conversation: Conversation, now: datetime) -> int:
    return Artifact.objects.filter(team=conversation.team, created_at__gte=now - DAY).count()


def _row(session: PackSession, draft: MemoryDraft) -> Artifact:
    told = [{"text": secrets.mask_text(sentence.text), "seq": sentence.seq} for sentence in draft.sentences]
    return Artifact(
        team_id=session.team_id,
        repository=session.repository,
        conversation_id=session.conversation_id,
        kind=draft.kind,
        trigger=draft.trigger,
        subject=secrets.mask_text(draft.subject)[:200],
        title=secrets.mask_text(draft.title)[:200],
        sentences=told,
        files=list(draft.files),
    )


def sweep(*, limit: int = 100) -> int:
    """Captures what was folded since and that no task did. Returns how many sessions were looked at."""
    behind = PackSession.objects.filter(captured_seq__lt=F("conversation__folded_seq")).order_by("seen_at")
    ids = list(behind.values_list("conversation_id", flat=True)[:limit])
    return deferrals.each(kind=KIND, ids=ids, work=lambda each: bool(capture(conversation_id=each)))
