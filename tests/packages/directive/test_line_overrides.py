"""What people set about lines holds at every budget."""

from __future__ import annotations

from dataclasses import replace

import pytest

from handoffs.building.preparation import prepare
from handoffs.contract.model import Options, Package
from handoffs.directive.line_overrides import Steering
from handoffs.directive.references import References
from tests.packages.samples import COUNTER, KNOWLEDGE, NOW, crowded


def steered(steering: Steering, budget: int = 4000, knowledge=KNOWLEDGE) -> Package:
    wanted = Options(budget=budget)
    return prepare(knowledge, wanted, counter=COUNTER, now=NOW, handoff_id="h", conversation_id="c", steering=steering).package


def keys(package: Package) -> set[str]:
    return {item.key for section in package.sections for item in section.items}


def test_it_works() -> None:
    set_by_people = Steering(frozenset({"goal before@12"}), frozenset({"branch"}), {"next step": "Call Dana."})
    package = steered(set_by_people)
    lines = {item.key: item for section in package.sections for item in section.items}
    assert lines["goal before@12"].critical
    assert "branch" not in lines
    assert lines["next step"].text == "Call Dana."


@pytest.mark.parametrize("budget", [400, 1000, 4000])
def test_what_is_pinned_is_never_dropped(budget: int) -> None:
    key = "CodeArtifact-27"
    assert key in keys(steered(Steering(pinned=frozenset({key})), budget, crowded(300)))


def test_a_dismissed_file_is_not_missed() -> None:
    key = "modified:/srv/billing/jobs/nightly.py"
    assert key in keys(steered(Steering()))
    made = prepare(
        KNOWLEDGE, Options(), counter=COUNTER, now=NOW, handoff_id="h", conversation_id="c", steering=Steering(dismissed=frozenset({key}))
    )
    assert key not in keys(made.package)
    assert not [issue for issue in made.report.issues if issue.component == "State"]


def test_references_given_out_keep_their_numbers() -> None:
    given = References(KNOWLEDGE).all()
    fewer = replace(KNOWLEDGE, anchors=KNOWLEDGE.anchors[3:])
    again = References(fewer, given)
    assert again.all() == given
    assert all(given[again.anchor(anchor)] == anchor.key for anchor in fewer.anchors)
