"""SessionStart: a new session goes on from the handoff that is ready in its folder; a compacted one gets back what it lost."""

from __future__ import annotations

import os
from importlib import import_module

from continuity.client.hooks import headless, session
from continuity.client.hooks.answers import HookAnswer
from continuity.client.light import packs, requests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def answer(payload: dict[str, Any]) -> HookAnswer:
    path = session.file_of(payload)
    late = False
    packs.wish(payload, path, emptied=True)
    try:
        return _with_anchor(payload, path, _continued(payload, path))
    except requests.NoAnswer:
        late = bool(path)
        if late:
            session.put_off(path)
        raise
    finally:
        # Last, so that a resumed conversation has this session's id before the recorder looks for it.
        if not late:
            session.record(path, payload)


def _continued(payload: dict[str, Any], path: str) -> HookAnswer:
    if payload.get("source") == "compact":
        lost = session.lost_words(path)
        return HookAnswer(lost, session.PUT_BACK if lost else "")
    if headless.is_headless(payload):
        return HookAnswer()  # The handoff waits for the person's next session.
    known = session.known_of(path).get("conversation", "")
    found: HookAnswer = import_module("continuity.client.hooks.resuming").continuation(payload, known)
    return found


def _with_anchor(payload: dict[str, Any], path: str, found: HookAnswer) -> HookAnswer:
    """What stands for this work tree, before all else. Where the server does not tell it in time, it comes with a later hook."""
    cwd = str(payload.get("cwd") or "")
    if not cwd or not packs.gives():
        return found
    root = packs.root_of(cwd)
    try:
        place = f"machine={requests.escaped(os.uname().nodename[:120])}&root={requests.escaped(root)}"
        told = requests.call("GET", f"/packs/anchor?{place}", None, requests.patience())
    except (requests.NoAnswer, requests.Refusal, TimeoutError):
        return found
    whole, shown = packs.together(found.context, {packs.ANCHOR: packs.anchor_here(told, root)})
    if shown:
        packs.wish(payload, path, emptied=True, anchor=shown[packs.ANCHOR])
    return HookAnswer(whole, found.told)
