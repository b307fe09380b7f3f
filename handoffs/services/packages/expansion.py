"""Expands a short reference of a package: the item, the message it came from, and what was said around it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any
from uuid import UUID

from continuity.core.errors import NotFound, existing
from continuity.knowledge.model import AnchorState
from continuity.models import Anchor, Conversation, FileTouch, Message, Task
from continuity.rendering.call_arguments import arguments
from continuity.secrets import message_masking
from continuity.services.knowledge import curation
from continuity.transcripts.base.model import PartKind, Voice
from handoffs.contract.note_records import statement_record
from handoffs.contract.records import anchor_record, task_record
from handoffs.models import Handoff, NoteStatement
from handoffs.services.edits.targets import items, plain


class Depth(StrEnum):
    BRIEF = "brief"
    DETAILED = "detailed"
    VERBATIM = "verbatim"


# Characters of the source message around the words that came from it; a verbatim one is whole.
EXCERPT = {Depth.BRIEF: 300, Depth.DETAILED: 4000}
# Messages looked at on each side of the source, and tokens shown of them beside it.
AROUND = 20
AROUND_TOKENS = 20_000
TOUCHES = 50


@dataclass(frozen=True, slots=True)
class ItemSource:
    """Where an item comes from: a message of this conversation or of a predecessor. `words` are those to look for in it."""

    conversation_id: UUID
    seq: int
    part: int = 0
    words: str = ""


@dataclass(frozen=True, slots=True)
class ExpandedReference:
    """`text` is the item as the package has it, `record` what is known of it now. `excerpt` is of the source message; verbatim,
    `messages` holds `said`, that message, whole and the turns around it. `source` is None for what no message says, such as an item
    added by hand."""

    reference: str
    kind: str
    text: str
    record: dict[str, Any] = field(default_factory=dict)
    source: ItemSource | None = None
    excerpt: str = ""
    messages: Sequence[Message] = ()
    said: Message | None = None


def expand(*, handoff: Handoff, ref: str, level: Depth, longest: int | None = None) -> ExpandedReference:
    """Resolves a reference of the handoff; the excerpt has at most `longest` characters, else as many as the level gives. At most four
    queries. Raises Invalid on what is no reference, NotFound."""
    reference = plain(ref)
    line = next((item for item in items(handoff) if item["reference"] == reference), None)
    found = _found(handoff, reference, line)
    source = found.source
    if source is None:
        return found
    place = Message.objects.filter(conversation_id=source.conversation_id, team_id=handoff.team_id)
    message = place.filter(seq=source.seq).first()
    if message is None:
        return replace(found, source=None)
    limit = EXCERPT.get(level, 0) if longest is None else longest
    excerpt = _excerpt(message, source, limit) if limit else ""
    messages = _around(message, list(place.filter(seq__range=(source.seq - AROUND, source.seq + AROUND), abandoned=False).order_by("seq")))
    shown = messages if level is Depth.VERBATIM else ()
    return replace(found, excerpt=excerpt, messages=shown, said=message)


def _found(handoff: Handoff, reference: str, line: dict[str, Any] | None) -> ExpandedReference:
    text = line["text"] if line else ""
    if reference.startswith("m"):
        if handoff.origin and line is not None:
            return ExpandedReference(reference, "message", text)  # its message is in another installation
        if line is None and not Message.objects.filter(conversation=handoff.conversation_id, seq=int(reference[1:])).exists():
            raise NotFound(noun="message")
        return ExpandedReference(reference, "message", text, source=ItemSource(handoff.conversation_id, int(reference[1:]), words=text))
    if reference.startswith("n"):
        return _note(handoff, reference, line)
    key = handoff.references.get(reference) or (line["key"].partition(":")[2] if line and reference.startswith("f") else "")
    key = key or (line["key"] if line else "")
    if not key:
        raise NotFound(noun="item in this handoff")
    if reference.startswith("f"):
        return _file(handoff.conversation, reference, key, text)
    if reference.startswith("t"):
        return _task(handoff, reference, key, text)
    return _anchor(handoff, reference, key, text)


def _anchor(handoff: Handoff, reference: str, key: str, text: str) -> ExpandedReference:
    row = curation.anchor_of(conversation=handoff.conversation, key=key)
    if row is None:  # a rewind took it back; the package still says it
        record = existing(next((anchor for anchor in handoff.anchors if anchor["key"] == key), None), "item in this handoff")
        return ExpandedReference(reference, "anchor", text or record["originalContent"], record)
    distilled = Anchor.objects.filter(id=row.id).as_distilled()[0]
    record = anchor_record(distilled)
    by = row.superseded_by if row.state == AnchorState.SUPERSEDED else ""
    record["supersededBy"] = next((given for given, known in handoff.references.items() if by and known == by), "")
    record |= {"pinned": row.pinned, "editedAt": row.edited_at.isoformat() if row.edited_at else None}
    added = row.method in (curation.BY_PERSON, curation.BY_AGENT)
    place = ItemSource(row.origin_conversation_id or row.conversation_id, row.source_seq, row.source_part, row.text)
    return ExpandedReference(reference, "anchor", text or row.text, record, None if added else place)


def _task(handoff: Handoff, reference: str, key: str, text: str) -> ExpandedReference:
    row: Task | None = curation.task_of(conversation=handoff.conversation, key=key)
    if row is None:
        record = existing(next((task for task in handoff.pending_tasks if task["taskId"] == key), None), "item in this handoff")
        return ExpandedReference(reference, "task", text or record["description"], record)
    added = row.method in (curation.BY_PERSON, curation.BY_AGENT)
    words = row.description if row.first_seq else ""  # those of a predecessor's task stand in its own messages
    place = ItemSource(row.conversation_id, row.last_seq, words=words) if row.last_seq and not added else None
    return ExpandedReference(reference, "task", text or row.description, task_record(row.as_distilled()), place)


def _note(handoff: Handoff, reference: str, line: dict[str, Any] | None) -> ExpandedReference:
    """A statement of a handoff note, as it stands now; where its note is gone, as the package has it."""
    key = line["key"] if line else handoff.references.get(reference, "")
    found = NoteStatement.objects.filter(note__conversation=handoff.conversation_id, key=key).select_related("note")
    row = found.order_by("-note__number").first() if key else None
    if row is not None:
        record = {**statement_record(row.as_checked()), "author": row.note.kind, "throughSeq": row.note.through_seq}
        record |= {"original": row.original, "dismissed": row.dismissed}
        return ExpandedReference(reference, "note", line["text"] if line else row.text, record)
    note = handoff.rest.get("note") or {"statements": ()}
    told = existing(next((each for each in note["statements"] if key and each["key"] == key), None), "item in this handoff")
    record = {**told, "throughSeq": note["throughSeq"]}
    return ExpandedReference(reference, "note", line["text"] if line else told["text"], record)


def _file(conversation: Conversation, reference: str, path: str, text: str) -> ExpandedReference:
    rows = FileTouch.objects.filter(conversation=conversation, path=path).order_by("-last_seq")[:TOUCHES]
    names = ("action", "first_seq", "last_seq", "count", "note")
    touches = [{name: getattr(row, name) for name in names} for row in rows]
    last = max((touch["last_seq"] for touch in touches), default=0)
    place = ItemSource(conversation.id, last, words=path) if last > 0 else None
    return ExpandedReference(reference, "file", text or path, {"path": path, "touches": touches}, place)


def _excerpt(message: Message, source: ItemSource, limit: int) -> str:
    """The words of the part that the item came from, masked, cut around the item's own."""
    parts = message_masking.masked(message.parts, message.secrets)
    part = parts[source.part] if source.part < len(parts) else parts[0] if parts else {}
    text = arguments(part.get("input", {})) if part.get("kind") == PartKind.TOOL_CALL else str(part.get("text", ""))
    if len(text) <= limit:
        return text
    at = max(0, text.find(source.words[:40])) if source.words else 0
    start = max(0, min(at - limit // 4, len(text) - limit))
    return f"{'…' if start else ''}{text[start : start + limit]}{'…' if start + limit < len(text) else ''}"


def _around(source: Message, near: Sequence[Message]) -> Sequence[Message]:
    """The turn of the source, the one before and the one after, as far as they are near and not too long."""
    before = [row.seq for row in near if row.seq <= source.seq and _is_person(row)]
    after = [row.seq for row in near if row.seq > source.seq and _is_person(row)]
    first = before[-2] if len(before) > 1 else 0
    last = after[1] if len(after) > 1 else source.seq + AROUND + 1
    room = AROUND_TOKENS
    kept = {source.seq: source}
    for row in sorted((row for row in near if first <= row.seq < last), key=lambda row: abs(row.seq - source.seq)):
        if row.seq != source.seq and row.tokens <= room:
            room -= row.tokens
            kept[row.seq] = row
    return [kept[seq] for seq in sorted(kept)]


def _is_person(message: Message) -> bool:
    return any(part.get("voice") == Voice.PERSON for part in message.parts)
