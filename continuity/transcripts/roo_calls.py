"""Cline's and Roo Code's way of writing calls as XML in the agent's words, and results, and what their user says about them, as
texts in the user's role."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from continuity.transcripts.base.call_arguments import read_arguments
from continuity.transcripts.base.fields import whole
from continuity.transcripts.base.model import Voice
from continuity.transcripts.base.parts import Parts
from continuity.transcripts.user_words import split_words

EXIT = re.compile(r"(?:Exit code: |exited with code )(-?\d{1,10})\b")
FAILED = re.compile(r"\s*(?:The tool execution failed|Error executing|The user denied this operation)|\s*<error>")

_TOOLS = (
    "execute_command|read_file|write_to_file|replace_in_file|apply_diff|insert_content|search_and_replace|edit_file|delete_file"
    "|search_files|list_files|list_code_definition_names|codebase_search|browser_action|use_mcp_tool|access_mcp_resource"
    "|ask_followup_question|attempt_completion|plan_mode_respond|new_task|switch_mode|update_todo_list|fetch_instructions"
    "|load_mcp_documentation|new_rule|web_fetch"
)
_HEADING = re.compile(r"\[(\w{1,60})(?: for '|\])[^\n]*\] Result:|\[(\w{1,60})\] Result:")
_NUDGE = re.compile(r"\[ERROR\] You did not use a tool in your previous response!")
_CALL = re.compile(rf"^[ \t]*<({_TOOLS})>(?=\s*<|\s*\Z)", re.MULTILINE)
_FIELD = re.compile(r"<([a-z_]{1,40})>")
_THOUGHT = re.compile(r"\s*<thinking>(.{0,200000}?)</thinking>", re.DOTALL)
_CUT = re.compile(r"\[Response interrupted by [^\n\]]{1,300}\]\s*\Z")
_SAID = ("feedback", "user_message")
# Tools whose result is what the person says, and how another result begins that tells what they said of its call.
_ASKING = frozenset({"ask_followup_question", "attempt_completion", "plan_mode_respond"})
_TOLD = re.compile(r"\s*The user\b|[^<]{0,200}\bstill running\b")
_ANSWER = re.compile(r"</?answer>")
# Fields that hold text of any kind, also such as looks like the end of the field.
_WHOLE = frozenset({"content", "diff", "result", "response", "command", "todos", "arguments"})


def read_text(text: str, parts: Parts) -> None:
    """Adds what the agent wrote: its words, and the calls that stand among them as XML, of which the last may be cut off."""
    if thought := _THOUGHT.match(text):
        parts.reasoning(thought[1])
        text = text[thought.end() :]
    position = 0
    for name, start, end, body in _calls(text):
        parts.text(text[position:start], Voice.AGENT)
        _call(name, body, parts)
        position = end
    parts.text(text[position:], Voice.AGENT)


def _calls(text: str) -> Iterator[tuple[str, int, int, str]]:
    """Each call's tool, where it begins and ends, and what stands between its tags."""
    position = fences = 0
    while match := _CALL.search(text, position):
        fences += text.count("```", position, match.start())
        name, closing = match[1], f"</{match[1]}>"
        end = -1 if fences % 2 else _end(text, match.end(), closing)
        cut = _cut(text) if end < 0 and not fences % 2 else -1
        if end < 0 and cut < match.end():
            position = match.end()
            continue
        position = end + len(closing) if end >= 0 else len(text)
        yield name, match.start(), position, text[match.end() : end if end >= 0 else cut]


def _end(text: str, start: int, closing: str) -> int:
    """Where a call's closing tag stands: behind the end of a field that holds text of any kind, also such a tag; -1 without one."""
    end = text.find(closing, start)
    for name in ("content", "diff"):
        opened = text.find(f"<{name}>", start, end) if end >= 0 else -1
        if opened >= 0 and text.find(f"</{name}>", opened, end) < 0:
            closed = text.find(f"</{name}>", end)
            end = text.find(closing, closed) if closed >= 0 else end
    return end


def _cut(text: str) -> int:
    """Where a text says at its end that it was cut off; -1 where it does not."""
    at = text.rfind("[Response interrupted by ")
    return at if at >= 0 and _CUT.match(text, at) else -1


def _call(name: str, body: str, parts: Parts) -> None:
    """A call; but what the agent reports or proposes to the person at the end of a turn becomes words."""
    fields = _fields(body)
    said = fields.get("result") if name == "attempt_completion" else fields.get("response") if name == "plan_mode_respond" else None
    if isinstance(said, str):
        parts.text(said, Voice.AGENT)
    else:
        parts.call(name, "", _arguments(fields))


def _fields(body: str) -> dict[str, Any]:
    """The fields of a call by name; a field that comes again makes a list."""
    found: dict[str, list[str]] = {}
    position = 0
    while match := _FIELD.search(body, position):
        name, closing = match[1], f"</{match[1]}>"
        end = body.rfind(closing, match.end()) if name in _WHOLE else body.find(closing, match.end())
        found.setdefault(name, []).append(body[match.end() : end if end >= 0 else len(body)].strip("\n"))
        position = end + len(closing) if end >= 0 else len(body)
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def _arguments(fields: dict[str, Any]) -> dict[str, Any]:
    if isinstance(fields.get("args"), str):
        files = [_fields(file) for file in _listed(_fields(fields.pop("args")).get("file"))]
        paths = [file["path"] for file in files if isinstance(file.get("path"), str)]
        fields |= {**files[0], "path": paths[0]} if len(paths) == 1 else {"paths": paths}
    if isinstance(fields.get("follow_up"), str):
        fields["follow_up"] = _listed(_fields(fields["follow_up"]).get("suggest"))
    if isinstance(fields.get("arguments"), str):
        fields["arguments"] = dict(read_arguments(fields["arguments"]))
    return fields


def _listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else value or []


class RooText:
    """Reads the texts of one user message in order: a heading makes those after it the result of its tool."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tool = ""

    def speak(self, text: str) -> None:
        heading = _HEADING.match(text)
        if heading:
            self._tool = heading.group(1) or heading.group(2)
            self._parts.text(heading.group(), Voice.HARNESS)
            text = text[heading.end() :].strip()
        if _NUDGE.match(text):
            self._parts.text(text, Voice.HARNESS)
        elif self._tool and (text.startswith("<file") or any(piece.voice is Voice.PERSON for piece in split_words(text))):
            self._result(text)
        else:
            self._parts.words(text)

    def _result(self, text: str) -> None:
        stated = EXIT.search(text[:500]) if self._tool == "execute_command" else None
        if self._tool == "ask_followup_question":
            text = _ANSWER.sub("", text)
        failed = True if FAILED.match(text[:500]) else None
        self._parts.result(text, "", name=self._tool, failed=failed, exit_code=whole(int(stated[1])) if stated else None)
        if self._tool not in _ASKING and not _TOLD.match(text):
            return
        for tag in _SAID:
            _, opened, after = text.partition(f"<{tag}>")
            said, closed, _ = after.partition(f"</{tag}>")
            if opened and closed:
                self._parts.text(said.strip(), Voice.PERSON)
