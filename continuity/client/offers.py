"""Handoffs that are ready in a folder, fetched by the recorder and read by the hooks, which ask no server."""

from __future__ import annotations

from continuity.client.light import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIMIT = 5


def file_of(cwd: str) -> str:
    return f"{files.folder('offers')}/{files.key_of(cwd)}.json"


def known(cwd: str) -> list[dict[str, Any]]:
    """`id`, `conversation_id` and `summary` of each, the newest first."""
    return list(files.read_object(file_of(cwd)).get("ready", [])) if cwd else []
