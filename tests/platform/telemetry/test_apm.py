"""FR-046: what goes to an APM with an API key, from settings alone: traces, metrics and log lines, all of one service."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.platform.running import PROJECT, clean_environment

KINDS: dict[str, Any] = {
    "/otlp/v1/traces": ExportTraceServiceRequest,
    "/otlp/v1/metrics": ExportMetricsServiceRequest,
    "/otlp/v1/logs": ExportLogsServiceRequest,
}
WORK = """
import logging, django
django.setup()
from config import telemetry
from continuity.core.correlation import correlated
from continuity.core.tracing import span
from diagnostics import otlp
from diagnostics.measuring.instruments import SESSIONS
from diagnostics.measuring.points import MetricPoint
from django.utils import timezone
telemetry.configure_from_environment("web")
with correlated("order-7"), span("continuity.agent.beat"):
    logging.getLogger("continuity.agents").warning("A line", extra={"metadata": {"agent": "clerk", "ids": [1, 2]}})
assert otlp.send([MetricPoint(SESSIONS, total=3)], now=timezone.now(), version="1")
"""


@pytest.fixture
def apm() -> Iterator[tuple[int, dict[str, list[Any]]]]:
    """A receiver on this machine that lets in whoever has the key; its port, and what came, by path."""
    came: dict[str, list[Any]] = defaultdict(list)

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            known = self.headers.get("api-key") == "of-ours" and self.path in KINDS
            if known:
                came[self.path].append(KINDS[self.path].FromString(body))
            self.send_response(200 if known else 403)
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            """The test's own output stays clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server.server_port, came
    server.shutdown()
    thread.join()
    server.server_close()


def test_it_works(apm: tuple[int, dict[str, list[Any]]], tmp_path: Path) -> None:
    port, came = apm
    where = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{port}/otlp", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=of-ours"}
    env = clean_environment(tmp_path, DJANGO_SETTINGS_MODULE="config.settings", TRACE_SAMPLE_RATIO="1", **where)
    done = subprocess.run([sys.executable, "-c", WORK], cwd=PROJECT, env=env, text=True, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert came.keys() == KINDS.keys()
    (span,) = came["/otlp/v1/traces"][0].resource_spans[0].scope_spans[0].spans
    logs = came["/otlp/v1/logs"][0].resource_logs[0]
    (line,) = (each for each in logs.scope_logs[0].log_records if each.body.string_value == "A line")
    told = {each.key: each.value.string_value for each in line.attributes}
    assert (line.severity_text, told["component"], told["correlation_id"]) == ("WARNING", "continuity.agents", "order-7")
    assert (told["metadata.agent"], told["metadata.ids"]) == ("clerk", "[1, 2]")
    assert line.trace_id == span.trace_id, "a line leads to its trace"
    service = {each.key: each.value.string_value for each in logs.resource.attributes}
    assert (service["service.name"], service["continuity.component"]) == ("continuity", "web")
    assert '"message": "A line"' in done.stderr, "it is written too"
