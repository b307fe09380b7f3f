"""The metrics as OpenTelemetry points, sent over OTLP (HTTP). Imported only where an address is set."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import Any

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    Gauge,
    Histogram,
    HistogramDataPoint,
    Metric,
    MetricExportResult,
    MetricsData,
    NumberDataPoint,
    ResourceMetrics,
    ScopeMetrics,
    Sum,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope

from diagnostics.measuring.instruments import Instrument, InstrumentKind
from diagnostics.measuring.points import MetricPoint

# The meter of CONT-06.
METER, METER_VERSION = "Lexichord.Agents.Continuity", "1.0.0"
CUMULATIVE = AggregationTemporality.CUMULATIVE


def send(points: Iterable[MetricPoint], *, now: datetime, version: str) -> bool:
    """Exports to where OTEL_EXPORTER_OTLP_ENDPOINT (or …_METRICS_ENDPOINT) says. Whether it was taken."""
    exporter = OTLPMetricExporter()
    try:
        return exporter.export(metrics_data(points, now=now, version=version)) is MetricExportResult.SUCCESS
    finally:
        exporter.shutdown()


def metrics_data(points: Iterable[MetricPoint], *, now: datetime, version: str) -> MetricsData:
    """All points, cumulative since each began; one source for the whole installation, whichever process sends them."""
    resource = Resource.create({"service.name": "continuity", "service.version": version, "service.instance.id": "continuity"})
    ordered = sorted(points, key=lambda point: point.instrument.name)
    metrics = [_metric(instrument, list(family), now) for instrument, family in groupby(ordered, key=lambda point: point.instrument)]
    scope = ScopeMetrics(InstrumentationScope(METER, METER_VERSION), metrics, "")
    return MetricsData([ResourceMetrics(resource, [scope], "")])


def _metric(instrument: Instrument, points: list[MetricPoint], now: datetime) -> Metric:
    at = _nanoseconds(now)
    data: Sum | Gauge | Histogram
    match instrument.kind:
        case InstrumentKind.COUNTER:
            data = Sum([_number(point, at) for point in points], CUMULATIVE, is_monotonic=True)
        case InstrumentKind.GAUGE:
            data = Gauge([_number(point, at) for point in points])
        case InstrumentKind.HISTOGRAM:
            data = Histogram([_histogram(point, at) for point in points], CUMULATIVE)
    return Metric(instrument.name, instrument.description, instrument.unit, data)


def _number(point: MetricPoint, at: int) -> NumberDataPoint:
    return NumberDataPoint(dict(point.labels), _since(point, at), at, point.total)


def _histogram(point: MetricPoint, at: int) -> HistogramDataPoint:
    unknown: Any = None  # The protocol leaves smallest and largest out where they are not kept.
    bounds = point.instrument.bounds
    return HistogramDataPoint(
        dict(point.labels), _since(point, at), at, point.count, point.total, point.buckets, bounds, min=unknown, max=unknown
    )


def _since(point: MetricPoint, at: int) -> int:
    return _nanoseconds(point.since) if point.since else at


def _nanoseconds(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000_000) * 1000
