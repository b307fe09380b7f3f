"""A cue rule: data that can be listed, tested and left out one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from continuity.knowledge.language.content_words import content, count_identifiers
from continuity.knowledge.language.requests import is_question, is_request, undecided
from continuity.knowledge.language.sentences import Sentence, plain
from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.prefilter import PrefilteredPattern


class Setting(StrEnum):
    """Who speaks and how: the person, an agent that reports, an agent that comments between two acts."""

    PERSON = "person"
    REPORT = "report"
    ASIDE = "aside"


PERSON = frozenset({Setting.PERSON})
AGENT = frozenset({Setting.REPORT, Setting.ASIDE})
REPORT = frozenset({Setting.REPORT})
ANYONE = frozenset(Setting)

# Where a clause can begin, so that a command is told from a description ("never push" from "it never fires").
CLAUSE = (
    r"(?:^|[.,;:!?(—–>]\s*|\s-\s*"
    r"|\b(?:please|pls|and|but|so|also|just|then|or|kindly|ok|okay|yes|no|bitte|und|aber|et|mais|puis|svp)[\s,]+)"
)

NAMED = 3  # exact names with which words before a colon stand by themselves

# An agent saying what it does this moment: never knowledge.
NARRATION = re.compile(
    r"(?:(?:now|next|first|then|so|but|ok|okay|good|great|perfect|alright|right|and|also|excellent|hmm|finally|wait|actually|clean"
    r"|done)[,.:!—–-]*\s*)*"
    r"(?:let me\b"
    r"|let's (?:now )?(?:see|check|look|verify|run|start|read|find|examine|try|paste|open|reproduce|proceed|submit|test)\b"
    r"|i'll\b|i will\b|i'm (?:now |also |just )?\w+ing\b"
    r"|i am (?:now )?\w+ing\b|i need to\b|i should\b|i want to\b|i have to\b|time to\b"
    r"|now (?:update|add|remove|fix|run|check|edit|create|write|verify|implement)\b)"
)


# What is only supposed.
GUESS = PrefilteredPattern(r"\b(?:probably|likely|maybe|perhaps|possibly|presumably|might be|could be|may be|i suspect|i think)\b")


@dataclass(slots=True)  # not frozen: one is made for each sentence
class RuleLine:
    """A sentence ready for matching.

    `low` is its plain form in lower case, `asks` whether it is a question, `narrates` whether an agent says what it is
    doing, `usage` how often its exact names were used before, `brief` whether it stands in a long text of the person.
    """

    sentence: Sentence
    plain: str
    low: str
    setting: Setting
    asks: bool
    narrates: bool
    usage: int = 0
    brief: bool = False

    @classmethod
    def of(cls, sentence: Sentence, setting: Setting, usage: int = 0, brief: bool = False) -> RuleLine:
        words = plain(sentence.text)
        low = words.lower()
        person = setting is Setting.PERSON
        asks = low.rstrip(" )\"'*").endswith(("?", "？")) or (person and is_question(low) and not is_request(low))
        asks = asks or (person and undecided(low) != "")
        return cls(sentence, words, low, setting, asks, not person and NARRATION.match(low) is not None, usage, brief)

    @property
    def leads_in(self) -> bool:
        """Whether an agent's sentence only announces the list below it; one that names what it is about tells something itself."""
        if self.setting is Setting.PERSON or not self.low.endswith(":") or len(content(self.plain, 6)) >= 6:
            return False
        return count_identifiers(self.plain, NAMED) < NAMED


Predicate = Callable[[RuleLine], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """One cue: where `cue` stands in the plain lower-case sentence and `unless` does not, the sentence is of `type`.

    `importance` is 0..1. `narration` lets the rule read sentences in which an agent says what it is doing, `questions`
    those that ask. `predicates` are last conditions on the whole line, by name, and all must hold; `weigh` is what to add
    to its importance. `joins` says that a short sentence of this kind means nothing alone and is joined to the one `after`
    or `before` it.
    """

    name: str
    type: AnchorType
    cue: re.Pattern[str]
    settings: frozenset[Setting]
    importance: float
    unless: re.Pattern[str] | None = None
    narration: bool = False
    questions: bool = False
    predicates: Mapping[str, Predicate] = field(default_factory=dict)
    weigh: Callable[[RuleLine], float] | None = None
    joins: str = ""

    def matches(self, line: RuleLine) -> bool:
        if line.setting not in self.settings or (line.narrates and not self.narration) or (line.asks and not self.questions):
            return False
        if not self.cue.search(line.low) or (self.unless and self.unless.search(line.low)):
            return False
        for holds in self.predicates.values():  # noqa: SIM110  a generator for each line takes twice as long
            if not holds(line):
                return False
        return True

    def weight(self, line: RuleLine) -> float:
        """The importance of the line that the rule matched."""
        return self.importance if self.weigh is None else self.importance + self.weigh(line)


def cue(*alternatives: str) -> re.Pattern[str]:
    """The alternatives as one pattern over lower-case text."""
    return re.compile("|".join(f"(?:{a})" for a in alternatives))
