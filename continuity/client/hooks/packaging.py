"""Everything of a session recorded, and a checked package made of it, while its words still stand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from continuity.client.client import Client
from continuity.client.hooks import session, tools
from continuity.client.hooks.compaction_loss import keep
from continuity.client.hooks.dispatch import log
from continuity.client.recording.sending import Sender
from continuity.client.recording.session_recorder import SessionRecorder
from continuity.client.recording.spool import Spool

CONNECT_SECONDS = 0.5
PREPARE_SECONDS = 20.0
SEND_SECONDS = 10.0
BUDGET = 4000


def pack(path: str, payload: dict[str, Any]) -> None:
    """`payload` is the hook's. Raises Away, Refused, TranscriptError, OSError."""
    client = Client(connect=CONNECT_SECONDS, answer=PREPARE_SECONDS)
    sender = Sender(Client(connect=CONNECT_SECONDS, answer=PREPARE_SECONDS, acting=False), Spool(), log)
    recorder = SessionRecorder(Path(path), sender, log, format=str(payload.get(tools.NAME) or ""), cwd=str(payload.get("cwd") or ""))
    try:
        recorder.finish()
        # The recorder in the background may be sending the same session now.
        sent = sender.flush(recorder.session, SEND_SECONDS)
        recorder.finish()
    finally:
        recorder.close()
        session.record(path, payload)
    if not sent:
        log("PreCompact: not everything is with the server, so the package holds less than was said")
    if recorder.conversation:
        made = client.prepare(recorder.conversation, budget=BUDGET, draft=True, trigger_reason="PreCompact")
        keep(path, client.handoff(made["id"]))
