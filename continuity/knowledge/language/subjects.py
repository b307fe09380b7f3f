"""The subject of a statement, what it rejects, and why."""

from __future__ import annotations

import re

from continuity.knowledge.language.content_words import content, is_identifier, stem, tokens
from continuity.knowledge.language.sentences import plain
from continuity.knowledge.language.word_sets import word_set
from continuity.knowledge.rules.prefilter import PrefilteredPattern
from continuity.knowledge.state.fold_cache import cached

_COPULA = re.compile(
    r"^(?:(?:ok|okay|no|yes|actually|so|and|but|well|also|then|now|wait)[,:]?\s+)*(?:the |our |my |its "
    r"|a )?(?P<topic>[\w'/.#@-]+(?: [\w'/.#@-]+){0,4}?)"
    r"(?:'s)?\s*(?:\b(?:is now|is|are|was|were|should be|must be|will be|has to be|becomes|was set to|is set to|should stay at|stays at"
    r"|changed to)\b|=|:)\s*(?P<value>\S.*)"
)
_LEAD = (
    r"^(?:(?:ok|okay|no|yes|actually|so|and|but|well|also|then|now|wait|heads-up|fyi|because|that)[,:]?\s+)*(?:the |our |my |its |a )?"
    r"(?P<topic>[\w'/.#@-]+(?: [\w'/.#@-]+){0,4}?)\s+(?:will |should |must |can |have to |has to |to )?(?:now |always |only )?"
)
# Where something is, what it follows, when it runs: "keys live in Redis", "references follow Chicago style".
_STANDS = PrefilteredPattern(
    _LEAD + r"(?:(?:lives?|go(?:es)?|runs?|stays?|sits?|moved?|moves|be) (?:in|at|on|to|under)|follows?|uses?"
    r"|starts? (?:at|with)|moved to)\s+(?P<value>\S.*)"
)
_PUT = PrefilteredPattern(
    r"\b(?:put|have|place|store|host|want|keep)\s+(?:the |our |my |its )(?P<topic>[\w'/.#-]+(?: [\w'/.#-]+){0,3}?)\s+(?:in|at|on|into"
    r"|under)\s+"
    r"(?!(?:sync|mind|place|line|shape|check|touch|order|case|time|there|here|addition|particular)\b)(?P<value>\S.*)"
)
_ABOUT = PrefilteredPattern(
    r"\b(?:about|as for|regarding|concerning)\s+(?:the |our |my )?(?P<topic>[\w'/.#-]+(?: [\w'/.#-]+){0,3}?),\s+(?:it|they|that)(?:'s"
    r"|'re| is| are| was)\s+"
    r"(?P<value>\S.*)"
)
_CLAUSE = re.compile(r"[,;:—–]\s+(?:so |and |but |because )?|\s+(?:so|because|since|and)\s+(?=(?:the|our|my|its)\s)")
_TRAILING = re.compile(r"[\s,]+(?:now|these days|again|please|for now|from now on|today|this week)[.!]?$")
_SET = PrefilteredPattern(
    r"\b(?:set|change|bump|raise|lower|increase|decrease|limit|cap|move|switch)\s+(?:the |our "
    r"|its )?(?P<topic>[\w'/.#-]+(?: [\w'/.#-]+){0,4}?)\s+(?:back )?(?:to|at)\s+(?P<value>\S+)"
)
_USE_FOR = PrefilteredPattern(
    r"\b(?:use|using|go with|choose|pick)\s+(?P<value>\S+(?: \S+){0,4}?)\s+(?:for|as)\s+(?:the "
    r"|our )?(?P<topic>[\w'/.-]+(?: [\w'/.-]+){0,3})"
)
_VAGUE = frozenset(
    stem(word)
    for word in word_set(
        """
        issue problem bug cause reason fix error result answer question plan goal task change output file test note summary status it
        this that there here what which who where why how question point idea thing step phase next first second third result
        verification example note update option approach solution behavior behaviour flow code part change everything nothing something
        he she they we you i one all both each key main root key difference catch takeaway recommendation conclusion tradeoff impact
        risk files changes tests
        """
    )
)

_REJECTED = (
    PrefilteredPattern(
        r"\b(?:instead of|rather than|not using|and not|anstatt|statt|au lieu de|plutôt que)\s+(?P<out>[^.,;:!?()—]{2,80})", re.I
    ),
    PrefilteredPattern(r"\bnot (?P<out>[^.,;:!?()—]{2,60}?),? but\b", re.I),
    PrefilteredPattern(r"[\w`*),\]] ?[,(—] ?not (?P<out>[^.,;:!?()—]{2,60})", re.I),
    PrefilteredPattern(r"\b(?:replace|swap)d? (?P<out>[^.,;:!?()—]{2,60}?) (?:with|by|for)\b", re.I),
    PrefilteredPattern(r"\bswitch(?:ed|ing)? from (?P<out>[^.,;:!?()—]{2,60}?) to\b", re.I),
    PrefilteredPattern(
        r"\b(?:chose|picked|prefer|choose|pick|favou?r|went with|go with)\b[^.;:!?()—]{1,60} over (?P<out>[^.,;:!?()—]{2,60})", re.I
    ),
    PrefilteredPattern(r"\btakes? over\b[^.,;:!?()—]{2,60}? from (?P<out>[^.,;:!?()—]{2,40})", re.I),
    PrefilteredPattern(r"^(?P<out>[\w'./-]+(?: [\w'./-]+){0,2}) (?:is|are) out(?=[,;.!—–]| because| since| and)", re.I),
    PrefilteredPattern(
        r"\b(?:no longer|don't use|do not use|stop using|drop|scrap|forget about|get rid of)\s+(?P<out>[^.,;:!?()—]{2,60})", re.I
    ),
)
# No thing to choose: a participle, a mere function word, or a clause.
_NO_THING = re.compile(
    r"(?:yet|on|in|at|by|for|to|of|from|with|as|just|only|even|all|every|always|necessarily|really|quite|because|since|so|that|this|these"
    r"|those|it|they|we|you|i|he|she|what|who|how|when|where|why|if|needed|necessary|required|exists?|existing|used|possible|sure|relevant"
    r"|being|going to|replaced|dropped|supported|working|allowed|available|true|valid|empty|null|none|done|fixed)\b",
    re.I,
)
_CONTRAST = re.compile(r"[,(—] ?not ")
_PICKS = re.compile(
    r"\b(?:us(?:e|es|ing)|go(?:ing)? with|choos\w*|chose|pick\w*|prefer\w*|want|keep|put|store|make|should|must|let's|switch\w*"
    r"|mov(?:e|ing)|run|call|name|write|send|decid\w*|adopt\w*|ship|deploy|return|build|add|take|need|will|implement\w*|read|log|nehmen|nutzen|prendre)\b"
)
_USED = re.compile(r"no longer (?:us(?:e|es|ing)|need|needs|want|support|rely|depend)")
_DOTTED = re.compile(r"(?:\.[\w()]+)+(?= |$)")  # the rest of a name that a full stop stands in
_NAME = re.compile(r"[^\n`]{0,60}`[^`\n]{1,120}`")
_HANDS_OVER = re.compile(r"takes? over", re.I)
_FOLLOWS = re.compile(r"not\b.*\bbut$|replace|swap|switch|.* (?:is|are) out$", re.I | re.S)  # what is chosen stands behind
_REASON = PrefilteredPattern(
    r"\b(?:because|since(?! \d)|so that|due to|as (?:it|they|we|that|this) \w+|so we\b|so it\b|otherwise|weil|damit|da (?:es|wir|sie)"
    r"|parce que|car (?:il|elle|on)|afin de)\b[^.!?\n]{4,240}",
    re.I,
)
_REASON_NEXT = re.compile(
    r"(?:that|this|it|which|otherwise|reason|why|the reason)(?:'s)? ?(?:keeps|avoids|makes|means|lets|gives|prevents|preserves|says"
    r"|ensures|:|is (?:because|why)|way|would|because)",
    re.I,
)


def subject(text: str) -> str:
    """The topic a statement gives a value to, as sorted content words; empty where it gives none or a vague one."""
    whole = plain(text)[:300]
    for clause in (whole, *_CLAUSE.split(whole)[:4]):
        if found := _topic_of(clause):
            return found
    return ""


def _topic_of(clause: str) -> str:
    low = clause.lower()
    for pattern in (_SET, _USE_FOR, _ABOUT, _PUT, _COPULA, _STANDS):
        match = pattern.search(low)
        if not match:
            continue
        if pattern in _VALUED and not _is_value(_TRAILING.sub("", clause[match.start("value") :])):
            continue
        words = content(match["topic"], 5)
        if words and not all(word in _VAGUE for word in words) and words[-1] not in _VAGUE - _ALONE:
            return ("for " if pattern is _USE_FOR else "") + " ".join(sorted(words))
    return ""


_ALONE = frozenset(("key",))  # vague alone, a thing behind a name: idempotency keys
_VALUED = frozenset((_COPULA, _STANDS, _PUT, _ABOUT))


def _is_value(text: str) -> bool:
    """A value is short or exact: a number, a name, a few words; not a clause."""
    head = text.split(". ")[0]
    found = tokens(head)[:8]
    named = len(found) < 8 and sum(token[0].isupper() for token in found) * 2 > len(found)
    return bool(found) and (len(found) <= 4 or named or any(is_identifier(token) or token.isdigit() for token in found[:3]))


def rejected(text: str) -> str:
    """The alternative that a statement turns down, verbatim, or nothing."""
    match = _alternative(text)
    return match["out"].strip(" \n*`\"'") if match else ""


def alternative(text: str) -> str:
    """What a statement turns down in favour of something else, verbatim: a thing that somebody might go back to. Empty for a mere contrast
    ("a pool, not a connection") and for what only is so no more."""
    match = _alternative(text)
    if match is None:
        return ""
    out = match["out"].strip(" \n*`\"'")
    if dotted := _DOTTED.match(text, match.end("out")):
        out += dotted[0]
    if match["out"].count("`") % 2 and (whole := _NAME.match(text, match.start("out"))):
        out = whole[0].strip(" *`\"'")  # a full stop within a name ends no clause
    low = match.group().lower()
    if _NO_THING.match(out) or (_CONTRAST.search(low) and not _PICKS.search(text[: match.start("out")].lower())):
        return ""
    return "" if low.startswith("no longer") and not _USED.match(low) else out


def chosen(text: str) -> frozenset[str]:
    """The content words of what a statement sets in the place of what it turns down: the two nearest to it."""
    match = _alternative(text)
    if match is None:
        return frozenset()
    if _HANDS_OVER.match(match.group()):
        return frozenset(content(text[: match.start()], 60)[-2:])
    if _FOLLOWS.match(match.group()):
        return frozenset(content(text[match.end() : match.end() + 120], 60)[:2])
    return frozenset(content(text[max(0, match.start() - 120) : match.start("out")].replace("instead", " "), 60)[-2:])


@cached
def _alternative(text: str) -> re.Match[str] | None:
    low = text.lower()
    return next((match for pattern in _REJECTED if (match := pattern.search(text, low))), None)


def reason(text: str, following: str = "") -> str:
    """Why, verbatim: a clause of the statement itself, or the sentence after it where that one explains."""
    if match := _REASON.search(text):
        return match.group().strip()
    return following.strip() if _REASON_NEXT.match(following) else ""


def covers(words: str, text: str, share: float = 0.6) -> bool:
    """Whether a later text speaks of at least `share` of an earlier item's content words."""
    wanted = set(words.split())
    return bool(wanted) and len(wanted & set(content(text, 60))) >= max(1, share * len(wanted))
