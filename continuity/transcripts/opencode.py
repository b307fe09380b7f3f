"""opencode's export: one JSON object with the session's `info` and its messages, each an `info` and its parts; or the same in lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from continuity.transcripts.base.diff_counts import changed_lines
from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.fields import count, identifier, json_object, kind_of, label, listing, mapping, moment, string, whole
from continuity.transcripts.base.format import Event, Format, Parser, Sample, share
from continuity.transcripts.base.message_builder import Assembler
from continuity.transcripts.base.model import Abandoned, Message, Report, Role, Usage, Voice
from continuity.transcripts.base.parts import Parts

NAME = "opencode"

_ENDED = frozenset({"completed", "error"})
_SILENT = frozenset({"step-start", "step-finish", "snapshot", "agent"})


class OpencodeParser(Parser):
    """Cuts an answer where the results of its calls stand between its words."""

    def __init__(self, report: Report, part_limit: int) -> None:
        self._report = report
        self._make = Assembler(report, part_limit)
        self._revert = ""
        self._gone: list[str] = []
        self._line = 0

    def field(self, name: str, value: Any) -> Iterator[Event]:
        if name == "info":
            info, report = mapping(value), self._report
            self._make.began(identifier(info.get("id")))
            self._make.continues(identifier(info.get("parentID")))
            self._make.moved(label(info.get("directory")))
            report.title = label(info.get("title")) or report.title
            self._revert = identifier(mapping(info.get("revert")).get("messageID"))
        return iter(())

    def finish(self) -> Iterator[Event]:
        if self._gone:
            yield Abandoned(tuple(self._gone), self._line)
            self._gone.clear()

    def record(self, line: int, record: Any) -> Iterator[Event]:
        record = json_object(record)
        info, pieces = record.get("info"), record.get("parts")
        if not isinstance(info, dict):
            raise BadRecord("has no info")
        if _is_session(record):
            yield from self.field("info", info)
            return
        if not isinstance(pieces, list):
            raise BadRecord(f"has parts that are {kind_of(pieces)}, not a list")
        role = info.get("role")
        if role not in ("user", "assistant"):
            raise BadRecord(f"has the role {str(role)[:40]!r}, which is not known" if role else "has no role")
        self._line = line
        name = identifier(info.get("id"))
        # whatever was taken back stays in the export until the next prompt
        reverted = bool(self._gone) or (bool(name) and name == self._revert)
        for message in self._user(line, info, pieces) if role == "user" else self._answer(line, info, pieces):
            if reverted:
                self._gone.append(message.external_id)
            yield message

    def _user(self, line: int, info: Mapping[str, Any], pieces: list[Any]) -> Iterator[Message]:
        parts = self._make.parts()
        for number, piece in enumerate(pieces, 1):
            fields = mapping(piece)
            kind = fields.get("type")
            if kind == "text" and isinstance(fields.get("text"), str):
                if fields.get("synthetic") is True or fields.get("ignored") is True:
                    parts.text(fields["text"], Voice.HARNESS)
                else:
                    parts.words(fields["text"])
            elif kind == "subtask":
                parts.words(string(fields.get("prompt")))
            elif kind == "compaction":
                parts.boundary("Context compacted", {"trigger": "auto" if fields.get("auto") is True else "manual"})
            else:
                _read_other(fields, number, parts, Voice.PERSON)
        yield from self._message(line, info, Role.USER, parts)

    def _answer(self, line: int, info: Mapping[str, Any], pieces: list[Any]) -> Iterator[Message]:
        self._make.moved(label(mapping(info.get("path")).get("cwd")))
        self._report.provider = label(info.get("providerID")) or self._report.provider
        said, results = self._make.parts(), self._make.parts()
        for number, piece in enumerate(pieces, 1):
            fields = mapping(piece)
            kind = fields.get("type")
            if len(results) and kind in ("text", "reasoning", "step-start"):
                yield from self._turn(line, info, said, results)
                said, results = self._make.parts(), self._make.parts()
            if kind == "text" and isinstance(fields.get("text"), str):
                said.text(fields["text"], Voice.SUMMARY if info.get("summary") is True else Voice.AGENT)
            elif kind == "reasoning" and isinstance(fields.get("text"), str):
                said.reasoning(fields["text"])
            elif kind == "tool":
                _read_tool(fields, number, said, results)
            else:
                _read_other(fields, number, said, Voice.AGENT)
        error = mapping(info.get("error"))
        said.text(string(mapping(error.get("data")).get("message")) or string(error.get("name")), Voice.HARNESS)
        yield from self._turn(line, info, said, results)

    def _turn(self, line: int, info: Mapping[str, Any], said: Parts, results: Parts) -> Iterator[Message]:
        yield from self._message(line, info, Role.ASSISTANT, said)
        yield from self._message(line, info, Role.TOOL, results)

    def _message(self, line: int, info: Mapping[str, Any], role: Role, parts: Parts) -> Iterator[Message]:
        name = identifier(info.get("id"))
        assistant = role is Role.ASSISTANT
        return self._make.message(
            line,
            role,
            parts,
            own_id=f"{name}/results" if name and role is Role.TOOL else name,
            says={"info": info, "parts": [part.as_json() for part in parts]},
            at=moment(mapping(info.get("time")).get("created")),
            model=label(info.get("modelID")) if assistant else "",
            usage=_usage(mapping(info.get("tokens"))) if assistant else None,
            usage_id=name,
            parent_id=identifier(info.get("parentID")),
        )


def _read_tool(fields: Mapping[str, Any], number: int, said: Parts, results: Parts) -> None:
    name, call_id, state = string(fields.get("tool")), identifier(fields.get("callID")), mapping(fields.get("state"))
    if not name:
        said.problem(f"part {number} is a tool call without a name")
        return
    said.call(name, call_id, mapping(state.get("input")))
    if string(state.get("status")) in _ENDED:
        about, failed = mapping(state.get("metadata")), state["status"] == "error"
        text = string(state.get("error")) if failed else string(state.get("output"))
        code = whole(about.get("exit"))
        results.result(
            text,
            call_id,
            name=name,
            failed=failed or (code != 0 if code is not None else False),
            exit_code=code,
            data=_reported_fields(about),
        )
        for attachment in map(mapping, listing(state.get("attachments"))):
            results.image(string(attachment.get("url")), Voice.TOOL, call_id)


def _reported_fields(about: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that a tool reports beside its text, under the names that other tools have for it."""
    file = mapping(about.get("filediff"))
    data: dict[str, Any] = changed_lines(string(about.get("diff")))
    for key, name in (("additions", "linesAdded"), ("deletions", "linesRemoved")):
        if whole(file.get(key)) is not None:
            data[name] = file[key]
    if path := label(file.get("file")) or label(about.get("filepath")):
        data["filePath"] = path
    if isinstance(about.get("exists"), bool):
        data["type"] = "update" if about["exists"] else "create"
    if isinstance(about.get("todos"), list):
        data["newTodos"] = about["todos"][:200]
    if label(about.get("sessionId")) or label(about.get("sessionID")):
        data["agentId"] = label(about.get("sessionId")) or label(about.get("sessionID"))
    return data


def _read_other(fields: Mapping[str, Any], number: int, parts: Parts, voice: Voice) -> None:
    kind = fields.get("type")
    if kind == "file":
        _read_file(fields, parts, voice)
    elif kind == "patch":
        files = [label(path) for path in listing(fields.get("files"))[:500] if label(path)]
        parts.text("\n".join(files), Voice.HARNESS, {"patch": identifier(fields.get("hash")), "files": files})
    elif kind == "retry":
        error = mapping(fields.get("error"))
        parts.text(string(mapping(error.get("data")).get("message")) or string(error.get("name")), Voice.HARNESS)
    elif not isinstance(kind, str):
        parts.problem(f"part {number} has no type")
    elif kind in ("text", "reasoning"):
        parts.problem(f"part {number} is a {kind} without text")
    elif kind not in _SILENT:
        parts.problem(f"part {number} is of the kind {kind[:40]!r}, which is not known")


def _read_file(fields: Mapping[str, Any], parts: Parts, voice: Voice) -> None:
    media, address = label(fields.get("mime")), string(fields.get("url"))
    if media.startswith("text/") or not address.startswith("data:"):
        name = label(fields.get("filename")) or label(address)
        parts.text(name, Voice.HARNESS, {"attachment": media or "file"})
    else:
        parts.image(address, voice)


def _usage(tokens: Mapping[str, Any]) -> Usage | None:
    """The cached tokens stand beside the input, the reasoning beside the output."""
    cache = mapping(tokens.get("cache"))
    output = count(tokens.get("output")) + count(tokens.get("reasoning"))
    usage = Usage(count(tokens.get("input")), output, count(cache.get("read")), count(cache.get("write")))
    return usage if usage.context else None


def sniff(sample: Sample) -> int:
    """Messages that are an `info` with a role and a list of parts."""
    return share(sum(_is_message(record) or _is_session(record) for record in sample.records), len(sample.records))


def _is_session(record: Any) -> bool:
    """Whether a line is no message but the session's own `info`, as our plugin for opencode writes it in front of the messages."""
    fields = mapping(record)
    info = mapping(fields.get("info"))
    return "parts" not in fields and "role" not in info and isinstance(info.get("directory"), str)


def _is_message(record: Any) -> bool:
    fields = mapping(record)
    return isinstance(mapping(fields.get("info")).get("role"), str) and isinstance(fields.get("parts"), list)


FORMAT = Format(NAME, sniff, OpencodeParser, tool="opencode")
