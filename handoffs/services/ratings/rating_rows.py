"""One reader's words as rows of ratings: lines are found, words are cleaned and masked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from continuity.core.bounds.ratings import LONGEST
from continuity.core.errors import Invalid
from continuity.secrets import mask_text
from continuity.transcripts.base.sanitise import clean_text
from handoffs.briefing import Briefing, BriefingLine, find_line, key_of_words
from handoffs.models import HandoffRating, RatingKind


@dataclass(frozen=True, slots=True)
class WrongLine:
    """`line` is the line's number in the directive, its key, its reference (`a12`) or words of it; `comment` says what is wrong."""

    line: str
    comment: str = ""


def named_lines(briefing: Briefing, named: Sequence[WrongLine]) -> Iterable[tuple[int, tuple[BriefingLine, str]]]:
    for place, each in enumerate(named):
        field = f"wrong_lines.{place}.line"
        if not 0 < len(each.line.strip()) <= LONGEST:
            raise Invalid(f"line must have 1 to {LONGEST} characters.", field=field)
        try:
            yield place, (find_line(briefing, each.line), each.comment)
        except ValueError as error:
            raise Invalid(f"{error}.".capitalize(), field=field) from error


def wrong_line_row(found: tuple[BriefingLine, str], place: int, numbers: Mapping[str, int]) -> HandoffRating:
    """`numbers` are those of the lines in the package's own style, by key."""
    line, comment = found
    text, number = _clean(comment, f"wrong_lines.{place}.comment"), numbers.get(line.key, 0)
    found_in = {"key": line.key, "line": number, "reference": line.reference, "excerpt": mask_text(line.excerpt)}
    return HandoffRating(kind=RatingKind.WRONG_LINE, text=text, **found_in)


def missing_row(text: str, place: int) -> HandoffRating:
    words = _clean(text, f"missing.{place}")
    if not words:
        raise Invalid("Tell in words what is missing.", field=f"missing.{place}")
    return HandoffRating(kind=RatingKind.MISSING, key=key_of_words(words), text=words)


def _clean(text: str, field: str) -> str:
    words = clean_text(text).strip()
    if len(words) > LONGEST:
        raise Invalid(f"At most {LONGEST} characters.", field=field)
    return mask_text(words)
