"""A stretch of a transcript, found by message number, so that a page costs the same anywhere in a long one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from continuity.displayed_messages import ShownMessage, show, tools_called
from continuity.models import Conversation, Message

SIZE = 20
LEAD = 4  # messages shown before the one that was asked for
LARGEST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class TranscriptWindow:
    """Messages in order; `before` and `after` are the numbers to go on from, 0 where there is nothing. `at` is what was asked for."""

    messages: Sequence[ShownMessage]
    before: int = 0
    after: int = 0
    at: int = 0


def window(conversation: Conversation, asked: Mapping[str, str], size: int = SIZE) -> TranscriptWindow:
    """The messages `before` or `after` a number, or around `at`; the latest where none is given or the number is none. One query.

    One more message is read in front of them: it may hold the calls that the first one answers.
    """
    rows = Message.objects.filter(conversation=conversation)
    before, after, at = (_number(asked.get(name)) for name in ("before", "after", "at"))
    if at:
        first = max(at - LEAD, 1)
        read = list(rows.filter(seq__gte=first - 1).order_by("seq")[: size + 1])
    elif after:
        first = after + 1
        read = list(rows.filter(seq__gte=after).order_by("seq")[: size + 1])
    else:
        earlier = rows.filter(seq__lt=before) if before else rows
        read = list(reversed(earlier.order_by("-seq")[: size + 1]))
        first = read[1].seq if len(read) > size else 0
    called = tools_called(read)
    found = [message for message in read if message.seq >= first][:size]
    if not found:
        return TranscriptWindow([], at=at)
    first, last = found[0].seq, found[-1].seq
    return TranscriptWindow(
        [show(message, called=called) for message in found],
        before=first if first > 1 else 0,
        after=last if last < conversation.last_seq else 0,
        at=at,
    )


def _number(text: str | None) -> int:
    return min(int(text), LARGEST) if text and text.isascii() and text.isdigit() and len(text) < 20 else 0
