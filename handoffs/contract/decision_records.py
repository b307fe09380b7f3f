"""A person's decisions in tools' dialogs (refusals, choices, plans) as JSON objects, and back."""

from __future__ import annotations

from typing import Any

from continuity.knowledge.evidence import (
    Choice,
    Plan,
    PlanItem,
    PlanState,
    RefusedCall,
)
from handoffs.contract.fields import Fields


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
