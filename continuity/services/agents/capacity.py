"""How many conversations are live for agents (FR-035, FR-037, FR-038): the one definition, for the limit, `/health`, metrics and pages.

A conversation is live while an agent works on it that runs, or begins to, and while it is that of a group at work. What recorders of
people's tools write, what people import, and what nobody works on any more is not: it is never counted, and never refused.
"""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from continuity.agents import degradation
from continuity.agents.statuses import RUNS
from continuity.groups.model import GroupStatus
from continuity.models import Agent, Group, Incident, Team

# For the probe of health, which asks on a connection of its own: all, and those of the team that has most. Two parameters: `COUNTED_FOR`.
COUNTED = f"""
SELECT coalesce(sum(live), 0), coalesce(max(live), 0) FROM (
    SELECT count(*) AS live FROM (
        SELECT team_id, working_on_id FROM "{Agent._meta.db_table}" WHERE status = ANY(%s) AND working_on_id IS NOT NULL
        UNION SELECT team_id, conversation_id FROM "{Group._meta.db_table}" WHERE status = %s
    ) AS conversations GROUP BY team_id
) AS teams
"""  # noqa: S608 (our own name)
STATUSES = sorted(status.value for status in RUNS)
COUNTED_FOR = (STATUSES, GroupStatus.ACTIVE.value)


@dataclass(frozen=True, slots=True)
class Capacity:
    """Conversations that are live, and how many may be; fewer while several agents of the team fail together."""

    live: int
    limit: int
    degraded: bool

    @property
    def full(self) -> bool:
        return self.live >= self.limit


def of_team(team: Team) -> Capacity:
    """Two queries. Exact where the caller holds the team's row."""
    degraded = Incident.objects.visible_to(team).open().exists()
    live = _of_agents().filter(team=team).union(_of_groups().filter(team=team)).count()
    return Capacity(live, degradation.limit_of(settings.MAX_CONCURRENT_SESSIONS, degraded=degraded), degraded)


def of_installation() -> int:
    """The counts of all teams. One query."""
    return _of_agents().union(_of_groups()).count()


def _of_agents() -> QuerySet[Agent, tuple[UUID | None]]:
    return Agent.objects.filter(status__in=STATUSES, working_on__isnull=False).values_list("working_on_id")


def _of_groups() -> QuerySet[Group, tuple[UUID]]:
    return Group.objects.filter(status=GroupStatus.ACTIVE).values_list("conversation_id")
