"""Chooses the messages that the model is asked about next, and the knowledge that it is told."""

from collections.abc import Iterator

from django.conf import settings

from continuity import secrets
from continuity.extraction import METHOD, KnownItems, ModelWindow, WindowExcerpt
from continuity.extraction.excerpts import excerpts_of
from continuity.knowledge.model import AnchorState
from continuity.models import Anchor, Conversation, Message, ModelPass, Task
from continuity.usage.tokens import counter_for

SCANNED = 2000  # messages that one window can span, whether or not there is anything in them to show
KNOWN_ANCHORS = 60
KNOWN_TASKS = 30
KNOWN_CHARS = 300


def watermark(conversation: Conversation) -> int:
    """The last message that the model was asked about; 0 for none. One query."""
    last = ModelPass.objects.filter(conversation=conversation).order_by("-first_seq").values_list("last_seq", flat=True).first()
    return last or 0


def next_window(conversation: Conversation, *, model: str) -> ModelWindow | None:
    """The messages after the watermark, up to `CONTINUITY_MODEL_WINDOW_TOKENS` of shown text; None where there are none.

    Only folded messages: what the rules find is known before the model is asked.
    """
    first = watermark(conversation) + 1
    if first > conversation.folded_seq:
        return None
    counter, room = counter_for(model), settings.CONTINUITY_MODEL_WINDOW_TOKENS
    shown: list[WindowExcerpt] = []
    last = min(conversation.folded_seq, first + SCANNED - 1)
    for seq, excerpts in _readable(conversation, first, last):
        cost = sum(counter.count(excerpt.shown) for excerpt in excerpts)
        if shown and cost > room:
            last = seq - 1
            break
        room -= cost
        shown += excerpts
    return ModelWindow(first, last, tuple(shown), tuple(_anchors(conversation)), tuple(_tasks(conversation)))


def _readable(conversation: Conversation, first: int, last: int) -> Iterator[tuple[int, list[WindowExcerpt]]]:
    rows = Message.objects.filter(conversation=conversation, seq__gte=first, seq__lte=last, abandoned=False).order_by("seq")
    for row in rows.iterator(chunk_size=50):
        yield row.seq, list(excerpts_of(row.seq, row.as_transcript(), row.secrets))


def _anchors(conversation: Conversation) -> Iterator[KnownItems]:
    """The current anchors that weigh most, of them first those that the model proposed: only these it may settle."""
    current = Anchor.objects.filter(conversation=conversation, state=AnchorState.CURRENT)
    current = current.order_by("-critical", "-importance", "-source_seq")
    own = list(current.filter(method=METHOD, pinned=False, edited_at=None)[: KNOWN_ANCHORS // 2])
    others = current.exclude(id__in=[row.id for row in own])[: KNOWN_ANCHORS - len(own)]
    for number, row in enumerate([*own, *others], start=1):
        yield KnownItems(f"a{number}", row.key, _clipped(row.text), row.type, row.source_seq, number <= len(own))


def _tasks(conversation: Conversation) -> Iterator[KnownItems]:
    rows = Task.objects.filter(conversation=conversation).open().order_by("-last_seq", "key")[:KNOWN_TASKS]
    for number, row in enumerate(rows, start=1):
        own = row.method == METHOD and row.edited_at is None
        yield KnownItems(f"t{number}", row.key, _clipped(row.description), row.get_status_display(), row.last_seq, own)


def _clipped(text: str) -> str:
    return secrets.mask_text(text)[:KNOWN_CHARS]
