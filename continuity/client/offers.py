"""Handoffs that are ready in a folder, fetched by the recorder and read by the hooks, which ask no server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from continuity.client import places

if TYPE_CHECKING:
    from continuity.client.client import Client  # Hooks only read what was fetched; they need not load it.

LIMIT = 5
SUMMARY = 200


def fetch(client: Client, cwd: str) -> None:
    """Raises Away, Refused, OSError."""
    ready = [
        {"id": each["id"], "conversation_id": each["conversation_id"], "summary": " ".join(each["summary"].split())[:SUMMARY]}
        for each in client.handoffs(status="ready", cwd=cwd, limit=LIMIT)
    ]
    places.write(_file(cwd), json.dumps({"cwd": cwd, "ready": ready}))


def known(cwd: str) -> list[dict[str, Any]]:
    found = places.read_object(_file(cwd)).get("ready", []) if cwd else []
    return list(found)


def _file(cwd: str) -> Path:
    return places.folder("offers") / f"{places.key_of(cwd)}.json"
