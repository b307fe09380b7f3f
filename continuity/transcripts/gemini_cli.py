"""Gemini CLI's sessions: one JSON object with its messages, or, in newer versions, one record a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.fields import (
    count,
    identifier,
    json_object,
    kind_of,
    label,
    listing,
    mapping,
    moment,
    pieces,
    string,
    whole,
)
from continuity.transcripts.base.format import Event, Format, Parser, Sample, share
from continuity.transcripts.base.message_builder import Assembler
from continuity.transcripts.base.model import Abandoned, Message, Report, Role, Usage, Voice
from continuity.transcripts.base.parts import Parts

NAME = "gemini-cli"
MAX_REMEMBERED = 100_000

_NOTICES = frozenset({"info", "error", "warning"})
_META = frozenset({"projectHash", "$set", "$rewindTo"})
_COMPRESSED = re.compile(r"Chat history (?:has been |was )?compressed|Context compressed", re.IGNORECASE)
# files that a mention of theirs pulls into the prompt
_REFERENCED = "\n--- Content from referenced files ---"
_OUTPUT = re.compile(r"(?:\A|\n)(?:Output|Stdout): ")
_EXIT = re.compile(r"\nExit Code: (-?\d{1,10}|\(none\))(?=\n|\Z)")
_AFTER_OUTPUT = re.compile(r"\n(?:Stderr|Error|Exit Code|Signal|Background PIDs|Process Group PGID): ")
_NOTHING = frozenset({"(none)", "(empty)", ""})


class GeminiParser(Parser):
    def __init__(self, report: Report, part_limit: int) -> None:
        self._report = report
        self._make = Assembler(report, part_limit)
        # external ids by the id of the record, in order, for rewinding; and the calls that were told of
        self._given: dict[str, list[str]] = {}
        self._told: set[str] = set()
        report.provider = "google"

    def field(self, name: str, value: Any) -> Iterator[Event]:
        self._describe({name: value})
        return iter(())

    def record(self, line: int, record: Any) -> Iterator[Event]:
        record = json_object(record)
        if not isinstance(record.get("type"), str):
            if not _META & record.keys():
                raise BadRecord("has no type")
            self._describe(record)
            self._describe(mapping(record.get("$set")))
            yield from self._rewound(line, identifier(record.get("$rewindTo")))
            return
        name = identifier(record.get("id"))
        for message in self._messages(line, record, name):
            if name and len(self._given) < MAX_REMEMBERED:
                self._given.setdefault(name, []).append(message.external_id)
            yield message

    def _describe(self, about: Mapping[str, Any]) -> None:
        report = self._report
        self._make.began(identifier(about.get("sessionId")))
        report.title = label(about.get("summary")) or report.title
        self._make.moved(next((label(folder) for folder in listing(about.get("directories")) if label(folder)), ""))

    def _rewound(self, line: int, name: str) -> Iterator[Event]:
        names = list(self._given)
        if name in self._given:
            gone = names[names.index(name) :]
            yield Abandoned(tuple(external_id for later in gone for external_id in self._given.pop(later)), line)

    def _messages(self, line: int, record: Mapping[str, Any], name: str) -> Iterator[Message]:
        """A record that is written again, because its calls have ended, gives what is new in it only."""
        kind = record["type"]
        parts, again = self._make.parts(), name in self._given
        at = moment(record.get("timestamp"))
        says = {key: record[key] for key in ("type", "content", "toolCalls") if key in record}
        if kind == "user":
            if not again:
                self._user(record, parts)
            yield from self._make.message(line, Role.USER, parts, own_id=name, says=says, at=at)
        elif kind == "gemini":
            yield from self._answer(line, record, name, parts, again)
        elif kind in _NOTICES:
            text = "\n".join(_texts(record.get("content"), parts))
            if not again and _COMPRESSED.match(text):
                parts.boundary(text, {})
            elif not again:
                parts.text(text, Voice.HARNESS, {"notice": kind})
            yield from self._make.message(line, Role.SYSTEM, parts, own_id=name, says=says, at=at)
        else:
            raise BadRecord(f"has the type {kind[:40]!r}, which is not known")

    def _user(self, record: Mapping[str, Any], parts: Parts) -> None:
        sent, typed = "\n".join(_texts(record.get("content"), parts)), ""
        if "displayContent" in record:
            typed = "\n".join(_texts(record["displayContent"], self._make.parts()))
        if typed.strip() and typed != sent:
            parts.words(typed)
            parts.text(sent.removeprefix(typed), Voice.HARNESS)
        else:
            words, mark, files = sent.partition(_REFERENCED)
            parts.words(words.strip())
            parts.text((mark + files).strip(), Voice.HARNESS)

    def _answer(self, line: int, record: Mapping[str, Any], name: str, parts: Parts, again: bool) -> Iterator[Message]:
        results = self._make.parts()
        if not again:
            for thought in map(mapping, listing(record.get("thoughts"))):
                parts.reasoning("\n".join(text for key in ("subject", "description") if (text := string(thought.get(key)))))
            parts.text("\n".join(_texts(record.get("content"), parts)), Voice.AGENT)
        for number, call in enumerate(listing(record.get("toolCalls")), 1):
            self._call(mapping(call), number, parts, results)
        at, says = moment(record.get("timestamp")), {key: record[key] for key in ("content", "toolCalls") if key in record}
        usage, model = _usage(mapping(record.get("tokens"))), label(record.get("model"))
        yield from self._make.message(line, Role.ASSISTANT, parts, own_id=name, says=says, at=at, model=model, usage=usage, usage_id=name)
        yield from self._make.message(line, Role.TOOL, results, own_id=f"{name}/results" if name else "", says=says, at=at)

    def _call(self, call: Mapping[str, Any], number: int, parts: Parts, results: Parts) -> None:
        name, call_id = string(call.get("name")), identifier(call.get("id"))
        if not name:
            parts.problem(f"tool call {number} has no name")
            return
        if self._is_new(call_id):
            parts.call(name, call_id, mapping(call.get("args")))
        status = label(call.get("status"))
        if status in ("success", "error", "cancelled") and self._is_new(f"{call_id}/result" if call_id else ""):
            _read_result(call, name, call_id, status, results)

    def _is_new(self, key: str) -> bool:
        if key in self._told:
            return False
        if key and len(self._told) < MAX_REMEMBERED:
            self._told.add(key)
        return True


def _read_result(call: Mapping[str, Any], name: str, call_id: str, status: str, results: Parts) -> None:
    texts = []
    for piece in map(mapping, listing(call.get("result"))):
        response = mapping(mapping(piece.get("functionResponse")).get("response"))
        texts += [text for key in ("output", "error", "content") if (text := string(response.get(key)))] or [string(piece.get("text"))]
    display = call.get("resultDisplay")
    text, code, data = "\n".join(text for text in texts if text) or string(display), None, _display(mapping(display))
    if status == "cancelled":
        data["cancelled"] = True
    if _EXIT.search(text[-2000:]):
        text, code, directory = _shell(text)
        data |= {"directory": directory} if directory else {}
    results.result(text, call_id, name=name, failed=True if status != "success" else None if code else False, exit_code=code, data=data)


def _shell(text: str) -> tuple[str, int | None, str]:
    """A command's output, exit code and folder, from the report that the shell tool makes of them."""
    stated = list(_EXIT.finditer(text, max(0, len(text) - 2000)))[-1].group(1)
    folder = re.search(r"(?:\A|\n)Directory: ([^\n]{1,1000})", text[:20_000])
    begins = _OUTPUT.search(text)
    shown = text
    if begins:
        rest = text[begins.end() :]
        ends = _last(_AFTER_OUTPUT, rest)
        wrong = re.search(r"\n(?:Error|Stderr): (.*?)(?=\n(?:Exit Code|Error|Signal): )", rest[ends:], re.DOTALL)
        shown = "\n".join(piece for piece in (rest[:ends], wrong.group(1) if wrong else "") if piece.strip() not in _NOTHING)
    where = folder.group(1).strip() if folder else ""
    return shown, None if stated == "(none)" else whole(int(stated)), "" if where.startswith("(") else where


def _last(pattern: re.Pattern[str], text: str) -> int:
    """Where the last run of the report's own lines begins."""
    found = list(pattern.finditer(text, max(0, len(text) - 4000)))
    start = len(text)
    names: set[str] = set()
    for match in reversed(found):
        if match.group() in names:
            break
        names.add(match.group())
        start = match.start()
    return start


def _display(display: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that the tool showed of an edit: its file, whether it is new, and how many lines changed."""
    stat = mapping(display.get("diffStat"))
    data: dict[str, Any] = {"filePath": path} if (path := label(display.get("filePath")) or label(display.get("fileName"))) else {}
    if "fileDiff" in display and "originalContent" in display:
        data["type"] = "create" if display["originalContent"] in (None, "") else "update"
    for key, name in (("model_added_lines", "linesAdded"), ("model_removed_lines", "linesRemoved")):
        if whole(stat.get(key)) is not None:
            data[name] = stat[key]
    if isinstance(display.get("todos"), list):
        data["newTodos"] = display["todos"][:200]
    return data


def _texts(content: Any, parts: Parts) -> list[str]:
    """The texts of a content: a text, or a list of pieces, whose images are added to `parts`. Raises BadRecord for else."""
    texts = []
    for number, piece in enumerate([content] if isinstance(content, dict) else pieces(content), 1):
        fields = mapping(piece)
        if isinstance(piece, str) or isinstance(fields.get("text"), str):
            texts.append(piece if isinstance(piece, str) else fields["text"])
        elif inline := mapping(fields.get("inlineData")):
            parts.image({"media_type": inline.get("mimeType"), "data": inline.get("data")}, Voice.PERSON)
        elif not fields:
            parts.problem(f"part {number} is {kind_of(piece)}, not an object")
    return texts


def _usage(tokens: Mapping[str, Any]) -> Usage | None:
    """The cached tokens are within the input; thoughts stand beside the output."""
    sent, cached = count(tokens.get("input")) + count(tokens.get("tool")), count(tokens.get("cached"))
    usage = Usage(max(sent - cached, 0), count(tokens.get("output")) + count(tokens.get("thoughts")), min(cached, sent))
    return usage if usage.context else None


def sniff(sample: Sample) -> int:
    """Messages with a type instead of a role; the project's hash stands beside them, or an answer of Gemini's among them."""
    matching = [_is_record(record) for record in sample.records]
    kinds = {string(mapping(record).get("type")) for record in sample.records}
    named = "projectHash" in sample.fields or any("projectHash" in mapping(record) for record in sample.records)
    return share(sum(matching), len(matching)) if named or "gemini" in kinds else 0


def _is_record(record: Any) -> bool:
    fields = mapping(record)
    if not isinstance(fields.get("type"), str):
        return bool(_META & fields.keys())
    return fields["type"] in ("user", "gemini", *_NOTICES) and {"content", "timestamp"} <= fields.keys()


FORMAT = Format(NAME, sniff, GeminiParser, tool="Gemini CLI")
