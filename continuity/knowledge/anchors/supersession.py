"""Decides whether a later statement replaces an earlier one. Conservative: in doubt both stay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from continuity.knowledge.anchor_types import CHOSEN, REPLACEABLE
from continuity.knowledge.anchors import words_of_change
from continuity.knowledge.language.amounts import UNITS, bare, number_words, side, unit
from continuity.knowledge.language.content_words import content, is_identifier
from continuity.knowledge.language.requests import OTHERWISE
from continuity.knowledge.language.sentences import lowered
from continuity.knowledge.model import AnchorType, Truth
from continuity.knowledge.rules.prefilter import PrefilteredPattern
from continuity.knowledge.state.open_items import OpenAnchor

REACH = 400  # how many of the latest open anchors a later statement can supersede
# Of the words of a turn, those that end a request: "the tests are no longer red" or "don't forget the tests" leave it as it is.
_ENDS = PrefilteredPattern(
    OTHERWISE + r"|\binstead\b|\bno longer (?:need|want|necessary|required|relevant)|\bnot (?:needed|wanted"
    r"|necessary) any ?more\b"
    r"|\b(?:don't|do not) (?:need|want)\b.{1,60}\bany ?more\b|\bchanged (?:my|our) mind\b|\bscrap\b|\brather than\b"
    r"|(?:^|[,;:] )(?:please |just )?forget\b|\blet's not\b|^(?:please )?revert\b|\bstattdessen\b"
    r"|\bplutôt\b"
)
VALUE = 3  # words of a value that another one takes the place of, where nobody speaks of a change
_ACTIONS = frozenset(
    content("release remove keep choose gate merge rename replace move split disable enable migrate rewrite revert store support", 30)
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A new statement as far as it bears on earlier ones: its words, topic, what it turns down and sets in its place,
    its quantities, and who makes it."""

    text: str
    words: tuple[str, ...]
    topic: str
    rejected: str
    chosen: frozenset[str]
    type: AnchorType
    truth: Truth
    amounts: tuple[str, ...] = ()


def superseded(new: Statement, earlier: Iterable[tuple[str, OpenAnchor]]) -> list[str]:
    """Keys in `earlier` (latest first) of the open anchors whose place the new statement takes, oldest first.

    It does by rejecting what they say, by giving the same topic another value, or, with a word of change, by being about
    the same things. The agent's words never take the place of the person's.
    """
    if new.type not in REPLACEABLE:
        return []
    low = lowered(new.text)
    stated = new.truth is Truth.STATED
    turned = words_of_change.turn(low, stated=stated)
    changed = turned or (stated and words_of_change.correct(low))
    against = frozenset(content(new.rejected, 6)) if new.rejected else frozenset()
    if not (against or changed or new.topic or (stated and new.amounts)):
        return []
    mine = frozenset(new.words)
    found: list[str] = []
    sets = changed or (stated and words_of_change.set_anew(low))
    for key, old in islice(earlier, REACH):
        if old.type not in REPLACEABLE or (old.truth is Truth.STATED and not stated):
            continue
        named = old.words.split()
        if _says_the_same(new, against, named):
            continue
        theirs = frozenset(named)
        if (
            _rejects(new, against, theirs, old)
            or _revalues(new, old, mine, theirs, changed)
            or (stated and old.amounts and not mine.isdisjoint(theirs) and _recounts(new, old, sets))
            or (changed and _returns(new, mine, theirs, old, turned))
        ):
            found.append(key)
    return found[::-1]


def changes_course(text: str) -> bool:
    """Whether words turn what was asked for into something else, or down."""
    return _ENDS.search(lowered(text)) is not None


def _says_the_same(new: Statement, against: frozenset[str], theirs: list[str]) -> bool:
    """The earlier one names what the new one chooses, and names it before what both turn down."""
    if not new.chosen or not new.chosen <= set(theirs):
        return False
    turned_down = [i for i, word in enumerate(theirs) if word in against]
    return not turned_down or min(theirs.index(word) for word in new.chosen) < turned_down[-1]


def _rejects(new: Statement, against: frozenset[str], theirs: frozenset[str], old: OpenAnchor) -> bool:
    """The earlier one is about what is turned down, and about little else."""
    if not against or not against <= theirs:
        return False
    stated = new.truth is Truth.STATED
    if old.type is AnchorType.CORRECTION or (old.type is AnchorType.CONSTRAINT and not stated) or (not stated and len(against) < 2):
        return False
    return len(theirs) <= len(against) + 5


def _revalues(new: Statement, old: OpenAnchor, mine: frozenset[str], theirs: frozenset[str], changed: bool) -> bool:
    """The same topic gets another value; with a word of change, also a topic that was named at greater length."""
    if not new.topic or not old.subject or mine == theirs:
        return False
    if new.truth is not Truth.STATED and not changed and not _contradicts(mine, theirs):
        return False
    return new.topic == old.subject or (changed and set(new.topic.split()) < set(old.subject.split()))


def _contradicts(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """They differ in little, and in more than a spelling: an agent tells most things more than once, in other words."""
    after, before = mine - theirs, theirs - mine
    if not (0 < len(after) <= VALUE and 0 < len(before) <= VALUE):
        return False
    return not any(word in other or other in word for word in after for other in before)


def _recounts(new: Statement, old: OpenAnchor, changed: bool) -> bool:
    """The same thing gets another quantity of the same side: all that the earlier one is about is named again, or, with a word
    of change or the earlier quantity beside the new one, most of it."""
    before, after = set(map(bare, old.amounts)), set(map(bare, new.amounts))
    if after <= before:
        return False
    sides = {side(a) for a in new.amounts if bare(a) not in before} - {""}, {side(a) for a in old.amounts} - {""}
    if all(sides) and not sides[0] & sides[1]:
        return False
    counts = number_words(frozenset(before)) | UNITS | words_of_change.SETTING
    theirs = [word for word in old.words.split() if word not in counts]
    mine = frozenset(new.words) - number_words(frozenset(after)) - UNITS
    shared = [word for word in theirs if word in mine]
    if not theirs or theirs[0] not in mine:  # whose it is stands first: one model's threshold is not another's
        return False
    recalled = bool(before & after)
    if len(shared) == len(theirs) >= 2:
        return True
    if len(shared) >= 2 and len(shared) >= 0.6 * len(theirs) and (changed or recalled):
        return True
    same_unit = bool({unit(a) for a in old.amounts} & {unit(a) for a in new.amounts} - {""})
    return len(theirs) <= 2 and same_unit and (changed or recalled or bool(sides[0] & sides[1]))


def _returns(new: Statement, mine: frozenset[str], theirs: frozenset[str], old: OpenAnchor, turned: bool) -> bool:
    """Largely the same things; for the person's choices one shared act is enough where both are short."""
    shared = mine & theirs
    stated = new.truth is Truth.STATED
    if (
        old.amounts
        and new.amounts
        and set(map(side, old.amounts)) - {""}
        and set(map(side, old.amounts)).isdisjoint(map(side, new.amounts))
    ):
        return False
    if len(shared) >= (2 if stated else 3) and len(shared) >= 0.6 * min(len(mine), len(theirs)):
        return not _different_owner(mine, theirs, shared)
    if not stated or new.type not in CHOSEN or old.type not in CHOSEN:
        return False
    return bool(shared & _ACTIONS) and len(mine) <= 4 and len(theirs) <= 5 and not _different_owner(mine, theirs, shared)


def _different_owner(mine: frozenset[str], theirs: frozenset[str], shared: frozenset[str]) -> bool:
    """Both name exact things, and not the same ones: one API's timeout is not another's."""
    exact_mine = {w for w in mine - shared if is_identifier(w) and not w[0].isdigit()}
    exact_theirs = {w for w in theirs - shared if is_identifier(w) and not w[0].isdigit()}
    return bool(exact_mine) and bool(exact_theirs) and not any(is_identifier(w) for w in shared)
