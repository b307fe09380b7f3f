"""Codex response items to parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from continuity.transcripts.base.call_arguments import read_arguments
from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.fields import label, listing, mapping, pieces, string
from continuity.transcripts.base.identity import ToolNames
from continuity.transcripts.base.model import Part, Role, Voice
from continuity.transcripts.base.parts import Parts
from continuity.transcripts.codex.events import CallEvents
from continuity.transcripts.codex.item_names import call_id_of, record_name, tool_name
from continuity.transcripts.codex.outputs import cell, read_output
from continuity.transcripts.codex.scripts import calls_in

RESPONSE_ITEMS = frozenset(
    {
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "local_shell_call",
        "web_search_call",
        "tool_search_call",
        "tool_search_output",
        "image_generation_call",
        "ghost_snapshot",
        "compaction",
    }
)
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM, "developer": Role.SYSTEM}


@dataclass(frozen=True, slots=True)
class CodexItem:
    """`name` identifies the record where the source names it; else `content`, what the source says, does."""

    role: Role
    parts: tuple[Part, ...] = ()
    name: str = ""
    content: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()


class ItemReader:
    def __init__(self, part_limit: int, events: CallEvents) -> None:
        self._limit = part_limit
        self._events = events
        self._tools = ToolNames()
        self._looks = ToolNames()  # calls that look at a script that goes on
        self._readers: dict[str, Callable[[Mapping[str, Any], Parts], Role]] = {
            "message": self._message,
            "reasoning": self._reasoning,
            "function_call": self._function,
            "custom_tool_call": self._custom,
            "local_shell_call": partial(self._acting, "shell"),
            "web_search_call": partial(self._acting, "web_search"),
            "tool_search_call": self._tool_search,
            "function_call_output": self._output,
            "custom_tool_call_output": self._output,
            "tool_search_output": self._tools_found,
            "image_generation_call": self._image,
        }

    def parts(self) -> Parts:
        return Parts(self._limit, self._tools)

    def read(self, item: Mapping[str, Any]) -> CodexItem:
        """The item's parts, none where it says nothing. Raises BadRecord where it has no type or a wrong content."""
        kind = item.get("type")
        if not isinstance(kind, str):
            raise BadRecord("has an item without a type")
        reader = self._readers.get(kind)
        if reader is None:
            return CodexItem(Role.SYSTEM)
        parts = self.parts()
        role = reader(item, parts)
        content = {key: item[key] for key in ("content", "summary", "action", "arguments") if key in item}
        return CodexItem(role, parts.as_tuple(), record_name(kind, item), content, tuple(parts.problems))

    def _message(self, item: Mapping[str, Any], parts: Parts) -> Role:
        role = _ROLES.get(string(item.get("role")))
        if role is None:
            raise BadRecord(f"has the role {label(item.get('role'))[:40]!r}, which is not known")
        content = item.get("content")
        if isinstance(content, str):
            parts.said(role, content)
            return role
        for number, piece in enumerate(pieces(content), 1):
            text = mapping(piece).get("text")
            if isinstance(text, str):
                parts.said(role, text)
            elif mapping(piece).get("type") in ("input_image", "output_image"):
                parts.image(mapping(piece).get("image_url"), Voice.PERSON if role is Role.USER else Voice.AGENT)
            else:
                parts.problem(f"part {number} is neither a text nor an image")
        return role

    def _reasoning(self, item: Mapping[str, Any], parts: Parts) -> Role:
        thoughts = [*listing(item.get("summary")), *listing(item.get("content"))]
        parts.reasoning("\n\n".join(text for piece in thoughts if (text := string(mapping(piece).get("text")))))
        return Role.ASSISTANT

    def _function(self, item: Mapping[str, Any], parts: Parts) -> Role:
        name, arguments = tool_name(item), read_arguments(item.get("arguments"))
        if name == "wait" and "cell_id" in arguments:  # a look at a script that goes on, as at a process
            name, arguments = "write_stdin", {"session_id": cell(arguments["cell_id"])}
            self._looks.remember(call_id_of(item), name)
        parts.call(name, call_id_of(item), arguments)
        return Role.ASSISTANT

    def _custom(self, item: Mapping[str, Any], parts: Parts) -> Role:
        name, call_id, given = tool_name(item), call_id_of(item), item.get("input")
        done = calls_in(given) if name == "exec" and isinstance(given, str) else None
        if done is not None:
            self._events.expect(call_id, done.arguments.get("cmd"))
            parts.call(done.name, call_id, done.arguments)
        else:
            parts.call(name, call_id, {"patch" if name == "apply_patch" else "input": given})
        return Role.ASSISTANT

    def _acting(self, name: str, item: Mapping[str, Any], parts: Parts) -> Role:
        parts.call(name, call_id_of(item), mapping(item.get("action")))
        return Role.ASSISTANT

    def _tool_search(self, item: Mapping[str, Any], parts: Parts) -> Role:
        parts.call("tool_search", call_id_of(item), read_arguments(item.get("arguments")))
        return Role.ASSISTANT

    def _output(self, item: Mapping[str, Any], parts: Parts) -> Role:
        call_id = call_id_of(item)
        output = read_output(item.get("output"))
        about = self._events.take(call_id)
        exit_code = output.exit_code if output.exit_code is not None else about.pop("exit_code", None)
        failed = output.failed
        if failed is None and exit_code is None and "success" in about:
            failed = not about["success"]
        data = {**output.data, **about}
        if (ended := data.pop("script", None)) and self._looks.name(call_id):
            data["status"] = ended
        parts.result(output.text, call_id, failed=failed, exit_code=exit_code, data=data)
        for piece in listing(item.get("output")):
            if mapping(piece).get("type") == "input_image":
                parts.image(mapping(piece).get("image_url"), Voice.TOOL, call_id)
        return Role.TOOL

    def _tools_found(self, item: Mapping[str, Any], parts: Parts) -> Role:
        tools = [mapping(tool) for space in listing(item.get("tools")) for tool in [space, *listing(mapping(space).get("tools"))]]
        parts.result("\n".join(name for tool in tools if (name := label(tool.get("name")))), call_id_of(item))
        return Role.TOOL

    def _image(self, item: Mapping[str, Any], parts: Parts) -> Role:
        parts.image({"media_type": "image/png", "data": string(item.get("result"))}, Voice.AGENT, call_id_of(item))
        return Role.ASSISTANT
