"""What a page shows of a briefing beside its words: lines that disagree, lines that readers called wrong, and what became of the note."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from continuity.auth import Principal
from continuity.core.bounds.ratings import LONGEST
from continuity.models import Scope
from handoffs.briefing import Briefing, BriefingLine, read_briefing
from handoffs.contract import package_json
from handoffs.contract.model import Style
from handoffs.directive.lines.note import LABEL
from handoffs.fidelity.agreement import Disagreement
from handoffs.models import Handoff, HandoffRating, RatingKind
from handoffs.services.packages import handoffs
from handoffs.services.ratings import reading

TOLD = {
    "supported": ("ok", "Told"),
    "uncontradicted": ("warn", "Told as unconfirmed"),
}
UNTOLD = ("", "Not told: other lines say it, or there was no room")
LEFT_OUT = ("bad", "Left out")


@dataclass(frozen=True, slots=True)
class ShownBriefing:
    """A briefing in a style, with the `disagreements` of the check by line number."""

    briefing: Briefing
    style: str
    disagreements: Mapping[int, Disagreement]


def shown_briefing(handoff: Handoff, text: str, style: str) -> ShownBriefing:
    """The check numbers the lines of the style that the package was prepared in; in another one nothing is marked by it."""
    report = package_json.report_from_contract(handoff.fidelity)
    marked = {each.line: each for each in report.disagreements} if style == handoff.style else {}
    return ShownBriefing(read_briefing(text, Style(style)), style, marked)


def wrong_lines(ratings: Sequence[HandoffRating]) -> Mapping[str, Sequence[HandoffRating]]:
    """The ratings that call a line wrong, by its key."""
    wrong: dict[str, list[HandoffRating]] = defaultdict(list)
    for rating in ratings:
        if rating.kind == RatingKind.WRONG_LINE:
            wrong[rating.key].append(rating)
    return wrong


@dataclass(frozen=True, slots=True)
class NoteOutcome:
    """What became of one statement of the note; `line` is the number of the line that tells it (0: none)."""

    level: str
    words: str
    line: int = 0


def note_outcomes(handoff: Handoff, briefing: Briefing | None = None) -> dict[str, NoteOutcome]:
    """What became of each statement of the note that the package was made with, by its key."""
    record = handoff.rest.get("note")
    if not record:
        return {}
    briefing = briefing or read_briefing(handoffs.directive_text(handoff), Style(handoff.style))
    items = [item for section in handoff.rest.get("sections", []) for item in section["items"]]
    told = {item["key"]: item.get("reference", "") for item in items if item.get("label") == LABEL}
    numbers = _numbers(briefing.lines)
    return {each["key"]: _outcome(each["key"], each["verdict"], told, numbers) for each in record["statements"]}


def _outcome(key: str, verdict: str, told: Mapping[str, str], numbers: Mapping[str, int]) -> NoteOutcome:
    if verdict not in TOLD:
        return NoteOutcome(*LEFT_OUT)
    return NoteOutcome(*TOLD[verdict], numbers.get(told[key], 0)) if key in told else NoteOutcome(*UNTOLD)


def _numbers(lines: Sequence[BriefingLine]) -> dict[str, int]:
    """The first line of each reference."""
    numbers: dict[str, int] = {}
    for line in lines:
        for source in line.sources:
            numbers.setdefault(source.reference, line.number)
    return numbers


def note_summary(handoff: Handoff, briefing: Briefing) -> dict[str, Any] | None:
    """How many statements of the note were told, how many not, and those that did not hold with the reason; None without a note."""
    record = handoff.rest.get("note")
    if not record or not record["statements"]:
        return None
    outcomes = note_outcomes(handoff, briefing)
    counts = Counter(outcome.words for outcome in outcomes.values())
    statements = [{**each, "outcome": outcomes[each["key"]]} for each in record["statements"]]
    return {
        "total": len(statements),
        "told": counts[TOLD["supported"][1]],
        "unconfirmed": counts[TOLD["uncontradicted"][1]],
        "untold": counts[UNTOLD[1]],
        "left_out": [each for each in statements if each["outcome"].words == LEFT_OUT[1]],
    }


def shown_ratings(principal: Principal, handoff: Handoff) -> dict[str, Any]:
    """The ratings of a handoff with what is one's own, and whether one may rate it. One query."""
    found = reading.ratings_of(handoff)
    user = principal.user
    removable = Scope.ADMIN in principal.scopes
    mine = {row.id for row in found if user is not None and row.made_by_id == user.id and row.made_with_id is None}
    useful = next((row.useful for row in found if row.id in mine and row.useful is not None), None)
    return {
        "ratings": found,
        "rating_counts": reading.counts(found),
        "mine": {row.id for row in found} if removable else mine,
        "my_useful": useful,
        "may_rate": Scope.HANDOFF in principal.scopes and handoff.resumed_at is not None,
        "rating_longest": LONGEST,
    }
