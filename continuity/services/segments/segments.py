"""The earlier course of a conversation at four levels: made in the background, kept for a while, made again when asked for."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from continuity.core import clock
from continuity.core.errors import Invalid, existing
from continuity.core.isolation import MessageSkipped
from continuity.core.transactions import atomic
from continuity.models import CompressedSegment, Conversation, Message, Segment, Team, Tier
from continuity.segments import Level, Levelled, Marker, summarise
from continuity.segments.expansion import within
from continuity.segments.levels import summarise_all
from continuity.services.accounts import gates
from continuity.services.jobs import deferrals
from continuity.services.knowledge import skipped_messages
from continuity.services.recording.row_sql import upsert
from continuity.services.segments.segment_sources import materials
from continuity.usage import tokens

logger = logging.getLogger("continuity.segments")

KIND = "segment"  # of work that is put off where it fails
# How long a level is kept (CONT-04); making it again needs only its messages.
LIFE = {
    Tier.CORE: timedelta(days=7),
    Tier.WRITER_PRO: timedelta(days=7),
    Tier.TEAMS: timedelta(days=30),
    Tier.ENTERPRISE: timedelta(days=30),
}
GATES = {
    Level.DETAILED: "Agents.Compression.Levels",
    Level.BRIEF: "Agents.Compression.Levels",
    Level.TAGS: "Agents.Compression.Tags",
}
FRESH = timedelta(seconds=5)


@dataclass(frozen=True, slots=True)
class SummarisedSegment:
    """Messages `first_seq` to `last_seq` of a segment; `told` where a level was asked for."""

    segment: Segment
    first_seq: int
    last_seq: int
    told: Levelled | None

    @property
    def id(self) -> UUID:
        return self.segment.id

    @property
    def began(self) -> datetime | None:
        """The time of its first message, where that was asked for (`dated`)."""
        return getattr(self.segment, "began", None)

    @property
    def topic(self) -> str:
        return self.segment.topic

    @property
    def tokens(self) -> int:
        return self.segment.tokens

    @property
    def closed(self) -> bool:
        return self.segment.closed

    @property
    def level(self) -> Level | None:
        return self.told.level if self.told else None

    @property
    def content(self) -> str | None:
        return self.told.content if self.told else None

    @property
    def content_tokens(self) -> int | None:
        return self.told.tokens if self.told else None

    @property
    def markers(self) -> Sequence[Marker]:
        return self.told.markers if self.told else ()


def dated(rows: QuerySet[Segment]) -> QuerySet[Segment]:
    """The same ones with the time of their first message."""
    first = Message.objects.filter(conversation=OuterRef("conversation"), seq=OuterRef("first_seq"))
    return rows.annotate(began=Subquery(first.values_list(Coalesce("at", "created_at"))[:1]))


def get(*, team: Team, conversation_id: UUID, segment_id: UUID) -> Segment:
    """The team's segment. Raises NotFound."""
    rows = dated(Segment.objects.filter(team=team, conversation_id=conversation_id, id=segment_id))
    return existing(rows.select_related("conversation", "team").first(), "segment")


def summarise_pending(*, conversation_id: UUID | None = None, now: datetime | None = None, limit: int = 500) -> int:
    """Makes the levels of closed segments that have none, the latest first; returns of how many. With `now`, those that were
    closed a moment ago are left to the task that was sent for them.

    Each is a transaction of its own that holds the segment's row, so that two workers share the work, a rewind waits, and
    what a kill leaves undone is still marked so.
    """
    untold = Segment.objects.filter(closed=True, told_at=None)
    untold = untold.filter(conversation_id=conversation_id) if conversation_id else untold
    untold = untold.filter(clock.settled("created_at", now=now, age=FRESH)) if now else untold
    left = deferrals.without_waiting(untold, KIND, now or timezone.now())
    ids = list(left.order_by("-first_seq" if conversation_id else "created_at").values_list("id", flat=True)[:limit])
    return deferrals.each(kind=KIND, ids=ids, work=_summarise_one, of=Segment, claim=conversation_id is None)


@atomic
def _summarise_one(segment_id: UUID) -> bool:
    rows = Segment.objects.select_for_update(of=("self",), skip_locked=True).select_related("conversation", "team")
    segment = rows.filter(id=segment_id, told_at=None).first()
    if segment is None:
        return False
    levels = [level for level, gate in GATES.items() if gates.is_open(segment.team, gate)]
    now = timezone.now()
    skipped: list[MessageSkipped] = []
    _keep([(segment, each) for each in _at_levels([segment], levels, skipped)[0]] if levels else [], now)
    skipped_messages.note(conversation=segment.conversation, skipped=skipped)
    segment.told_at = now
    segment.save(update_fields=["told_at"])
    return True


def _keep(forms: Iterable[tuple[Segment, Levelled]], now: datetime) -> None:
    rows = [
        CompressedSegment(
            team_id=segment.team_id,
            segment=segment,
            level=each.level,
            content=each.content,
            markers=[marker.as_json() for marker in each.markers],
            tokens=each.tokens,
            expires_at=now + LIFE[Tier(segment.team.tier)],
        )
        for segment, each in forms
    ]
    upsert(rows, unique=("segment", "level"), update=("content", "markers", "tokens", "expires_at"))


def at_level(segment: Segment, level: Level) -> Levelled:
    """A segment at a level: as it is kept, or made again from its messages where it expired. One query, or six where it is made again.

    The original and an open segment are always made, and never kept. Raises GateClosed, NotFound where a rewind took it meanwhile.
    """
    return existing(_forms(segment.team, [segment], level).get(segment.id), "segment")


def levels_of(*, conversation: Conversation, rows: Sequence[Segment], level: Level | None) -> list[SummarisedSegment]:
    """Segments of one conversation at a level, without those that a rewind took meanwhile. One query for what is kept; six more, however
    many they are, where some expired and are made again. Raises GateClosed."""
    for row in rows:
        row.conversation, row.team = conversation, conversation.team
    forms = {} if level is None else _forms(conversation.team, rows, level)
    return [SummarisedSegment(row, row.first_seq, row.last_seq, forms.get(row.id)) for row in rows if level is None or row.id in forms]


def _forms(team: Team, rows: Sequence[Segment], level: Level) -> dict[UUID, Levelled]:
    if level in GATES:
        gates.require(team, GATES[level])
    closed = [row for row in rows if row.closed and level is not Level.FULL]
    kept = CompressedSegment.objects.filter(segment__in=closed, level=level) if closed else []
    found = {each.segment_id: _levelled(each) for each in kept}
    expired = [row for row in closed if row.id not in found]
    found |= _made_again(expired, level) if expired else {}
    return found | _made([row for row in rows if level is Level.FULL or not row.closed], level)


def _levelled(kept: CompressedSegment) -> Levelled:
    return Levelled(Level(kept.level), kept.content, tuple(Marker.from_json(raw) for raw in kept.markers), kept.tokens)


@atomic
def _made_again(segments: Sequence[Segment], level: Level) -> dict[UUID, Levelled]:
    """Makes and keeps a level of those of the segments that a rewind did not take away meanwhile."""
    rows = Segment.objects.select_for_update().filter(id__in=[each.id for each in segments])
    there = set(rows.order_by("id").values_list("id", flat=True))
    still = [segment for segment in segments if segment.id in there]
    made = _made(still, level)
    _keep([(segment, made[segment.id]) for segment in still], timezone.now())
    return made


def _made(segments: Sequence[Segment], level: Level) -> dict[UUID, Levelled]:
    """A level of segments of one conversation, from their messages. Two queries."""
    return {each.id: told[0] for each, told in zip(segments, _at_levels(segments, [level]), strict=True)}


def expand(
    *,
    team: Team,
    conversation_id: UUID,
    segment_id: UUID,
    level: int = Level.BRIEF,
    first_seq: int | None = None,
    last_seq: int | None = None,
) -> SummarisedSegment:
    """A segment, or the messages of one of its markers, at `level`: what a text one level above expands to.

    Reads the messages of that segment only. Raises NotFound; GateClosed; Invalid on an unknown level or messages outside
    the segment.
    """
    if level not in list(Level):
        raise Invalid(f"level must be one of {', '.join(str(int(each)) for each in Level)}.", field="level")
    segment = get(team=team, conversation_id=conversation_id, segment_id=segment_id)
    first = segment.first_seq if first_seq is None else first_seq
    last = segment.last_seq if last_seq is None else last_seq
    if not segment.first_seq <= first <= last <= segment.last_seq:
        raise Invalid(f"first_seq and last_seq must lie within {segment.first_seq} to {segment.last_seq}.", field="first_seq")
    if (first, last) == (segment.first_seq, segment.last_seq):
        return SummarisedSegment(segment, first, last, at_level(segment, Level(level)))
    if level in GATES:
        gates.require(segment.team, GATES[Level(level)])
    counter = tokens.counter_for(segment.conversation.model)
    return SummarisedSegment(segment, first, last, summarise(within(materials([segment])[0], first, last, counter), Level(level), counter))


def _at_levels(segments: Sequence[Segment], levels: Sequence[Level], skipped: list[MessageSkipped] | None = None) -> list[list[Levelled]]:
    """Segments of one conversation at several levels. Two queries. `skipped` gets the messages that they had to leave out."""
    if not segments:
        return []
    counter = tokens.counter_for(segments[0].conversation.model)
    return [summarise_all(material, levels, counter, skipped) for material in materials(segments)]
