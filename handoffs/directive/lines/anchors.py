"""Anchors as lines: each in its section, verbatim, with the reason and the alternative where they are known."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence, Set
from itertools import pairwise

from continuity.knowledge.anchor_types import RULES
from continuity.knowledge.anchors.rules_in_force import is_rule_in_force, source_of
from continuity.knowledge.anchors.thoughts import is_thought
from continuity.knowledge.coverage.terms import terms_in
from continuity.knowledge.directive_parser.grammar import (
    AGREED,
    ANSWERS,
    BECAUSE,
    CLIP,
    FROM_FILE,
    PLACES,
    PROPOSALS,
    PROPOSED,
    REJECTED,
    UNDERTAKEN,
    held_anchor,
)
from continuity.knowledge.evidence import Failure, PartState, WorkPart
from continuity.knowledge.language.commitments import person_promises
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.requests import is_request
from continuity.knowledge.language.standing import is_for_now, is_standing
from continuity.knowledge.methods import ACCEPTED
from continuity.knowledge.model import Anchor, AnchorType, FileAction, Knowledge, Request, RequestState, Truth
from continuity.knowledge.requests.gist import is_torn
from continuity.knowledge.requests.kinds import denies_answer
from continuity.knowledge.requests.ledger import in_work
from continuity.knowledge.requests.progress import overruled_answers
from handoffs.budgeting.candidate import Candidate
from handoffs.budgeting.limits import LITTLE, LineLimits
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.checks import changed_files, runs
from handoffs.directive.lines.evidence import FAILURES, REFUSED, still_failing
from handoffs.directive.lines.goal import answers_told_with_goal
from handoffs.directive.lines.message_lines import noted_through
from handoffs.directive.lines.quoting import as_data
from handoffs.directive.lines.reruns import held_foreign
from handoffs.directive.lines.wording import clip, clip_said, normalise, one_line
from handoffs.directive.past.claims import (
    choices_gone_on_from,
    is_found_out,
    is_mended,
    is_of_older_file,
    is_step,
    said_again,
    says_little,
    says_nothing,
)
from handoffs.directive.past.errors import only_counts, step_errors
from handoffs.directive.references import References

# What is left of an anchor's importance when the conversation has moved on from it, and how fast it fades.
KEPT = {Truth.STATED: 0.8, Truth.OBSERVED: 0.6, Truth.CLAIMED: 0.55}
FADING = 2
WHOLE = 480  # characters of a person's message that the history tells whole
TOLD = "directive"  # the method of what a directive told
PROJECT_RULES = 12  # of the project's files that are told
SEEN = "fact.found"  # the method of what an agent says of how something is
# By these methods it is sure what was not chosen: a tool asked, or a directive told it.
ASKED = ("decision.asked", TOLD)
# How a rule begins that speaks of all cases, and not of what to do next.
LAYS_DOWN = ("constraint.universal", "constraint.law", "constraint.limit", "constraint.must")
OVER = 0.3  # what a part of a finished document weighs, or of the words that ended a request: the history tells them
LEAST = 3  # words of content without which the agent's words say nothing by themselves
DOCUMENT = 1200  # characters from which the person's words are a document: the ledger keeps 1,500 of an older one, less a sentence
PARTS = 2  # of the work that are done, from which it is certain that it is over
# What was said once weighs in the history beside what holds: a person's words as much as in their own section.
THEN = {Truth.STATED: 2.3, Truth.OBSERVED: 0.9, Truth.CLAIMED: 0.9}
# What an agent's own choices and corrections weigh beside a person's.
CLAIMED = 0.85
CLAIMED_FACT = 0.8  # what nothing confirmed weighs beside the words that ended a request
CHOICES = frozenset((AnchorType.DECISION, AnchorType.CORRECTION))
# What an agent claimed before the last turns, and did not say again, is told as said then.
LATELY = 3
OF_RULES = ("constraint", "preference")  # how the methods begin that find rules, whatever became of these
ADDED = 240  # characters of what a person added to the request in work that is told whole
CHOOSES = re.compile(
    r"\b(?:use|using|go with|going with|keep|stick|choose|pick|prefer|option|instead|rather|never|always|not|don't)\b", re.IGNORECASE
)
_FAIL_LINE = re.compile(r"^(?:.* )?(?:--- FAIL:|FAILED|FAIL|✕|✗|not ok \d+)[: ]", re.S)  # a runner's line that names a failed test
WORDS = 60
_OF_CHECKS = frozenset(content("failed failure error errors assert"))
# A superseded decision matters less than the one that took its place.
SUPERSEDED_SHARE = 0.6
_CITES = re.compile(r":? ?\(?\[[^\[\]]{1,80}\]\([^()]{1,300}\)\)?(?=\.?$)")  # a link at the end: where the agent read it


def anchor_candidates(knowledge: Knowledge, references: References, limits: LineLimits) -> list[Candidate]:
    """One candidate per current anchor, and one "not" per choice of a person's that was replaced. What holds
    has its place by its type; the rest is told in the history as what was said then."""
    last = max(knowledge.through_seq, 1)
    lately = knowledge.turns[-LATELY].seq if len(knowledge.turns) >= LATELY else 0
    over = _over(knowledge)
    done = {row.seq for row in over if limits.row >= LITTLE and _is_done(row, knowledge.situation.parts)}
    # What a predecessor brought has no place of its own, and so belongs to no answer.
    ended = {row.outcome.ref.seq for row in over if row.outcome and row.outcome.ref.seq > 0}
    # What was said in a few words within the work is told with the request.
    added = {row.seq for row in in_work(knowledge.requests)[1:] if len(row.text.text) <= ADDED}
    overruled = overruled_answers(knowledge.requests)
    led_to_it = answers_told_with_goal(knowledge)
    of_project = _project_rules_of_use(knowledge)
    denied = [(before.seq, row.seq) for before, row in pairwise(knowledge.requests) if denies_answer(row.text.text)]
    noted = noted_through(knowledge)
    check = knowledge.situation.verification
    mended_before = check.seq if check is not None and check.passed else 0
    stepped = [normalise(step.said) for row in knowledge.requests for step in row.steps if step.files]
    printed = _told_runs(knowledge)
    said_whole = {row.seq: row.text.text for row in knowledge.requests if len(row.text.text) <= WHOLE}
    failing = still_failing(knowledge.situation)[:FAILURES]
    named = any(each.test or each.at for each in failing) or bool(step_errors(knowledge))
    changed = sorted(file.last_seq for file in knowledge.files if file.action is not FileAction.READ)
    modified = changed_files(knowledge)
    agreed, again = choices_gone_on_from(knowledge), said_again(knowledge.anchors)
    found = []
    for anchor in knowledge.anchors:
        if is_thought(anchor) or says_little(anchor) or anchor.key in again:
            continue  # where its last thought arrived is told as such, and what came of the others as what was done
        line = _current(anchor, references, limits, worth(anchor, last), agreed=anchor.key in agreed)
        # What a directive told in its section stays there. Where there is little room for a history, what a person stated beside the work
        # has no other place.
        placed = anchor.critical or anchor.method.startswith(TOLD) or _is_told(anchor, knowledge, lately)
        placed = placed or (limits.row < LITTLE and not _is_of_work(anchor, knowledge))
        placed = placed or anchor.key in agreed
        # The words that ended a request are the agent's: what a person stated is never among them, whatever its number.
        placed = placed and not _is_request(anchor, over)
        told_with_request = anchor.ref.seq in added and limits.earlier and anchor.method.partition(".")[0] not in OF_RULES
        if _is_carried_out(anchor, knowledge, over) or (not placed and told_with_request):
            continue
        is_over = anchor.ref.seq in done or (anchor.truth is not Truth.STATED and anchor.ref.seq in ended)
        share = OVER if is_over else 1.0
        if _is_fact_of_answer(anchor, ended):
            if anchor.ref.seq in led_to_it:
                continue  # the answer is told at length, with what led to the request, or point by point
            placed, share = False, 1.0
        if anchor.truth is not Truth.STATED and not anchor.critical and (says_nothing(anchor) or anchor.ref.seq in overruled):
            continue
        if _is_fact_of_answer(anchor, {seq for first, last in denied for seq in range(first, last)}):
            continue  # the person said that it is not so, or not what they meant
        if not failing and is_of_older_file(anchor, modified):
            continue
        if is_mended(anchor, mended_before, changed) or is_step(anchor, stepped) or _is_failing(anchor, failing):
            continue
        if anchor.ref.seq in printed and anchor.type is AnchorType.ERROR and anchor.truth is Truth.OBSERVED and not anchor.critical:
            continue
        if named and anchor.type is AnchorType.ERROR and anchor.truth is Truth.OBSERVED and only_counts(anchor.text):
            continue
        if source_of(anchor) and not anchor.critical and anchor.key not in of_project:
            continue  # tools read the project's own files anyway
        if not placed and anchor.truth is Truth.OBSERVED and anchor.type in RULES:
            continue
        if not placed and anchor.truth is Truth.CLAIMED and _is_on_the_way(anchor, ended, lately):
            continue  # its answers tell what came of it
        if not placed and anchor.truth is not Truth.STATED and 0 < anchor.ref.seq <= noted:
            continue  # the agent's own note tells it in its way
        if placed or anchor.truth is Truth.STATED or len(content(anchor.text, LEAST)) >= LEAST:
            said = said_whole.get(anchor.ref.seq, "") if anchor.truth is Truth.STATED else ""
            said = said if normalise(anchor.text) in normalise(said) else ""
            found.append(line if placed else _as_history(line, anchor, share)._replace(words=said))
    return found + [
        _superseded(anchor, knowledge, references, limits)
        for anchor in knowledge.superseded
        if (anchor.truth is Truth.STATED and not is_torn(anchor.text)) or anchor.method.startswith(TOLD)
    ]


def _told_runs(knowledge: Knowledge) -> frozenset[int]:
    """The messages in which runs ended that *Now* tells as refused, or that failed for what is none of the work's."""
    now, rows = knowledge.situation, in_work(knowledge.requests)
    foreign = [run for run in runs(now) if run.passed is False and held_foreign(run.seq, knowledge)]
    blocked = [run for run in now.blocked[-REFUSED:] if rows and run.seq >= rows[0].seq]
    return frozenset(seq for run in (*blocked, *foreign) for seq in (run.seq, run.seq + 1))


def _over(knowledge: Knowledge) -> list[Request]:
    """The requests before the one in work."""
    working = {row.seq for row in in_work(knowledge.requests)}
    return [row for row in knowledge.requests if row.seq not in working]


def _is_request(anchor: Anchor, over: Sequence[Request]) -> bool:
    """Whether a decision is nothing but what the person asked for, and something came of it: the history tells both."""
    if anchor.type is not AnchorType.DECISION or anchor.truth is not Truth.STATED:
        return False
    row = next((row for row in over if row.seq == anchor.ref.seq), None)
    if row is None or CHOOSES.search(anchor.text) or is_standing(anchor.text):
        return False
    all_of_it = row.state is RequestState.DONE and normalise(anchor.text) == normalise(row.text.text)
    return (all_of_it and bool(row.files or row.commits)) or (is_request(anchor.text) and bool(row.files or row.commits or row.outcome))


def _project_rules_of_use(knowledge: Knowledge) -> frozenset[str]:
    """The keys of the rules of the project's files that are grave and have most to do with the work: those whose terms the conversation is
    likely to use again."""
    weights = {each.term: each.weight for each in knowledge.carried.weights}
    rules = [anchor for anchor in knowledge.anchors if source_of(anchor) and anchor.type in RULES]

    def of_use(anchor: Anchor) -> float:
        return anchor.importance * sum(weights.get(term, 0.0) for term in set(terms_in(anchor.text))) / math.sqrt(max(len(anchor.text), 1))

    return frozenset(anchor.key for anchor in sorted(rules, key=lambda each: (-of_use(each), each.key))[:PROJECT_RULES])


def _is_fact_of_answer(anchor: Anchor, ended: Set[int]) -> bool:
    """Whether an anchor is a fact that an answer to an earlier request claimed: it says more beside the rest of that answer."""
    return anchor.type is AnchorType.FACT and anchor.truth is Truth.CLAIMED and not anchor.critical and anchor.ref.seq in ended


def _is_on_the_way(anchor: Anchor, ended: Set[int], lately: int) -> bool:
    """Whether an anchor is what the agent meant to do, supposed or saw on its way to an answer; the cause of something that it found is
    none of these."""
    return (anchor.method == SEEN and anchor.ref.seq not in ended) or not (is_found_out(anchor) or _is_proposed(anchor, lately))


def _is_failing(anchor: Anchor, failing: Sequence[Failure]) -> bool:
    """Whether an error is what a failing check printed: that is told among what is so now."""
    if anchor.type is not AnchorType.ERROR or anchor.critical or anchor.truth is Truth.STATED:
        return False
    words = frozenset(content(anchor.text, WORDS)) - _OF_CHECKS
    named = [each for each in failing if each.test and each.test in anchor.text]
    if named and anchor.truth is Truth.OBSERVED and _FAIL_LINE.search(anchor.text):
        return True
    told = (f"{each.test} {each.at} {each.cause} {each.expected} {each.got}" for each in named)
    return any(words <= frozenset(content(text, WORDS)) for text in told)


def _is_proposed(anchor: Anchor, lately: int) -> bool:
    """Whether an anchor is what the agent recommended in the last turns."""
    return anchor.type is AnchorType.DECISION and anchor.ref.seq >= lately


def _is_carried_out(anchor: Anchor, knowledge: Knowledge, over: Sequence[Request]) -> bool:
    """Whether a person agreed to what the agent offered to do, and it was done: the history tells what came of it. One that binds is so
    only where they agreed to another course for the same files later."""
    row = agreed_in(anchor, knowledge.requests)
    if row is None or row not in over or row.state is not RequestState.DONE or not (row.files or row.commits):
        return False
    later = (agreed_in(each, knowledge.requests) for each in knowledge.anchors if each.ref.seq > anchor.ref.seq)
    return not anchor.critical or any(each is not None and not set(row.files).isdisjoint(each.files) for each in later)


def agreed_in(anchor: Anchor, rows: Sequence[Request]) -> Request | None:
    """The message with which a person agreed to what an anchor proposed."""
    return next((row for row in rows if row.seq > anchor.ref.seq), None) if anchor.method == ACCEPTED else None


def _is_done(row: Request, parts: Sequence[WorkPart]) -> bool:
    """Whether a person gave a document, a plan or a specification, and all parts of the work for it are done."""
    if not row.files or len(row.text.text) < DOCUMENT:
        return False
    of_it = [part.state for part in parts if row.seq <= part.seq <= row.last_seq]
    return len(of_it) >= PARTS and all(state in (PartState.DONE, PartState.DROPPED) for state in of_it)


def _as_history(line: Candidate, anchor: Anchor, share: float) -> Candidate:
    """The anchor as what was said at its place, worth its share."""
    label = "person said" if anchor.truth is Truth.STATED else "agent said"
    item = line.item._replace(
        label=label, importance=line.item.importance * share * THEN[anchor.truth], reference=References.message(anchor.ref.seq)
    )
    return line._replace(kind=SectionKind.RECENT, item=item, name="", start=anchor.ref.start or 0)


def _is_told(anchor: Anchor, knowledge: Knowledge, lately: int) -> bool:
    """Whether an anchor has a line of its own: a rule that holds, what a person chose when a tool asked, what was found out lately. What a
    person said stands in the history anyway, and so does what an agent meant to do, or asked and was answered."""
    claimed = anchor.truth is Truth.CLAIMED
    if anchor.type in RULES:
        return is_rule_in_force(anchor) or _is_laid_down(anchor, knowledge)
    if anchor.truth is Truth.STATED and any(row.seq == anchor.ref.seq for row in knowledge.requests):
        return False
    if anchor.type in CHOICES:
        return not claimed
    if claimed and (anchor.type is AnchorType.ERROR or anchor.text.lstrip().startswith("|")):
        return False
    if claimed and not is_found_out(anchor):
        return False
    return not claimed or anchor.ref.seq >= lately


def _is_laid_down(anchor: Anchor, knowledge: Knowledge) -> bool:
    """Whether a person said how things are done where no work was asked for: there is no request that it could be a part of."""
    lays_down = anchor.type is AnchorType.PREFERENCE or anchor.method.startswith(LAYS_DOWN)
    return lays_down and not is_for_now(anchor.text) and not _is_of_work(anchor, knowledge)


def _is_of_work(anchor: Anchor, knowledge: Knowledge) -> bool:
    """Whether an anchor is nothing that a person stated, or a part of a request that is in work or was worked on."""
    rows = (*in_work(knowledge.requests), *(row for row in knowledge.requests if row.files or row.commits))
    return anchor.truth is not Truth.STATED or any(row.seq == anchor.ref.seq for row in rows)


def worth(anchor: Anchor, last: int) -> float:
    """An anchor's importance as the conversation has moved on from it: what a person said keeps most of its weight."""
    position = min(1.0, max(0.0, anchor.ref.seq / last))
    floor = KEPT[anchor.truth]
    claimed = anchor.truth is Truth.CLAIMED
    trusted = CLAIMED if claimed and anchor.type in CHOICES else CLAIMED_FACT if claimed and anchor.type is AnchorType.FACT else 1.0
    return anchor.importance * trusted * (floor + (1 - floor) * position**FADING)


def _current(anchor: Anchor, references: References, limits: LineLimits, importance: float, *, agreed: bool = False) -> Candidate:
    kind, label = PLACES[anchor.type]
    claimed = anchor.truth is Truth.CLAIMED
    if claimed and anchor.type is AnchorType.DECISION and anchor.method.startswith(PROPOSALS) and not agreed:
        label = PROPOSED
    if not claimed and anchor.type is AnchorType.COMMITMENT and person_promises(anchor.text):
        label = UNDERTAKEN
    text = _words(anchor, limits)
    source = source_of(anchor)
    if anchor.truth is Truth.OBSERVED:
        text = (text if source else as_data(text)) + (f"{FROM_FILE}{source}" if source else "")
    reference = references.anchor(anchor)
    reason = _because(anchor, limits)
    item = _item(anchor, reference, text + reason, label, importance)._replace(claimed=claimed)
    words = text if reason and kind is SectionKind.DECISIONS else ""
    return Candidate(kind, item, words=words, name=held_anchor(anchor.type, reference, critical=anchor.critical, claimed=claimed))


def _superseded(anchor: Anchor, knowledge: Knowledge, references: References, limits: LineLimits) -> Candidate:
    """What took its place is named, and quoted where it may have no line of its own."""
    by = references.replaced_by(anchor)
    placed = next((each for each in knowledge.anchors if each.key == anchor.superseded_by), None)
    quoted = f": “{_words(placed, limits)}”" if placed is not None and not placed.critical else ""
    text = _words(anchor, limits) + (f" (replaced by {by}{quoted})" if by else "")
    item = _item(anchor, references.anchor(anchor), text, "not", anchor.importance * SUPERSEDED_SHARE, critical=False)
    return Candidate(SectionKind.DECISIONS, item)


def _words(anchor: Anchor, limits: LineLimits) -> str:
    """The anchor's own words: whole where it is critical, else with at most half of the middle left out."""
    words = one_line(anchor.text)
    if anchor.truth is Truth.CLAIMED and anchor.type is AnchorType.DECISION and not anchor.critical:
        words = _CITES.sub("", words)
    # What was left out once stays as it is: half of the rest at every handoff would leave nothing.
    return words if anchor.critical or CLIP in words else clip_said(words, max(limits.anchor, len(words) * 3 // 5), ANCHOR)


ANCHOR = 0.9  # of the room for an anchor's words that is used at least: half of them have to be told
NOD, SHORT = 3, 40  # words of an answer that only agrees; characters of one that says little by itself


def _because(anchor: Anchor, limits: LineLimits) -> str:
    """The reason and the rejected alternative, where the anchor's own words do not hold them already. The question that a few words
    answer is never left out: without it they say nothing."""
    asked = anchor.rationale.endswith("?")
    if not (limits.reasons or (asked and len(anchor.text) <= SHORT)) or not (anchor.rationale or anchor.rejected):
        return ""
    own = normalise(anchor.text)
    sure = anchor.method.startswith(ASKED)
    lead = ANSWERS if asked else AGREED if anchor.method == ACCEPTED else BECAUSE
    mere = lead is AGREED and len(anchor.rationale.split()) <= NOD and "\n" not in anchor.text.strip()  # a list reads like a proposal
    parts = [(lead, "" if mere else anchor.rationale), (REJECTED, anchor.rejected if limits.reasons and sure else "")]
    told = [f"{name}{clip(one_line(words), limits.anchor)}" for name, words in parts if words and normalise(words) not in own]
    return "".join(told)


def _item(anchor: Anchor, reference: str, text: str, label: str, importance: float, *, critical: bool | None = None) -> PackageItem:
    return PackageItem(reference, anchor.key, text, anchor.ref.seq, 0, importance, anchor.critical if critical is None else critical, label)
