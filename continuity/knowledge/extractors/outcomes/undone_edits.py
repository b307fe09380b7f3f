"""What the edits of a file come to: those that take back all that others did leave nothing changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from continuity.knowledge.evidence import CodeEdit, Keeping
from continuity.knowledge.extractors.outcomes.marked_lines import COMMON, without_keys
from continuity.knowledge.extractors.shell.paths import is_scratch
from continuity.knowledge.state.state import FoldState
from continuity.knowledge.state.step import FoldStep

SIZE = 4000  # characters of what is changed in a file; of more nothing is known
UNKNOWN = "?"
BEHIND = "\t"  # a changed line, before the one above it
ALONE = BEHIND  # the end of one of which nothing above is known
SOMEWHERE = "?"
_OPPOSITE = {"+": "-", "-": "+"}


def added_to(step: FoldStep, edit: CodeEdit, edited: Sequence[str]) -> None:
    """Take an edit, whose marked lines are `edited`, into what is changed in its file since the last commit."""
    if is_scratch(edit.path):
        return
    known = step.state.net.get(edit.path)
    little = sum(len(line) + 1 for line in edited) <= SIZE
    runs = list(_runs(list(without_keys(edited)))) if little else []
    body = UNKNOWN
    if runs and not (edit.created or edit.cut) and (known is None or known.body != UNKNOWN):
        left = known.body.split("\n") if known is not None and known.body else []
        for out, came in runs:
            _put_in(left, out, came)
        body = "\n".join(left)
    step.state.net.put(edit.path, CodeEdit(edit.path, edit.seq, body if len(body) <= SIZE else UNKNOWN))


def _put_in(left: list[str], out: Sequence[str], came: Sequence[str]) -> None:
    """Take the lines of one place, which an edit took out and put in, into those that are left of the edits before it."""
    for sign, lines in (("-", out), ("+", came)):
        for line in lines:
            back = f"{_OPPOSITE[sign]}{line}"
            lost = sign == "-" and not came and line.endswith(ALONE)  # where it is put in again nobody knows
            at = next((n for n, each in enumerate(left) if each == back or (lost and each.startswith(back))), None)
            if at is not None:
                left.pop(at)
            elif not (sign == "-" and _replaced(left, out, came)):
                left.append(f"{sign}{line}{SOMEWHERE if lost else ''}")
            else:
                return


def _replaced(left: list[str], out: Sequence[str], came: Sequence[str]) -> bool:
    """Whether words within a line that were put in the place of others make it what it was; then nothing is left of that line."""
    if len(out) != 1 or len(came) != 1 or not (out[0].endswith(ALONE) and came[0].endswith(ALONE)):
        return False
    words, others = out[0].removesuffix(ALONE), came[0].removesuffix(ALONE)
    lines = [line for line in left if line[:1] == "+" and words in line]
    back = [(line, f"-{line[1:].replace(words, others)}") for line in lines]
    for line, before in back if all(before in left for _, before in back) else []:
        left.remove(line)
        left.remove(before)
    return bool(lines) and not any(line in left for line in lines)


def undone(state: FoldState) -> tuple[str, ...]:
    """The paths of files in which nothing is changed any more, as far as edits tell."""
    kept = {file.path for file in state.changed.values() if file.keeping in (Keeping.UNCOMMITTED, Keeping.UNKNOWN)}
    return tuple(
        each.path
        for each in state.net.values()
        if not each.body and each.path in kept and not state.touches.among((f"deleted:{each.path}",))
    )


def _runs(edited: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    """What an edit took out in each place and put in there, with the unchanged line above: the same words may stand in several places."""
    above = ""
    for is_changed, run in groupby(edited, key=lambda line: line[:1] in ("+", "-")):
        lines = [line.rstrip() for line in run if line[1:].strip()]
        if is_changed:
            out, came = ([f"{line[1:]}{BEHIND}{above}" for line in lines if line[:1] == sign] for sign in "-+")
            is_known = above or not (out and came) or all(len(line.strip()) > COMMON for line in (*out, *came))
            yield (out, came) if is_known else ([f"{line}{SOMEWHERE}" for line in out], [f"{line} {SOMEWHERE}" for line in came])
        else:
            above = next((line[1:].strip() for line in reversed(lines) if line[:1] == " "), "")
