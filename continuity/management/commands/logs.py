"""manage.py logs: the log lines of the last day, of all processes on all hosts, by correlation id."""

import json
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from continuity.services import log_lines

LEVELS = ["debug", "info", "warning", "error", "critical"]


class Command(BaseCommand):
    help = "Prints the log lines of the last day that fit, the latest last."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--correlation", default="", metavar="ID", help="only those of this request, task or start (X-Correlation-ID)")
        parser.add_argument("--level", default="", choices=LEVELS, help="only those of this level")
        parser.add_argument("--minutes", type=int, help="only those of the last so many minutes")
        parser.add_argument("--limit", type=int, default=500, help="at most so many (500)")
        parser.add_argument("--json", action="store_true", help="one JSON object a line")

    def handle(self, *args: Any, **options: Any) -> None:
        since = timezone.now() - timedelta(minutes=options["minutes"]) if options["minutes"] else None
        found = log_lines.find(
            correlation_id=options["correlation"], level=options["level"], since=since, limit=max(1, min(options["limit"], 100_000))
        )
        for line in found:
            told = {
                "timestamp": line.logged_at.isoformat(),
                "level": line.level,
                "correlation_id": line.correlation_id,
                "component": line.component,
                "message": line.message,
                "metadata": line.metadata,
                "host": line.host,
                "process": line.process,
            }
            if options["json"]:
                self.stdout.write(json.dumps(told, ensure_ascii=False))
                continue
            more = "  ".join(f"{name}={value}" for name, value in line.metadata.items() if name != "exception")
            place = f"{line.host} {line.process}"
            self.stdout.write(
                f"{line.logged_at:%H:%M:%S.%f} {line.level.upper():<8} {place}  {line.component}  {line.message}  {more}".rstrip()
            )
            if "exception" in line.metadata:
                self.stdout.write(str(line.metadata["exception"]))
        if not found:
            self.stdout.write(
                "No line fits. Lines are kept for 24 hours, by processes that the supervisor started or that have CONTINUITY_LOG_STORE=1."
            )
