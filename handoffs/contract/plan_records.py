"""Sections, the budget plan and the options as JSON records, and back."""

from __future__ import annotations

from typing import Any

from handoffs.contract.fields import Fields
from handoffs.contract.model import BudgetPlan, Options, PackageItem, PackageSection, Scaffold, SectionKind, Style


def section_record(section: PackageSection) -> dict[str, Any]:
    return {"kind": section.kind.value, "dropped": section.dropped, "items": [_item_record(item) for item in section.items]}


def _item_record(item: PackageItem) -> dict[str, Any]:
    return {
        "reference": item.reference,
        "key": item.key,
        "text": item.text,
        "seq": max(0, item.seq),
        "tokens": item.tokens,
        "importance": item.importance,
        "critical": item.critical,
        "label": item.label,
        "claimed": item.claimed,
        "held": list(item.held),
    }


def read_section(fields: Fields) -> PackageSection:
    return PackageSection(fields.choice("kind", SectionKind), fields.objects("items", _read_item), fields.integer("dropped", 0))


def _read_item(fields: Fields) -> PackageItem:
    return PackageItem(
        reference=fields.text("reference", ""),
        key=fields.text("key"),
        text=fields.text("text"),
        seq=fields.integer("seq", 0),
        tokens=fields.integer("tokens", 0),
        importance=fields.number("importance", 0.5),
        critical=fields.flag("critical", False),
        label=fields.text("label", ""),
        claimed=fields.flag("claimed", False),
        held=fields.texts("held"),
    )


def plan_record(plan: BudgetPlan) -> dict[str, Any]:
    return {
        "target": plan.target,
        "used": plan.used,
        "bySection": dict(plan.by_section),
        "exceededByCritical": plan.exceeded_by_critical,
        "scaffold": plan.scaffold.value,
    }


def read_plan(fields: Fields) -> BudgetPlan:
    return BudgetPlan(
        target=fields.integer("target"),
        used=fields.integer("used", 0),
        by_section=fields.counts("bySection"),
        exceeded_by_critical=fields.flag("exceededByCritical", False),
        scaffold=fields.choice("scaffold", Scaffold, Scaffold.FULL),
    )


def options_record(options: Options) -> dict[str, Any]:
    return {
        "budget": options.budget,
        "style": options.style.value,
        "maxReminderCount": options.max_reminder_count,
        "includeImmediateActions": options.include_immediate_actions,
        "includeContextReminders": options.include_context_reminders,
        "triggerReason": options.trigger_reason,
        "note": options.note,
    }


def read_options(fields: Fields) -> Options:
    standard = Options()
    return Options(
        budget=fields.integer("budget", standard.budget),
        style=fields.choice("style", Style, standard.style),
        max_reminder_count=fields.integer("maxReminderCount", standard.max_reminder_count),
        include_immediate_actions=fields.flag("includeImmediateActions", standard.include_immediate_actions),
        include_context_reminders=fields.flag("includeContextReminders", standard.include_context_reminders),
        trigger_reason=fields.text("triggerReason", standard.trigger_reason),
        note=fields.text("note", standard.note),
    )
