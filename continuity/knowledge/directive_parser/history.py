"""Reads the ledger of requests back from a directive: the history, the request in work, and the agent's last words.

Rows are numbered back from the beginning, like those of a predecessor: the last one is 0.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from continuity.knowledge.directive_parser.grammar import CLIP, MET, SectionKind
from continuity.knowledge.directive_parser.lines import Entry
from continuity.knowledge.model import Quote, Ref, Request, RequestKind, RequestStep, Turn
from continuity.knowledge.requests.ledger import TOLD, bounded
from continuity.knowledge.requests.overtaken import SETTLED
from continuity.knowledge.requests.steps import STEPS

# Lines that begin a row, with its kind; the former ones too.
_BEGINS = {
    "user": RequestKind.REQUEST,
    "user earlier": RequestKind.REQUEST,
    "person said": RequestKind.REMARK,
    "carried": RequestKind.SUMMARY,
    "goal": RequestKind.REQUEST,
    "goal before": RequestKind.REQUEST,
    "whole": RequestKind.REQUEST,
    "answered": RequestKind.ANSWER,
    "further": RequestKind.REMARK,
    "added": RequestKind.REMARK,
}
_AT_FIRST = frozenset({"request", "goal is request", "agreed", "agreed before"})
_EXCHANGED = frozenset({"user", "agent", "user earlier", "agent earlier"})
_SAID_THEN = frozenset({"told", "told before", "agent said"})
STEPPED = "steps"
_MET = frozenset({"solved", "unsolved"})
_OFFERED = frozenset({"offered", "denied"})
_TAKEN = frozenset({"offer", "taken", "offer then", "taken then"})
_COMES = _OFFERED | _TAKEN | {"agent", "agent earlier", "made", "stopped", "last words"}


def rows_of(part: int, entries: list[Entry]) -> tuple[Request, ...]:
    """The rows that the lines tell, oldest first; none where they tell of no request."""
    before = [entry for entry in entries if entry.kind is SectionKind.RECENT]
    within = [entry.text for entry in before if entry.label != "person said" and entry.label in _BEGINS]
    before = [entry for entry in before if entry.label != "person said" or not any(entry.text in text for text in within)]
    closing = [entry for entry in entries if entry.kind is SectionKind.LAST]
    now = _in_order([e for e in entries if e.kind in (SectionKind.GOAL, SectionKind.NEXT) and (e.label in _BEGINS or e.label in _COMES)])
    # At first the goal was what the whole work is about; the latest request stood beside it, and the last exchanges after it.
    beside = any(entry.kind is SectionKind.NEXT and entry.label in _AT_FIRST for entry in entries)
    first = beside and not closing and any(entry.label in _EXCHANGED for entry in before)
    told = [*now, *before] if first else [*_once(now, before), *closing]
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
        elif entry.label in _COMES or (entry.label == "agent said" and last is None):
            rows.append(Request(0, RequestKind.GO_ON, Quote("", Ref(0, part)), 0, outcome=quote, tells=True))
        elif entry.label == "agent said" and last is not None and last.outcome is None:
            rows[-1] = replace(last, outcome=quote, tells=True)
        elif entry.label == STEPPED and last is not None:
            rows[-1] = replace(last, steps=tuple(RequestStep(line, 0) for line in entry.text.splitlines()[-STEPS:]))
        elif entry.label in _SAID_THEN and last is not None:
            rows[-1] = replace(last, told=(*last.told, quote)[-TOLD:])
    if rows and (met := [entry.text for entry in entries if entry.label in _MET and MET.fullmatch(entry.text)]):
        errors = tuple(RequestStep(text, 0) for text in met)
        rows[-1] = replace(rows[-1], steps=(*errors, *rows[-1].steps)[-STEPS:])
    return bounded(tuple(_placed(row, back) for back, row in enumerate(rows, start=1 - len(rows))))


def _once(now: list[Entry], before: list[Entry]) -> list[Entry]:
    """The history and the request in work, without the user's words in the history that the request is told with, there whole or with
    their middle left out; the steps below such words go with those of the request."""
    begun = [(entry, _plain(entry.text)) for entry in now if entry.label in _BEGINS]
    earlier: list[Entry] = []
    below: dict[int, list[Entry]] = {}
    place: int | None = None
    for entry in before:
        if entry.label in _BEGINS:
            head, clip, tail = _plain(entry.text).partition(CLIP)
            same = (told.start for told, words in begun if entry.label == "user" and _states(words, head, clip, tail))
            place = next(same, None)
            if place is not None:
                continue
        (below.setdefault(place, []) if place is not None and entry.label == STEPPED else earlier).append(entry)
    return [*earlier, *(each for entry in now for each in (entry, *below.get(entry.start, ())))]


def _states(words: str, head: str, clip: str, tail: str) -> bool:
    """Whether both are the same words, of which either may have its middle left out."""
    begins, cut, ends = words.partition(CLIP)
    if not clip and not cut:
        return head == words
    least = min(len(head.strip()), len(begins.strip()))
    last = min(len(tail.strip()), len(ends.strip())) if clip and cut else len((tail if clip else ends).strip())
    one, other = (head + clip + tail).strip(), words.strip()
    return one[:least] == other[:least] and one[len(one) - last :] == other[len(other) - last :]


def _plain(text: str) -> str:
    return " ".join(text.replace(SETTLED, "").split())


def _in_order(entries: list[Entry]) -> list[Entry]:
    """The lines of the request in work as things were said: what it goes on from, the request (whole where it is told whole), what the
    agent answered and the user said then. What the user said last is told first, beside the request."""
    offer = [entry for entry in entries if entry.label in _TAKEN][-1:]
    entries = [entry for entry in entries if entry.label not in _TAKEN]
    before: list[Entry] = []
    rest: list[Entry] = []
    for earlier, entry in zip((None, *entries), entries, strict=False):
        goes_on = entry.label in _OFFERED and earlier is not None and earlier.label == "goal before"
        (before if entry.label == "goal before" or goes_on else rest).append(entry)
    whole = [entry for entry in rest if entry.label == "whole"] or [entry for entry in rest if entry.label == "goal"]
    said = [entry for entry in rest if entry.label not in ("whole", "goal")]
    if len(said) > 1 and said[0].label not in _OFFERED and any(entry.label in _OFFERED for entry in said):
        last = max(1, len(list(takewhile(lambda entry: entry.kind is SectionKind.NEXT and entry.label not in _OFFERED, said))))
        said = [*said[last:], *said[:last]]
    if said and said[-1].label == "answered":  # what the agent asked is what this answers
        said = [*said[:-1], *([] if len(said) > 1 and said[-2].label in _OFFERED else offer), said[-1]]
    elif not before or before[-1].label not in _OFFERED:
        before += offer
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
