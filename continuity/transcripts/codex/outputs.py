"""Output of a Codex tool: the text without its header, and how the call ended."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from continuity.transcripts.base.fields import listing, mapping, string, whole
from continuity.transcripts.base.sanitise import clean_json

MAX_HEADER_LINES = 10

_HEADER = (
    ("exit_code", re.compile(r"(?:Process exited with code|Exit code:) (-?\d{1,10})\Z")),
    ("session_id", re.compile(r"Process running with session ID (\d{1,18})\Z")),
    ("wall_seconds", re.compile(r"Wall time: ([\d.]{1,20}) seconds?\Z")),
    ("chunk_id", re.compile(r"Chunk ID: (\w{1,40})\Z")),
    ("original_tokens", re.compile(r"Original token count: (\d{1,12})\Z")),
    ("output_lines", re.compile(r"Total output lines: (\d{1,12})\Z")),
)
_SCRIPT = re.compile(
    r"Script (?:(?P<ended>completed|failed)|running with cell ID (?P<cell>\w{1,40}))\nWall time (?P<seconds>[\d.]{1,20}) seconds?"
    r"\nOutput:\n?"
)
_ENDS_HEADER = re.compile(r"(?:Output|Stdout|Command output):\Z", re.IGNORECASE)
_REFUSED = re.compile(
    r"\s*(?:execution error|exec_command failed|write_stdin failed|apply_patch verification failed|failed to parse function|"
    r"unsupported (?:call|custom tool call)|aborted by user|command timed out|rejected by user|exec command rejected)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """`data` holds what the header states: `session_id` and `running` of a process that goes on, `wall_seconds` and so on."""

    text: str
    exit_code: int | None = None
    failed: bool | None = None
    data: Mapping[str, Any] = field(default_factory=dict)


def read_output(raw: Any) -> ToolOutput:
    """Reads the `output` of a call: a text with or without a header, JSON with the exit code beside the text, or a list of
    content items."""
    if isinstance(raw, dict):
        return _structured(raw)
    if isinstance(raw, list):
        pieces = [text for item in listing(raw) if (text := string(mapping(item).get("text")))]
        header = _SCRIPT.match(pieces[0]) if pieces else None
        return _of_script(header, [pieces[0][header.end() :], *pieces[1:]]) if header else ToolOutput("\n".join(pieces))
    text = string(raw)
    if header := _SCRIPT.match(text):
        return _of_script(header, [text[header.end() :]])
    if text.startswith("{"):
        try:
            decoded = clean_json(json.loads(text, strict=False))
        except (ValueError, RecursionError):
            return _plain(text)
        if isinstance(decoded, dict) and isinstance(decoded.get("output"), str):
            return _structured(decoded)
    return _plain(text)


def _structured(raw: Mapping[str, Any]) -> ToolOutput:
    about = mapping(raw.get("metadata"))
    exit_code = whole(about.get("exit_code"))
    seconds = about.get("duration_seconds")
    success = raw.get("success")
    text = string(raw.get("output")) or string(raw.get("content"))
    return ToolOutput(
        text=text,
        exit_code=exit_code,
        failed=not success if isinstance(success, bool) else None,
        data={"wall_seconds": seconds} if isinstance(seconds, int | float) else {},
    )


def cell(name: Any) -> str:
    """The id under which a script that goes on is known; processes have numbers of their own."""
    return f"cell {name}"


def _of_script(header: re.Match[str], pieces: list[str]) -> ToolOutput:
    """The output of a script: texts, or what its calls gave back as JSON, which tells how they ended."""
    pieces = [piece for piece in pieces if piece.strip()]
    read = [_result(piece) for piece in pieces]
    results = [result for result in read if result is not None]
    if len(results) < len(read):  # one text among them, and all are shown as they stand
        results = []
    texts = [string(result.get("output")) for result in results] or pieces
    codes = [whole(result.get("exit_code")) for result in results]
    known = [code for code in codes if code is not None]
    data: dict[str, Any] = {"wall_seconds": _number(header["seconds"])}
    if header["ended"]:
        data["script"] = header["ended"]
    if header["cell"]:
        data |= {"session_id": cell(header["cell"]), "running": True}
    elif results and None in codes and (session := whole(results[codes.index(None)].get("session_id"))) is not None:
        data |= {"session_id": session, "running": True}
    exit_code = next(filter(None, known), 0) if known and not data.get("running") else None
    return ToolOutput("\n".join(texts), exit_code, True if header["ended"] == "failed" else None, data)


def _result(piece: str) -> Mapping[str, Any] | None:
    if not piece.startswith("{"):
        return None
    try:
        decoded = clean_json(json.loads(piece, strict=False))
    except (ValueError, RecursionError):
        return None
    return decoded if isinstance(decoded, dict) and isinstance(decoded.get("output"), str) else None


def _plain(text: str) -> ToolOutput:
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
    return ToolOutput(text, failed=True if _REFUSED.match(text[:200]) else None)


def _with_header(text: str, stated: dict[str, Any]) -> ToolOutput:
    exit_code = whole(int(stated.pop("exit_code"))) if "exit_code" in stated else None
    data: dict[str, Any] = {}
    for name, value in stated.items():
        data[name] = value if name == "chunk_id" else _number(value)
    if "session_id" in data:
        data["running"] = True
    return ToolOutput(text, exit_code, data=data)


def _number(text: str) -> int | float | str:
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text
