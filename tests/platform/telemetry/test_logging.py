"""Log lines: FR-045's fields, and a readable form for terminals."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.asgi import get_asgi_application
from django.db import OperationalError

from config.celery import app
from config.env import Environment
from config.logging import RUN_ID, LineFormatter, configuration
from config.middleware.time_limit import Site
from config.supervision import programs
from config.task_context import HEADER
from config.worker_request import CorrelatedRequest
from continuity.core.correlation import correlated
from diagnostics.alerting import channels
from diagnostics.alerting.rules import AlertRule
from diagnostics.alerting.saves import Raised
from tests.platform.running import PROJECT


def record(message: str, *arguments: object, **extra: object) -> logging.LogRecord:
    logger = logging.getLogger("continuity.store")
    return logger.makeRecord(logger.name, logging.WARNING, __file__, 1, message, arguments, None, extra=extra or None)


def test_it_works() -> None:
    with correlated("request-1"):
        line = LineFormatter(console=False).format(record("[CONT:STORE] Stored handoff %s", "h1", metadata={"tokens": 12}))
    shown = json.loads(line)
    assert list(shown) == ["timestamp", "level", "correlation_id", "component", "message", "metadata"]
    assert shown.pop("timestamp").endswith("Z")
    assert shown == {
        "level": "warning",
        "correlation_id": "request-1",
        "component": "continuity.store",
        "message": "[CONT:STORE] Stored handoff h1",
        "metadata": {"tokens": 12},
    }


def test_one_line_whatever_the_message_holds() -> None:
    line = LineFormatter(console=False).format(record("first\nsecond \x00 \ud800 é", metadata={"odd": {1, 2}, "self": object}))
    assert "\n" not in line
    assert json.loads(line)["message"].startswith("first\nsecond")


def test_other_extras_join_the_metadata_and_requests_do_not() -> None:
    shown = json.loads(LineFormatter(console=False).format(record("m", status_code=404, request=object())))
    assert shown["metadata"] == {"status_code": 404}


def test_exception_is_a_field() -> None:
    try:
        raise ValueError("broken")
    except ValueError:
        failed = record("failed")
        failed.exc_info = sys.exc_info()
    shown = json.loads(LineFormatter(console=False).format(failed))
    assert shown["exception"].endswith("ValueError: broken")
    assert shown["message"] == "failed"


def test_console_form_is_one_readable_line() -> None:
    line = LineFormatter(console=True).format(record("[CONT:CHAIN] extended", metadata={"chain": "c"}))
    assert line[8:] == " WARNING continuity.store  [CONT:CHAIN] extended  chain='c'"


@pytest.mark.parametrize(("chosen", "console"), [("json", False), ("console", True), ("auto", False)])
def test_format_follows_the_setting_and_auto_the_terminal(chosen: str, console: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    assert configuration(chosen, "INFO")["formatters"]["line"]["console"] is console


def shown_by(logger: str, work: Callable[[], object]) -> list[dict[str, Any]]:
    """The lines that a logger writes meanwhile."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(LineFormatter(console=False))
    logging.getLogger(logger).addHandler(handler)
    try:
        work()
    finally:
        logging.getLogger(logger).removeHandler(handler)
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_that_no_request_caused_has_the_id_of_the_start() -> None:
    first, second = (json.loads(LineFormatter(console=False).format(record("m"))) for _ in range(2))
    assert first["correlation_id"] == second["correlation_id"] == os.environ[RUN_ID]
    env = programs.environment(Path("data"))
    assert env[RUN_ID] == os.environ[RUN_ID], "all processes of a start have it"


@pytest.mark.django_db(transaction=True)
def test_djangos_own_line_of_a_request_has_its_id() -> None:
    parts = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not parts:
            await asyncio.Event().wait()
        return parts.pop()

    async def send(message: Any) -> None: ...

    site = Site(get_asgi_application())  # It sets the logs up anew.
    headers = [(b"host", b"localhost"), (b"x-correlation-id", b"mine-7")]
    scope = {"type": "http", "method": "GET", "path": "/nowhere", "headers": headers, "query_string": b""}
    (line,) = shown_by("django.request", lambda: asyncio.run(site(scope, receive, send)))
    assert (line["correlation_id"], line["metadata"]["status_code"]) == ("mine-7", 404)


def test_a_workers_line_of_a_task_that_takes_too_long_has_its_id() -> None:
    request: Any = CorrelatedRequest.__new__(CorrelatedRequest)
    request._request_dict, request.name, request.id = {HEADER: "asked-for-it"}, "continuity.sweep", "t1"
    (line,) = shown_by("celery.worker.request", lambda: request.on_timeout(True, 600))
    assert (line["correlation_id"], "Soft time limit" in line["message"]) == ("asked-for-it", True)
    assert app.Task.Request == "config.worker_request:CorrelatedRequest"


def test_the_web_server_logs_as_we_do() -> None:
    code = (
        "import json, logging, pathlib; from granian.log import LogLevels, configure_logging\n"
        "configure_logging(LogLevels.warning, json.loads(pathlib.Path('config/granian_logging.json').read_text()))\n"
        "logging.getLogger('_granian').error('Application callable raised an exception')\n"
    )
    env = {**os.environ, RUN_ID: "run-of-this", "LOG_FORMAT": "json"}
    told = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=env, capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(told.stderr)["correlation_id"] == "run-of-this"
    command = programs.web(PROJECT, {"CONTINUITY_DATA_DIR": "data"}, "127.0.0.1", 8000, Environment({})).command
    assert str(PROJECT / "config" / "granian_logging.json") in command


def test_the_line_of_an_alert_has_a_stack() -> None:
    now = datetime.now(UTC)
    alert = Raised(AlertRule.SAVES_FAIL_ON, "s1", "store_unavailable", 3, now, now)
    try:
        raise OperationalError("the connection is lost")
    except OperationalError as error:
        cause = error
    (with_cause,) = shown_by("continuity.alerts", lambda: channels.log(alert, cause))
    (without,) = shown_by("continuity.alerts", lambda: channels.log(alert))
    assert "OperationalError: the connection is lost" in with_cause["exception"]
    assert "test_the_line_of_an_alert_has_a_stack" in without["exception"]
