"""All that the metrics show now: what was counted, and what is so at this moment, read from the rows it is about."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db.models import Max, Sum
from django.utils import timezone

from continuity.agents import statuses
from continuity.agents.statuses import AgentStatus, OverallHealth
from continuity.core.operation import stops
from continuity.models import Agent, Conversation, ConversationStatus
from continuity.services.agents import capacity, usage
from continuity.services.subscriptions import meters
from diagnostics.measuring import instruments as of
from diagnostics.measuring.instruments import INSTRUMENTS
from diagnostics.measuring.points import OTHER, MetricPoint
from diagnostics.models import Series
from diagnostics.services.figures import custom, present, uptimes
from handoffs.models import Handoff, HandoffChain

IN_USE = [ConversationStatus.ACTIVE, ConversationStatus.IDLE]


def points() -> list[MetricPoint]:
    """Counters, histograms and gauges of the whole installation, with at most the configured number of ids in a label."""
    counted = [_point(row) for row in Series.objects.filter(instrument__in=INSTRUMENTS)]
    now = timezone.now()
    here = [*_stored_handoffs(), *_token_usage(), *_chain_lengths(), *_agents(now), *_operation(now)]
    return [*counted, *_bus(), *_recent(now), *here, *custom.points(most=settings.CONTINUITY_METRIC_IDS)]


def _point(row: Series) -> MetricPoint:
    own = [(row.id_label, row.subject)] if row.id_label else []
    labels = (*own, *((name, value) for name, value in row.labels))
    return MetricPoint(INSTRUMENTS[row.instrument], labels, row.count, row.total, row.buckets, row.since)


def _bus() -> Iterator[MetricPoint]:
    """What all processes counted of the bus in Valkey."""
    found = meters.read()
    for counter in of.BUS_COUNTERS:
        yield MetricPoint(counter, total=found.get(counter.name, 0))
    for each in of.BUS_HISTOGRAMS:
        buckets = [int(found.get(f"{each.name}|{number}", 0)) for number in range(len(each.bounds) + 1)]
        yield MetricPoint(each, (), int(found.get(f"{each.name}|count", 0)), found.get(f"{each.name}|sum", 0), buckets)


def _recent(now: datetime) -> Iterator[MetricPoint]:
    """Percentiles and the rate of errors of the last five minutes; none where nothing happened."""
    for name, gauges in of.PERCENTILES.items():
        for label, value in present.percentiles(name, now=now).items():
            yield MetricPoint(gauges[label], total=value)
    rate = present.error_rate(now=now)
    if rate is not None:
        yield MetricPoint(of.ERROR_RATE, total=rate)


def _operation(now: datetime) -> Iterator[MetricPoint]:
    yield MetricPoint(of.SESSIONS, total=capacity.of_installation())
    stop = stops.read(Path(settings.CONTINUITY_DATA_DIR))
    if stop is not None:
        yield MetricPoint(of.SHUTDOWN, total=stop.seconds)
    for month, share in uptimes.shares(now=now):
        yield MetricPoint(of.UPTIME, (("month", f"{month:%Y-%m}"),), total=100 * share)


def _stored_handoffs() -> Iterator[MetricPoint]:
    yield MetricPoint(of.STORED_HANDOFFS, total=Handoff.objects.count())


def _token_usage() -> Iterator[MetricPoint]:
    """The conversations used last, and the sum of the others."""
    rows = Conversation.objects.filter(status__in=IN_USE, message_count__gt=0)
    named = dict(rows.order_by("-updated_at").values_list("id", "context_tokens")[: settings.CONTINUITY_METRIC_IDS])
    rest = (rows.aggregate(all=Sum("context_tokens"))["all"] or 0) - sum(named.values())
    for conversation, tokens in named.items():
        yield MetricPoint(of.TOKEN_USAGE, ((of.CONVERSATION, str(conversation)),), total=tokens)
    if rest > 0:
        yield MetricPoint(of.TOKEN_USAGE, ((of.CONVERSATION, OTHER),), total=rest)


def _chain_lengths() -> Iterator[MetricPoint]:
    """The chains extended last, and the longest of the others."""
    rows = HandoffChain.objects.order_by("-last_activity_at")
    named = dict(rows.values_list("id", "total_handoffs")[: settings.CONTINUITY_METRIC_IDS])
    longest = HandoffChain.objects.exclude(id__in=named).aggregate(longest=Max("total_handoffs"))["longest"]
    for chain, length in named.items():
        yield MetricPoint(of.CHAIN_LENGTH, ((of.CHAIN, str(chain)),), total=length)
    if longest is not None:
        yield MetricPoint(of.CHAIN_LENGTH, ((of.CHAIN, OTHER),), total=longest)


def _agents(now: datetime) -> Iterator[MetricPoint]:
    """The status of the agents that changed last, as a set of states; that of all together; how many are degraded; what they use."""
    named = list(Agent.objects.order_by("-status_at").values_list("id", "status")[: settings.CONTINUITY_METRIC_IDS])
    for agent, status in named:
        for each in AgentStatus:
            yield MetricPoint(of.AGENT_HEALTH, (("agent_id", str(agent)), ("status", each.value)), total=float(each == status))
    present = frozenset(Agent.objects.values_list("status", flat=True).distinct())
    for health in OverallHealth:
        yield MetricPoint(of.AGENT_HEALTH, (("status", health.value),), total=float(health == statuses.overall(present)))
    yield MetricPoint(of.AGENTS_DEGRADED, total=Agent.objects.filter(status=AgentStatus.DEGRADED).count())
    for agent, used in usage.of([agent for agent, _ in named], now_ms=int(now.timestamp() * 1000)).items():
        for gauge, value in zip(of.RESOURCES, (used.cpu_cores, used.memory_bytes, used.disk_bytes_per_second), strict=True):
            yield MetricPoint(gauge, (("agent_id", str(agent)),), total=value)
