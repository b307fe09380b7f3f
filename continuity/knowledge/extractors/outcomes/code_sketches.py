"""Sketches of changed code: what was newly defined in a file, with the words about it, and the lines that took the place of others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from continuity.knowledge.evidence import CodeEdit
from continuity.knowledge.extractors.outcomes.document_sketches import document_sketch
from continuity.knowledge.extractors.outcomes.marked_lines import COMMON, pieces, put_in, without_keys
from continuity.knowledge.extractors.outcomes.sketch_units import (
    SHORTER,
    TAKEN_OUT,
    Unit,
    fits,
    names_of,
    shorter,
    signature,
    units_of,
    words_of,
)
from continuity.knowledge.extractors.shell.paths import is_document, is_scratch, is_test
from continuity.knowledge.extractors.tools.symbols import defined
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.state.step import FoldStep

READ, TESTS = 600, 2000  # lines of one edit, and those among which its tests are looked for
SIZE = 1600  # characters of a file's sketch
LINE = 160
TITLE = 100
BETWEEN = "\n\n"  # units

_CASE = re.compile(r"^\s*(?:it|test|describe)(?:\.\w+)?\(\s*(?P<q>['\"`])(?P<title>.{3,300}?)(?P=q)")


def sketch(path: str, lines: Sequence[str]) -> str:
    """What the marked lines of an edit change in a file, in few units; empty for scratch files."""
    if is_scratch(path):
        return ""
    if is_document(path):
        return document_sketch(list(without_keys(lines[:READ]))).replace("\n", BETWEEN)
    short = [line[:LINE].rstrip() for line in without_keys(lines[:READ])]
    cases = [[name] for name in _cases([line[:LINE] for line in lines[:TESTS]])] if is_test(path) else []
    return _joined(within(cases or units_of(short)))


def units(body: str) -> list[Unit]:
    """The units of a sketch."""
    return [unit.split("\n") for unit in body.split(BETWEEN) if unit]


def added_to(step: FoldStep, edit: CodeEdit, edited: Sequence[str]) -> None:
    """Take an edit, whose marked lines are `edited`, into the sketch of its file for the request in work: what it takes out of what
    earlier ones brought in is gone, and so are the lines of earlier requests' sketches that it takes out."""
    rows = in_work(step.state.requests)
    key = f"{rows[0].seq if rows else 0}:{edit.path}"
    out, came = ({line[1:].strip() for line in edited if line[:1] == sign} for sign in "-+")
    of_code = not is_document(edit.path)
    gone = {line for line in out - came if len(line) > COMMON * of_code and any(map(str.isalnum, line))}
    for other, known in step.state.sketches.items():
        if known.path == edit.path and other != key:
            _keep(step, other, known, [left for unit in units(known.body) if (left := _without(unit, gone))])
    before = step.state.sketches.get(key)
    found = units(edit.sketch)
    if before is not None and not edit.created:
        found = within(_together(units(before.body), found, edited[: READ * of_code], gone))
    if before is not None or found:
        _keep(step, key, CodeEdit(edit.path, edit.seq, ""), found)


def _keep(step: FoldStep, key: str, known: CodeEdit, found: Sequence[Unit]) -> None:
    """Keep what a sketch tells now, or nothing if that tells nothing new."""
    body = _joined(found)
    if not any(line[:1] != " " for unit in found for line in unit):
        step.state.sketches.pop(key)
    elif body != known.body:
        put = step.state.sketches.put if not known.body else step.state.sketches.replace
        put(key, replace(known, body=body))


def _without(unit: Unit, gone: Set[str]) -> Unit:
    """A unit some of whose lines are gone is told no more, since what is left would look like all of it; of a definition its head is."""
    if not any(line[:1] == "+" and words_of(line) in gone for line in unit):
        return unit
    head = signature(unit) if names_of(unit) else []
    return [] if any(words_of(line) in gone for line in head) else head


def _together(before: Sequence[Unit], new: Sequence[Unit], edited: Sequence[str], gone: Set[str]) -> list[Unit]:
    """The units of a sketch and those of a later edit: what changes within a unit is changed there, what is defined anew is told once."""
    brought = {words_of(line) for unit in before for line in unit if line[:1] == "+"} | {name for unit in before for name in names_of(unit)}
    told = list(before)
    changes = list(pieces(edited))
    for piece in changes:
        put = [put_in(unit, piece) for unit in told]
        # What would fit into more functions than it was made in may belong to another one.
        told = put if sum(one is not other for one, other in zip(put, told, strict=True)) <= changes.count(piece) else told
    told = [signature(unit) if names_of(unit) and not fits(unit) else unit for unit in told]
    anew = {names_of(unit) for unit in new} - {()}
    told = [left for unit in told if (left := unit if names_of(unit) in anew else _without(unit, gone))]
    for fresh in new:
        unit = [line for line in fresh if not (line[:1] == "-" and words_of(line) in brought)]
        came = {line for line in unit if line[:1] == "+"}
        if not unit or (came and any(came <= {*each} for each in told)) or unit[0].removeprefix(TAKEN_OUT) in brought:
            continue
        names = names_of(unit)
        same = next((n for n, each in enumerate(told) if names and names_of(each) == names), len(told))
        told[same : same + 1] = [unit]
    stand = {name for unit in told for name in names_of(unit)}
    return [unit for unit in told if unit[0].removeprefix(TAKEN_OUT) not in stand]


def _cases(lines: Sequence[str]) -> Iterator[str]:
    """The tests that are new."""
    for line in lines:
        if line[:1] == "+":
            case = _CASE.match(line[1:])
            names = [case["title"]] if case else [name for name in defined(line[1:]) if name.lower().startswith("test")]
            yield from (f"+{name[:TITLE]}" for name in names)


def _joined(found: Sequence[Unit]) -> str:
    return BETWEEN.join("\n".join(line for line in unit if line) for unit in found if unit)


def within(found: Sequence[Unit], size: int = SIZE) -> list[Unit]:
    """At most so many characters: bodies of functions go first, then whole units, those that tell least first; of changed lines
    the fewest, of other equal ones the oldest."""
    kept = list(found)
    over = sum(map(_size, kept)) - size
    for step in range(SHORTER):
        for place, unit in sorted(enumerate(kept), key=lambda each: 0 if names_of(each[1]) else len(each[1])):
            if over > 0:
                kept[place] = shorter(unit, step) if unit else unit
                over -= _size(unit) - _size(kept[place])
    return [unit for unit in kept if unit]


def _size(unit: Unit) -> int:
    return sum(len(line) + 1 for line in unit) + bool(unit)
