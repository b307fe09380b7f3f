"""Log lines: FR-045's fields, and a readable form for terminals."""

from __future__ import annotations

import json
import logging
import sys

import pytest

from config.correlation import correlated
from config.logging import LineFormatter, configuration


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
