"""Makes messages of collected parts; what the readers of one tool's own format share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from continuity.transcripts.base.identity import ExternalIds, ToolNames
from continuity.transcripts.base.model import Message, Report, Role, Usage
from continuity.transcripts.base.parts import Parts

MAX_LINEAGE = 100


class Assembler:
    """Holds what all messages of a session have in common; `cwd` is where the session stands now."""

    def __init__(self, report: Report, part_limit: int) -> None:
        self.report = report
        self.limit = part_limit
        self.ids = ExternalIds()
        self.tools = ToolNames()
        self.cwd = ""

    def parts(self) -> Parts:
        return Parts(self.limit, self.tools)

    def message(
        self,
        line: int,
        role: Role,
        parts: Parts,
        *,
        own_id: str = "",
        says: Mapping[str, Any] | None = None,
        at: datetime | None = None,
        model: str = "",
        usage: Usage | None = None,
        usage_id: str = "",
        agent: str = "",
        parent_id: str = "",
    ) -> Iterator[Message]:
        """The message, or nothing where it has no parts; what could not be read of it goes into the report.

        `own_id` is the id that the source gives it; without one, `says`, what it says in the source, names it.
        """
        for problem in parts.problems:
            self.report.skip(line, problem, whole=False)
        if not len(parts):
            return
        if not agent:
            self.report.model = model or self.report.model
        external_id = self.ids.numbered(own_id) if own_id else self.ids.of_content(role, says or {})
        yield Message(
            role=role,
            parts=parts.as_tuple(),
            external_id=external_id,
            line=line,
            at=at,
            model=model,
            usage_id=(usage_id or external_id) if usage else "",
            usage=usage,
            cwd=self.cwd,
            branch=self.report.branch,
            agent=agent,
            parent_id=parent_id,
        )

    def moved(self, folder: str) -> None:
        """Notes the folder in which the session goes on."""
        if folder:
            self.cwd = self.report.cwd = folder

    def began(self, session: str) -> None:
        """Notes the session's id; one that was noted before it is of its lineage."""
        if session and session != self.report.session_id:
            if self.report.session_id:
                self.continues(self.report.session_id)
            self.report.session_id = session

    def continues(self, session: str) -> None:
        """Notes an earlier session."""
        if session and session not in self.report.lineage:
            self.report.lineage.append(session)
            del self.report.lineage[:-MAX_LINEAGE]
