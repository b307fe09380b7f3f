"""Codex rollout records to messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.fields import count, identifier, kind_of, label, mapping, moment, string
from continuity.transcripts.base.format import Event, Format, Sample, share
from continuity.transcripts.base.identity import ExternalIds
from continuity.transcripts.base.model import Abandoned, Message, Part, Report, Role, Voice
from continuity.transcripts.codex.events import CallEvents
from continuity.transcripts.codex.items import RESPONSE_ITEMS, ItemReader
from continuity.transcripts.codex.metering import Metering
from continuity.transcripts.codex.rollback import Turns

NAME = "codex"
MAX_LINEAGE = 100

_RECORDS = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})
_TURN_ENDS = frozenset({"task_complete", "turn_complete", "turn_aborted", "task_started", "turn_started", "user_message"})
_ABORTED = "<turn_aborted>"


class CodexParser:
    """Reads one rollout, also in the older form whose records are the items themselves."""

    def __init__(self, report: Report, part_limit: int) -> None:
        self._report = report
        self._ids = ExternalIds()
        self._events = CallEvents()
        self._items = ItemReader(part_limit, self._events)
        self._metering = Metering(report)
        self._turns = Turns()
        self._model = ""
        self._cwd = ""
        self._abort_told = False

    def field(self, name: str, value: Any) -> Iterator[Event]:
        return iter(())

    def finish(self) -> Iterator[Event]:
        return self._metering.release()

    def record(self, line: int, record: Any) -> Iterator[Event]:
        if not isinstance(record, dict):
            raise BadRecord(f"is {kind_of(record)}, not an object")
        kind, payload = string(record.get("type")), record.get("payload")
        if kind in _RECORDS and not isinstance(payload, dict):
            raise BadRecord(f"has a payload that is {kind_of(payload)}, not an object")
        if kind == "response_item":
            yield from self._item(line, record, mapping(payload))
        elif kind == "event_msg":
            yield from self._event(line, record, mapping(payload))
        elif kind == "session_meta":
            yield from self._session(line, record, mapping(payload))
        elif kind == "turn_context":
            self._turn(mapping(payload))
        elif kind == "compacted":
            yield from self._compacted(line, record, mapping(payload))
        elif kind in RESPONSE_ITEMS:
            yield from self._item(line, record, record)
        elif not kind and "id" in record and "timestamp" in record:
            yield from self._session(line, record, record)
        elif not kind and "record_type" not in record:
            raise BadRecord("has no type")

    def _item(self, line: int, record: Mapping[str, Any], item: Mapping[str, Any]) -> Iterator[Event]:
        found = self._items.read(item)
        for problem in found.problems:
            self._report.skip(line, problem, whole=False)
        if not found.parts:
            return
        name = found.name
        external_id = self._ids.numbered(name) if name else self._ids.of_content(found.role, found.content)
        yield from self._emit(self._message(line, record, found.role, found.parts, external_id))

    def _event(self, line: int, record: Mapping[str, Any], event: Mapping[str, Any]) -> Iterator[Event]:
        kind = string(event.get("type"))
        self._events.record(event)
        if kind == "token_count":
            yield from self._metering.count(record.get("timestamp"), mapping(event.get("info")))
        elif kind in _TURN_ENDS:
            yield from self._metering.release()
        if kind in ("task_started", "turn_started"):
            self._report.max_context_tokens = count(event.get("model_context_window")) or self._report.max_context_tokens
        elif kind == "turn_aborted":
            yield from self._aborted(line, record, event)
        elif kind == "thread_rolled_back":
            yield from self._metering.release()
            if rewound := self._turns.roll_back(count(event.get("num_turns"))):
                yield Abandoned(rewound, line)
        elif kind == "thread_name_updated":
            self._report.title = label(event.get("thread_name")) or label(event.get("name")) or self._report.title

    def _aborted(self, line: int, record: Mapping[str, Any], event: Mapping[str, Any]) -> Iterator[Event]:
        """Newer versions also write a message in the user's role; where there was none, this makes up for it."""
        if not self._abort_told:
            parts = self._items.parts()
            parts.text(f"{_ABORTED}{label(event.get('reason')) or 'interrupted'}</turn_aborted>", Voice.HARNESS)
            external_id = self._ids.of_content(Role.USER, {"aborted": record.get("timestamp")})
            yield from self._emit(self._message(line, record, Role.USER, parts.as_tuple(), external_id))
        self._abort_told = False

    def _session(self, line: int, record: Mapping[str, Any], meta: Mapping[str, Any]) -> Iterator[Event]:
        """The first session of a file is its own; a later one is that from which it was forked."""
        session, source = identifier(meta.get("id")), identifier(meta.get("forked_from_id"))
        if self._report.session_id and session != self._report.session_id:
            self._note_earlier(session)
            return
        self._report.session_id = session
        self._note_earlier(source)
        self._report.provider = label(meta.get("model_provider")) or self._report.provider or "openai"
        self._cwd = label(meta.get("cwd")) or self._cwd
        self._report.cwd = self._cwd or self._report.cwd
        self._report.branch = label(mapping(meta.get("git")).get("branch")) or self._report.branch
        parts = self._items.parts()
        for name in ("base_instructions", "instructions", "user_instructions"):
            stated = meta.get(name)
            parts.text(string(stated) or string(mapping(stated).get("text")), Voice.HARNESS)
        external_id = f"session:{session}"
        if len(parts) and self._ids.is_first(external_id):
            yield from self._emit(self._message(line, record, Role.SYSTEM, parts.as_tuple(), external_id))

    def _note_earlier(self, session: str) -> None:
        if session and session not in self._report.lineage and len(self._report.lineage) < MAX_LINEAGE:
            self._report.lineage.append(session)

    def _turn(self, context: Mapping[str, Any]) -> None:
        self._model = label(context.get("model")) or self._model
        self._cwd = label(context.get("cwd")) or self._cwd
        self._report.model, self._report.cwd = self._model or self._report.model, self._cwd or self._report.cwd
        window = count(context.get("model_context_window"))
        self._report.max_context_tokens = window or self._report.max_context_tokens

    def _compacted(self, line: int, record: Mapping[str, Any], payload: Mapping[str, Any]) -> Iterator[Event]:
        """The history that replaces the earlier one is not read: it repeats words that were said before."""
        summary = string(payload.get("message"))
        parts = self._items.parts()
        kept = payload.get("replacement_history")
        parts.boundary("Context compacted", {"kept_items": len(kept)} if isinstance(kept, list) else {})
        parts.text(summary, Voice.SUMMARY)
        external_id = self._ids.of_content(Role.SYSTEM, {"compacted": summary, "at": record.get("timestamp")})
        yield from self._emit(self._message(line, record, Role.SYSTEM, parts.as_tuple(), external_id))

    def _emit(self, message: Message) -> Iterator[Event]:
        person = any(part.voice is Voice.PERSON for part in message.parts)
        self._turns.add(message.external_id, begins=message.role is Role.USER and person)
        if message.role is Role.USER and any(_ABORTED in part.text[:100] for part in message.parts if not person):
            self._abort_told = True
        elif message.role is Role.USER:
            self._abort_told = False
        return self._metering.add(message)

    def _message(self, line: int, record: Mapping[str, Any], role: Role, parts: tuple[Part, ...], external_id: str) -> Message:
        return Message(
            role=role,
            parts=parts,
            external_id=external_id,
            line=line,
            at=moment(record.get("timestamp")),
            model=self._model if role is Role.ASSISTANT else "",
            cwd=self._cwd,
            branch=self._report.branch,
        )


def sniff(sample: Sample) -> int:
    """Rollout records have a type of their own and a payload; older ones are bare response items after a header."""
    return share(sum(_is_record(record) for record in sample.records), len(sample.records))


def _is_record(record: Any) -> bool:
    fields = mapping(record)
    kind = string(fields.get("type"))
    if kind in _RECORDS:
        return isinstance(fields.get("payload"), dict)
    if not kind:
        return "record_type" in fields or ("id" in fields and "timestamp" in fields and "role" not in fields)
    return kind in RESPONSE_ITEMS and (kind != "message" or "role" in fields)


FORMAT = Format(NAME, sniff, CodexParser, tool="Codex")
