"""Rules by which events change who speaks (FR-015): a pattern of topics, and what it does for the next selection. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from continuity.agents.names import is_name
from continuity.events.topics import BadTopic, checked_patterns, matches
from continuity.groups.model import RoutingAction, RoutingEffect
from continuity.groups.workflow import END, Workflow

MOST_RULES = 20
MOST_EFFECTS = 20
FACTOR = 1.5
_FIELDS = frozenset({"pattern", "action", "agent", "factor", "step"})


class BadRoute(ValueError):
    """What can't be a rule; the message says why."""


@dataclass(frozen=True, slots=True)
class RoutingRule:
    """`agent` is who is raised, lowered or skipped; `step` to which step an advance goes on, empty: the usual one."""

    pattern: str
    action: RoutingAction
    agent: str = ""
    factor: float = FACTOR
    step: str = ""

    def as_json(self) -> dict[str, Any]:
        about = {"step": self.step} if self.action == RoutingAction.ADVANCE else {"agent": self.agent, "factor": self.factor}
        return {"pattern": self.pattern, "action": str(self.action), **about}


@dataclass(frozen=True, slots=True)
class SeenEvent:
    id: str
    topic: str


@dataclass(frozen=True, slots=True)
class Routed:
    """What events do to a group: effects on the next selection, and steps to advance to, each with the event behind it."""

    effects: tuple[RoutingEffect, ...]
    advances: tuple[tuple[str, str], ...]


def read(given: Sequence[Mapping[str, Any]], workflow: Workflow) -> tuple[RoutingRule, ...]:
    """Rules from plain values. Raises BadRoute."""
    if len(given) > MOST_RULES:
        raise BadRoute(f"A group has at most {MOST_RULES} rules, not {len(given):,}")
    return tuple(_rule(each, workflow) for each in given)


def _rule(given: Mapping[str, Any], workflow: Workflow) -> RoutingRule:
    if not isinstance(given, Mapping) or not set(given) <= _FIELDS:
        raise BadRoute(f"A rule is an object with {', '.join(sorted(_FIELDS))}")
    try:
        pattern = checked_patterns(str(given.get("pattern", "")))
    except BadTopic as error:
        raise BadRoute(f"{error}") from error
    action = given.get("action")
    if not isinstance(action, str) or action not in list(RoutingAction):
        raise BadRoute(f"A rule's action is one of {', '.join(RoutingAction)}")
    agent, step, factor = given.get("agent", ""), given.get("step", ""), given.get("factor", FACTOR)
    if action == RoutingAction.ADVANCE:
        if not workflow.steps:
            raise BadRoute("A rule can only advance a workflow that has steps")
        if not isinstance(step, str) or (step and step != END and workflow.step(step) is None):
            raise BadRoute("A rule advances to a step of the workflow, or to the end")
    elif not isinstance(agent, str) or not is_name(agent):
        raise BadRoute(f"The action {action} needs the name of an agent")
    if isinstance(factor, bool) or not isinstance(factor, int | float) or not 1 < factor <= 10:
        raise BadRoute("The factor of a rule is more than 1 and at most 10")
    return RoutingRule(pattern, RoutingAction(action), str(agent), float(factor), str(step))


def route(rules: Sequence[RoutingRule], events: Sequence[SeenEvent]) -> Routed:
    """What the events do, in their order: the latest 20 effects count."""
    effects: list[RoutingEffect] = []
    advances: list[tuple[str, str]] = []
    for event in events:
        for rule in rules:
            if not matches(rule.pattern, event.topic):
                continue
            if rule.action == RoutingAction.ADVANCE:
                advances.append((rule.step, event.id))
            else:
                effects.append(RoutingEffect(rule.action, rule.agent, event.id, rule.factor))
    return Routed(tuple(effects[-MOST_EFFECTS:]), tuple(advances[-MOST_EFFECTS:]))
