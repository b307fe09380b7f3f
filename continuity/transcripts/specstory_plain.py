"""Tool calls and task lists as SpecStory printed them before it marked them up: plain lines in a message of their own."""

from __future__ import annotations

import re
from typing import Any

from continuity.transcripts.base.exit_codes import stated_exit_code
from continuity.transcripts.base.marked_sections import Fence, fences
from continuity.transcripts.base.parts import Parts

_CALL = re.compile(r"Tool use: \*\*(?P<name>[\w.:-]{1,120})\*\*[ \t]*(?P<about>[^\n]{0,4000})(?:\n|\Z)")
_RESULT = re.compile(r"^(?P<kind>Result|Error):[ \t]*$", re.M)
_GIVEN = re.compile(r"(?:(?P<field>\w{1,40}) )?`(?P<value>[^`\n]{1,2000})`\Z")
_COMMAND = re.compile(r"`([^`]{1,4000})`")
_LIST = re.compile(r"\*\*(?:Agent )?task list:\*\*[ \t]*\n", re.I)
_ITEM = re.compile(r"^[ \t]{0,40}[-*] \[(?P<mark>[^\]\n]{1,4})\] (?P<text>\S[^\n]*)$", re.M)
_MARKS = {" ": "pending", "x": "completed", "X": "completed"}
# How urgent an item is stands before it as a picture.
_URGENCY = re.compile(r"^[^\w\s`'\"(\[<$@#/.~-]{1,6}[ \t]+")
# The export leaves the path of an edit out; the tool told it.
_TOLD = re.compile(
    r"\A(?:File created successfully at: (?P<created>[^\n]{1,1000})|The file (?P<updated>[^\n]{1,1000}?) has been updated\b"
    r"|Applied \d{1,6} edits? to (?P<edited>[^\n]{1,1000}?):?[ \t]*(?:\n|\Z))"
)


def read_lines(text: str, said: Parts, results: Parts, call_id: str) -> bool:
    """Reads a message that is a tool's call with its result, or the list of tasks; whether it was one."""
    if listed := _LIST.match(text):
        items = [(_MARKS.get(item["mark"], "in_progress"), _URGENCY.sub("", item["text"])) for item in _ITEM.finditer(text, listed.end())]
        if items:
            said.call("TodoWrite", call_id, {"todos": [{"content": words, "status": status} for status, words in items]})
        return bool(items)
    call = _CALL.match(text)
    if call is None:
        return False
    blocks = list(fences(text))
    ends = _result(text, call.end(), blocks)
    body = text[call.end() : ends.start() if ends else len(text)]
    output = _output(text, ends.end(), blocks) if ends else ""
    failed = ends is not None and ends["kind"] == "Error"
    told = None if failed else _TOLD.match(output)
    given = _tool_input(call["about"].strip(), body.strip("\n"))
    if told and "path" not in given:
        given["path"] = told[told.lastgroup or 0].strip()
    said.call(call["name"], call_id, given)
    if ends is not None:
        results.result(output, call_id, failed=failed, exit_code=stated_exit_code(output))
    return True


def _result(text: str, start: int, blocks: list[Fence]) -> re.Match[str] | None:
    """Where the result begins: the first line that says so outside of what the tool was given."""
    found = _RESULT.finditer(text, start)
    return next((each for each in found if not any(block.start < each.start() < block.end for block in blocks)), None)


def _output(text: str, start: int, blocks: list[Fence]) -> str:
    """The tool's output: the block that follows, or all that does where it was cut."""
    block = next((block for block in blocks if block.start >= start), None)
    return (block.body if block else text[start:]).strip("\n")


def _tool_input(about: str, body: str) -> dict[str, Any]:
    """The tool's input: the words behind its name (a path, a named value, or what the call is for) and below it (a command, or what is
    written)."""
    named = _GIVEN.match(about)
    given: dict[str, Any] = {named["field"] or "path": named["value"]} if named else {"description": about} if about else {}
    if command := _COMMAND.match(body):
        return {**given, "command": command[1]}
    if body.startswith("```"):
        block = next(fences(body), None)
        given["content"] = block.body if block else body.partition("\n")[2]
    return given
