"""CONT-06's FidelityReport and ResumptionReport as JSON records, and the first back."""

from __future__ import annotations

from typing import Any

from handoffs.contract.fields import Fields
from handoffs.contract.model import FidelityIssue, FidelityReport, Severity
from handoffs.fidelity.agreement.model import ClaimKind, Disagreement, DisagreementCode
from handoffs.fidelity.probes import Answer, Probe, ProbeKind, shares
from handoffs.fidelity.resumption import ResumptionReport


def report_to_contract(report: FidelityReport) -> dict[str, Any]:
    """CONT-06's FidelityReport as a JSON object."""
    return {
        "handoffId": report.handoff_id,
        "anchorPreservationScore": report.anchor_preservation_score,
        "taskPreservationScore": report.task_preservation_score,
        "statePreservationScore": report.state_preservation_score,
        "overallFidelityScore": report.overall_fidelity_score,
        "passesThreshold": report.passes_threshold,
        "issues": [
            {
                "component": issue.component,
                "severity": issue.severity.value,
                "description": issue.description,
                "recommendation": issue.recommendation,
                "key": issue.key,
            }
            for issue in report.issues
        ],
        "coverage": report.coverage,
        "repairs": report.repairs,
        "probes": [answer_to_record(answer) for answer in report.probes],
        "agreement": report.agreement,
        "disagreements": [
            {
                "code": each.code.value,
                "telling": each.telling.value,
                "line": each.line,
                "words": each.words,
                "reason": each.reason,
                "seq": each.seq,
            }
            for each in report.disagreements
        ],
        "probeShares": {share.kind.value: {"asked": share.asked, "answered": share.answered} for share in shares(report.probes)},
    }


def report_from_contract(raw: Any) -> FidelityReport:
    """The report of a JSON object; whether it passes follows from it and is not read. Raises ValueError."""
    fields = Fields(raw, "fidelity")
    return FidelityReport(
        handoff_id=fields.text("handoffId"),
        anchor_preservation_score=fields.number("anchorPreservationScore"),
        task_preservation_score=fields.number("taskPreservationScore"),
        state_preservation_score=fields.number("statePreservationScore"),
        overall_fidelity_score=fields.number("overallFidelityScore"),
        issues=fields.objects("issues", _read_issue),
        coverage=fields.number("coverage", 1.0),
        repairs=fields.integer("repairs", 0),
        probes=fields.objects("probes", _read_answer),
        agreement=fields.number("agreement", 1.0),
        disagreements=fields.objects("disagreements", _read_disagreement),
    )


def answer_to_record(answer: Answer) -> dict[str, Any]:
    """A probe with its answer as a JSON object; `line` is null where the directive does not answer."""
    probe = answer.probe
    return {
        "kind": probe.kind.value,
        "question": probe.question,
        "expected": probe.expected,
        "answered": answer.answered,
        "line": answer.line or None,
        "seq": probe.seq,
        "weight": probe.weight,
    }


def resumption_to_contract(report: ResumptionReport) -> dict[str, Any]:
    """CONT-06's ResumptionReport as a JSON object."""
    return {
        "newConversationId": report.new_conversation_id,
        "previousConversationId": report.previous_conversation_id,
        "directiveCompleteness": report.directive_completeness,
        "anchorRestorationScore": report.anchor_restoration_score,
        "stateRestorationScore": report.state_restoration_score,
        "missingElements": list(report.missing_elements),
        "isSeamless": report.is_seamless,
    }


def _read_answer(fields: Fields) -> Answer:
    probe = Probe(
        fields.choice("kind", ProbeKind),
        fields.text("question"),
        fields.text("expected"),
        fields.integer("seq", 0),
        fields.number("weight", 1.0),
    )
    return Answer(probe, fields.integer("line", 0))


def _read_disagreement(fields: Fields) -> Disagreement:
    return Disagreement(
        fields.choice("code", DisagreementCode),
        fields.choice("telling", ClaimKind),
        fields.integer("line", 0),
        fields.text("words", ""),
        fields.text("reason", ""),
        fields.integer("seq", 0),
    )


def _read_issue(fields: Fields) -> FidelityIssue:
    return FidelityIssue(
        fields.text("component"),
        fields.choice("severity", Severity),
        fields.text("description"),
        fields.text("recommendation", ""),
        fields.text("key", ""),
    )
