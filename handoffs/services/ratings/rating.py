"""Rating a received handoff: useful or not, lines that are wrong, and what is missing."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from continuity.core.bounds.ratings import MOST_MISSING, MOST_WRONG_LINES
from continuity.core.errors import Conflict, Invalid, existing
from continuity.core.transactions import atomic
from continuity.models import Team
from continuity.services.events import events
from handoffs.briefing import Briefing, read_briefing
from handoffs.contract.model import Style
from handoffs.models import Handoff, HandoffRating, RatingKind, Resumption
from handoffs.services.packages import handoffs
from handoffs.services.packages.authors import Author
from handoffs.services.ratings.rating_rows import WrongLine, missing_row, named_lines, wrong_line_row

# Of one author on one handoff.
MOST = {RatingKind.USEFUL: 1, RatingKind.WRONG_LINE: MOST_WRONG_LINES, RatingKind.MISSING: MOST_MISSING}
_WORDS = {RatingKind.WRONG_LINE: "wrong lines", RatingKind.MISSING: "missing things"}


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of one reader at once; `useful` is None where that is not said."""

    useful: bool | None = None
    wrong_lines: Sequence[WrongLine] = ()
    missing: Sequence[str] = ()


@atomic
def rate(
    *, team: Team, handoff_id: UUID, author: Author, ratings: Ratings, style: str = "", conversation_id: UUID | None = None
) -> list[HandoffRating]:
    """Stores ratings of a handoff that somebody resumed; what the same author said of the same thing before is replaced.

    Lines are named as in the directive in `style`, else in the one that it was prepared in, and kept with their number in that one (0: it
    has no such line). `conversation_id` is the session that reads it. Raises NotFound, HandoffGone, Invalid naming the field, Conflict
    where nobody resumed it, and beyond MOST.
    """
    handoff = _received(team, handoff_id)
    if ratings.useful is None and not ratings.wrong_lines and not ratings.missing:
        raise Invalid("Say whether it was useful, name a wrong line, or tell what is missing.", field="useful")
    rows = [HandoffRating(kind=RatingKind.USEFUL, useful=ratings.useful)] if ratings.useful is not None else []
    if ratings.wrong_lines:
        shown = _briefing(handoff, style or handoff.style)
        own = shown if style in ("", handoff.style) else _briefing(handoff, handoff.style)
        numbers = {line.key: line.number for line in reversed(own.lines)}
        rows += [wrong_line_row(find, place, numbers) for place, find in named_lines(shown, ratings.wrong_lines)]
    rows += [missing_row(text, place) for place, text in enumerate(ratings.missing)]
    by = {"made_by": author.user, "made_with": author.key}
    mine = HandoffRating.objects.filter(handoff=handoff, **by)
    resumption = _resumption(handoff, author, conversation_id)
    last = {(row.kind, row.key): row for row in rows}  # the same thing twice is once
    replaced = _replace(mine, last.values())
    for row in last.values():
        row.team_id, row.handoff, row.version, row.resumption = handoff.team_id, handoff, handoff.version, resumption
        row.made_by, row.made_with = author.user, author.key
    HandoffRating.objects.bulk_create(last.values())
    _check_room(mine)
    _publish(handoff, last.values(), replaced)
    return list(last.values())


@atomic
def take_back(*, team: Team, handoff_id: UUID, rating_id: UUID, author: Author, anyones: bool = False) -> None:
    """Deletes a rating of one's own, or `anyones` where the caller may. Raises NotFound, also for another's."""
    handoff = handoffs.get(team=team, handoff_id=handoff_id)
    rows = HandoffRating.objects.filter(handoff=handoff, id=rating_id)
    found = existing((rows if anyones else rows.filter(made_by=author.user, made_with=author.key)).first(), "rating of yours")
    found.delete()
    events.publish(name="rating.taken_back", team=team, subject_id=handoff.id, payload={"kind": found.kind})


def _received(team: Team, handoff_id: UUID) -> Handoff:
    """The handoff, its row held, so that two ratings of one author are counted one after the other."""
    handoff = handoffs.get(team=team, handoff_id=handoff_id)
    Handoff.objects.select_for_update(no_key=True).filter(id=handoff.id).values_list("id").first()
    if handoff.resumed_at is None:
        raise Conflict("Nobody resumed this handoff yet: once somebody did, anybody of the team can rate it.")
    return handoff


def _briefing(handoff: Handoff, style: str) -> Briefing:
    """Raises Invalid on an unknown style."""
    return read_briefing(handoffs.directive_text(handoff, style=style), Style(style))


def _resumption(handoff: Handoff, author: Author, conversation_id: UUID | None) -> Resumption | None:
    """The one that the author reads from: the one named, their own, or the only one. Raises NotFound."""
    resumptions = list(Resumption.objects.filter(handoff=handoff).order_by("-created_at")[:200])
    if conversation_id is not None:
        return existing(next((each for each in resumptions if each.conversation_id == conversation_id), None), "resumption of this handoff")
    own = [each for each in resumptions if author.user is not None and each.resumed_by_id == author.user.id]
    return own[0] if own else resumptions[0] if len(resumptions) == 1 else None


def _replace(mine: QuerySet[HandoffRating], rows: Iterable[HandoffRating]) -> set[tuple[str, str]]:
    """Deletes what was said of the same things before, and tells of which."""
    said = {(row.kind, row.key) for row in rows}
    before = [row for row in mine if (row.kind, row.key) in said]
    mine.filter(id__in=[row.id for row in before]).delete()
    return {(row.kind, row.key) for row in before}


def _check_room(mine: QuerySet[HandoffRating]) -> None:
    """Raises Conflict where the author says more of one handoff than is kept."""
    counts = Counter(mine.values_list("kind", flat=True))
    for kind, most in MOST.items():
        if counts[kind] > most:
            raise Conflict(f"At most {most} {_WORDS[kind]} of one handoff are kept of one reader; take one back first.")


def _publish(handoff: Handoff, rows: Iterable[HandoffRating], replaced: set[tuple[str, str]]) -> None:
    """Only what was not said before counts."""
    new = Counter(word(row) for row in rows if (row.kind, row.key) not in replaced)
    payload = {"ratings": dict(sorted(new.items())), "replaced": len(replaced), "version": handoff.version}
    events.publish(name="handoff.rated", team=handoff.team, subject_id=handoff.id, payload=payload)


def word(rating: HandoffRating) -> str:
    """The rating's name in figures."""
    return "not_useful" if rating.kind == RatingKind.USEFUL and not rating.useful else rating.kind
