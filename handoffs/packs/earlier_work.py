"""Which files an earlier session edited and read, in the paths of this repository."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from continuity.knowledge.extractors.tools import tool_names
from continuity.packs.signals.sessions import EarlierSession
from continuity.transcripts.base.model import Message, Part, PartKind
from handoffs.packs.session_files import seconds

COMMAND = 2_000  # characters
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.{1,400})$", re.MULTILINE)
_PATH = re.compile(r"[\w.+@-]+(?:/[\w.+@-]+)*")
DEPTH = 40  # folders of a path that are tried


class EarlierTouch(NamedTuple):
    """A call that worked on the file at `path`, which may be one of another machine; `at` in seconds since 1970, 0 where nothing told."""

    at: float
    path: str
    changed: bool


def touches(messages: Sequence[tuple[int, Message]]) -> Iterator[EarlierTouch]:
    """Of a session's messages, in order; a message without a time is as old as the one before it."""
    at = 0.0
    for _, message in messages:
        if message.at is not None:
            at = seconds(message.at)
        for part in message.parts:
            if part.kind is PartKind.TOOL_CALL:
                yield from (EarlierTouch(at, path, changed) for path, changed in _touched_paths(part))


def earlier_session(id: str, touched: Iterable[EarlierTouch], known: Container[str]) -> EarlierSession | None:
    """None for a session that worked on no file of the repository: it is another's, and says nothing here."""
    edited: dict[str, None] = {}
    read: dict[str, None] = {}
    at = 0.0
    for touch in touched:
        if (own := own_path(touch.path, known)) is not None:
            (edited if touch.changed else read)[own] = None
            at = touch.at
    return EarlierSession(id, at, tuple(edited), tuple(read)) if edited or read else None


def own_path(path: str, known: Container[str]) -> str | None:
    """The repository's path that a path on some machine ends with."""
    parts = path.replace("\\", "/").split("/")[-DEPTH:]
    return next((tail for at in range(len(parts)) if (tail := "/".join(parts[at:])) in known), None)


def _touched_paths(call: Part) -> Iterator[tuple[str, bool]]:
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
