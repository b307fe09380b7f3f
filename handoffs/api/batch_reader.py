"""From a batch as it was sent to the one message form, whichever of three forms its messages have."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

from django.conf import settings

from continuity.core.errors import Invalid, TooLarge
from continuity.services.recording import placeholders
from continuity.transcripts.base.errors import BadRecord
from continuity.transcripts.base.fields import count, identifier
from continuity.transcripts.base.format import DocumentShape, Parser, Sample
from continuity.transcripts.base.model import Message, Part, Report, Role, Usage, Voice
from continuity.transcripts.base.parts import PART_LIMIT
from continuity.transcripts.chat import role_of
from continuity.transcripts.registry import FORMATS
from handoffs.api.forms.messages import BatchIn, MessageIn, PartIn

VOICES = {Role.USER: Voice.PERSON, Role.ASSISTANT: Voice.AGENT, Role.TOOL: Voice.TOOL, Role.SYSTEM: Voice.HARNESS}
USAGE = ("input", "output", "cache_read", "cache_write")


@dataclass(slots=True)
class MessageBatch:
    """The messages, what of them could not be read, and the external ids of those that only hold a place."""

    messages: list[Message] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    placeholders: set[str] = field(default_factory=set)


def read(sent: BatchIn, *, size: int) -> MessageBatch:
    """The messages of a batch that took `size` bytes. Raises TooLarge, which names the limit, and Invalid, which names the message."""
    _check_size(sent, size)
    report, batch = Report(), MessageBatch()
    parsers = {known.name: known.parser(report, PART_LIMIT) for known in FORMATS.values()}
    for number, message in enumerate(sent.messages):
        try:
            batch.messages.append(_one(number, message, parsers))
        except BadRecord as bad:
            raise Invalid(f"messages.{number} {bad.reason}.", field=f"messages.{number}") from bad
    batch.placeholders = {message.external_id for message in sent.messages if message.placeholder}
    batch.warnings = [f"messages.{skipped.line}: {skipped.reason}" for skipped in report.skipped]
    return batch


def _check_size(sent: BatchIn, size: int) -> None:
    if size > settings.CONTINUITY_MAX_BATCH_BYTES:
        raise TooLarge(noun="The batch", size=f"{size:,} bytes", limit=f"{settings.CONTINUITY_MAX_BATCH_BYTES:,} bytes")
    if len(sent.messages) > settings.CONTINUITY_MAX_BATCH_MESSAGES:
        raise TooLarge(
            noun="The batch", size=f"{len(sent.messages):,} messages", limit=f"{settings.CONTINUITY_MAX_BATCH_MESSAGES:,} messages"
        )
    limit = settings.CONTINUITY_MAX_MESSAGE_BYTES
    if size <= limit:
        return
    for number, message in enumerate(sent.messages):
        if (bytes_ := len(message.model_dump_json(exclude_unset=True).encode())) > limit:
            raise TooLarge(noun=f"messages.{number}", size=f"{bytes_:,} bytes", limit=f"{limit:,} bytes", field=f"messages.{number}")


def _one(number: int, sent: MessageIn, parsers: dict[str, Parser]) -> Message:
    if sent.placeholder:
        return _of_placeholder(sent)
    return _of_parts(sent) if sent.parts else _of_content(number, sent, parsers)


def _of_placeholder(sent: MessageIn) -> Message:
    if not sent.external_id:
        raise BadRecord("is a placeholder without external_id, so nothing could take its place")
    if sent.parts or sent.content is not None:
        raise BadRecord("has a placeholder and words; send one of them")
    return _with_circumstances(sent, placeholders.message(role_of({"role": sent.role}), sent.external_id, sent.placeholder))


def _of_parts(sent: MessageIn) -> Message:
    if sent.content is not None:
        raise BadRecord("has parts and content; send one of them")
    role = role_of({"role": sent.role})
    return _with_circumstances(sent, Message(role, tuple(_part(part, role) for part in sent.parts or ()), sent.external_id))


def _part(sent: PartIn, role: Role) -> Part:
    given = sent.model_dump()
    return Part(**(given | {"voice": sent.voice or VOICES[role]}))


def _of_content(number: int, sent: MessageIn, parsers: dict[str, Parser]) -> Message:
    raw = sent.model_dump(exclude_unset=True)
    sample = Sample(DocumentShape.LINES, (raw,))
    chosen = max(("openai-chat", "anthropic-messages"), key=lambda name: FORMATS[name].sniff(sample))
    found = list(islice(_messages(parsers[chosen], number, raw), 1))
    if not found:
        raise BadRecord("says nothing: it has neither parts nor content nor calls that can be read")
    # The readers number what has no id by its words, which two batches may well have in common.
    own = sent.external_id or identifier(raw.get("id"))
    message = replace(found[0], external_id=own, usage_id=identifier(raw.get("id")))
    return _with_circumstances(sent, message)


def _messages(parser: Parser, number: int, raw: dict[str, object]) -> Iterator[Message]:
    return (event for event in parser.record(number, raw) if isinstance(event, Message))


def _with_circumstances(sent: MessageIn, message: Message) -> Message:
    """The message with what the caller says beside its words."""
    named = {key: count((sent.usage or {}).get(key)) for key in USAGE}
    return replace(
        message,
        at=sent.at or message.at,
        model=sent.model or message.model,
        usage=Usage(**named) if any(named.values()) else message.usage,
        usage_id=sent.usage_id or message.usage_id,
        agent=sent.agent,
        cwd=sent.cwd,
        branch=sent.branch,
    )
