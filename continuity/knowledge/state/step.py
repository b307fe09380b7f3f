"""The context in which one message is folded: its place, the state it changes, and the changes it causes."""

from __future__ import annotations

from dataclasses import dataclass, field

from continuity.core.isolation import NOT_ITS_FAULT, RuleFault, error_type
from continuity.knowledge.model import Change, Quote, Ref
from continuity.knowledge.rules.catalogue import RULES, Rule, RuleLine, RuleSet
from continuity.knowledge.state.state import FoldState
from continuity.transcripts.base.model import Message

EPOCH = 1000  # messages between two checkpoints


@dataclass(slots=True)
class FoldStep:
    """One message being folded into `state`, which it may change; `changes` is what it found, in order,
    `faults` the rules that raised."""

    state: FoldState
    seq: int
    message: Message
    rules: RuleSet = RULES
    changes: list[Change] = field(default_factory=list)
    faults: list[RuleFault] = field(default_factory=list)

    @property
    def aside(self) -> bool:
        """Whether the message belongs to a side chain."""
        return bool(self.message.agent)

    def rule_of(self, line: RuleLine) -> Rule | None:
        """The first rule that the line matches."""
        return self.rules.first_match(line, self.faults)

    def weight(self, rule: Rule, line: RuleLine) -> float:
        """The importance of a line that the rule matched; that of its kind where weighing it raises."""
        try:
            return rule.weight(line)
        except NOT_ITS_FAULT:
            raise
        except Exception as error:  # noqa: BLE001  counted
            self.faults.append(RuleFault(rule.name, error_type(error)))
            return rule.importance

    def quote(self, part: int, start: int, end: int) -> Quote:
        """The words between two offsets of a part."""
        return Quote(self.message.parts[part].text[start:end], Ref(self.seq, part, start, end))
