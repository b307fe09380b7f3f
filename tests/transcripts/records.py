"""Records as the tools write them, and short ways to read them."""

import json
from pathlib import Path
from typing import Any

import pytest

from continuity.transcripts import Abandoned, Message, PartKind, Transcript, Voice, open_transcript, read_lines

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "transcripts"

needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason="the shared transcripts are not here")


def claude(uuid: str, parent: str | None, content: Any, kind: str = "user", **more: Any) -> dict[str, Any]:
    """A Claude Code record; an assistant's has a message id of its own unless `id` is given."""
    message: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": more.pop("id", f"msg_{uuid}"), "model": "claude-test", "usage": more.pop("usage", None)}
    base = {"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "isSidechain": False}
    return base | {"timestamp": "2026-01-02T03:04:05.000Z", "cwd": "/repo", "gitBranch": "main", "message": message} | more


def answer(uuid: str, parent: str | None, text: str = "Done.", **more: Any) -> dict[str, Any]:
    return claude(uuid, parent, [{"type": "text", "text": text}], "assistant", **more)


def call(uuid: str, parent: str | None, call_id: str, name: str = "Bash", **more: Any) -> dict[str, Any]:
    return claude(uuid, parent, [{"type": "tool_use", "id": call_id, "name": name, "input": {"command": "ls"}}], "assistant", **more)


def result(uuid: str, parent: str | None, call_id: str, text: Any = "ok", report: Any = None, **more: Any) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": call_id, "content": text} | more
    return claude(uuid, parent, [block], toolUseResult=report)


def codex(kind: str, payload: Any, at: str = "2026-01-02T03:04:05Z") -> dict[str, Any]:
    return {"timestamp": at, "type": kind, "payload": payload}


def item(kind: str, **fields: Any) -> dict[str, Any]:
    return codex("response_item", {"type": kind} | fields)


def event(kind: str, at: str = "2026-01-02T03:04:05Z", **fields: Any) -> dict[str, Any]:
    return codex("event_msg", {"type": kind} | fields, at)


def said(role: str, text: str) -> dict[str, Any]:
    return item("message", role=role, content=[{"type": "output_text" if role == "assistant" else "input_text", "text": text}])


def line(record: Any) -> bytes:
    return json.dumps(record).encode()


def read(name: str, *records: Any) -> Transcript:
    """A reading of records of one format, as lines; bytes are taken as they are."""
    return read_lines(name, [record if isinstance(record, bytes) else line(record) for record in records])


def write(folder: Path, data: Any, name: str = "transcript") -> Path:
    """A file with the bytes, or with a value as JSON."""
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


def write_lines(folder: Path, *records: Any) -> Path:
    return write(folder, b"".join((record if isinstance(record, bytes) else line(record)) + b"\n" for record in records))


def messages(transcript: Any) -> list[Message]:
    return [found for found in transcript if isinstance(found, Message)]


def abandoned(transcript: Any) -> list[str]:
    """What was given and is rewound."""
    return [external_id for found in transcript if isinstance(found, Abandoned) and found.given for external_id in found.external_ids]


def texts(found: list[Message], voice: Voice) -> list[str]:
    return [part.text for message in found for part in message.parts if part.voice is voice and part.kind is PartKind.TEXT]


def shared(*names: str, cut: int | None = None) -> Transcript:
    return open_transcript(SHARED.joinpath(*names), cut=cut)
