"""Sentences in which a person stops for now, hands the work to somebody else, or says what they do themselves. None asks the agent for
anything."""

from __future__ import annotations

import re

from continuity.knowledge.language.commitments import person_promises
from continuity.knowledge.language.requests import is_request
from continuity.knowledge.language.sentences import Sentence, lowered
from continuity.knowledge.rules.prefilter import PrefilteredPattern

_WHEN = r"(?:today|tonight|now|the (?:day|night|week|weekend|moment)|this (?:week|evening|morning|afternoon))"
_LATER = (
    r"(?:tomorrow|later|tonight|next week|another (?:day|time)|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|after (?:that|lunch|the \w+))"
)
_NOBODY = r"(?!(?:i|you|we|it|this|that|they|which|who|what|there|one|the|an?|[\w-]*s)\b)"
_DOES = (
    r"(?:takes?|looks? (?:at|into|after)|continues?|finish(?:es)?|go(?:es)? on|picks?|handles?)"
    r"(?: (?:it|this|that|the rest|these|those))?(?: (?:over|up|from here))?"
)
_LEAVES = PrefilteredPattern(
    # They stop, or go.
    rf"\bstop(?:ping)? (?:here|there|it here)\b|\bstop(?:ping)? for {_WHEN}|\b(?:enough|it|all) for (?:today|tonight|the day)\b"
    r"|\bcall(?:ing)? it a (?:day|night)\b|\b(?:gotta|got to|have to|need to|must) (?:go|leave|run|stop|log off|head out)"
    r"(?= ?(?:now|soon|home|here|today|for|in a|[,.;:!—–]|$))"
    rf"|^(?:the )?rest (?:is |comes |follows )?{_LATER}|\b(?:continue|go on|carry on|rest) {_LATER}|^(?:see you|talk to you|back) {_LATER}"
    # They are away.
    r"|\bi(?:'m| am|'ll be| will be) (?:(?:on|going on) (?:holiday|vacation|leave|pto|(?:the|a) (?:boat|train|plane|road|trip|call))"
    r"|(?:away|off|out|gone|back) (?:from|until|till|for|on|in|at|of office|today|tomorrow|next))"
    r"|\bi(?:'ve| have) to be (?:at|in|on) (?:the )?\w+ (?:at|by|in)\b"
    # Somebody else goes on.
    r"|\b(?:hand(?:ing)?|giv(?:e|ing)|pass(?:ing)?) (?:this|it|that|everything|all of it)(?: \w+)? (?:over|back|on)\b"
    r"|\bhand(?:ing)? over to\b"
    rf"|^(?:and |so |then |but )?{_NOBODY}\w+ (?:(?:can|will|should|is going to) )?{_DOES}"
    r"(?= ?[,.;:!]| (?:from|tomorrow|today|when|on|then)\b|$)"
    r"|\bich (?:muss (?:jetzt |gleich )?(?:los|weg|aufhören)|höre? (?:hier|jetzt|für heute) auf)\b|\bfür heute (?:reicht|war|ist|genug)"
    r"|\bmorgen (?:geht es |machen wir |mache ich )?weiter\b|\bfeierabend\b|\bübernimmt\b"
    r"|\bje (?:dois y aller|m'arrête)\b|\bon (?:s'arrête|arrête) là\b|\bà demain\b"
)
_HAS_TO_ASK = PrefilteredPattern(
    r"\b(?:i |but |and |first )?(?:still )?(?:have|need|want) to (?:first )?(?:ask|check with|talk to|speak (?:to|with)) (?!you\b)\w+"
    r"|\bich (?:muss|werde|will) .{0,40}\b(?:fragen|klären|abklären|nachfragen)\b"
)
# What they do or did with what was made, in a sentence of its own.
_DEED = re.compile(
    r"^(?:(?:and|ok(?:ay)?|so|then|great|perfect|good|thanks)[,. ]+)*(?:i(?:'ve| have)? )?(?:just |already )?"
    r"(?:sent|merged|deployed|released|published|shipped|pushed|closed|posted|forwarded|signed)"
    r"(?: (?:it|this|that|them|both|all))?(?: as (?:it )?is| now| already)?[.! ]*$"
    r"|(?:^|[,;:] )(?:i(?:'m| am) )?(?:closing|merging|deploying|sending|publishing|releasing|shipping) (?:this|it|that)"
    r"(?: now| then| as (?:it )?is)?[.! ]*$"
)
_MUST_GO = re.compile(r"(?:ich muss (?:jetzt |gleich )?(?:los|weg|aufhören)|je dois y aller)\b")
_TOGETHER = re.compile(
    r"(?:(?:ok(?:ay)?|so|and|then|thanks|please|well|alright)[,.! ]+)*(?:let's|lets|let us|we (?:can|should|have to|need to))\b"
)
_THANKS = re.compile(
    r"(?:ok(?:ay)?|thanks?|thank you|perfect|great|good|nice|wonderful|lovely|danke|merci|bye|cheers|sorry)\b[^.!?]{0,40}[.!]*$"
)


def leaves(text: str) -> bool:
    """Whether a sentence says that its speaker stops, is away, or leaves the work to somebody else."""
    low = lowered(text)
    if low.endswith("?") or _LEAVES.search(low) is None:
        return False
    return not is_request(text) or _TOGETHER.match(low) is not None or _MUST_GO.match(low) is not None


def speaks_of_own(text: str) -> bool:
    """Whether a sentence tells of what the person does themselves: that they leave, take something on, did it, or must ask
    somebody."""
    low = lowered(text)
    if low.endswith("?"):
        return False
    if leaves(text):
        return True
    return not is_request(text) and (person_promises(text) or any(pattern.search(low) is not None for pattern in (_HAS_TO_ASK, _DEED)))


def without_own(sentences: list[Sentence]) -> list[Sentence]:
    """The sentences but for those of what the person does themselves, and thanks; all of them where none is."""
    if not any(speaks_of_own(s.text) for s in sentences):
        return sentences
    return [s for s in sentences if not speaks_of_own(s.text) and not _THANKS.match(lowered(s.text))]
