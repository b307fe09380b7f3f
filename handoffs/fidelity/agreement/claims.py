"""Lines about what is so: decisions, facts, errors, checks and the tree."""

from __future__ import annotations

import re

from continuity.knowledge.directive_parser.grammar import CHANGED_SINCE
from handoffs.fidelity.agreement.evidence import RawEvidence
from handoffs.fidelity.agreement.model import ClaimedLine, Disagreement, DisagreementCode
from handoffs.fidelity.agreement.reasons import against, at, quoted
from handoffs.fidelity.probes import evidence as calls
from handoffs.fidelity.probes import imperatives
from handoffs.fidelity.probes.identifiers import identifiers_in
from handoffs.fidelity.probes.words import plain, words_of

ABOUT = 0.5
_ANNOUNCED = re.compile(
    r"\W*(?:(?:ok(?:ay)?|good|great|perfect|now|next|so|then|first|alright|right|done)\b[\s,.!:—–-]*){0,4}"
    r"(?:let me|let's|i(?:'ll| will| should| need to| am going to|'m going to| can now)|now i|next,? i|i have to|time to"
    r"|ich werde|lass mich|je vais|voy a)\b",
    re.I,
)
_PASSES = re.compile(
    r"\b(?:tests?|suite|checks?|lint|build|ci)\b[^.;!?]{0,40}?\b(?:pass(?:es|ed|ing)?|green|clean|succeed(?:s|ed)?)\b"
    r"|\b0 (?:issues|errors|failures)\b|测试.{0,6}通过|テスト.{0,6}(?:成功|合格)",
    re.I,
)
_UNSURE = re.compile(r"\b(?:if|until|unless|once|when|should|must|will|verify|ensure|before|not|make sure|run)\b|n't\b", re.I)
_REASONED = re.compile(r"\W*(?:because|since|as|when|if|only|with|without|weil|car|porque)\b", re.I)
_REASON = re.compile(r"\b(?:because|so that|weil|damit|parce que|porque)\b", re.I)
_CLEAN = re.compile(r"\bclean\b", re.I)
_OUTCOME = re.compile(r"`(?P<command>[^`]{1,400})`.{0,80}?\b(?P<told>passed|failed)\b")


def mended(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """An error that a later run of the same passed is none."""
    fault = known.faults.like(words_of(line.words))
    if fault is None:
        return None
    if fault.end:
        return against(
            line, DisagreementCode.FAULT_MENDED, f"`{fault.about}` failed so{at(fault.seq)} and passed{at(fault.end)}.", fault.end
        )
    checks, latest = known.course.checks, known.course.latest_check
    if latest is None or fault.about not in checks or latest.seq <= fault.seq or not all(check.good for check in checks.values()):
        return None
    reason = f"This is from message {fault.seq}; every check passed when it ran last, `{quoted(latest.words)}`{at(latest.seq)}."
    return against(line, DisagreementCode.FAULT_MENDED, reason, latest.seq)


def not_chosen(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """A decision or fact that was offered to the person and not taken disagrees."""
    words = words_of(line.words)
    option = known.left.within(words, 1.0, 2)
    if option is None or any(other.good and words_of(other.words) <= words for other in known.course.options.values()):
        return None
    return against(line, DisagreementCode.NOT_CHOSEN, f"“{quoted(option.words)}” was offered, and the user took another.", option.seq)


def announced(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """An announcement of the agent disagrees once it has gone on; a choice, or a step with its reason, does."""
    if _ANNOUNCED.match(line.words) is None or imperatives.settles(line.words) or _REASON.search(line.words):
        return None
    spoken = known.spoken.like(words_of(line.words))
    if spoken is not None and spoken.seq == max(each.seq for each in known.course.spoken.values()):
        return None
    return against(line, DisagreementCode.ANNOUNCEMENT, "The agent announced a step here, and has gone on since.")


def taken_back(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """A later sentence that takes something back is about the same names."""
    names = _names(line.words)
    if len(names) < 2:
        return None
    said_at = known.spoken.like(words_of(line.words))
    after = max(line.seq, said_at.seq if said_at else 0)
    for other, theirs in zip(reversed(known.withdrawn.held), reversed(known.withdrawn.words), strict=True):
        if other.seq <= after:
            break
        shared = names & theirs
        if len(shared) < 2 or plain(other.words) in plain(line.words) or plain(line.words) in plain(other.words):
            continue
        if len(shared) >= ABOUT * len(_names(other.words)):
            return against(line, DisagreementCode.TAKEN_BACK, f"Later it was said: “{quoted(other.words)}”{at(other.seq)}.", other.seq)
    return None


def _names(text: str) -> frozenset[str]:
    return frozenset(plain(name) for name in identifiers_in(text[:400]))


def passing(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """A line that tests pass agrees where they ran after the last change."""
    course, found = known.course, _PASSES.search(line.words)
    if found is None or _UNSURE.search(line.words[max(0, found.start() - 40) : found.end()]):
        return None
    latest = course.latest_check
    if latest is None or _REASONED.match(line.words, found.end()):
        return None
    if not latest.good:
        return against(line, DisagreementCode.CHECK_OTHERWISE, f"`{quoted(latest.words)}` failed{at(latest.seq)}.", latest.seq)
    return _before_edit(line, latest.seq, known)


def checked(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """The outcome of a check is that of its last run, and it ran after the last change unless the line says otherwise."""
    found = _OUTCOME.search(line.words)
    if found is None:
        return None
    doing = calls.doing(plain(found["command"]))
    run = next((check for check in known.course.checks.values() if calls.doing(plain(check.words)) == doing), None)
    if run is None:
        return None
    if run.good is not (found["told"] == "passed") and plain(run.words)[:60] == plain(found["command"])[:60]:
        reason = f"`{quoted(run.words)}` {'passed' if run.good else 'failed'} when it ran last{at(run.seq)}."
        return against(line, DisagreementCode.CHECK_OTHERWISE, reason, run.seq)
    says = CHANGED_SINCE.search(line.words)
    return None if says or not run.good else _before_edit(line, run.seq, known)


def tree(line: ClaimedLine, known: RawEvidence) -> Disagreement | None:
    """A tree is clean where nothing was changed since the last commit."""
    edit = known.course.latest_edit
    if edit is None or not _CLEAN.search(line.words) or edit.seq <= max(known.course.last_commit, line.seq):
        return None
    return against(line, DisagreementCode.COMMIT_BEFORE_EDIT, f"{edit.words} was changed{at(edit.seq)}, after that.", edit.seq)


def _before_edit(line: ClaimedLine, ran: int, known: RawEvidence) -> Disagreement | None:
    edit = known.course.latest_edit
    if edit is None or edit.seq <= ran:
        return None
    return against(line, DisagreementCode.CHECK_BEFORE_EDIT, f"{edit.words} was changed{at(edit.seq)}, after the check ran.", edit.seq)
