"""Why a sentence is an anchor: the rules that match it, the one that names it first, and on which words."""

from __future__ import annotations

from dataclasses import dataclass

from continuity.knowledge.anchors.thoughts import rule_of
from continuity.knowledge.language.sentences import split
from continuity.knowledge.model import AnchorType, Truth
from continuity.knowledge.rules.catalogue import RULES, RuleLine, Setting


@dataclass(frozen=True, slots=True)
class MatchedRule:
    """A rule that matches a sentence: its id, which is the anchor's `method`, and the words that its cue found, in lower case."""

    name: str
    type: AnchorType
    importance: float
    words: str


@dataclass(frozen=True, slots=True)
class ExplainedSentence:
    """A sentence with the rules that match it in the order in which they are tried: the first one names it, the others are runners-up."""

    text: str
    rules: tuple[MatchedRule, ...]


def explained(text: str, setting: Setting) -> list[ExplainedSentence]:
    """Each sentence of a text, as it would be read from who speaks. What depends on the conversation is left out: section headings, how
    often a name was used before, and whether the words repeat a request."""
    found = []
    for sentence in split(text):
        line = RuleLine.of(sentence, setting)
        rules = () if line.leads_in else tuple(rule for rule in RULES.rules if rule.matches(line))
        matched = ((rule, rule.cue.search(line.low)) for rule in rules)
        found.append(
            ExplainedSentence(
                sentence.text,
                tuple(MatchedRule(rule.name, rule.type, rule.weight(line), cue[0].strip() if cue else "") for rule, cue in matched),
            )
        )
    return found


def found_by(text: str, truth: Truth, method: str) -> tuple[MatchedRule, ...]:
    """The rules that match an anchor's words, that of its `method` first; empty where no rule found it, or none does any more."""
    setting = Setting.PERSON if truth is Truth.STATED else Setting.REPORT
    rules = {rule.name: rule for sentence in explained(text, setting) for rule in reversed(sentence.rules)}
    named = rule_of(method)
    return (rules.pop(named), *rules.values()) if named in rules else ()
