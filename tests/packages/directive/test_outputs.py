"""The forms of a directive: each whole, the hook's within its limit whatever the package holds."""

from __future__ import annotations

import pytest

from handoffs.contract.model import SectionKind, Style
from handoffs.directive.outputs import HOOK_CHARS, hook_text, json_document, system_text
from tests.packages.samples import crowded, prepared

HANDOFF = "8a4b"


def test_it_works() -> None:
    made = prepared()
    assert hook_text(made.package, Style.STRUCTURED, HANDOFF) == made.text
    assert system_text(made.text, HANDOFF).endswith(made.text)
    assert json_document(made.package)["summary"] == made.package.compacted_summary


@pytest.mark.parametrize("style", list(Style))
@pytest.mark.parametrize("limit", [1500, 4000, HOOK_CHARS])
def test_the_hooks_directive_keeps_within_its_limit(style: Style, limit: int) -> None:
    made = prepared(crowded(600, critical=80), budget=20_000, style=style)
    text = hook_text(made.package, style, HANDOFF, limit)
    assert len(text) <= limit
    assert text.startswith("--- SESSION CONTINUATION ---\n") and text.endswith("--- END CONTINUATION ---\n")
    assert "Next I switch the trigger" in text and f"/handoffs/{HANDOFF}/expand" in text and f"--handoff {HANDOFF}" in text


@pytest.mark.parametrize("style", list(Style))
@pytest.mark.parametrize("limit", [6_500, HOOK_CHARS])
def test_what_is_so_now_comes_whole_however_much_else_binds(style: Style, limit: int) -> None:
    made = prepared(crowded(600, critical=200), budget=20_000, style=style)
    text = hook_text(made.package, style, HANDOFF, limit)
    whole = [item for section in made.package.sections if section.kind is SectionKind.NEXT for item in section.items]
    assert whole and all(item.text in text for item in whole)


def test_critical_lines_come_before_others_and_are_named_where_they_do_not_fit() -> None:
    made = prepared(crowded(600, critical=200), budget=20_000)
    text = hook_text(made.package, Style.STRUCTURED, HANDOFF, 4000)
    assert "Read these first: a" in text
    shown = [item for section in made.package.sections for item in section.items if f"{item.text} [" in text]
    assert len([item for item in shown if item.critical]) > 10


@pytest.mark.parametrize("count", [0, 1, 5])
def test_the_document_has_as_many_reminders_as_asked_for(count: int) -> None:
    made = prepared(crowded(60), budget=4000)
    assert len(json_document(made.package, count)["contextReminders"]) == count
