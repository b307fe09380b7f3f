"""All cue rules in the order in which they are tried; the first that matches a sentence names it."""

from __future__ import annotations

from collections.abc import Iterable

from continuity.distill.language.rules import artifact, constraint, correction, decision, fact, preference, problem
from continuity.distill.language.rules.rule import Line, Rule, Setting
from continuity.distill.language.sieve import Sieve


class RuleSet:
    """Rules in the order in which they are tried, sorted by the setting they read."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._by_setting = {setting: [r for r in self.rules if setting in r.settings] for setting in Setting}
        self._sieves = {setting: Sieve(r.cue for r in rules) for setting, rules in self._by_setting.items()}

    def first_match(self, line: Line) -> Rule | None:
        """The first rule that the line matches."""
        if line.leads_in:
            return None
        rules = self._by_setting[line.setting]
        return next((rule for n in self._sieves[line.setting].left(line.low) if (rule := rules[n]).matches(line)), None)

    def without(self, *names: str) -> RuleSet:
        """The rules but those named, or all of a family (`decision`), to measure what each contributes."""
        return RuleSet(r for r in self.rules if r.name not in names and r.name.split(".")[0] not in names)


RULES = RuleSet(
    (
        *correction.RULES,
        *constraint.RULES,
        *preference.RULES,
        *fact.CAUSES,
        *decision.RULES,
        *problem.RULES,
        *artifact.RULES,
        *fact.RULES,
    )
)

__all__ = ["RULES", "Line", "Rule", "RuleSet", "Setting"]
