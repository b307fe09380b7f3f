"""The directive: what the next session is told, as CONT-01's record and as text in a style."""

from __future__ import annotations

from collections.abc import Sequence

from handoffs.contract.model import Directive, Options, Package, PackageSection, Scaffold, SectionKind, Style
from handoffs.directive.styles import MANNERS, ORDER

# Items of the next section that ask for something to be done.
ACTIONS = frozenset(("next step", "begun", "run again", "asked"))
REMINDERS = (SectionKind.RULES, SectionKind.DECISIONS, SectionKind.FACTS)


def directive_of(sections: Sequence[PackageSection], summary: str, options: Options) -> Directive:
    """CONT-01's ContinuationDirective from what the sections state.

    Immediate actions are the next step and the open tasks; reminders are the most important rules, decisions and facts,
    critical ones first, at most `max_reminder_count`.
    """
    items = {section.kind: section.items for section in sections}
    actions = [item.text for item in items.get(SectionKind.NEXT, ()) if item.label in ACTIONS]
    actions += [item.text for item in items.get(SectionKind.TASKS, ()) if item.label in ("open", "promise")]
    told = [(kind, item) for kind in REMINDERS for item in items.get(kind, ()) if item.label != "not"]
    reminders = [item for kind, item in told if not (kind is SectionKind.FACTS and item.claimed)]
    reminders.sort(key=lambda item: (not item.critical, -item.importance, item.seq))
    goal = [item for item in items.get(SectionKind.NEXT, ()) if item.label == "goal"]
    return Directive(
        summary=summary,
        immediate_actions=tuple(actions) if options.include_immediate_actions else (),
        context_reminders=tuple(item.text for item in reminders[: options.max_reminder_count]) if options.include_context_reminders else (),
        user_intent=goal[0].text if goal else "",
    )


def render(package: Package, style: Style | None = None) -> str:
    """The package's directive as text, in its own style or another one."""
    return render_sections(package.sections, style or package.options.style, package.plan.scaffold)


def render_sections(sections: Sequence[PackageSection], style: Style, scaffold: Scaffold) -> str:
    """Sections as text between the two brackets; empty ones leave no trace."""
    manner = MANNERS[style].beside(section.items for section in sections)
    by_kind = {section.kind: section for section in sections if section.items}
    body = "".join(manner.section(by_kind[kind], scaffold) for kind in ORDER if kind in by_kind)
    opening, closing = manner.frame(scaffold, body)
    return f"{opening}{body.rstrip()}\n{closing}\n"
