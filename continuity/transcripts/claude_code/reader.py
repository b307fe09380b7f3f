"""Claude Code records to messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from continuity.transcripts.base.content_blocks import read_content, read_result, read_usage, result_text
from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.fields import identifier, json_object, kind_of, label, listing, mapping, moment, string, whole
from continuity.transcripts.base.format import Event, Format, Parser, Sample, share
from continuity.transcripts.base.identity import ExternalIds, ToolNames
from continuity.transcripts.base.model import PLANNING, Abandoned, Message, Report, Role, Usage, Voice
from continuity.transcripts.base.parts import Parts
from continuity.transcripts.claude_code.live_path import LivePath
from continuity.transcripts.claude_code.queue import PromptQueue, Queued, Taken
from continuity.transcripts.claude_code.results import reduce_result
from continuity.transcripts.claude_code.session import Agents, note_session
from continuity.transcripts.claude_code.titles import Titles
from continuity.transcripts.injected_texts import is_rejection, words_in_rejection

NAME = "claude-code"
# the model that stands on records which Claude Code wrote itself, such as API errors
SYNTHETIC = "<synthetic>"
_NOTICE = "<task-notification>"  # that a job in the background ended

_TYPES = frozenset({"user", "assistant", "system", "progress", "attachment"})
# records beside the conversation, by a field that tells them from other tools' records
_META_TYPES = {
    "summary": "summary",
    "file-history-snapshot": "snapshot",
    "queue-operation": "operation",
    "custom-title": "customTitle",
    "ai-title": "aiTitle",
}


class ClaudeCodeParser(Parser):
    """Reads one session file; see LivePath for how rewound stretches are told from parallel tool calls."""

    def __init__(self, report: Report, part_limit: int) -> None:
        self._report = report
        self._limit = part_limit
        self._ids = ExternalIds()
        self._tools = ToolNames()
        self._path = LivePath()
        self._queue = PromptQueue()
        self._titles = Titles()
        self._agents = Agents()
        report.provider = "anthropic"

    def finish(self) -> Iterator[Event]:
        """The messages that still wait in the queue; where they are taken from there later, that is told."""
        for prompt in self._queue.waiting:
            if prompt.told or prompt.words.lstrip().startswith("/"):
                continue
            parts = self._parts()
            parts.words(prompt.words)
            if parts.has_person():
                prompt.told = True
                message = self._message(prompt.line, prompt.record, Role.USER, parts, name=prompt.name)
                yield from self._place(prompt.line, prompt.record, message)

    def record(self, line: int, record: Any) -> Iterator[Event]:
        record = json_object(record)
        kind = record.get("type")
        if not isinstance(kind, str):
            raise BadRecord("has no type")
        note_session(self._report, record)
        self._titles.record(record)
        self._titles.seen(identifier(record.get("uuid")))
        self._report.title = self._titles.best or self._report.title
        if kind in ("user", "assistant"):
            yield from self._spoken(line, record, kind)
        elif kind == "system":
            yield from self._system(line, record)
        elif kind == "attachment":
            yield from self._attachment(line, record)
        elif kind == "queue-operation":
            yield from self._queue_operation(line, record)
        else:
            self._keep_place(record, behind_last=kind == "progress")

    def _spoken(self, line: int, record: dict[str, Any], kind: str) -> Iterator[Event]:
        message = record.get("message")
        if not isinstance(message, dict):
            raise BadRecord("has no message" if message is None else f"has a message that is {kind_of(message)}")
        parts = self._parts()
        if kind == "user":
            self._read_user(record, message, parts)
        else:
            self._read_assistant(record, message, parts)
        for problem in parts.problems:
            self._report.skip(line, problem, whole=False)
        if not len(parts):
            self._keep_place(record)
            return
        own = not (record.get("isApiErrorMessage") or message.get("model") == SYNTHETIC)
        group = identifier(message.get("id")) if kind == "assistant" else ""
        usage = read_usage(message.get("usage")) if group and own else None
        model = label(message.get("model")) if group and own else ""
        self._report.model = model or self._report.model
        role = Role.ASSISTANT if kind == "assistant" else parts.user_role()
        yield from self._place(
            line, record, self._message(line, record, role, parts, group=group if usage else "", usage=usage, model=model), group
        )

    def _read_user(self, record: Mapping[str, Any], message: Mapping[str, Any], parts: Parts) -> None:
        results: list[Mapping[str, Any]] = []

        def on_result(block: Mapping[str, Any]) -> None:
            # a record carries one report, about its first result
            self._read_result(block, None if results else record.get("toolUseResult"), parts)
            results.append(block)

        origin = mapping(record.get("origin")).get("kind")
        if record.get("isCompactSummary") is True:
            read_content(message.get("content"), parts, lambda text: parts.text(text, Voice.SUMMARY), on_result)
        elif record.get("isMeta") is True or (isinstance(origin, str) and origin != "human"):
            read_content(message.get("content"), parts, lambda text: parts.text(text, Voice.HARNESS), on_result)
        elif self._agents.of(record):
            # in a side chain it is the main agent that speaks in the user's role
            read_content(message.get("content"), parts, lambda text: parts.words(text, Voice.AGENT), on_result)
        else:
            read_content(message.get("content"), parts, parts.words, on_result)
            if record.get("permissionMode") == PLANNING:
                parts.in_mode(PLANNING)

    def _read_result(self, block: Mapping[str, Any], report: Any, parts: Parts) -> None:
        data = reduce_result(report)
        failed = isinstance(report, str) and report.startswith("Error:")
        text, said = result_text(block.get("content")), ""
        if (block.get("is_error") is True or failed) and is_rejection(text):
            text, said = words_in_rejection(text)
            data["rejected"] = True
        read_result(block, parts, text=text, failed=failed, data=data, exit_code=whole(data.get("exitCode")))
        parts.text(said, Voice.PERSON)

    def _read_assistant(self, record: Mapping[str, Any], message: Mapping[str, Any], parts: Parts) -> None:
        synthetic = record.get("isApiErrorMessage") is True or message.get("model") == SYNTHETIC
        voice = Voice.HARNESS if synthetic else Voice.AGENT
        read_content(message.get("content"), parts, lambda text: parts.text(text, voice), lambda block: read_result(block, parts))

    def _system(self, line: int, record: dict[str, Any]) -> Iterator[Event]:
        subtype, content = record.get("subtype"), string(record.get("content"))
        parts = self._parts()
        if subtype == "compact_boundary":
            about = mapping(record.get("compactMetadata"))
            data = {key: about[key] for key in ("trigger", "preTokens", "postTokens") if isinstance(about.get(key), str | int)}
            parts.boundary(content, data)
            yield from self._place(line, record, self._message(line, record, Role.SYSTEM, parts))
        elif subtype == "local_command" and content.strip():
            parts.words(content)
            yield from self._place(line, record, self._message(line, record, Role.USER, parts))
        else:
            self._keep_place(record, behind_last=subtype == "stop_hook_summary")

    def _attachment(self, line: int, record: dict[str, Any]) -> Iterator[Event]:
        attachment = mapping(record.get("attachment"))
        if attachment.get("type") == "hook_additional_context":
            parts = self._parts()
            for text in listing(attachment.get("content")):
                parts.text(string(text), Voice.HARNESS, {"hook": label(attachment.get("hookName"))})
            if len(parts):
                yield from self._place(line, record, self._message(line, record, Role.USER, parts))
                return
        if attachment.get("type") != "queued_command":
            self._keep_place(record)
            return
        taken = self._queue.attachment(result_text(attachment.get("prompt")))
        origin = mapping(attachment.get("origin")).get("kind")
        by_person = (
            attachment.get("commandMode") in (None, "prompt")
            and origin in (None, "human")
            and True not in (attachment.get("isMeta"), record.get("isMeta"))
        )
        yield from _left(taken, line)
        yield from self._queued(line, record, taken.words, Voice.PERSON if by_person else Voice.HARNESS)

    def _queue_operation(self, line: int, record: dict[str, Any]) -> Iterator[Event]:
        if record.get("operation") == "enqueue":
            name, words = self._ids.of_content(Role.USER, _content(record)), string(record.get("content"))
            self._queue.enqueue(Queued(words, name, line, record, typed=self._is_typed(words)))
            self._keep_place(record)
            return
        taken = self._queue.operation(record)
        yield from _left(taken, line)
        yield from self._queued(line, record, taken.words)

    def _is_typed(self, words: str) -> bool:
        parts = self._parts()
        parts.words(words)
        return parts.has_person()

    def _queued(self, line: int, record: dict[str, Any], words: str, voice: Voice = Voice.PERSON) -> Iterator[Event]:
        """Words that were taken into the running turn; of what a tool queued only that a job of its ended is a message."""
        parts = self._parts()
        if voice is Voice.PERSON:
            parts.words(words)
            parts.at_work()
        elif _NOTICE in words:
            parts.text(words, voice)
        if parts.has_person() or any(_NOTICE in part.text for part in parts):
            yield from self._place(line, record, self._message(line, record, Role.USER, parts))
        else:
            self._keep_place(record)

    def _place(self, line: int, record: Mapping[str, Any], message: Message, group: str = "") -> Iterator[Event]:
        """The message, behind what it shows to be rewound."""
        if not message.agent:
            key = identifier(record.get("uuid"))
            parent = identifier(record.get("parentUuid"))
            calls = [part.call_id for part in message.parts if part.call_id]
            if self._is_stop(record, message):
                rewound = self._path.advance(key, parent, message.external_id, group=group, calls=calls)
                if rewound:
                    yield Abandoned(rewound, line)
            else:
                self._path.attach(key, parent, message.external_id, calls=calls)
        yield message

    def _is_stop(self, record: Mapping[str, Any], message: Message) -> bool:
        """Whether the record continues the conversation by itself, rather than hanging from something that does."""
        if record.get("type") == "assistant":
            return True
        spoken = record.get("type") == "user" and message.role is Role.USER
        hangs = record.get("isMeta") is True or record.get("isCompactSummary") is True
        return spoken and not hangs and not any(part.call_id for part in message.parts)

    def _keep_place(self, record: Mapping[str, Any], *, behind_last: bool = False) -> None:
        """Notes where a record without a message stands, for those that name it as their parent.

        The progress of tools and hooks may be written when the turn ends, chained from its first call, and the next prompt hangs from
        that: it stands where it was written.
        """
        uuid, parent = identifier(record.get("uuid")), identifier(record.get("parentUuid"))
        if uuid and not self._agents.of(record):
            self._path.attach(uuid, "" if behind_last else parent)

    def _message(
        self,
        line: int,
        record: Mapping[str, Any],
        role: Role,
        parts: Parts,
        *,
        group: str = "",
        usage: Usage | None = None,
        model: str = "",
        name: str = "",
    ) -> Message:
        uuid = identifier(record.get("uuid"))
        if uuid and not self._ids.is_first(uuid):
            raise BadRecord(f"repeats the record {uuid}")
        return Message(
            role=role,
            parts=parts.as_tuple(),
            external_id=uuid or name or self._ids.of_content(role, _content(record)),
            line=line,
            at=moment(record.get("timestamp")),
            model=model,
            usage_id=group,
            usage=usage,
            cwd=label(record.get("cwd")),
            branch=label(record.get("gitBranch")),
            agent=self._agents.of(record),
            parent_id=identifier(record.get("parentUuid")) or identifier(record.get("logicalParentUuid")),
        )

    def _parts(self) -> Parts:
        return Parts(self._limit, self._tools)


def _left(taken: Taken, line: int) -> Iterator[Event]:
    """Notes that a prompt which left the queue is no message of its own: this reading may have given it, or an earlier one of the file when
    it was shorter."""
    for prompt in taken.left:
        yield Abandoned((prompt.name,), line, given=prompt.told)


def _content(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: record[key] for key in ("message", "content", "attachment", "timestamp") if key in record}


def sniff(sample: Sample) -> int:
    """Claude Code records have a type and their own id, or are of a type that only Claude Code writes; among such, others
    that name the session are its too."""
    certain = [_is_record(record) for record in sample.records]
    likely = [bool(string(mapping(record).get("type"))) and "sessionId" in mapping(record) for record in sample.records]
    return share(sum(map(max, certain, likely)), len(certain)) if any(certain) else 0


def _is_record(record: Any) -> bool:
    fields = mapping(record)
    kind = fields.get("type")
    if not isinstance(kind, str):
        return False
    if kind in _TYPES:
        return "uuid" in fields and ("parentUuid" in fields or "sessionId" in fields)
    return kind in _META_TYPES and _META_TYPES[kind] in fields


FORMAT = Format(NAME, sniff, ClaudeCodeParser, tool="Claude Code")
