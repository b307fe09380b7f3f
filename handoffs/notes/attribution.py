"""A note's statements about what a person wanted, approved or laid down, held against what persons and the project said."""

from __future__ import annotations

import re

from continuity.knowledge.evidence import PlanState
from handoffs.notes.clauses import CLAUSE
from handoffs.notes.evidence import NoteEvidence, denies, words_of

LIKE, AGREED = 0.6, 0.5
FEW = 2  # words of a clause below which the whole statement says what is meant

_PERSON = r"(?:user|person|human|owner|customer|client|maintainer|boss|nutzer|benutzer|utilisateur|usuario)"
_VERB = (
    r"(?:approv|want|agree|ask|said|says|confirm|prefer|decid|insist|requir|request|told|authori[sz]|allow|accept|demand|sign|permit"
    r"|genehmig|erlaub|will\b|approuv|veut|quiere|aprob)"
)
_ATTRIBUTED = re.compile(
    rf"\b{_PERSON}\b(?: \w+){{0,3}}? {_VERB}\w*|\b{_VERB}\w* (?:by|from|vom|par|por) (?:the |our |der |l')?{_PERSON}\b"
    rf"|\b{_PERSON}(?:['’]s)? (?:approval|permission|consent|order|request|wish)\b"
)
# How a history tells what was asked; in other words, no person need have used these.
_TOLD_THEN = re.compile(r"\b(?:asked|said|told|requested|confirmed)\b")
_CONDITION = re.compile(r"\b(?:if|unless|until|should)\b")
_AWAITED, _OVER = re.compile(r"\b(?:when|once|whether|before)\b"), re.compile(r"(?:ed|said|told)$")
# Words between a person and a verb by which it tells that nothing was said, or that the person was told something.
_NOT_SAID = re.compile(r"\b(?:not|never|nothing|yet|been (?:asked|told|shown))\b|n['’]t\b")
# What a person chose, named in passing: "the drawing that the person accepted".
_IN_PASSING = re.compile(r"\bthe [\w-]+ (?:(?:that|which) (?:the |our )?|(?:the|our) )$")
_CHOSEN = re.compile(r"(?:accept|ch[oe]se|pick)\w*$")
_PLAN = re.compile(r"\bplan\b")
# What nobody should do because a note says that somebody wants it.
_GRAVE = re.compile(
    r"\b(?:push|deploy|releas|publish|production|delet|drop|force|secret|passwor|credential|skip|disabl|bypass|ignor|overrid"
    r"|wip(?:e|ing)|rm\b|remov|reset|truncat|overwrit|sudo|merg)"
)
_DOCUMENT = re.compile(
    r"\.md\b|\b(?:claude|agents|contributing|readme|skills?|the plan|plan['’]s|specification|guidelines?)\b|(?:^|\s)/[\w:-]+ command"
)
_QUOTED = re.compile(r"[\"“]([^\"“”]{4,300})[\"”]")
_ASIDE = re.compile(r"\s\([^()]*\)\.?$")
_APPROVAL = re.compile(r"approv|agree|confirm|authori|allow|accept|sign|permi|consent|genehmig|erlaub|aprob")
_FRAME = words_of("user person human owner customer client maintainer approved approval agreed asked said confirmed requested told allowed")


def not_from_person(part: str, low: str, evidence: NoteEvidence) -> str:
    """The reason against what a person is said to have wanted or approved, where no person was found to say so. A history tells in its own
    words what was asked, and neither a condition nor a denial tells of anything that was said."""
    found = next((each for each in _ATTRIBUTED.finditer(low) if _is_attributed(low, each)), None)
    if found is None:
        return ""
    approval = _APPROVAL.search(found[0].replace("confirm", ""))
    quoted = any(evidence.said(words) for words in _QUOTED.findall(low))
    if not approval and (quoted or (part == "history" and _TOLD_THEN.search(found[0]))):
        return ""
    told = CLAUSE.split(low[found.start() :])[0]
    clause, whole, denied, grave = words_of(told) - _FRAME, words_of(low) - _FRAME, denies(low), _GRAVE.search(told) is not None
    words = clause if len(clause) >= FEW else whole
    if _APPROVAL.search(found[0]):
        plan = evidence.knowledge.situation.plan
        planned = not grave and plan is not None and plan.state is PlanState.APPROVED and _PLAN.search(low) is not None
        gravest = {word for word in words if _GRAVE.search(word)}  # which have to stand in what was offered themselves
        if planned or any(said.says(words, AGREED) and gravest <= said.words for said in evidence.agreed):
            return ""
        if not _GRAVE.search(low) and any(len(words & answer) >= LIKE * len(words) for answer in evidence.agreed_answers):
            return ""
        share = LIKE
        known = [said for said in evidence.persons if not said.asks]
    else:
        share, known = AGREED, list(evidence.persons)
    if any(said.says(words, share) and said.denies is denied for said in known):
        return ""
    if not (approval or grave) and 2 * len(clause) < len(whole):
        return ""  # most of the statement tells something else
    return "No person was found to have said this."


def _is_attributed(low: str, found: re.Match[str]) -> bool:
    """Whether the words tell that a person said something."""
    before = low[: found.start()]
    clause = CLAUSE.split(before)[-1]
    awaited = _CONDITION.search(clause) or (_AWAITED.search(clause) and not _OVER.search(found[0]))
    in_passing = _IN_PASSING.search(before) and _CHOSEN.search(found[0]) and not _GRAVE.search(low)
    return not (awaited or in_passing or _NOT_SAID.search(found[0]))


def unsupported_rule(text: str, evidence: NoteEvidence) -> str:
    """The reason against a rule that neither a person nor the project laid down."""
    aside = _ASIDE.search(text)
    text = text[: aside.start()] if aside and not _GRAVE.search(aside[0].lower()) else text  # when it was said
    words, denied, low = words_of(text) - _FRAME, denies(text.lower()), text.lower()
    quotes = " ".join(quoted for quoted in _QUOTED.findall(low) if evidence.said(quoted))
    if len(words_of(quotes) & words) >= LIKE * len(words) > 0 and denies(quotes) is denied:
        return ""
    if any(said.says(words, LIKE) and said.denies is denied for said in evidence.rules):
        return ""
    return "No person and no instruction of the project was found to lay down this rule."


def names_its_source(text: str) -> bool:
    """Whether a rule says from which document or skill it is; a grave one needs more than that."""
    low = text.lower()
    return _DOCUMENT.search(low) is not None and _GRAVE.search(low) is None
