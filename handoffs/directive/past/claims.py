"""What an agent claimed, or a result showed, that says too little by itself, or is over: no line tells it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from continuity.knowledge.anchors.thoughts import is_thought
from continuity.knowledge.language.content_words import content
from continuity.knowledge.language.reply_structure import announces, supposes
from continuity.knowledge.language.requests import is_request
from continuity.knowledge.model import Anchor, AnchorType, FileTouch, Knowledge, Request, RequestKind, Truth
from continuity.knowledge.requests.gist import is_filler, is_torn, only_announces, without_announcements
from continuity.knowledge.requests.kinds import denies_answer, says_no, tells_trouble, withdraws
from continuity.knowledge.requests.whole_sentences import asks
from handoffs.directive.lines.request_steps import nods, without_nods
from handoffs.directive.lines.wording import normalise
from handoffs.directive.past.reports import OF_TESTS, only_praises

CAUSE = "fact.cause"  # the method of what an agent says of why something is so
# What was only seen, as a suspicion; and what was said of something in words before it.
_SPOTS = re.compile(
    r"(?:(?:wait|hm+|but|oh)[,. –—-]+)*i (?:see|notice|think there(?:'s| is)) (?:an?|another) (?:\w+ )?(?:issue|problem|bug)\b", re.I
)
_DENIES = re.compile(r"\b(?:not|avoid|never|skip|no)\b|n't\b", re.I)
# What the agent itself left open, and what it warns the person of.
_EITHER = re.compile(r"\bor (?:add|put|use|keep|make|just|maybe|move|leave|do)\b|\A(?:do not|don't|never)\b", re.I)
_NAMED = re.compile(r"`[^`]+`|\b\w*(?:[a-z][A-Z]|_)\w*|\b\w*\d\w*")  # what stands for one thing alone
_MUST = re.compile(r"\bmust\b", re.I)
_OF_LIST = re.compile(r"(?:[^\w`]|_)*`[^`]+`[*_]*\s*[—–:-]")  # an entry of a list of things that were made or looked at
OF_ANSWER, LEAST, WORDS, DENIED = 3, 3, 40, 60  # of one answer; words of content of each, and those looked at; characters behind a "not"
NEARLY = 0.8  # of the words of a fact that another one of the same message has
SAME = 0.6  # of the words of the shorter one of two that say the same
_OF_ANOTHER = re.compile(r"(?:to|for|by|in|after|before|because of|with) (?:\w+ )?(?:this|that|it|these|those),", re.I)


def says_nothing(anchor: Anchor) -> bool:
    """Whether what no person said says little without what stood around it: it is torn, a row of a table, or asks what the agent looks
    up."""
    if anchor.truth is Truth.OBSERVED:
        return anchor.type is AnchorType.FACT and (is_torn(anchor.text) or _OF_ANOTHER.match(anchor.text) is not None)
    if is_torn(anchor.text) or only_announces(anchor.text) or anchor.text.lstrip().startswith(("|", "—", "–")):
        return True
    words = without_announcements(anchor.text)
    return anchor.type is AnchorType.FACT and (not words or asks(words))


def says_little(anchor: Anchor) -> bool:
    """Whether an agent's claim praises its work, says what a test of it is for (the files tell that), or only nods to what it saw."""
    little = only_praises(anchor.text) or OF_TESTS.match(anchor.text) is not None or not without_nods(anchor.text)
    return little and anchor.truth is Truth.CLAIMED and not anchor.critical


def is_mended(anchor: Anchor, checked: int, changed: Sequence[int]) -> bool:
    """Whether an anchor tells of trouble, files were changed after it, and what checks them passed since, in message `checked`."""
    if anchor.critical or anchor.truth is Truth.STATED or not any(anchor.ref.seq < seq <= checked for seq in changed):
        return False
    return anchor.type is AnchorType.ERROR or (anchor.type is AnchorType.FACT and tells_trouble(anchor.text))


def is_of_older_file(anchor: Anchor, modified: Sequence[FileTouch]) -> bool:
    """Whether a claim says what was wrong with one of the `modified` files that was changed since, where nothing fails."""
    if anchor.type is not AnchorType.FACT or anchor.truth is not Truth.CLAIMED or anchor.critical:
        return False
    if not (anchor.method == CAUSE or tells_trouble(anchor.text)):
        return False
    return any(file.last_seq > anchor.ref.seq and file.path.rsplit("/", 1)[-1] in anchor.text for file in modified if anchor.ref.seq > 0)


def is_step(anchor: Anchor, stepped: Sequence[str]) -> bool:
    """Whether a claim is what the agent said before it changed files: the step tells it, with what came of it."""
    return anchor.truth is Truth.CLAIMED and not anchor.critical and any(normalise(anchor.text) in said for said in stepped)


def is_found_out(anchor: Anchor) -> bool:
    """Whether an agent's claim tells how something is, or what failed."""
    found_out = anchor.type in (AnchorType.FACT, AnchorType.FAILED_APPROACH) and not nods(anchor.text)  # to what was just seen
    if _SPOTS.match(anchor.text) or (anchor.type is AnchorType.FACT and is_request(anchor.text)):
        return False  # a suspicion that the agent went on to look into, or a step of its plan
    return found_out and not (supposes(anchor.text) or announces(anchor.text) or is_filler(anchor.text))


def choices_gone_on_from(knowledge: Knowledge) -> frozenset[str]:
    """The keys of what the agent proposed in a talk, in which nothing was changed, and the person went on from: they denied nothing of it,
    and chose nothing against it later. A few of each answer, each said once; none once files were changed, which tell what came of it."""
    rows = knowledge.requests
    changed = max((row.seq for row in rows if row.files or row.commits), default=0)
    answers = {
        row.outcome.ref.seq
        for row, after in pairwise(rows[:-1])  # the last message may be about just this
        if row.outcome is not None and row.seq > changed and not _turns_away(after)
    }
    chosen = [each for each in knowledge.anchors if each.type is AnchorType.DECISION]
    wanted = [(each.ref.seq, frozenset(content(_before_no(each.text), WORDS))) for each in chosen if each.truth is Truth.STATED]
    proposed = [each for each in chosen if each.truth is Truth.CLAIMED and each.ref.seq in answers and not is_thought(each)]
    taken: dict[str, tuple[int, frozenset[str]]] = {}
    for anchor in sorted(proposed, key=lambda each: (-each.importance, _MUST.search(each.text) is None)):
        words, seq = frozenset(content(anchor.text, WORDS)), anchor.ref.seq
        no = _DENIES.search(anchor.text)
        denied = frozenset(content(anchor.text[no.end() :][:DENIED], WORDS)) if no else frozenset()
        against = any(when > seq and denied & theirs for when, theirs in wanted)
        said = any(len(words & theirs) >= SAME * min(len(words), len(theirs)) for _, theirs in taken.values())
        full = sum(when == seq for when, _ in taken.values()) >= OF_ANSWER
        vague = is_torn(anchor.text) or _OF_LIST.match(anchor.text) or _EITHER.search(anchor.text)
        if not (against or said or full or vague or len(words) < LEAST):
            taken[anchor.key] = (seq, words)
    return frozenset(taken)


def said_again(anchors: Sequence[Anchor]) -> frozenset[str]:
    """The keys of the facts of a message, told by nobody in person, that say what another fact of it says with nearly the same words."""
    facts = [each for each in anchors if each.type is AnchorType.FACT and each.truth is not Truth.STATED and not each.critical]
    told: dict[int, list[tuple[frozenset[str], frozenset[str]]]] = {}
    again = []
    for anchor in sorted(facts, key=lambda each: (-len(content(each.text, WORDS)), each.ref.start or 0)):
        words, others = frozenset(content(anchor.text, WORDS)), told.setdefault(anchor.ref.seq, [])
        named = frozenset(_NAMED.findall(anchor.text))
        if len(words) > LEAST and any(named <= names and len(words & theirs) >= NEARLY * len(words) for theirs, names in others):
            again.append(anchor.key)
        others.append((words, named))
    return frozenset(again)


def _before_no(text: str) -> str:
    no = _DENIES.search(text)
    return text[: no.start()] if no else text


def _turns_away(row: Request) -> bool:
    words = row.text.text
    return row.kind is RequestKind.CORRECTION or denies_answer(words) or says_no(words) or withdraws(words)
