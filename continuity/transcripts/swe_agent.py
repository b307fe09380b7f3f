"""SWE-agent's trajectories: one JSON object whose `history` holds the messages, with actions in plain text or as tool calls."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from continuity.transcripts.base.call_arguments import read_arguments
from continuity.transcripts.base.exit_codes import stated_exit_code
from continuity.transcripts.base.fields import identifier, label, listing, mapping, pieces, string
from continuity.transcripts.base.format import Event, Format, Parser, Sample, share
from continuity.transcripts.base.message_builder import Assembler
from continuity.transcripts.base.model import Report, Role, Voice
from continuity.transcripts.base.parts import Parts
from continuity.transcripts.chat import role_of
from continuity.transcripts.swe_agent_shell import SweAgentShell

NAME = "swe-agent"
LIST_KEY = "history"

_ISSUE = re.compile(
    r"(?:\A|\n)(?:ISSUE:\s*\n|<(?P<tag>pr_description|issue|problem_statement)>\s*\n?)(?P<issue>.+?)"
    r"(?=\n[ \t]*INSTRUCTIONS:|\n?</(?P=tag)>|\Z)",
    re.DOTALL,
)
_FAILED = re.compile(
    r"\s*(?:Your proposed edit has introduced|Your edit was not applied|Error: |EXECUTION TIMED OUT|COMMAND TIMED OUT|"
    r"No replacement was performed|Usage: |File \S{1,500} not found)"
)


class SweAgentParser(Parser):
    def __init__(self, report: Report, part_limit: int) -> None:
        self._report = report
        self._make = Assembler(report, part_limit)
        self._shell = SweAgentShell()
        self._calls = 0
        self._waiting: list[str] = []
        self._submission: dict[str, Any] = {}
        self._asked = False
        self._line = 0

    def field(self, name: str, value: Any) -> Iterator[Event]:
        if name in ("instance_id", "id"):
            self._make.began(identifier(value))
        elif name == "info":
            info = mapping(value)
            self._submission = {key: info[key] for key in ("exit_status", "submission") if string(info.get(key))}
        elif name == "replay_config":
            config = mapping(read_arguments(value))
            model = mapping(mapping(config.get("agent")).get("model"))
            self._report.model = label(model.get("name")) or self._report.model
            self._make.began(identifier(mapping(config.get("problem_statement")).get("id")))
        return iter(())

    def finish(self) -> Iterator[Event]:
        """The submission is what the last call led to, which no message of the history says."""
        if not self._submission:
            return
        parts, status = self._make.parts(), string(self._submission.get("exit_status"))
        call_id = self._waiting.pop(0) if self._waiting else ""
        text = string(self._submission.get("submission")).strip("\n") or status
        if call_id:
            parts.result(text, call_id, failed=not status.startswith("submitted"), data={"exitStatus": status})
        else:
            parts.text(text, Voice.HARNESS, {"exitStatus": status})
        role = Role.TOOL if call_id else Role.SYSTEM
        yield from self._make.message(self._line, role, parts, says={"info": self._submission})
        self._submission = {}

    def record(self, line: int, record: Any) -> Iterator[Event]:
        role = role_of(record)
        self._line = line
        parts = self._make.parts()
        text = _text(record.get("content"), parts)
        if record.get("is_demo") is True or record.get("message_type") == "demonstration" or role is Role.SYSTEM:
            parts.text(text, Voice.HARNESS, {"demonstration": True} if role is not Role.SYSTEM else None)
            role = Role.SYSTEM
        elif role is Role.ASSISTANT:
            self._answer(record, text, parts)
        elif role is Role.TOOL or self._waiting or (self._asked and record.get("message_type") == "observation"):
            self._observation(record, text, parts)
            role = Role.TOOL
        else:
            self._prompt(text, parts)
        says = {key: record[key] for key in ("content", "action", "tool_calls") if record.get(key) is not None}
        agent = label(record.get("agent"))
        yield from self._make.message(line, role, parts, says=says, agent="" if agent in ("primary", "main") else agent)

    def _prompt(self, text: str, parts: Parts) -> None:
        """The issue that the template is filled with is the person's; so is a text without a template, the first time."""
        issue = _ISSUE.search(text)
        if issue:
            parts.text(text[: issue.start("issue")].strip(), Voice.HARNESS)
            parts.text(issue["issue"].strip(), Voice.PERSON)
            parts.text(text[issue.end("issue") :].strip(), Voice.HARNESS)
        else:
            parts.text(text, Voice.HARNESS if self._asked else Voice.PERSON)
        self._asked = True

    def _answer(self, record: Mapping[str, Any], text: str, parts: Parts) -> None:
        self._waiting.clear()
        for block in map(mapping, listing(record.get("thinking_blocks"))):
            parts.reasoning(string(block.get("thinking")))
        thought, action = string(record.get("thought")), string(record.get("action"))
        parts.text(thought if action and thought else text, Voice.AGENT)
        calls = listing(record.get("tool_calls"))
        for number, call in enumerate(calls, 1):
            function = mapping(mapping(call).get("function"))
            if not string(function.get("name")):
                parts.problem(f"tool call {number} has no name")
                continue
            call_id = identifier(mapping(call).get("id")) or self._next_id()
            parts.call(string(function.get("name")), call_id, read_arguments(function.get("arguments")))
            self._waiting.append(call_id)
        if not calls and action.strip():
            name, arguments = self._shell.command(action.lstrip().rstrip("\n"), self._make.cwd)
            self._waiting.append(self._next_id())
            parts.call(name, self._waiting[-1], arguments)

    def _next_id(self) -> str:
        self._calls += 1
        return f"action:{self._calls}"

    def _observation(self, record: Mapping[str, Any], text: str, parts: Parts) -> None:
        named = [identifier(name) for name in listing(record.get("tool_call_ids")) if identifier(name)]
        call_id = (named or [identifier(record.get("tool_call_id"))])[0] or (self._waiting[0] if self._waiting else "")
        if call_id in self._waiting:
            self._waiting.remove(call_id)
        text, folder = self._shell.observed(text)
        if folder is not None:  # where a command ended, so that it counts from the next call on
            self._make.moved(folder)
        code = stated_exit_code(text)
        parts.result(text, call_id, failed=True if code is None and _FAILED.match(text[:2000]) else None, exit_code=code)


def _text(content: Any, parts: Parts) -> str:
    if isinstance(content, str) or content is None:
        return content or ""
    texts = []
    for number, piece in enumerate(pieces(content), 1):
        text = mapping(piece).get("text")
        if isinstance(text, str):
            texts.append(text)
        elif mapping(piece).get("type") == "image_url":
            parts.image(mapping(piece).get("image_url"), Voice.TOOL)
        else:
            parts.problem(f"part {number} is of no known kind")
    return "\n".join(texts)


def sniff(sample: Sample) -> int:
    """Chat messages that name the agent they belong to, or the action that they take."""
    own = [_is_message(record) for record in sample.records]
    return share(sum(own), len(own))


def _is_message(record: Any) -> bool:
    fields = mapping(record)
    return isinstance(fields.get("role"), str) and "content" in fields and bool({"agent", "action", "message_type"} & fields.keys())


FORMAT = Format(NAME, sniff, SweAgentParser, list_key=LIST_KEY, tool="SWE-agent")
