"""The governor in a session: what its pressure asks for, and doing it where the team's mode lets it."""

import logging
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from django.utils import timezone

from continuity.core.errors import DomainError
from continuity.models import Conversation, Team
from continuity.services.jobs import queueing
from continuity.services.knowledge import fold_runner
from handoffs.governor import Governed, GovernorAction, GovernorPolicy, Pressure, govern
from handoffs.governor.governor import CALLS
from handoffs.models import Handoff, HandoffStatus, PackMode, PackSession
from handoffs.policy.decision import Decision, hold_of
from handoffs.services.packages import automatic, decisions, policies, preparation
from handoffs.services.packs import capturing

__all__ = ["CALLS", "govern_session", "pressure_of", "secure"]

logger = logging.getLogger("continuity.packs")

REASON = "Snapshot: {}"
FRESH = timedelta(minutes=2)  # a package that was made so lately is not made again


def pressure_of(row: PackSession) -> Pressure:
    """Since the last snapshot. In a team whose sessions are given nothing, what they would have been given counts."""
    injected = sum(row.calls)
    return Pressure(
        turns=row.turns - row.snapshot_turns,
        injected=injected,
        files=len(row.files),
        diff_lines=max(0, row.diff_lines + row.committed_lines - row.snapshot_diff),
        since=row.snapshot_at,
    )


def govern_session(*, team: Team, conversation: Conversation, row: PackSession, mode: PackMode) -> Governed:
    """What the pressure asks for; written into `row`, which the caller saves. Passive mode counts a snapshot that it does not make, so
    that the next one is due when it would be."""
    effective = policies.effective(team=team, conversation=conversation)
    decision = decisions.decision_on(conversation, effective)
    governed = govern(pressure_of(row), _held(conversation, decision, effective), GovernorPolicy(), timezone.now())
    row.wanted, row.reasons = governed.action, list(governed.reasons)
    if governed.action is GovernorAction.OK:
        return governed
    if mode in (PackMode.SNAPSHOT, PackMode.REHYDRATE):
        begin_anew = governed.action is GovernorAction.REHYDRATE and mode is PackMode.REHYDRATE
        queueing.send("handoffs.secure_session", str(conversation.id), begin_anew, once_in=10)
    row.snapshots += 1
    row.snapshot_at = timezone.now()
    row.snapshot_turns, row.snapshot_diff = row.turns, row.diff_lines + row.committed_lines
    row.calls, row.files = [], []
    return governed


def _held(conversation: Conversation, decision: Decision, effective: policies.Effective) -> Decision:
    """The decision with what would hold an automatic handoff back, also below the shares at which one is due: the governor overrules no
    cooldown and no stall guard."""
    if decision.due or decision.held or (decision.utilization or 0.0) < GovernorPolicy().utilization:
        return decision
    recent = decisions.recent_of(conversation, effective.max_chain_length)
    return replace(decision, held=hold_of(effective.policy, recent, timezone.now()))


def secure(*, conversation_id: UUID, begin_anew: bool) -> None:
    """Folds, captures, and makes a draft package, or one that the next session goes on from. Safe to run twice."""
    conversation = Conversation.objects.select_related("team").filter(id=conversation_id).first()
    if conversation is None:
        return
    fold_runner.catch_up(conversation_id=conversation_id)
    capturing.capture(conversation_id=conversation_id)
    made = Handoff.objects.filter(conversation=conversation, status__in=(HandoffStatus.DRAFT, HandoffStatus.READY), automatic=begin_anew)
    if automatic.waiting(conversation) or made.filter(created_at__gte=timezone.now() - FRESH).exists():
        return
    row = PackSession.objects.filter(conversation=conversation).first()
    options = preparation.options_of(trigger_reason=REASON.format(", ".join(row.reasons if row else ())))
    try:
        preparation.prepare(
            team=conversation.team, conversation_id=conversation_id, options=options, draft=not begin_anew, automatic=begin_anew
        )
    except DomainError as refused:
        logger.warning("[CONT:PACKS] No package of %s: %s", conversation_id, refused.detail)
