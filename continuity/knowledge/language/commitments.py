"""Promises: what keeps one open, and the words that show it kept."""

from __future__ import annotations

import re

from continuity.knowledge.language.sentences import lowered
from continuity.knowledge.rules.prefilter import PrefilteredPattern

ACT = "act"  # closed by the next act
TURN = "turn"  # closed when the turn ends in a report
LATER = "later"  # closed only by words or evidence that it was kept
COMING = "coming"  # closed by the words that end a later turn: they are what is promised

_FIRST = PrefilteredPattern(r"\b(?:i'll|i will|i'm going to|i am going to|i can|we'll|we will|i promise|ich werde|je vais)\b")
_STARTS = re.compile(
    r"^(?:(?:so|and|then|ok|okay|now|next|also|first|finally)[,:]?\s+)*(?:i'll|i will|i'm going to|i am going to|i promise)\b"
)
_LATER = re.compile(
    r"\b(?:once|when(?:ever)? (?:you|the|it|this|that|ci|we)|after (?:you|the|this|that|it|we|merge|release)|(?<!you )later(?! want)"
    r"|tomorrow|next (?:week|time|session|sprint)|afterwards|eventually|in a follow[- ]?up|follow up"
    r"|as soon as|before (?:we|you|the|it) (?:merge|release|ship|land)\w*|at the end of the (?:day|week|sprint|session)|until"
    r"|report back|let you know|get back to|remind|keep an eye|monitor|separately|another pr|separate pr|subsequent|deferred to)\b"
)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]{0,6}"
_TERM = r"(?:the )?end of (?:the |this |next )?(?:day|week|month|quarter|sprint|year|business)"
_CLOCK = r"\d{1,2}(?::\d\d)? ?(?:am|pm|o'clock|uhr)|\d{1,2}:\d\d"
_DATE = rf"\d{{4}}-\d\d-\d\d|\d{{1,2}}[./]\d{{1,2}}|{_MONTH}\.? \d{{1,2}}|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}"
# A promise for a day is open until that, whatever is done at once.
_DATED = PrefilteredPattern(
    r"\b(?:by|before|on|until|till|no later than|not later than) (?:(?:the|next|this|coming|early|late) ){0,2}"
    rf"(?:{_DAY}|tomorrow|tonight|noon|midnight|eod|eow|eom|cob|{_TERM}|{_DATE}|{_CLOCK})"
    rf"|\b(?:tomorrow|tonight|this (?:afternoon|evening|week)|next (?:week|month|{_DAY}))\b"
    r"|\bbis (?:zum |nächsten? |kommenden? )?(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|ende)\b"
)
_OWN = ("i'll ", "i will ", "i'm going to ", "i am going to ", "i promise ", "ich werde ", "ich liefere ")
_WILL = re.compile(r"\b(?:i'll|i will|i'm going to|i am going to|i promise|we'll|we will|ich werde|ich liefere|ich schicke)\b")
_SOON = re.compile(
    r"\b(?:once|when|after|as soon as|until) (?:this|the|these|that|it) ?(?:local |full |current )?(?:command|tests?|runs?|build|checks?"
    r"|lint|suite|script|edit|search|process)\b"
)
_REPORTS = re.compile(
    r"\b(?:i'll|i will) (?:then )?(?:report|update you|tell you|let you know|ping you|summarize|come back)\b"
    r"[^.?!]{0,60}\b(?:once|when|as soon as|after)\b"
)
_BEGINS = re.compile(r"\b(?:start|begin)(?:ing)? (?:by|with)\b")  # what comes after it is a plan
_THEN = re.compile(r"\b(?:then|after that|followed by|and finally)\b")
_IDLE = PrefilteredPattern(
    r"\b(?:i'll|i will|i can|we'll|we will) (?:be|need|have to|assume|wait|help|stop|admit|say|note|see|leave|keep|not|never|happily"
    r"|gladly|be happy|let you|know|explain|use elasticsearch)\b|\bi can\b(?!.{0,40}\b(?:later|once|after)\b)"
)
_OWES = re.compile(
    r"^(?:(?:and|but|so|also|yes|yeah|right|ah|oh|sorry)[,:]? )*(?:i|we)(?:'ll)? (?:still |also |now )?owe (?:you|him|her|them|the)\b"
)
_PERSON = PrefilteredPattern(
    r"\bi promise\b|\bi(?:'ll| will|'m going to) (?!(?:be|need|have|see|let|assume|say|try to explain)\b)\w+"
    r"|\bich (?:werde|mache|kümmere)\b.{0,60}\b(?:später|morgen|dann)\b|\bje (?:vais|ferai)\b.{0,60}\b(?:plus tard|demain)\b"
)
_LISTED = re.compile(
    r"\b(?:add|put|move) (?:it|this|that|them|these|those) (?:to|on|into) (?:the|an|a|our|my|your)\b.{0,40}\b(?:list|backlog|board"
    r"|todos?|queue)\b"
    r"|\b(?:remind me|follow up on|todo:|come back to (?:this|that|it)|later we)\b|\bwe(?:'ll| will| should| can"
    r"| need to)\b.{0,60}\b(?:later|after(?:wards)?[.!]*$)"
)
_ARRIVED = re.compile(
    r"\b(?:done|sent|uploaded|opened|attached|available|ready|arrived|landed|came|finished|here (?:is|are)|(?:is|are) (?:in|on|at|under"
    r"|now)"
    r"|now|i've|i have|\w{3,}ed)\b"
)
_AWAITED = re.compile(r"\b(?:not|n't|still|will|must|should|can|please|when|if|until|as soon as|tomorrow)\b|\?$|n't\b")
_PERSON_KEPT = PrefilteredPattern(
    r"\b(?:fix|change|it|that|this|pr|branch|patch|update|commit|release|everything|config|key|secret|access|permission|all)(?:'s| is"
    r"| are| has been| have been| was)? (?:now |already |just )?(?:pushed|done|merged|fixed|deployed|released|landed|updated|granted"
    r"|added|rotated)\b"
    r"|\bi(?:'ve| have)(?: now| just| already)? \w+(?:ed|n|t)\b|^(?:ok(?:ay)?[, ]+)?done\b"
)
_KEPT = PrefilteredPattern(
    r"\b(?:done|added|fixed|updated|posted|created|pushed|committed|removed|implemented|tested|verified|checked|confirmed|documented"
    r"|finished|completed|merged|closed|replied|reported|ran|wrote|sent|opened|filed|renamed|moved|set up|is in place|are in place"
    r"|has been|have been|passes|passed|now \w+s)\b"
)
_ANY = re.compile(r"\b(?:i'll|i will|i'm going to|i promise)\b")


def promise(text: str, announced: bool) -> str:
    """What closes the agent's promise in a sentence (`act`, `turn`, `later`, `coming`); empty where it holds none.

    `announced` is True for the closing sentence of a text that goes on to act.
    """
    low = lowered(text)
    if not low.endswith("?") and _WILL.search(low) and _DATED.search(low):
        return LATER
    if low.endswith("?") or not _FIRST.search(low) or (_IDLE.search(low) and not _LATER.search(low)):
        return ""
    if _ANY.search(low) and _LATER.search(_SOON.sub(" ", low)):
        return LATER
    if _REPORTS.search(low):
        return COMING
    if not _STARTS.search(low) and not announced:
        return ""
    return TURN if _THEN.search(low) and not _BEGINS.search(low) else ACT


def person_promises(text: str) -> bool:
    """Whether the person takes something on."""
    low = lowered(text)
    return not low.endswith("?") and (_PERSON.search(low) is not None or owes(low))


def owes(low: str) -> bool:
    """Whether a sentence in lower case says that its speaker owes something."""
    return _OWES.match(low) is not None


def is_dated(low: str) -> bool:
    """Whether a sentence in lower case promises something for a day."""
    return low.startswith(_OWN) and _DATED.search(low) is not None


def is_listed(text: str) -> bool:
    """Whether the person puts something off, to be come back to."""
    return _LISTED.search(lowered(text)) is not None


def person_kept(text: str) -> bool:
    """Whether the person says that something awaited from them has happened."""
    return _PERSON_KEPT.search(lowered(text)) is not None


def arrived(text: str) -> bool:
    """Whether the person speaks of something as there or done by now."""
    low = lowered(text)
    return _ARRIVED.search(low) is not None and _AWAITED.search(low) is None


def kept(text: str) -> bool:
    """Whether a sentence of the agent speaks of something as done."""
    return _KEPT.search(lowered(text)) is not None
