"""The verdict on a one-shot handoff for a person: the check in one line, and what the reader stumbled over."""

from __future__ import annotations

from continuity.core.isolation import LOST
from continuity.knowledge.handoff_note import NoteVerdict
from continuity.transcripts.base.model import Skipped
from handoffs.building.oneshot import OneShot
from handoffs.contract.model import Severity

SKIPS_SHOWN = 5
ISSUES_SHOWN = 5


def verdict(made: OneShot) -> str:
    """One line: passed or not, the scores, the tokens."""
    report, plan = made.prepared.report, made.prepared.package.plan
    passed = "passes" if report.passes_threshold else "is below the threshold"
    exceeded = " (more than the budget: critical anchors are never dropped)" if plan.exceeded_by_critical else ""
    return (
        f"Fidelity {report.overall_fidelity_score:.2f} {passed}: anchors {report.anchor_preservation_score:.2f}, "
        f"tasks {report.task_preservation_score:.2f}, state {report.state_preservation_score:.2f}; "
        f"coverage of all anchors {report.coverage:.2f}; agreement {report.agreement:.2f}; {plan.used} of {plan.target} tokens{exceeded}."
    )


def warnings(made: OneShot) -> list[str]:
    """Records that could not be read, an empty result, and the issues of a check that is not passed."""
    source = made.report
    told = [_skipped(skip) for skip in source.skipped[:SKIPS_SHOWN]]
    if source.skipped_count > len(told):
        told.append(f"{source.skipped_count - len(told)} more lines were skipped.")
    told += [
        f"Message {each.seq} could not be read ({each.error} at {each.place}): {LOST[each.reader]}." for each in made.skipped[:SKIPS_SHOWN]
    ]
    if len(made.skipped) > SKIPS_SHOWN:
        told.append(f"{len(made.skipped) - SKIPS_SHOWN} more messages could not be read.")
    if not made.prepared.knowledge.messages:
        told.append("No message was found.")
    report = made.prepared.report
    told += [f"Line {each.line} disagrees: {each.reason}" for each in report.disagreements[:ISSUES_SHOWN]]
    if not report.passes_threshold:
        issues = sorted(report.issues, key=lambda issue: issue.severity is not Severity.CRITICAL)
        told += [f"{issue.description}." for issue in issues[:ISSUES_SHOWN]]
    return told


def unsupported(made: OneShot) -> list[str]:
    """A line for each statement of the note that did not hold, with the reason."""
    note = made.prepared.package.note
    against = [each for each in note.statements if each.verdict is NoteVerdict.CONTRADICTED] if note else []
    return [f"Left out of the note ({each.part.replace('_', ' ')}): “{each.text}” {each.reason}" for each in against]


def _skipped(skip: Skipped) -> str:
    """Describes what was left out of a line: all of it, or a piece that the reason names."""
    reason = skip.reason.rstrip(".")
    if skip.whole:
        return f"Line {skip.line + 1} was skipped: it {reason}."
    return f"A piece of line {skip.line + 1} was left out: {reason}."
