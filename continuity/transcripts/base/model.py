"""The one message form that every transcript reader produces and everything downstream reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

OWN = "own"
# In the data of a person's words: the mode in which the tool was then, where that is PLANNING.
MODE, PLANNING = "mode", "plan"
AT_WORK = "at work"


class Role(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class Voice(StrEnum):
    """Whose words a part holds, whatever role its tool filed it under."""

    PERSON = "person"
    AGENT = "agent"
    TOOL = "tool"
    HARNESS = "harness"  # reminders, command wrappers, hooks, meta records, instruction files
    SUMMARY = "summary"  # a tool's own compaction summary


class PartKind(StrEnum):
    TEXT = "text"
    REASONING = "reasoning"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    IMAGE = "image"
    BOUNDARY = "boundary"  # a compaction happened here


@dataclass(frozen=True, slots=True)
class Part:
    """One ordered piece of a message.

    `text` is the words of a text, reasoning, result or boundary part and empty for a call; `input` is a call's
    arguments; `data` is what a tool reported beside its text (answers chosen, patch hunks, exit details), of a call and its result
    also OWN where the harness acted by itself on what the agent had said, of a person's words MODE where the tool was in plan mode,
    in which nothing is changed before the person approves a plan, and AT_WORK where they came into the agent's turn, which went on.
    `clipped` is the original size in characters where the text was shortened, 0 otherwise.
    """

    kind: PartKind
    voice: Voice
    text: str = ""
    name: str = ""
    call_id: str = ""
    input: Mapping[str, Any] = field(default_factory=dict)
    failed: bool | None = None
    exit_code: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    clipped: int = 0

    def as_json(self) -> dict[str, Any]:
        """The part as a JSON object without its empty fields."""
        full = {
            "kind": self.kind.value,
            "voice": self.voice.value,
            "text": self.text,
            "name": self.name,
            "call_id": self.call_id,
            "input": dict(self.input),
            "failed": self.failed,
            "exit_code": self.exit_code,
            "data": dict(self.data),
            "clipped": self.clipped,
        }
        return {key: value for key, value in full.items() if value not in ("", None, {}) and not (key == "clipped" and not value)}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Part:
        """The inverse of `as_json`. Raises ValueError on an unknown kind or voice."""
        return cls(
            kind=PartKind(raw["kind"]),
            voice=Voice(raw["voice"]),
            text=raw.get("text", ""),
            name=raw.get("name", ""),
            call_id=raw.get("call_id", ""),
            input=raw.get("input", {}),
            failed=raw.get("failed"),
            exit_code=raw.get("exit_code"),
            data=raw.get("data", {}),
            clipped=raw.get("clipped", 0),
        )


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider reported them for one of its messages; `context` is what filled the window."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def context(self) -> int:
        return self.input + self.output + self.cache_read + self.cache_write


@dataclass(frozen=True, slots=True)
class Message:
    """Role and ordered parts, with where they came from.

    `external_id` is unique within a session and the same on every reading of the same record. `line` is the 0-based
    line (JSONL) or element (JSON list) of the source. `usage_id` groups the records of one provider message, which
    all repeat one `usage`. `agent` is empty for the main conversation and names the side chain otherwise.
    """

    role: Role
    parts: tuple[Part, ...]
    external_id: str
    line: int = 0
    at: datetime | None = None
    model: str = ""
    usage_id: str = ""
    usage: Usage | None = None
    cwd: str = ""
    branch: str = ""
    agent: str = ""
    parent_id: str = ""


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Messages that a later record showed to have been rewound; everything distilled from them is retracted.

    Not `given` are those that this reading held back, and that one of the file when it was shorter may have given.
    """

    external_ids: tuple[str, ...]
    line: int
    given: bool = True


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record, or a piece of one, that could not be read: its 0-based line and a reason a person understands.

    The reason's subject is the record where it is left out as a `whole`, and the piece, which it names, otherwise.
    """

    line: int
    reason: str
    whole: bool = True


@dataclass(slots=True)
class Report:
    """A reader's findings about its source; complete when the reader is exhausted.

    `session_id` is the session's own id (the last one seen), `lineage` the earlier ones. `skipped` keeps the first
    1,000 skips, `skipped_count` counts all. `provider`, `model` and `max_context_tokens` are what the source names.
    """

    format: str = ""
    session_id: str = ""
    lineage: list[str] = field(default_factory=list)
    title: str = ""
    provider: str = ""
    model: str = ""
    max_context_tokens: int | None = None
    cwd: str = ""
    branch: str = ""
    records: int = 0
    messages: int = 0
    bytes_read: int = 0
    skipped: list[Skipped] = field(default_factory=list)
    skipped_count: int = 0

    def skip(self, line: int, reason: str, *, whole: bool = True) -> None:
        self.skipped_count += 1
        if len(self.skipped) < 1000:
            self.skipped.append(Skipped(line, reason, whole))
