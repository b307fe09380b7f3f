"""Choices between alternatives: made by the person, or made or recommended by the agent."""

from __future__ import annotations

from continuity.knowledge.language.acceptance import acceptance
from continuity.knowledge.language.content_words import content, count_identifiers
from continuity.knowledge.language.requests import is_request
from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.engine import AGENT, CLAUSE, PERSON, REPORT, Rule, RuleLine, cue


def _weighty(line: RuleLine) -> bool:
    return len(content(line.plain, 4)) >= 2


def _in_brief(line: RuleLine) -> float:
    """A sentence of a long brief sets out the work; only its sections of decisions and rules are laws of their own."""
    return -0.12 if line.brief else 0.0


def _names_a_choice(line: RuleLine) -> bool:
    """ "Eight retries please": what is wanted, without a verb that asks for an act."""
    return not is_request(line.plain) and len(content(line.plain, 4)) >= 3 and acceptance(line.plain) is None


def _person(name: str, importance: float, *cues: str, unless: str = "", joins: str = "") -> Rule:
    test = None if joins else _weighty
    return Rule(
        name, AnchorType.DECISION, cue(*cues), PERSON, importance, cue(unless) if unless else None, test=test, weigh=_in_brief, joins=joins
    )


def _agent(
    name: str, importance: float, *cues: str, unless: str = "", narration: bool = False, report: bool = False, joins: str = ""
) -> Rule:
    settings = REPORT if report else AGENT
    excluded = cue(unless) if unless else None
    test = None if joins else _weighty
    return Rule(name, AnchorType.DECISION, cue(*cues), settings, importance, excluded, narration=narration, test=test, joins=joins)


# An agent's step of this moment, which the file it changes shows.
_ACT = r"^(?:\w+[.,!] )?now (?:update|remove|replace|add|fix|edit|create|write|rename|move)\b"
QUANTITY = r"(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|half|zero)\b)"
_CHOICE = (
    r"(?:use|using|take|taking|keep|keeping|go|pick|choose|make|put|store|match|switch|extract|simplif\w+|write|call|build|add|put|apply"
    r"|run|treat|model"
    r"|replace|move|split|prefer|chose|picked|avoid|return|read|fetch|pass|rely)"
)


def _names_both(line: RuleLine) -> bool:
    """What is changed and what into, or where, by exact names."""
    return count_identifiers(line.plain, 2) == 2


RULES = (
    _person(
        "decision.lets",
        0.95,
        r"\b(?:let's|lets|let us)\s+(?:\w+ )?\w+",
        unless=r"\b(?:let's|lets|let us) (?:see|say|think|go\b|do (?:it|that|this)\b|continue|start\b|check|look|take a look|have a look"
        r"|commit|push|talk)",
    ),
    _person(
        "decision.agree",
        0.95,
        r"\bi(?:'d)? (?:agree|decided|choose|chose|picked|pick|vote|went with|go with)\b",
        r"\bi(?:'ve| have) decided\b",
        r"\bi think so\b",
        r"^agreed\b",
        r"\bdecision:",
        joins="before",
    ),
    _person(
        "decision.want",
        0.92,
        r"\bi (?:just |only |really |also )?(?:want|wanted|would like|need)\b",
        r"\bi'd (?:just |also )?like\b",
        r"\bwe (?:just |only |really |also )?(?:want|need)\b",
        unless=r"\b(?:want|like|need) (?:you )?to (?:know|see|understand|ask|check|make sure)\b|\bif (?:you|we|i) (?:want|need)\b"
        r"|\b(?:want|like|need) you to\b|\bi need (?:help|your)\b",
    ),
    _person(
        "decision.choose",
        0.92,
        CLAUSE + r"(?:go with|go for|use|choose|pick|switch to|stick (?:with|to)|start with|proceed with|treat|keep|skip|drop|forget|scrap"
        r"|default to"
        r"|reuse|adopt)\s+\w+",
        r"\breplace \S+(?: \S+){0,4} (?:with|by)\b",
        r"\b(?:instead of|rather than)\b",
        r"\binstead\b",
        r"\bship it (?:behind|without|with|as)\b",
        unless=r"\buse (?:case|of)\b|\bkeep (?:going|in mind)\b|\bforget (?:it|about it)$",
    ),
    _person(
        "decision.set",
        0.92,
        CLAUSE + r"(?:set|bump|raise|lower|increase|decrease|reduce|scale|limit|cap|make|change|move|let|put|turn|start|keep"
        r"|give)\s[^?.]{2,70}?\s(?:to|at|up to"
        r"|down to|by|for|from)\s+(?:\S+ )?[~$€£]?" + QUANTITY,
        r"\b(?:takes? over|took over|swapped with|replaces|fills? in for|steps? in for|hands? over)\b",
    ),
    Rule(
        "decision.please",
        AnchorType.DECISION,
        cue(r"\bplease\b(?:[.,!]|$)"),
        PERSON,
        0.88,
        test=_names_a_choice,
        weigh=_in_brief,
    ),
    _person(
        "decision.will",
        0.88,
        r"\b(?:we're|we are) (?:going to|gonna|not going to|using|switching|moving|dropping|keeping)\b",
        r"\bwe(?:'ll| will) (?:just |only |not |also )?\w+",
        r"\bwe (?:should|shouldn't|would use|use)\b",
        unless=r"\bwe(?:'ll| will) (?:see|have to see)\b",
    ),
    _person(
        "decision.better",
        0.88,
        r"\b(?:it's|it is|would be|is|might be) better (?:to|if|that|off)\b",
        r"\bbetter (?:to|idea|option)\b",
        r"\bmakes more sense\b",
    ),
    _person(
        "decision.german",
        0.92,
        r"\b(?:wir|ich) (?:nehmen|nehme|verwenden|verwende|benutzen|bleiben|bleibe|machen|entscheid\w+)\b",
        r"\b(?:statt|anstatt|stattdessen|lieber)\b",
        r"^lass(?:t)? uns\b|^nimm\b",
    ),
    _person(
        "decision.french",
        0.92,
        r"\b(?:on|nous|je) (?:va|vais|allons|garde|gardons|prend|prends|prenons|choisi\w*|utilise\w*|décid\w+)\b",
        r"\b(?:plutôt que|au lieu de|à la place)\b",
        r"^utilise[zr]?\b|^garde[zr]?\b",
    ),
    _agent(
        "decision.chosen",
        0.92,
        r"\bi(?:'ve| have)? (?:decided|chosen|chose|picked|opted|went with|settled on)\b",
        r"\b(?:we|i)(?:'ll| will|'re|'m)? (?:go|going|stick|sticking|proceed|proceeding) with\b",
        r"\bdecision:",
        r"\bwe (?:decided|agreed|settled on)\b",
        narration=True,
    ),
    _agent(
        "decision.recommend",
        0.82,
        r"\b(?:my|the) (?:recommendation|pick|choice|suggestion|preference)\b",
        r"\bi(?:'d| would) (?:also |still |not |only |just )?(?:recommend|suggest|go with|make it|keep|use|start|avoid|say|lean|treat"
        r"|name|call|put"
        r"|prefer|model|build|split|leave|do)\b",
        r"(?<!when )(?<!edits )(?<!changes )(?<!code )\bi (?:recommend|suggest|propose)\b",
        r"\brecommend(?:ed|ation)\b",
    ),
    _agent(
        "decision.best",
        0.8,
        r"\b(?:is|would be|seems?|looks?)(?: like)? (?:probably )?the (?:better|best|right|simplest|cleanest|safest|least invasive)\b",
        r"\bthe (?:better|best|right|simplest|cleanest|safest|correct|least invasive) (?:\w+ )?(?:default|choice|option|approach|fix"
        r"|path|way|place"
        r"|solution|boundary|setup|shape)\b",
    ),
    _agent(
        "decision.instead",
        0.78,
        _CHOICE + r"\b.{1,90}\b(?:instead of|rather than)\b",
        r"\b(?:instead of|rather than)\b.{1,60}\b" + _CHOICE,
        r"\b(?:prefer|chose|picked|favou?r) [^.]{1,60} over\b",
        unless=r"\binstead of (?:guessing|assuming|hand-waving|just)\b|\b(?:check|look|read|report|inspect|search|verify|verifying|checking"
        r"|reading)\w* .{0,80}\b(?:instead of|rather than)\b|" + _ACT,
        narration=True,
    ),
    _agent(
        "decision.left",
        0.8,
        r"\b(?:leave|left|leaving|keep|kept|stay|stays|remain)s?\b.{0,50}\b(?:as[- ]is|in place|alone|for now|unchanged|untouched"
        r"|out of scope)\b",
        r"\b(?:can|should|will) stay\b",
        r"\bdeclined\b|\bdefer(?:red|ring) (?:to|until)\b|\bout of scope\b|\bno longer need(?:ed|s)?\b|\b(?:intentionally"
        r"|deliberately) (?:left|kept|not|skip\w*|omit\w*)\b|\bby design\b",
        unless=_ACT,
        narration=True,
        joins="before",
    ),
    _agent(
        "decision.act_because",
        0.75,
        r"\b(?:let me|i'll|i will|i'm going to|we should|we can)\b.{0,30}\b(?:remove|use|take|keep|put|add|make|move|rename|split|leave"
        r"|replace|inline|skip|drop|switch|set|store|extract|delete|treat|merge)\b.{3,160}\b(?:since|because|so that|instead of"
        r"|rather than|so (?:it|we|the|that|other)\b)",
        unless=r"\b(?:check|look|see|read|verify|understand|find|inspect|examine|explore|search)\w*\b.{0,80}\b(?:so|since|because|rather"
        r"|instead)\b",
        narration=True,
    ),
    Rule(
        "decision.mend",
        AnchorType.DECISION,
        cue(
            r"\b(?:need|have|want) to (?:fix|change|rename|convert|correct|replace|update|switch|move|turn) .{1,90} (?:to|with|by"
            r"|into) .{1,90}\b(?:in|of|at|on)\b"
        ),
        AGENT,
        0.68,
        narration=True,
        test=_names_both,
    ),
    _agent(
        "decision.design",
        0.66,
        r"\b(?:will|should) (?:each |all |both |always |only |then |also )?be (?:named|called|grouped|sorted|ordered|stored|kept"
        r"|placed|split|merged|treated|wrapped|exposed|moved (?:to|into)|based on|derived|appended|prefixed)\b",
        r"^(?:\*\*)?(?:build|use|keep|start with|treat|store|add|make|ship|write|read)\b.{3,120}(?:, not\b|\bnot “|\bnot \")",
    ),
    _agent("decision.order", 0.74, r"\b(?:waits? (?:on|for) the|blocked by|gated on|comes? (?:before|after)|must come first)\b"),
    _agent(
        "decision.directive",
        0.74,
        r"^(?:take (?:theirs|ours)|start with|skip|keep|leave|use|prefer|do not|don't|treat|never|always|make|only)\s+\w+",
        r"\b(?:must|should) (?:not |never |only )?(?:stay|remain|live|own|keep|wait|depend|come|become|be (?:able|rebuil\w+|owned|kept"
        r"|treated|stored))\b|\bmust (?:not )?\w+",
        unless=r"\bmust have\b|\bmake sure\b",
        report=True,
    ),
)
