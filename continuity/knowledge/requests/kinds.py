"""The kinds of a person's message: a request, a question, a report, an answer to what was put before them, a correction, a rule, a
remark, or a mere "go on"."""

from __future__ import annotations

import re

from continuity.knowledge.anchors.supersession import changes_course
from continuity.knowledge.language.acceptance import acceptance, is_bare
from continuity.knowledge.language.content_words import content, is_identifier, tokens
from continuity.knowledge.language.leaving import without_own
from continuity.knowledge.language.requests import is_question, is_request, wants_change
from continuity.knowledge.language.sentences import Sentence, lowered
from continuity.knowledge.language.standing import is_standing
from continuity.knowledge.model import RequestKind

ANSWER = 25  # words of an answer to the agent's question, unless it asks for something itself
OWN = 3  # words of content of a request that follows a yes
SAYS_SOMETHING = 6  # words from which a message without a request sets work

_GO_ON = re.compile(
    r"^(?:please |ok(?:ay)?,? )*(?:continue|go on|keep going|proceed|carry on|resume|next|go|weiter|mach weiter|continuer?)\b"
    r"[\w ,.!]{0,40}$"
)


# Something is not as it should be.
_TROUBLE = re.compile(
    r"\b(?:fails?|failed|failing|broke|broken|breaks|crash(?:es|ed|ing)?|errors?|(?:does|did|do|is|are)(?:n't| not) (?:work\w*|show\w*"
    r"|run\w*|build\w*|compile\w*|pass\w*|there)|not working|conflict\w*|conflix|stuck|hangs?|flickers?|missing|wrong|regress\w*|bug"
    r"|still (?:shows?|not|see\w*|get\w*|the same|happen\w*|there|fail\w*)"
    r"|geht nicht|funktioniert nicht|kaputt|fehler|marche pas|no funciona)\b"
)
# How words tell of trouble as it is, not of what to do about some.
_IS_WRONG = re.compile(
    r"\b(?:the (?:\w+ ){0,2}(?:issue|problem|bug|error|cause) is|(?:is|are) (?:undefined|unused|broken|failing|missing|wrong)"
    r"|declared and not used|fails? (?:with|because|since|at|on|when|in))\b"
)
_NO = re.compile(r"^(?:no+|nope|nein|non)\b(?!,? (?:thanks|thank you|danke|merci|problem|worries))")
_NOT_SO = re.compile(
    r"^(?:(?:hm+|um|ah|oh|sorry|well|but|wait|actually)[,. ]+)*(?:that(?:'s| is) not (?:it|right|what|true|correct)|that(?:'s| is) wrong"
    r"|not (?:that|what i)\b|i (?:meant|mean(?: not)?)\b|my point (?:is|was)\b|you misunderst\w+|das ist falsch|ich meinte)"
)
_LEADING_NO = re.compile(r"^(?:no|nope|nah|nein|non)[,.!]? +")
# How somebody begins who holds up what is going on.
_HOLDS_UP = re.compile(
    r"^(?:(?:oh|ah|hm+|no|ok(?:ay)?|but)[,. ]+)*(?:wait|hold on|hang on|stop|one moment|not so fast|warte|moment|halt|attends?"
    r"|espera)\b\s*(?:[,.!:;…–—]|-\s)"
)
_WITHDRAWS = re.compile(
    r"^(?:(?:ok(?:ay)?|no|oh|ah|please|actually|hm+|wait|sorry|just|then)[,. ]+)*(?:never ?mind|forget (?:it|that|about (?:it|that))"
    r"|scrap (?:it|that)|cancel (?:it|that|this)|drop (?:it|that)|skip (?:it|that)|leave it(?: (?:be|for now))?"
    r"|don't (?:bother|do (?:it|that|this))|no need|vergiss es|laisse tomber|olv[ií]dalo)\b[^?]{0,30}$"
)
_COMMAND = re.compile(r"(?:^|\s)/[a-z][a-z0-9:_-]{2,60}(?=\s|$)")  # of a tool, named within words
_DELIVERS = re.compile(r"(?:and |now |then |ok(?:ay)?,? |please )*(?:force[- ]?push|amend|squash|rebase|stash|cherry-?pick|retry|rerun)\b")
_FORBIDS = re.compile(r"(?:(?:and|but|so|please|btw)[, ]+)*(?:don't|dont|do not|never|no need to)\b")  # what is not to be done
_LEAVE = re.compile(r"(?:(?:and|but|then|please)[, ]+)*(?:leave|skip|ignore)\b")  # what is asked for beside
WITHDRAWAL = 10  # words of a message that only takes back what was asked


def denies_answer(words: str) -> bool:
    """Whether a message says that what the agent told before it was not so, or not what was meant."""
    return _NOT_SO.match(_LEADING_NO.sub("", lowered(words))) is not None


def tells_trouble(words: str) -> bool:
    """Whether words say that something is not as it should be."""
    return _IS_WRONG.search(lowered(words)) is not None


def says_no(words: str) -> bool:
    """Whether words begin with a no that is not mere courtesy."""
    return _NO.match(lowered(words).strip()) is not None


def withdraws(words: str) -> bool:
    """Whether a message only takes back what was asked."""
    return len(words.split()) <= WITHDRAWAL and _WITHDRAWS.match(lowered(words).strip()) is not None


def kind_of(words: str, sentences: list[Sentence], *, asked: bool, pasted: bool = False) -> RequestKind:
    """The kind of a message in the person's own `words`; `asked` is whether the agent had put something before them, `pasted` whether
    there was more than the words."""
    low = lowered(words).strip()
    size = len(words.split())
    if not low and pasted:
        return RequestKind.REPORT
    if _GO_ON.match(low) and not asked:
        return RequestKind.GO_ON
    if is_bare(words):
        return RequestKind.ANSWER if asked else RequestKind.GO_ON
    if withdraws(words):
        return RequestKind.CORRECTION
    rest = without_own(sentences)
    if len(rest) < len(sentences):
        return _beside_own(rest, asked=asked, pasted=pasted)
    wants = any(is_request(s.text) for s in sentences)
    wonders = any(is_question(s.text) for s in sentences)
    accepted = acceptance(words)
    if accepted is not None and accepted.choices and accepted.rest:
        if asked:
            return RequestKind.ANSWER
        accepted = None  # It names nothing that was put before the person.
    if accepted is not None and not wonders:
        return RequestKind.REQUEST if is_request(accepted.rest) and len(content(accepted.rest, 3)) >= OWN else RequestKind.ANSWER
    if sentences and all(is_standing(s.text) and not wants_change(s.text) for s in sentences):
        return RequestKind.RULE
    if size <= 2 * ANSWER and (_NOT_SO.match(low) or (_NO.match(low) and size > 1 and not asked and not wonders)):
        return RequestKind.CORRECTION
    if size <= 2 * ANSWER and _HOLDS_UP.match(low) and not asked and not wonders:
        return RequestKind.CORRECTION
    troubled = not wants and (pasted or _TROUBLE.search(low) is not None)
    if asked and not wants and not wonders and size <= ANSWER and (not troubled or _NO.match(low)):
        return RequestKind.ANSWER
    if any(changes_course(s.text) for s in sentences[:2]) and size <= ANSWER and not wonders:
        return RequestKind.CORRECTION
    if wants:
        return RequestKind.REQUEST
    if wonders:
        return RequestKind.QUESTION
    if troubled:
        return RequestKind.REPORT
    if size <= ANSWER and any(_FORBIDS.match(lowered(s.text)) for s in sentences):
        return RequestKind.RULE
    if _COMMAND.search(words) or _DELIVERS.match(low):
        return RequestKind.REQUEST
    says = size >= SAYS_SOMETHING or any(is_identifier(token) for token in tokens(words))
    return RequestKind.REQUEST if says else RequestKind.REMARK


def _beside_own(rest: list[Sentence], *, asked: bool, pasted: bool) -> RequestKind:
    """The kind of a message that tells of what the person does themselves: that of the `rest` where it asks for something or tells
    trouble; otherwise it answers what was asked, or parts."""
    words = " ".join(s.text for s in rest)
    asks = any(is_request(s.text) or is_question(s.text) for s in rest) or _TROUBLE.search(lowered(words)) is not None
    if asks or (rest and all(is_standing(s.text) for s in rest)):
        return kind_of(words, rest, asked=asked, pasted=pasted)
    if asked and rest:
        return RequestKind.ANSWER
    return RequestKind.REQUEST if any(_LEAVE.match(lowered(s.text)) for s in rest) else RequestKind.PARTING
