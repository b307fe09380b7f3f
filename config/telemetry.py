"""OpenTelemetry traces: sampled at TRACE_SAMPLE_RATIO, exported only where OTEL_EXPORTER_OTLP_ENDPOINT is set (FR-044, FR-046).

Without an endpoint nothing of OpenTelemetry is imported.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


def configure_from_environment(component: str) -> None:
    """Start tracing this process (`component` is web or worker) if an exporter's address is given."""
    if not any(os.environ.get(name) for name in ENDPOINTS):
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    tracing = provider(component, settings.TRACE_SAMPLE_RATIO, BatchSpanProcessor(OTLPSpanExporter()))
    from opentelemetry import trace

    trace.set_tracer_provider(tracing)
    instrument(tracing)


def provider(component: str, ratio: float, processor: SpanProcessor) -> TracerProvider:
    """Return a tracer provider that keeps `ratio` (0 to 1) of new traces and follows a caller's decision on its own."""
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    resource = Resource.create(
        {"service.name": "continuity", "service.version": settings.CONTINUITY_VERSION, "continuity.component": component}
    )
    made = TracerProvider(sampler=ParentBased(TraceIdRatioBased(ratio)), resource=resource)
    made.add_span_processor(processor)
    return made


def instrument(tracing: TracerProvider) -> None:
    """Trace requests, tasks, queries (without their values) and broker calls."""
    for instrumentor in _instrumentors():
        instrumentor.instrument(tracer_provider=tracing)


def stop_instrumenting() -> None:
    """Undo `instrument`, for a process that goes on without tracing."""
    for instrumentor in _instrumentors():
        instrumentor.uninstrument()


def _instrumentors() -> list[Any]:
    from opentelemetry.instrumentation.celery import CeleryInstrumentor
    from opentelemetry.instrumentation.django import DjangoInstrumentor
    from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
    from opentelemetry.instrumentation.redis import RedisInstrumentor

    kinds: list[Any] = [DjangoInstrumentor, CeleryInstrumentor, PsycopgInstrumentor, RedisInstrumentor]
    return [kind() for kind in kinds]
