"""Handing off without being asked: what follows from the decision when messages come in (DESIGN "Decide")."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction

from continuity.core.errors import DomainError
from continuity.models import Conversation, Event, Team
from continuity.services.events import events
from continuity.services.jobs import prepared
from continuity.services.knowledge import fold_runner
from handoffs.models import Handoff, HandoffStatus
from handoffs.policy import EVENT_APPROACHING, Decision, Hold
from handoffs.services.packages import decisions, policies, preparation
from handoffs.services.packages.policies import Effective

logger = logging.getLogger("continuity.handoffs")

# An append folds at most so many steps (of 500 messages) itself; the workers fold the rest.
STEPS = 4
WAITING = (HandoffStatus.DRAFT, HandoffStatus.READY)


# As `HandoffQuerySet.not_overtaken` has it: asked at each append, by the index of a conversation's handoffs.
_READY = """
SELECT made.created_at, made.id FROM session_handoffs made
WHERE made.conversation_id = %s AND made.status = 'ready' AND made.offered_to_id IS NULL AND made.expires_at > now() AND NOT EXISTS (
  SELECT FROM session_handoffs other
  WHERE other.conversation_id = made.conversation_id AND other.resumed_at > made.created_at AND other.id <> made.id
) ORDER BY made.created_at DESC LIMIT 1
"""


class ReadyHandoff(NamedTuple):
    created_at: datetime
    id: UUID


@dataclass(frozen=True, slots=True)
class FollowUp:
    """The decision on a conversation, the automatic handoff that waits to be resumed, if one is due, and the newest that is ready,
    however it was made."""

    decision: Decision
    handoff: Handoff | None = None
    ready: UUID | None = None

    def with_ready(self, known: ReadyHandoff | None) -> "FollowUp":
        """With what was ready before, unless the automatic one is newer."""
        made = self.handoff
        if made is not None and made.status == HandoffStatus.READY and (known is None or made.created_at > known.created_at):
            return replace(self, ready=made.id)
        return replace(self, ready=known and known.id)


def follow_up(*, team: Team, conversation: Conversation) -> FollowUp:
    """What follows from messages that came in: knowledge is folded from 80 % on, the approaching limit is told of once, and
    where a handoff is due the package is made, once. A refusal leaves it undone, logged. What else fails is raised: `append_followup` keeps
    that from those who record."""
    effective = policies.effective(team=team, conversation=conversation)
    decision = decisions.decision_on(conversation, effective)
    folded = True
    if decision.fold_now:
        folded = fold_runner.catch_up(conversation_id=conversation.id, steps=STEPS).complete or _is_folded(conversation)
        decision = decisions.decision_on(conversation, effective)
    if decision.event:
        _publish_limit(team, conversation, decision, effective.policy.approaching_turns)
    if not decision.due or not folded:
        return FollowUp(decision)
    latest = _latest(conversation)
    if latest is not None and latest.status in WAITING:
        return FollowUp(decision, latest)
    if latest is not None and _grown(conversation, latest) < effective.policy.min_freed:
        return FollowUp(replace(decision, due=False, held=Hold.STALLED))
    return _prepare(team, conversation, decision, effective)


def waiting(conversation: Conversation) -> Handoff | None:
    """The automatic handoff that waits to be resumed, if there is one. One query."""
    latest = _latest(conversation)
    return latest if latest is not None and latest.status in WAITING else None


def ready(conversation: Conversation) -> ReadyHandoff | None:
    """The newest handoff of the conversation that is ready and offered to nobody: resuming adds what was said since. One query."""
    return next((ReadyHandoff(*row) for row in prepared.rows(_READY, [conversation.id])), None)


def _latest(conversation: Conversation) -> Handoff | None:
    return Handoff.objects.filter(conversation=conversation, automatic=True).defer("rest", "text").order_by("-created_at").first()


def make_ready(*, conversation_id: UUID) -> None:
    """Folds everything that was said, so that preparing has only to assemble."""
    fold_runner.catch_up(conversation_id=conversation_id)


def _prepare(team: Team, conversation: Conversation, decision: Decision, effective: Effective) -> FollowUp:
    reason = decision.reason if decision.should_handoff else f"A task was finished at {decision.utilization or 0:.0%} of the context window"
    options = preparation.options_of(budget=effective.budget, style=effective.style, trigger_reason=reason)
    try:
        made = preparation.prepare(team=team, conversation_id=conversation.id, options=options, automatic=True)
    except DomainError as refused:
        logger.warning("[CONT:HANDOFF] No automatic handoff of %s: %s", conversation.id, refused.detail)
        return FollowUp(decision)
    return FollowUp(decision, made if made.status in WAITING else None)


def _is_folded(conversation: Conversation) -> bool:
    return Conversation.objects.filter(id=conversation.id, folded_seq__gte=conversation.last_seq, refold_from=None).exists()


def _grown(conversation: Conversation, handoff: Handoff) -> float:
    """The share of the window that was added since a handoff that came to nothing; negative where the context shrank."""
    return (conversation.context_tokens - handoff.context_tokens) / (conversation.max_context_tokens or 1)


def _publish_limit(team: Team, conversation: Conversation, decision: Decision, turns: int) -> None:
    """Publishes `ContextLimitApproaching`, not again until more turns have passed than were left."""
    told = Event.objects.filter(subject_id=conversation.id, name=EVENT_APPROACHING).order_by("-created_at").first()
    if told is not None and conversation.turn_count - told.payload["turn"] <= turns:
        return
    payload = {
        "turn": conversation.turn_count,
        "remaining_turns": decision.remaining_turns,
        "remaining_tokens": decision.remaining_tokens,
        "utilization": round(decision.utilization or 0.0, 4),
    }
    with transaction.atomic():
        events.publish(name=EVENT_APPROACHING, team=team, subject_id=conversation.id, payload=payload)
