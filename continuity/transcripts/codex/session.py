"""What the records of a rollout say of its session: its id and those before it, the model, the folder, the window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from continuity.transcripts.base.fields import count, identifier, label, mapping
from continuity.transcripts.base.model import Report

MAX_LINEAGE = 100


class CodexSession:
    """Tells the report; `model` and `cwd` are those of the turn that lasts."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self.model = ""
        self.cwd = ""

    def begin(self, meta: Mapping[str, Any]) -> bool:
        """The first session of a file is its own; a later one is that from which it was forked. Whether it is the first."""
        report, session = self._report, identifier(meta.get("id"))
        if report.session_id and session != report.session_id:
            self._note_earlier(session)
            return False
        report.session_id = session
        self._note_earlier(identifier(meta.get("forked_from_id")))
        report.provider = label(meta.get("model_provider")) or report.provider or "openai"
        self.cwd = label(meta.get("cwd")) or self.cwd
        report.cwd = self.cwd or report.cwd
        report.branch = label(mapping(meta.get("git")).get("branch")) or report.branch
        return True

    def _note_earlier(self, session: str) -> None:
        if session and session not in self._report.lineage and len(self._report.lineage) < MAX_LINEAGE:
            self._report.lineage.append(session)

    def turn(self, context: Mapping[str, Any]) -> None:
        self.model = label(context.get("model")) or self.model
        self.cwd = label(context.get("cwd")) or self.cwd
        self._report.model, self._report.cwd = self.model or self._report.model, self.cwd or self._report.cwd
        self._report.max_context_tokens = count(context.get("model_context_window")) or self._report.max_context_tokens
