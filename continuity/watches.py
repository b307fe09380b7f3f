"""The monitor's watches for the bus, for agents, and for groups."""

from datetime import datetime, timedelta

from continuity.services.agents.agent_watch import AgentWatch
from continuity.services.events import relay
from continuity.services.groups import group_watch
from continuity.services.monitor import watches
from continuity.services.subscriptions import sending


def relay_left(now: datetime) -> datetime | None:
    """Events whose process died between their commit and their telling wait for a second, not for the sweep."""
    relay.relay_pending()
    return now + timedelta(seconds=1)


watches.register("relay", relay_left)
watches.register("webhooks", sending.WebhookSender(), on_news=True)
watches.register("hanging subscribers", sending.bury_hanging)
watches.register("agents", AgentWatch())
watches.register("groups", group_watch.watch, on_news=True, rest=timedelta(milliseconds=20))
