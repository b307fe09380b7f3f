"""FR-037, FR-043, FR-047, FR-048, FR-049: figures of operation, by their names."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from config.middleware.request_tally import RequestTally
from continuity.core.operation import stops
from continuity.core.operation.stops import LastStop
from continuity.models import Team
from continuity.services.agents import usage
from continuity.services.events import events
from continuity.services.jobs import broker
from continuity.services.subscriptions import meters
from diagnostics.measuring.exposition import exposition
from diagnostics.measuring.instruments import INSTRUMENTS, InstrumentKind
from diagnostics.models import CustomSeries
from diagnostics.services.figures import custom
from tests.agents.runner import Runner
from tests.api.caller import Caller
from tests.factories import ConversationFactory
from tests.metrics.reading import scrape, value

pytestmark = pytest.mark.django_db
FR043 = {
    "session_count": InstrumentKind.GAUGE,
    "agent_health_status": InstrumentKind.GAUGE,
    "event_throughput": InstrumentKind.COUNTER,
    "error_rate": InstrumentKind.GAUGE,
    "session_restore_latency_ms": InstrumentKind.HISTOGRAM,
    "event_propagation_latency_ms": InstrumentKind.HISTOGRAM,
}


@pytest.fixture(autouse=True)
def nothing_counted_before() -> None:
    broker.try_call(lambda client: [client.delete(key) for key in client.scan_iter(f"{meters.KEY}*")])


def test_it_works(team: Team) -> None:
    """FR-043: every name, with its type, from something that really happened."""
    assert {name: INSTRUMENTS[name].kind for name in FR043} == FR043
    conversation = ConversationFactory.create(team=team)
    caller = Caller.of(team)
    caller.post(f"/conversations/{conversation.id}/messages", {"messages": [{"role": "user", "content": "Begin."}]})
    assert caller.get(f"/conversations/{conversation.id}/restore").status_code == 200
    found = scrape()
    assert found["session_restore_latency_ms_count", frozenset()] == 1
    for share in ("p50", "p95", "p99"):
        assert found[f"session_restore_latency_{share}_ms", frozenset()] > 0
    assert found["event_throughput", frozenset()] >= 1
    assert found["session_count", frozenset()] == 0
    assert found["agent_health_status", frozenset({("status", "healthy")})] == 1


def test_fr043_agents_together_are_as_healthy_as_the_worst(team: Team) -> None:
    runner = Runner(team)
    runner.start("a", "b", threshold=0)
    assert value("agent_health_status", status="healthy") == 1
    runner.dies("a")
    assert (value("agent_health_status", status="healthy"), value("agent_health_status", status="critical")) == (0, 1)


def test_fr043_the_rate_of_errors_is_that_of_all_web_processes() -> None:
    async def answer(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": scope["status"], "headers": []})

    async def ask(tally: RequestTally, *statuses: int, path: str = "/api/v1/agents") -> None:
        for status in statuses:
            await tally({"type": "http", "path": path, "status": status}, None, _nowhere)  # type: ignore[arg-type]
        tally._told_at = 0.0
        while tally._telling is not None and not tally._telling.done():
            await asyncio.sleep(0.01)

    async def two_processes() -> None:
        one, other = RequestTally(answer), RequestTally(answer)
        await ask(one, 200)
        await ask(one, 404, 500)
        await ask(one, 200)
        await ask(other, 503)
        await ask(one, 503, path="/ready")  # who watches is no load
        await ask(one, 201)

    asyncio.run(two_processes())
    assert meters.requests_of_the_last_minutes(now=timezone.now()) == (6, 2)
    assert value("error_rate") == pytest.approx(100 * 2 / 6)


async def _nowhere(message: Any) -> None:
    """The other end of an answer."""


def test_fr047_how_long_choosing_a_speaker_took_is_told_from_its_event(team: Team) -> None:
    with transaction.atomic():
        for milliseconds in (2.0, 4.0, 60.0):
            events.publish(name="group.speaker_selected", team=team, subject_id=uuid4(), payload={"took_ms": milliseconds})
    assert value("speaker_selection_latency_ms_count") == 3
    median, high = value("speaker_selection_latency_p50_ms"), value("speaker_selection_latency_p95_ms")
    assert median is not None
    assert high is not None
    assert 3 <= median <= 5
    assert 50 <= high <= 100


def test_fr048_what_agents_use_is_told_as_their_runner_said(team: Team) -> None:
    runner = Runner(team)
    runner.start("a", "b")
    used = {"cpu_cores": 0.25, "memory_bytes": 5_000_000, "disk_bytes_per_second": 1024.5}
    assert runner.beat("a", used=used).status_code == 200
    assert runner.beat("b").status_code == 200
    found = {name: labels for name, labels in scrape() if name in ("agent_cpu_cores", "agent_memory_bytes")}
    assert found.keys() == {"agent_cpu_cores", "agent_memory_bytes"}
    (agent,) = (dict(labels)["agent_id"] for name, labels in scrape() if name == "agent_cpu_cores")
    assert value("agent_cpu_cores", agent_id=agent) == 0.25
    assert value("agent_memory_bytes", agent_id=agent) == 5_000_000
    assert value("agent_disk_io_bytes_per_second", agent_id=agent) == 1024.5
    late = int(timezone.now().timestamp() * 1000) + usage.FRESH_MS + 5000
    assert usage.of([UUID(agent)], now_ms=late) == {}


def test_fr049_a_team_brings_its_own(team: Team, other_team: Team) -> None:
    caller = Caller.of(team)
    mine = [
        {"name": "examples", "value": 3, "labels": {"split": "train"}},
        {"name": "loss", "kind": "gauge", "value": 0.7},
        {"name": "step_ms", "kind": "histogram", "value": 42},
    ]
    for _ in range(2):
        assert caller.post("/metrics/custom", {"metrics": mine}).status_code == 204
    assert (
        Caller.of(other_team).post("/metrics/custom", {"metrics": [{"name": "examples", "kind": "gauge", "value": 9}]}).status_code == 204
    )
    assert value("custom_examples_total", split="train", team_id=team.id) == 6
    assert value("custom_loss", team_id=team.id) == 0.7
    assert value("custom_step_ms_histogram_count", team_id=team.id) == 2
    told = exposition(custom.points(most=100))
    types = {line.split()[2]: line.split()[3] for line in told.splitlines() if line.startswith("# TYPE")}
    assert types == {
        "custom_examples_total": "counter",
        "custom_examples": "gauge",  # another team's
        "custom_loss": "gauge",
        "custom_step_ms_histogram": "histogram",
    }


@pytest.mark.parametrize(
    ("sample", "status"),
    [
        ({"name": "Big"}, 422),
        ({"name": "x" * 61}, 422),
        ({"name": "x_total"}, 422),
        ({"name": "x", "value": -1}, 422),
        ({"name": "x", "kind": "gauge", "value": 1e300}, 422),
        ({"name": "x", "labels": {"team_id": "other"}}, 422),
        ({"name": "x", "labels": {f"l{each}": "v" for each in range(6)}}, 422),
        ({"name": "known", "kind": "gauge"}, 409),
    ],
    ids=["capital", "long", "ending", "falls", "huge", "reserved", "labels", "kind"],
)
def test_fr049_what_cant_be_told_is_refused(team: Team, sample: dict[str, Any], status: int) -> None:
    caller = Caller.of(team)
    assert caller.post("/metrics/custom", {"metrics": [{"name": "known"}]}).status_code == 204
    assert caller.post("/metrics/custom", {"metrics": [{"name": "good"}, sample]}).status_code == status
    assert list(CustomSeries.objects.values_list("name", flat=True)) == ["known"], "all or nothing"


def test_fr049_names_and_series_are_bounded_and_quiet_ones_make_room(team: Team) -> None:
    caller = Caller.of(team)

    def bring(first: int, number: int, name: str = "n") -> int:
        told = [{"name": name, "labels": {"l": str(each)}} for each in range(first, first + number)]
        return int(caller.post("/metrics/custom", {"metrics": told}).status_code)

    assert [bring(0, 100), bring(100, 100), bring(200, 1)] == [204, 204, 429]
    assert caller.post("/metrics/custom", {"metrics": [{"name": "n", "labels": {"l": "7"}}]}).status_code == 204, "what is there goes on"
    CustomSeries.objects.filter(labels=[["l", "3"]]).update(updated_at=timezone.now() - custom.QUIET * 2)
    assert bring(200, 1) == 204
    assert CustomSeries.objects.count() == custom.MOST_SERIES
    CustomSeries.objects.all().delete()
    assert [bring(0, 1, f"n{each}") for each in range(custom.MOST_NAMES + 1)] == [204] * custom.MOST_NAMES + [429]


def test_fr049_a_secret_in_a_label_is_masked(team: Team) -> None:
    secret = "ghp_" + "a1B2" * 9
    Caller.of(team).post("/metrics/custom", {"metrics": [{"name": "n", "labels": {"token": secret}}]})
    assert secret not in exposition(custom.points(most=10))


def test_fr054_the_next_start_tells_how_long_the_last_stop_took(tmp_path: Path, settings: Any) -> None:
    settings.CONTINUITY_DATA_DIR = tmp_path
    assert value("shutdown_duration_seconds") is None
    stops.write(tmp_path, LastStop(4.25, 50))
    assert value("shutdown_duration_seconds") == 4.25
    (tmp_path / stops.NAME).write_text("{torn")
    assert value("shutdown_duration_seconds") is None
