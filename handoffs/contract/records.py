"""Anchors, tasks, files and the situation as JSON records with CONT-01's names, and back."""

from __future__ import annotations

from typing import Any

from continuity.knowledge.model import (
    Anchor,
    AnchorState,
    AnchorType,
    CommandRun,
    FileAction,
    FileTouch,
    Quote,
    Ref,
    Situation,
    Task,
    TaskStatus,
    Truth,
)
from handoffs.contract import decision_records as decisions
from handoffs.contract import evidence_records as evidence
from handoffs.contract.fields import Fields

STATUS_NAMES = {
    "NotStarted": TaskStatus.NOT_STARTED,
    "InProgress": TaskStatus.IN_PROGRESS,
    "Blocked": TaskStatus.BLOCKED,
    "AwaitingInput": TaskStatus.AWAITING_INPUT,
    "NearCompletion": TaskStatus.NEAR_COMPLETION,
    "Completed": TaskStatus.COMPLETED,
}
_NAME_OF_STATUS = {status: name for name, status in STATUS_NAMES.items()}


def anchor_record(anchor: Anchor) -> dict[str, Any]:
    return {
        "key": anchor.key,
        "type": anchor.type.value,
        "originalContent": anchor.text,
        "source": _ref_record(anchor.ref),
        "importance": anchor.importance,
        "truth": anchor.truth.value,
        "method": anchor.method,
        "critical": anchor.critical,
        "state": anchor.state.value,
        "supersededBy": anchor.superseded_by,
        "settledSeq": anchor.settled_seq,
        "subject": anchor.subject,
        "rationale": anchor.rationale,
        "rejected": anchor.rejected,
    }


def read_anchor(fields: Fields) -> Anchor:
    return Anchor(
        key=fields.text("key"),
        type=fields.choice("type", AnchorType),
        text=fields.text("originalContent"),
        ref=fields.optional("source", _read_ref) or Ref(0),
        importance=fields.number("importance", 0.5),
        truth=fields.choice("truth", Truth, Truth.CLAIMED),
        method=fields.text("method", ""),
        critical=fields.flag("critical", False),
        state=fields.choice("state", AnchorState, AnchorState.CURRENT),
        superseded_by=fields.text("supersededBy", ""),
        settled_seq=fields.optional_integer("settledSeq"),
        subject=fields.text("subject", ""),
        rationale=fields.text("rationale", ""),
        rejected=fields.text("rejected", ""),
    )


def task_record(task: Task) -> dict[str, Any]:
    """CONT-01's PendingTask, with where the conversation named and last changed it."""
    return {
        "taskId": task.key,
        "description": task.description,
        "status": _NAME_OF_STATUS[task.status],
        "blockingReason": task.blocking_reason or None,
        "completedSteps": list(task.steps_done),
        "remainingSteps": list(task.steps_left),
        "progressPercentage": task.progress,
        "firstSeq": task.seq,
        "lastSeq": task.last_seq,
        "method": task.method,
        "toolId": task.tool_id,
    }


def read_task(fields: Fields) -> Task:
    """The task; its progress follows from its steps and is not read."""
    return Task(
        key=fields.text("taskId"),
        description=fields.text("description"),
        status=fields.named("status", STATUS_NAMES),
        seq=fields.integer("firstSeq", 0),
        last_seq=fields.integer("lastSeq", 0),
        method=fields.text("method", ""),
        steps_done=fields.texts("completedSteps"),
        steps_left=fields.texts("remainingSteps"),
        blocking_reason=fields.text("blockingReason", ""),
        tool_id=fields.text("toolId", ""),
    )


def file_record(file: FileTouch) -> dict[str, Any]:
    return {
        "path": file.path,
        "action": file.action.value,
        "firstSeq": max(0, file.seq),
        "lastSeq": max(0, file.last_seq),
        "epoch": file.epoch,
        "count": file.count,
        "note": file.note,
        "symbols": list(file.symbols),
    }


def read_file(fields: Fields) -> FileTouch:
    return FileTouch(
        path=fields.text("path"),
        action=fields.choice("action", FileAction),
        seq=fields.integer("firstSeq", 0),
        last_seq=fields.integer("lastSeq", 0),
        epoch=fields.integer("epoch", 0),
        count=fields.integer("count", 1),
        note=fields.text("note", ""),
        symbols=fields.texts("symbols"),
    )


def situation_record(situation: Situation) -> dict[str, Any]:
    return {
        "objective": _quote_record(situation.objective),
        "latestRequest": _quote_record(situation.latest_request),
        "nextStep": _quote_record(situation.next_step),
        "begun": situation.begun,
        "lookedUp": situation.looked_up,
        "elsewhere": situation.elsewhere,
        "moved": situation.moved,
        "planning": situation.planning,
        "waiting": situation.waiting,
        "waitingFor": _quote_record(situation.waiting_for),
        "cwd": situation.cwd,
        "branch": situation.branch,
        "verification": _command_record(situation.verification) if situation.verification else None,
        "checks": [_command_record(command) for command in situation.checks],
        "recentCommands": [_command_record(command) for command in situation.recent_commands],
        "looked": [_quote_record(look) for look in situation.looked],
        "outside": list(situation.outside),
        "names": list(situation.names),
        "commits": [_quote_record(commit) for commit in situation.commits],
        "trees": [_quote_record(tree) for tree in situation.trees],
        "running": [*situation.running, *(each.text.partition("\n")[0] for each in situation.sent)],
        "unanswered": [_quote_record(call) for call in situation.unanswered],
        "changed": [evidence.changed_record(file) for file in situation.changed],
        "blocked": [_command_record(command) for command in situation.blocked],
        "parts": [evidence.part_record(part) for part in situation.parts],
        "edits": [evidence.edit_record(edit) for edit in situation.edits],
        "failures": [evidence.failure_record(failure) for failure in situation.failures],
        "refusals": [decisions.refusal_record(refusal) for refusal in situation.refusals],
        "choices": [decisions.choice_record(choice) for choice in situation.choices],
        "plan": decisions.plan_record(situation.plan),
        "made": [evidence.made_record(made) for made in situation.made],
        "results": [_quote_record(result) for result in situation.results],
    }


def read_situation(fields: Fields) -> Situation:
    return Situation(
        objective=fields.optional("objective", _read_quote),
        latest_request=fields.optional("latestRequest", _read_quote),
        next_step=fields.optional("nextStep", _read_quote),
        begun=bool(fields.optional_flag("begun")),
        looked_up=bool(fields.optional_flag("lookedUp")),
        elsewhere=fields.text("elsewhere", ""),
        moved=fields.integer("moved", 0),
        planning=bool(fields.optional_flag("planning")),
        waiting=fields.optional_flag("waiting"),
        waiting_for=fields.optional("waitingFor", _read_quote),
        cwd=fields.text("cwd", ""),
        branch=fields.text("branch", ""),
        verification=fields.optional("verification", _read_command),
        checks=fields.objects("checks", _read_command),
        recent_commands=fields.objects("recentCommands", _read_command),
        looked=fields.objects("looked", _read_quote),
        outside=fields.texts("outside"),
        names=fields.texts("names"),
        commits=fields.objects("commits", _read_quote),
        trees=fields.objects("trees", _read_quote),
        running=fields.texts("running"),
        unanswered=fields.objects("unanswered", _read_quote),
        changed=fields.objects("changed", evidence.read_changed),
        blocked=fields.objects("blocked", _read_command),
        parts=fields.objects("parts", evidence.read_part),
        edits=fields.objects("edits", evidence.read_edit),
        failures=fields.objects("failures", evidence.read_failure),
        refusals=fields.objects("refusals", decisions.read_refusal),
        choices=fields.objects("choices", decisions.read_choice),
        plan=fields.optional("plan", decisions.read_plan),
        made=fields.objects("made", evidence.read_made),
        results=fields.objects("results", _read_quote),
    )


def _ref_record(ref: Ref) -> dict[str, Any]:
    return {"seq": ref.seq, "part": ref.part, "start": ref.start, "end": ref.end}


def _read_ref(fields: Fields) -> Ref:
    return Ref(fields.integer("seq"), fields.integer("part", 0), fields.integer("start", 0), fields.integer("end", 0))


def _quote_record(quote: Quote | None) -> dict[str, Any] | None:
    return {"text": quote.text, "source": _ref_record(quote.ref)} if quote else None


def _read_quote(fields: Fields) -> Quote:
    return Quote(fields.text("text"), fields.optional("source", _read_ref) or Ref(0))


def _command_record(command: CommandRun) -> dict[str, Any]:
    return {
        "command": command.command,
        "seq": command.seq,
        "exitCode": command.exit_code,
        "passed": command.passed,
        "result": command.result,
    }


def _read_command(fields: Fields) -> CommandRun:
    return CommandRun(
        fields.text("command"),
        fields.integer("seq", 0),
        fields.optional_integer("exitCode"),
        fields.optional_flag("passed"),
        fields.text("result", ""),
    )
