"""The sections of a briefing are those of its package, in every style and with as little frame as the budget leaves."""

from itertools import groupby

import pytest

from handoffs.briefing import read_briefing
from handoffs.contract.model import Scaffold, SectionKind, Style
from handoffs.directive.styles import ORDER
from tests.packages.samples import crowded, prepared

each_style = pytest.mark.parametrize("style", Style)


def kinds(text, style=Style.NARRATIVE):
    return [section.kind for section in read_briefing(text, style).sections]


@each_style
@pytest.mark.parametrize("budget", [150, 250, 400, 600, 4000])
def test_it_works(style, budget):
    """What is so now comes first, with how it stands, and every section after it is found again, with or without a heading."""
    made = prepared(budget=budget, style=style)
    told = [kind.value for kind in ORDER if any(section.kind is kind and section.items for section in made.package.sections)]
    assert told[0] == "next"
    assert [kind for kind, _ in groupby(kinds(made.text, style))] == told


@each_style
def test_rules_without_a_heading_are_rules(style):
    made = prepared(crowded(40, critical=10), budget=250, style=style)
    assert made.package.plan.scaffold is Scaffold.BARE
    rules = [item.text for section in made.package.sections if section.kind is SectionKind.RULES for item in section.items]
    read = next(section for section in read_briefing(made.text, style).sections if section.kind == "rules")
    assert rules and len(read.lines) == len(rules)
    for line, rule in zip(read.lines, rules, strict=True):
        assert rule.rstrip(".") in line.text


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        ("The user asked for this:\n  > Fix the login.\n  > Then release it.", "next"),
        ("Open: This is an agent’s own note (n3).\nThe next step is this: “Release it.” (m4)", "next"),
        ("Words that no grammar knows.\nThe next step is this: “Release it.” (m4)", "next"),
        ("Words that no grammar knows.", ""),
    ],
)
def test_a_section_without_a_heading_is_told_by_its_own_lines(first, kind):
    """Not by the words of a note, and with a block by the line above it."""
    rest = "These rules and preferences hold.\nNever push to main. (a3!)"
    assert kinds(f"--- SESSION CONTINUATION ---\n{first}\n\n{rest}\n--- END CONTINUATION ---\n") == [kind, "rules"]


def test_words_open_no_section_where_there_are_headings():
    """A statement of a note stands without its mark in the full frame, and may read like a line of another section."""
    now = "The next step is this: “Release it.” (m4)\nOpen: the release (n2)."
    assert kinds(f"You take over; (a12) is a source.\n\n{now}\n\nThis is known.\nIt is so. (a1)\n") == ["next", "facts"]
