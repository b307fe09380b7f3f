"""A decision that holds a numbered list has a line for each point, and comes back as one decision."""

import pytest

from continuity.knowledge.directive_parser.lines import read_lines
from handoffs.contract.model import PackageItem, PackageSection, Scaffold, SectionKind, Style
from handoffs.directive.styles import MANNERS

LISTED = "The count becomes simple: 1. Parse the turn 2. Find the agents of 3.5 and later 3. Add both — The user agreed: yes, please do"


def told(text: str, style: Style = Style.STRUCTURED) -> str:
    section = PackageSection(SectionKind.DECISIONS, (PackageItem("a4", "k", text, 3, 9, 1.0, True),), 0)
    return MANNERS[style].section(section, Scaffold.FULL)


def test_it_works() -> None:
    assert told(LISTED) == (
        "## Decisions\n"
        "- Decided [a4!]:\n"
        "  > The count becomes simple:\n"
        "  > 1. Parse the turn\n"
        "  > 2. Find the agents of 3.5 and later\n"
        "  > 3. Add both — The user agreed: yes, please do\n\n"
    )


@pytest.mark.parametrize("style", list(Style))
def test_it_comes_back_whole(style: Style) -> None:
    text = told(LISTED, style)
    (entry,) = read_lines(text, 0, len(text))
    assert (entry.kind, entry.text, entry.id) == (SectionKind.DECISIONS, LISTED, "a4")
    assert entry.own is not None and entry.own.critical


@pytest.mark.parametrize("text", ["Take 1. this 2. that", "Version 2. Then 3. and 4. of it", "Use port 5432."])
def test_what_is_no_list_stays_a_line(text: str) -> None:
    assert told(text) == f"## Decisions\n- {text} [a4!]\n\n"
