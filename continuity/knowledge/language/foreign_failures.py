"""An agent's verdict that a failure is none of its work: it was there before, or comes from elsewhere."""

from __future__ import annotations

from continuity.knowledge.language.sentences import lowered
from continuity.knowledge.rules.prefilter import PrefilteredPattern

_FOREIGN = PrefilteredPattern(
    r"\bpre-?existing\b|\b(?:not|isn't|aren't|wasn't|weren't) (?:\w+ )?(?:related to|caused by|due to|introduced by|because of|from)"
    r" (?:\w+ )?(?:my|our|this|these|the)\b(?: \w+)? ?(?:changes?|edits?|work|commits?|branch|pr)?"
    r"|\bunrelated to (?:\w+ )?(?:my|our|this|these|the|what)\b"
    r"|\b(?:fail(?:s|ed|ing)?|broken|red) (?:\w+ ){0,3}(?:on main|on master|before my|before our|before this|without my|without our)\b"
    r"|\bsame (?:\w+ )?(?:failures?|errors?|tests? fail\w*) (?:\w+ ){0,4}(?:on main|on master|before|without)\b"
)
_OF_TROUBLE = PrefilteredPattern(r"\b(?:fail\w*|errors?|issues?|warnings?|broken|red|problems?|tests?)\b")


def is_foreign(text: str) -> bool:
    """Whether words say that failures have nothing to do with the work."""
    low = lowered(text)
    return _FOREIGN.search(low) is not None and _OF_TROUBLE.search(low) is not None
