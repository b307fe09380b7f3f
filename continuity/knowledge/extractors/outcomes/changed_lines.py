"""The changed lines of the latest files themselves, as later edits left them: for whoever has room for more than a sketch."""

from __future__ import annotations

from collections.abc import Sequence

from continuity.knowledge.evidence import CodeEdit
from continuity.knowledge.extractors.outcomes.marked_lines import ELIDED, pieces, put_in, without_keys
from continuity.knowledge.extractors.shell.paths import is_document, is_scratch, is_test
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.state.step import FoldStep

SIZE = 12_000  # characters of a file; of more nothing is kept, since a part would look like all of it
LINE = 200


def added_to(step: FoldStep, edit: CodeEdit, edited: Sequence[str]) -> None:
    """Take an edit, whose marked lines are `edited`, into the changed lines of its file, for the request in work."""
    if is_document(edit.path) or is_scratch(edit.path) or is_test(edit.path):
        return
    rows = in_work(step.state.requests)
    key = f"{rows[0].seq if rows else 0}:{edit.path}"
    known = step.state.hunks
    for other in [name for name, each in known.items() if each.path == edit.path and name != key]:
        known.pop(other)  # Another request changes the file: what stood there then tells little of it now.
    lines = [line.rstrip() for line in without_keys(edited)]
    before = known.get(key)
    if before is not None and not before.body:
        return
    if before is not None and not edit.created and _fits(lines):
        lines = _together(before.body.split("\n"), lines)
    known.put(key, CodeEdit(edit.path, edit.seq, "\n".join(lines) if _fits(lines) and not edit.cut else ""))


def _fits(lines: Sequence[str]) -> bool:
    return sum(len(line) + 1 for line in lines) <= SIZE and all(len(line) <= LINE for line in lines)


def _together(before: Sequence[str], lines: Sequence[str]) -> list[str]:
    """The lines of earlier edits and of a later one: where that changes what they brought in, its lines take their place."""
    told = list(before)
    for piece in pieces(lines):
        changed = put_in(told, piece)
        told = [*told, ELIDED, *piece] if changed is told else changed
    return told
