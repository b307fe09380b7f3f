"""Event handlers of continuity."""

from continuity.models import Event
from continuity.services.agents import degrading
from continuity.services.events.bus import on


@on("subscription.degraded")
def degrade_agent(event: Event) -> None:
    """Half of what its subscriber had missed failed: the agent goes on, and says that it does not know all (FR-009a)."""
    if event.subject_id is not None:
        degrading.degrade(subscription_id=event.subject_id, now=event.created_at)
