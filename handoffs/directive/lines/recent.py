"""The recent turns as lines, so that the last words of both sides stay as they were said."""

from __future__ import annotations

import re

from continuity.knowledge.language.requests import is_question, is_request
from continuity.knowledge.model import Knowledge, Quote
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LineLimits
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.wording import clip, one_line
from handoffs.directive.references import References

# What mattered in earlier answers stands in anchors; so much shorter are they than the last one.
EARLIER_ANSWERS = 3
# What the agent told before its last words is worth at most, in a turn that lasts.
SAID = 0.7
# What the agent thought last is worth, in a turn that lasts: where the work was about to go.
THOUGHT = 0.65
# What an earlier question that was answered is worth beside other words of the person.
ASKED, SHORT_QUESTION = 0.75, 160
EARLIER = " earlier"
# A pasted log tells little for its length: texts from so many characters on with so large a share of marks are told so much shorter.
PASTED, MARKS_SHARE, PASTED_SHARE = 300, 0.16, 5
_NOD = re.compile(r"(?:ok(?:ay)?|k|thanks?|thank you|thx|cool|nice|great|got it|i see|alright|hm+)[\s.!,]*", re.I)
_MARKS = re.compile(r"[{}\[\]\"':,=<>|/\\]|\d{2}")


def recent_candidates(knowledge: Knowledge, limits: LineLimits) -> list[Candidate]:
    """Two candidates per turn at most; later turns weigh more, and the user's words more than the answer. Where the work stands is
    in what the agent said last, so that is essential. Of a long request whose parts are told, or were told while it was the goal,
    there is only the beginning."""
    turns = knowledge.turns if limits.earlier else knowledge.turns[-1:]
    count = len(turns)
    briefs = {part.ref.seq for part in knowledge.brief}
    found: list[Candidate] = []
    for position, turn in enumerate(turns, start=1):
        later = position / count
        answer = limits.turn if position == count else limits.turn // EARLIER_ANSWERS
        when = "" if position == count else EARLIER
        asked = limits.turn // EARLIER_ANSWERS if turn.seq in briefs else limits.turn
        weight = (0.6 + 0.3 * later) * (ASKED if when and _only_asks(turn.request) else 1.0)
        found += _side(f"user{when}", None if _only_nods(turn.request) else turn.request, weight, asked)
        told = [said for said in turn.said if turn.answer is None or said.ref.seq != turn.answer.ref.seq] if limits.earlier else []
        for number, said in enumerate(told, start=1):
            found += _side(f"agent{EARLIER}", said, SAID * number / len(told), limits.turn // EARLIER_ANSWERS)
        found += _side("thought", turn.thought if limits.earlier and not when else None, THOUGHT, limits.turn)
        found += _side(f"agent{when}", turn.answer, 0.45 + 0.4 * later, answer, last=limits.earlier and not when)
    return found


def _side(label: str, quote: Quote | None, importance: float, limit: int, *, last: bool = False) -> list[Candidate]:
    if quote is None or not quote.text.strip():
        return []
    text = clip(one_line(quote.text), limit // PASTED_SHARE if _is_pasted(quote.text) else limit)
    item = PackageItem(
        References.message(quote.ref.seq), f"{label.removesuffix(EARLIER)}@{quote.ref.seq}", text, quote.ref.seq, 0, importance, label=label
    )
    return [Candidate(SectionKind.RECENT, item, essential=last)]


def _only_asks(quote: Quote | None) -> bool:
    """Whether a person only wanted to know something, which was answered since."""
    return quote is not None and len(quote.text) <= SHORT_QUESTION and is_question(quote.text) and not is_request(quote.text)


def _only_nods(quote: Quote | None) -> bool:
    """Whether a person only shows that they read the answer."""
    return quote is not None and _NOD.fullmatch(quote.text.strip()) is not None


def _is_pasted(text: str) -> bool:
    """Whether a text is mostly data: a log, JSON, terminal output."""
    return len(text) > PASTED and len(_MARKS.findall(text)) > len(text) * MARKS_SHARE
