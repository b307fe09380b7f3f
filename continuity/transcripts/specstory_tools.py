"""Thoughts and tools in the body of an agent's message as SpecStory renders them in Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from continuity.transcripts.base.diff_counts import changed_lines
from continuity.transcripts.base.exit_codes import stated_exit_code
from continuity.transcripts.base.fields import label
from continuity.transcripts.base.marked_sections import Fence, fences, sections, without
from continuity.transcripts.base.model import Voice
from continuity.transcripts.base.parts import Parts
from continuity.transcripts.specstory_plain import read_lines

_OPENING = re.compile(r"<(?:think|tool-use\b(?P<attributes>[^<>\n]{0,500}))>")
_ATTRIBUTE = re.compile(r'data-tool-(type|name)="([^"]{0,200})"')
_DETAILS = re.compile(r"</?details>\s{0,9}")
_SUMMARY = re.compile(r"<summary>([^<]{0,4000})</summary>\s{0,9}")
_QUOTED = re.compile(r"`([^`\n]{1,2000})`")
_FIELD = re.compile(r"^- (\w{1,60}): `([^`\n]{0,4000})`$", re.MULTILINE)
_BEFORE_BLOCK = re.compile(r"- (\w{1,60}):\s{0,9}\Z")
_EXIT = re.compile(r"(?:\A|\n)(?:Exit Code|Exit code|Process exited with code):? (-?\d{1,10})\b")
_TODO = re.compile(r"^[ \t]{0,40}(?:[-*] )?\[([ xX~>-])\] (\S.*)$", re.MULTILINE)
# Lines of a file with their numbers, as the tool that reads files shows them.
_LINE = r"\d{1,7}→[^\n]*(?:\n|\Z)"
_SHOWN = re.compile(rf"(?:^[ \t]{{0,8}}{_LINE}){{2,}}|^[ \t]{{2,8}}{_LINE}", re.MULTILINE)
_MARKS = {" ": "pending", "x": "completed", "X": "completed"}
# what the early exports of Cursor's sessions say of a tool, as a whole message
_DEED = re.compile(r"(Read|Created|Edited|Deleted|Deleting|Wrote) file: (\S[^\n]{0,1000})\Z")
_DEEDS = {"Read": "read_file", "Created": "create_file", "Wrote": "create_file", "Edited": "edit_file", "Deleted": "delete_file"}
_SHELLS = frozenset({"bash", "sh", "shell", "zsh", "powershell", "console"})


def read_body(text: str, said: Parts, results: Parts, name: str) -> None:
    """Adds an agent's words, thoughts and calls to `said` and what its tools gave to `results`.

    The calls are named after `name`, since the export does not give their ids.
    """
    if read_lines(text.strip(), said, results, f"{name}.0") or _read_alone(text.strip(), said, results, f"{name}.0"):
        return
    at = 0
    # a file that a tool shows may hold such tags itself
    marked = _SHOWN.sub(lambda shown: shown.group().replace("<", " "), text)
    for number, piece in enumerate(sections(marked, _OPENING, _closing), 1):
        read_text(text[at : piece.start], lambda words: said.text(words, Voice.AGENT), said)
        at = piece.end
        inner = text[piece.opening.end() : piece.opening.end() + len(piece.inner)]
        if piece.opening["attributes"] is None:
            said.reasoning(_SUMMARY.sub("", _DETAILS.sub("", inner)).strip())
        else:
            _read_tool(dict(_ATTRIBUTE.findall(piece.opening["attributes"])), inner, said, results, f"{name}.{number}")
    read_text(text[at:], lambda words: said.text(words, Voice.AGENT), said)


def read_text(text: str, hear: Callable[[str], None], parts: Parts) -> None:
    """Gives `hear` the words of a text; lines of a file as a tool shows them are the tool's."""
    at = 0
    for shown in _SHOWN.finditer(text):
        hear(text[at : shown.start()].strip())
        parts.text(shown.group().strip("\n"), Voice.TOOL)
        at = shown.end()
    hear(text[at:].strip())


def _closing(opening: re.Match[str]) -> str:
    return "</think>" if opening["attributes"] is None else "</tool-use>"


def _read_alone(text: str, said: Parts, results: Parts, call_id: str) -> bool:
    """Reads a message that is nothing but what a tool did; the early exports mark it by that only."""
    if text == "Cancelled":
        results.text(text, Voice.HARNESS)
        return True
    if deed := _DEED.match(text):
        tool = _DEEDS.get(deed[1], "delete_file")
        said.call(tool, call_id, {"path": deed[2].strip()})
        results.result(text, call_id, failed=False)
        return True
    blocks = list(fences(text)) if text.startswith("```") and text.endswith("```") else []
    if not blocks or without(text, blocks).strip():
        return False
    kinds = [block.info for block in blocks]
    if kinds == ["diff"]:
        said.call("edit_file", call_id, {"diff": blocks[0].body})
        results.result("", call_id, data=_changed_lines(blocks[0].body))
    elif kinds[0] in _SHELLS and kinds[1:] in ([], [""], ["text"]):
        said.call("run_terminal_cmd", call_id, {"command": blocks[0].body.strip("\n")})
        if blocks[1:]:
            _add_result(blocks[1].body, call_id, results, {})
    else:
        return False
    return True


def _read_tool(attributes: Mapping[str, str], body: str, said: Parts, results: Parts, call_id: str) -> None:
    name, kind = attributes.get("name", ""), attributes.get("type", "")
    summary = " ".join(found.strip() for found in _SUMMARY.findall(body))
    body = _SUMMARY.sub("", _DETAILS.sub("", body)).strip()
    blocks = list(fences(body))
    outside = without(body, blocks)
    given, output = _generic(body)
    if not given:
        given, blocks = _tool_input(kind, summary, body, blocks)
        output = "\n".join(block.body.strip("\n") for block in blocks if block.info != "diff")
    diff = next((block.body for block in blocks if block.info == "diff"), "")
    if diff:
        given = {**given, "diff": diff}
    if kind == "task" or _TODO.search(body):
        todos = [{"content": text, "status": _MARKS.get(mark, "in_progress")} for mark, text in _TODO.findall(body)]
        given = {**given, "todos": todos} if todos else given
    said.call(name, call_id, given)
    if output or diff or "**Error:**" in outside or kind in ("write", "read"):
        _add_result(output, call_id, results, _changed_lines(diff), failed="**Error:**" in outside or None)


def _tool_input(kind: str, summary: str, body: str, blocks: list[Fence]) -> tuple[dict[str, Any], list[Fence]]:
    """The tool's input, from how its kind is rendered, and the fences that are left for its output."""
    head = body[: blocks[0].start] if blocks else body
    quoted = _QUOTED.search(head) or _QUOTED.search(summary)
    if kind == "shell":
        if quoted:
            return {"command": quoted[1]}, blocks
        if blocks and blocks[0].info in _SHELLS:
            return {"command": blocks[0].body.strip("\n")}, blocks[1:]
    elif kind in ("read", "write"):
        named = re.search(r"(?:file|File): (\S[^\n•<]{0,1000})", summary)
        path = quoted[1] if quoted else named[1].strip() if named else ""
        if kind == "write" and blocks and blocks[0].info not in ("", "text", "diff"):
            return ({"path": path} if path else {}) | {"content": blocks[0].body}, blocks[1:]
        return {"path": path} if path else {}, blocks
    elif kind == "search" and quoted:
        return {"query": quoted[1]}, blocks
    return {"summary": label(summary)} if summary else {}, blocks


def _generic(body: str) -> tuple[dict[str, Any], str]:
    """The input and the output of a tool that is rendered by its fields."""
    inputs, mark, rest = body.partition("**Input:**")
    if not mark or inputs.strip():
        return {}, ""
    split = re.search(r"\*\*(?:Result|Output|Error):\*\*", rest)
    fields, output = (rest[: split.start()], rest[split.end() :]) if split else (rest, "")
    given: dict[str, Any] = dict(_FIELD.findall(fields))
    for block in fences(fields):
        if named := _BEFORE_BLOCK.search(fields, max(0, block.start - 80), block.start):
            given[named[1]] = block.body.removesuffix("\n")
    shown = next(fences(output), None)
    return given, shown.body.strip("\n") if shown else output.strip()


def _changed_lines(diff: str) -> dict[str, Any]:
    """How many lines a diff changes, which need not have hunks."""
    if not diff or (told := changed_lines(diff)):
        return told if diff else {}
    lines = diff.splitlines()
    return {"linesAdded": sum(line[:1] == "+" for line in lines), "linesRemoved": sum(line[:1] == "-" for line in lines)}


def _add_result(text: str, call_id: str, results: Parts, told: dict[str, Any], failed: bool | None = None) -> None:
    text = text.strip("\n")
    found = _EXIT.search(text[-400:])
    code = stated_exit_code(text)
    results.result(text, call_id, failed=failed, exit_code=code if code is not None or not found else int(found[1]), data=told)
