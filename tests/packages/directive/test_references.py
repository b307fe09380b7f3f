from __future__ import annotations

from dataclasses import replace

from handoffs.directive.references import References
from tests.packages.samples import ANCHORS, FILES, KNOWLEDGE, SUPERSEDED, TASKS, prepared


def test_it_works() -> None:
    references = References(KNOWLEDGE)

    assert [references.anchor(anchor) for anchor in (ANCHORS[0], SUPERSEDED[0], ANCHORS[1])] == ["a1", "a2", "a3"]
    assert references.task(TASKS[0]) == "t1"
    assert references.file(FILES[3]) == "f1"
    assert references.message(12) == "m12"


def test_references_do_not_depend_on_the_order_of_rows() -> None:
    turned = replace(KNOWLEDGE, anchors=ANCHORS[::-1], tasks=TASKS[::-1], files=FILES[::-1])

    assert [References(turned).anchor(a) for a in ANCHORS] == [References(KNOWLEDGE).anchor(a) for a in ANCHORS]


def test_later_knowledge_leaves_earlier_references_as_they_were() -> None:
    earlier = replace(KNOWLEDGE, anchors=ANCHORS[:4])

    assert [References(earlier).anchor(a) for a in ANCHORS[:4]] == [References(KNOWLEDGE).anchor(a) for a in ANCHORS[:4]]


def test_references_are_unique_in_a_package_and_point_to_one_message() -> None:
    sections = prepared().package.sections
    items = [item for section in sections for item in section.items if item.reference[:1] in ("a", "t", "f")]

    assert len({item.reference for item in items}) == len(items)


def test_the_budget_does_not_renumber() -> None:
    def numbers(budget: int) -> dict[str, str]:
        return {item.key: item.reference for section in prepared(budget=budget).package.sections for item in section.items}

    large, small = numbers(4000), numbers(200)

    assert small.items() - {("waiting", small["waiting"])} <= large.items(), "a large one tells by what comes next whose turn it is"
