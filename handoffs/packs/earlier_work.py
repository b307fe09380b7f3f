"""What an earlier session was asked, and which files it edited and read, in the paths of this repository."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from continuity.knowledge.extractors.tools import tool_names
from continuity.packs.signals.sessions import EarlierSession
from continuity.transcripts.base.model import Message, Part, PartKind, Voice
from handoffs.packs.session_files import seconds

ASKED = 40_000  # characters
COMMAND = 2_000
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.{1,400})$", re.MULTILINE)
_PATH = re.compile(r"[\w.+@-]+(?:/[\w.+@-]+)*")
DEPTH = 40  # folders of a path that are tried


def earlier_session(id: str, messages: Sequence[tuple[int, Message]], known: Container[str]) -> EarlierSession | None:
    """Of the messages of a session; None where it did nothing."""
    asked: list[str] = []
    edited: dict[str, None] = {}
    read: dict[str, None] = {}
    at = 0.0
    for _, message in messages:
        if message.at is not None:
            at = seconds(message.at)
        for part in message.parts:
            if part.kind is PartKind.TEXT and part.voice is Voice.PERSON:
                asked.append(part.text)
            elif part.kind is PartKind.TOOL_CALL:
                for path, changed in _touched(part):
                    if (own := own_path(path, known)) is not None:
                        (edited if changed else read)[own] = None
    words = "\n\n".join(asked)[-ASKED:]
    return EarlierSession(id, at, words, tuple(edited), tuple(read)) if words or edited or read else None


def own_path(path: str, known: Container[str]) -> str | None:
    """The repository's path that a path on some machine ends with."""
    parts = path.replace("\\", "/").split("/")[-DEPTH:]
    return next((tail for at in range(len(parts)) if (tail := "/".join(parts[at:])) in known), None)


def _touched(call: Part) -> Iterator[tuple[str, bool]]:
    """Paths of a call, and whether it changed them."""
    name = tool_names.plain_name(call.name)
    if name in tool_names.PATCH:
        yield from ((path, True) for path in _PATCHED.findall(_text(call.input)))
    elif name in tool_names.WRITE or name in tool_names.EDIT:
        yield tool_names.path_of(call.input), True
    elif name in tool_names.EDITOR:
        yield tool_names.path_of(call.input), call.input.get("command") != "view"
    elif name in tool_names.READ:
        yield tool_names.path_of(call.input), False
    elif name in tool_names.SHELL:
        command = _text(call.input)[:COMMAND]
        yield from ((path, True) for path in _PATCHED.findall(command))
        yield from ((path, False) for path in _PATH.findall(command) if "/" in path or "." in path)


def _text(arguments: Mapping[str, Any]) -> str:
    """All texts of a call's arguments."""
    pieces: list[str] = []
    for value in arguments.values():
        if isinstance(value, str):
            pieces.append(value)
        elif isinstance(value, list):
            pieces += [each for each in value if isinstance(each, str)]
    return "\n".join(pieces)
