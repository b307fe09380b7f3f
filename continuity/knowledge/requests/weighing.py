"""Sentences in which somebody weighs something: doubts, suppositions, and where the thought turns round."""

from __future__ import annotations

import re

from continuity.knowledge.language.reply_structure import announces
from continuity.knowledge.language.sentences import lowered
from continuity.knowledge.requests.gist import is_filler
from continuity.knowledge.rules.prefilter import PrefilteredPattern

LEAST = 50  # characters, fewer of which say little
_RETELLS = ("the user ", "user ")  # what was asked
_TURNS = re.compile(r"(?:(?:but|and|so|or|hmm+|oh|now|aber|und)[,.! ]+)*(?:actually|wait|unless|maybe|perhaps|vielleicht|eigentlich)\b")
_OPTION = re.compile(
    r"(?:(?:so|i think|let's go with|i'll go with|going with)[, ]+)?"
    r"(?:option|approach|alternative|variant) \(?(?P<mark>[a-f]|[1-9])\)?(?!\w)"
)
_PREFERS = re.compile(
    r"\b(?:safer|safest|better|best|simpler|simplest|cleaner|cleanest|makes (?:more |most )?sense|go(?:ing)? with|right)\b"
)
_WEIGHS = PrefilteredPattern(
    r"\b(?:might|may|could) (?:be|not|have)\b|\b(?:likely|probably|presumably|wahrscheinlich|vermutlich)\b"
    r"|\bshould(?:n't| not)? (?:be|have|work)\b|\b(?:real|core|actual) (?:issue|problem|cause|question)\b"
    r"|\bthe (?:issue|problem|cause|question|catch) (?:is|here|remains)\b|\bsimplest (?:fix|solution|approach|way)\b"
    r"|\bdoes(?:n't| not) make sense\b|\bif (?:it|that|this|they) (?:failed|fails|were|was|is)\b"
)


def turns_round(sentence: str) -> bool:
    """Whether a sentence begins by turning a thought round: "Unless the branch was reset."."""
    return _TURNS.match(lowered(sentence.strip("*_ "))) is not None


def option_preferred(sentence: str) -> str:
    """The letter or number of the option that a sentence prefers: "Option (a) is the safer approach."; empty where it prefers none."""
    low = lowered(sentence.strip("*_ ").replace("**", ""))
    option = _OPTION.match(low)
    return option["mark"] if option and _PREFERS.search(low) and " but " not in low else ""


def only_sets_out(sentence: str) -> bool:
    """Whether a sentence turns round only to say what to do next, or breaks off in code: "Actually, let me run it again first."."""
    low = lowered(sentence.strip("*_ "))
    turned = _TURNS.match(low)
    rest = low[turned.end() if turned else 0 :].lstrip(" ,.!:–—-")
    return "```" in sentence or is_filler(rest)


def weighs(sentence: str) -> bool:
    """Whether a sentence weighs something, and does not only announce what comes next."""
    words = sentence.strip("*_ ")
    low = lowered(words)
    if len(words) < LEAST or low.startswith(_RETELLS) or not (turns_round(words) or _WEIGHS.search(low) or option_preferred(words)):
        return False
    return turns_round(words) or bool(option_preferred(words)) or not announces(words)
