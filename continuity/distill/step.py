"""The context in which one message is folded: its place, the state it changes, and the changes it causes."""

from __future__ import annotations

from dataclasses import dataclass, field

from continuity.distill.language.rules import RULES, RuleSet
from continuity.distill.model import Change, Quote, Ref
from continuity.distill.state import FoldState
from continuity.transcripts.model import Message

EPOCH = 1000  # messages between two checkpoints


@dataclass(slots=True)
class Step:
    """One message being folded into `state`, which it may change; `changes` is what it found, in order."""

    state: FoldState
    seq: int
    message: Message
    rules: RuleSet = RULES
    changes: list[Change] = field(default_factory=list)

    @property
    def aside(self) -> bool:
        """Whether the message belongs to a side chain."""
        return bool(self.message.agent)

    def quote(self, part: int, start: int, end: int) -> Quote:
        """The words between two offsets of a part."""
        return Quote(self.message.parts[part].text[start:end], Ref(self.seq, part, start, end))
