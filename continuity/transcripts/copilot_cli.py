"""GitHub Copilot's command line: `events.jsonl`, one event a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from continuity.transcripts.base.call_arguments import read_arguments
from continuity.transcripts.base.diff_counts import changed_lines
from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.fields import count, identifier, json_object, kind_of, label, listing, mapping, moment, string, whole
from continuity.transcripts.base.format import Event, Format, Parser, Sample, share
from continuity.transcripts.base.message_builder import Assembler
from continuity.transcripts.base.model import Report, Role, Usage, Voice
from continuity.transcripts.base.parts import Parts
from continuity.transcripts.copilot_shell import shell_ending

NAME = "copilot-cli"

_AREAS = frozenset({"session", "system", "user", "assistant", "tool", "hook", "permission", "subagent", "skill", "abort"})
_NOTICES = {"session.error": "message", "session.warning": "message", "session.info": "message", "abort": "reason"}
_NOTICE_TAGS = re.compile(r"</?system_notification>\s*")


class CopilotParser(Parser):
    """Takes a call from the answer that makes it, and its result from the event that completes it."""

    def __init__(self, report: Report, part_limit: int) -> None:
        self._report = report
        self._make = Assembler(report, part_limit)
        self._model = ""
        self._used: Mapping[str, Any] = {}  # what the latest call of the model took, told before its answer

    def record(self, line: int, record: Any) -> Iterator[Event]:
        record = json_object(record)
        kind, data = record.get("type"), record.get("data")
        if not isinstance(kind, str):
            raise BadRecord("has no type")
        if not isinstance(data, dict):
            raise BadRecord("has no data" if data is None else f"has data that is {kind_of(data)}, not an object")
        parts = self._make.parts()
        role = self._read(kind, data, parts)
        if role is None:
            return
        assistant = role is Role.ASSISTANT
        call = identifier(data.get("apiCallId"))
        told = self._used if call and call == identifier(self._used.get("apiCallId")) else data
        usage = _usage(told) if assistant else None
        yield from self._make.message(
            line,
            role,
            parts,
            own_id=identifier(record.get("id")),
            says={"type": kind, "data": data},
            at=moment(record.get("timestamp")),
            model=(label(data.get("model")) or self._model) if assistant else "",
            usage=usage,
            usage_id=call or identifier(data.get("messageId")),
            agent=identifier(data.get("parentToolCallId")) or identifier(record.get("agentId")),
            parent_id=identifier(record.get("parentId")),
        )

    def _read(self, kind: str, data: Mapping[str, Any], parts: Parts) -> Role | None:
        """Reads an event into parts and gives the role that speaks in them; None for one that says nothing."""
        if kind == "user.message":
            self._user(data, parts)
            return Role.USER
        if kind == "assistant.message":
            self._answer(data, parts)
            return Role.ASSISTANT
        if kind == "tool.execution_complete":
            self._result(data, parts)
            return Role.TOOL
        if kind == "permission.completed":
            parts.words(string(mapping(data.get("result")).get("feedback")))
            return Role.USER
        if kind in ("system.message", "system.notification"):
            about = mapping(data.get("kind"))
            parts.text(_NOTICE_TAGS.sub("", string(data.get("content"))).strip(), Voice.HARNESS, _short(about))
            return Role.SYSTEM
        if kind in _NOTICES:
            parts.text(string(data.get(_NOTICES[kind])), Voice.HARNESS)
            return Role.SYSTEM
        if kind == "session.compaction_complete":
            tokens = whole(data.get("preCompactionTokens"))
            parts.boundary("Context compacted", {} if tokens is None else {"preTokens": tokens})
            parts.text(string(data.get("summaryContent")), Voice.SUMMARY)
            return Role.SYSTEM
        self._circumstances(kind, data)
        return None

    def _circumstances(self, kind: str, data: Mapping[str, Any]) -> None:
        report = self._report
        if kind in ("session.start", "session.resume"):
            self._make.began(identifier(data.get("sessionId")))
            self._model = label(data.get("selectedModel")) or self._model
        if kind in ("session.start", "session.resume", "session.context_changed"):
            context = mapping(data.get("context")) or data
            self._make.moved(label(context.get("cwd")))
            report.branch = label(context.get("branch")) or report.branch
        elif kind == "session.model_change":
            self._model = report.model = label(data.get("newModel")) or self._model
        elif kind == "session.title_changed":
            report.title = label(data.get("title")) or report.title
        elif kind == "session.usage_record":
            self._used = mapping(data.get("usage"))
        elif kind == "session.usage_info":
            report.max_context_tokens = count(data.get("tokenLimit")) or report.max_context_tokens

    def _user(self, data: Mapping[str, Any], parts: Parts) -> None:
        injected = label(data.get("source"))
        if injected and injected != "user":
            parts.text(string(data.get("content")), Voice.HARNESS, {"source": injected})
        else:
            parts.words(string(data.get("content")))
        for attachment in listing(data.get("attachments")):
            about = mapping(attachment)
            name = label(about.get("path")) or label(about.get("displayName"))
            parts.text(name, Voice.HARNESS, {"attachment": label(about.get("type")) or "file"})

    def _answer(self, data: Mapping[str, Any], parts: Parts) -> None:
        parts.reasoning(string(data.get("reasoningText")))
        parts.text(string(data.get("content")), Voice.AGENT)
        for number, request in enumerate(listing(data.get("toolRequests")), 1):
            call = mapping(request)
            if string(call.get("name")):
                parts.call(string(call.get("name")), identifier(call.get("toolCallId")), read_arguments(call.get("arguments")))
            else:
                parts.problem(f"tool call {number} has no name")

    def _result(self, data: Mapping[str, Any], parts: Parts) -> None:
        result, error = mapping(data.get("result")), mapping(data.get("error"))
        text, success = string(result.get("content")), data.get("success")
        told = changed_lines(string(result.get("detailedContent")))
        text = text or string(error.get("message")) or string(data.get("error"))
        text, code, about = shell_ending(text)
        failed = True if success is False else None if code is not None or not isinstance(success, bool) else False
        parts.result(text, identifier(data.get("toolCallId")), failed=failed, exit_code=code, data=told | about)


def _short(about: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: value for key, value in list(about.items())[:20] if isinstance(value, int) or (isinstance(value, str) and len(value) <= 500)
    }


def _usage(data: Mapping[str, Any]) -> Usage | None:
    """An answer that names only what it put out says nothing about the window and has no usage."""
    cached, sent = count(data.get("cacheReadTokens")), count(data.get("inputTokens"))
    usage = Usage(max(sent - cached, 0), count(data.get("outputTokens")), cached, count(data.get("cacheWriteTokens")))
    return usage if sent else None


def sniff(sample: Sample) -> int:
    """Events have a type with the area it belongs to before a dot, and data."""
    return share(sum(_is_event(record) for record in sample.records), len(sample.records))


def _is_event(record: Any) -> bool:
    fields = mapping(record)
    area, dot, _ = string(fields.get("type")).partition(".")
    return bool(dot) and area in _AREAS and isinstance(fields.get("data"), dict) and "timestamp" in fields


FORMAT = Format(NAME, sniff, CopilotParser, tool="Copilot CLI")
