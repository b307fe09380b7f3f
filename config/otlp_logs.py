"""Log lines over OTLP, with the fields of FR-045 (FR-046). Imported only where an address is set; written beside, not instead."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from opentelemetry import trace
from opentelemetry._logs import LogRecord, SeverityNumber
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor

from config.logging import LineFormatter

if TYPE_CHECKING:
    from opentelemetry.sdk.resources import Resource

SEVERITIES = {
    "debug": SeverityNumber.DEBUG,
    "info": SeverityNumber.INFO,
    "warning": SeverityNumber.WARN,
    "error": SeverityNumber.ERROR,
    "critical": SeverityNumber.FATAL,
}
SENT = ("correlation_id", "component", "exception")
# What tells of sending is not sent, or it would tell of itself for ever.
OWN = ("opentelemetry", "urllib3", "requests")


class OtlpHandler(logging.Handler):
    """Sends each line as it is written: what is left out of the one is left out of the other."""

    def __init__(self, resource: Resource) -> None:
        super().__init__()
        self.setFormatter(LineFormatter(console=False))
        self.provider = LoggerProvider(resource)
        self.provider.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter()))
        self._logger = self.provider.get_logger("continuity")

    def emit(self, record: logging.LogRecord) -> None:
        if record.name.startswith(OWN):
            return
        try:
            line: dict[str, Any] = json.loads(self.format(record))
            self._logger.emit(_record(line, record.created))
        except (TypeError, ValueError):
            self.handleError(record)


def _record(line: dict[str, Any], created: float) -> LogRecord:
    level, at = line.pop("level"), int(created * 1e9)
    about = {f"metadata.{name}": _plain(value) for name, value in line.pop("metadata").items()}
    attributes: dict[str, str | bool | int | float] = {name: line[name] for name in SENT if name in line}
    return LogRecord(
        timestamp=at,
        observed_timestamp=at,
        context=trace.set_span_in_context(trace.get_current_span()),
        severity_text=level.upper(),
        severity_number=SEVERITIES.get(level, SeverityNumber.UNSPECIFIED),
        body=line["message"],
        attributes={**attributes, **about},
    )


def _plain(value: Any) -> str | bool | int | float:
    return value if isinstance(value, str | bool | int | float) else json.dumps(value)


def begin(resource: Resource) -> None:
    logging.getLogger().addHandler(OtlpHandler(resource))
