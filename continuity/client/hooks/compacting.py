"""PreCompact: everything is recorded and a checked package made, before the tool's summary replaces the words."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from continuity.client.hooks import probing, session


def answer(payload: dict[str, Any]) -> str:
    path = session.file_of(payload)
    if path is None:
        return ""
    try:
        probing.ready("", 1)  # A dead server is found out here, before anything is loaded or read.
    except probing.NoAnswer:
        session.record(path)
        raise
    import_module("continuity.client.hooks.packing").pack(path)
    return ""
