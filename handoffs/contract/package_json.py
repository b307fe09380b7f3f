"""A package as the public JSON document with CONT-01's names, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from continuity.knowledge.model import CommandRun, Quote, Ref, Situation, TaskStatus
from handoffs.contract.fields import Fields
from handoffs.contract.model import BudgetPlan, Directive, FidelityReport, Metadata, Options, Package
from handoffs.contract.note_records import note_record, read_note
from handoffs.contract.plan_records import options_record, plan_record, read_options, read_plan, read_section, section_record
from handoffs.contract.records import (
    anchor_record,
    file_record,
    read_anchor,
    read_file,
    read_situation,
    read_task,
    situation_record,
    task_record,
)
from handoffs.directive.lines.files import CHANGING
from handoffs.fidelity.record import report_from_contract, report_to_contract, resumption_to_contract

VERSION = 1

__all__ = ["from_contract", "report_from_contract", "report_to_contract", "resumption_to_contract", "to_contract"]


def to_contract(package: Package, report: FidelityReport | None = None) -> dict[str, Any]:
    """The package as a JSON object: CONT-01's SessionHandoff with its ContinuationDirective, and what is ours beside it."""
    return {
        "version": VERSION,
        "handoffId": package.handoff_id,
        "conversationId": package.conversation_id,
        "compactedSummary": package.compacted_summary,
        "preservedAnchors": [anchor_record(anchor) for anchor in package.anchors],
        "unfinishedWork": [task_record(task) for task in package.tasks if task.status is not TaskStatus.COMPLETED],
        "state": _state_record(package),
        "metadata": _metadata_record(package.metadata),
        "directive": _directive_record(package.directive),
        "completedWork": [task_record(task) for task in package.tasks if task.status is TaskStatus.COMPLETED],
        "files": [file_record(file) for file in package.files],
        "situation": situation_record(package.situation),
        "sections": [section_record(section) for section in package.sections],
        "plan": plan_record(package.plan),
        "throughSeq": package.through_seq,
        "options": options_record(package.options),
        "note": note_record(package.note) if package.note else None,
        "fidelity": report_to_contract(report) if report else None,
    }


def from_contract(raw: Any) -> Package:
    """The package of a JSON object. What is not in CONT-01 may be missing. Raises ValueError naming the first bad field."""
    fields = Fields(raw)
    version = fields.integer("version", VERSION)
    if version != VERSION:
        raise ValueError(f"version: {version} is not known here; {VERSION} is")
    options = fields.optional("options", read_options) or Options()
    summary = fields.text("compactedSummary")
    return Package(
        handoff_id=fields.text("handoffId"),
        conversation_id=fields.text("conversationId"),
        compacted_summary=summary,
        anchors=fields.objects("preservedAnchors", read_anchor),
        tasks=(*fields.objects("unfinishedWork", read_task), *fields.objects("completedWork", read_task)),
        files=fields.objects("files", read_file),
        situation=fields.optional("situation", read_situation) or _situation_of_state(fields.object("state")),
        metadata=_read_metadata(fields.object("metadata")),
        directive=_read_directive(fields.object("directive"))
        if "directive" in fields
        else Directive(fields.text("compactedSummary"), (), ()),
        sections=fields.objects("sections", read_section),
        plan=fields.optional("plan", read_plan) or BudgetPlan(options.budget),
        through_seq=fields.integer("throughSeq", 0),
        options=options,
        note=fields.optional("note", read_note),
    )


def without_lines(public: Mapping[str, Any]) -> dict[str, Any]:
    """The document of a package without the lines of its directive, which take half of the time to read: a resumption is held against
    the rows behind them."""
    return {**public, "sections": []}


def _state_record(package: Package) -> dict[str, Any]:
    """CONT-01's SessionState; `variables` are the values of the situation that have no field of their own there."""
    now = package.situation
    variables: dict[str, Any] = {
        "objective": now.objective.text if now.objective else None,
        "waitingForUser": now.waiting,
        "nextStep": now.next_step.text if now.next_step else None,
        "lastVerification": now.verification.command if now.verification else None,
        "lastVerificationPassed": now.verification.passed if now.verification else None,
    }
    return {
        "variables": {name: value for name, value in variables.items() if value is not None},
        "activeFiles": [file.path for file in package.files if file.action in CHANGING],
        "recentCommands": [command.command for command in now.recent_commands],
        "currentWorkingDirectory": now.cwd or None,
        "activeBranch": now.branch or None,
    }


def _situation_of_state(fields: Fields) -> Situation:
    """The situation as far as CONT-01's state tells it, for packages of other makers."""
    return Situation(
        cwd=fields.text("currentWorkingDirectory", ""),
        branch=fields.text("activeBranch", ""),
        recent_commands=tuple(CommandRun(command, 0) for command in fields.texts("recentCommands")),
        objective=_variable(fields, "objective"),
        next_step=_variable(fields, "nextStep"),
    )


def _variable(fields: Fields, name: str) -> Quote | None:
    variables = fields.object("variables") if "variables" in fields else Fields({})
    return Quote(variables.text(name), Ref(0)) if name in variables else None


def _metadata_record(metadata: Metadata) -> dict[str, Any]:
    return {
        "createdAt": metadata.created_at.isoformat(),
        "originalTokenCount": metadata.original_token_count,
        "compactedTokenCount": metadata.compacted_token_count,
        "compressionRatio": round(metadata.compression_ratio, 4),
        "triggerReason": metadata.trigger_reason,
    }


def _read_metadata(fields: Fields) -> Metadata:
    return Metadata(
        created_at=fields.moment("createdAt"),
        original_token_count=fields.integer("originalTokenCount"),
        compacted_token_count=fields.integer("compactedTokenCount"),
        trigger_reason=fields.text("triggerReason"),
    )


def _directive_record(directive: Directive) -> dict[str, Any]:
    return {
        "summary": directive.summary,
        "immediateActions": list(directive.immediate_actions),
        "contextReminders": list(directive.context_reminders),
        "userIntent": directive.user_intent or None,
    }


def _read_directive(fields: Fields) -> Directive:
    return Directive(
        fields.text("summary"), fields.texts("immediateActions"), fields.texts("contextReminders"), fields.text("userIntent", "")
    )
