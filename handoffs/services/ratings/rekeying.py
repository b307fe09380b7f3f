"""Keys of ratings after words were redacted: a key is a digest of words, and would still tell whether they were the erased ones."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models import Exists, OuterRef

from continuity.core.redaction import REDACTED
from handoffs.briefing import key_of_words, read_briefing
from handoffs.contract.model import Style
from handoffs.models import Handoff, HandoffRating, RatingKind
from handoffs.services.packages import handoffs


def rekey(*, conversations: Sequence[UUID]) -> None:
    """Gives ratings of these conversations' packages keys of the words as they stand now. Of what became the same thing the last said
    stays. The caller's transaction and locks, after the words were redacted."""
    rated = Exists(HandoffRating.objects.filter(handoff=OuterRef("id")))
    for handoff in Handoff.objects.filter(rated, conversation__in=conversations):
        rows = HandoffRating.objects.filter(handoff=handoff).exclude(kind=RatingKind.USEFUL).order_by("-created_at", "id")
        lines = {line.number: line.key for line in read_briefing(handoffs.directive_text(handoff), Style(handoff.style)).lines}
        anew = [(row, _key(row, lines if row.version == handoff.version else {})) for row in rows]
        last: dict[tuple[object, ...], UUID] = {}
        for row, key in anew:
            last.setdefault((row.made_by_id, row.made_with_id, row.kind, key), row.id)
        kept = set(last.values())
        HandoffRating.objects.filter(id__in=[row.id for row, _ in anew if row.id not in kept]).delete()
        for row, key in anew:
            if row.id in kept and row.key != key:
                HandoffRating.objects.filter(id=row.id).update(key=key)


def _key(row: HandoffRating, lines: Mapping[int, str]) -> str:
    """Of what is missing its words'; of a line that still stands there that line's, else where it holds redacted words its excerpt's."""
    if row.kind == RatingKind.MISSING:
        return key_of_words(row.text)
    return lines.get(row.line) or (key_of_words(row.excerpt) if REDACTED in row.excerpt else row.key)
