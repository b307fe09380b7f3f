"""Log configuration: one JSON object per line for machines, one readable line on a terminal (FR-045).

Code logs through the standard library: `logging.getLogger(__name__).info("[CONT:STORE] …", extra={"metadata": {…}})`.
The correlation id of the request or task at hand is added to every line; to one that no request and no task caused, the id of the start
that its process belongs to.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from continuity.core.correlation import current_correlation_id
from continuity.core.error_categories import rule_of
from continuity.core.tracing import current_trace_id

if TYPE_CHECKING:
    from structlog.types import EventDict, WrappedLogger

# Attributes that every LogRecord has: anything else came through `extra=` and belongs in the metadata.
STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "metadata"}
# Objects that frameworks attach to their records; rendering them would print requests and headers.
UNPRINTABLE = frozenset({"request", "websocket", "data", "server_time", "status_code_class"})


RUN_ID = "CONTINUITY_RUN_ID"


def run_id() -> str:
    """The id of this start, the same in all processes that the supervisor starts."""
    return os.environ.setdefault(RUN_ID, f"run-{uuid4().hex[:12]}")


class LineFormatter(logging.Formatter):
    """Formats with structlog, which is imported with the first line only: a command that logs nothing does not pay for it.

    Where it is not told whether for a `console`, LOG_FORMAT tells.
    """

    def __init__(self, console: bool | None = None) -> None:
        super().__init__()
        self.console = _for_console(os.environ.get("LOG_FORMAT", "auto")) if console is None else console
        self._formatter: logging.Formatter | None = None

    def format(self, record: logging.LogRecord) -> str:
        if self._formatter is None:
            self._formatter = _structlog_formatter(self.console)
        return self._formatter.format(record)


def _structlog_formatter(console: bool) -> logging.Formatter:
    import structlog

    renderer: Any = readable if console else structlog.processors.JSONRenderer(default=repr, ensure_ascii=False)
    before: list[Any] = [
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        categorised,
        structlog.processors.format_exc_info,
    ]
    return structlog.stdlib.ProcessorFormatter(foreign_pre_chain=before, processors=[shape, renderer])


def categorised(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Adds to an error its kind and what usually follows."""
    told = event.get("exc_info")
    error = told[1] if isinstance(told, tuple) else None
    if error is not None:
        rule = rule_of(error)
        event["category"], event["usual_treatment"] = rule.category.value, rule.usual_treatment.value
    return event


def shape(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Bring an entry to FR-045's fields: timestamp, level, correlation_id, component, message, metadata (and trace_id, exception)."""
    record: logging.LogRecord = event.pop("_record")
    event.pop("_from_structlog", None)
    shaped: EventDict = {
        "timestamp": event.pop("timestamp"),
        "level": record.levelname.lower(),
        "correlation_id": current_correlation_id() or run_id(),
        **({"trace_id": trace_id} if (trace_id := current_trace_id()) else {}),
        "component": record.name,
        "message": event.pop("event"),
    }
    exception, stack = event.pop("exception", None), event.pop("stack_info", None)
    event.pop("exc_info", None)
    extras = {key: value for key, value in record.__dict__.items() if key not in STANDARD | UNPRINTABLE and not key.startswith("_")}
    given = getattr(record, "metadata", None)
    shaped["metadata"] = {**event, **extras, **(given if isinstance(given, dict) else {})}
    if exception or stack:
        shaped["exception"] = exception or stack
    return shaped


def readable(_: WrappedLogger, __: str, event: EventDict) -> str:
    """Render a shaped entry as `12:00:00 WARNING continuity.services  message  key=value`."""
    metadata = " ".join(f"{key}={value!r}" for key, value in event["metadata"].items())
    line = f"{event['timestamp'][11:19]} {event['level'].upper():<7} {event['component']}  {event['message']}"
    line = f"{line}  {metadata}" if metadata else line
    return f"{line}\n{event['exception']}" if "exception" in event else line


def _for_console(log_format: str) -> bool:
    return log_format == "console" or (log_format == "auto" and sys.stderr.isatty())


def configuration(log_format: str, level: str, *, stored: bool = False) -> dict[str, Any]:
    """Return Django's LOGGING dictionary; `log_format` is auto (console on a terminal, else json), json or console. `stored`: lines go
    into the database, too."""
    console = _for_console(log_format)
    # Django's own handlers are emptied: they would print every line twice.
    through_root: dict[str, Any] = {"handlers": [], "level": level, "propagate": True}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": "config.logging.LineFormatter", "console": console}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "line"},
            **({"store": {"class": "config.log_store.LogStoreHandler", "level": "INFO"}} if stored else {}),
        },
        "root": {"handlers": ["stderr", "store"] if stored else ["stderr"], "level": level},
        "loggers": {
            "django": through_root,
            "django.server": through_root,
            # A line per task received and per task done would be most of the log: our own lines say what was done.
            "celery": {**through_root, "level": level if level == "DEBUG" else "WARNING"},
            "opentelemetry": {"level": "ERROR"},
            # It tells the whole address of every request, and that of a webhook is a secret.
            "httpx2": {"level": "WARNING"},
            # Two lines for each request that say nothing of it.
            "mcp": {"level": "WARNING"},
        },
    }
