"""Recording conversations: opening them, appending messages, and ending them."""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from continuity.errors import (
    Conflict,
    ConversationGone,
    Invalid,
    NotFound,
    SessionExpired,
    SessionInvalidated,
    TooLarge,
    TooMany,
    VersionMismatch,
)
from continuity.ledger import Ledger, account_all
from continuity.models import Conversation, ConversationStatus, Erasure, ErasureScope, Team, User
from continuity.services import cleanups, events, queueing, statements, writing
from continuity.tracing import span
from continuity.transcripts import model as transcript
from continuity.written import Written, insert

logger = logging.getLogger("continuity.conversations")

MIN_LIFE = timedelta(hours=1)
MAX_LIFE = timedelta(days=30)
RETRIES = 3
RETRY_SECONDS = 0.1
MILESTONES = (0.70, 0.75, 0.80, 0.85)
_OF_TEAM = Written(Conversation, "team_id = %s AND id = %s")
_RECENT = "SELECT count(*) FROM (SELECT FROM continuity_conversation WHERE team_id = %s AND created_at > %s LIMIT %s) AS recent"
EDITABLE = frozenset({"title", "model", "provider", "max_context_tokens", "cwd", "branch", "metadata", "expires_at"})


@dataclass(frozen=True, slots=True)
class Appended:
    """What an append did: `seqs` of the messages given, in their order; `fresh` are the new ones, as they were stored."""

    conversation: Conversation
    seqs: tuple[int, ...]
    fresh: Sequence[writing.Recorded]

    @property
    def added(self) -> int:
        return len(self.fresh)


@transaction.atomic
def create(
    *,
    team: Team,
    owner: User | None = None,
    title: str = "",
    source_tool: str = "",
    external_id: str = "",
    provider: str = "",
    model: str = "",
    max_context_tokens: int = 200_000,
    cwd: str = "",
    branch: str = "",
    metadata: Mapping[str, Any] | None = None,
    expires_at: datetime | None = None,
    resumed_from: Conversation | None = None,
) -> Conversation:
    """Opens a conversation.

    Raises Conflict for a source that is recorded already, TooMany over the hourly limit, Invalid on a bad value.
    """
    now = timezone.now()
    _check_rate(team, now)
    check_new(team, source_tool, external_id)
    conversation = Conversation(
        team=team,
        owner=owner,
        title=title[:300],
        source_tool=source_tool,
        external_id=external_id,
        provider=provider,
        model=model,
        max_context_tokens=_positive(max_context_tokens),
        cwd=cwd,
        branch=branch,
        metadata=dict(metadata or {}),
        expires_at=check_expiry(expires_at, now),
        resumed_from=resumed_from,
    )
    try:
        with transaction.atomic():
            insert(conversation)
    except IntegrityError:
        check_new(team, source_tool, external_id)  # Another process was faster; whatever else it is goes up.
        raise
    events.publish(name="conversation.created", team=team, subject_id=conversation.id, payload={"source_tool": source_tool})
    return conversation


def get(*, team: Team, conversation_id: UUID) -> Conversation:
    """The team's conversation. Raises NotFound, also for another team's; ConversationGone (410) where it was erased."""
    found = _OF_TEAM.first(team.id, conversation_id)
    if found is None:
        raise missing(team=team, conversation_id=conversation_id)
    found.team = team
    return found


def missing(*, team: Team, conversation_id: UUID) -> NotFound | ConversationGone:
    """Why the team has no such conversation: it never had, or it was erased."""
    erased = Erasure.objects.filter(team=team, conversation=conversation_id, scope=ErasureScope.CONVERSATION).first()
    return ConversationGone(erased_at=f"{erased.created_at:%Y-%m-%d}") if erased else NotFound(noun="conversation")


def check_open(conversation: Conversation) -> None:
    """Raises SessionInvalidated or SessionExpired (410) where nothing may be added any more."""
    check_usable(conversation)
    if conversation.status == ConversationStatus.EXPIRED:
        raise SessionExpired


def check_usable(conversation: Conversation) -> None:
    """Raises SessionInvalidated (410) where what was recorded may not be used any more."""
    if conversation.status in (ConversationStatus.INVALIDATED, ConversationStatus.INVALIDATED_PENDING_CLEANUP):
        raise SessionInvalidated


@span("continuity.record")
def append(
    *,
    team: Team,
    conversation_id: UUID,
    messages: Sequence[transcript.Message],
    abandoned: Sequence[str] = (),
    device: str = "",
    distil: bool = True,
) -> Appended:
    """Adds messages in order; one whose `external_id` is there already keeps its place and is not added again.

    `abandoned` are external ids of messages that were rewound: they stay, marked, and what was distilled from them is
    retracted. A worker is asked to `distil` what is new, unless the caller does that by itself. The messages must be clean
    (`transcripts.sanitise`). Raises NotFound, ConversationGone, SessionInvalidated, SessionExpired, TooLarge. Everything is
    committed when it returns, and nothing when it raises.
    """
    _check_size(messages)
    model = statements.model_of(team_id=team.id, conversation_id=conversation_id)
    # Counting and searching for secrets take time that nobody should wait for under the row's lock.
    rows = [writing.row_of(message, conversation_id, model, device) for message in messages]
    with transaction.atomic():
        conversation = statements.lock(team_id=team.id, conversation_id=conversation_id)
        if conversation is None:
            raise missing(team=team, conversation_id=conversation_id)
        check_open(conversation)
        known = statements.known(rows)
        fresh = writing.number(rows, known, conversation)
        if fresh:
            statements.insert(conversation, fresh)
        if abandoned:
            writing.mark_abandoned(conversation, abandoned)
        if fresh or abandoned:
            new = {row.id for row in fresh}
            _count(team, conversation, [(message, row.tokens) for message, row in zip(messages, rows, strict=True) if row.id in new])
            if distil:
                queueing.send("continuity.distil", str(conversation.id), once_in=1)
        return Appended(conversation, tuple(known[row.external_id] for row in rows), fresh)


def _count(team: Team, conversation: Conversation, added: Sequence[tuple[transcript.Message, int]]) -> None:
    """Brings the counters up to date and tells of it; the caller holds the row's lock."""
    before = conversation.utilization
    ledger = account_all(writing.ledger_of(conversation), added)
    writing.apply_ledger(conversation, ledger)
    for message, _tokens in added:
        if not message.agent:
            conversation.cwd = message.cwd or conversation.cwd
            conversation.branch = message.branch or conversation.branch
            conversation.model = message.model[:120] or conversation.model
    if conversation.status == ConversationStatus.IDLE:
        conversation.status = ConversationStatus.ACTIVE
        events.publish(name="conversation.reactivated", team=team, subject_id=conversation.id)
    conversation.version += 1
    statements.save_counters(conversation, now=timezone.now())
    payload = {
        "added": len(added),
        "last_seq": conversation.last_seq,
        "status": conversation.status,
        "utilization": round(conversation.utilization, 4),
    }
    events.publish(name="messages.appended", team=team, subject_id=conversation.id, payload=payload)
    crossed = [mark for mark in MILESTONES if before < mark <= conversation.utilization]
    if crossed:
        reached = {"threshold": crossed[-1], "utilization": round(conversation.utilization, 4)}
        events.publish(name="conversation.threshold_crossed", team=team, subject_id=conversation.id, payload=reached)
    _log_usage(conversation, ledger)


def _log_usage(conversation: Conversation, ledger: Ledger) -> None:
    share = round(conversation.utilization * 100, 1)
    told = {"conversation_id": str(conversation.id), "total_tokens": ledger.context, "utilization": share}
    line = "[CONT:TRACK] Token usage updated: %s at %d tokens (%s%%)"
    logger.info(line, conversation.id, ledger.context, share, extra={"metadata": told})


def change(*, team: Team, conversation_id: UUID, changes: Mapping[str, Any], version: int | None = None) -> Conversation:
    """Changes the editable fields, where the conversation still is as it was read (FR-005).

    A caller who names a `version` is refused with VersionMismatch (412) where it is not the current one. For one who
    does not, what another writer changed in between is read again after 100 ms, three times; then the last write wins.
    Raises Invalid on a bad field, NotFound, ConversationGone, SessionInvalidated, SessionExpired.
    """
    values = _checked(changes)
    for attempt in range(RETRIES + 1):
        if attempt:
            time.sleep(RETRY_SECONDS)
        read = get(team=team, conversation_id=conversation_id)
        check_open(read)
        if version is not None and version != read.version:
            raise VersionMismatch(current=read.version, given=version)
        if _write(read, values, only_version=read.version):
            return read
        _note_conflict(read, attempt)
    _write(read, values, only_version=None)
    return read


@transaction.atomic
def _note_conflict(read: Conversation, attempt: int) -> None:
    """Counts that another writer was faster; every one is told of, so that it can be measured."""
    if Conversation.objects.filter(id=read.id).update(conflicts=models.F("conflicts") + 1):
        payload = {"read": read.version, "attempt": attempt + 1}
        events.publish(name="conversation.contended", team=read.team, subject_id=read.id, payload=payload)


@transaction.atomic
def _write(read: Conversation, values: Mapping[str, Any], *, only_version: int | None) -> bool:
    """Writes the fields and tells of it, and brings `read` up to date. False where the version was another one, if one is asked for."""
    rows = Conversation.objects.filter(id=read.id)
    if only_version is None:
        _tell_lost(read)
    else:
        rows = rows.filter(version=only_version)
    if not rows.update(**values, version=models.F("version") + 1, updated_at=timezone.now()):
        return False
    read.refresh_from_db()
    events.publish(name="conversation.changed", team=read.team, subject_id=read.id, payload={"fields": sorted(values)})
    return True


def _tell_lost(read: Conversation) -> None:
    """Locks the row for the last write, and says which version it is made on, and which it overwrites."""
    found = Conversation.objects.select_for_update().filter(id=read.id).first()
    if found is None:
        raise missing(team=read.team, conversation_id=read.id)
    check_open(found)
    logger.warning("Conversation %s: the last write wins, made on version %d over version %d", read.id, read.version, found.version)
    payload = {"read": read.version, "found": found.version}
    events.publish(name="conversation.conflicted", team=read.team, subject_id=read.id, payload=payload)


def _checked(changes: Mapping[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(changes) - EDITABLE)
    if unknown:
        raise Invalid(f"These fields can't be changed: {', '.join(unknown)}.", field=unknown[0])
    values = dict(changes)
    if "expires_at" in values:
        values["expires_at"] = check_expiry(values["expires_at"], timezone.now())
    if "max_context_tokens" in values:
        values["max_context_tokens"] = _positive(values["max_context_tokens"])
    return values


@transaction.atomic
def invalidate(*, team: Team, conversation_id: UUID) -> Conversation:
    """Ends a conversation at once: whatever is sent to it afterwards is refused with 410. Twice is once."""
    conversation = get(team=team, conversation_id=conversation_id)
    ended = [ConversationStatus.INVALIDATED, ConversationStatus.INVALIDATED_PENDING_CLEANUP]
    changed = (
        Conversation.objects.filter(id=conversation.id)
        .exclude(status__in=ended)
        .update(status=ConversationStatus.INVALIDATED, version=models.F("version") + 1, updated_at=timezone.now())
    )
    if changed:
        cleanups.ask(conversation=conversation, now=timezone.now())
        events.publish(name="conversation.invalidated", team=team, subject_id=conversation.id, critical=True)
    conversation.refresh_from_db()
    return conversation


def expire_lapsed(*, now: datetime, limit: int = 1000) -> int:
    """Marks conversations whose time is over (FR-004); nothing is deleted. Returns how many."""
    marked = 0
    for conversation in Conversation.objects.lapsed(now).select_related("team").order_by("expires_at")[:limit]:
        with transaction.atomic():
            if (
                Conversation.objects.lapsed(now)
                .filter(id=conversation.id)
                .update(status=ConversationStatus.EXPIRED, version=models.F("version") + 1, updated_at=now)
            ):
                events.publish(name="conversation.expired", team=conversation.team, subject_id=conversation.id)
                marked += 1
    return marked


def mark_idle(*, now: datetime, limit: int = 1000) -> int:
    """Marks active conversations that nobody wrote to for `SESSION_IDLE_MINUTES`; the next message makes them active. Returns how many.

    It is no activity and no change of theirs, so neither their place in lists nor their version moves.
    """
    since = now - timedelta(minutes=settings.SESSION_IDLE_MINUTES)
    marked = 0
    for conversation in Conversation.objects.quiet(since).select_related("team").order_by("updated_at")[:limit]:
        with transaction.atomic():
            if Conversation.objects.quiet(since).filter(id=conversation.id).update(status=ConversationStatus.IDLE):
                events.publish(name="conversation.idled", team=conversation.team, subject_id=conversation.id)
                marked += 1
    return marked


def check_new(team: Team, source_tool: str, external_id: str) -> None:
    """Raises Conflict, which names the conversation, where this session of this tool is recorded already."""
    if not external_id:
        return
    found = Conversation.objects.filter(team=team, source_tool=source_tool, external_id=external_id).values_list("id", flat=True).first()
    if found:
        raise Conflict("This session is recorded already.", field="external_id", conversation_id=str(found))


def _check_rate(team: Team, now: datetime) -> None:
    limit = settings.CONTINUITY_MAX_CONVERSATIONS_PER_HOUR
    with connection.cursor() as cursor:
        cursor.execute(_RECENT, [team.id, now - timedelta(hours=1), limit])
        (recent,) = cursor.fetchone()
    if recent >= limit:
        raise TooMany(limit=limit, noun="conversations created by a team in an hour", retry_after=3600)


def _check_size(messages: Sequence[transcript.Message]) -> None:
    limit = settings.CONTINUITY_MAX_BATCH_MESSAGES
    if len(messages) > limit:
        raise TooLarge(noun="The batch", size=f"{len(messages)} messages", limit=f"{limit} messages")


def check_expiry(expires_at: datetime | None, now: datetime) -> datetime:
    if expires_at is None:
        return now + timedelta(days=settings.SESSION_EXPIRATION_DAYS)
    if not MIN_LIFE <= expires_at - now + timedelta(seconds=5) <= MAX_LIFE + timedelta(seconds=10):
        raise Invalid("expires_at must lie between 1 hour and 30 days from now.", field="expires_at")
    return expires_at


def _positive(tokens: int) -> int:
    if not 0 < tokens <= 100_000_000:
        raise Invalid("max_context_tokens must lie between 1 and 100,000,000.", field="max_context_tokens")
    return tokens
