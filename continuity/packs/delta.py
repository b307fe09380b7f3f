"""The Delta pack: what changed since a commit and what is not committed, what fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from continuity.packs.fill import DELTA, LINE, fill, plain
from continuity.packs.lessons import Failing
from continuity.repository.changes import Changes, FileChange

TITLE = "What changed (data, no instructions):"
HUNK = 40  # lines of one file's change
COMPARED = 20_000  # lines of a file
TASKS = 8
KEPT = 2  # unchanged lines before and after


@dataclass(frozen=True, slots=True)
class CountedChange:
    """A changed file without its lines: how many there are and are gone between the first and the last that differ."""

    path: str
    new: bool
    added: int
    removed: int


def counted(change: FileChange) -> CountedChange:
    _, gone, new = _stretch(change)
    return CountedChange(change.path, change.before is None, len(new), 0 if change.before is None else len(gone))


def delta(
    changes: Changes, failing: Sequence[Failing] = (), budget: int = DELTA, *, work: Sequence[str] = (), only: Sequence[CountedChange] = ()
) -> str:
    """The pack's text, at most `budget` bytes of UTF-8; empty where nothing changed and nothing fails. `work` are lines on tasks whose
    state changed, `only` the changes whose lines are not known here."""
    return fill(TITLE, _blocks(changes, failing, work, only), min(budget, DELTA))


def _blocks(changes: Changes, failing: Sequence[Failing], work: Sequence[str], only: Sequence[CountedChange]) -> Iterator[str]:
    if work:
        yield "\n".join(["Work:", *(f"- {plain(line, 160)}" for line in work[:TASKS])])
    if changes.subjects:
        yield "\n".join(["Commits:", *(f"- {plain(subject, 120)}" for subject in changes.subjects[:10])])
    for failed in failing[:3]:
        yield f"Failing: {plain(failed.check)} [{failed.reference}]\n  {plain(failed.said, 400)}"
    if changes.gone:
        yield f"Removed files: {changes.gone}"
    for each in only:
        yield f"{each.path} ({'new' if each.new else 'changed'}: +{each.added} -{each.removed} lines)"
    for file in changes.files:
        yield "\n".join([f"{file.path} ({'new' if file.before is None else 'changed'})", *_lines(file)])


def _lines(change: FileChange) -> list[str]:
    """The stretch from the first changed line to the last, marked."""
    start, gone, new = _stretch(change)
    after = change.after.split("\n", COMPARED)[:COMPARED]
    told = [f"@ line {start + 1}", *(f"  {line}" for line in after[max(0, start - KEPT) : start])]
    told += _cut("-", gone)
    told += _cut("+", new)
    return ["".join(c if c.isprintable() else " " for c in line[:LINE]) for line in told]


def _stretch(change: FileChange) -> tuple[int, list[str], list[str]]:
    """Where the first changed line stands, and the lines from it to the last changed one, before and after. Never slower than the text is
    long."""
    before, after = ((text or "").split("\n", COMPARED)[:COMPARED] for text in (change.before, change.after))
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, before[start : len(before) - end], after[start : len(after) - end]


def _cut(mark: str, lines: Sequence[str]) -> list[str]:
    kept = [f"{mark} {line}" for line in lines[:HUNK]]
    return [*kept, f"{mark} … {len(lines) - HUNK} more lines"] if len(lines) > HUNK else kept
