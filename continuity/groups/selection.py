"""Who speaks next (FR-018): first who may, then by the workflow's step, then by the group's strategy. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from continuity.groups import allowed as who
from continuity.groups import words
from continuity.groups.limits import GroupLimits, alternates, has_nothing_new
from continuity.groups.model import GroupSituation, GroupSpeaker, RoutingAction, Selected, SelectionOutcome, SpeakerScores
from continuity.groups.strategies import STRATEGIES, expertise
from continuity.groups.strategies.round_robin import longest_silent

NOBODY_THERE = "no agent of the group is there"


def choose(situation: GroupSituation, limits: GroupLimits, *, reached: str = "") -> Selected:
    """Whose turn it is; a person's where a limit is `reached`, agents go in circles, or only those are left who may not speak on."""
    speakers, refused = who.allowed(situation, in_a_row=limits.in_a_row)
    events = tuple(dict.fromkeys(effect.event for effect in situation.effects))
    if not any(who.is_present(each) and not each.excluded for each in situation.speakers):
        return Selected(SelectionOutcome.NOBODY, refused=refused, reason=NOBODY_THERE, events=events)
    if reached:
        return Selected(SelectionOutcome.PERSON, refused=refused, reason=reached, events=events)
    if alternates(situation.past):
        a, b = sorted({each.speaker for each in situation.past[-2:]})
        return Selected(SelectionOutcome.PERSON, refused=refused, reason=f"{a} and {b} say nothing new to each other", events=events)
    if has_nothing_new(situation.past, there=len(speakers)):
        return Selected(SelectionOutcome.PERSON, refused=refused, reason="nobody says anything new", events=events)
    if not speakers:
        return Selected(SelectionOutcome.PERSON, refused=refused, reason="nobody who is there may speak now", events=events)
    scored = _scored(situation, speakers)
    scores = _steered(scored.scores, situation)
    best = max(scores.values())
    first = longest_silent([each for each in speakers if scores[each.name] >= best])
    reason = scored.reason
    if any(effect.agent == first.name and effect.action == RoutingAction.RAISE for effect in situation.effects):
        reason += "; raised by a rule"
    rounded = {name: round(value, 4) for name, value in scores.items()}
    return Selected(SelectionOutcome.CHOSEN, first.name, rounded, refused, reason, scored.fallback, events, scored.doubt)


def wants_advice(situation: GroupSituation, speakers: Sequence[GroupSpeaker]) -> bool:
    """Whether a model's word would count: not where somebody was asked by name or owns the step, nor where the rules are sure."""
    names, step = {each.name for each in speakers}, situation.step
    if len(names) < 2 or words.addressed(situation.asked, list(names)) or (step is not None and step.owner in names):
        return False
    if situation.strategy == "llm" and not (step is not None and (step.owner or step.expertise)):
        return True
    return bool(expertise.by_rules(situation, speakers).doubt)


def _scored(situation: GroupSituation, speakers: Sequence[GroupSpeaker]) -> SpeakerScores:
    """Scores by whom the question is for, the step's owner, what the step asks for, or the strategy."""
    addressed = words.addressed(situation.asked, [each.name for each in speakers])
    if addressed:
        return _only(addressed, speakers, f"{addressed} was asked by name")
    step = situation.step
    if step is not None and step.owner:
        if step.owner in {each.name for each in speakers}:
            return _only(step.owner, speakers, f"{step.owner} owns the step {step.key}")
        scored = STRATEGIES["expertise"](situation, speakers)
        why = f"{step.owner}, who owns the step {step.key}, may not speak now"
        return SpeakerScores(scored.scores, f"{why}; {scored.reason}", True, scored.doubt)
    if step is not None and step.expertise:
        return STRATEGIES["expertise"](situation, speakers)
    return STRATEGIES[situation.strategy](situation, speakers)


def _only(name: str, speakers: Sequence[GroupSpeaker], reason: str) -> SpeakerScores:
    return SpeakerScores({each.name: 1.0 if each.name == name else 0.0 for each in speakers}, reason)


def _steered(scores: Mapping[str, float], situation: GroupSituation) -> dict[str, float]:
    """Scores after rules have raised and lowered them; a rule lifts also who had nothing."""
    found = dict(scores)
    for effect in situation.effects:
        if effect.agent in found and effect.action == RoutingAction.RAISE:
            found[effect.agent] = found[effect.agent] * effect.factor + (effect.factor - 1) * max(scores.values(), default=0) / 2
        elif effect.agent in found and effect.action == RoutingAction.LOWER:
            found[effect.agent] /= effect.factor
    return found
