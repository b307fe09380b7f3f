"""A small made-up session as a transcript file, in the form of OpenAI chat messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def said(role: str, content: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def call(name: str, number: int, **arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": f"call_{number}", "type": "function", "function": function}]}


def result(number: int, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"call_{number}", "content": content}


MESSAGES = [
    said("user", "Please move the nightly billing job to the new scheduler. Never run the migration against the production database."),
    said("assistant", "I'll use PostgreSQL for the invoices instead of documents, because the reports need transactions."),
    call("bash", 1, command="pytest tests/jobs -q"),
    result(1, "12 passed in 3.1s"),
    said("assistant", "The tests pass. Next I switch the trigger in jobs/nightly.py."),
    said("user", "Good. Should the old cron entry stay? Tell me before you remove it."),
]


def write(path: Path, messages: list[dict[str, Any]] | None = None) -> Path:
    """The session as a JSON file."""
    path.write_text(json.dumps({"messages": MESSAGES if messages is None else messages}), encoding="utf-8")
    return path
