"""Everything of a session recorded, and a checked package made of it, while its words still stand."""

from __future__ import annotations

from pathlib import Path

from continuity.client.client import Client
from continuity.client.hooks import session
from continuity.client.hooks.arriving import log
from continuity.client.hooks.lost import keep
from continuity.client.recording import Recorder
from continuity.client.sending import Sender
from continuity.client.spool import Spool

CONNECT_SECONDS = 0.5
PREPARE_SECONDS = 20.0
BUDGET = 4000


def pack(path: str) -> None:
    """Raises Away, Refused, TranscriptError, OSError."""
    client = Client(connect=CONNECT_SECONDS, answer=PREPARE_SECONDS)
    recorder = Recorder(Path(path), Sender(client, Spool(), log), log)
    try:
        recorder.finish()
    finally:
        recorder.close()
        session.record(path)
    if recorder.conversation:
        made = client.prepare(recorder.conversation, budget=BUDGET, draft=True, trigger_reason="PreCompact")
        keep(path, client.handoff(made["id"]))
