"""Where the words of a package's lines stand, and which lines are not new since an earlier handoff, though that one did not tell them."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from uuid import UUID

from continuity import queries
from continuity.knowledge.methods import ACCEPTED
from continuity.models import Anchor, Task
from handoffs.contract.model import PackageItem
from handoffs.models import Handoff

Place = tuple[UUID, int]  # a conversation, and the number of a message in it


def places_of(conversation: UUID, keys: Collection[str]) -> dict[str, Place]:
    """By key, the message in which a task was first named, and the one that a line came from which came along from an earlier conversation.
    Two queries, three where tasks came along."""
    anchors = Anchor.objects.filter(conversation=conversation, key__in=keys, origin_conversation__isnull=False, source_seq__gt=0)
    found = {key: (place, seq) for key, place, seq in anchors.values_list("key", "origin_conversation", "source_seq")}
    tasks = list(Task.objects.filter(conversation=conversation, key__in=keys).values_list("key", "origin_conversation", "first_seq"))
    found |= {key: (conversation, seq) for key, _, seq in tasks if seq}
    came = {key: origin for key, origin, seq in tasks if origin and not seq}
    if came:
        named = Task.objects.filter(conversation__in=set(came.values()), key__in=came, first_seq__gt=0)
        rows = named.values_list("key", "conversation", "first_seq")
        found |= {key: (place, seq) for key, place, seq in rows if came[key] == place}
    return found


def known_before(handoff: Handoff, previous: Handoff, items: Collection[PackageItem], places: Mapping[str, Place]) -> frozenset[str]:
    """The keys of those `items` of `handoff` that were said and agreed to before `previous` was made; what was done since with older tasks
    is told as done. Two queries; three where proposals are among them that somebody agreed to. What nobody can date counts as new."""
    since = _Since(handoff, previous, places)
    rows = {item.key for item in items}
    anchors = list(Anchor.objects.filter(conversation=handoff.conversation_id, key__in=rows).select_related("origin_conversation"))
    old = [anchor for anchor in anchors if since.is_old(anchor)]
    queries.agree([anchor for anchor in old if anchor.method == ACCEPTED])
    found = {anchor.key: anchor in old and not since.is_later(anchor) for anchor in anchors}
    tasks = Task.objects.filter(conversation=handoff.conversation_id, key__in=rows).select_related("origin_conversation")
    found |= {task.key: since.is_old(task) for task in tasks}
    return frozenset(_old(items, found, since))


def _old(items: Collection[PackageItem], found: dict[str, bool], since: "_Since") -> Iterator[str]:
    for item in items:
        if found[item.key] if item.key in found else since.is_old_line(item.seq):
            yield item.key


class _Since:
    """What came since `previous`, seen from the conversation of `handoff`."""

    def __init__(self, handoff: Handoff, previous: Handoff, places: Mapping[str, Place]) -> None:
        self.places = places
        self.here, self.there = handoff.conversation_id, previous.conversation_id
        self.through, self.at = previous.through_seq, previous.created_at
        self.continues = handoff.conversation.resumed_from_id == self.there

    def is_old_line(self, seq: int) -> bool:
        """By the message of a line that is no anchor and no task; below 0 it came along from the conversation before."""
        return self.continues if seq < 0 else seq > 0 and self.said_before(None, None, seq)

    def is_old(self, row: Anchor | Task) -> bool:
        """By the message in which it was said last, or a task first; nobody said what a person added, or changed by hand since."""
        if isinstance(row, Anchor) and (row.is_added or (row.edited_at and row.edited_at > self.at)):
            return row.is_added and row.created_at < self.at
        origin = row.origin_conversation
        if isinstance(row, Task):
            if origin and row.key not in self.places:
                return origin.created_at < self.at
            _, seq = self.places.get(row.key, (self.here, row.first_seq))
            return self.said_before(origin.id if origin else None, origin.created_at if origin else None, seq)
        return self.said_before(origin.id if origin else None, origin.created_at if origin else None, row.source_seq)

    def is_later(self, anchor: Anchor) -> bool:
        """Whether somebody agreed to it, or settled it, since."""
        origin = anchor.origin_conversation
        place, begun = (origin.id, origin.created_at) if origin else (None, None)
        return any(seq and not self.said_before(place, begun, seq) for seq in (anchor.agreed_seq, anchor.settled_seq))

    def said_before(self, origin: UUID | None, begun: datetime | None, seq: int) -> bool:
        """Whether a message was there: `origin` is the conversation that it came from, None where that is the handoff's own."""
        place = origin or self.here
        if place == self.there:
            return 0 < seq <= self.through
        return begun is not None and begun < self.at
