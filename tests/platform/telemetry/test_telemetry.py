"""Traces: sampled as configured, nothing imported or exported without an address."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from config import telemetry
from tests.platform.running import PROJECT, clean_environment


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    telemetry.instrument(telemetry.provider("web", settings.TRACE_SAMPLE_RATIO, SimpleSpanProcessor(exporter)))
    yield exporter
    telemetry.stop_instrumenting()


def test_it_works(spans: InMemorySpanExporter) -> None:
    Client().get("/api/docs")
    (span,) = spans.get_finished_spans()
    assert span.name == "GET api/docs"
    assert span.resource.attributes["service.name"] == "continuity"
    assert span.resource.attributes["continuity.component"] == "web"


@pytest.mark.django_db
def test_query_spans_hold_no_values(spans: InMemorySpanExporter) -> None:
    from django.contrib.auth import get_user_model

    get_user_model().objects.filter(email="someone@example.com").exists()
    statements = [str(span.attributes.get("db.statement", "")) for span in spans.get_finished_spans() if span.attributes]
    assert not any("someone@example.com" in statement for statement in statements)


@pytest.mark.parametrize(("ratio", "kept"), [(0.0, 0), (1.0, 20)])
def test_ratio_decides_how_many_traces_are_kept(ratio: float, kept: int) -> None:
    exporter = InMemorySpanExporter()
    tracer = telemetry.provider("worker", ratio, SimpleSpanProcessor(exporter)).get_tracer("test")
    for _ in range(20):
        with tracer.start_as_current_span("work"):
            pass
    assert len(exporter.get_finished_spans()) == kept


def test_without_an_address_nothing_is_imported(tmp_path: Path) -> None:
    code = (
        "import sys, django; django.setup(); from config import telemetry; telemetry.configure_from_environment('web');"
        "print([name for name in sys.modules if name.startswith(('opentelemetry.exporter', 'opentelemetry.instrumentation'))])"
    )
    env = clean_environment(tmp_path, DJANGO_SETTINGS_MODULE="config.settings")
    said = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=env, text=True, capture_output=True, check=True).stdout
    assert said.strip() == "[]"
