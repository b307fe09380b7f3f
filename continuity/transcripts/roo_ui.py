"""Cline's and Roo Code's `ui_messages.json`: a list of what the editor showed, each an entry that says or asks something."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from continuity.transcripts.base.call_arguments import read_arguments
from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.fields import count, identifier, json_object, kind_of, label, listing, mapping, moment, string, whole
from continuity.transcripts.base.format import Event, Format, Parser, Sample, share
from continuity.transcripts.base.message_builder import Assembler
from continuity.transcripts.base.model import Message, Report, Role, Usage, Voice
from continuity.transcripts.base.parts import Parts
from continuity.transcripts.roo_calls import EXIT, FAILED

NAME = "roo-ui"

# what the editor calls the tools, by the names that the agent has for them
_TOOLS = {
    "readFile": "read_file",
    "newFileCreated": "write_to_file",
    "editedExistingFile": "apply_diff",
    "appliedDiff": "apply_diff",
    "insertContent": "insert_content",
    "searchAndReplace": "search_and_replace",
    "fileDeleted": "delete_file",
    "listFiles": "list_files",
    "listFilesTopLevel": "list_files",
    "listFilesRecursive": "list_files",
    "listCodeDefinitionNames": "list_code_definition_names",
    "searchFiles": "search_files",
    "codebaseSearch": "codebase_search",
    "updateTodoList": "update_todo_list",
    "switchMode": "switch_mode",
    "newTask": "new_task",
    "finishTask": "attempt_completion",
}
_PERSON = frozenset({"user_feedback", "user_feedback_diff", "task"})
_AGENT = frozenset({"text", "completion_result"})
_RESULTS = {
    "mcp_server_response": "use_mcp_tool",
    "browser_action_result": "browser_action",
    "subtask_result": "new_task",
}
_NOTICES = frozenset({
    "error", "diff_error", "rooignore_error", "clineignore_error", "shell_integration_warning", "api_req_retried",
    "condense_context_error", "api_req_failed", "mistake_limit_reached", "auto_approval_max_req_reached",
})  # fmt: skip
_HEADING = re.compile(r"\[(\w{1,60})(?: for '|\])[^\n]*?\] Result:|\[(\w{1,60})\] Result:")
_NEXT = re.compile(r"\n\n(?=\[\w{1,60}(?: for '|\])[^\n]{0,2000}?Result:\n)")
_ENVIRONMENT = re.compile(r"<environment_details>.*?(?:</environment_details>|\Z)", re.DOTALL)
_CWD = re.compile(r"# Current (?:Workspace|Working) Directory \(([^\n)]{1,1000})\)")


class RooUiParser(Parser):
    """A call is what the editor asked or said of a tool; its result stands in the next request to the model."""

    def __init__(self, report: Report, part_limit: int) -> None:
        self._report = report
        self._make = Assembler(report, part_limit)
        self._begun = False
        self._waiting: list[tuple[str, str]] = []
        self._shown: list[str] = []
        self._line = 0
        self._usage: tuple[str, Usage | None] = ("", None)

    def finish(self) -> Iterator[Event]:
        parts = self._make.parts()
        self._put_out(parts)
        yield from self._make.message(self._line, Role.TOOL, parts, own_id="ui:last output")

    def record(self, line: int, record: Any) -> Iterator[Event]:
        self._line = line
        record = json_object(record)
        if record.get("type") not in ("say", "ask"):
            raise BadRecord("neither says nor asks anything")
        kind = record.get(record["type"])
        if not isinstance(kind, str):
            raise BadRecord(f"does not say what it {record['type']}s")
        if record.get("text") is not None and not isinstance(record["text"], str):
            raise BadRecord(f"has a text that is {kind_of(record['text'])}")
        parts = self._make.parts()
        role = self._read(kind, record["type"] == "ask", record, parts)
        yield from self._message(line, record, role, parts)

    def _message(self, line: int, record: Mapping[str, Any], role: Role, parts: Parts) -> Iterator[Message]:
        stamp = identifier(record.get("ts"))
        group, usage = self._usage if role is Role.ASSISTANT else ("", None)
        return self._make.message(
            line, role, parts, own_id=f"ui:{stamp}" if stamp else "", says=record, at=moment(record.get("ts")), usage=usage, usage_id=group
        )

    def _read(self, kind: str, asks: bool, record: Mapping[str, Any], parts: Parts) -> Role:
        text = string(record.get("text"))
        if not asks and (kind in _PERSON or (kind == "text" and not self._begun)):
            self._begun = True
            parts.words(string(read_arguments(text).get("diff")) if kind == "user_feedback_diff" else text)
            for image in listing(record.get("images")):
                parts.image(string(image), Voice.PERSON)
            return Role.USER
        if kind == "tool" or kind in ("command", "use_mcp_server", "followup", "browser_action_launch", "browser_action"):
            self._call(kind, text, record, parts)
        elif kind == "reasoning":
            parts.reasoning(text)
        elif not asks and kind in _AGENT:
            parts.text(text, Voice.AGENT)
        elif kind == "api_req_started":
            return self._request(record, text, parts)
        elif kind == "command_output":
            self._shown = [*self._shown[-200:], text] if text.strip() else self._shown
        elif kind in _RESULTS and text.strip():
            self._result(_RESULTS[kind], text, parts)
            return Role.TOOL
        elif kind == "condense_context":
            about = mapping(record.get("contextCondense"))
            tokens = {"preTokens": "prevContextTokens", "postTokens": "newContextTokens"}
            parts.boundary("Context condensed", {name: count(about[key]) for name, key in tokens.items() if count(about.get(key))})
            parts.text(string(about.get("summary")), Voice.SUMMARY)
            return Role.SYSTEM
        elif kind in _NOTICES:
            parts.text(text, Voice.HARNESS, {"notice": kind})
            return Role.SYSTEM
        return Role.ASSISTANT

    def _call(self, kind: str, text: str, record: Mapping[str, Any], parts: Parts) -> None:
        """A question has its answer in what the person says next; other calls wait for a result under their name."""
        about = dict(read_arguments(text))
        if kind == "command":
            name, about = "execute_command", {"command": text}
        elif kind == "followup":
            suggested = [string(mapping(entry).get("answer")) or string(entry) for entry in listing(about.get("suggest"))]
            question = string(about.get("question")) or text
            name, about = "ask_followup_question", {"question": question, "follow_up": suggested or listing(about.get("options"))}
        elif kind == "use_mcp_server":
            name = "access_mcp_resource" if about.get("type") == "access_mcp_resource" else "use_mcp_tool"
        elif kind == "tool":
            own = string(about.pop("tool", None))
            if not own:
                parts.problem("is a tool call without a name")
                return
            name = _TOOLS.get(own, own)
            if name == "read_file":
                # what it shows is the path again, not what was read
                about.pop("content", None)
            if batch := [label(mapping(file).get("path")) for file in listing(about.get("batchFiles"))]:
                about["paths"] = batch
        else:
            name = "browser_action"
        call_id = f"ui-call:{identifier(record.get('ts'))}"
        parts.call(name, call_id, about)
        self._waiting = [*self._waiting[-50:], (name, call_id)]

    def _result(self, name: str, text: str, parts: Parts) -> None:
        waiting = next((entry for entry in self._waiting if entry[0] == name), None)
        if waiting:
            self._waiting.remove(waiting)
        stated = EXIT.search(text[:500]) if name == "execute_command" else None
        failed = True if FAILED.match(text[:500]) else None
        code = whole(int(stated[1])) if stated else None
        parts.result(text, waiting[1] if waiting else "", name=name, failed=failed, exit_code=code)

    def _put_out(self, parts: Parts) -> None:
        """Makes the output of a command its result, where no request repeats it with how it ended."""
        if self._shown:
            self._result("execute_command", "\n".join(self._shown), parts)
            self._shown = []

    def _request(self, record: Mapping[str, Any], text: str, parts: Parts) -> Role:
        """Takes the results from a request to the model; what the person said in it stands in an entry of its own."""
        about = read_arguments(text)
        self._usage = (f"api:{identifier(record.get('ts'))}", _usage(about))
        sent = string(about.get("request"))
        rest = _ENVIRONMENT.sub("", sent).strip()
        folder = _CWD.search(sent, max(0, len(sent) - 200_000))
        self._make.moved(folder[1] if folder else "")
        pieces = [(piece, _HEADING.match(piece)) for piece in _NEXT.split(rest)]
        if any(heading and "execute_command" in heading.groups() for _, heading in pieces):
            self._shown = []
        self._put_out(parts)
        for piece, heading in pieces:
            if heading:
                self._result(heading[1] or heading[2], piece[heading.end() :].strip(), parts)
            elif piece.startswith("[ERROR]"):
                parts.text(piece, Voice.HARNESS)
        if reason := label(about.get("cancelReason")):
            parts.text(string(about.get("streamingFailedMessage")) or reason, Voice.HARNESS, {"cancelled": reason})
        return parts.user_role()


def _usage(about: Mapping[str, Any]) -> Usage | None:
    """OpenAI's protocol counts the cached tokens within what goes in, Anthropic's beside it."""
    sent, read, written = count(about.get("tokensIn")), count(about.get("cacheReads")), count(about.get("cacheWrites"))
    if about.get("apiProtocol") == "openai":
        sent = max(sent - read - written, 0)
    usage = Usage(sent, count(about.get("tokensOut")), read, written)
    return usage if usage.context else None


def sniff(sample: Sample) -> int:
    return share(sum(_is_entry(record) for record in sample.records), len(sample.records))


def _is_entry(record: Any) -> bool:
    fields = mapping(record)
    kind = fields.get("type")
    return kind in ("say", "ask") and isinstance(fields.get(kind), str) and isinstance(fields.get("ts"), int)


FORMAT = Format(NAME, sniff, RooUiParser, tool="Roo")
