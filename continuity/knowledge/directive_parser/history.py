"""Reads the ledger of requests back from a directive: the history, the request in work, and the agent's last words.

Rows are numbered back from the beginning, like those of a predecessor: the last one is 0.
"""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.directive_parser.grammar import SectionKind
from continuity.knowledge.directive_parser.lines import Entry
from continuity.knowledge.model import Quote, Ref, Request, RequestKind, Turn
from continuity.knowledge.requests.ledger import TOLD, bounded

# Lines that begin a row, with its kind; the former ones too.
_BEGINS = {
    "user": RequestKind.REQUEST,
    "user earlier": RequestKind.REQUEST,
    "carried": RequestKind.SUMMARY,
    "goal": RequestKind.REQUEST,
    "goal before": RequestKind.REQUEST,
    "whole": RequestKind.REQUEST,
    "answered": RequestKind.ANSWER,
    "added": RequestKind.REMARK,
}
_COMES = frozenset({"agent", "agent earlier", "made", "stopped", "offered", "last words"})


def rows_of(part: int, entries: list[Entry]) -> tuple[Request, ...]:
    """The rows that the lines tell, oldest first; none where they tell of no request."""
    before = [entry for entry in entries if entry.kind is SectionKind.RECENT]
    now = [entry for entry in entries if entry.kind in (SectionKind.GOAL, SectionKind.LAST)]
    glance = [entry for entry in entries if entry.kind is SectionKind.NEXT and entry.label in _BEGINS]
    # In the former order the goal was what the whole work is about, and the history went on to the last words.
    told = [*before, *_in_order(glance, now)] if glance or any(e.kind is SectionKind.LAST for e in now) or not before else [*now, *before]
    rows: list[Request] = []
    for entry in told:
        quote = Quote(entry.text, Ref(0, part, entry.start, entry.end))
        last = rows[-1] if rows else None
        if entry.label in _BEGINS:
            rows.append(Request(0, _BEGINS[entry.label], quote, 0))
        elif entry.label in _COMES and last is not None:
            told_before: tuple[Quote, ...] = () if last.outcome is None else (last.outcome,)
            stopped = entry.label == "stopped"
            rows[-1] = replace(last, outcome=quote, tells=True, told=(*last.told, *told_before)[-TOLD:], interrupted=stopped)
        elif entry.label in _COMES:
            rows.append(Request(0, RequestKind.GO_ON, Quote("", Ref(0, part)), 0, outcome=quote, tells=True))
        elif entry.label == "told" and last is not None:
            rows[-1] = replace(last, told=(*last.told, quote)[-TOLD:])
    return bounded(tuple(_placed(row, back) for back, row in enumerate(rows, start=1 - len(rows))))


def _in_order(glance: list[Entry], full: list[Entry]) -> list[Entry]:
    """The lines of the request in work as things were said: what it goes on from, the request (whole where it is told whole), what the
    agent answered and the user said then, and the agent's last words."""
    whole = [entry for entry in full if entry.label == "whole"]
    goal = whole or [entry for entry in glance if entry.label == "goal"]
    first = next((n for n, entry in enumerate(full) if entry.label not in ("goal before", "offered")), len(full))
    if not any(entry.label == "goal before" for entry in full[:first]):
        first = 0
    rest = [entry for entry in full[first:] if entry.kind is SectionKind.GOAL and entry.label != "whole"]
    said = [entry for entry in glance if entry.label != "goal"]
    return [*full[:first], *goal, *rest, *said, *(entry for entry in full if entry.kind is SectionKind.LAST)]


def turns_of(rows: tuple[Request, ...], part: int, entries: list[Entry], kept: int) -> tuple[Turn, ...]:
    """The last `kept` exchanges of the rows, the last one with the agent's last thought."""
    thought = next((Quote(entry.text, Ref(0, part, entry.start, entry.end)) for entry in entries if entry.label == "thought"), None)
    turns = [Turn(row.seq, row.text if row.text.text else None, row.outcome, row.told) for row in rows[-kept:]]
    return (*turns[:-1], replace(turns[-1], thought=thought)) if turns else ()


def _placed(row: Request, seq: int) -> Request:
    def at(quote: Quote) -> Quote:
        return Quote(quote.text, replace(quote.ref, seq=seq))

    outcome = at(row.outcome) if row.outcome is not None else None
    return replace(row, seq=seq, last_seq=seq, text=at(row.text), outcome=outcome, told=tuple(map(at, row.told)))
