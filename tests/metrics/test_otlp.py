"""Metrics over OTLP: the same figures as `/metrics`, to where the environment says, and nowhere else."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

from diagnostics import tasks
from diagnostics.measuring.instruments import INSTRUMENTS, PERCENTILES, InstrumentKind
from handoffs.services.chains import resumption
from handoffs.services.packages import preparation
from handoffs.services.packages.authors import Author
from handoffs.services.ratings import rating
from handoffs.services.ratings.rating import Ratings
from tests.handoffs.story import story


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """A receiver on this machine; gives the metrics that came, by name."""
    came: list[Any] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            assert self.path == "/v1/metrics"
            came.append(ExportMetricsServiceRequest.FromString(body))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            """The test's own output stays clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    yield came
    server.shutdown()
    thread.join()
    server.server_close()


def worked(team):
    handoff = preparation.prepare(team=team, conversation_id=story(team, max_context_tokens=200_000).id, options=preparation.options_of())
    resumption.resume(team=team, handoff_id=handoff.id)
    return handoff


def metrics_in(request):
    (resource,) = request.resource_metrics
    (scope,) = resource.scope_metrics
    return {metric.name: metric for metric in scope.metrics}


def test_it_works(team, collector) -> None:
    handoff = worked(team)
    tasks.export_metrics()
    (request,) = collector
    metrics = metrics_in(request)
    assert request.resource_metrics[0].scope_metrics[0].scope.name == "Lexichord.Agents.Continuity"
    (point,) = metrics["lexichord.continuity.handoffs.total"].sum.data_points
    labels = {label.key: label.value.string_value for label in point.attributes}
    assert labels == {"conversation_id": str(handoff.conversation_id), "success": "true"}
    assert point.as_double == 1
    assert 0 < point.start_time_unix_nano <= point.time_unix_nano


def test_every_instrument_but_failures_and_conflicts_comes_with_its_kind(team, collector) -> None:
    handoff = worked(team)
    rating.rate(team=team, handoff_id=handoff.id, author=Author(), ratings=Ratings(useful=True))
    story(team)
    tasks.export_metrics()
    metrics = metrics_in(collector[0])
    failures = {
        "state_conflicts",
        "background_work_failures",
        "event_dead_letters",
        "continuity.rules.faults",
        "continuity.messages.skipped",
    }
    failures |= {name for name in INSTRUMENTS if name.startswith("agent_")} - {"agent_health_status"}  # none failed, and none is there
    idle = {gauge.name for gauges in PERCENTILES.values() for gauge in gauges.values()} | {"error_rate"}  # nobody asked for anything lately
    never = {
        "shutdown_duration_seconds",
        "uptime_share",
        "speaker_selection_latency_ms",
    }  # it was never stopped, and nobody looked whether it was ready
    present = set(metrics) - idle
    assert set(INSTRUMENTS) - present == {"lexichord.continuity.handoffs.failed", "optimistic_lock_conflicts", *failures, *idle, *never}
    kinds = {InstrumentKind.COUNTER: "sum", InstrumentKind.GAUGE: "gauge", InstrumentKind.HISTOGRAM: "histogram"}
    assert {name: metric.WhichOneof("data") for name, metric in metrics.items()} == {
        name: kinds[INSTRUMENTS[name].kind] for name in metrics
    }
    assert metrics["lexichord.continuity.handoffs.total"].sum.is_monotonic


def test_a_histogram_keeps_its_buckets(team, collector) -> None:
    worked(team)
    tasks.export_metrics()
    (point,) = metrics_in(collector[0])["lexichord.continuity.handoff.latency"].histogram.data_points
    assert sum(point.bucket_counts) == point.count == 1
    assert len(point.bucket_counts) == len(point.explicit_bounds) + 1
    assert not point.HasField("min")


def test_figures_go_on_from_one_export_to_the_next(team, collector) -> None:
    worked(team)
    tasks.export_metrics()
    worked(team)
    tasks.export_metrics()
    counts = [
        sum(point.as_double for point in metrics_in(request)["lexichord.continuity.handoffs.success"].sum.data_points)
        for request in collector
    ]
    assert counts == [1, 2]


def test_without_an_address_nothing_is_sent(team, collector, monkeypatch) -> None:
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT")
    worked(team)
    tasks.export_metrics()
    assert collector == []
