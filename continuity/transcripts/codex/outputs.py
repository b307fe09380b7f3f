"""What a tool of Codex put out: the text, without the header that states how it ended, and how it ended."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from continuity.transcripts.fields import listing, mapping, string, whole
from continuity.transcripts.sanitise import clean_json

MAX_HEADER_LINES = 10

_HEADER = (
    ("exit_code", re.compile(r"(?:Process exited with code|Exit code:) (-?\d{1,10})\Z")),
    ("session_id", re.compile(r"Process running with session ID (\d{1,18})\Z")),
    ("wall_seconds", re.compile(r"Wall time: ([\d.]{1,20}) seconds?\Z")),
    ("chunk_id", re.compile(r"Chunk ID: (\w{1,40})\Z")),
    ("original_tokens", re.compile(r"Original token count: (\d{1,12})\Z")),
    ("output_lines", re.compile(r"Total output lines: (\d{1,12})\Z")),
)
_ENDS_HEADER = re.compile(r"(?:Output|Stdout|Command output):\Z", re.IGNORECASE)
_REFUSED = re.compile(
    r"\s*(?:execution error|exec_command failed|write_stdin failed|apply_patch verification failed|failed to parse function|"
    r"unsupported (?:call|custom tool call)|aborted by user|command timed out|rejected by user|exec command rejected)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Output:
    """`data` holds what the header states: `session_id` and `running` of a process that goes on, `wall_seconds` and so on."""

    text: str
    exit_code: int | None = None
    failed: bool | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


def read_output(raw: Any) -> Output:
    """Reads the `output` of a call: a text with or without a header, JSON with the exit code beside the text, or a list of
    content items."""
    if isinstance(raw, dict):
        return _structured(raw)
    if isinstance(raw, list):
        return Output("\n".join(string(mapping(item).get("text")) for item in listing(raw) if string(mapping(item).get("text"))))
    text = string(raw)
    if text.startswith("{"):
        try:
            decoded = clean_json(json.loads(text, strict=False))
        except (ValueError, RecursionError):
            return _plain(text)
        if isinstance(decoded, dict) and isinstance(decoded.get("output"), str):
            return _structured(decoded)
    return _plain(text)


def _structured(raw: Mapping[str, Any]) -> Output:
    about = mapping(raw.get("metadata"))
    exit_code = whole(about.get("exit_code"))
    seconds = about.get("duration_seconds")
    success = raw.get("success")
    text = string(raw.get("output")) or string(raw.get("content"))
    return Output(
        text=text,
        exit_code=exit_code,
        failed=not success if isinstance(success, bool) else None,
        data={"wall_seconds": seconds} if isinstance(seconds, int | float) else {},
    )


def _plain(text: str) -> Output:
    stated: dict[str, Any] = {}
    at = 0
    for _ in range(MAX_HEADER_LINES):
        end = text.find("\n", at)
        line = text[at : end if end >= 0 else len(text)]
        if stated and _ENDS_HEADER.match(line):
            return _with_header(text[end + 1 :] if end >= 0 else "", stated)
        found = next(((name, match.group(1)) for name, pattern in _HEADER if (match := pattern.match(line[:100]))), None)
        if found is None or end < 0:
            break
        stated[found[0]] = found[1]
        at = end + 1
    return Output(text, failed=True if _REFUSED.match(text[:200]) else None)


def _with_header(text: str, stated: dict[str, Any]) -> Output:
    exit_code = whole(int(stated.pop("exit_code"))) if "exit_code" in stated else None
    data: dict[str, Any] = {}
    for name, value in stated.items():
        data[name] = value if name == "chunk_id" else _number(value)
    if "session_id" in data:
        data["running"] = True
    return Output(text, exit_code, data=data)


def _number(text: str) -> int | float | str:
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text
