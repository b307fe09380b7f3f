"""Each field of what a package carries is written and read again, or is named here as one that stays inside."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from enum import Enum
from itertools import count
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest

from continuity.knowledge import model
from continuity.knowledge.evidence import Plan
from continuity.knowledge.handoff_note import CheckedNote
from handoffs.contract import decision_records, note_records, plan_records, records
from handoffs.contract.fields import Fields
from handoffs.contract.model import BudgetPlan, FidelityReport, Options, PackageSection
from handoffs.fidelity.record import report_from_contract, report_to_contract

# They help to write the directive, and are no part of the public document.
INTERNAL = {"looking", "unwritten", "misused", "searched", "reports", "unsaid", "sketches", "sketch", "hunks", "excerpts", "cut", "sent"}
INTERNAL |= {"called", "to_try", "undone"}
RECORDS: list[tuple[Any, Callable[[Any], Any], Callable[[Fields], Any]]] = [
    (model.Anchor, records.anchor_record, records.read_anchor),
    (model.Task, records.task_record, records.read_task),
    (model.FileTouch, records.file_record, records.read_file),
    (model.Situation, records.situation_record, records.read_situation),
    (Plan, decision_records.plan_record, decision_records.read_plan),
    (PackageSection, plan_records.section_record, plan_records.read_section),
    (BudgetPlan, plan_records.plan_record, plan_records.read_plan),
    (Options, plan_records.options_record, plan_records.read_options),
    (CheckedNote, note_records.note_record, note_records.read_note),
    (FidelityReport, report_to_contract, lambda fields: report_from_contract(fields._raw)),
]


def filled(kind: Any, numbers: count[int], name: str = "") -> Any:
    """A value of a type in which every field differs from its default and from every other one."""
    parts = [each for each in get_args(kind) if each not in (NoneType, Ellipsis)]
    if get_origin(kind) in (UnionType, Union):
        return filled(parts[0], numbers, name)
    if get_origin(kind) is tuple:
        return (filled(parts[0], numbers, name),)
    if get_origin(kind) is not None:  # a mapping
        return {f"key{next(numbers)}": filled(parts[1], numbers)}
    if isinstance(kind, type) and issubclass(kind, Enum):
        return list(kind)[-1]
    if dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"):
        hints = get_type_hints(kind)
        names = kind._fields if hasattr(kind, "_fields") else [field.name for field in dataclasses.fields(kind) if field.init]
        return kind(**{each: filled(hints[each], numbers, each) for each in names if each not in INTERNAL})
    if kind is bool:
        return True
    if name == "part" and kind is str:
        return "history"
    return {int: next(numbers), float: next(numbers) / 1024, str: f"text {next(numbers)}"}[kind]


def test_it_works() -> None:
    anchor = filled(model.Anchor, count(1))
    assert (anchor.critical, anchor.state, anchor.text != anchor.subject) == (True, list(model.AnchorState)[-1], True)


@pytest.mark.parametrize(("kind", "write", "read"), RECORDS, ids=[kind.__name__ for kind, *_ in RECORDS])
def test_what_is_written_is_read_again(kind: Any, write: Callable[[Any], Any], read: Callable[[Fields], Any]) -> None:
    value = filled(kind, count(2))
    if kind is Options:
        value = dataclasses.replace(value, include_immediate_actions=False, include_context_reminders=False)
    assert read(Fields(write(value))) == value
