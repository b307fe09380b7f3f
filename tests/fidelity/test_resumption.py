from __future__ import annotations

from dataclasses import replace

import pytest

from continuity.knowledge.model import AnchorType, FileAction, FileTouch, Knowledge
from handoffs.fidelity.resumption import ResumptionReport, validate_resumption
from tests.packages.samples import ANCHORS, KNOWLEDGE, SITUATION, anchor, prepared

MADE = prepared()


def resumed(restored: Knowledge = KNOWLEDGE, text: str = MADE.text) -> ResumptionReport:
    return validate_resumption(MADE.package, text, restored, new_conversation_id="new")


def test_it_works() -> None:
    report = resumed()

    assert (report.directive_completeness, report.anchor_restoration_score, report.state_restoration_score) == (1.0, 1.0, 1.0)
    assert (report.new_conversation_id, report.previous_conversation_id) == ("new", "conversation-1")
    assert report.missing_elements == ()
    assert report.is_seamless


def test_cont06_resumption_restores_full_context() -> None:
    five = tuple(replace(anchor, key=f"copy-{anchor.key}") for anchor in ANCHORS)

    assert resumed(replace(KNOWLEDGE, anchors=five)).anchor_restoration_score == 1.0
    assert any("billing job" in action for action in MADE.package.directive.immediate_actions)


def test_a_lost_anchor_lowers_the_score_and_is_named() -> None:
    report = resumed(replace(KNOWLEDGE, anchors=ANCHORS[1:]))

    assert report.anchor_restoration_score == 0.9
    assert report.missing_elements == ("Constraint anchor: Never run the migration against the production database before Monday.",)
    assert not report.is_seamless


def test_one_critical_loss_among_many_is_not_seamless() -> None:
    facts = tuple(anchor(AnchorType.FACT, f"Fact number {n} holds.", 30 + n) for n in range(40))
    rich = replace(KNOWLEDGE, anchors=(*ANCHORS, *facts))
    made = prepared(rich, budget=8000)

    def report(without: int) -> ResumptionReport:
        left = tuple(a for n, a in enumerate(rich.anchors) if n != without)
        return validate_resumption(made.package, made.text, replace(rich, anchors=left), new_conversation_id="n")

    assert report(0).anchor_restoration_score > 0.95
    assert not report(0).is_seamless
    assert report(30).is_seamless


@pytest.mark.parametrize(
    "words", ["Next I switch the trigger", "Never run the migration", "Now switch the trigger over", "Document the rollback"]
)
def test_what_the_directive_does_not_say_lowers_completeness(words: str) -> None:
    report = resumed(text=MADE.text.replace(words, "…"))

    assert report.directive_completeness < 1.0
    assert len([element for element in report.missing_elements if element.startswith("Directive: ")]) == 1
    assert not report.is_seamless


def test_a_changed_branch_is_named() -> None:
    report = resumed(replace(KNOWLEDGE, situation=replace(SITUATION, branch="main")))

    assert report.state_restoration_score == round(4 / 5, 4)
    assert report.missing_elements == ("State: branch",)


def test_files_touched_since_are_no_loss() -> None:
    more = (*KNOWLEDGE.files, FileTouch("/srv/billing/new.py", FileAction.CREATED, 20, 20))

    assert resumed(replace(KNOWLEDGE, files=more)).is_seamless
