"""A long report told as the list of its points: what each begins with, in their order, before more of any of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from continuity.knowledge.coverage.greedy import chosen
from continuity.knowledge.coverage.terms import is_name, terms_in
from continuity.knowledge.directive_parser.grammar import CLIP
from continuity.knowledge.requests.gist import gist
from continuity.knowledge.requests.outline import LED_IN, between
from continuity.knowledge.requests.report_points import NUMBER, ReportPoint, are_points, points_of
from continuity.knowledge.requests.whole_sentences import asks, concludes, first_clause

NO_WEIGHTS: Mapping[str, float] = {}
NAMED, PLAIN = 0.3, 0.05  # what a term weighs of which nothing is known: a name, a plain word
CAPS = (100_000, 240, 160, 110, 80)  # characters of what a point begins with, before points are left out
DETAIL = 160  # characters of a line below a point
# What the beginning and the end of a report, and what has a label, are worth beside the rest, and what says what it comes to.
COMES_TO, CONCLUDES = 2.0, 6.0
TRIES, SPARE = 8, 12  # of choosing fewer points, and the characters by which each tells less than the one before
TELLING = 4  # terms of a title that tells something by itself
LABELS = 160  # characters of the names of a list's points that are left out
ONE = 60  # characters of a line that is told, where it alone would be left out
INDENT, MARK = "  ", "- "
MORE, ALSO = "… {} more", "… also: "

_NAME = re.compile(r"(?:\d{1,3}[.)]\s+)?(?:\*\*(?P<bold>[^*]{2,60})\*\*|(?P<plain>[^:(—–]{3,60}?)(?=:\s| [—–-] | \())")
_LEFT_OUT = re.compile(r"… (\d{1,4}) more")


@dataclass(slots=True)
class _Told:
    """What is told of a point: the numbers of its sentences and, behind these, of the lines below it; whether what it begins with is told
    whole."""

    point: ReportPoint
    shown: set[int] = field(default_factory=set)
    whole: bool = False

    def lines(self, cap: int) -> list[str]:
        point = self.point
        if point.rank:
            return [f"{point.said[0]}{between(point.said[0]).rstrip()}"]
        said = [point.said[number] for number in sorted(self.shown) if number < len(point.said)]
        if said and not self.whole:
            said[0] = first_clause(said[0], cap)
        below = [_below(line) for number, line in enumerate(point.below, start=len(point.said)) if number in self.shown]
        return [f"{point.mark}{' '.join(said)}", *below]


def by_points(text: str, room: int, weights: Mapping[str, float] = NO_WEIGHTS, *, asking: bool = True, every: bool = False) -> str:
    """The words as the list of their points within about `room` characters: of each what it begins with, where all of them find room, else
    of those whose terms weigh most by `weights`. Empty where the words have too few points, or none of them finds room, or not `every` one
    where that is asked for.

    Code is left out, and questions where the report is not `asking` any more; nothing is cut within brackets, code or a row of a table."""
    found = [_Told(point) for point in points_of(text, asking=asking)]
    if not are_points([each.point for each in found]):
        return ""
    for told in found:
        at_end = not told.point.mark and told is found[-1] and asks(told.point.said[-1])
        told.shown = {len(told.point.said) - 1 if at_end else 0, *_led_to(told.point)}
    cap = next((cap for cap in CAPS if _length(found, cap) <= room), CAPS[-1])
    fits = _length(found, cap) <= room
    if every and not fits:
        return ""
    kept = found if fits else _weightiest(found, room, cap, weights)
    if not any(not told.point.rank for told in kept):
        return ""
    _tell_more(kept, room - _length(kept, cap), cap, weights)
    return "\n".join(_lines(kept, cap))


def _led_to(point: ReportPoint) -> Sequence[int]:
    """The first line below a point that only leads in to it: "It verifies:" says nothing without."""
    leads_in = len(point.said) == 1 and not point.rank and point.said[0].rstrip(" *_`").endswith(":")
    return [1] if leads_in and point.below else []


def told_in(text: str, room: int) -> str:
    """An answer within about `room` characters: by its points where it has some, else its gist."""
    return text if len(text) <= room else by_points(text, room) or gist(text, room)


def weighed(piece: str, weights: Mapping[str, float], share: float = 1.0) -> dict[str, float]:
    """What the terms of a piece weigh."""
    return {term: share * weight for term in terms_in(piece) if (weight := weights.get(term, NAMED if is_name(term) else PLAIN))}


def left_out_words(lines: Sequence[str], count: int) -> str:
    """What stands for the last `lines` of a list: their names where each begins with one, else how many they are."""
    labels = [(found["bold"] or found["plain"]).strip(" :") for line in lines if (found := _NAME.match(line))]
    named = len(set(labels)) == count and sum(map(len, labels)) <= LABELS and not any(label.count("`") % 2 for label in labels)
    return f"{ALSO}{'; '.join(labels)}" if named else MORE.format(count)


def left_out_line(lines: Sequence[str], count: int) -> str:
    """The line that stands for the last `lines` of a list: the line itself where it is one and takes hardly more room."""
    only = lines[0].strip() if count == len(lines) == 1 else ""
    if only and len(only) <= ONE and not only.endswith((":", CLIP)):
        return only if NUMBER.match(only) or only.startswith(MARK) else f"{MARK}{only}"
    return f"{MARK}{left_out_words(lines, count)}"


def _left_out_before(point: str) -> tuple[list[str], int]:
    """The lines of a list that a point of it stands for, and how many they are: more than one where the list was shortened before."""
    if told := _LEFT_OUT.fullmatch(point):
        return [], int(told[1])
    lines = [f"{name}: " for name in point.removeprefix(ALSO).split("; ")] if point.startswith(ALSO) else [point]
    return lines, len(lines)


def _length(found: Sequence[_Told], cap: int) -> int:
    return sum(len(line) + 1 for told in found for line in told.lines(cap))


def _weightiest(found: Sequence[_Told], room: int, cap: int, weights: Mapping[str, float]) -> list[_Told]:
    """As many of the points as find room, those whose terms weigh most; of a list from which some are left out it says so."""
    first = next((told for told in found if not told.point.rank), found[0])
    pieces = ["\n".join(told.lines(cap)) for told in found]
    worth = [
        {}
        if told.point.mark and told.point.said[0].startswith("… ")
        else weighed(piece, weights, _share(told, first=told is first, last=told is found[-1]))
        for told, piece in zip(found, pieces, strict=True)
    ]
    costs = [len(piece) + 1 for piece in pieces]
    allowed = room
    for _ in range(TRIES):
        kept = _with_titles(found, set(chosen(worth, costs, allowed)))
        over = _length(kept, cap) - room
        if over <= 0:
            return kept
        allowed -= over + SPARE
    return []


def _share(told: _Told, *, first: bool, last: bool) -> float:
    """What a point is worth beside the rest."""
    if not told.point.rank and concludes(told.point.said[0]):
        return CONCLUDES
    return COMES_TO if first or told.point.is_labelled or (last and not told.point.mark) else 1.0


def _with_titles(found: Sequence[_Told], places: set[int]) -> list[_Told]:
    """The points at these places below their titles. A title of which nothing else is told is a point itself, if it was chosen; what is
    left out of a list has a line."""
    kept: list[_Told] = []
    titles: list[tuple[_Told, bool]] = []
    left, count = list[str](), 0

    def close(*, within: bool) -> None:
        nonlocal left, count
        if count and within and kept and kept[-1].point.mark:
            if before := _LEFT_OUT.fullmatch(kept[-1].point.said[0]):  # of another list: one number for both
                kept.pop()
                left, count = [], count + int(before[1])
            line = left_out_line(left, count)
            mark = number[0] if (number := NUMBER.match(line)) else MARK
            kept.append(_Told(ReportPoint(mark, [line.removeprefix(mark)]), {0}, whole=True))
        left, count = [], 0

    for place, told in enumerate(found):
        point = told.point
        if point.rank:
            close(within=True)
            kept += [
                _alone(title) for title, is_chosen in titles if is_chosen and title.point.rank >= point.rank and _says_something(title)
            ]
            titles = [each for each in titles if each[0].point.rank < point.rank]
            titles.append((told, place in places))
        elif place in places:
            if not point.mark:
                if count and titles and titles[-1][0].point.rank >= LED_IN - 1:  # leads in to the list that was left out, and not to this
                    titles.pop()
                close(within=True)
            kept += [title for title, _ in titles]
            titles = []
            kept.append(told)
        elif point.mark:
            lines, more = _left_out_before(f"{point.mark if point.mark != MARK else ''}{point.said[0]}")
            left, count = [*left, *lines], count + more
        else:
            close(within=True)
    close(within=True)
    return [*kept, *(_alone(title) for title, is_chosen in titles if is_chosen and _says_something(title))]


def _says_something(title: _Told) -> bool:
    """Whether a title tells something by itself: it names a thing, or has some words. "Available data" leads in to what is left out."""
    terms = terms_in(title.point.said[0])
    return len(terms) >= TELLING or any(map(is_name, terms))


def _alone(title: _Told) -> _Told:
    """A title as a point of its own."""
    said = title.point.said[0]
    return _Told(ReportPoint("" if NUMBER.match(said) else "- ", [said]), {0}, whole=True)


def _tell_more(kept: Sequence[_Told], room: int, cap: int, weights: Mapping[str, float]) -> None:
    """Tell more of each point, as far as the room goes: the whole of what it begins with, then of all their other sentences and lines those
    that weigh most."""
    growing = [told for told in kept if not told.point.rank]
    for told in growing:
        more = len(told.point.said[0]) - len(first_clause(told.point.said[0], cap))
        told.whole = told.whole or more <= room
        room -= more if told.whole else 0
    places: list[tuple[_Told, int]] = []
    pieces: list[str] = []
    for told in growing:
        said = told.point.said if told.whole else []
        places += [(told, number) for number in range(len(said)) if number not in told.shown]
        pieces += [piece for number, piece in enumerate(said) if number not in told.shown]
        places += [(told, number) for number in range(len(told.point.said), len(told.point.said) + len(told.point.below))]
        pieces += map(_below, told.point.below)
    told_so_far = {term for told in kept for line in told.lines(cap) for term in terms_in(line)}
    for place in chosen([weighed(piece, weights) for piece in pieces], [len(piece) + 1 for piece in pieces], room, told_so_far):
        told, number = places[place]
        told.shown.add(number)


def _below(line: str) -> str:
    return f"{INDENT}{line if line.endswith(CLIP) else first_clause(line, DETAIL)}"


def _lines(kept: Sequence[_Told], cap: int) -> list[str]:
    """The lines of the points; a title stands in one line with the only paragraph or point below it."""
    lines: list[str] = []
    for place, told in enumerate(kept):
        point, before = told.point, kept[place - 1].point if place else None
        after = kept[place + 1].point if place + 1 < len(kept) else None
        alone = before is not None and before.rank and not (point.rank or point.below) and point.mark in ("", "- ")
        own = told.lines(cap)
        if alone and (after is None or after.rank or after.is_labelled):
            lines[-1] = f"{lines[-1]} {own[0].removeprefix(point.mark)}"
        else:
            lines += own
    return lines
