"""Collects the parts of one message, each within the size limit, and what of the record could not be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from continuity.transcripts.base.fields import label, mapping, string
from continuity.transcripts.base.identity import ToolNames
from continuity.transcripts.base.model import AT_WORK, MODE, Part, PartKind, Role, Voice
from continuity.transcripts.base.sanitise import clip, clip_json
from continuity.transcripts.injected_texts import is_filler
from continuity.transcripts.user_words import split_words

PART_LIMIT = 8 * 2**20
MAX_PARTS = 10_000
MAX_PROBLEMS = 20

_TOO_MANY = f"what follows part {MAX_PARTS:,} was not read"
_COMMAND = re.compile(r"<command-name>([^<]{1,200})</command-name>")
_DATA_URL = re.compile(r"data:([^;,]{1,100})?[^,]{0,200},")


class Parts:
    """The parts of one message in the making; `limit` is the characters that a part's text, or one string of a call's
    input, may have before its middle is left out."""

    def __init__(self, limit: int, names: ToolNames) -> None:
        self._limit = limit
        self._names = names
        self._parts: list[Part] = []
        self.problems: list[str] = []

    def __iter__(self) -> Iterator[Part]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def as_tuple(self) -> tuple[Part, ...]:
        return tuple(self._parts)

    def text(self, text: str, voice: Voice, data: Mapping[str, Any] | None = None) -> None:
        """Adds words of one voice; nothing where there are none. What a tool put where the agent said nothing is its own."""
        if text.strip():
            voice = Voice.HARNESS if voice is Voice.AGENT and is_filler(text) else voice
            clipped, size = clip(text, self._limit)
            self._add(Part(PartKind.TEXT, voice, clipped, clipped=size, data=data or {}))

    def words(self, text: str, speaker: Voice = Voice.PERSON) -> None:
        """Adds the text of a message in the user's role, cut into what `speaker` says and what a tool put there."""
        for piece in split_words(text):
            command = _COMMAND.search(piece.text) if piece.voice is Voice.HARNESS else None
            voice = speaker if piece.voice is Voice.PERSON else piece.voice
            self.text(piece.text, voice, {"command": command.group(1).strip()} if command else None)

    def said(self, role: Role, text: str) -> None:
        """Adds the text of a message in any role: what stands in the user's is cut, the others' is of one voice."""
        if role is Role.USER:
            self.words(text)
        else:
            self.text(text, Voice.AGENT if role is Role.ASSISTANT else Voice.HARNESS)

    def in_mode(self, mode: str) -> None:
        """Notes in which mode of the tool the person spoke, beside their first words."""
        self._beside_words(MODE, mode)

    def at_work(self) -> None:
        """Notes that the agent was at work when it got the person's words, and went on."""
        self._beside_words(AT_WORK, True)

    def _beside_words(self, name: str, value: object) -> None:
        for place, part in enumerate(self._parts):
            if part.kind is PartKind.TEXT and part.voice is Voice.PERSON:
                self._parts[place] = replace(part, data={**part.data, name: value})
                return

    def reasoning(self, text: str) -> None:
        if text.strip():
            clipped, size = clip(text, self._limit)
            self._add(Part(PartKind.REASONING, Voice.AGENT, clipped, clipped=size))

    def call(self, name: str, call_id: str, arguments: Mapping[str, Any], data: Mapping[str, Any] | None = None) -> None:
        """Adds a tool call and remembers its tool for the result."""
        name = label(name) or "unnamed"
        self._names.remember(call_id, name)
        clipped, size = clip_json(dict(arguments), self._limit)
        self._add(Part(PartKind.TOOL_CALL, Voice.AGENT, name=name, call_id=call_id, input=clipped, clipped=size, data=data or {}))

    def result(
        self,
        text: str,
        call_id: str,
        *,
        name: str = "",
        failed: bool | None = None,
        exit_code: int | None = None,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Adds a tool's result, under the name that its call had unless another is given."""
        clipped, size = clip(text, self._limit)
        if failed is None and exit_code is not None:
            failed = exit_code != 0
        self._add(
            Part(
                PartKind.TOOL_RESULT,
                Voice.TOOL,
                clipped,
                name=label(name) or self._names.name(call_id),
                call_id=call_id,
                failed=failed,
                exit_code=exit_code,
                data=data or {},
                clipped=size,
            )
        )

    def image(self, source: Any, voice: Voice, call_id: str = "") -> None:
        """Adds an image or a document by its media type and size in bytes, without its content.

        `source` is an Anthropic source object, an OpenAI `image_url` object, or a URL.
        """
        self._add(Part(PartKind.IMAGE, voice, call_id=call_id, data=_image_data(source)))

    def boundary(self, text: str, data: Mapping[str, Any]) -> None:
        self._add(Part(PartKind.BOUNDARY, Voice.HARNESS, clip(text, self._limit)[0], data=data))

    def problem(self, reason: str) -> None:
        """Notes that a piece of the record was left out; of one record the first 20 pieces are named."""
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(reason)

    def _add(self, part: Part) -> None:
        if len(self._parts) < MAX_PARTS:
            self._parts.append(part)
        elif self.problems[-1:] != [_TOO_MANY]:
            self.problems.append(_TOO_MANY)

    def has_person(self) -> bool:
        return any(part.voice is Voice.PERSON for part in self._parts)

    def user_role(self) -> Role:
        """The role of a message that its source files under the user: a tool's where only a tool speaks in it."""
        results = any(part.kind is PartKind.TOOL_RESULT for part in self._parts)
        return Role.TOOL if results and not self.has_person() else Role.USER


def _image_data(source: Any) -> dict[str, Any]:
    fields = mapping(source)
    encoded = string(fields.get("data"))
    address = source if isinstance(source, str) else string(fields.get("url"))
    found = _DATA_URL.match(address[:400])
    if found:
        return {"media_type": found.group(1) or "", "bytes": (len(address) - found.end()) * 3 // 4}
    if address:
        return {"url": clip(address, 2000)[0]}
    return {"media_type": label(fields.get("media_type")), "bytes": len(encoded) * 3 // 4}
