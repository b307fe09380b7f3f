"""Which lines of a context tell as current what a label calls over, by the logic that scores a context."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from continuity.knowledge.directive_parser.grammar import SectionKind
from continuity.knowledge.directive_parser.lines import read_lines
from diagnostics.evaluation.coverage import covers
from diagnostics.evaluation.present_state.labels import LabelledItem, PresentState
from diagnostics.evaluation.present_state.scoring import END_CHARS, LINE_CHARS, binds, heading_of, is_marked
from diagnostics.evaluation.units import LINE_CHARS as PIECE_CHARS
from handoffs.fidelity.probes import Timeline
from handoffs.fidelity.probes.sentence_forms import hashed, lines_of

LATEST_CHARS = 80  # by which the person's latest message is known again
# Sections whose lines are names, or say themselves that they are of then.
_NO_CLAIMS = frozenset({SectionKind.FILES, SectionKind.LOOKUP, SectionKind.EARLIER})
_GOALS = frozenset({(SectionKind.GOAL, ""), (SectionKind.GOAL, "goal"), (SectionKind.NEXT, "request")})


@dataclass(frozen=True, slots=True)
class WrongLines:
    """Line numbers, from 1, by what speaks against them: `over` (what the labels call finished, for once, refuted or rejected, told as
    current), `goals` that are neither the labelled request nor the person's latest message, `rules` that are none of the labelled ones
    and not the project's own words. `others` are all other lines that say something."""

    over: frozenset[int]
    goals: frozenset[int]
    rules: frozenset[int]
    others: frozenset[int]


def wrong_lines(labels: PresentState, context: str, course: Timeline) -> WrongLines:
    """What the labels, the person's latest message and the project's own rules in `course` say against the lines of a directive."""
    lines = context.splitlines()
    stating, goals, rules = _read(context)
    over = _told_over(labels, lines) & stating
    request = [item.tokens for item in labels.of("request") if item.tokens]
    standing = [item.tokens for item in labels.of("rules")]
    latest = _squeezed(course.turns[-1].words) if course.turns else ""
    wrong_goals = frozenset(
        number
        for number, words in goals.items()
        if request
        and not any(covers(lines[number - 1].lower(), tokens) for tokens in request)
        and _squeezed(words)[:LATEST_CHARS] not in latest
    )
    wrong_rules = frozenset(
        number
        for number, words in rules.items()
        if not any(covers(lines[number - 1].lower(), tokens) for tokens in standing)
        and not any(hashed(part) in course.rules for part in lines_of(words))
    )
    return WrongLines(over, wrong_goals, wrong_rules, stating - over - wrong_goals - wrong_rules)


def _squeezed(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def _read(context: str) -> tuple[frozenset[int], dict[int, str], dict[int, str]]:
    """The lines that say something, and the words of the goals and the rules among them."""
    stating: set[int] = set()
    goals: dict[int, str] = {}
    rules: dict[int, str] = {}
    for entry in read_lines(context, 0, len(context)):
        number = context.count("\n", 0, entry.start) + 1
        if entry.kind not in _NO_CLAIMS:
            stating.add(number)
        if (entry.kind, entry.label) in _GOALS:
            goals[number] = entry.text
        if entry.kind is SectionKind.RULES:
            rules[number] = entry.text
    return frozenset(stating), goals, rules


def _told_over(labels: PresentState, lines: list[str]) -> frozenset[int]:
    pieces = [(number, piece) for number, line in enumerate(lines, 1) for piece in textwrap.wrap(line.lower(), PIECE_CHARS) or [""]]
    ends = _ends(lines)
    found = {
        number
        for item in labels.of("finished", "refuted", "rejected")
        for number in _unmarked(item, pieces)
        if item.kind != "finished" or number in ends
    }
    return frozenset(found | _bound(labels, lines))


def _unmarked(item: LabelledItem, pieces: list[tuple[int, str]]) -> set[int]:
    """The lines where an item stands with no sign around it that it is over."""
    hits = [at for at, (_, piece) in enumerate(pieces) if covers(piece, item.tokens)]
    return {pieces[at][0] for at in hits if not is_marked(" \n ".join(piece for _, piece in pieces[max(0, at - 1) : at + 2]))}


def _ends(lines: list[str]) -> frozenset[int]:
    """The lines that begin within the ends of a context."""
    whole, at, found = sum(len(line) + 1 for line in lines), 0, set()
    for number, line in enumerate(lines, 1):
        if at < END_CHARS or at >= whole - END_CHARS:
            found.add(number)
        at += len(line) + 1
    return frozenset(found)


def _bound(labels: PresentState, lines: list[str]) -> set[int]:
    """The lines that tell an order for once as binding."""
    found, heading = set(), ""
    for number, raw in enumerate(lines, 1):
        heading = heading_of(raw) or heading
        for line in textwrap.wrap(raw, LINE_CHARS) or [""]:
            if binds(line, heading) and any(covers(line.lower(), item.tokens) for item in labels.of("one_off")):
                found.add(number)
    return found
