"""Real compactions as an exam: what the session went on to use is what a handoff at that line should have told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from diagnostics.evaluation.names import names_in
from diagnostics.evaluation.records import Record, RecordKind, read_records

CALLS = 40
FEWEST_NEEDED = 10
# The summary follows its boundary at once.
SUMMARY_WITHIN = 3


@dataclass(frozen=True, slots=True)
class Boundary:
    """A compaction before line `line`: `before` is all that was said, `summary` what the tool itself kept of it.

    `needed` are the names from before that the continuation used within its first 40 tool calls; `carried` are those of
    them that it used before a tool result showed them again, so it had them from its context.
    """

    session: Path
    line: int
    before: str
    summary: str
    needed: frozenset[str]
    carried: frozenset[str]

    @property
    def tells(self) -> bool:
        """Whether the boundary can be scored: a summary to compare with, and enough names to ask for."""
        return bool(self.summary) and len(self.needed) >= FEWEST_NEEDED


def find_boundaries(session: Path) -> list[Boundary]:
    """The compactions of a session in their order. Raises TranscriptError or EvaluationError where it cannot be read."""
    records = list(read_records(session))
    marks = [number for number, record in enumerate(records) if record.kind is RecordKind.BOUNDARY]
    return [_boundary(session, records, mark, end) for mark, end in pairwise([*marks, len(records)])]


def _boundary(session: Path, records: Sequence[Record], mark: int, end: int) -> Boundary:
    said = (record.text for record in records[:mark] if record.kind not in (RecordKind.BOUNDARY, RecordKind.SUMMARY))
    before = "\n".join(said)
    summaries = (record.text for record in records[mark : mark + SUMMARY_WITHIN] if record.kind is RecordKind.SUMMARY)
    needed, carried = _used(records[mark + 1 : end], names_in(before))
    return Boundary(session, records[mark].line, before, next(summaries, ""), needed, carried)


def _used(continuation: Iterable[Record], known: set[str]) -> tuple[frozenset[str], frozenset[str]]:
    needed: set[str] = set()
    carried: set[str] = set()
    shown: set[str] = set()
    calls = 0
    for record in continuation:
        if record.kind is RecordKind.SUMMARY:
            continue
        if record.kind is RecordKind.RESULT:
            shown |= names_in(record.text)
            continue
        calls += record.kind is RecordKind.CALL
        if calls > CALLS:
            break
        used = names_in(record.text) & known
        needed |= used
        carried |= used - shown
    return frozenset(needed), frozenset(carried)
