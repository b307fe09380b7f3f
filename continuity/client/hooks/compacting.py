"""PreCompact: everything is recorded and a checked package made, before the tool's summary replaces the words."""

from __future__ import annotations

from typing import Any

from continuity.client.client import Client
from continuity.client.connection import Away
from continuity.client.hooks import session
from continuity.client.hooks.answering import log
from continuity.client.hooks.lost import keep
from continuity.client.recording import Recorder
from continuity.client.sending import Sender
from continuity.client.spool import Spool

CONNECT_SECONDS = 0.08
PREPARE_SECONDS = 20.0
BUDGET = 4000


def answer(payload: dict[str, Any]) -> str:
    path = session.file_of(payload)
    if path is None:
        return ""
    client = Client(connect=CONNECT_SECONDS, answer=PREPARE_SECONDS)
    try:
        client.handoffs(limit=1, answer=CONNECT_SECONDS)  # A dead server is found out here, before anything is read.
    except Away:
        session.record(path)
        raise
    recorder = Recorder(path, Sender(client, Spool(), log), log)
    try:
        recorder.finish()
    finally:
        recorder.close()
        session.record(path)
    if recorder.conversation:
        made = client.prepare(recorder.conversation, budget=BUDGET, draft=True, trigger_reason="PreCompact")
        keep(path, client.handoff(made["id"]))
    return ""
