"""Event handlers of diagnostics."""

from uuid import UUID

from django.conf import settings

from continuity.models import ErasureScope, Event
from continuity.services.events.bus import on
from diagnostics.alerting.rules import AlertRule
from diagnostics.services import alert_raising, alerts, auditing, background_alerts, measurements

PARTS = 10_000


@on("handoff.prepared")
def audit_some(event: Event) -> None:
    """A share of the packages is audited: chosen by their ids, so that a repetition chooses the same; not where little is new."""
    if event.team is None or event.subject_id is None or event.subject_id.int % PARTS >= settings.CONTINUITY_AUDIT_SHARE * PARTS:
        return
    conversation_id = UUID(event.payload["conversation_id"])
    if auditing.is_due(conversation_id=conversation_id, handoff_id=event.subject_id):
        auditing.submit_once(team=event.team, conversation_id=conversation_id, handoff_id=event.subject_id)


@on("audit.differed")
def alert_of_differences(event: Event) -> None:
    """Operators are told once of a conversation that audits differ on."""
    alerts.audit_differed(event=event)


@on("audit.agreed")
def end_alert_of_differences(event: Event) -> None:
    """Ends an alert when a later audit finds no difference."""
    alerts.audit_agreed(event=event)


@on("messages.skipped")
def alert_of_skipped_messages(event: Event) -> None:
    """Operators are told once of a conversation with messages that can't be read."""
    alerts.message_skipped(event=event)


@on("work.failing")
def alert_of_failing_work(event: Event) -> None:
    """Operators are told once of work that does not succeed."""
    background_alerts.work_failing(event=event)


@on("work.recovered")
def end_alert_of_failing_work(event: Event) -> None:
    """Ends an alert when the work succeeded in the end."""
    background_alerts.work_recovered(event=event)


@on("delivery.abandoned")
def alert_of_dead_letter(event: Event) -> None:
    """Operators are told once of a subscriber that does not take its events."""
    background_alerts.delivery_abandoned(event=event)


@on("subscription.degraded")
def alert_of_failed_replay(event: Event) -> None:
    alert_raising.raise_about(event, AlertRule.REPLAY_DEGRADED, f"{event.payload['failed']} of {event.payload['replayed']} events failed")


@on("subscription.gap_detected")
def alert_of_gap(event: Event) -> None:
    background_alerts.settle_gaps()  # What is over by now must not hide this one.
    alert_raising.raise_about(event, AlertRule.REPLAY_GAP, f"up to position {event.payload['through']}")


@on("subscription.resting")
def alert_of_receiver(event: Event) -> None:
    alert_raising.raise_about(event, AlertRule.RECEIVER_FAILS, f"{event.payload['failures']} times in a row")


@on("subscription.recovered")
def end_alert_of_receiver(event: Event) -> None:
    """A receiver that takes events again needs nobody any more."""
    alert_raising.resolve_about(event, AlertRule.RECEIVER_FAILS)


@on("subscription.returned")
def end_alerts_of_absence(event: Event) -> None:
    """The subscriber was there again without a new gap: what it missed before is known, and over."""
    alert_raising.resolve_about(event, AlertRule.REPLAY_DEGRADED, AlertRule.REPLAY_GAP)


@on("subscription.removed")
def end_alerts_of_subscription(event: Event) -> None:
    alert_raising.resolve_about(event, AlertRule.RECEIVER_FAILS, AlertRule.REPLAY_DEGRADED, AlertRule.REPLAY_GAP)


@on("agent.failed")
def alert_of_failed_agent(event: Event) -> None:
    """Beyond its threshold, or where nobody can go on: once until it runs again (FR-010)."""
    told = f"{event.payload['reason']}, failures in a row: {event.payload['failures']}"
    alert_raising.raise_about(event, AlertRule.AGENT_FAILED, told)


@on("agent.lost")
def alert_of_lost_agent(event: Event) -> None:
    alert_raising.raise_about(event, AlertRule.AGENT_LOST, "does not answer its probes" if event.payload["cause"] == "zombie" else "lost")


@on("agent.registered")
@on("agent.ready")
@on("agent.returned")
@on("agent.degraded")
@on("agent.stopped")
@on("agent.replaced")
@on("agent.removed")
def end_alerts_of_agent(event: Event) -> None:
    """It runs again, or is meant not to."""
    alert_raising.resolve_about(event, AlertRule.AGENT_FAILED, AlertRule.AGENT_LOST)


@on("team.degraded")
def alert_of_incident(event: Event) -> None:
    told = f"{event.payload['agents']} agents, correlation {event.payload['incident_correlation_id']}"
    alert_raising.raise_about(event, AlertRule.TEAM_DEGRADED, told)


@on("team.recovered")
def end_alert_of_incident(event: Event) -> None:
    alert_raising.resolve_about(event, AlertRule.TEAM_DEGRADED)


@on("group.suspended")
def alert_of_suspended_group(event: Event) -> None:
    """Nobody is there to speak: a person may have to start somebody."""
    alert_raising.raise_about(event, AlertRule.GROUP_SUSPENDED, f"{len(event.payload['refused'])} agents are away")


@on("group.resumed")
@on("group.closed")
def end_alert_of_suspended_group(event: Event) -> None:
    alert_raising.resolve_about(event, AlertRule.GROUP_SUSPENDED)


@on("cleanup.failed")
def alert_of_failed_cleanup(event: Event) -> None:
    """After ten attempts, once until one succeeds (FR-004a)."""
    alert_raising.raise_about(event, AlertRule.CLEANUP_FAILED, f"{event.payload['attempts']} attempts")


@on("conversation.cleaned_up")
def end_alert_of_failed_cleanup(event: Event) -> None:
    alert_raising.resolve_about(event, AlertRule.CLEANUP_FAILED)


@on("conversation.erased")
def end_alert_of_cleanup_with_its_conversation(event: Event) -> None:
    """With the whole conversation all goes that was to be cleared away."""
    if event.payload["scope"] == ErasureScope.CONVERSATION:
        alert_raising.resolve_about(event, AlertRule.CLEANUP_FAILED)


@on("conversation.erased")
def count_erased_events(event: Event) -> None:
    """The events of an erased conversation go; they are counted first, so that no figure is lost and erasing need not wait."""
    measurements.catch_up()
