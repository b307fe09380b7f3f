"""Edits of the same lines one after the other, as what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from continuity.knowledge.evidence import CodeEdit

SMALL, CUT = 12, "…"  # lines of an edit that is known as a whole, and the line that stands for those left out


def net_edits(edits: Sequence[CodeEdit]) -> list[CodeEdit]:
    """The edits in their order, where one that changes what an earlier one of its file brought in takes its place, with what both changed;
    none is left of what was taken back."""
    found: list[CodeEdit] = []
    for edit in edits:
        place = next((n for n in reversed(range(len(found))) if found[n].path == edit.path), None)
        if place is None or not _goes_on(found[place], edit):
            found.append(edit)
            continue
        before = found.pop(place)
        body = _together(before, edit)
        if _lines(body, "-") != _lines(body, "+"):
            found.append(replace(edit, body=body, created=before.created))
    return found


def _goes_on(before: CodeEdit, edit: CodeEdit) -> bool:
    """Whether all that an edit takes out, and it takes out something, is what the one before brought in; all is known of small ones
    only."""
    out = _lines(edit.body, "-")
    whole = all(each.body.count("\n") < SMALL and CUT not in each.body.split("\n") for each in (before, edit))
    return whole and bool(out) and set(out) <= set(_lines(before.body, "+"))


def _together(before: CodeEdit, edit: CodeEdit) -> str:
    out = set(_lines(edit.body, "-"))
    kept = [line for line in before.body.split("\n") if not (line[:1] == "+" and line[1:].strip() in out)]
    return "\n".join((*kept, *(line for line in edit.body.split("\n") if line[:1] == "+")))


def _lines(body: str, sign: str) -> list[str]:
    return [line[1:].strip() for line in body.split("\n") if line[:1] == sign and line[1:].strip()]
