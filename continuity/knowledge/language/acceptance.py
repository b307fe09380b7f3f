"""Short answers of the person: a plain yes, a choice by number, thanks; and what is no substantive request."""

from __future__ import annotations

import re
from dataclasses import dataclass

from continuity.knowledge.language.sentences import lowered

WORDS = 14  # an acceptance is short
CHANGED = 40  # words of a choice with what is to be different of it

_YES = re.compile(
    r"^(?:(?:ok|okay|hmm|oh|ah|well|haha|cool)[,.! ]+)*(?:yes|yep|yeah|yup|ya|sure|ok|okay|k|kk|fine|agreed|i agree|agree|great|perfect"
    r"|sounds (?:good|great|right)|looks good|lgtm|go ahead|go for it|do it|do that"
    r"|please do|proceed|approved?|correct|exactly|right|absolutely|definitely|of course|let's do (?:it|that|this)|lets do (?:it|that"
    r"|this)|let's go|make it so|ship it|continue|that works|works for me|👍|✅"
    r"|ja|jep|genau|passt|gerne?|mach (?:das|es)|einverstanden|oui|d'accord|vas-y|allez-y|parfait|go)\b[,.! ]*"
)
_THANKS = re.compile(
    r"^(?:thanks?|thank you|thx|cheers|nice|cool|great|awesome|perfect|good job|well done|wow|lol|haha|danke|merci"
    r"|super)\b[\w\s,.!:)]{0,30}$"
)
_GO_ON = re.compile(
    r"^(?:please )?(?:continue|go on|keep going|proceed|carry on|resume|next|weiter|mach weiter|continuer?)(?: please| on| with (?:it"
    r"|that|this))?[.! ]*$"
)
_PRAISE = re.compile(r"^(?:(?:ok|okay|good|very good|fine|nice|cool|great|perfect|super|thanks|thank you|thx|alright|right)\b[,.! ]+)+")
_ONE = r"(?:#?\s*([1-9a-h])|(first|second|third|fourth|last)(?: one| option)?)"
_CHOICE = re.compile(
    rf"^(?:let's |i'd |i |please )*(?:go with|do|take|use|choose|pick|prefer|like|want|vote for|option|number|choice|approach|plan"
    rf"|variant|the|just)?\s*+(?:the )?(?:option |number |choice |approach |plan |variant )?{_ONE}"
    rf"(?:\s*(?:and|\+|,|&|then)\s*(?:option |number )?{_ONE})?(?:\s*(?:please|thanks|first|only|for now))?[.! ]*$"
)
# A choice and what is to be different: "B, but 5 seconds". A letter alone may be a word.
_CHANGED = re.compile(
    r"^(?:let's |i'd |i |please )*(?:(?:go with|do|take|use|choose|pick|prefer)\s+(?:the )?)?"
    r"(?:(?:option|number|choice|approach|plan|variant)\s+#?([1-9a-h])|#?([1-9])|\(?([a-h])(?=\)|\s*[,;:.–—-]|\s+but\b)"
    r"|the (first|second|third|fourth|last)(?: one| option)?)\)?(?:\s*[,;:.–—-]\s*|\s+)"
    r"(?=(?:but|and|also|plus|with|without|except|though|only|just|aber|und|mit|ohne|mais|et|avec|sans|pero|y|con|sin)\b)"
)
_ALL = re.compile(
    r"^(?:do |let's do |take |i want )?(?:both|all(?: of (?:them|it|those))?|all (?:two|three|four|five|\d)|everything|alle|beide|tout"
    r"|les deux)\b[\w\s,.!]{0,20}$"
)
_FIRM = re.compile(
    r"^(?:yes|yep|yeah|yup|agreed?|sounds|approved?|go for it|go ahead|ja|oui|d'accord|einverstanden)\b|\b(?:let'?s|we can) \w+ (?:that"
    r"|it|this)\b"
    r"|\bdo (?:it|that)\b|\bi agree\b"
)
_ORDINAL = {"first": "1", "second": "2", "third": "3", "fourth": "4", "last": "last"}


@dataclass(frozen=True, slots=True)
class Acceptance:
    """`choices` are option markers (`2`, `b`, `last`, `all`), empty for a plain yes; `rest` is what follows the yes or the choice. `firm`
    is more than an "ok": it agrees to what was recommended even where nothing was asked."""

    choices: tuple[str, ...] = ()
    rest: str = ""
    firm: bool = False


def acceptance(text: str) -> Acceptance | None:
    """How a message accepts what was put before it, or None where it says something of its own."""
    low = lowered(text).strip()
    if not low or low.endswith("?"):
        return None
    yes = _YES.match(low)
    rest = low[yes.end() :].lstrip(" ,.-–—:!") if yes else low
    if chosen := _CHOICE.match(low) or _CHOICE.match(rest):
        marks = [g for g in chosen.groups() if g]
        return Acceptance(tuple(_ORDINAL.get(mark, mark) for mark in marks))
    if (changed := _CHANGED.match(low) or _CHANGED.match(rest)) and len(low.split()) <= CHANGED:
        mark = next(group for group in changed.groups() if group)
        return Acceptance((_ORDINAL.get(mark, mark),), changed.string[changed.end() :])
    if _ALL.match(rest):
        return Acceptance(("all",))
    if yes and len(low.split()) <= WORDS:
        return Acceptance((), rest, _FIRM.search(low) is not None)
    return None


def is_bare(text: str) -> bool:
    """Whether a message asks for nothing of its own: yes, thanks, continue."""
    low = lowered(text).strip()
    if praise := _PRAISE.match(low):
        return is_bare(low[praise.end() :]) or bool(_THANKS.match(low))
    if not low or _THANKS.match(low) or _GO_ON.match(low):
        return True
    accepted = acceptance(low)
    return accepted is not None and len(accepted.rest.split()) <= (0 if accepted.choices else 2)
