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

ANCHOR_SECONDS = 1.0


def answer(payload: dict[str, Any]) -> HookAnswer:
    path = session.file_of(payload)
    late = False
    packs.wish(payload, path, emptied=not _is_full(payload))
    anchor = _AnchorHere(payload)
    try:
        return _with_anchor(payload, path, _continued(payload, path, anchor), anchor)
    except requests.NoAnswer:
        late = bool(path)
        if late:
            session.put_off(path)
        raise
    finally:
        # Last, so that a resumed conversation has this session's id before the recorder looks for it.
        if not late:
            session.record(path, payload)


def _is_full(payload: dict[str, Any]) -> bool:
    """Whether the window holds what the session was given before: one that is resumed goes on with it."""
    return payload.get("source") == "resume"


class _AnchorHere:
    """The Anchor of this work tree, asked for once. Empty where the server does not tell it in time: it comes with a later hook."""

    def __init__(self, payload: dict[str, Any]) -> None:
        self._cwd, self._told = str(payload.get("cwd") or ""), ""
        self._asked = not self._cwd or not packs.gives() or _is_full(payload)

    def text(self) -> str:
        if not self._asked:
            self._asked, root = True, packs.root_of(self._cwd)
            place = f"machine={requests.escaped(os.uname().nodename[:120])}&root={requests.escaped(root)}"
            try:
                told = requests.ask(f"/packs/anchor?{place}", ANCHOR_SECONDS)
            except (requests.NoAnswer, requests.Refusal):
                return ""
            self._told = packs.anchor_here(told, root)
        return self._told

    def room(self) -> int:
        """How many characters it leaves to a directive."""
        return packs.directive_room(self.text())


def _continued(payload: dict[str, Any], path: str, anchor: _AnchorHere) -> HookAnswer:
    if payload.get("source") == "compact":
        lost = session.lost_words(path)
        return HookAnswer(lost, session.PUT_BACK if lost else "")
    if headless.is_headless(payload):
        return HookAnswer()  # The handoff waits for the person's next session.
    known = session.known_of(path).get("conversation", "")
    found: HookAnswer = import_module("continuity.client.hooks.resuming").continuation(payload, known, room=anchor.room)
    return found


def _with_anchor(payload: dict[str, Any], path: str, found: HookAnswer, anchor: _AnchorHere) -> HookAnswer:
    """The Anchor before all else."""
    if not anchor.text():
        return found
    whole, shown = packs.together(found.context, {packs.ANCHOR: anchor.text()})
    if shown:
        packs.wish(payload, path, emptied=True, anchor=shown[packs.ANCHOR])
    return HookAnswer(whole, found.told)
