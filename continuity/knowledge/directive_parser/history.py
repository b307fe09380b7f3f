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
    closing = [entry for entry in entries if entry.kind is SectionKind.LAST]
    now = _in_order([e for e in entries if e.kind in (SectionKind.GOAL, SectionKind.NEXT) and (e.label in _BEGINS or e.label in _COMES)])
    # At first the goal was what the whole work is about, and the history went on to the last words.
    first = now and before and not closing and any(entry.kind is SectionKind.GOAL and entry.label == "goal" for entry in now)
    told = [*now, *before] if first else [*before, *now, *closing]
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


def _in_order(entries: list[Entry]) -> list[Entry]:
    """The lines of the request in work as things were said: what it goes on from, the request (whole where it is told whole), what the
    agent answered and the user said then. What the user said last is told first, beside the request."""
    before: list[Entry] = []
    rest: list[Entry] = []
    for earlier, entry in zip((None, *entries), entries, strict=False):
        goes_on = entry.label == "offered" and earlier is not None and earlier.label == "goal before"
        (before if entry.label == "goal before" or goes_on else rest).append(entry)
    whole = [entry for entry in rest if entry.label == "whole"] or [entry for entry in rest if entry.label == "goal"]
    said = [entry for entry in rest if entry.label not in ("whole", "goal")]
    if len(said) > 1 and said[0].label != "offered" and any(entry.label == "offered" for entry in said):
        said = [*said[1:], said[0]]
    return [*before, *whole[:1], *said]


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
