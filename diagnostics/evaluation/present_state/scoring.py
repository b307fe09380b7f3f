"""A context against the labels of a present state: yes or no for every item, as shares. No model, no judgement."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from enum import StrEnum

from diagnostics.evaluation.coverage import covered
from diagnostics.evaluation.present_state.labels import PresentState
from diagnostics.evaluation.shares import Share
from diagnostics.evaluation.units import Units

# What a reader takes in first: so many characters at the beginning, and at the end.
END_CHARS = 1800
LINE_CHARS = 400
MOST_HITS = 40
_OVER = re.compile(
    r"\[x\]|\bdone\b|complete[ds]?\b|finished|✓|✔|resolved|fixed|answered|committed|pushed|merged|closed|landed|passed|\bwas\b|\bwere\b"
    r"|\bnot\b|n't\b|no longer|supersede|replaced|instead|rejected|refuted|wrong|~~|dropped|abandon|turned out|earlier|previously"
    r"|before\b|→",
    re.I,
)
_RULES = re.compile(r"rule|constraint|preference|binds?\b|binding|must\b|always|never", re.I)
_BINDS = re.compile(r"!\??\]|!\)")
_HEADING = re.compile(r"^\s*(?:#{1,6} |\*\*[^*]{2,60}\*\*:?\s*$|\d+\. [A-Z][^.]{2,60}:\s*$)")


class PresentFigure(StrEnum):
    """What is measured; of the last three less is better."""

    AT_HAND = "at_hand"
    STATE = "state"
    REMAINING = "remaining"
    RULES = "rules"
    LESSONS = "lessons"
    COURSE = "course"
    FINISHED = "finished"
    ONE_OFF = "one_off"
    REFUTED = "refuted"


Scores = dict[PresentFigure, Share]


def present_score(labels: PresentState, context: str) -> Scores:
    """How much of the present state the context tells, and how much that is over it tells as current."""
    whole, ends = Units.of(context), Units.of(_ends(context))
    at_hand = [item for item in labels.of("request", "next", "broken") if item.tokens]
    anywhere = {figure: labels.of(figure.value) for figure in (*STATED, PresentFigure.COURSE)}
    return {
        PresentFigure.AT_HAND: Share.of(covered(item.tokens, ends.windows) for item in at_hand),
        **{figure: Share.of(covered(item.tokens, whole.windows) for item in items) for figure, items in anywhere.items()},
        PresentFigure.FINISHED: Share.of(_is_unmarked(item.tokens, ends) for item in labels.of("finished")),
        PresentFigure.ONE_OFF: Share.of(_binds(item.tokens, context) for item in labels.of("one_off")),
        PresentFigure.REFUTED: Share.of(_is_unmarked(item.tokens, whole) for item in labels.of("refuted", "rejected")),
    }


STATED = (PresentFigure.STATE, PresentFigure.REMAINING, PresentFigure.RULES, PresentFigure.LESSONS)


def pooled_present(scores: Sequence[Scores]) -> Scores:
    return {figure: sum((each[figure] for each in scores), Share()) for figure in PresentFigure}


def _ends(context: str) -> str:
    return context if len(context) <= 2 * END_CHARS else context[:END_CHARS] + "\n" * 6 + context[-END_CHARS:]


def _is_unmarked(tokens: Sequence[str], units: Units) -> bool:
    """Whether the item stands somewhere with no sign, in the three lines around, that it is over."""
    hits = [number for number, line in enumerate(units.lines) if covered(tokens, [line])]
    hits = hits or [number for number, window in enumerate(units.windows) if covered(tokens, [window])]
    return any(not is_marked(units.around(number)) for number in hits[:MOST_HITS])


def is_marked(text: str) -> bool:
    """Whether a text has a sign that what it tells is over."""
    return _OVER.search(text) is not None


def heading_of(line: str) -> str:
    """The line, where it is a heading."""
    return line if _HEADING.match(line) else ""


def binds(line: str, heading: str) -> bool:
    """Whether a line is marked as binding, or stands under a heading of rules."""
    return bool(_BINDS.search(line) or _RULES.search(heading))


def _binds(tokens: Sequence[str], context: str) -> bool:
    """Whether the item stands on a line that is marked as binding, or under a heading of rules."""
    heading = ""
    for raw in context.splitlines():
        heading = heading_of(raw) or heading
        for line in textwrap.wrap(raw, LINE_CHARS) or [""]:
            if covered(tokens, [line.lower()]) and binds(line, heading):
                return True
    return False
