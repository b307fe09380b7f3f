"""Values, identifiers, findings and causes that later work rests on."""

from __future__ import annotations

import re

from continuity.knowledge.language.amounts import amounts
from continuity.knowledge.language.blocks import BlockKind
from continuity.knowledge.language.content_words import content, count_identifiers, is_identifier, tokens
from continuity.knowledge.language.requests import is_request
from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.engine import AGENT, GUESS, PERSON, REPORT, Rule, RuleLine, cue
from continuity.knowledge.rules.prefilter import PrefilteredPattern
from continuity.knowledge.state.fold_cache import cached

_VALUE = re.compile(
    r"https?://|\b[0-9a-f]{7,40}\b|#\d+|\b[a-z]{2,6}-[0-9a-z]{1,6}\b|\bv?\d+\.\d+|\bport\b.{0,12}\d"
    r"|\b\d+(?:\.\d+)?\s?(?:%|ms|s|sec|seconds?|minutes?|min|hours?|days?|kb|mb|gb|tokens?|tests?|pages?|files?|lines?|rows?|users?"
    r"|items?|issues?|commits?|calls?)\b"
    r"|\b\d+ (?:out )?of (?:the )?\d+\b"
)
_FINDING = re.compile(
    r"\broot cause\b|\bculprit\b|\bthe (?:actual |real |main |underlying |fundamental )?(?:issue|problem|bug|cause|reason|difference|key"
    r"|catch)"
    r"\b(?: here)? (?:is|was)\b|\b(?:this|that|which) (?:is|was) (?:because|why|due to|caused)\b|\bturns out\b|\bbecause\b|\bsince"
    r"\b|\bmeans\b"
    r"|\bcaused by\b|\bdue to\b|\b(?:confirmed|verified|found|discovered)\b|\bexplains\b|\balready\b|\bno longer\b"
    r"|\bnow (?:uses|has|returns|includes|points|accepts|shows|fetches|covers)\b|\b(?:only|literally) (?:has|have|contains?|returns?"
    r"|supports?|in|the)\b"
    r"|\bpre-existing\b|\b(?:does not|doesn't|don't) (?:exist|support|provide|appear|have|need)\b|\bso (?:it|the|we|that|this)\b"
)
_STATE = re.compile(
    r"\b(?:added|removed|changed|fixed|renamed|moved|replaced|updated|created|closed|opened|posted|pushed|committed|merged|deleted"
    r"|configured"
    r"|switched|extracted|inlined|rewrote|refactored|wired|simplified|implemented|completed|reverted|handles?|uses|stores?|returns?"
    r"|reads|writes|is"
    r"|are|was|were|lives|contains|requires|supports|accepts|depends|expects|calls|passes|passed|succeeded)\b"
)
_LABEL = re.compile(r"(?:\*\*|`)[^*`\n]{2,80}(?:\*\*|`)\s*(?::|—|–|-|\()")


def score(line: RuleLine) -> int:
    """How many marks of a finding a line bears: exact names, values, words of cause or change, a label, recurring names."""
    points = count_identifiers(line.plain, 2)
    points += _marks(line.low)
    points += 1 if _LABEL.match(line.sentence.text) else 0
    points += 1 if line.usage >= 3 else 0
    return points


@cached
def _marks(low: str) -> int:
    return sum(pattern.search(low) is not None for pattern in (_VALUE, _FINDING, _STATE))


_CHANGES = re.compile(
    r"\b(?:fix|chang|updat|summary|what i|what was|done|implement|verif|result|added|complet|pushed|confirm|found|geändert|modifi)"
)


def _graded(line: RuleLine) -> float:
    return 0.035 * (score(line) - 3) - (0.1 if GUESS.search(line.low) else 0.0)


def _guessed(line: RuleLine) -> float:
    """A cause that an agent only supposes is worth hardly more than any remark: the next look often shows another."""
    return -0.25 if GUESS.search(line.low) else 0.0


def _reported(line: RuleLine) -> bool:
    told = line.sentence.kind is BlockKind.ITEM and _CHANGES.search(line.sentence.under) is not None
    return len(line.low) >= 20 and score(line) >= (2 if told else 3)


def _found(line: RuleLine) -> bool:
    return len(line.low) >= 20 and score(line) >= 3


def _stated(line: RuleLine) -> bool:
    found = tokens(line.plain)
    return 3 <= len(found) <= 60 and (_VALUE.search(line.low) is not None or any(is_identifier(t) for t in found))


_MONTH = PrefilteredPattern(
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri)day)s?\b"
)
_CLAUSE = re.compile(r"\.\.\.|…|[,;:]\s|\s[–—-]\s")
_CHAT = re.compile(
    r"^(?:(?:ok|okay|so|and|but|also|hmm+|well|hey|hi|hello|thanks|thank you|sorry|good|great|nice|oh|yes|yeah|though)\b[,.!]?[ –—-]*)*"
    r"(?:i\b|i'm\b|i've\b|my \w+ (?:was|broke|is late)|you\b|this\b|that\b|it\b|there was\b"
    r"|last time\b)"
)


def _told(line: RuleLine) -> bool:
    """A statement about something of its own: with a quantity, a date or a name in it, and not about the talk itself."""
    found = tokens(line.plain)
    if line.brief or line.sentence.kind is not BlockKind.PROSE or not 4 <= len(found) <= 60 or _CHAT.match(line.low):
        return False
    if any(is_request(clause) for clause in _CLAUSE.split(line.plain)):
        return False
    exact = any(is_identifier(t) or t[0].isdigit() or (n and t[0].isupper() and t not in _PRONOUNS) for n, t in enumerate(found))
    return exact or bool(amounts(line.low)) or _MONTH.search(line.low) is not None


def _plainly(line: RuleLine) -> bool:
    """A plain statement of some content in a short message: worth a line where there is room."""
    if line.brief or line.sentence.kind is not BlockKind.PROSE or _CHAT.match(line.low) or len(content(line.plain, 4)) < 3:
        return False
    return not any(is_request(clause) for clause in _CLAUSE.split(line.plain))


_PRONOUNS = frozenset(("I", "I'm", "I'd", "I'll", "I've", "OK"))


def _in_brief(line: RuleLine) -> float:
    return -0.16 if line.brief else 0.0


def _contrasts(line: RuleLine) -> bool:
    """What something is beside what it was taken for, by its exact name or amount."""
    if GUESS.search(line.low) or len(content(line.plain, 4)) < 3:
        return False
    return "`" in line.sentence.text or _VALUE.search(line.low) is not None or count_identifiers(line.plain, 1) > 0


def _weighs(line: RuleLine) -> bool:
    return len(content(line.plain, 6)) >= 5


CAUSES = (
    Rule(
        "fact.cause",
        AnchorType.FACT,
        cue(
            r"\broot cause\b|\bculprit\b",
            r"\bthe (?:actual |real |main |underlying |fundamental )?(?:issue|problem|bug|cause|reason|catch) (?:here )?(?:is|was)\b",
            r"\bfound (?:it|the (?:issue|bug|problem|cause))\b",
            r"\b(?:this|that|which) (?:is|was) (?:because|why|due to|caused)\b",
        ),
        AGENT,
        0.82,
        joins="after",
        weigh=_guessed,
    ),
)
RULES = (
    Rule(
        "fact.stated",
        AnchorType.FACT,
        cue(
            r"\b(?:is|are|was|were|runs? on|lives? (?:in|at|under)|located|listens? on|points? to|called|named|uses?|has|have|equals"
            r"|ist|sind|est|sont)\b|=|:\s*\S"
        ),
        PERSON,
        0.88,
        test=_stated,
        weigh=_in_brief,
    ),
    Rule(
        "fact.current",
        AnchorType.FACT,
        cue(r"\b(?:currently|already|at the moment|right now|these days|anymore|for context|fyi)\b"),
        PERSON,
        0.82,
        weigh=_in_brief,
    ),
    Rule(
        "fact.told",
        AnchorType.FACT,
        cue(r"\b\w+(?:s|ed|en|ne|wn|lt|nt|ve|re|ll|d|ok|ew)\b|\b(?:came|come|kept|left|got|met|fell|began|ran|put|cost)\b"),
        PERSON,
        0.78,
        test=_told,
        weigh=_in_brief,
    ),
    Rule(
        "fact.plain",
        AnchorType.FACT,
        cue(
            r"^(?:the|our|my|your|a|an|every|whoever|you may|we|they|[a-z]+) (?:\w+ ){0,3}?(?:is|are|\w{3,}s"
            r"|dropped|moved|decided|left|may|assume)\b"
        ),
        PERSON,
        0.6,
        cue(r"^(?:very |really )?(?:good|great|nice|solid|excellent|amazing|steady) (?:progress|work|job|going|stuff|start|so far)\b"),
        test=_plainly,
    ),
    Rule(
        "fact.labelled",
        AnchorType.FACT,
        cue(
            r"^(?:the |my |key )?(?:fix|solution|workaround|change|approach|resolution|conclusion|outcome|cause|reason|why|caveat|finding"
            r"|insight|catch|impact|consequence|difference)(?: \w+)?: (?=\S)"
        ),
        REPORT,
        0.76,
        test=_weighs,
    ),
    Rule(
        "fact.caution",
        AnchorType.FACT,
        cue(
            r"^(?:[\w /-]{1,30}: )?[*_]?(?:please )?(?:ensure|make sure|be sure|remember to|keep in mind|beware|be careful|do not|don't"
            r"|never)\b(?! (?:worry|hesitate|know|think|see|need|have)\b)",
        ),
        REPORT,
        0.74,
    ),
    Rule(
        "fact.command",
        AnchorType.FACT,
        cue(r"\b(?:run|execute|enter|type|paste|use) (?:\w+ )?(?:this|the following|these|that) (?:\w+ )?commands?\b.*:$"),
        REPORT,
        0.68,
    ),
    Rule(
        "fact.contrast",
        AnchorType.FACT,
        cue(
            r"\b(?:is|are|was|were|has|have|returns?|uses?|gives?|takes?|means|needs?)\b.{1,120}, (?:and )?not (?!(?:only|just|yet|sure"
            r"|to)\b)\w"
        ),
        AGENT,
        0.64,
        test=_contrasts,
    ),
    Rule(
        "fact.cost",
        AnchorType.FACT,
        cue(
            r"\b(?:trade-?offs?|downsides?|drawbacks?|side effects?)\b|\bat the (?:cost|expense) of\b|\b(?:can|could|may|will) (?:affect"
            r"|increase|slow down|hurt)\b|\bthis (?:change|fix|approach) means\b",
        ),
        AGENT,
        0.6,
        cue(r"\b(?:no|without|any) (?:\w+ )?(?:trade-?off|downside|drawback|side effect)"),
        test=_weighs,
    ),
    Rule("fact.report", AnchorType.FACT, cue(r"\S"), REPORT, 0.62, test=_reported, weigh=_graded),
    Rule("fact.found", AnchorType.FACT, _FINDING, AGENT, 0.6, test=_found, weigh=_graded),
)
