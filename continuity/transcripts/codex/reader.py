"""Codex rollout records to messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.fields import count, json_object, kind_of, label, mapping, moment, string
from continuity.transcripts.base.format import Event, Format, Parser, Sample, share
from continuity.transcripts.base.identity import ExternalIds
from continuity.transcripts.base.model import Abandoned, Message, Part, Report, Role, Voice
from continuity.transcripts.codex.events import CallEvents
from continuity.transcripts.codex.items import RESPONSE_ITEMS, ItemReader
from continuity.transcripts.codex.metering import Metering
from continuity.transcripts.codex.rollback import Turns
from continuity.transcripts.codex.session import CodexSession

NAME = "codex"

_RECORDS = frozenset({"session_meta", "turn_context", "response_item", "event_msg", "compacted"})
_TURN_ENDS = frozenset({"task_complete", "turn_complete", "turn_aborted", "task_started", "turn_started", "user_message"})
_ABORTED = "<turn_aborted>"


class CodexParser(Parser):
    """Reads one rollout, also in the older form whose records are the items themselves."""

    def __init__(self, report: Report, part_limit: int) -> None:
        self._report = report
        self._ids = ExternalIds()
        self._events = CallEvents()
        self._items = ItemReader(part_limit, self._events)
        self._metering = Metering(report)
        self._turns = Turns()
        self._session = CodexSession(report)
        self._abort_told = False

    def finish(self) -> Iterator[Event]:
        return self._metering.release()

    def record(self, line: int, record: Any) -> Iterator[Event]:
        record = json_object(record)
        kind, payload = string(record.get("type")), record.get("payload")
        if kind in _RECORDS and not isinstance(payload, dict):
            raise BadRecord(f"has a payload that is {kind_of(payload)}, not an object")
        if kind == "response_item":
            yield from self._item(line, record, mapping(payload))
        elif kind == "event_msg":
            yield from self._event(line, record, mapping(payload))
        elif kind == "session_meta":
            yield from self._header(line, record, mapping(payload))
        elif kind == "turn_context":
            self._session.turn(mapping(payload))
        elif kind == "compacted":
            yield from self._compacted(line, record, mapping(payload))
        elif kind in RESPONSE_ITEMS:
            yield from self._item(line, record, record)
        elif not kind and "id" in record and "timestamp" in record:
            yield from self._header(line, record, record)
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

    def _header(self, line: int, record: Mapping[str, Any], meta: Mapping[str, Any]) -> Iterator[Event]:
        if not self._session.begin(meta):
            return
        parts = self._items.parts()
        for name in ("base_instructions", "instructions", "user_instructions"):
            stated = meta.get(name)
            parts.text(string(stated) or string(mapping(stated).get("text")), Voice.HARNESS)
        external_id = f"session:{self._report.session_id}"
        if len(parts) and self._ids.is_first(external_id):
            yield from self._emit(self._message(line, record, Role.SYSTEM, parts.as_tuple(), external_id))

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
            model=self._session.model if role is Role.ASSISTANT else "",
            cwd=self._session.cwd,
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
