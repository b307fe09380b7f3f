"""The marks beside a briefing's words on its page: lines that disagree, lines that readers called wrong, and what became of the note."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from continuity.auth import Principal
from continuity.core.bounds.ratings import LONGEST
from continuity.knowledge.directive_parser.grammar import ABOUT_FILE, NOTED, SectionKind
from continuity.models import Scope
from handoffs.briefing import Briefing, BriefingLine, BriefingSource, key_of_words, read_briefing
from handoffs.contract import package_json
from handoffs.contract.model import Style
from handoffs.directive.lines.note import LABEL
from handoffs.fidelity.agreement import Disagreement
from handoffs.models import Handoff, HandoffRating, RatingKind
from handoffs.services.ratings import rating_queries

TOLD, UNCONFIRMED, LEFT_OUT = "Included", "Included as unconfirmed", "Left out"
UNTOLD = "Not included: other lines say it, or there was no room"
_TOLD_AS = {"supported": TOLD, "uncontradicted": UNCONFIRMED}


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
    return ShownBriefing(_with_sources(read_briefing(text, Style(style)), handoff), style, marked)


def _with_sources(briefing: Briefing, handoff: Handoff) -> Briefing:
    """The briefing whose lines name their statement of the note, or what of the record they are from, where the text leaves it out."""
    if not _noted_items(handoff):
        return briefing
    known = [item for section in handoff.rest.get("sections", []) for item in section["items"] if item.get("reference")]
    sources = {
        (item.get("label") == LABEL, key_of_words(item["text"].removeprefix(NOTED))): BriefingSource(
            item["reference"], claimed=item.get("claimed", False)
        )
        for item in reversed(known)
    }
    files = {item["text"].partition(ABOUT_FILE)[0]: item["reference"] for item in known if item["reference"].startswith("f")}
    sections = [
        replace(section, lines=[_sourced(line, sources, files if section.kind == SectionKind.FILES else {}) for line in section.lines])
        for section in briefing.sections
    ]
    return replace(briefing, sections=sections)


def _sourced(line: BriefingLine, sources: Mapping[tuple[bool, str], BriefingSource], files: Mapping[str, str]) -> BriefingLine:
    if line.sources or line.paths:
        return line
    paths, about, told = line.words.partition(ABOUT_FILE)
    if files and all(path in files for path in paths.split(", ")):
        return replace(line, paths=tuple((path, files[path]) for path in paths.split(", ")), words=told if about else "")
    source = sources.get((line.noted, line.key))
    return replace(line, sources=(source,)) if source else line


def _noted_items(handoff: Handoff) -> list[dict[str, Any]]:
    """The statements of the note that the package tells."""
    return [item for section in handoff.rest.get("sections", []) for item in section["items"] if item.get("label") == LABEL]


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

    words: str
    line: int = 0


def note_outcomes(handoff: Handoff, briefing: Briefing) -> dict[str, NoteOutcome]:
    """What became of each statement of the note that the package was made with, by its key."""
    record = handoff.rest.get("note")
    if not record:
        return {}
    told = {item["key"]: item for item in _noted_items(handoff)}
    numbers = _numbers(briefing.lines)
    return {each["key"]: _outcome(each["key"], each["verdict"], told, numbers) for each in record["statements"]}


def _outcome(key: str, verdict: str, told: Mapping[str, Mapping[str, Any]], numbers: Mapping[str, int]) -> NoteOutcome:
    if verdict not in _TOLD_AS:
        return NoteOutcome(LEFT_OUT)
    if key not in told:
        return NoteOutcome(UNTOLD)
    words = key_of_words(told[key]["text"].removeprefix(NOTED))
    return NoteOutcome(_TOLD_AS[verdict], numbers.get(words) or numbers.get(told[key].get("reference", ""), 0))


def _numbers(lines: Sequence[BriefingLine]) -> dict[str, int]:
    """The first line of each reference, and of the words of each statement of a note."""
    numbers: dict[str, int] = {}
    for line in lines:
        for name in (*(source.reference for source in line.sources), *((line.key,) if line.noted else ())):
            numbers.setdefault(name, line.number)
    return numbers


def note_summary(handoff: Handoff, outcomes: Mapping[str, NoteOutcome]) -> dict[str, Any] | None:
    """How many statements of the note were told, how many not, and those that did not hold with the reason; None without a note."""
    if not outcomes:
        return None
    counts = Counter(outcome.words for outcome in outcomes.values())
    return {
        "total": len(outcomes),
        "told": counts[TOLD],
        "unconfirmed": counts[UNCONFIRMED],
        "untold": counts[UNTOLD],
        "left_out": [each for each in handoff.rest["note"]["statements"] if outcomes[each["key"]].words == LEFT_OUT],
    }


def shown_ratings(principal: Principal, handoff: Handoff) -> dict[str, Any]:
    """The ratings of a handoff, one's own first, with those that one may remove, and whether one may rate it. One query, two where
    there are very many."""
    user = principal.user
    found = rating_queries.ratings_of(handoff, first=user)
    mine = [row for row in found if user is not None and row.made_by_id == user.id and row.made_with_id is None]
    return {
        "ratings": found,
        "rating_counts": rating_queries.counts_of(handoff, found),
        "removable": {row.id for row in (found if Scope.ADMIN in principal.scopes else mine)},
        "my_useful": next((row.useful for row in mine if row.useful is not None), None),
        "may_rate": Scope.HANDOFF in principal.scopes and handoff.resumed_at is not None,
        "rating_longest": LONGEST,
    }
