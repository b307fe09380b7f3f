"""One trace from recording to resuming, over requests and a worker; log lines carry it."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from celery.contrib.testing.worker import start_worker
from django.conf import settings
from django.utils import timezone
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from config import task_context, telemetry
from config.celery import app
from config.logging import LineFormatter
from continuity.client.connection import headers_of
from continuity.client.credentials import Credentials
from continuity.client.events import ReceivedEvent, Subscriber
from continuity.core import tracing
from continuity.core.correlation import correlated
from continuity.live import event_json
from continuity.models import DeadLetter, Event, Team
from continuity.services.events import bus, redelivery
from continuity.services.subscriptions import sending
from continuity.services.subscriptions.event_delivery import HandedEvent
from tests.api.caller import Caller, person
from tests.events import receiving
from tests.events.test_bus import subscribed, taken
from tests.events.test_webhooks import LOCAL, hooked
from tests.platform.running import eventually

if TYPE_CHECKING:
    from pytest_django.live_server_helper import LiveServer

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
FROM_AN_AGENT = f"00-{TRACE}-00f067aa0ba902b7-01"


def wire_of(item: HandedEvent) -> dict[str, Any]:
    """What a subscriber over HTTP gets."""
    told: dict[str, Any] = json.loads(json.dumps(event_json.as_json(item, timezone.now())))
    return told


@pytest.fixture
def exporter() -> Iterator[InMemorySpanExporter]:
    kept = InMemorySpanExporter()
    telemetry.instrument(telemetry.provider("web", settings.TRACE_SAMPLE_RATIO, SimpleSpanProcessor(kept)))
    yield kept
    telemetry.stop_instrumenting()


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A real worker on the real broker, in a thread, so that its spans come to the same exporter; its connection ends with each task."""
    monkeypatch.setattr(task_context, "KEPT_SECONDS", 0)
    app.loader.import_default_modules()
    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=30):
        yield


def by_name(exporter: InMemorySpanExporter, name: str) -> list[ReadableSpan]:
    return [span for span in exporter.get_finished_spans() if span.name == name]


def ancestors(exporter: InMemorySpanExporter, span: ReadableSpan) -> list[str]:
    known = {other.context.span_id: other for other in exporter.get_finished_spans() if other.context}
    names = []
    while span.parent is not None and span.parent.span_id in known:
        span = known[span.parent.span_id]
        names.append(span.name)
    return names


@pytest.mark.django_db(transaction=True)
def test_it_works(team: Team, exporter: InMemorySpanExporter, worker: None) -> None:
    """Record, distil (in the worker), prepare (in the worker), validate, resume: one trace, begun by the agent that calls."""
    agent = Caller.of(team)
    conversation = agent.open(title="Traced")
    exporter.clear()

    def spans(name: str) -> list[ReadableSpan]:
        return by_name(exporter, name)

    said = {"messages": [person("Use Postgres for the queue, never Redis.")]}
    assert agent.post(f"/conversations/{conversation}/messages", said, traceparent=FROM_AN_AGENT).status_code == 201
    assert eventually(lambda: bool(spans("run/continuity.distil")))
    submitted = agent.post(f"/conversations/{conversation}/handoffs?wait=false", {}, traceparent=FROM_AN_AGENT)
    assert eventually(lambda: agent.get(f"/jobs/{submitted.json()['id']}").json()["status"] == "done")
    handoff = agent.get(f"/jobs/{submitted.json()['id']}").json()["result"]["handoff_id"]
    assert agent.post(f"/handoffs/{handoff}/resume", {}, traceparent=FROM_AN_AGENT).status_code == 201
    assert eventually(lambda: bool(spans("run/continuity.run_job")))

    for step in ("record", "distil", "prepare", "validate", "resume"):
        assert spans(f"continuity.{step}"), step
        found = {f"{span.context.trace_id:032x}" for span in spans(f"continuity.{step}") if span.context}
        # The worker may also distil what other tests left to be done, in traces of its own.
        assert found == {TRACE} or (step == "distil" and TRACE in found), step
    assert any("run/continuity.distil" in ancestors(exporter, span) for span in spans("continuity.distil"))
    assert "run/continuity.run_job" in ancestors(exporter, spans("continuity.prepare")[0])
    assert "continuity.prepare" in ancestors(exporter, spans("continuity.validate")[0])
    assert any("continuity.resume" in ancestors(exporter, span) for span in spans("continuity.validate"))


@pytest.mark.django_db(transaction=True)
def test_fr044_what_an_agent_does_is_one_trace(team: Team, exporter: InMemorySpanExporter) -> None:
    """Registering, beating, opening a conversation, publishing, dying."""
    agent = Caller.of(team, ("agent", "read", "write"))

    def post(path: str, body: dict[str, object], status: int = 200) -> dict[str, Any]:
        answer = agent.post(path, body, traceparent=FROM_AN_AGENT)
        assert answer.status_code == status, answer.content
        return dict(answer.json()) if answer.content else {}

    told = post("/agents", {"name": "clerk", "runner": "here", "topics": ["task:*"]}, 201)
    shown = {"epoch": told["epoch"], "instance": told["instance"]}
    post("/agents/clerk/ready", shown)
    post("/agents/heartbeats", {"runner": "here", "beats": [{"agent": "clerk", **shown}]})
    post("/agents/clerk/conversation", shown, 201)
    post("/events", {"events": [{"topic": "task:done", "payload": {}}]}, 201)
    died = post("/agents/clerk/ended", {**shown, "cause": "killed", "signal": 9})
    assert died["action"] == "restart"
    spans = [span for span in exporter.get_finished_spans() if span.name.startswith(("continuity.agent.", "continuity.event."))]
    steps = ("agent.register", "agent.ready", "agent.beat", "agent.open", "event.publish", "agent.ended")
    assert {span.name for span in spans} >= {f"continuity.{step}" for step in steps}
    assert {f"{span.context.trace_id:032x}" for span in spans if span.context} == {TRACE}


def test_a_log_line_carries_the_trace_at_hand(exporter: InMemorySpanExporter) -> None:
    record = logging.getLogger("continuity.handoffs").makeRecord("continuity.handoffs", logging.INFO, __file__, 1, "m", (), None)
    with tracing.span("continuity.prepare"):
        inside = json.loads(LineFormatter(console=False).format(record))
    outside = json.loads(LineFormatter(console=False).format(record))
    (span,) = by_name(exporter, "continuity.prepare")
    assert span.context is not None
    assert inside["trace_id"] == f"{span.context.trace_id:032x}"
    assert "trace_id" not in outside


def test_a_span_tells_nothing_that_an_error_says(exporter: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="a word"), tracing.span("continuity.prepare"):
        raise ValueError("a word of a conversation")
    (span,) = by_name(exporter, "continuity.prepare")
    assert "a word" not in span.to_json()
    assert span.status.description == "ValueError"


def test_without_tracing_a_step_is_just_done() -> None:
    with tracing.span("continuity.prepare"):
        assert tracing.current_trace_id() == ""


@pytest.mark.django_db(transaction=True)
def test_an_event_carries_trace_and_correlation_id_to_whoever_handles_it(
    team: Team, exporter: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """A subscriber over HTTP, a webhook, and a handler of ours to which only a sweep gives the event."""
    settings.CONTINUITY_WEBHOOK_HOSTS = LOCAL
    monkeypatch.setattr(bus, "_handlers", {**bus._handlers, "event.published": []})
    lines: list[str] = []

    def handle(event: Event) -> None:
        if len(lines) == 0:
            lines.append("failed")
            raise ValueError
        record = logging.getLogger("tests").makeRecord("tests", logging.INFO, __file__, 1, "Handled", (), None)
        lines.append(LineFormatter(console=False).format(record))

    bus.on("event.published")(handle)
    found = subscribed(team, pattern="task:*")
    agent = Caller.of(team, ("agent", "read", "write"))
    with receiving.receiver() as receiver:
        hooked(team, receiver.url)
        body = {"events": [{"topic": "task:done", "payload": {}}]}
        assert agent.post("/events", body, traceparent=FROM_AN_AGENT, x_correlation_id="work-7").status_code == 201
        sending.WebhookSender()(timezone.now())
        assert eventually(lambda: len(receiver.got) == 1)
    headers = {name.lower(): value for name, value in receiver.got[0][0].items()}
    (item,) = [wire_of(item) for item in taken(found).items]
    for told in (headers | {"correlation_id": headers["x-correlation-id"]}, item):
        assert (told["correlation_id"], told["traceparent"].split("-")[1]) == ("work-7", TRACE)
    with correlated("the-sweep"):
        DeadLetter.objects.update(retry_at=timezone.now())
        assert redelivery.sweep(now=timezone.now()) == 1
    line = json.loads(lines[1])
    assert (line["correlation_id"], line["trace_id"]) == ("work-7", TRACE)


@pytest.mark.django_db(transaction=True)
def test_what_a_handler_in_the_client_calls_goes_on_in_the_trace_of_the_event(
    team: Team, exporter: InMemorySpanExporter, live_server: LiveServer, caplog: pytest.LogCaptureFixture
) -> None:
    found, agent = subscribed(team, pattern="task:*"), Caller.of(team, ("agent", "read", "write"))
    subscriber = Subscriber("clerk", url=live_server.url, key=agent.key)

    sent: dict[str, str] = {}

    @subscriber.on("task:asked")
    def answer(event: ReceivedEvent) -> None:
        subscriber.publish("task:answered")
        sent.update(headers_of(Credentials("http://127.0.0.1", "")))
        raise ValueError

    body = {"events": [{"topic": "task:asked"}]}
    assert agent.post("/events", body, traceparent=FROM_AN_AGENT, x_correlation_id="work-8").status_code == 201
    subscriber._hold(wire_of(taken(found).items[0]))
    assert not subscriber._handle(subscriber._arrived.get_nowait())
    assert Event.objects.get(topic="task:answered").correlation_id == "work-8"
    assert sent["traceparent"].split("-")[1] == TRACE
    assert "traceparent" not in headers_of(Credentials("http://127.0.0.1", "")), "what follows later has another cause"
    assert "The handler of task:asked failed (correlation id work-8)" in caplog.text
