"""Messages for display: words of people and agents in the open, the rest folded, secrets masked. No database."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from continuity.knowledge.extractors.tools import answers, tool_names
from continuity.models import Message
from continuity.rendering import edits, markdown
from continuity.rendering.call_arguments import arguments
from continuity.rendering.edits import FileEdit
from continuity.secrets import message_masking
from continuity.transcripts.base.model import PartKind, Role, Voice
from continuity.transcripts.base.sanitise import clean_json

CLIP = 6000  # characters of one part in a page of many messages
PREVIEW = 110
FILES = 3  # that a call's title names
NOTHING: Mapping[str, str] = {}
# The argument of a call that says best what it does, in the order of trying.
TELLING = ("command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "description", "prompt")


@dataclass(frozen=True, slots=True)
class ShownPart:
    """One part; with a `title` it is folded under it. `hidden` counts characters that were cut off for the page.

    `html` are the words of somebody, read as Markdown; `edits` are the changes that a call makes in files, which stand for its arguments.
    `asked_by` is the tool through which a person gave this answer, `asks` are the questions of a form, with each option and its meaning.
    """

    text: str
    title: str = ""
    hidden: int = 0
    failed: bool = False
    boundary: bool = False
    html: SafeString | None = None
    edits: Sequence[FileEdit] = ()
    asked_by: str = ""
    asks: Sequence[tuple[str, Sequence[tuple[str, str]]]] = ()

    @property
    def files(self) -> Sequence[str]:
        """The files that it changes, each once."""
        return list(dict.fromkeys(edit.path for edit in self.edits))


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """`speaker` is who it comes from, whatever role the tool filed it under: person, agent, tool or system."""

    row: Message
    speaker: str
    parts: Sequence[ShownPart]

    @property
    def called(self) -> str:
        """The name of the speaker on pages: a person is the user of the tool."""
        return "user" if self.speaker == "person" else self.speaker

    @property
    def hidden(self) -> int:
        return sum(part.hidden for part in self.parts)


def tools_called(messages: Iterable[Message]) -> dict[str, str]:
    """The tools' names by the ids of their calls, which results name."""
    parts = (part for message in messages for part in message.parts if part.get("kind") == PartKind.TOOL_CALL)
    return {str(part.get("call_id")): str(part.get("name")) for part in parts if part.get("call_id") and part.get("name")}


def show(message: Message, *, clip: int | None = CLIP, called: Mapping[str, str] = NOTHING) -> ShownMessage:
    """The message as a page shows it; `clip` None shows all of it, `called` are the tools that it may hold results of."""
    parts = clean_json(message_masking.masked(message.parts, message.secrets))
    shown = [_part(part, clip, called) for part in parts]
    return ShownMessage(message, _speaker(message.role, parts, shown), shown)


def _speaker(role: str, parts: Sequence[Mapping[str, Any]], shown: Sequence[ShownPart]) -> str:
    if role == Role.SYSTEM:
        return "system"
    if role == Role.ASSISTANT:
        return "agent"
    return "person" if any(part.get("voice") == Voice.PERSON for part in parts) or any(part.asked_by for part in shown) else "tool"


def _part(part: Mapping[str, Any], clip: int | None, called: Mapping[str, str]) -> ShownPart:
    kind, voice = part.get("kind"), part.get("voice")
    text = arguments(part.get("input", {})) if kind == PartKind.TOOL_CALL else str(part.get("text", ""))
    kept = text if clip is None else text[:clip]
    title = _title(part, text)
    if kind == PartKind.BOUNDARY:
        return ShownPart(kept, title="" if not kept else "The context was compacted here", boundary=True, hidden=len(text) - len(kept))
    if kind == PartKind.IMAGE:
        return ShownPart(kept or "(an image)", title="")
    failed = bool(part.get("failed")) or bool(part.get("exit_code"))
    if kind == PartKind.TEXT and voice in (Voice.PERSON, Voice.AGENT):
        html = markdown.rendered(kept)
        return ShownPart(kept, "", len(text) - len(kept), failed, html=None if html is None else mark_safe(html))  # noqa: S308  it is cleaned
    if kind == PartKind.TOOL_RESULT:
        tool = str(part.get("name") or called.get(str(part.get("call_id")), ""))
        if text.strip() and answers.is_persons(tool, text, failed=failed):
            return ShownPart(kept, hidden=len(text) - len(kept), asked_by=tool or "a tool")
    if kind == PartKind.TOOL_CALL and len(text) == len(kept) and (asks := _questions(part)):
        return ShownPart("", failed=failed, asks=asks)
    changed = edits.edits_of(part.get("input")) if kind == PartKind.TOOL_CALL else []
    if changed:
        return ShownPart("", _title_of_changes(str(part.get("name") or "Tool call"), changed), failed=failed, edits=changed)
    return ShownPart(kept, title, len(text) - len(kept), failed)


def _questions(part: Mapping[str, Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    given = part.get("input")
    asks = tool_names.plain_name(str(part.get("name", ""))) in tool_names.ASK
    return answers.offered_in(given) if asks and isinstance(given, Mapping) else []


def _title(part: Mapping[str, Any], text: str) -> str:
    kind, voice = part.get("kind"), part.get("voice")
    if kind == PartKind.TOOL_CALL:
        return f"{part.get('name') or 'Tool call'} {_telling(part.get('input', {}))}".strip()
    if kind == PartKind.TOOL_RESULT:
        return f"Result{_ending(part)}: {preview(text)}" if text.strip() else f"Result{_ending(part)}, no output"
    if kind == PartKind.REASONING:
        return f"Reasoning: {preview(text)}" if text.strip() else "Reasoning, not recorded"
    if voice == Voice.SUMMARY:
        return "The tool's own summary of what came before"
    return f"Added by the tool: {preview(text)}"


def _title_of_changes(tool: str, changed: Sequence[FileEdit]) -> str:
    names = ShownPart("", edits=changed).files
    more = f" and {len(names) - FILES} more" if len(names) > FILES else ""
    counts = f"+{sum(each.added for each in changed)} −{sum(each.removed for each in changed)}"
    return f"{tool} {', '.join(map(preview, names[:FILES]))}{more} {counts}"


def _telling(given: Mapping[str, Any]) -> str:
    for name in TELLING:
        value = given.get(name)
        if isinstance(value, str) and value.strip():
            return preview(value)
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return preview(" ".join(value))
    return ""


def _ending(part: Mapping[str, Any]) -> str:
    code = part.get("exit_code")
    if code:
        return f" (exit {code})"
    return " (failed)" if part.get("failed") else ""


def preview(text: str) -> str:
    """The first line with words in it, shortened."""
    line = next((stripped for stripped in map(str.strip, text[:2000].splitlines()) if stripped), "")
    return line if len(line) <= PREVIEW else line[: PREVIEW - 1] + "…"
