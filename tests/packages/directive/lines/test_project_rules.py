"""Of the rules of the project's own files a directive tells the grave ones that have most to do with the work."""

from __future__ import annotations

from dataclasses import replace

from continuity.knowledge.coverage.carried import Carried, TermWeight
from continuity.knowledge.model import Anchor, AnchorType, Truth
from handoffs.contract.model import SectionKind
from handoffs.directive.lines.anchors import PROJECT_RULES
from tests.packages.samples import KNOWLEDGE, anchor, prepared

MANY = tuple(f"Never import module{number} from the outside." for number in range(14))
OF_USE = "Never rename a kestrel table without its migration."


def rule(text: str, number: int, source: str = "@AGENTS.md", **more: object) -> Anchor:
    fields = {"truth": Truth.OBSERVED, "method": f"project.rule{source}", "critical": False, "importance": 0.7, **more}
    return anchor(AnchorType.CONSTRAINT, text, number, **fields)


def told(*anchors: Anchor) -> list[str]:
    carried = Carried((), (TermWeight("kestrel", 9.0),))
    package = prepared(replace(KNOWLEDGE, anchors=anchors, carried=carried), budget=4000).package
    return [item.text for section in package.sections if section.kind is SectionKind.RULES for item in section.items]


def test_it_works() -> None:
    lines = told(*(rule(text, number) for number, text in enumerate(MANY, start=20)), rule(OF_USE, 50))
    assert len(lines) == PROJECT_RULES
    assert any(OF_USE in line for line in lines)


def test_what_a_person_laid_down_does_not_count_among_them() -> None:
    own = anchor(AnchorType.CONSTRAINT, "Never touch the production database.", 60)
    assert len(told(*(rule(text, number) for number, text in enumerate(MANY, start=20)), own)) == PROJECT_RULES + 1
