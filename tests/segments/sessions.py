"""A made-up session for segments: two pieces of work, one after the other, with tools between the words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from continuity.transcripts.base.model import Message
from continuity.usage.tokens import counter_for, message_tokens
from tests.words import answered, called, resulted, said

COUNTER = counter_for("gpt-4o")
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
Numbered = list[tuple[int, Message, int]]


def at(minute: float) -> datetime:
    return START + timedelta(minutes=minute)


def numbered(messages: list[Message], first: int = 1) -> Numbered:
    return [(seq, message, message_tokens(message, COUNTER)) for seq, message in enumerate(messages, start=first)]


def turn(number: int, request: str, path: str, report: str, *, minute: float = 0) -> list[Message]:
    """A request, one edit, one run of the tests, and a report."""
    edit, run = f"e{number}", f"r{number}"
    return [
        said(request, at=at(minute)),
        called("Edit", {"file_path": path, "old_string": "a", "new_string": "b"}, call_id=edit, at=at(minute)),
        resulted("The file has been updated.", call_id=edit, at=at(minute)),
        called("Bash", {"command": "pytest tests -q"}, call_id=run, at=at(minute)),
        resulted("...\n2 failed, 40 passed in 3.1s", call_id=run, exit_code=1, failed=True, at=at(minute)),
        answered(report, at=at(minute)),
    ]


IMPORTER = [
    *turn(
        1,
        "The importer drops the last row of every invoice file. Please find out why rows of invoices are lost.",
        "billing/importer.py",
        "The importer stopped one row early because the loop in read_rows compared with the footer's index. I changed the bound.",
    ),
    *turn(
        2,
        "Now the invoice importer reads the footer as a row. The importer must skip the footer of invoice files.",
        "billing/importer.py",
        "The importer now skips footers; two tests of rows still fail since their invoice files have no footer at all.",
        minute=4,
    ),
]
MAPS = turn(
    3,
    "Let's draw station maps in dark colours, with a legend below and thicker borders around lakes and rivers.",
    "maps/style.ts",
    "Station maps have a dark palette now, and the legend stands below.",
    minute=9,
)
