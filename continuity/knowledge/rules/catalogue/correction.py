"""Something said or done earlier was wrong: by the person, or by the agent about itself."""

from __future__ import annotations

from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.engine import AGENT, PERSON, Rule, cue


def _person(name: str, importance: float, *cues: str, unless: str = "", questions: bool = False) -> Rule:
    return Rule(name, AnchorType.CORRECTION, cue(*cues), PERSON, importance, cue(unless) if unless else None, questions=questions)


def _agent(name: str, importance: float, *cues: str, unless: str = "", narration: bool = False, joins: str = "") -> Rule:
    excluded = cue(unless) if unless else None
    return Rule(name, AnchorType.CORRECTION, cue(*cues), AGENT, importance, excluded, narration=narration, joins=joins)


RULES = (
    _person(
        "correction.no",
        1.0,
        r"^(?:(?:hmm+|well|ehh?|uh|sorry|oh|wait)[,.]?\s+)*(?:no|nope|nah|wrong|incorrect|not quite|not really)"
        r"(?:[,.!:;—-]|\s+(?:that|it|it's|this|don't|do not|i|we|you|the|use|not|just|please|keep|leave|stop|go|undo|revert|they)\b|$)",
        unless=r"^(?:\w+,? )?no (?:problem|worries|need|rush|idea|thanks|thank|issue|more|one|other|longer|further|new|changes|doubt"
        r"|matter|dependenc)",
    ),
    _person(
        "correction.actually",
        1.0,
        r"(?:^|[.,;!—-] |\bwait[,.]? |\bno[,.]? |\boh[,.]? )actually\b",
        r"\bon second thought\b|\bscratch that\b|\bchanged my mind\b"
        r"|\bafter all\b(?! (?:the |our |these |those )?(?!this\b|is\b|was\b|does\b|has\b)\w+s\b)",
    ),
    _person(
        "correction.wrong",
        1.0,
        r"\b(?:that's|that is|this is|it's|it is|you're|you are|that was|those are|these are|thats|which is)(?: still| also| just"
        r"| completely| totally)* (?:wrong|not right|incorrect|not correct|not true|not what|mistaken|backwards|the wrong|stupid"
        r"|nonsense|not how|not the)\b",
        r"\b(?:is|are|was|were) (?:wrong|incorrect|mistaken)\b",
        r"\byou (?:got|had|have|put) (?:that|it|this|them|the \w+) (?:wrong|backwards|mixed up|the wrong way)\b",
    ),
    _person(
        "correction.meant",
        1.0,
        r"\bi (?:meant|didn'?t (?:say|mean|ask|want)|did not (?:say|mean|ask|want)|told you|already (?:said|told)|(?:said|asked) (?:for"
        r"|to|not|you))\b",
    ),
    _person(
        "correction.contrast",
        0.97,
        r"\bnot (?:the |a |an |to |in |on )?[^,.;!?]{1,60}?,? but (?:the |a |an |to |in |on |rather )?\w",
        r"\b(?:it's|it is|that's|they're|should be|is|are|use|in|on|to) [^,.;!?]{1,60}, not (?:the |a |an |in |on |to |with )?\w+",
    ),
    _person(
        "correction.blame",
        0.97,
        r"\byou(?:'ve| have)? (?:misunderstood|misread|forgot|missed|broke|skipped|ignored|should(?:n't)? have|didn'?t|did not"
        r"|were supposed|weren't supposed)\b",
        r"\bwhy (?:did|are|would|have) you\b",
        questions=True,
    ),
    _person(
        "correction.stop",
        1.0,
        r"^(?:please )?stop\b(?! hook)",
        r"\bstop (?:doing|using|adding|trying|asking|writing|making|changing|touching)\b",
    ),
    _person(
        "correction.undo",
        0.97,
        r"\b(?:revert|undo|roll(?:ing)? back|back out|put back|restore)\s+(?:that|this|it|the|your|those|these|all|my)\b",
    ),
    _person(
        "correction.german",
        0.97,
        r"^(?:nein|falsch|stopp|doch nicht|moment)\b",
        r"\bdas (?:ist|war|stimmt) (?:falsch|nicht)\b",
        r"\bich meinte\b",
        r"\bsondern\b",
    ),
    _person(
        "correction.french",
        0.97,
        r"^(?:non|faux|stop|attends)\b",
        r"\bc'est (?:faux|pas (?:ça|bon|correct))\b",
        r"\bje voulais dire\b|\ben fait\b",
    ),
    _agent(
        "correction.own",
        0.9,
        r"\bi(?:'d| had| was|'ve)? ?(?:wrong|mistaken|misread|misunderstood|misdiagnosed|looking (?:at|for|in) the wrong|wrongly"
        r"|incorrectly|had it backwards|jumped to)\b",
        r"\bmy (?:mistake|bad|error|earlier \w+ (?:was|were))\b",
        r"\bi was (?:looking (?:at|for|in)|wrong|mistaken|only (?:fetching|getting|reading|checking)|using the wrong|assuming)\b",
        r"\b(?:that|this|my \w+) was (?:wrong|incorrect|a mistake|mistaken)\b",
        r"^correction\b|\bscratch that\b|\bon closer (?:look|inspection)\b",
        narration=True,
    ),
    _agent(
        "correction.admitted",
        0.85,
        r"\byou(?:'re| are) (?:absolutely |completely |totally |quite )?(?:right|correct)\b",
        r"^(?:good|great) (?:catch|point)\b",
        joins="after",
    ),
    _agent(
        "correction.agent_actually",
        0.75,
        r"\b(?:is|are|was|were|does|do|did|has|have|that's|it's) actually\b",
        r"\bactually (?:is|are|was|were|necessary|correct|does|did|has|comes|happens|needs|works|from)\b",
        r"\bturns out\b",
        r"\bcontrary to\b",
    ),
    _agent(
        "correction.agent_contrast",
        0.75,
        r"\bnot (?:the |a |an )?[^,.;!?]{1,60}?,? but (?:the |a |an |rather |on |in )?\w",
        r"\b(?:is|are|was|were|it's|be) (?:a |an |the )?[^,.;!?]{2,60}, not (?:the |a |an |in |on |to )?[\w@]",
        r"\bonly has\b.*\bnot\b",
        unless=r"\bif not\b|\bwhether or not\b|\bnot only\b",
    ),
)
