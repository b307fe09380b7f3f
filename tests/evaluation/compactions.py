"""Sessions made by hand that were compacted once, and what they went on to use."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.transcripts.records import answer, claude, codex, item, said

BEFORE = [f"module_{chr(97 + number)}x.py" for number in range(15)]
SUMMARY = f"We worked on {BEFORE[0]} and, after a long discussion of the plan, on {BEFORE[1]} too."


def claude_call(uuid: str, words: str) -> dict[str, Any]:
    return claude(uuid, None, [{"type": "tool_use", "id": f"t{uuid}", "name": "Read", "input": {"file_path": words}}], "assistant")


def claude_result(uuid: str, words: str) -> dict[str, Any]:
    return claude(uuid, None, [{"type": "tool_result", "tool_use_id": f"t{uuid}", "content": [{"type": "text", "text": words}]}])


def claude_session(path: Path, continuation: Sequence[Any], summary: str = SUMMARY) -> Path:
    """The boundary is on line 2."""
    boundary = claude("b", None, "") | {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"}
    records = [
        claude("u1", None, f"Please look after these: {', '.join(BEFORE)}."),
        answer("a1", "u1", "I will look after each of them in turn."),
        boundary,
        *([claude("s", None, summary) | {"isCompactSummary": True}] if summary else []),
        *continuation,
    ]
    return written(path, records)


def codex_session(path: Path, used: Sequence[str]) -> Path:
    """The boundary is on line 3."""
    records = [
        codex("session_meta", {"id": "s1", "cwd": "/repo"}),
        said("user", f"Please look after these: {', '.join(BEFORE)}."),
        said("assistant", "I will look after each of them in turn."),
        codex("compacted", {"message": SUMMARY, "replacement_history": [{"content": [{"type": "text", "text": BEFORE[2]}]}]}),
        *(item("function_call", name="shell", arguments=json.dumps({"command": name}), call_id=name) for name in used),
    ]
    return written(path, records)


def written(path: Path, records: Sequence[Any]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path
