"""The bus beside what it stands on: a raw Valkey stream, PostgreSQL's NOTIFY and its disk, in the same run."""

from __future__ import annotations

import time
from collections.abc import Iterator

import psycopg
from django.db import connection
from django.utils import timezone

from continuity.events.policies import ReplayPolicy
from continuity.models import Subscription, Team
from continuity.services.jobs import broker
from continuity.services.subscriptions import acknowledging, event_delivery, publishing, subscriptions
from continuity.services.subscriptions.acknowledging import ReportedOutcome
from continuity.services.subscriptions.publishing import AT_ONCE, Publication
from diagnostics.bench.rows import BenchRow, row

TOPIC = "bench:event"
ALIKE = 1.5  # how many times as long it may take beside more events
STREAM = "continuity:bench"
_PAST = """
INSERT INTO continuity_event
    (id, created_at, dispatched_at, relayed_at, team_id, name, payload, critical, correlation_id, attempts, position)
SELECT gen_random_uuid(), at, at, at, %s, 'bench.past', '{}', false, '', 0, nextval('continuity_event_position')
FROM (SELECT now() - interval '1 hour' * number / 280 AS at FROM generate_series(%s, 1, -1) AS number) AS past
"""


def measured(team: Team, n: int) -> Iterator[BenchRow]:
    """`publish` to the hand-out is within one process: the client adds its connection."""
    found, _ = subscriptions.subscribe(team=team, name="bench", pattern="bench:*", policy=ReplayPolicy.FULL)
    yield row("a raw Valkey stream, write and read", [_valkey(number) for number in range(n)])
    yield row("PostgreSQL NOTIFY, commit and wake", list(_notify(n)))
    yield row("one row in PostgreSQL, until it is on the disk", list(_on_disk(n)))
    pairs = [_once(team, found) for _ in range(n)]
    yield row("publish one event", [publish for publish, _ in pairs])
    yield row("publish() to hand-out", [whole for _, whole in pairs], specified_ms=10, target_ms=10)
    yield row("commit to hand-out", [whole - publish for publish, whole in pairs], target_ms=3)
    yield row("replay 1,000 missed events", [_replay(team, found) for _ in range(max(3, n // 10))], specified_ms=200, target_ms=200)
    yield row("publish 100 events at once", [_publish(team, AT_ONCE) for _ in range(n)], target_ms=100)
    _age(team, hours=1)
    hour = row("publish one event beside an hour of them", [_publish(team, 1) for _ in range(n)])
    yield hour
    _age(team, hours=30 * 24)
    yield row("publish one event beside 30 days of them", [_publish(team, 1) for _ in range(n)], target_ms=ALIKE * hour.p95_ms)


def _publish(team: Team, number: int) -> float:
    begun = time.perf_counter()
    publications = [Publication(TOPIC, {"n": each}) for each in range(number)]
    publishing.publish(team=team, publications=publications, publisher="bench", now=timezone.now())
    return (time.perf_counter() - begun) * 1000


def _once(team: Team, found: Subscription) -> tuple[float, float]:
    begun = time.perf_counter()
    published = _publish(team, 1)
    taken = event_delivery.take(team=team, subscription_id=found.id, now=timezone.now())
    whole = (time.perf_counter() - begun) * 1000
    _handled(team, found, taken)
    return published, whole


def _replay(team: Team, found: Subscription) -> float:
    for _ in range(1000 // AT_ONCE):
        _publish(team, AT_ONCE)
    begun = time.perf_counter()
    subscriptions.begin(team=team, subscription_id=found.id, now=timezone.now())
    taken = event_delivery.take(team=team, subscription_id=found.id, now=timezone.now(), limit=1000)
    took = (time.perf_counter() - begun) * 1000
    if len(taken.items) != 1000:
        raise RuntimeError(f"{len(taken.items)} of 1,000 events were replayed")
    _handled(team, found, taken)
    return took


def _handled(team: Team, found: Subscription, taken: event_delivery.TakenEvents) -> None:
    told = [ReportedOutcome(item.event.id) for item in taken.items]
    acknowledging.acknowledge(team=team, subscription_id=found.id, told=told, now=timezone.now())


def _age(team: Team, *, hours: int) -> None:
    """280 events more for each of the last hours, as they would stand there."""
    with connection.cursor() as cursor:
        cursor.execute(_PAST, [team.id, 280 * hours])
        cursor.execute("ANALYZE continuity_event")


def _valkey(number: int) -> float:
    begun = time.perf_counter()

    def work(client: broker.Client) -> None:
        id = client.xadd(STREAM, {"n": number}, maxlen=1000)
        client.xrange(STREAM, id, id)

    broker.try_call(work)
    return (time.perf_counter() - begun) * 1000


def _notify(n: int) -> Iterator[float]:
    own = connection.get_connection_params()
    where = {name: own[name] for name in ("dbname", "user", "password", "host", "port") if own.get(name)}
    with psycopg.connect(**where, autocommit=True) as listener, connection.cursor() as cursor:
        listener.execute("LISTEN continuity_bench")
        for _ in range(n):
            begun = time.perf_counter()
            cursor.execute("NOTIFY continuity_bench")
            next(listener.notifies(timeout=5, stop_after=1), None)
            yield (time.perf_counter() - begun) * 1000


def _on_disk(n: int) -> Iterator[float]:
    """What no publishing that outlives a crash can be faster than. A table of its own, which goes."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE continuity_bench (n int)")
        try:
            for number in range(n):
                begun = time.perf_counter()
                cursor.execute("INSERT INTO continuity_bench VALUES (%s)", [number])
                yield (time.perf_counter() - begun) * 1000
        finally:
            cursor.execute("DROP TABLE continuity_bench")
