"""OpenTelemetry: traces, sampled at TRACE_SAMPLE_RATIO, and log lines; exported only where OTEL_EXPORTER_OTLP_ENDPOINT is set (FR-046).

Without an endpoint nothing of OpenTelemetry is imported.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from django.conf import settings

from continuity.core import tracing as spans

if TYPE_CHECKING:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
    from opentelemetry.trace import Tracer

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
LOG_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT")


def configure_from_environment(component: str) -> None:
    """Start tracing this process (`component` is web, worker or monitor), and sending its log lines, where an address is given for it."""
    if any(os.environ.get(name) for name in LOG_ENDPOINTS):
        import_module("config.otlp_logs").begin(_resource(component))
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
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    made = TracerProvider(sampler=ParentBased(TraceIdRatioBased(ratio)), resource=_resource(component))
    made.add_span_processor(processor)
    return made


def _resource(component: str) -> Resource:
    from opentelemetry.sdk.resources import Resource

    about = {"service.name": "continuity", "service.version": settings.CONTINUITY_VERSION, "continuity.component": component}
    return Resource.create(about)


def instrument(tracing: TracerProvider) -> None:
    """Trace requests, tasks, queries (without their values), broker calls, and our own steps."""
    for instrumentor in _instrumentors():
        instrumentor.instrument(tracer_provider=tracing)
    ours = tracing.get_tracer("continuity", settings.CONTINUITY_VERSION)
    spans.use(spans.Tracing(partial(_step, ours), _current_trace_id, _current_traceparent))


@contextmanager
def _step(tracer: Tracer, name: str, traceparent: str) -> Iterator[None]:
    """A span of our own; of an error it tells the class, since its message may hold a conversation's words."""
    from opentelemetry.trace import Status, StatusCode
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    caused = TraceContextTextMapPropagator().extract({"traceparent": traceparent}) if traceparent else None
    with tracer.start_as_current_span(name, caused, record_exception=False, set_status_on_exception=False) as span:
        try:
            yield
        except Exception as error:
            span.set_status(Status(StatusCode.ERROR, type(error).__name__))
            raise


def _current_trace_id() -> str:
    from opentelemetry import trace

    context = trace.get_current_span().get_span_context()
    return trace.format_trace_id(context.trace_id) if context.is_valid else ""


def _current_traceparent() -> str:
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get("traceparent", "")


def stop_instrumenting() -> None:
    """Undo `instrument`, for a process that goes on without tracing."""
    spans.use(None)
    for instrumentor in _instrumentors():
        instrumentor.uninstrument()


def _instrumentors() -> list[Any]:
    from opentelemetry.instrumentation.celery import CeleryInstrumentor
    from opentelemetry.instrumentation.django import DjangoInstrumentor
    from opentelemetry.instrumentation.psycopg import PsycopgInstrumentor
    from opentelemetry.instrumentation.redis import RedisInstrumentor

    kinds: list[Any] = [DjangoInstrumentor, CeleryInstrumentor, PsycopgInstrumentor, RedisInstrumentor]
    return [kind() for kind in kinds]
