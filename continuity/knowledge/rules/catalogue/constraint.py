"""Standing rules, prohibitions, limits and side conditions in the person's words."""

from __future__ import annotations

from continuity.knowledge.language.commitments import is_dated, owes
from continuity.knowledge.language.requests import VERBS
from continuity.knowledge.model import AnchorType
from continuity.knowledge.rules.engine import CLAUSE, PERSON, Rule, RuleLine, cue

_NOT_A_RULE = r"(?!(?:know|think|see|understand|worry|have|remember|get|like|mind|care|believe|want|need|feel|seem|really|even|work)\b)"
# What a sentence about all of a kind says of them when it binds: a present tense, not a report on how they are.
_BINDS = (
    r"(?:goes|go|gets?|comes?|needs?|stays?|belongs?|passes through|follows?|carr(?:y|ies)|uses?|ends? up|has to|have to"
    r"|runs? (?:through|in|on|as)"
    r"|is (?:done|made|written|kept|reviewed|logged|signed|checked|tested|stored|sent|spelled|named)"
    r"|are (?:done|made|written|kept|reviewed|logged|signed|checked|tested|stored|sent|spelled|named))"
)
_DONE_BY_MANY = (
    r"touche?s?|restarts?|deploys?|merge?s?|push(?:es)?|edits?|changes|deletes?|writes?|leaves?|goes|gets?|ships?|runs|opens|enters|uses"
    r"|reads|talks|calls|logs|signs|joins|may|must|should|can"
)
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|eod|eow|end of (?:the )?(?:day|week|month|sprint)|\d{4}-\d\d-\d\d"


def _constraint(name: str, importance: float, *cues: str, unless: str = "", questions: bool = False) -> Rule:
    return Rule(
        name, AnchorType.CONSTRAINT, cue(*cues), PERSON, importance, cue(unless) if unless else None, questions=questions, test=_lays_down
    )


def _lays_down(line: RuleLine) -> bool:
    """What somebody owes, or promises for a day, is a promise: "must", "can't" and "by Friday" in it tell what it is about."""
    return not (owes(line.low) or is_dated(line.low))


RULES = (
    _constraint(
        "constraint.never",
        1.0,
        CLAUSE + r"never\s+\w+",
        r"\b(?:should|must|can|may|shall|will|we|you|they)\s+never\s+\w+",
        r"\bat no (?:point|time)\b",
        unless=r"\bnever\s*mind\b|\bnever (?:been|seen|had|worked|ran|heard|happened|got|did|was|knew|fires?|fired|happens)\b",
    ),
    _constraint(
        "constraint.always",
        1.0,
        CLAUSE + r"always\s+\w+",
        r"\b(?:should|must|please|you|we)\s+always\s+\w+",
        r"\w[, —-]+always[.!]?$",
        unless=r"\b(?:it|that|this) always\b",
    ),
    _constraint(
        "constraint.prohibit",
        1.0,
        CLAUSE + r"(?:do not|don'?t)\s+" + _NOT_A_RULE + r"\w+",
        r"\b(?:you|we) (?:do not|don'?t) (?:touch|change|push|commit)\b",
        r"\b(?:you|we)(?:'d| had) better (?:not )?\w+",
    ),
    _constraint(
        "constraint.unwanted",
        0.95,
        r"\b(?:i|we) (?:do not|don'?t|wouldn't|would not) (?:want|wish)\b",
        r"\bdon'?t want\b",
        r"(?<!so )\b(?:we|i) don'?t need\b",
    ),
    _constraint(
        "constraint.reserved",
        0.95,
        r"\bi(?:'ll| will| want to| would like to|'d like to|'d rather|'d prefer to| prefer to|'m going to| can| could|'m)\b"
        r"[^.?!;]{1,60}\bmyself\b",
        r"\blet me (?:do|run|handle|merge|push|commit|deploy|start|test|try|write|fix) [^.?!;]{1,40}\bmyself\b",
    ),
    _constraint(
        "constraint.must",
        0.97,
        r"\bmust(?: not|n't)?\b",
        r"\b(?:it|that|this|they|you|everything|all|each|every|which)\b[^?]{0,40}\b(?:has|have) to\b",
        r"\bneeds? to (?:be|stay|remain|keep|work|support|have|run|match)\b",
        r"\b(?:is|are) (?:required|mandatory|non-negotiable|needed (?:for|before|to))\b",
        r"\bneeds? (?:my|our|his|her|their|the|an?|two|\w+'s) (?:written |explicit )?(?:ok|okay|approvals?|sign-?off|blessing"
        r"|permission|consent"
        r"|go-ahead)\b",
        unless=r"\bmust(?:'ve| have)\b|\b(?:it|that|this|there) must be (?:a |an |some |the )?(?:bug|issue|problem|wrong|broken"
        r"|something|because|why)\b|\bdo (?:i|we|you) have to\b",
    ),
    _constraint(
        "constraint.only",
        0.97,
        CLAUSE
        + r"only\s+(?:ever\s+)?(?:use|change|edit|touch|modify|commit|push|run|add|do|allow|support|read|write|test|fix|include|return"
        r"|accept|apply|deploy|call|import|log|merge)\b",
        r"\b(?:use|allow|support|accept|change|touch|commit|modify|run|edit|deploy|merge) only\b",
        r"\b(?:should|must|may|can|to) only\b",
        r"\bonly (?:with|after|when|if|once) (?:i|we|you|my|it|the)\b",
        r"\bonly (?:ever )?(?:happens?|runs?|goes?|comes?|ships?|takes? place|gets?) (?:between|on|in|at|from|through|via|with|out|by)\b",
    ),
    _constraint(
        "constraint.ensure",
        0.95,
        r"(?<!can )(?<!to )\b(?:make sure|makes? certain|ensure|be sure (?:to|that)|be careful|take care"
        r"|pay attention(?: to)?|watch out (?:for|that)|keep in mind|bear in mind"
        r"|remember (?:to|that)|don'?t forget)\b",
        questions=True,
    ),
    _constraint(
        "constraint.keep",
        0.95,
        r"\b(?:keep|leave|stay|remain)s?\b.{0,60}\b(?:as[- ]is|alone|unchanged|untouched|intact|the same|compatible|stable|out of|under"
        r"|below|simple|minimal|in sync|frozen|verbatim|word for word|(?:exactly|just) as)\b",
        r"\bhands off\b",
        r"\bbackwards?[- ]compat",
    ),
    _constraint(
        "constraint.limit",
        0.93,
        r"\b(?:no more than|at most|at least|a maximum of|max(?:imum)?|minimum|not exceed|no longer than|limit(?:ed)? to|under|below"
        r"|within|less than|fewer than|up to)\s+(?:of\s+)?[~$€£]?\d",
    ),
    _constraint(
        "constraint.without",
        0.93,
        r"\bwithout (?:\w+ly )?(?:break|chang|touch|modify|add|us|remov|introduc|alter|affect|los|delet|rewrit|renam|bloat|ask)\w*ing\b",
        r"\bas long as\b",
        r"\bwon'?t (?:bloat|break|change|affect)\b",
    ),
    _constraint(
        "constraint.avoid", 0.95, CLAUSE + r"(?:avoid|refrain from|stay away from|steer clear of)\b", r"\b(?:should|must|to) avoid\b"
    ),
    _constraint(
        "constraint.forbid",
        1.0,
        r"\b(?:not allowed|forbidden|prohibited|off[- ](?:limits|the table)|under no circumstances|not permitted|not acceptable|no-go|taboo"
        r"|untouchable)\b",
        CLAUSE + r"no [a-z]\w+(?: \w+)? (?:during|without|before|after|outside)\b",
        r"\b(?:isn't|aren't|is not|are not) (?:ours|yours|mine|theirs|for us|for you) to\b",
        CLAUSE + r"(?:stay|keep) (?:out|away|off|clear) (?:of|from)?\b",
        CLAUSE + r"no (?:new |more |extra |external |third[- ]party )?(?:dependenc|librar|packages?|framework|breaking|changes? to|emoji"
        r"|comments?|mocks?|hacks?|shortcuts?|force)\w*",
        r"\b(?:we|you|it|they|this|that|i) (?:can'?t|cannot|may not|mustn't|shouldn't|should not) (?:use|change|touch|break|rely|depend"
        r"|add|modify|have|exceed|go|deploy|push|delete|store|log|expose|share|require|be)\b",
    ),
    _constraint(
        "constraint.none",
        0.93,
        r"\b(?:so|and|but|please|just)\s+no\s+(?!(?:more|\w+ errors?|problem|worries|idea|need|rush|hurry|longer|luck|clue|wonder|way|one"
        r"|doubt|matter|thanks|thank|issues?|errors?|changes?|results?|effect|response|reason|sign|trace|difference|luck"
        r"|output)\b)[a-z]\w+",
        unless=r"\b(?:there(?:'s| is| are| was| were)|got|had|have|has|see|saw|found|shows?|gives?|gave)\b[^,;]{0,30}\bno\b"
        r"|\bno \w+ (?:is|are|was|were|ran|came|did|has|had|exists?)\b",
    ),
    _constraint(
        "constraint.universal",
        0.93,
        CLAUSE + r"(?:every(?:thing|one|body)?|each|any(?:thing|one|body)?|whatever|whoever|all)\s+(?:[\w'./-]+\s+){0,7}?" + _BINDS + r"\b",
        CLAUSE
        + r"(?:nobody|no one|nothing|none of (?:us|them|the \w+))\s+(?:but|except|other than|over|above|beyond|outside|in|on|"
        + _DONE_BY_MANY
        + r")\b",
        r"\b(?:and|by) (?:nobody|no one|nothing) else\b",
        r"\b(?:is|are|use|stays?|in|it's|goes?) [^,;.?]{1,50}\b(?:everywhere|throughout|across the board|without exception)\b",
        unless=r"\b(?:works?|worked|fails?|failed|passe?s?|passed|fine|good|great|broken|ready|done|seems?|looks?|happens?|happened|breaks"
        r"|went|knows?|was|were|did|had)\b|\bevery time (?:i|we|it|the)\b",
    ),
    _constraint(
        "constraint.law",
        0.93,
        r"\bno exceptions?\b|\bwithout exception\b|\b(?:that's|this is|it's) how (?:we|i) (?:do|work|handle|count|write|call)\b"
        r"|\bnot one more\b"
        r"|\bnot an? \w+ (?:more|longer|later)\b|, (?:and )?that's it\b|\bfull stop\b(?! hook)|\bnot even\b|\ba hard (?:limit|rule|no)\b",
        r"\b(?:is|are|counts as|would be) an? (?:bug|no|sin|crime|mistake|firing offen[cs]e|breach|violation) (?:here|for us|in this)\b"
        r"|\banywhere near\b",
    ),
    _constraint(
        "constraint.displeased",
        0.93,
        r"\b(?:i'd|i would|they'd|\w+ would|\w+ will|\w+'ll) (?:\w+ )?(?:be (?:\w+ )?(?:unhappy|upset|annoyed|mad|angry|sad|furious"
        r"|livid|cross)"
        r"|hate|kill (?:me|us|you)|have (?:my|our|your) head)\b",
    ),
    _constraint(
        "constraint.case",
        0.9,
        r"^(?:if|whenever|as soon as|where) (?:an?|any|one|some\w+|anything|anyone|the|two|there(?:'s| is"
        r"| are)) [^,?]{3,90}, (?:then )?(?:please )?(?:"
        + VERBS
        + r"|drain|stop|wait|let|call|page|warn|alert|escalate|roll|never|always|don't|do not|it (?:gets|goes|is)|that (?:gets|goes|is)"
        r"|we)\b",
    ),
    _constraint(
        "constraint.rate",
        0.88,
        r"^(?:at most |only |just )?(?:an?|one|two|three|four|five|six|\d+) [\w-]+ (?:per|for each|for every) \w+",
        r"\b(?:goes?|go|may|can|tops? out at|grow|gets?|has|have|is|are|we have|we've got) (?:\w+ ){0,2}(?:up to|at most|no more than|a"
        r" maximum of|room for|money for|time for) (?:\w+ )?(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty)",
        r"\btops? out at\b|\b(?:has|have) to fit (?:in|into|on|within)\b",
    ),
    _constraint(
        "constraint.should",
        0.88,
        r"\b(?:should|shall)(?: not|n't)?\b",
        unless=r"\b(?:should|shall) (?:i|we|have|be (?:fine|ok|okay|good|easy|enough))\b|\bshould(?:'ve| work\b)"
        r"|\bshouldn't (?:be a problem|matter|it)\b|\bi should\b",
    ),
    _constraint(
        "constraint.no_need",
        0.9,
        r"\bno need (?:to|for)\b",
        r"\b(?:you |we )?(?:do not|don'?t) (?:need|have) to\b",
        r"\b(?:isn't|is not|not) necessary\b",
        r"\bthat's out of scope\b|\bout of scope\b",
    ),
    _constraint(
        "constraint.standing",
        0.97,
        r"\bfrom now on\b|\bgoing forward\b|\bin (?:the )?future\b|\bas a rule\b|\brule of thumb\b|\bat all times\b|\bin every case\b",
        CLAUSE
        + r"(?:before|after|whenever|each time|every time)\s+(?:you|we|any|each|every|committing|pushing|merging|deploying|releasing)\b",
        CLAUSE + r"(?:run|check|test|verify|ask|review|format|lint|show|tell|announce|warn|confirm|discuss|back up)\b.{1,90}\bbefore\b",
        r"\btests? first\b|\btdd\b|\btest[- ]driven\b|\bfollow (?:the|our|this) .{0,40}\b(?:pattern|convention|guideline|style|process"
        r"|workflow)s?\b",
        r"\bunless (?:i|we|you|it|the|there)\b",
    ),
    _constraint(
        "constraint.order",
        0.95,
        r"\b(?:do|does|need|needs|done|happen|happens|go|goes|come|comes) (?:\w+ ){0,3}first,? (?:so|because|since|as|before|and then)\b",
        r"\b(?:only then|and not before|not until|in (?:this|that) order|one (?:at a time|after (?:the other|another)))\b",
        r"^(?:after|once|when) (?:all|each|every|both|everything)\b[^,?]{2,80}, (?:then )?(?:please )?(?:"
        + VERBS
        + r"|ask|tell|wait|stop|let)\b",
        unless=r"\bwhat comes first\b",
    ),
    _constraint(
        "constraint.deadline",
        0.93,
        rf"\b(?:by|before|until|due|no later than)\s+(?:next\s+)?(?:{_DAYS})\b",
        r"\bdeadline\b",
        r"\bcode freeze\b",
    ),
    _constraint(
        "constraint.german",
        0.97,
        r"\b(?:niemals|nie wieder|auf keinen fall|stets|unbedingt|ausschließlich)\b",
        r"\b(?:darf|dürfen|soll|sollen|muss|müssen|sollte|sollten)\b",
        r"\bbitte (?:nicht|kein|nie|immer|nur)\w*\b",
        CLAUSE + r"(?:immer|nie|nur|kein\w*)\s+(?!(?:ahnung|problem|sorgen?|frage|idee|lust)\b)\w+",
        r"\b(?:stell(?:e)? sicher|achte darauf|vermeide|ohne .{1,40} zu (?:ändern|brechen|verändern))\b",
    ),
    _constraint(
        "constraint.french",
        0.97,
        r"\b(?:jamais|toujours|uniquement|obligatoirement|interdit|en aucun cas)\b",
        r"\b(?:il faut|il ne faut pas|doit|doivent|tu dois|vous devez)\b",
        CLAUSE + r"ne\s+\w+(?:\s+\w+)?\s+pas\b",
        r"\b(?:assure-toi|assurez-vous|évite|évitez|n'oublie pas|veille à|sans (?:casser|modifier|changer|toucher))\b",
    ),
)
