"""Messages that a reader had to skip: rows for the page, an event for operators, a log line. None of it quotes anything."""

import logging
from collections import Counter
from collections.abc import Sequence

from continuity.core.isolation import MessageSkipped, RuleFault
from continuity.models import Conversation, SkippedMessage
from continuity.services.events import events

logger = logging.getLogger("continuity.distilling")

NAMED = 50  # messages that an event names; the rest are counted
SHOWN = 5
KINDS = 50  # kinds of faults of rules that an event counts by themselves


def note(*, conversation: Conversation, skipped: Sequence[MessageSkipped]) -> None:
    """Keeps which messages were passed over, and tells of it as `messages.skipped`. The caller's transaction; nothing where none was."""
    if not skipped:
        return
    about = {"team_id": conversation.team_id, "conversation": conversation}
    rows = [SkippedMessage(seq=each.seq, reader=each.reader, error=each.error, place=each.place[:80], **about) for each in skipped]
    SkippedMessage.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)
    told = [{"seq": each.seq, "reader": each.reader, "error": each.error, "place": each.place} for each in skipped[:NAMED]]
    counts = Counter(f"{each.reader} {each.error}" for each in skipped)
    payload = {"skipped": told, "counts": dict(counts.most_common(KINDS))}
    events.publish(name="messages.skipped", team=conversation.team, subject_id=conversation.id, payload=payload, critical=True)
    for each in told:
        where = {"conversation_id": str(conversation.id), **each}
        logger.error("Message %d could not be read for %s", each["seq"], each["reader"], extra={"metadata": where})


def count(*, conversation: Conversation, faults: Sequence[RuleFault]) -> dict[str, int]:
    """How often each rule raised what; logged, since no message is lost by it."""
    counts = dict(Counter(f"{fault.rule} {fault.error}" for fault in faults).most_common(KINDS))
    logger.warning("Rules raised on some sentences", extra={"metadata": {"conversation_id": str(conversation.id), "faults": counts}})
    return counts


def forget_after(*, conversation: Conversation, seq: int, readers: Sequence[str] = ("knowledge", "segments", "usage", "summaries")) -> None:
    """Takes back what these readers passed over after a message: it is read again. The caller's transaction."""
    SkippedMessage.objects.filter(conversation=conversation, seq__gt=seq, reader__in=readers).delete()


def shown(*, conversation: Conversation) -> tuple[Sequence[SkippedMessage], int]:
    """The first ones, in the order of the messages, and how many more there are. Two queries where there are any."""
    rows = list(SkippedMessage.objects.filter(conversation=conversation).order_by("seq", "reader")[: SHOWN + 1])
    more = SkippedMessage.objects.filter(conversation=conversation).count() - SHOWN if len(rows) > SHOWN else 0
    return rows[:SHOWN], more


def passed_over(*, conversation: Conversation, reader: str, first: int, last: int) -> frozenset[int]:
    """The messages among these that the reader passed over. One query."""
    rows = SkippedMessage.objects.filter(conversation=conversation, reader=reader, seq__gte=first, seq__lte=last)
    return frozenset(rows.values_list("seq", flat=True))
