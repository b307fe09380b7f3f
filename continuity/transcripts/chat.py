"""Common parts of the two chat formats: documents or lines of messages with a role and content."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.fields import identifier, json_object, label, mapping, moment
from continuity.transcripts.base.identity import ExternalIds
from continuity.transcripts.base.model import Message, Report, Role, Usage
from continuity.transcripts.base.parts import Parts

ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "exit": Role.SYSTEM,  # how a trajectory ends
}

# what a document calls its session, the more telling names first
_SESSION_KEYS = ("session_id", "sessionId", "conversation_id", "conversationId", "thread_id", "id", "instance_id")
_TIME_KEYS = ("timestamp", "created_at", "createdAt", "ts", "created", "time")
# what a message says, which names it where it has no id
_SAYS = ("content", "tool_calls", "tool_call_id", "function_call", "name", "reasoning_content", "refusal")


def is_message(record: Any) -> bool:
    """Whether a record looks like a chat message: a known role, and content or calls."""
    fields = mapping(record)
    role = fields.get("role")
    return isinstance(role, str) and role in ROLES and any(key in fields for key in ("content", "tool_calls", "function_call"))


def role_of(record: Any) -> Role:
    """The role of a message record. Raises BadRecord where it is no message."""
    role = json_object(record).get("role")
    if not isinstance(role, str):
        raise BadRecord("has no role")
    if role not in ROLES:
        raise BadRecord(f"has the role {role[:40]!r}, which is not known")
    return ROLES[role]


class ChatSession:
    """The session that a chat document tells of, and the names of its messages."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._ids = ExternalIds()
        self._rank = len(_SESSION_KEYS)

    def field(self, name: str, value: Any) -> None:
        """Takes a field that stands beside the messages."""
        report = self._report
        if name in _SESSION_KEYS and identifier(value) and _SESSION_KEYS.index(name) < self._rank:
            self._rank, report.session_id = _SESSION_KEYS.index(name), identifier(value)
        elif name == "title":
            report.title = label(value) or report.title
        elif name == "model":
            report.model = label(value) or report.model
        elif name == "provider":
            report.provider = label(value) or report.provider
        elif name in ("cwd", "workdir", "working_directory"):
            report.cwd = label(value) or report.cwd

    def message(
        self,
        line: int,
        record: Mapping[str, Any],
        role: Role,
        parts: Parts,
        *,
        at: datetime | None = None,
        model: str = "",
        usage: Usage | None = None,
        usage_id: str = "",
    ) -> Message:
        """The message of a record, after noting what of it could not be read."""
        for problem in parts.problems:
            self._report.skip(line, problem, whole=False)
        own = identifier(record.get("id"))
        says = {key: record[key] for key in _SAYS if record.get(key) is not None}
        external_id = self._ids.numbered(own) if own else self._ids.of_content(role, says)
        self._report.model = model or self._report.model
        return Message(
            role=role,
            parts=parts.as_tuple(),
            external_id=external_id,
            line=line,
            at=at or next((found for key in _TIME_KEYS if (found := moment(record.get(key)))), None),
            model=model,
            usage_id=(usage_id or external_id) if usage else "",
            usage=usage,
            cwd=self._report.cwd,
            branch=self._report.branch,
        )
