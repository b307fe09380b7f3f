"""Who may speak next. Only who is allowed is ever chosen: no strategy, model, rule or fallback adds anybody. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from continuity.agents.statuses import AgentStatus
from continuity.groups.model import GroupSituation, GroupSpeaker, PastTurn, RoutingAction

# `degraded` works without knowing all that it missed: it is not asked to speak for a group.
_THERE = frozenset({AgentStatus.READY, AgentStatus.ACTIVE})


def is_present(speaker: GroupSpeaker) -> bool:
    return speaker.status in _THERE


def allowed(situation: GroupSituation, *, in_a_row: int) -> tuple[list[GroupSpeaker], dict[str, str]]:
    """Return those who may speak, in their order in the group, and why each of the others may not."""
    there: list[GroupSpeaker] = []
    refused: dict[str, str] = {}
    for each in sorted(situation.speakers, key=lambda speaker: (speaker.place, speaker.name)):
        if each.excluded:
            refused[each.name] = "excluded"
        elif not is_present(each):
            refused[each.name] = each.status
        else:
            there.append(each)
    skipped = {effect.agent for effect in situation.effects if effect.action == RoutingAction.SKIP}
    after_rules = [each for each in there if each.name not in skipped]
    for each in there:
        if each.name in skipped:
            refused[each.name] = "skipped by a rule"
    tired = _spoke_on_end(situation.past, in_a_row)
    rest = [each for each in after_rules if each.name != tired]
    if tired and len(rest) < len(after_rules):
        refused[tired] = f"spoke {in_a_row} times in a row"
    return rest, refused


def _spoke_on_end(past: Sequence[PastTurn], in_a_row: int) -> str:
    """Who held the last `in_a_row` turns; empty where nobody did."""
    last = past[-in_a_row:]
    names = {each.speaker for each in last}
    return names.pop() if len(last) == in_a_row and len(names) == 1 else ""
