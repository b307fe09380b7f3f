from __future__ import annotations

import json
from dataclasses import replace

import pytest

from handoffs.fidelity.agreement.model import ClaimKind, Disagreement, DisagreementCode
from handoffs.fidelity.record import report_from_contract, report_to_contract, resumption_to_contract
from handoffs.fidelity.resumption import validate_resumption
from tests.packages.samples import KNOWLEDGE, prepared


def test_it_works() -> None:
    report = prepared(budget=150).report

    assert report.issues
    assert report_from_contract(json.loads(json.dumps(report_to_contract(report)))) == report


def test_disagreements_go_there_and_back_and_an_old_report_has_none() -> None:
    wrong = Disagreement(DisagreementCode.RULE_UNSAID, ClaimKind.RULE, 7, "a line", "No person said it.", 3)
    report = replace(prepared().report, agreement=0.8, disagreements=(wrong,))
    raw = json.loads(json.dumps(report_to_contract(report)))

    assert report_from_contract(raw) == report
    del raw["agreement"], raw["disagreements"]
    old = report_from_contract(raw)
    assert (old.agreement, old.disagreements) == (1.0, ())


def test_the_verdict_is_told_and_follows_from_the_rest() -> None:
    raw = report_to_contract(prepared().report)

    assert raw["passesThreshold"] is True
    assert report_from_contract({**raw, "passesThreshold": False}).passes_threshold


@pytest.mark.parametrize(("field", "value"), [("overallFidelityScore", "high"), ("issues", 3), ("handoffId", None)])
def test_a_bad_field_is_refused_by_its_name(field: str, value: object) -> None:
    with pytest.raises(ValueError, match=rf"^fidelity\.{field}: "):
        report_from_contract({**report_to_contract(prepared().report), field: value})


def test_a_resumption_report_has_the_specified_fields() -> None:
    made = prepared()
    report = validate_resumption(made.package, made.text, KNOWLEDGE, new_conversation_id="new")

    assert json.loads(json.dumps(resumption_to_contract(report))) == {
        "newConversationId": "new",
        "previousConversationId": "conversation-1",
        "directiveCompleteness": 1.0,
        "anchorRestorationScore": 1.0,
        "stateRestorationScore": 1.0,
        "missingElements": [],
        "isSeamless": True,
    }
