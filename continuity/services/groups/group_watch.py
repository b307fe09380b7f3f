"""The monitor's watch over groups: leases that are over, agents gone or back, groups that are due. One that fails stops no other."""

from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from continuity.models import Group
from continuity.services.groups import turns
from continuity.services.jobs import deferrals, prepared

KIND = "group"
AT_ONCE = 200
LONGEST = timedelta(seconds=60)
# Groups that are due; whose speaker is gone, or is another instance; that wait for somebody who is there again; whose rules advance them.
_DUE = """
SELECT id FROM continuity_group WHERE due_at <= %(now)s OR due_at > %(latest)s
UNION
SELECT turn.group_id FROM continuity_groupselection turn LEFT JOIN continuity_agent agent ON agent.id = turn.agent_id
WHERE turn.status = 'open' AND (agent.id IS NULL OR agent.status NOT IN ('ready', 'active') OR turn.epoch <> agent.epoch)
UNION
SELECT part.group_id FROM continuity_group held JOIN continuity_groupparticipant part ON part.group_id = held.id
JOIN continuity_agent agent ON agent.id = part.agent_id
WHERE held.status = 'suspended' AND NOT part.excluded AND agent.status IN ('ready', 'active')
UNION
SELECT id FROM continuity_group ruled WHERE status IN ('active', 'waiting') AND rules @> '[{"action": "advance"}]'
    AND EXISTS (SELECT FROM continuity_event WHERE team_id = ruled.team_id AND position > ruled.advanced_position)
LIMIT %(limit)s
"""


def watch(now: datetime) -> datetime | None:
    """Does what is due, each group by itself; when the next one is."""
    # A lease is 600 seconds at most: what is due later than that was stored before a clock was set back.
    asked = {"now": now, "latest": now + timedelta(seconds=700), "limit": AT_ONCE}
    due: list[UUID] = [row[0] for row in prepared.rows(_DUE, asked)]
    if due:
        deferrals.each(kind=KIND, ids=due, work=partial(_attend, now=now), of=Group, claim=False)
    # Prepared, too: the monitor asks at each event, at the moment when its subscribers are told.
    [(following,)] = prepared.rows("SELECT min(due_at) FROM continuity_group WHERE due_at > %s", [now])
    return min(following, now + LONGEST) if following is not None else None


def _attend(group_id: UUID, *, now: datetime) -> None:
    turns.attend(group_id=group_id, now=now)
