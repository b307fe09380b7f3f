"""PreCompact: everything is recorded and a checked package made, before the tool's summary replaces the words."""

from __future__ import annotations

from importlib import import_module

from continuity.client.hooks import session
from continuity.client.hooks.answers import HookAnswer
from continuity.client.light import requests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def answer(payload: dict[str, Any]) -> HookAnswer:
    path = session.file_of(payload)
    if not path:
        return HookAnswer()
    try:
        # A dead server is found out here, before anything is loaded or read. Words that go are worth asking one that was away.
        requests.ready("", 1, again=True)
    except requests.NoAnswer:
        session.record(path, payload)
        raise
    import_module("continuity.client.hooks.packaging").pack(path, payload)
    return HookAnswer()
