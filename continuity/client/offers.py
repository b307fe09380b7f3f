"""Handoffs that are ready in a folder, fetched by the recorder and read by the hooks, which ask no server; and which were resumed here."""

from __future__ import annotations

import os

from continuity.client.light import fast_json, files
from continuity.client.light.wording import excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

LIMIT = 5
SUMMARY = 200


def file_of(cwd: str) -> str:
    return f"{files.folder('offers')}/{files.key_of(cwd)}.json"


def known(cwd: str) -> list[dict[str, Any]]:
    """`id`, `conversation_id` and `summary` of each, the newest first."""
    ready = list(files.read_object(file_of(cwd)).get("ready", [])) if cwd else []
    return [each for each in ready if not is_taken(each["conversation_id"], each["id"])]


def take(conversation: str, handoff: str) -> None:
    """Notes that the conversation's handoff was resumed here: no window of this machine offers it any more. Without room it does, until
    the recorder asks."""
    try:
        files.write(_taken(conversation), fast_json.write({"handoff": handoff}))
    except OSError:
        return


def is_taken(conversation: str, handoff: str) -> bool:
    return files.read_object(_taken(conversation)).get("handoff") == handoff


def offer(handoff: Mapping[str, Any]) -> dict[str, str]:
    """What is kept of a handoff of the API's."""
    told = {name: str(handoff[name]) for name in ("id", "conversation_id")}
    return {**told, "summary": excerpt(str(handoff["summary"]), SUMMARY)}


def forget_old(cwd: str, ready: set[str]) -> None:
    """Drops what is known where the server says that some of it is no longer ready; the recorder fetches the rest again."""
    if any(each["id"] not in ready for each in known(cwd)):
        try:
            os.unlink(file_of(cwd))
        except FileNotFoundError:
            return  # Another hook was faster.


def _taken(conversation: str) -> str:
    return f"{files.folder('taken')}/{files.key_of(conversation)}.json"
