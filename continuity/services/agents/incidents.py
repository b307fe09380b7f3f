"""Incidents: when more than three agents of a team fail within half a minute, nothing new is begun for agents until they are well again."""

import logging
from collections.abc import Container, Iterator
from datetime import datetime
from uuid import UUID

from django.conf import settings

from continuity.agents import degradation
from continuity.agents.statuses import AgentStatus
from continuity.agents.strategies import NO_INCIDENT, is_tried_again
from continuity.core.correlation import current_correlation_id, new_correlation_id
from continuity.core.transactions import atomic
from continuity.models import Agent, Incident, RecoveryAttempt, Team
from continuity.services.agents import beats
from continuity.services.events import events

logger = logging.getLogger("continuity.agents")


def open_of(team: Team) -> Incident | None:
    return Incident.objects.visible_to(team).open().first()


def note(*, team: Team, now: datetime) -> Incident | None:
    """An agent of the team failed: begins an incident where it is one too many. The caller holds the team's lock."""
    recent = RecoveryAttempt.objects.filter(team=team, created_at__gt=now - degradation.WITHIN, created_at__lte=now + degradation.WITHIN)
    names = sorted(set(recent.exclude(cause__in=NO_INCIDENT).values_list("agent__name", flat=True)))
    if not degradation.begins(len(names)) or open_of(team) is not None:
        return None
    limit = degradation.limit_of(settings.MAX_CONCURRENT_SESSIONS, degraded=True)
    correlation = current_correlation_id() or new_correlation_id()
    made = Incident.objects.create(team=team, correlation_id=correlation, agents=names, limit=limit, created_at=now, retried_at=now)
    told = {"incident": str(made.id), "correlation_id": correlation, "team": str(team.id), "agents": names, "limit": limit}
    logger.critical("%d agents of a team failed within 30 seconds: degradation mode", len(names), extra={"metadata": told})
    payload = {"incident": str(made.id), "agents": len(names), "limit": limit, "incident_correlation_id": correlation}
    events.publish(name="team.degraded", team=team, subject_id=made.id, payload=payload, critical=True)
    return made


def review(*, now: datetime, elapsed: float) -> None:
    """Looks at all open incidents, `elapsed` seconds (monotonic) after the look before: ends those that are over. Two queries for each."""
    for incident in list(Incident.objects.open().values_list("id", flat=True)):
        _review(incident, now, elapsed)


@atomic
def _review(incident_id: UUID, now: datetime, elapsed: float) -> None:
    incident = Incident.objects.select_for_update().select_related("team").filter(id=incident_id, ended_at=None).first()
    if incident is None:
        return
    # Somebody tries for these; of those that are not heard of or gave up a person was told, and nobody is held up by them.
    failed = Agent.objects.filter(team=incident.team, status=AgentStatus.RECOVERING).count()
    incident.calm_seconds = degradation.calm_after(incident.calm_seconds, failed=failed, elapsed=elapsed)
    incident.ended_at = now if degradation.is_over(incident.calm_seconds) else None
    incident.save(update_fields=["calm_seconds", "ended_at"])
    if incident.ended_at is not None:
        told = {"incident": str(incident.id), "correlation_id": incident.correlation_id, "team": str(incident.team_id)}
        logger.warning("The agents of a team are well again: degradation mode is over", extra={"metadata": told})
        payload = {"incident": str(incident.id), "seconds": round((now - incident.created_at).total_seconds())}
        events.publish(name="team.recovered", team=incident.team, subject_id=incident.id, payload=payload)


def due_again(*, now: datetime, runners: Container[str]) -> Iterator[UUID]:
    """Agents that gave up, of teams in degradation, once a minute: they are to be tried once more, where their strategy recovers, and their
    runner is one of those that were heard of (`runners`, as members of the set of beats). Else the team would wait for who never comes."""
    for incident in Incident.objects.open().select_related("team"):
        since = (now - (incident.retried_at or incident.created_at)).total_seconds()
        if 0 <= since < degradation.RETRY_SECONDS:
            continue
        if Incident.objects.filter(id=incident.id, retried_at=incident.retried_at).update(retried_at=now):
            failed = Agent.objects.filter(team=incident.team, status=AgentStatus.FAILED).exclude(runner="")
            for agent, runner, strategy, reason in failed.values_list("id", "runner", "strategy", "reason"):
                is_heard_of = beats.runner_member(incident.team_id, runner) in runners
                if is_heard_of and is_tried_again(strategy=strategy, reason=reason):
                    yield agent


def latest(team: Team, *, size: int = 20) -> list[Incident]:
    return list(Incident.objects.visible_to(team).order_by("-created_at")[:size])
