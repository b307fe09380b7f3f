"""Evidence from results as JSON objects, and back."""

from __future__ import annotations

from typing import Any

from continuity.knowledge.evidence import (
    ChangedFile,
    Choice,
    CodeEdit,
    Failure,
    Keeping,
    MadeOutside,
    PartState,
    Plan,
    PlanItem,
    PlanState,
    RefusedCall,
    WorkPart,
)
from handoffs.contract.fields import Fields


def changed_record(file: ChangedFile) -> dict[str, Any]:
    return {"path": file.path, "keeping": file.keeping.value, "seq": file.seq, "commit": file.commit, "shown": file.shown}


def read_changed(fields: Fields) -> ChangedFile:
    return ChangedFile(
        fields.text("path"),
        fields.choice("keeping", Keeping),
        fields.integer("seq", 0),
        fields.text("commit", ""),
        bool(fields.optional_flag("shown")),
    )


def edit_record(edit: CodeEdit) -> dict[str, Any]:
    return {
        "path": edit.path,
        "seq": edit.seq,
        "body": edit.body,
        "names": list(edit.names),
        "created": edit.created,
        "line": edit.line,
    }


def read_edit(fields: Fields) -> CodeEdit:
    return CodeEdit(
        fields.text("path"),
        fields.integer("seq", 0),
        fields.text("body", ""),
        fields.texts("names"),
        bool(fields.optional_flag("created")),
        fields.integer("line", 0),
    )


def failure_record(failure: Failure) -> dict[str, Any]:
    return {
        "check": failure.check,
        "seq": failure.seq,
        "test": failure.test,
        "at": failure.at,
        "expected": failure.expected,
        "got": failure.got,
        "cause": failure.cause,
        "stale": failure.stale,
    }


def read_failure(fields: Fields) -> Failure:
    return Failure(
        fields.text("check", ""),
        fields.integer("seq", 0),
        test=fields.text("test", ""),
        at=fields.text("at", ""),
        expected=fields.text("expected", ""),
        got=fields.text("got", ""),
        cause=fields.text("cause", ""),
        stale=bool(fields.optional_flag("stale")),
    )


def refusal_record(refusal: RefusedCall) -> dict[str, Any]:
    return {
        "seq": refusal.seq,
        "tool": refusal.tool,
        "target": refusal.target,
        "said": refusal.said,
        "interrupted": refusal.interrupted,
    }


def read_refusal(fields: Fields) -> RefusedCall:
    return RefusedCall(
        fields.integer("seq", 0),
        fields.text("tool", ""),
        fields.text("target", ""),
        fields.text("said", ""),
        bool(fields.optional_flag("interrupted")),
    )


def choice_record(choice: Choice) -> dict[str, Any]:
    return {"seq": choice.seq, "question": choice.question, "chosen": choice.chosen, "others": list(choice.others)}


def read_choice(fields: Fields) -> Choice:
    return Choice(fields.integer("seq", 0), fields.text("question", ""), fields.text("chosen", ""), fields.texts("others"))


def plan_record(plan: Plan | None) -> dict[str, Any] | None:
    if plan is None:
        return None
    return {
        "seq": plan.seq,
        "text": plan.text,
        "state": plan.state.value,
        "path": plan.path,
        "said": plan.said,
        "items": [{"text": item.text, "done": item.done} for item in plan.items],
    }


def read_plan(fields: Fields) -> Plan:
    return Plan(
        fields.integer("seq", 0),
        fields.text("text", ""),
        fields.choice("state", PlanState),
        fields.text("path", ""),
        fields.text("said", ""),
        fields.objects("items", lambda item: PlanItem(item.text("text", ""), item.optional_flag("done"))),
    )


def part_record(part: WorkPart) -> dict[str, Any]:
    return {
        "title": part.title,
        "state": part.state.value,
        "firstSeq": part.seq,
        "lastSeq": part.last_seq,
        "id": part.id,
        "wanted": part.wanted,
        "files": list(part.files),
        "commits": list(part.commits),
        "check": part.check,
        "closing": part.closing,
    }


def read_part(fields: Fields) -> WorkPart:
    return WorkPart(
        fields.text("title", ""),
        fields.choice("state", PartState),
        fields.integer("firstSeq", 0),
        fields.integer("lastSeq", 0),
        fields.text("id", ""),
        fields.text("wanted", ""),
        fields.texts("files"),
        fields.texts("commits"),
        fields.text("check", ""),
        fields.text("closing", ""),
    )


def made_record(made: MadeOutside) -> dict[str, Any]:
    return {"kind": made.kind, "id": made.id, "seq": made.seq, "url": made.url}


def read_made(fields: Fields) -> MadeOutside:
    return MadeOutside(fields.text("kind", ""), fields.text("id", ""), fields.integer("seq", 0), fields.text("url", ""))
