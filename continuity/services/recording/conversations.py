"""Recording conversations: opening them, appending messages, and ending them."""

import logging
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, connection, models, transaction
from django.utils import timezone

from continuity.core.errors import (
    Conflict,
    ConversationGone,
    InGroup,
    Invalid,
    NotFound,
    SessionExpired,
    SessionInvalidated,
    TooLarge,
    TooMany,
    VersionMismatch,
)
from continuity.core.thresholds import MILESTONES
from continuity.core.tracing import span
from continuity.core.transactions import atomic
from continuity.knowledge import titles
from continuity.models import Conversation, ConversationStatus, Erasure, ErasureScope, Group, Team, User
from continuity.secrets import mask_text
from continuity.services.erasure import cleanups
from continuity.services.events import events
from continuity.services.jobs import queueing
from continuity.services.recording import append_sql, message_mapping, session_details, stored_rows, windows
from continuity.services.recording import placeholders as placing
from continuity.services.recording.row_sql import insert
from continuity.transcripts.base import model as transcript
from continuity.usage.token_ledger import account_all
from continuity.windows import ContextWindow, Evidence

logger = logging.getLogger("continuity.conversations")

MIN_LIFE = timedelta(hours=1)
MAX_LIFE = timedelta(days=30)
RETRIES = 3
RETRY_SECONDS = 0.1
_OF_TEAM = "WHERE team_id = %s AND id = %s"
_RECENT = "SELECT count(*) FROM (SELECT FROM continuity_conversation WHERE team_id = %s AND created_at > %s LIMIT %s) AS recent"
# What a group works in: only the group adds to it (services/groups).
GROUP_TOOL = "group"
EDITABLE = frozenset({"title", "model", "provider", "max_context_tokens", "cwd", "branch", "metadata", "expires_at"})


@dataclass(frozen=True, slots=True)
class Appended:
    """The result of an append: `seqs` of the messages given, in their order; `fresh` are the new ones, as they were stored; `replaced`
    counts those that took the place of a placeholder."""

    conversation: Conversation
    seqs: tuple[int, ...]
    fresh: Sequence[message_mapping.NewMessage]
    replaced: int = 0

    @property
    def added(self) -> int:
        return len(self.fresh)


@atomic
def create(
    *,
    team: Team,
    owner: User | None = None,
    title: str = "",
    source_tool: str = "",
    external_id: str = "",
    provider: str = "",
    model: str = "",
    max_context_tokens: int | None = None,
    window_source: str = "",
    evidence: Evidence | None = None,
    cwd: str = "",
    branch: str = "",
    metadata: Mapping[str, Any] | None = None,
    expires_at: datetime | None = None,
    resumed_from: Conversation | None = None,
) -> Conversation:
    """Opens a conversation.

    `max_context_tokens` is its window as `window_source` tells it (else somebody set it); without, what `evidence` or the model
    tells, if anything. Raises Conflict for a source that is recorded already, TooMany over the hourly limit, Invalid on a bad value.
    """
    now = timezone.now()
    _check_rate(team, now)
    check_new(team, source_tool, external_id)
    conversation = Conversation(
        team=team,
        owner=owner,
        title=title[:300] or titles.place(branch=branch, folder=cwd),
        source_tool=source_tool,
        external_id=external_id,
        provider=provider,
        model=model,
        cwd=cwd,
        branch=branch,
        given=session_details.at_opening({"cwd": cwd, "branch": branch}),
        metadata=dict(metadata or {}),
        expires_at=check_expiry(expires_at, now),
        resumed_from=resumed_from,
    )
    windows.put(conversation, windows.begun(evidence or Evidence(model=model), max_context_tokens, window_source))
    try:
        with transaction.atomic() if external_id else nullcontext():
            insert(conversation)
    except IntegrityError:
        check_new(team, source_tool, external_id)  # Another process was faster; whatever else it is goes up.
        raise
    events.publish(name="conversation.created", team=team, subject_id=conversation.id, payload={"source_tool": mask_text(source_tool)})
    return conversation


def get(*, team: Team, conversation_id: UUID) -> Conversation:
    """The team's conversation. Raises NotFound, also for another team's; ConversationGone (410) where it was erased."""
    found = next(iter(stored_rows.rows(Conversation, _OF_TEAM, [team.id, conversation_id])), None)
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
    placeholders: Collection[str] = (),
    distil: bool = True,
    window: ContextWindow | None = None,
) -> Appended:
    """Adds messages in order; one whose `external_id` is there already keeps its place and is not added again.

    `abandoned` are external ids of messages that were rewound: they stay, marked, and what was distilled from them is
    retracted. `placeholders` are those of messages that only hold the place of others, which may come later. `window` is what
    the tool told of its context window by then. A worker is asked to `distil` what is new, unless the caller does that by
    itself. To a group's conversation only the group adds (`append_in_group`). The messages must be clean (`transcripts.sanitise`).
    Raises NotFound, ConversationGone, SessionInvalidated, SessionExpired, TooLarge, InGroup. Everything is
    committed when it returns, and nothing when it raises.
    """
    _check_size(messages)
    model = append_sql.model_of(team_id=team.id, conversation_id=conversation_id)
    # Counting and searching for secrets take time that nobody should wait for under the row's lock.
    rows = [message_mapping.row_of(each, conversation_id, model, device, placeholder=each.external_id in placeholders) for each in messages]
    return _append(team, conversation_id, messages, rows, abandoned, distil, window)


@span("continuity.record")
def append_in_group(*, team: Team, conversation_id: UUID, messages: Sequence[transcript.Message], device: str, model: str) -> Appended:
    """As `append`, for a group, in the transaction of its turn, which ends where this raises; `model` is what tokens are counted for."""
    _check_size(messages)
    rows = [message_mapping.row_of(each, conversation_id, model, device) for each in messages]
    return _add(team, conversation_id, messages, rows, in_group=True)


def _add(
    team: Team,
    conversation_id: UUID,
    messages: Sequence[transcript.Message],
    rows: Sequence[message_mapping.NewMessage],
    abandoned: Sequence[str] = (),
    distil: bool = True,
    window: ContextWindow | None = None,
    *,
    in_group: bool = False,
) -> Appended:
    conversation = append_sql.lock(team_id=team.id, conversation_id=conversation_id)
    if conversation is None:
        raise missing(team=team, conversation_id=conversation_id)
    check_open(conversation)
    if conversation.source_tool == GROUP_TOOL and not in_group:
        _check_alone(conversation)
    # What came without an id of its own has a new one.
    known = append_sql.known(rows) if any(message.external_id for message in messages) else {}
    fresh = message_mapping.number(rows, known, conversation)
    if fresh:
        append_sql.insert(conversation, fresh)
    again = len(fresh) < len(rows)
    replaced = placing.fill_in(conversation, rows, messages, known) if again else 0
    if abandoned:
        message_mapping.mark_abandoned(conversation, abandoned)
    if window and windows.knows(conversation, window):
        window = None
    if fresh or abandoned or replaced or window:
        new = {id(row) for row in fresh}  # Not by the row's id, which a message that comes twice in the batch has twice.
        added = [(message, row.tokens) for message, row in zip(messages, rows, strict=True) if id(row) in new]
        _count(team, conversation, added, window)
    if distil and (fresh or abandoned or replaced):
        queueing.send("continuity.distil", str(conversation.id), once_in=1)
    return Appended(conversation, tuple(known[row.external_id] for row in rows), fresh, replaced)


_append = atomic(_add)


def _check_alone(conversation: Conversation) -> None:
    """Raises InGroup where the conversation is a group's."""
    group = Group.objects.filter(conversation=conversation).values_list("id", flat=True).first()
    if group is not None:
        raise InGroup(group_id=str(group))


def _count(team: Team, conversation: Conversation, added: Sequence[tuple[transcript.Message, int]], window: ContextWindow | None) -> None:
    """Brings the counters and the window up to date and tells of it; the caller holds the row's lock."""
    before = conversation.utilization or 0.0
    conversation.team = team
    messages = [message for message, _tokens in added]
    windows.put(conversation, windows.with_messages(windows.evidence_of(conversation), messages, window))
    session_details.forget_superseded(conversation, messages)
    ledger = account_all(message_mapping.ledger_of(conversation), added)
    message_mapping.apply_ledger(conversation, ledger)
    for message, _tokens in added:
        if not message.agent:
            conversation.cwd = message.cwd or conversation.cwd
            conversation.branch = message.branch or conversation.branch
            conversation.model = message.model[:120] or conversation.model
    now = timezone.now()
    _note_activity(conversation, [message.at for message, _tokens in added], now)
    conversation.version += 1
    append_sql.save_counters(conversation, now=now)
    share = conversation.utilization
    payload: dict[str, Any] = {"added": len(added), "last_seq": conversation.last_seq, "status": conversation.status}
    if share is not None:
        payload["utilization"] = round(share, 4)
    events.publish(name="messages.appended", team=team, subject_id=conversation.id, payload=payload)
    crossed = [mark for mark in MILESTONES if share is not None and before < mark <= share]
    if crossed and share is not None:
        reached = {"threshold": crossed[-1], "utilization": round(share, 4)}
        events.publish(name="conversation.threshold_crossed", team=team, subject_id=conversation.id, payload=reached)
    windows.log_usage(conversation)


def _note_activity(conversation: Conversation, times: Sequence[datetime | None], now: datetime) -> None:
    """Moves `active_at` on by what was added, and the status with it: what is recorded of a session that is over makes it idle, not active.

    A time that lies ahead is a wrong clock's, and counts as now.
    """
    if times:
        latest = max(min(at or now, now) for at in times)
        anything_before = conversation.last_seq > len(times)
        conversation.active_at = max(conversation.active_at, latest) if anything_before else latest
    is_quiet = conversation.active_at <= now - timedelta(minutes=settings.SESSION_IDLE_MINUTES)
    if conversation.status == ConversationStatus.IDLE and not is_quiet:
        conversation.status = ConversationStatus.ACTIVE
        events.publish(name="conversation.reactivated", team=conversation.team, subject_id=conversation.id)
    elif conversation.status == ConversationStatus.ACTIVE and is_quiet:
        conversation.status = ConversationStatus.IDLE
        events.publish(name="conversation.idled", team=conversation.team, subject_id=conversation.id)


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
        if _write(read, values | windows.after(read, team, values) | session_details.after(read, values), only_version=read.version):
            return read
        _note_conflict(read, attempt)
    _write(read, values | windows.after(read, team, values) | session_details.after(read, values), only_version=None)
    return read


@atomic
def _note_conflict(read: Conversation, attempt: int) -> None:
    """Counts that another writer was faster; every one is told of, so that it can be measured."""
    if Conversation.objects.filter(id=read.id).update(conflicts=models.F("conflicts") + 1):
        payload = {"read": read.version, "attempt": attempt + 1}
        events.publish(name="conversation.contended", team=read.team, subject_id=read.id, payload=payload)


@atomic
def _write(read: Conversation, values: Mapping[str, Any], *, only_version: int | None) -> bool:
    """Writes the fields and tells of it, and brings `read` up to date. False where the version was another one, if one is asked for."""
    rows = Conversation.objects.filter(id=read.id)
    if only_version is None:
        _lock_and_log_lost(read)
    else:
        rows = rows.filter(version=only_version)
    if not rows.update(**values, version=models.F("version") + 1, updated_at=timezone.now()):
        return False
    read.refresh_from_db()
    events.publish(name="conversation.changed", team=read.team, subject_id=read.id, payload={"fields": sorted(values)})
    return True


def _lock_and_log_lost(read: Conversation) -> None:
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
    if values.get("max_context_tokens") is not None:
        windows.checked(values["max_context_tokens"])
    return values


@atomic
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
