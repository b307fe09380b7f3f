"""The session and the agent of a Claude Code record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from continuity.transcripts.base.fields import identifier, label
from continuity.transcripts.base.model import Report

MAX_RECORDS = 50_000
MAX_LINEAGE = 100


def note_session(report: Report, record: Mapping[str, Any]) -> None:
    """Takes the session's id, folder and branch from a record; the last id seen is the session's own."""
    session = identifier(record.get("sessionId"))
    if session and session != report.session_id:
        if report.session_id and report.session_id not in report.lineage and len(report.lineage) < MAX_LINEAGE:
            report.lineage.append(report.session_id)
        if session in report.lineage:
            report.lineage.remove(session)
        report.session_id = session
    if record.get("isSidechain") is not True:
        report.cwd = label(record.get("cwd")) or report.cwd
        report.branch = label(record.get("gitBranch")) or report.branch


class Agents:
    """Names the side chain of a sub-agent's record: its agent's id, or else the id of the chain's first record."""

    def __init__(self) -> None:
        self._roots: dict[str, str] = {}

    def of(self, record: Mapping[str, Any]) -> str:
        """The name, empty for the main conversation."""
        if record.get("isSidechain") is not True:
            return ""
        uuid, parent = identifier(record.get("uuid")), identifier(record.get("parentUuid"))
        agent = identifier(record.get("agentId")) or self._roots.get(parent) or self._roots.get(uuid) or uuid or "sidechain"
        if uuid and uuid not in self._roots:
            if len(self._roots) >= MAX_RECORDS:
                self._roots.clear()
            self._roots[uuid] = agent
        return agent
