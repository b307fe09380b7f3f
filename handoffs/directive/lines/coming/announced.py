"""What the agent set out to do last: in its thought, where nothing came after that, and the list that its words only point to."""

from __future__ import annotations

import re
from dataclasses import replace

from continuity.knowledge.language.reply_structure import announces, begins_act
from continuity.knowledge.model import Knowledge, Quote
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.outline import is_item
from continuity.knowledge.requests.whole_sentences import sentences_of
from handoffs.directive.lines.wording import clip_said, one_line

POINT, POINTS = 200, 10  # characters of a point, and points
LEAST = 2
_POINTS_TO = re.compile(
    r"\b(?:these|those|them|the|all|both)\b(?: \w+){0,2}"
    r" (?:issues|findings|points|problems|comments|suggestions|items|steps|concerns|gaps|bugs)\b"
    r"|\b(?:fix|address|do|handle|apply|implement|tackle|resolve) (?:all )?(?:these|those|them|both|all)\b"
    r"(?: (?:now|all|one by one))?[.:!]*$",
    re.I,
)


def thought_step(knowledge: Knowledge) -> Quote | None:
    """The announcement that the last thought ends with, where only calls without a result came after it: it is later than what was said."""
    now, turn = knowledge.situation, knowledge.turns[-1] if knowledge.turns else None
    if turn is None or turn.thought is None or now.waiting is not False:
        return None
    thought, calls = turn.thought, len(now.unanswered) + len(now.looking)
    said = now.next_step.ref.seq if now.next_step is not None else 0
    if thought.ref.seq <= said or knowledge.through_seq - thought.ref.seq > calls:
        return None
    sentences = sentences_of(thought.text.rstrip().rsplit("\n", 1)[-1])
    last = sentences[-1].strip() if sentences else ""
    return replace(thought, text=last) if not is_item(last) and (announces(last) or begins_act(last)) else None


def points_meant(step: Quote, knowledge: Knowledge) -> tuple[Quote, list[str]] | None:
    """The list that a step points to, "Let me fix these issues": the last one that the agent thought, was told or said before it."""
    rows = in_work(knowledge.requests)
    if _POINTS_TO.search(step.text) is None or not rows:
        return None
    thought = knowledge.turns[-1].thought if knowledge.turns else None
    told = [thought, *knowledge.situation.reports, *(quote for row in rows for quote in (*row.told, row.outcome))]
    known = [quote for quote in told if quote is not None and rows[0].seq < quote.ref.seq <= step.ref.seq]
    for quote in sorted(known, key=lambda each: -each.ref.seq):
        lines = [line.strip() for line in quote.text.split("\n")]
        points = [clip_said(one_line(line), POINT) for line in lines if is_item(line)]
        if len(points) >= LEAST:
            return quote, points[:POINTS]
    return None
