"""Log lines and events of preparing and resuming (CONT-04, CONT-06).

Events and log lines hold ids and numbers, never words of a conversation.
"""

import logging
from collections import Counter
from uuid import UUID

from continuity.core.thresholds import PASSING_FIDELITY
from continuity.models import Conversation, Team
from continuity.services.events import events
from handoffs.contract.model import Options, Prepared
from handoffs.fidelity.resumption import ResumptionReport
from handoffs.models import Handoff, HandoffStatus
from handoffs.services.packages.attempts import AttemptTimer

logger = logging.getLogger("continuity.handoffs")

MANUAL = Options().trigger_reason


def preparing(team: Team, conversation: Conversation, handoff_id: UUID, options: Options) -> AttemptTimer:
    """The attempt to prepare `handoff_id`, begun."""
    told = {"conversation_id": str(conversation.id), "target_token_budget": options.budget}
    logger.info("[CONT:HANDOFF] Preparing handoff: %s targeting %d tokens", conversation.id, options.budget, extra={"metadata": told})
    failed = "[CONT:HANDOFF] Handoff failed: %s - %s"
    payload = {"conversation_id": str(conversation.id)}
    attempt = AttemptTimer(failure="handoff.failed", log=failed, team=team, subject_id=handoff_id, payload=payload)
    attempt.admit()
    return attempt


def prepared(handoff: Handoff, made: Prepared, attempt: AttemptTimer) -> None:
    """Tells of a stored handoff, in the transaction that stores it; its check may have failed."""
    report, package = made.report, made.package
    ids = {"handoff_id": str(handoff.id), "conversation_id": str(handoff.conversation_id)}
    failed, used = handoff.status == HandoffStatus.FAILED, handoff.conversation.utilization
    payload = {
        "conversation_id": str(handoff.conversation_id),
        "fidelity": round(handoff.fidelity_score, 4),
        "anchor_score": report.anchor_preservation_score,
        "task_score": report.task_preservation_score,
        "tokens": handoff.token_count,
        "tokens_before": package.metadata.original_token_count,
        "utilization": None if used is None else round(used, 4),
        "anchors": dict(Counter(anchor.type.value for anchor in package.anchors)),
        "tasks": len(package.tasks),
        "style": handoff.style,
        "trigger": "manual" if package.options.trigger_reason == MANUAL else "automatic",
        "duration_ms": attempt.milliseconds,
        "automatic": handoff.automatic,
    }
    if failed:
        payload["reason"] = "fidelity"
    name = "handoff.failed" if failed else "handoff.prepared"
    events.publish(name=name, team=handoff.team, subject_id=handoff.id, payload=payload, critical=failed)
    logger.info("[CONT:STORE] Stored handoff %s for conversation %s", handoff.id, handoff.conversation_id, extra={"metadata": ids})
    if failed:
        said = f"fidelity {handoff.fidelity_score:.3f}, {len(report.issues)} issues"
        logger.error(
            "[CONT:HANDOFF] Handoff failed: %s - %s", handoff.conversation_id, said, extra={"metadata": {**ids, "error_message": said}}
        )
        scored = {**ids, "fidelity_score": handoff.fidelity_score, "threshold": PASSING_FIDELITY}
        low = "[CONT:FIDELITY] Low fidelity score: %s at %.3f (threshold: %s)"
        logger.warning(low, handoff.id, handoff.fidelity_score, PASSING_FIDELITY, extra={"metadata": scored})
        return
    counts = {**ids, "anchor_count": len(package.anchors), "task_count": len(package.tasks)}
    line = "[CONT:HANDOFF] Handoff prepared: %s with %d anchors, %d tasks"
    logger.info(line, handoff.id, len(package.anchors), len(package.tasks), extra={"metadata": counts})


def resuming(handoff: Handoff) -> AttemptTimer:
    """The attempt to resume a handoff; it counts from when it is admitted."""
    payload = {"conversation_id": str(handoff.conversation_id), "handoff_id": str(handoff.id)}
    failed = "[CONT:RESUME] Resuming failed: %s - %s"
    return AttemptTimer(failure="resumption.failed", log=failed, team=handoff.team, subject_id=handoff.id, payload=payload)


def opened(handoff: Handoff, new: Conversation) -> None:
    told = {"handoff_id": str(handoff.id), "new_conversation_id": str(new.id)}
    logger.info("[CONT:RESUME] Resuming session: %s -> %s", handoff.id, new.id, extra={"metadata": told})


def resumed(handoff: Handoff, new: Conversation, report: ResumptionReport, *, fork: bool, anchors: int, attempt: AttemptTimer) -> None:
    """Tells of a resumption, in its transaction."""
    payload = {
        "conversation_id": str(new.id),
        "fork": fork,
        "seamless": report.is_seamless,
        "anchors": anchors,
        "duration_ms": attempt.milliseconds,
    }
    events.publish(name="handoff.resumed", team=handoff.team, subject_id=handoff.id, payload=payload)
    told = {"new_conversation_id": str(new.id), "handoff_id": str(handoff.id), "restored_anchor_count": anchors}
    logger.info("[CONT:RESUME] Session resumed: %s with %d anchors", new.id, anchors, extra={"metadata": told})
