"""All cue rules in the order in which they are tried; the first that matches a sentence names it. Each family has a TOML file here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from importlib import resources

from continuity.core.isolation import NOT_ITS_FAULT, RuleFault, error_type
from continuity.knowledge.rules.engine import Rule, RuleLine, Setting
from continuity.knowledge.rules.loader import RuleFamily, read_family
from continuity.knowledge.rules.prefilter import Prefilter


class RuleSet:
    """Rules in the order in which they are tried, sorted by the setting they read.

    They are `given` by a function that is called when they are needed first: to read and compile the catalogue takes a third of a
    second, and many processes never read a message.
    """

    def __init__(self, given: Callable[[], Iterable[Rule]]) -> None:
        self._given = given

    def load(self) -> None:
        """Makes ready what the first message would wait for."""
        _ = self._by_setting, self._sieves

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(self._given())

    @cached_property
    def _by_setting(self) -> dict[Setting, list[Rule]]:
        return {setting: [r for r in self.rules if setting in r.settings] for setting in Setting}

    @cached_property
    def _sieves(self) -> dict[Setting, Prefilter]:
        return {setting: Prefilter(r.cue for r in rules) for setting, rules in self._by_setting.items()}

    def first_match(self, line: RuleLine, faults: list[RuleFault]) -> Rule | None:
        """The first rule that the line matches. One that raises does not match, and is entered in `faults`."""
        if line.leads_in:
            return None
        rules = self._by_setting[line.setting]
        for n in self._sieves[line.setting].left(line.low):
            try:
                if rules[n].matches(line):
                    return rules[n]
            except NOT_ITS_FAULT:
                raise
            except Exception as error:  # noqa: BLE001  counted, and the other rules read on
                faults.append(RuleFault(rules[n].name, error_type(error)))
        return None

    def without(self, *names: str) -> RuleSet:
        """The rules but those named, or all of a family (`decision`), to measure what each contributes."""
        return RuleSet(lambda: [r for r in self.rules if r.name not in names and r.name.split(".")[0] not in names])


def families() -> tuple[RuleFamily, ...]:
    """The families as their files hold them, by name."""
    files = [each for each in resources.files(__name__).iterdir() if each.name.endswith(".toml")]
    return tuple(
        read_family(each.name.removesuffix(".toml"), each.read_text(encoding="utf-8")) for each in sorted(files, key=lambda f: f.name)
    )


def _all() -> list[Rule]:
    entries = [entry for family in families() for entry in family.entries]
    return [entry.rule for entry in sorted(entries, key=lambda entry: entry.order)]


RULES = RuleSet(_all)

__all__ = ["RULES", "Rule", "RuleLine", "RuleSet", "Setting", "families"]
