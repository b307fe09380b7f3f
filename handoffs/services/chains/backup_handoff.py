"""A backup that goes on for an agent is briefed as any successor is: with a checked package of the agent's conversation."""

import logging
from functools import partial
from uuid import UUID

from django.utils import timezone

from continuity.agents.strategies import WAITS_FOR_REVIEW
from continuity.core.errors import AlreadyResumed, DomainError, NotFound
from continuity.core.transactions import atomic
from continuity.models import Conversation, RecoveryAttempt, Team
from continuity.services.agents import replacement
from continuity.services.jobs import sweep_parts
from handoffs.models import Handoff, HandoffStatus
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation

logger = logging.getLogger("continuity.handoffs")

REASON = "The agent that worked on it failed"
# The store or another writer is in the way: it is tried again, and nobody failed.
PASSING = 503


def relieve(*, attempt_id: UUID) -> None:
    """Prepares the briefing, opens the conversation that the backup goes on in, and tells it. Safe to call twice."""
    attempt = replacement.pending_attempt(attempt_id)
    if attempt is None:
        return
    if attempt.conversation_id is None:
        replacement.take_over(attempt=attempt, conversation_id=None, handoff_id=None, now=timezone.now())
        return
    try:
        resumption.level(attempt.team, attempt.conversation_id)  # before anything is held
        error = _hand_over(attempt, attempt.conversation_id)
    except DomainError as refused:
        error = refused
    if error is not None and error.status == PASSING:
        raise error
    if error is not None:
        logger.warning("No briefing for a backup", extra={"metadata": {"attempt": str(attempt.id), "error": error.code}})
        known = _package_of(attempt)
        kept = Handoff.objects.filter(id=known).values_list("status", flat=True).first()
        why = WAITS_FOR_REVIEW if kept == HandoffStatus.DRAFT else f"no briefing: {error.code}"
        replacement.impossible(attempt_id=attempt.id, error=why, handoff_id=known if kept else None, now=timezone.now())


def approved(*, handoff_id: UUID) -> None:
    """A person let a package be resumed. Where an agent's backup waits for it, it goes on now."""
    replacement.go_on(attempt_id=handoff_id, now=timezone.now())


@atomic
def _hand_over(attempt: RecoveryAttempt, conversation_id: UUID) -> DomainError | None:
    """All of it or nothing, so that nobody goes through what was just written once more, and what follows from it follows when the backup
    knows. The error where there is no briefing: a package that failed its check is kept."""
    try:
        conversation = _briefed(attempt, conversation_id)
    except DomainError as error:
        return error
    replacement.take_over(attempt=attempt, conversation_id=conversation.id, handoff_id=_package_of(attempt), now=timezone.now())
    return None


def _package_of(attempt: RecoveryAttempt) -> UUID:
    """The id of its package: one that a person approved, otherwise the attempt's own."""
    return attempt.handoff_id or attempt.id


def _briefed(attempt: RecoveryAttempt, conversation_id: UUID) -> Conversation:
    """The conversation that goes on from a package whose id is the attempt's, so that twice is once; or from one that a person approved."""
    options = preparation.options_of(trigger_reason=REASON)
    known = _package_of(attempt)
    handoff = preparation.prepare(team=attempt.team, conversation_id=conversation_id, options=options, handoff_id=known)
    try:
        return resumption.go_on(team=attempt.team, handoff=handoff).conversation
    except AlreadyResumed:
        return _opened(attempt.team, known)


def _opened(team: Team, handoff_id: UUID) -> Conversation:
    """The conversation that the package was resumed as before."""
    handoff = Handoff.objects.select_related("resumed_conversation").get(team=team, id=handoff_id)
    if handoff.resumed_conversation is None:
        raise NotFound(noun="conversation")
    return handoff.resumed_conversation


def relieve_pending() -> None:
    """Those whose worker died or never heard of them, each by itself."""
    sweep_parts.all_of(**{str(attempt): partial(relieve, attempt_id=attempt) for attempt in replacement.unannounced()})
