"""The raw records of a session around its compactions, as the answer key of continuation recall needs them.

They are read apart from the readers that a handoff is made with: what those overlook would otherwise be missing from the
question too, and a mistake of theirs would raise the figure.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from continuity.transcripts import detect
from diagnostics.evaluation.errors import EvaluationError

# Keys of a block that frame it and say nothing.
FRAME = frozenset({"type", "id", "signature", "tool_use_id"})


class RecordKind(StrEnum):
    PROMPT = "prompt"
    ANSWER = "answer"
    SYSTEM = "system"
    CALL = "call"
    RESULT = "result"
    SUMMARY = "summary"
    BOUNDARY = "boundary"


@dataclass(frozen=True, slots=True)
class Record:
    """One thing said, called or returned, on its 0-based line of the file."""

    line: int
    kind: RecordKind
    text: str = ""


def read_records(path: Path) -> Iterator[Record]:
    """The records of a Claude Code or Codex session. Raises TranscriptError or EvaluationError where it is none."""
    readers = {"claude-code": _claude_code, "codex": _codex}
    format = detect(path)
    if format not in readers:
        raise EvaluationError(f"{path} is a {format} session; compactions are known of {' and '.join(readers)} only.")
    with path.open(encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines):
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if isinstance(record, dict):
                for kind, text in readers[format](record):
                    yield Record(number, kind, text)


def _claude_code(record: Mapping[str, Any]) -> Iterator[tuple[RecordKind, str]]:
    kind = record.get("type")
    if kind == "system" and record.get("subtype") == "compact_boundary":
        yield RecordKind.BOUNDARY, ""
    if kind not in ("user", "assistant") or record.get("isSidechain") or record.get("isMeta"):
        return
    said = RecordKind.PROMPT if kind == "user" else RecordKind.ANSWER
    message = record.get("message")
    content = message.get("content", "") if isinstance(message, dict) else ""
    if record.get("isCompactSummary"):
        yield RecordKind.SUMMARY, words(content)
    elif isinstance(content, str):
        yield said, content
    else:
        for block in content:
            if isinstance(block, dict):
                yield from _block(block, said)


def _block(block: Mapping[str, Any], said: RecordKind) -> Iterator[tuple[RecordKind, str]]:
    match block.get("type"):
        case "text":
            yield said, str(block.get("text", ""))
        case "tool_use":
            yield RecordKind.CALL, words(block.get("input"))
        case "tool_result":
            yield RecordKind.RESULT, words(block.get("content"))


def _codex(record: Mapping[str, Any]) -> Iterator[tuple[RecordKind, str]]:
    payload = record.get("payload", record)
    if not isinstance(payload, dict):
        return
    if record.get("type") == "compacted":
        kept = [item.get("content") for item in payload.get("replacement_history") or [] if isinstance(item, dict)]
        yield RecordKind.BOUNDARY, ""
        yield RecordKind.SUMMARY, f"{payload.get('message') or ''}\n{words(kept)}".strip()
    elif record.get("type") == "response_item":
        match payload.get("type"):
            case "message":
                kinds = {"user": RecordKind.PROMPT, "assistant": RecordKind.ANSWER}
                yield kinds.get(str(payload.get("role")), RecordKind.SYSTEM), words(payload.get("content"))
            case "function_call" | "custom_tool_call":
                yield RecordKind.CALL, str(payload.get("arguments") or payload.get("input") or "")
            case "function_call_output" | "custom_tool_call_output":
                yield RecordKind.RESULT, words(payload.get("output"))


def words(value: Any) -> str:
    """All words within a value of a record, one value a line."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(words(each) for each in value)
    if isinstance(value, dict):
        if value.get("type") == "text":
            return str(value.get("text", ""))
        return "\n".join(words(each) for key, each in value.items() if key not in FRAME)
    return "" if value is None else str(value)
