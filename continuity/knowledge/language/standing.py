"""Tells a rule that holds beyond the moment from an order for it: "never push to main" from "don't change anything yet"."""

from __future__ import annotations

from continuity.knowledge.language.sentences import lowered
from continuity.knowledge.rules.prefilter import PrefilteredPattern

# Whenever it comes up, from now on, in all of the project.
_ALWAYS = PrefilteredPattern(
    r"\b(?:always (?!\w+(?:[^s]s|ed)\b)|never (?!(?:ever )?\w+(?:[^s]s|ed)\b|been\b|seen\b|had\b)|from now on"
    r"|from here on|going forward|in (?:the )?future|as a rule|rule of thumb"
    r"|at all times|in every case"
    r"|under no circumstances|no exceptions?|without exception|at no (?:point|time)|(?<!i )(?<!we )remember (?:to|that)"
    r"|every time|each time|whenever|any ?time|nobody|no one|off[- ]limits|forbidden|prohibited|not allowed|not permitted|hands off"
    r"|a hard (?:limit|rule|no)|non-negotiable|mandatory|tdd|tests? first|test[- ]driven|convention|guidelines?|policy"
    r"|immer|niemals?|nie|ab jetzt|ab sofort|künftig|grundsätzlich|toujours|jamais|désormais|dorénavant|siempre|nunca|a partir de ahora)\b"
)
_IN_PROJECT = PrefilteredPattern(
    r"\bin (?:this|our|the) (?:repo(?:sitory)?|project|code ?base|team|company|package|monorepo)\b"
    r"|\b(?:our|the) (?:repo|project|team|code ?base)(?:'s)? (?:uses?|requires?|rules?|style)\b"
    r"|\b(?:every|each|all|any) (?:\w+ )?(?:commits?|pull requests?|prs?|branch(?:es)?|messages?|replies|answers|releases?|migrations?"
    r"|changes?|functions?|files?|modules?|tests?|pages?|deploy\w*|tables?|endpoints?|columns?)\b"
)
# How things are done here, said of what is done again and again.
_PROCESS = PrefilteredPattern(
    r"(?:^|[.,;:!] )(?:please )?(?:before|after|when(?:ever)?) (?:you |we )?(?:commit\w*|push\w*|merg\w*|deploy\w*|releas\w*"
    r"|mak\w+ (?:any |a )?(?:change|commit|pr)s?|creat\w+|finish\w*|edit\w*|writ\w+)\b"
    r"|\bbefore (?:you |we )?(?:every|each|any|committing|pushing|merging|deploying|releasing|you (?:commit|push|merge|deploy))\b"
    r"|\b(?:without|unless|only (?:with|after|if|when)) (?:i|we|my|asking|the (?:team|user|owner)|approval|permission|being asked)\b"
    r"|\b(?:we|you|i) (?:don't|do not|can't|cannot|must not|may not|may only|should not|shouldn't) (?:ever )?(?:use|touch|push"
    r"|commit|deploy|log|store|expose|rely|depend|add|modify)\b"
    r"|\b(?:don't|dont|do not|leave|keep out of|stay (?:out|away|off)|hands) (?:touch|modify|change|edit|rename|break|use"
    r"|import|depend on|rely on"
    r"|off|of|from) (?!(?:it|this|that|these|those|them|anything|something|one|the same)\b)\w+"
    r"|^(?:please )?if (?:you|we) (?:\w+ )?(?:need|want|have|are not sure|aren't sure|get stuck)\b.{2,80}\b(?:use|refer|ask|read|run|check"
    r"|see|look)\b"
    r"|(?:^|[.,;:!] )(?:please )?no (?:new |more |extra |external |third[- ]party )?(?:dependenc|librar|packages?|frameworks?|breaking"
    r"|emoji|comments?|mocks?|hacks?|shortcuts?|force)"
    r"|^(?:please )?keep\b.{2,80}\b(?:compat(?:ible|ibility)?|as is|unchanged|untouched|stable|intact|in sync)\b"
    r"|\b(?:everything|anything|whatever|nothing) (?:we|you|i) \w+|\bwe (?:only )?(?:use|run|test with|deploy)\b.{1,60}\b(?:here|not|never"
    r"|instead of)\b"
    r"|^(?:(?:and|also|hard|the|one|our)[,:]? )*rules?:|\b(?:is|are) (?:not|never) (?:to be )?(?:touched|changed|regenerated|edited"
    r"|modified|overwritten|renamed)\b"
    r"|\b(?:must|has to|have to|needs? to) (?:stay|remain)\b|\bmust(?: not|n't) (?:change|break|be (?:touched|changed|broken|edited))\b"
    r"|\beverything (?:goes )?(?:via|through)\b|(?:^|[.,;:!] )no (?:local|direct|manual) \w+"
    r"|\b(?:don't|dont|do not) (?:overwrite|regenerate|reformat|restart) (?!(?:it|this|that|yet)\b)\w+"
    r"|\b(?:you|we|agents?) (?:may|can|are (?:allowed|free) to) [^.?!]{2,120}[,;:—–(-]\s*(?:but |and )?"
    r"(?:nothing|nobody|nowhere|no other)\b"
    r"|\b(?:fass|rühr)\w*\b.{0,60}\bnicht an\b|\bfinger weg\b"
    r"|\bleave (?!(?:it|this|that|these|those|them)\b).{1,60} alone\b|\b(?:squash|push|delete|rename|deploy|merge|publish|send|touch|change"
    r"|rebase) nothing\b"
    r"|\bread[- ]only (?:access|rights?|there)\b|\b(?:treat|leave|keep|consider) .{2,60}\bread[- ]only\b"
    r"|\bcommits? (?:after |for |with )?(?:each|every|per) (?:\w+ )?(?:step|task|fix|part|phase|change|feature)\b|\bcommit as you go\b"
    r"|\bafter (?:each|every) (?:step|fix|phase)\b"
    r"|\bneeds? (?:my|our|his|her|their) (?:\w+ )?(?:ok(?:ay)?|approval|sign-?off|permission)\b|\bmyself\b"
)
_TASTE = PrefilteredPattern(
    r"\bi(?:'d| would)? (?:really |much |absolutely )?(?:prefer|rather|hate|dislike|like to be|can't stand)\b|\bi'm (?:a|not a) fan\b"
    r"|\b(?:answer|reply|respond|write|explain|speak|comment)\w* (?:to me |me )?(?:in|only|briefly)\b|\bkeep"
    r" (?:answers|replies|responses|it) (?:\w+ )?(?:short|brief|concise|terse|simple)\b|\bbe (?:\w+ )?(?:concise|brief|terse)\b"
    r"|\bkeep me (?:posted|informed|updated)\b"
)
# Now, here, this once; or only what is to come out of the work asked for.
_ONCE = PrefilteredPattern(
    r"\b(?:yet|for now|right now|at the moment|just now|this time|for the moment|this one|these ones?|first of all|today|tonight|tomorrow"
    r"|so far|in this (?:pr|commit|branch|session|change|case|step|round|file|test|function)|of this (?:pr|branch)|on this (?:pr|branch)"
    r"|erstmal|vorerst|noch nicht|diesmal|pour l'instant|cette fois|por ahora)\b"
    r"|\b(?:only|just) (?:look|read|check|plan|tell|explain|show|analy[sz]e|review)\b"
    r"|\bwithout (?:doing|making|changing) (?:any|anything)\b"
    r"|^(?:(?:ok(?:ay)?|yes|yeah|no|now|then|and|but|also|please)[, ]+)*(?:commit|push|merge|open|create|run|re-?run|revert|delete|remove"
    r"|add|clear|empty|fix|implement|skip|write|post|close|rename|update|stage) (?:the|this|that|it|these|those|them|all|both|an?|and)\b"
    r"(?!.*\b(?:"
    r"always|never|every|each|from now on)\b)"
)


# What a thing that is being made shall always do is what was asked for, and no rule for who makes it.
_OF_A_THING = PrefilteredPattern(
    r"\b(?:it|this|that|they|which|the [\w`./-]+(?: [\w`./-]+)?) (?:should|must|shall|can|will|would|does|do|has to|have to|is|are)"
    r"(?: not|n't)? (?:always|never)\b|\b(?:it|this|that|they|which) (?:always|never)\b"
)


def is_standing(text: str) -> bool:
    """Whether the person's words lay something down beyond the request in which they stand."""
    low = lowered(text)
    if low.rstrip(" )\"'*").endswith("?"):
        return False
    binds = _ALWAYS.search(low) or _IN_PROJECT.search(low) or _PROCESS.search(low) or _TASTE.search(low)
    return binds is not None and _ONCE.search(low) is None and _OF_A_THING.search(low) is None


def is_for_now(text: str) -> bool:
    """Whether the person's words lay something down for the moment only: what "don't push yet" forbids may be asked for next."""
    return _ONCE.search(lowered(text)) is not None
