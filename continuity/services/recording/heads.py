"""The commits that a conversation worked on: noted where HEAD is another one than before, and looked up by commit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import models

from continuity.core.errors import ConversationGone, NotFound
from continuity.core.transactions import atomic
from continuity.knowledge.model import AnchorState, AnchorType
from continuity.models import Anchor, CheckedOutCommit, Conversation, Team
from continuity.services.recording import conversations, message_store
from continuity.transcripts.base.model import Role
from continuity.usage.token_ledger import is_request, person_text

# How far back the request is looked for that a commit answers, and how much is told of one commit.
REQUEST_BACK, DECISIONS, PLACES = 2000, 5, 20
STEP = 200
CHARACTERS = 600
SECOND = timedelta(seconds=1)  # Git tells no part of one.


@dataclass(frozen=True, slots=True)
class CommitOrigin:
    """Where a commit came into a conversation, the request that was in force, and the decisions since the commit before it (or, without
    any there, the last ones before)."""

    place: CheckedOutCommit
    request: str
    request_seq: int
    decisions: Sequence[Anchor]


@atomic
def note(*, conversation: Conversation, commit: str) -> None:
    """Notes that `commit` is checked out where the conversation stands now. Two queries where it is news, one where it is not.

    Locks the conversation's row, so that two that note at once stand in order.
    """
    seq = Conversation.objects.select_for_update().filter(id=conversation.id).values_list("last_seq", flat=True).first()
    if seq is None:
        return  # Erased since the append.
    last = CheckedOutCommit.objects.filter(conversation=conversation).order_by("-seq").first()
    if last is not None and last.commit == commit:
        return
    known = {"commit": commit, "before": last.commit if last else "", "after_seq": last.seq if last else 0, "team_id": conversation.team_id}
    if last is not None and last.seq == seq:
        CheckedOutCommit.objects.filter(id=last.id).update(commit=commit)
    else:
        CheckedOutCommit.objects.create(conversation=conversation, seq=seq, **known)


def of_conversation(conversation: Conversation) -> list[CheckedOutCommit]:
    """The latest first, `PLACES` at most. One query."""
    return list(CheckedOutCommit.objects.filter(conversation=conversation).order_by("-seq")[:PLACES])


def reasons(*, team: Team, commits: Sequence[str], made_at: datetime | None = None) -> list[CommitOrigin]:
    """Where the commits came into the team's conversations, in the order of `commits`, `PLACES` at most; `made_at` is when the first of
    them was made, which those that followed brought along."""
    rows = CheckedOutCommit.objects.visible_to(team).of(commits).select_related("conversation").order_by("created_at", "id")[:PLACES]
    order = {commit: number for number, commit in enumerate(commits)}
    return [_reason(row, made_at) for row in sorted(rows, key=lambda row: (order[row.commit], not row.before, row.created_at))]


def reason_of(*, team: Team, conversation_id: UUID, made_at: datetime | None = None) -> CommitOrigin | None:
    """The same of a whole conversation as it stands, for a commit that names it but was never seen; None where there is none."""
    try:
        found = conversations.get(team=team, conversation_id=conversation_id)
    except (NotFound, ConversationGone):
        return None
    return _reason(CheckedOutCommit(team=team, conversation=found, seq=found.last_seq), made_at)


def _reason(row: CheckedOutCommit, made_at: datetime | None) -> CommitOrigin:
    last, seq, words = _request(row.conversation_id, row.seq, made_at)
    said = Anchor.objects.filter(conversation=row.conversation_id, type=AnchorType.DECISION, state=AnchorState.CURRENT, source_seq__gt=0)
    said = said.filter(models.Q(found_seq__lte=row.seq)).order_by("-source_seq", "id")
    said = said.filter(source_seq__lte=last)
    between = list(said.filter(source_seq__gt=row.after_seq)[:DECISIONS])
    return CommitOrigin(row, words[:CHARACTERS], seq, between or list(said[:DECISIONS]))


def _request(conversation: UUID, seq: int, made_at: datetime | None) -> tuple[int, int, str]:
    """The last message up to `seq` that was said when the commit was made, and the request in force by then with its words; 0 and nothing
    where none is near.

    HEAD is seen with the next messages, so these may begin with a request that came after the commit. Where times are not known, a
    request that nothing was done for yet is taken for such a one.
    """
    last, done = seq, False
    for through in range(seq, max(0, seq - REQUEST_BACK), -STEP):
        for number, message, *_rest in reversed(message_store.between(conversation, through - STEP, through)):
            since = message.at - made_at if made_at and message.at else None
            if since is not None and since >= SECOND:
                last = number - 1
            elif message.agent or not is_request(message):
                done = done or message.role is not Role.USER
            elif since is not None or done:
                return last, number, person_text(message)
            else:
                last = number - 1
    return last, 0, ""
